"""What a run gives back: the plan, the counts, and how the run went."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.experiments.plan import Plan
from simulator.experiments.tally import Tally


@dataclass(frozen=True)
class Result:
    """Outcome of a run, complete or interrupted.

    Parameters
    ----------
    plan : Plan
    tally : Tally
        Counts of the blocks that were played: all of the plan, or the first ones if interrupted.
    parts : tuple of str
        Names of the parts of a score, in the order of ``tally.parts``.
    seconds : float
        Time spent playing.
    threads : int
        Threads that had something to play: no more than there were pieces of work.
    interrupted : bool
    notes : tuple of str
        Lines for the user about how it was played.
    """

    plan: Plan
    tally: Tally
    parts: tuple[str, ...]
    seconds: float
    threads: int
    interrupted: bool = False
    notes: tuple[str, ...] = ()

    @property
    def rate(self) -> float | None:
        """Games per second; ``None`` if nothing was played or no time passed."""
        return self.tally.games / self.seconds if self.tally.games and self.seconds > 0 else None

    @property
    def games(self) -> int:
        """Games behind every figure; solo: games of each strategy."""
        return self.tally.blocks * self.plan.seats
