"""95 % intervals contain the truth in 93 to 97 % of repeats, also with few blocks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simulator.experiments.estimates import Blocks, share_interval
from simulator.experiments.tally import count
from simulator.keer_op_keer.rules import OFFICIAL
from tests.experiments.fakes import plan
from tests.reports.made import outcomes_of

REPEATS = 2000

# Chances that a strategy wins neither, one or both games of a block of two.
TWO_PLAYERS = {
    "even, independent": (0.25, 0.5, 0.25),
    "even, decided by the dice of the seat": (0.17, 0.66, 0.17),
    "even, decided by the dice of the deal": (0.4, 0.2, 0.4),
    "60 %": (0.15, 0.5, 0.35),
    "70 %": (0.09, 0.42, 0.49),
}


def exact_coverage(chances: tuple[float, float, float], blocks: int) -> float:
    """Sum of the chances of all outcomes of an experiment whose interval contains the true share."""
    truth = chances[1] / 2 + chances[2]
    covered = 0.0
    for halves in range(blocks + 1):
        for wholes in range(blocks + 1 - halves):
            share = (halves / 2 + wholes) / blocks
            spread = max(halves / 4 + wholes - blocks * share**2, 0.0)
            low, high = share_interval(share, spread, blocks)
            if low <= truth <= high:
                counts = (blocks - halves - wholes, halves, wholes)
                covered += float(stats.multinomial.pmf(counts, blocks, chances))
    return covered


@pytest.mark.parametrize("blocks", [10, 30, 60])
@pytest.mark.parametrize("chances", TWO_PLAYERS.values(), ids=TWO_PLAYERS)
def test_win_share_of_two_players(chances: tuple[float, float, float], blocks: int) -> None:
    most = 0.975 if blocks == 10 else 0.97  # 20 games have too few outcomes to hit 95 % closer
    assert 0.93 <= exact_coverage(chances, blocks) <= most


@pytest.mark.parametrize("blocks", [10, 30, 60])
@pytest.mark.parametrize("chances", [(0.81, 0.18, 0.01), (0.87, 0.06, 0.07), (0.1, 0.8, 0.1)])
def test_rare_wins_and_nearly_equal_blocks_err_on_the_safe_side(
    chances: tuple[float, float, float], blocks: int
) -> None:
    assert 0.92 <= exact_coverage(chances, blocks) <= 0.99


@pytest.mark.parametrize("blocks", [10, 30, 100])
@pytest.mark.parametrize("players", [3, 4, 6])
@pytest.mark.parametrize("favor", [1.0, 2.5])
def test_win_share_of_several_players(players: int, favor: float, blocks: int) -> None:
    """The chance of a win varies from deal to deal; the mean is even, or in favor of the strategy."""
    rng = np.random.default_rng(blocks * players)
    a, b = favor * 1.5, 1.5 * (players - 1)
    truth = a / (a + b)
    wins = rng.binomial(players, rng.beta(a, b, (REPEATS, blocks))) / players
    means, spreads = wins.mean(axis=1), wins.var(axis=1) * blocks
    bounds = np.array([share_interval(m, s, blocks) for m, s in zip(means.tolist(), spreads.tolist(), strict=True)])
    covered = ((bounds[:, 0] <= truth) & (truth <= bounds[:, 1])).mean()
    assert 0.93 <= covered <= 0.97


@pytest.mark.parametrize("blocks", [5, 10, 30])
def test_equal_players_in_a_whole_run(blocks: int) -> None:
    """From scores to intervals: win share, mean, paired difference, both figures of the starting seat, rolls."""
    made = plan("random", "randem", games=2 * blocks)
    rng = np.random.default_rng(blocks)
    shape = (blocks, 2, 2)
    hits = dict.fromkeys(("share", "mean", "difference", "start_share", "start_lead", "rolls"), 0)
    for _ in range(REPEATS):
        scores = 20 + rng.integers(-9, 10, (blocks, 1, 1)) + np.rint(rng.normal(0, 8, shape)).astype(int)
        outcomes = outcomes_of(made, scores, rng.integers(30, 51, (blocks, 2)))
        over = Blocks(count(outcomes, made.seating, OFFICIAL.score_range()), made.seating)
        estimates = {
            "share": (over.share(("share", 1)), 0.5),
            "mean": (over.mean({("score", 1): 1}), 20),
            "difference": (over.mean({("score", 1): 1, ("score", 0): -1}), 0),
            "start_share": (over.share(("start_share", 0)), 0.5),
            "start_lead": (over.mean({("start_lead", 0): 1}), 0),
            "rolls": (over.mean({("rolls", 0): 1}), 40),
        }
        for name, (estimate, truth) in estimates.items():
            assert estimate.low is not None
            assert estimate.high is not None
            hits[name] += estimate.low <= truth <= estimate.high
    for name, hit in hits.items():
        most = 0.985 if blocks == 5 and "share" in name else 0.97
        assert 0.93 <= hit / REPEATS <= most, (name, hit / REPEATS)
