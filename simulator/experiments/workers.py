"""Who plays the chunks of a run: threads of this process. (A cluster is the other kind, see cluster.py.)"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, Protocol

from simulator.experiments.plan import Plan
from simulator.experiments.tally import Tally, count
from simulator.outcomes import Outcomes
from simulator.threads import count_threads

CHUNKS_AHEAD = 2  # chunks begun or waiting for each thread


class Played(NamedTuple):
    """A chunk that was played: its counts, and its outcomes if they are wanted."""

    tally: Tally
    outcomes: Outcomes | None


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


class Workers(Protocol):
    """What a run needs of those who play for it."""

    @property
    def name(self) -> str:
        """Who they are, for the report: ``"2 threads"``."""
        ...

    @property
    def ahead(self) -> int:
        """How many chunks should be under way."""
        ...

    def open(self, blocks: int, chunk_blocks: int | None) -> Future[int]:
        """Begin whatever must be done before the first of so many blocks; gives the blocks to a chunk, ``chunk_blocks``
        if that is given."""
        ...

    def submit(self, first_block: int, blocks: int, *, keep: bool) -> Future[Played]:
        """Begin a chunk; with its outcomes if ``keep``."""
        ...

    def close(self) -> None:
        """Drop what has not begun, and do not wait for the rest."""
        ...


class Threads:
    """Threads of this process. The kernels release the interpreter lock, so threads are enough for one machine.

    Parameters
    ----------
    plan : Plan
    table : Playable
    threads : int, optional
        1 to 1024, else :class:`PlanError`; as many as there are cores if left out.
    """

    def __init__(self, plan: Plan, table: Playable, threads: int | None = None) -> None:
        self._plan, self._table = plan, table
        self._pool: ThreadPoolExecutor | None = None
        self._threads = count_threads(threads)

    @property
    def name(self) -> str:
        """``"1 thread"``, ``"2 threads"``."""
        return "1 thread" if self._threads == 1 else f"{self._threads} threads"

    @property
    def ahead(self) -> int:
        """A chunk that is played and one that waits for each thread."""
        return self._threads * CHUNKS_AHEAD

    def open(self, blocks: int, chunk_blocks: int | None) -> Future[int]:
        """Start threads, no more than there are chunks; one compiles what was never compiled on this machine."""
        blocks = max(blocks, 1)
        size = chunk_blocks or even_chunk(blocks, self._threads, self._table.chunk_blocks)
        self._threads = min(self._threads, -(-blocks // size))
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="play")
        return self._pool.submit(self._prepare, size)

    def _prepare(self, size: int) -> int:
        self._table.prepare()
        return size

    def submit(self, first_block: int, blocks: int, *, keep: bool) -> Future[Played]:
        """Begin a chunk."""
        return self._started().submit(play_chunk, self._table, self._plan, first_block, blocks, keep)

    def close(self) -> None:
        """Drop what has not begun, and do not wait for the rest."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _started(self) -> ThreadPoolExecutor:
        if self._pool is None:
            raise RuntimeError("open() comes first")
        return self._pool


def play_chunk(table: Playable, plan: Plan, first_block: int, blocks: int, keep: bool) -> Played:
    """Play consecutive blocks and count them."""
    outcomes = table.play(first_block, blocks)
    return Played(count(outcomes, plan.seating, table.score_range), outcomes if keep else None)


def even_chunk(blocks: int, threads: int, most: int) -> int:
    """Blocks to a chunk, ``most`` or fewer, so that every thread plays as many chunks; all are 1 or more."""
    chunks = -(-blocks // most)
    chunks = -(-chunks // threads) * threads
    return -(-blocks // chunks)
