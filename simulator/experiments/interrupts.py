"""Ctrl-C during an experiment: seen between two pieces of work, so that what was played so far is a result."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import Future, wait
from types import FrameType
from typing import TypeVar

PATIENCE = 0.1  # seconds between two looks for Ctrl-C

_T = TypeVar("_T")


def wait_for(future: Future[_T], stop: StopSignal) -> _T:
    """The result of a piece of work, or its error; KeyboardInterrupt if Ctrl-C came before."""
    while not stop.signals and not wait([future], PATIENCE).done:
        pass
    if stop.signals and not (future.done() and future.exception()):
        raise KeyboardInterrupt
    return future.result()


class StopSignal:
    """Counts Ctrl-C so that the first one is seen between two chunks, never in the middle of writing one.

    Outside the main thread, or where somebody else handles the signal, it leaves things as they are.
    """

    def __init__(self) -> None:
        self.signals = 0
        self.ours = False

    def __enter__(self) -> StopSignal:
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._handle)
            self.ours = True
        return self

    def __exit__(self, *_: object) -> None:
        if self.ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        self.signals += 1
        if self.signals > 1:
            raise KeyboardInterrupt
