"""The command ``kok-sim``: runs the application and turns every mistake of its user into one line and exit code 2."""

from __future__ import annotations

import os
import sys

import typer

from kok_sim.cli.app import app
from simulator.errors import KokSimError

INTERRUPTED = 130  # as a shell reports Ctrl-C
BROKEN_PIPE = 141  # as a shell reports a reader that went away


def main() -> None:
    """Run the command line and exit: 0 if all went well, 2 for a mistake of the user, 130 after Ctrl-C."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line with these arguments; gives the exit code."""
    try:
        code = app(arguments, prog_name="kok-sim", standalone_mode=False)
        sys.stdout.flush()
    except KokSimError as error:
        return _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes at exit
        return BROKEN_PIPE
    except Exception as error:
        usage = getattr(error, "format_message", None)  # what typer raises for a wrong option or argument
        if usage is None:
            raise
        return _fail(usage())
    return code if isinstance(code, int) else 0


def _fail(message: str) -> int:
    print("error:", " ".join(message.split()), file=sys.stderr)
    return 2
