"""Figures of Qwixx that others have published, reproduced within standard errors. See docs/validation.md.

The two-player figures were measured with 100,000 games each, and printed to three digits. What is random here is fixed
by the seed, so nothing fails by chance.
"""

from __future__ import annotations

import math

import pytest

from kok_sim import compare, solo
from simulator.qwixx import solver
from simulator.qwixx.rules import OFFICIAL

GAMES = 200_000
THEIR_GAMES = 100_000
WITHIN = 3.3  # standard errors of the difference; one in a thousand is further off by chance
G1, G2 = "fewest-skips:max=1", "fewest-skips:max=2,avoid=3"
PUBLISHED = {
    (G1, "random"): (0.848, (29.1, 2.8), 17.2),
    (G1, G1): (0.500, (44.7, 44.7), 21.6),
    (G1, G2): (0.301, (44.8, 60.5), 22.4),
    (G2, G2): (0.500, (63.4, 63.4), 23.6),
}


def agree(ours: float, se: float, theirs: float, sd: float, unit: float) -> bool:
    """Whether two figures are as near as chance lets them be; theirs is rounded to ``unit``."""
    return abs(ours - theirs) <= WITHIN * math.hypot(se, sd / THEIR_GAMES**0.5) + unit / 2


@pytest.mark.parametrize("match", PUBLISHED, ids=" v ".join)
def test_published_matches_of_two(match: tuple[str, str]) -> None:
    share, scores, turns = PUBLISHED[match]
    found = compare(*match, game="qwixx", games=GAMES)
    summary, rolls = found.summary, found.figures.table["rolls"]
    first = summary.iloc[0]
    assert agree(first["win_share"], first["win_share_se"], share, (share * (1 - share)) ** 0.5, 0.001)
    for (_, row), score in zip(summary.iterrows(), scores, strict=True):
        assert agree(row["mean_score"], row["mean_score_se"], score, row["sd_score"], 0.1)
    sd_rolls = found.figures.table["sd_rolls"].value
    assert rolls.value is not None
    assert rolls.se is not None
    assert sd_rolls is not None
    assert agree(rolls.value, rolls.se, turns, sd_rolls, 0.1)


def test_the_best_play_scores_what_the_solver_says() -> None:
    """1e6 solo games of ``optimal``: on average 115.48, within three standard errors."""
    expected = solver.solve(OFFICIAL, folder=solver.cache_folder()).value
    found = solo("optimal", game="qwixx", games=1e6).summary.loc["optimal"]
    assert found["mean_score_se"] < 0.03
    assert abs(found["mean_score"] - expected) < 3 * found["mean_score_se"]
