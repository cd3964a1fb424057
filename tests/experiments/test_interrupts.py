"""Ctrl-C is seen between two pieces of work, and handled by nobody twice."""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import Future

import pytest

from simulator.errors import StrategyError
from simulator.experiments.interrupts import StopSignal, wait_for


def done(result: object) -> Future[object]:
    """Work that is finished: a result, or an error."""
    future: Future[object] = Future()
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
    return future


def pressed(times: int) -> StopSignal:
    stop = StopSignal()
    stop.signals = times
    return stop


def test_work_gives_its_result_or_its_error() -> None:
    assert wait_for(done(3), pressed(0)) == 3
    with pytest.raises(StrategyError, match=r"^no number$"):
        wait_for(done(StrategyError("no number")), pressed(0))


def test_ctrl_c_comes_before_a_result_but_not_before_an_error() -> None:
    with pytest.raises(KeyboardInterrupt):
        wait_for(done(3), pressed(1))
    with pytest.raises(KeyboardInterrupt):
        wait_for(Future(), pressed(1))  # which would never end
    with pytest.raises(StrategyError):
        wait_for(done(StrategyError("no number")), pressed(1))


def test_work_that_takes_long_is_waited_for() -> None:
    future: Future[int] = Future()
    timer = threading.Timer(0.25, future.set_result, [7])  # longer than between two looks
    timer.start()
    assert wait_for(future, pressed(0)) == 7
    timer.join()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_the_first_ctrl_c_is_counted_and_the_second_one_leaves() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with StopSignal() as stop:
            os.kill(os.getpid(), signal.SIGINT)
            assert stop.signals == 1
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
            assert stop.signals == 2
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_a_signal_that_somebody_else_handles_is_left_to_them() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        with StopSignal() as stop:
            os.kill(os.getpid(), signal.SIGINT)
        assert (stop.signals, seen) == (0, [signal.SIGINT])
    finally:
        signal.signal(signal.SIGINT, before)
