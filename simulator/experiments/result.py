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
        Counts of the blocks that were played: all of the plan, or the first ones if the run was stopped.
    parts : tuple of str
        Names of the parts of a score, in the order of ``tally.parts``.
    seconds : float
        Time spent playing.
    players : str
        Who played the games: ``"2 threads"``.
    decision : str, optional
        What the stopping rule of the plan found; None if it has none, or did not come to its end.
    interrupted : bool
        Whether it ended before the plan, or its stopping rule, was done.
    notes : tuple of str
        Lines for the user about how it was played.
    """

    plan: Plan
    tally: Tally
    parts: tuple[str, ...]
    seconds: float
    players: str
    decision: str | None = None
    interrupted: bool = False
    notes: tuple[str, ...] = ()

    @property
    def rate(self) -> float | None:
        """Games per second; ``None`` if nothing was played or no time passed."""
        return self.tally.games / self.seconds if self.tally.games and self.seconds > 0 else None

    @property
    def games(self) -> int:
        """Games at each table; solo: games of each strategy."""
        return self.tally.blocks * self.plan.seats
