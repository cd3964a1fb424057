"""Running a plan: chunks of blocks, played by threads or by a cluster and merged in order.

Results depend on the plan alone. At most a few chunks wait at any time, so memory does not grow with the number of
games.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import TYPE_CHECKING

from simulator.errors import PlanError
from simulator.experiments.folder import RunFolder
from simulator.experiments.interrupts import StopSignal, wait_for
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.stopping import LOOK
from simulator.experiments.tally import Tally
from simulator.experiments.workers import Played, Threads, Workers
from simulator.outcomes import Outcomes

if TYPE_CHECKING:
    from simulator.experiments.workers import Playable
    from simulator.table import Table


def open_table(plan: Plan, *, watched: bool = False) -> Table:
    """The table at which a plan is played, and, if wanted, watched."""
    from simulator.table import Table  # loads the compiler

    return Table(
        plan.played,
        plan.strategies,
        plan.sheets,
        plan.rules,
        plan.seed,
        plan.seating,
        solo=plan.solo,
        independent=plan.independent,
        watched=watched,
    )


def run(
    plan: Plan,
    *,
    threads: int | None = None,
    workers: Workers | None = None,
    chunk_blocks: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    on_outcomes: Callable[[int, Outcomes], None] | None = None,
    table: Playable | None = None,
    folder: RunFolder | None = None,
    blocks: int | None = None,
) -> Result:
    """Play all blocks of a plan, or as many as its stopping rule wants.

    Parameters
    ----------
    plan : Plan
    threads : int, optional
        1 to 1024; as many as there are cores if left out. Never changes the result.
    workers : Workers, optional
        Who plays in place of threads: :class:`simulator.experiments.cluster.Cluster`. Never changes the result.
    chunk_blocks : int, optional
        Blocks to a piece of work, 1 or more; the workers' own choice if left out. Never changes the result.
    on_progress : callable, optional
        Called with (blocks done, blocks to be done by now's best guess) after every chunk.
    on_outcomes : callable, optional
        Called with (first block, outcomes) of every chunk, in the order of the blocks.
    table : optional
        The table, if it is open already; else :func:`open_table`.
    folder : RunFolder, optional
        Where the run is kept, and resumed if some of it is there already.
    blocks : int, optional
        Play only the first so many, as if the run had been interrupted there.

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
    if chunk_blocks is not None and chunk_blocks < 1:
        raise PlanError(f"the blocks to a chunk must be 1 or more; got {chunk_blocks}")
    table = open_table(plan) if table is None else table
    workers = Threads(plan, table, threads) if workers is None else workers
    game = _Run(plan, workers, Tally.empty(plan.seating, len(table.parts), table.score_range))
    if folder is not None and folder.tally is not None:
        game.tally, game.seconds = folder.tally, folder.seconds
    stop = StopSignal()
    try:
        with stop:
            for first_block, outcomes in game.play(blocks, chunk_blocks, stop, keep=on_outcomes is not None):
                if on_outcomes is not None and outcomes is not None:
                    on_outcomes(first_block, outcomes)
                if folder is not None:
                    folder.keep(game.tally, game.seconds)
                if on_progress is not None:
                    on_progress(game.tally.blocks, game.expected())
    except KeyboardInterrupt:
        if stop.signals > 1:
            raise
    finally:
        workers.close()
    if folder is not None:
        folder.save(game.tally, game.seconds)
    return game.result(table)


class _Run:
    """A run under way: what was counted, how long it took, and whether the stopping rule has decided."""

    def __init__(self, plan: Plan, workers: Workers, tally: Tally) -> None:
        self.plan, self.workers, self.tally = plan, workers, tally
        self.seconds = 0.0
        self.decision: str | None = None

    def play(
        self, blocks: int | None, chunk_blocks: int | None, stop: StopSignal, *, keep: bool
    ) -> Iterator[tuple[int, Outcomes | None]]:
        """Play on, up to ``blocks`` or the end of the plan, and count chunk by chunk: (first block, outcomes)."""
        end = self.plan.blocks if blocks is None else min(blocks, self.plan.blocks)
        self._look()
        if self.tally.blocks >= end or self.decision is not None:
            return
        size = wait_for(self.workers.open(end - self.tally.blocks, chunk_blocks), stop)
        begin = time.perf_counter() - self.seconds
        for first_block, future in self._chunks(end, size, keep=keep):
            part, outcomes = wait_for(future, stop)
            self.tally = self.tally + part
            self.seconds = time.perf_counter() - begin
            self._look()
            del part, future  # so that no outcomes are kept once they are counted
            yield first_block, outcomes
            if self.decision is not None:
                return

    def _chunks(self, end: int, size: int, *, keep: bool) -> Iterator[tuple[int, Future[Played]]]:
        """Begin the chunks, a few ahead, and give them in order; none goes beyond a look of the stopping rule."""
        begun: deque[tuple[int, Future[Played]]] = deque()
        first = self.tally.blocks
        while first < end:
            blocks = min(size, end - first)
            if self.plan.stop is not None:
                blocks = min(blocks, LOOK - first % LOOK)
            begun.append((first, self.workers.submit(first, blocks, keep=keep)))
            first += blocks
            while len(begun) >= self.workers.ahead:  # which may change
                yield begun.popleft()
        while begun:  # one by one, so that none is kept once it is counted
            yield begun.popleft()

    def _look(self) -> None:
        """Ask the stopping rule, at the blocks at which it looks."""
        blocks, rule = self.tally.blocks, self.plan.stop
        if rule is not None and blocks and (blocks % LOOK == 0 or blocks == self.plan.blocks):
            self.decision = rule.decide(self.tally, self.plan.seating)

    def expected(self) -> int:
        """Blocks that there will be in all, as far as can be guessed."""
        rule = self.plan.stop
        if rule is None:
            return self.plan.blocks
        done = rule.progress(self.tally, self.plan.seating)
        return round(min(self.plan.blocks, self.tally.blocks / done)) if done else self.plan.blocks

    def result(self, table: Playable) -> Result:
        """What was found so far."""
        return Result(
            self.plan,
            self.tally,
            tuple(table.parts),
            self.seconds,
            self.workers.name,
            decision=self.decision,
            interrupted=self.tally.blocks < self.plan.blocks and self.decision is None,
            notes=tuple(table.notes),
        )
