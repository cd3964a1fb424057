"""Results made from given outcomes, for tests that know what must come out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


def common_luck(
    plan: Plan, means: Sequence[int], rng: np.random.Generator, *, deal: int = 6, luck: int = 4
) -> np.ndarray:
    """Scores by block, game and seat: the mean of the strategy + its luck with the deal + its luck in the game.

    Either luck is uniform over whole numbers, -deal to deal and -luck to luck. With the deal a strategy has the same at
    every table, so the games of a block depend on each other.
    """
    seating = plan.seating
    of_deal = rng.integers(-deal, deal + 1, (plan.blocks, len(plan.strategies)))
    of_game = rng.integers(-luck, luck + 1, (plan.blocks, *seating.shape))
    scores: np.ndarray = np.asarray(means)[seating] + of_deal[:, seating] + of_game
    return scores


def winning(plan: Plan, winner: Callable[[tuple[int, ...]], int]) -> np.ndarray:
    """Scores by block, game and seat where the outcome is fixed: 20 for ``winner(table)``, 10 for all others.

    A winner that does not sit at the table makes a tie of all.
    """
    winners = np.array([winner(tuple(sorted(row))) for row in plan.seating.tolist()])
    scores = np.where(plan.seating == winners[:, None], 20, 10)
    return np.broadcast_to(scores, (plan.blocks, *scores.shape))
