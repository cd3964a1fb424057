"""Running a plan: chunks of blocks in threads, merged in order; results depend on the plan alone.

The kernels release the interpreter lock, so threads are enough. At most a few chunks wait at any time, so memory does
not grow with the number of games.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from simulator.errors import PlanError
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.tally import Tally, count
from simulator.outcomes import Outcomes

if TYPE_CHECKING:
    from simulator.keer_op_keer.table import Table

CHUNKS_AHEAD = 2  # chunks begun or waiting for each thread
MAX_THREADS = 1024
PATIENCE = 0.1  # seconds between two looks for Ctrl-C


class Playable(Protocol):
    """What a run needs of a game's table: parts of a score, bounds of a score, notes for the user, size of a chunk."""

    @property
    def parts(self) -> tuple[str, ...]: ...
    @property
    def score_range(self) -> tuple[int, int]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def chunk_blocks(self) -> int: ...

    def prepare(self) -> None:
        """Whatever must be done once before the first game."""
        ...

    def play(self, first_block: int, blocks: int) -> Outcomes:
        """Outcomes of consecutive blocks; called from several threads at a time."""
        ...


class _Chunk(NamedTuple):
    first_block: int
    future: Future[tuple[Tally, Outcomes | None]]


def open_table(plan: Plan) -> Table:
    """The table at which a plan is played."""
    from simulator.keer_op_keer.table import Table  # loads the compiler

    return Table(plan.strategies, plan.sheets, plan.rules, plan.seed, plan.seating, solo=plan.solo)


def run(
    plan: Plan,
    *,
    threads: int | None = None,
    chunk_blocks: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    on_outcomes: Callable[[int, Outcomes], None] | None = None,
    table: Playable | None = None,
) -> Result:
    """Play all blocks of a plan.

    Parameters
    ----------
    plan : Plan
    threads : int, optional
        1 to 1024; as many as there are cores if left out. Never changes the result.
    chunk_blocks : int, optional
        Blocks to a piece of work, 1 or more; the table's own choice if left out. Never changes the result.
    on_progress : callable, optional
        Called with (blocks done, blocks in all) after every chunk.
    on_outcomes : callable, optional
        Called with (first block, outcomes) of every chunk, in the order of the blocks.
    table : optional
        The table, if it is open already; else :func:`open_table`.

    Returns
    -------
    Result
        After Ctrl-C that of the blocks played so far, marked ``interrupted``. A second Ctrl-C leaves at once.

    Raises
    ------
    PlanError
        For a number of threads or blocks below 1, or more than 1024 threads.
    KokSimError
        Whatever goes wrong in a game, as it is: the error of the earliest chunk that has one.
    """
    threads = min(available_cores(), MAX_THREADS) if threads is None else threads
    if not 1 <= threads <= MAX_THREADS:
        raise PlanError(f"the number of threads must be from 1 to {MAX_THREADS}; got {threads}")
    if chunk_blocks is not None and chunk_blocks < 1:
        raise PlanError(f"the blocks to a chunk must be 1 or more; got {chunk_blocks}")
    table = open_table(plan) if table is None else table
    size = chunk_blocks or even_chunk(plan.blocks, threads, table.chunk_blocks)
    threads = min(threads, -(-plan.blocks // size))
    tally = Tally.empty(len(plan.strategies), len(table.parts), table.score_range)
    interrupted = False
    begin = time.perf_counter()
    pool = ThreadPoolExecutor(threads, thread_name_prefix="play")
    stop = _StopSignal()
    try:
        with stop:
            if not _finished(pool.submit(table.prepare), stop):
                raise KeyboardInterrupt
            begin = time.perf_counter()
            for chunk in _chunks(plan, table, pool, size, threads * CHUNKS_AHEAD, keep=on_outcomes is not None):
                if not _finished(chunk.future, stop):
                    raise KeyboardInterrupt
                part, outcomes = chunk.future.result()
                if on_outcomes is not None and outcomes is not None:
                    on_outcomes(chunk.first_block, outcomes)
                tally = tally + part
                if on_progress is not None:
                    on_progress(tally.blocks, plan.blocks)
    except KeyboardInterrupt:
        if stop.signals > 1:
            raise
        interrupted = tally.blocks < plan.blocks
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    seconds = time.perf_counter() - begin
    return Result(plan, tally, tuple(table.parts), seconds, threads, interrupted, tuple(table.notes))


def even_chunk(blocks: int, threads: int, most: int) -> int:
    """Blocks to a chunk, ``most`` or fewer, so that every thread plays as many chunks; all are 1 or more."""
    chunks = -(-blocks // most)
    chunks = -(-chunks // threads) * threads
    return -(-blocks // chunks)


def available_cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def _chunks(
    plan: Plan, table: Playable, pool: ThreadPoolExecutor, size: int, ahead: int, *, keep: bool
) -> Iterator[_Chunk]:
    """Begin the chunks, a few ahead, and give them in order."""
    seating = plan.seating

    def play(first_block: int, blocks: int) -> tuple[Tally, Outcomes | None]:
        outcomes = table.play(first_block, blocks)
        return count(outcomes, seating, table.score_range), outcomes if keep else None

    begun: deque[_Chunk] = deque()
    for first_block in range(0, plan.blocks, size):
        blocks = min(size, plan.blocks - first_block)
        begun.append(_Chunk(first_block, pool.submit(play, first_block, blocks)))
        if len(begun) == ahead:
            yield begun.popleft()
    while begun:  # one by one, so that none is kept once it is counted
        yield begun.popleft()


def _finished(future: Future[Any], stop: _StopSignal) -> bool:
    """Wait for a piece of work; false if Ctrl-C came before its end. Its error, if it has one, is raised."""
    while not wait([future], PATIENCE).done:
        if stop.signals:
            return False
    future.result()
    return not stop.signals


class _StopSignal:
    """Counts Ctrl-C so that the first one is seen between two chunks, never in the middle of writing one.

    Outside the main thread, or where somebody else handles the signal, it leaves things as they are.
    """

    def __init__(self) -> None:
        self.signals = 0
        self.ours = False

    def __enter__(self) -> _StopSignal:
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
