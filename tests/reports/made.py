"""Results made from given outcomes, for tests that know what must come out."""

from __future__ import annotations

import numpy as np

from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.tally import count
from simulator.outcomes import WHOLE_SHARE, Outcomes
from tests.experiments.fakes import PARTS


def outcomes_of(plan: Plan, scores: np.ndarray, rolls: int | np.ndarray = 30) -> Outcomes:
    """Outcomes with these scores by block, game and seat; highest score wins, ties share; all points from columns."""
    blocks, games, seats = scores.shape
    out = Outcomes.empty(blocks, games, seats, len(PARTS))
    out.scores[:] = scores
    out.parts[..., 1] = scores
    out.rolls[:] = rolls
    best = scores == scores.max(axis=2, keepdims=True)
    out.shares[:] = best * WHOLE_SHARE // best.sum(axis=2, keepdims=True)
    return out


def result_of(plan: Plan, outcomes: Outcomes, **settings: object) -> Result:
    """Result of a run that had these outcomes."""
    tally = count(outcomes, plan.seating, plan.rules.score_range())
    return Result(plan, tally, PARTS, seconds=0.5, players="1 thread", **settings)  # type: ignore[arg-type]


def random_result(plan: Plan, seed: int = 1, spread: int = 6, seat_gain: int = 0, **settings: object) -> Result:
    """Result with random scores around 20 + the number of the strategy."""
    rng = np.random.default_rng(seed)
    seating = plan.seating
    scores = 20 + seating + rng.integers(-spread, spread + 1, (plan.blocks, *seating.shape))
    scores[:, :, 0] += seat_gain
    return result_of(plan, outcomes_of(plan, scores, rng.integers(20, 60, (plan.blocks, len(seating)))), **settings)
