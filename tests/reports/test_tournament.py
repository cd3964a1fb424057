"""Figures of a tournament against numpy, scipy and statsmodels on the raw outcomes, counted game by game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests

from reports.ranking import ELO, bradley_terry
from reports.statistics import FEWEST_BLOCKS, Figures, figures, listed
from simulator.experiments.estimates import Estimate, share_interval
from simulator.outcomes import Outcomes
from tests.experiments.fakes import plan
from tests.reports.made import common_luck, outcomes_of, random_result, result_of

MEANS = (20, 24, 20, 16)
BLOCKS = 60


@dataclass
class Raw:
    """What happened, by block: sums over the games in which a strategy, or a pair, sits at the table."""

    figures: Figures
    outcomes: Outcomes
    seating: np.ndarray
    played: np.ndarray  # games of a block, by strategy
    met: np.ndarray  # games of a block, by pair
    shares: np.ndarray  # wins, (blocks, n)
    scores: np.ndarray
    shares_with: np.ndarray  # wins of i in games with j, (blocks, n, n)
    share_leads: np.ndarray
    score_leads: np.ndarray

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Those who meet, the smaller number first."""
        return [(i, j) for i, j in combinations(range(len(self.played)), 2) if self.met[i, j]]


def counted(found: Figures, outcomes: Outcomes, seating: np.ndarray) -> Raw:
    """Count game by game."""
    n, blocks = int(seating.max()) + 1, len(outcomes.scores)
    raw = Raw(
        found, outcomes, seating, np.zeros(n), np.zeros((n, n)), *np.zeros((2, blocks, n)), *np.zeros((3, blocks, n, n))
    )
    for game, row in enumerate(seating.tolist()):
        for seat, i in enumerate(row):
            raw.played[i] += 1
            raw.shares[:, i] += outcomes.shares[:, game, seat] / 60
            raw.scores[:, i] += outcomes.scores[:, game, seat]
            for other, j in enumerate(row):
                if other != seat:
                    raw.met[i, j] += 1
                    shares, scores = outcomes.shares[:, game] / 60, outcomes.scores[:, game]
                    raw.shares_with[:, i, j] += shares[:, seat]
                    raw.share_leads[:, i, j] += shares[:, seat] - shares[:, other]
                    raw.score_leads[:, i, j] += scores[:, seat] - scores[:, other]
    return raw


@pytest.fixture(params=[(2, False), (3, False), (2, True), (3, True)], ids=["pairs", "threes", "focus", "focus of 3"])
def raw(request: pytest.FixtureRequest) -> Raw:
    """A tournament of four."""
    seats, focus = request.param
    made = plan(*"abcd", games=seats * BLOCKS, table=seats, focus=focus)
    outcomes = outcomes_of(made, common_luck(made, MEANS, np.random.default_rng(seats)), 30)
    return counted(figures(result_of(made, outcomes)), outcomes, made.seating)


def share_of(blocks: np.ndarray) -> tuple[float, float, float, float]:
    """Mean, standard error and interval of block shares."""
    mean = blocks.mean()
    return mean, stats.sem(blocks), *share_interval(mean, ((blocks - mean) ** 2).sum(), len(blocks))


def t_of(blocks: np.ndarray, confidence: float = 0.95) -> tuple[float, float, float, float]:
    """Mean, standard error and t interval."""
    mean, se = blocks.mean(), stats.sem(blocks)
    return mean, se, *stats.t.interval(confidence, len(blocks) - 1, mean, se)


def test_figures_of_a_strategy_are_over_all_its_games(raw: Raw) -> None:
    for i, measures in enumerate(raw.figures.strategies):
        assert measures["win_share"] == pytest.approx(share_of(raw.shares[:, i] / raw.played[i]))
        assert measures["mean_score"] == pytest.approx(t_of(raw.scores[:, i] / raw.played[i]))
        mine = raw.seating == i
        shares, scores = raw.outcomes.shares[:, mine], raw.outcomes.scores[:, mine]
        assert shares.size == BLOCKS * raw.played[i]
        assert measures["outright"].value == pytest.approx((shares == 60).mean())
        assert measures["shared"].value == pytest.approx(((shares > 0) & (shares < 60)).mean())
        assert measures["sd_score"].value == pytest.approx(scores.std(ddof=1))
        assert measures["p95"].value == np.percentile(scores, 95, method="inverted_cdf")
        assert measures["part columns"].value == pytest.approx(scores.mean())
        assert "difference" not in measures


def test_games_as_a_whole(raw: Raw) -> None:
    seats = raw.seating.shape[1]
    scores, shares = raw.outcomes.scores, raw.outcomes.shares
    lead = (scores[:, :, 0] - scores[:, :, 1:].mean(axis=2)).mean(axis=1)
    assert raw.figures.table["start_score_lead"] == pytest.approx(t_of(lead))
    start = share_of(shares[:, :, 0].mean(axis=1) / 60)
    expected = [start[0] - 1 / seats, start[1], start[2] - 1 / seats, start[3] - 1 / seats]
    assert raw.figures.table["start_win_lead"] == pytest.approx(expected)
    assert raw.figures.table["ties"].value == pytest.approx((shares.max(axis=2) < 60).mean())
    assert raw.figures.games == BLOCKS * seats


def test_win_shares_of_pairs(raw: Raw) -> None:
    couples = {*raw.pairs, *((j, i) for i, j in raw.pairs)}
    assert set(raw.figures.met) == couples
    assert len(couples) == (6 if raw.figures.plan.focus and raw.seating.shape[1] == 2 else 12)
    for i, j in couples:
        assert raw.figures.met[i, j] == pytest.approx(share_of(raw.shares_with[:, i, j] / raw.met[i, j]))


def test_differences_of_win_shares(raw: Raw) -> None:
    pairs = raw.figures.by("win_share")
    assert [(pair.first, pair.second) for pair in pairs] == raw.pairs
    for pair in pairs:
        blocks = raw.share_leads[:, pair.second, pair.first] / raw.met[pair.first, pair.second]
        spread = ((blocks - blocks.mean()) ** 2).sum()
        assert pair.difference[:2] == pytest.approx((blocks.mean(), stats.sem(blocks)))
        for estimate, confidence in ((pair.difference, 0.95), (pair.strict, 1 - 0.05 / len(pairs))):
            bounds = share_interval((1 + blocks.mean()) / 2, spread / 4, BLOCKS, confidence)
            assert estimate[2:] == pytest.approx([2 * bound - 1 for bound in bounds])


def test_differences_of_scores_are_paired_t_tests(raw: Raw) -> None:
    pairs = raw.figures.by("mean_score")
    assert [(pair.first, pair.second) for pair in pairs] == raw.pairs
    chances = []
    for pair in pairs:
        blocks = raw.score_leads[:, pair.second, pair.first] / raw.met[pair.first, pair.second]
        assert pair.difference == pytest.approx(t_of(blocks))
        assert pair.strict == pytest.approx(t_of(blocks, 1 - 0.05 / len(pairs)))
        chances.append(stats.ttest_1samp(blocks, 0).pvalue)
    assert [pair.p_value for pair in pairs] == pytest.approx(multipletests(chances, method="holm")[1])


def numeric_p_value(share: float, spread: float, blocks: int) -> float:
    """1 minus the confidence at which the interval of a share just reaches 1/2, by halving; 0 if that is 1 nearly."""

    def beyond(confidence: float) -> float:
        low, high = share_interval(share, spread, blocks, confidence)
        return low - 0.5 if share > 0.5 else 0.5 - high

    least, most = 1e-9, 1 - 1e-12
    if beyond(most) > 0:
        return 0.0
    return 1 - float(optimize.brentq(beyond, least, most, xtol=1e-14)) if beyond(least) > 0 else 1.0


def test_p_values_of_win_shares_invert_their_intervals(raw: Raw) -> None:
    pairs = raw.figures.by("win_share")
    chances = []
    for pair in pairs:
        shares = (1 + raw.share_leads[:, pair.second, pair.first] / raw.met[pair.first, pair.second]) / 2
        chances.append(numeric_p_value(shares.mean(), ((shares - shares.mean()) ** 2).sum(), BLOCKS))
    expected = multipletests(chances, method="holm")[1]
    assert [pair.p_value for pair in pairs] == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_ratings_are_those_of_the_games_won(raw: Raw) -> None:
    made, wins = raw.figures.plan, raw.shares
    expected = bradley_terry(made.tables, made.seats, BLOCKS, wins.sum(axis=0), wins.T @ wins)
    for measures, rating in zip(raw.figures.strategies, expected.elo(), strict=True):
        assert measures["elo"] == pytest.approx(rating)
    pairs = raw.figures.by("elo")
    assert [(pair.first, pair.second) for pair in pairs] == list(combinations(range(4), 2))
    chances = []
    for pair in pairs:
        value, se, *_ = expected.difference(pair.second, pair.first)
        assert pair.difference[:2] == pytest.approx((value, se))
        for estimate, tail in ((pair.difference, 0.025), (pair.strict, 0.025 / 6)):
            half = stats.t.isf(tail, BLOCKS) * se
            assert estimate[2:] == pytest.approx((value - half, value + half))
        chances.append(2 * stats.t.sf(abs(value / se), BLOCKS))
    assert [pair.p_value for pair in pairs] == pytest.approx(multipletests(chances, method="holm")[1])


def test_ratings_are_the_likeliest_ones(raw: Raw) -> None:
    """With a block added in which all games are shared by all, as docs/methods.md says."""
    made = raw.figures.plan
    tables, games = np.array(made.tables), made.seats
    drawn = np.bincount(tables.ravel(), minlength=4) * games / made.seats
    wins = raw.shares.sum(axis=0) + drawn

    def minus_likelihood(theta: np.ndarray) -> float:
        chances = np.log(np.exp(theta[tables]).sum(axis=1)).sum()
        return float((BLOCKS + 1) * games * chances - wins @ theta)

    theta = optimize.minimize(
        minus_likelihood, np.zeros(4), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9, "maxiter": 9999}
    ).x
    expected = ELO * (theta - theta.mean())
    assert [measures["elo"].value for measures in raw.figures.strategies] == pytest.approx(expected, abs=0.01)


def test_verdicts_follow_the_p_values(raw: Raw) -> None:
    verdicts = set()
    for pair in raw.figures.pairs:
        value = pair.difference.value
        assert value is not None
        assert pair.verdict == (np.sign(value) if pair.p_value < 0.05 else 0)
        verdicts.add(pair.verdict)
    assert verdicts == {-1, 0, 1}


def test_holm_finds_no_less_than_the_intervals_that_hold_for_all_pairs(raw: Raw) -> None:
    for pair in raw.figures.pairs:
        assert pair.strict.low is not None
        assert pair.strict.high is not None
        if pair.strict.low > 0 or pair.strict.high < 0:
            assert pair.verdict


def test_signs_are_the_verdicts_as_a_matrix(raw: Raw) -> None:
    for measure in ("win_share", "mean_score", "elo"):
        signs = raw.figures.signs(measure)
        assert (signs == -signs.T).all()
        assert [signs[pair.second, pair.first] for pair in raw.figures.by(measure)] == [
            pair.verdict for pair in raw.figures.by(measure)
        ]


@pytest.mark.parametrize("blocks", [5, 12, 60])
def test_two_at_one_table_differ_if_the_interval_of_the_difference_excludes_zero(blocks: int) -> None:
    made = plan("a", "b", games=2 * blocks)
    found = set()
    for seed in range(150):
        rng = np.random.default_rng((blocks, seed))
        scores = common_luck(made, (20, 20 + seed % 5), rng)
        for pair in figures(result_of(made, outcomes_of(made, scores))).pairs:
            low, high = pair.difference[2:]
            assert low is not None
            assert high is not None
            assert pair.verdict == (low > 0) - (high < 0), (pair, seed)
            found.add((pair.measure, pair.verdict))
    assert found >= {("win_share", 0), ("win_share", 1), ("mean_score", 0), ("mean_score", 1)}


def test_one_table_of_several_is_corrected_by_holm_too() -> None:
    made = plan(*"abcd", games=240)
    scores = common_luck(made, (20, 20, 21, 22), np.random.default_rng(5))
    found = figures(result_of(made, outcomes_of(made, scores)))
    mine = np.take_along_axis(scores, np.argsort(made.seating, axis=1)[None], axis=2).mean(axis=1)
    chances = [stats.ttest_rel(mine[:, j], mine[:, i]).pvalue for i, j in combinations(range(4), 2)]
    pairs = found.by("mean_score")
    assert [pair.p_value for pair in pairs] == pytest.approx(multipletests(chances, method="holm")[1])
    # Here Holm tells more pairs apart than intervals for all pairs at once would.
    excluded = [(pair.strict.low or 0) > 0 or (pair.strict.high or 0) < 0 for pair in pairs]
    assert sum(pair.verdict != 0 for pair in pairs) >= sum(excluded)


@pytest.mark.parametrize("blocks", range(1, FEWEST_BLOCKS + 1))
def test_few_blocks_give_no_verdict(blocks: int) -> None:
    made = plan(*"abc", games=2 * blocks, table=2)
    scores = np.broadcast_to(10 * made.seating + 5, (blocks, *made.seating.shape))
    found = figures(result_of(made, outcomes_of(made, scores)))
    assert any(pair.verdict for pair in found.pairs) == (blocks == FEWEST_BLOCKS)


def without(found: Figures, *measures: str) -> list[tuple[str, str, Estimate]]:
    """All figures but these."""
    return [row for row in listed(found) if row[1] not in measures and " with " not in row[0]]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_tournament_at_one_table_is_a_comparison(players: int) -> None:
    names = "abcde"[:players]
    compared = random_result(plan(*names, games=200))
    played = random_result(plan(*names, games=200, table=players))
    one, other = figures(compared), figures(played)
    assert without(one, "difference") == without(other, "elo")
    for measure in ("win_share", "mean_score"):
        assert one.by(measure) == other.by(measure)
    for i, j in combinations(range(players), 2):
        assert other.met[i, j] == one.strategies[i]["win_share"]
        assert other.met[j, i] == one.strategies[j]["win_share"]


def test_a_focus_of_everybody_changes_nothing() -> None:
    """At one table all games are those of the first."""
    one = figures(random_result(plan(*"abc", games=90, table=3)))
    other = figures(random_result(plan(*"abc", games=90, table=3, focus=True)))
    assert listed(one) == listed(other)


def test_the_rating_of_two_is_the_log_of_their_odds() -> None:
    found = figures(random_result(plan("a", "b", games=2000, table=2)))
    share = found.strategies[1]["win_share"].value
    assert share is not None
    with_draw = (1000 * share + 0.5) / 1001
    lead = found.by("elo")[0].difference.value
    assert lead == pytest.approx(400 * math.log10(with_draw / (1 - with_draw)))
