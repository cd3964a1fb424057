"""Several plans played on the same dice and watched: what a rule, or a sheet, does to the game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from simulator.errors import PlanError
from simulator.experiments.interrupts import StopSignal, wait_for
from simulator.experiments.plan import Plan
from simulator.experiments.sections import Sections, sum_up
from simulator.experiments.workers import CHUNKS_AHEAD, even_chunk
from simulator.threads import count_threads

if TYPE_CHECKING:
    from simulator.table import Table

Piece = Future[list[Sections]]


@dataclass(frozen=True)
class Study:
    """What came out of several plans on the same dice.

    Parameters
    ----------
    plans : tuple of Plan
        All of the same seed and number of blocks.
    sections : tuple of Sections
        Of each plan, of the same blocks.
    blocks : int
        Blocks played of each: all, or the first ones if the study was interrupted.
    seconds : float
        Time spent playing.
    threads : int
    notes : tuple of str
        Lines for the user about how it was played.
    """

    plans: tuple[Plan, ...]
    sections: tuple[Sections, ...]
    blocks: int
    seconds: float
    threads: int
    notes: tuple[str, ...] = ()

    @classmethod
    def unplayed(cls, plans: Sequence[Plan]) -> Study:
        """Plans of which nothing was played."""
        return cls(tuple(plans), tuple(map(Sections.empty, plans)), 0, 0.0, 0)

    @property
    def interrupted(self) -> bool:
        """Whether it ended before all blocks were played."""
        return self.blocks < self.plans[0].blocks

    @property
    def games(self) -> int:
        """Games played in all."""
        return self.blocks * sum(len(plan.seating) for plan in self.plans)


def study(
    plans: Sequence[Plan],
    *,
    threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Play the blocks of all plans side by side.

    Parameters
    ----------
    plans : sequence of Plan
        One or more, all of the same seed and number of blocks, and without a stopping rule.
    threads : int, optional
        1 to 1024; as many as there are cores if left out. Never changes the result.
    on_progress : callable, optional
        Called with (blocks done, blocks in all) of all plans together.

    Returns
    -------
    Study
        After Ctrl-C that of the blocks that were played of every plan. A second Ctrl-C leaves at once.

    Raises
    ------
    PlanError
        For plans that do not share their dice, or a number of threads that there cannot be.
    KokSimError
        Whatever goes wrong in a game.
    """
    from simulator.experiments.run import open_table

    first, total = plans[0], plans[0].blocks
    if any((plan.seed, plan.blocks, plan.stop) != (first.seed, total, None) for plan in plans):
        raise PlanError("plans that are compared need the same seed and number of games, and no stopping rule")
    count = count_threads(threads)
    tables = [open_table(plan, watched=True) for plan in plans]
    sums = [Sections.empty(plan) for plan in plans]
    done, begin = 0, perf_counter()
    stop, pool = StopSignal(), ThreadPoolExecutor(count, thread_name_prefix="play")
    try:
        with stop:
            wait_for(pool.submit(_prepare, tables), stop)
            for blocks, piece in _pieces(plans, tables, pool, count):
                found = wait_for(piece, stop)
                sums = [mine + part for mine, part in zip(sums, found, strict=True)]
                done += blocks
                if on_progress is not None:
                    on_progress(len(plans) * done, len(plans) * total)
    except KeyboardInterrupt:
        if stop.signals > 1:
            raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    return Study(tuple(plans), tuple(sums), done, perf_counter() - begin, count, notes)


def _prepare(tables: Sequence[Table]) -> None:
    for table in tables:
        table.prepare()


def _pieces(
    plans: Sequence[Plan], tables: Sequence[Table], pool: ThreadPoolExecutor, threads: int
) -> Iterator[tuple[int, Piece]]:
    """Begin pieces of work, a few ahead, and give them in order with their number of blocks."""

    def play(first: int, blocks: int) -> list[Sections]:
        both = zip(plans, tables, strict=True)
        return [sum_up(plan, first, table.play(first, blocks)) for plan, table in both]

    total, begun = plans[0].blocks, deque[tuple[int, Piece]]()
    most = max(1, min(table.chunk_blocks for table in tables) // len(plans))  # a piece is of all plans
    size = even_chunk(total, threads, most)
    for first in range(0, total, size):
        blocks = min(size, total - first)
        begun.append((blocks, pool.submit(play, first, blocks)))
        while len(begun) >= threads * CHUNKS_AHEAD:
            yield begun.popleft()
    while begun:
        yield begun.popleft()
