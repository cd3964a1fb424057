"""The command ``kok-sim``: runs the application and turns every mistake of its user into one line and exit code 2."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import NoReturn

import typer

from kok_sim.cli.app import app
from simulator.errors import KokSimError

INTERRUPTED = 130  # as a shell reports Ctrl-C
BROKEN_PIPE = 141  # as a shell reports a reader that went away
TERMINATED = 143  # as a shell reports SIGTERM
LONGEST = 1000  # letters of an error message


def main() -> None:
    """Run the command line and exit: 0 if all went well, 2 for a mistake of the user, 130 after Ctrl-C."""
    _prepare_output()
    signal.signal(signal.SIGTERM, _terminate)
    try:
        code = run(sys.argv[1:])
    except SystemExit as request:
        code = request.code if isinstance(request.code, int) else 1
    _leave(code)


def _prepare_output() -> None:
    """Make sure that there is an output, and that it can show what we print, if need be with question marks."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    """Leave in an orderly way, so that no temporary files stay."""
    sys.exit(TERMINATED)


def _leave(code: int) -> NoReturn:
    """Exit, without waiting for threads that are still busy with a game that nobody needs."""
    if threading.active_count() > 1:
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


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
        _discard_output()
        return BROKEN_PIPE
    except OSError as error:
        _discard_output()
        return _fail(f"cannot write the output: {error.strerror or error}")
    except Exception as error:
        usage = getattr(error, "format_message", None)  # what typer raises for a wrong option or argument
        if usage is None:
            raise
        return _fail(usage())
    return code if isinstance(code, int) else 0


def _discard_output() -> None:
    """Send what is left to nowhere, or Python complains when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> int:
    """Say in one line what was wrong; of a message that repeats something endless, its beginning and its end."""
    line = " ".join(message.split())
    if len(line) > LONGEST:
        line = f"{line[: LONGEST - 200]} ... {line[-200:]}"
    print("error:", "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line), file=sys.stderr)
    return 2
