"""Starting programs that are to be interrupted."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path


def start(command: list[str], folder: Path | None = None) -> subprocess.Popen[str]:
    """A process with pipes that heeds Ctrl-C, also where the tests run in the background and so must ignore it."""
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_heed_interrupts
    )


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
