"""Every figure against its closed form, or against numpy, scipy and statsmodels on the raw outcomes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from reports.statistics import Figures, figures, listed, quantile, standard_deviation
from simulator.experiments.estimates import Estimate, share_interval, t_quantile, wilson
from simulator.experiments.tally import Tally
from simulator.keer_op_keer.ratings import BANDS
from tests.experiments.fakes import plan
from tests.reports.made import outcomes_of, random_result, result_of


def by_strategy(scores: np.ndarray, seating: np.ndarray) -> np.ndarray:
    """From (block, game, seat) to (block, game, strategy)."""
    return np.take_along_axis(scores, np.argsort(seating, axis=1)[None], axis=2)


def t_interval(values: np.ndarray) -> tuple[float, float, float, float]:
    """Mean, standard error and 95 % interval of independent values."""
    mean, se = values.mean(), stats.sem(values)
    low, high = stats.t.interval(0.95, len(values) - 1, mean, se)
    return mean, se, low, high


@pytest.fixture(params=[2, 3, 6])
def raw(request: pytest.FixtureRequest) -> tuple[np.ndarray, np.ndarray, np.ndarray, Figures]:
    """Scores and shares by strategy, scores by seat, and the figures of the same outcomes."""
    made = plan(*"abcdef"[: request.param], games=60 * request.param)
    rng = np.random.default_rng(7)
    scores = (
        20 + made.seating + rng.integers(-6, 7, (60, request.param, request.param)) + rng.integers(-9, 9, (60, 1, 1))
    )
    outcomes = outcomes_of(made, scores, rng.integers(20, 60, (60, request.param)))
    found = figures(result_of(made, outcomes))
    return by_strategy(scores, made.seating), by_strategy(outcomes.shares / 60, made.seating), scores, found


def test_means_and_differences_are_t_intervals_over_blocks(raw) -> None:  # type: ignore[no-untyped-def]
    scores, _, _, found = raw
    for i, measures in enumerate(found.strategies):
        assert measures["mean_score"] == pytest.approx(t_interval(scores[:, :, i].mean(axis=1)))
        if i:
            difference = (scores[:, :, i] - scores[:, :, 0]).mean(axis=1)
            assert measures["difference"] == pytest.approx(t_interval(difference))
    assert "difference" not in found.strategies[0]


def test_single_games(raw) -> None:  # type: ignore[no-untyped-def]
    scores, shares, _, found = raw
    for i, measures in enumerate(found.strategies):
        games = scores[:, :, i].ravel()
        assert measures["sd_score"].value == pytest.approx(games.std(ddof=1))
        for name, q in (("p05", 5), ("median", 50), ("p95", 95)):
            assert measures[name].value == np.percentile(games, q, method="inverted_cdf")
        assert measures["outright"].value == pytest.approx((shares[:, :, i] == 1).mean())
        assert measures["shared"].value == pytest.approx(((shares[:, :, i] > 0) & (shares[:, :, i] < 1)).mean())
        assert measures["part columns"].value == pytest.approx(games.mean())
        assert measures["part colors"].value == 0


def test_win_shares(raw) -> None:  # type: ignore[no-untyped-def]
    _, shares, _, found = raw
    assert sum(measures["win_share"].value for measures in found.strategies) == pytest.approx(1)
    for i, measures in enumerate(found.strategies):
        blocks = shares[:, :, i].mean(axis=1)
        share = measures["win_share"]
        assert share.value == pytest.approx(blocks.mean())
        assert share.se == pytest.approx(stats.sem(blocks))
        spread = ((blocks - blocks.mean()) ** 2).sum()
        assert share[2:] == pytest.approx(share_interval(blocks.mean(), spread, len(blocks)))
        assert 0 <= share.low <= share.value <= share.high <= 1


def test_starting_seat(raw) -> None:  # type: ignore[no-untyped-def]
    _, _, scores, found = raw
    seats = scores.shape[2]
    lead = (scores[:, :, 0] - scores[:, :, 1:].mean(axis=2)).mean(axis=1)
    assert found.table["start_score_lead"] == pytest.approx(t_interval(lead))
    best = scores == scores.max(axis=2, keepdims=True)
    won = (best / best.sum(axis=2, keepdims=True))[:, :, 0].mean(axis=1)
    share = found.table["start_win_lead"]
    assert share[:2] == pytest.approx((won.mean() - 1 / seats, stats.sem(won)))
    spread = ((won - won.mean()) ** 2).sum()
    bounds = share_interval(won.mean(), spread, len(won))
    assert share[2:] == pytest.approx([b - 1 / seats for b in bounds])


def test_the_gain_of_the_starting_seat_is_found() -> None:
    found = figures(random_result(plan("a", "a", "a", games=30_000), seat_gain=3))
    lead = found.table["start_score_lead"]
    assert lead.low is not None
    assert lead.high is not None
    assert lead.low < 3 < lead.high
    assert (found.table["start_win_lead"].low or 0) > 0.1


def test_ties_rolls_and_stopped_games() -> None:
    made = plan("a", "b", games=8)
    scores = np.array([[[9, 9], [9, 9]], [[9, 8], [9, 8]], [[7, 9], [7, 9]], [[5, 5], [5, 6]]])
    outcomes = outcomes_of(made, scores, np.arange(8).reshape(4, 2) + 20)
    outcomes.stopped[0, 0] = 1
    found = figures(result_of(made, outcomes))
    assert found.table["ties"].value == 3 / 8
    assert found.table["stopped"].value == 1 / 8
    assert found.table["rolls"] == pytest.approx(t_interval(np.arange(8).reshape(4, 2).mean(axis=1) + 20))
    assert found.table["sd_rolls"].value == pytest.approx(np.arange(8).std(ddof=1))
    assert found.strategies[0]["shared"].value == found.strategies[1]["shared"].value == 3 / 8


def test_pairs_of_two_players_say_the_same_as_win_shares() -> None:
    found = figures(random_result(plan("a", "b", games=200)))
    pair = found.pairs[0]
    share = found.strategies[1]["win_share"]
    assert (pair.first, pair.second, pair.measure) == (0, 1, "win_share")
    assert pair.difference[2:] == pytest.approx([2 * (share.low or 0) - 1, 2 * (share.high or 0) - 1])
    assert pair.strict == pair.difference


def test_pairs_of_several_players(raw) -> None:  # type: ignore[no-untyped-def]
    scores, shares, _, found = raw
    n = len(found.labels)
    couples = n * (n - 1) // 2
    assert len(found.pairs) == 2 * couples
    for pair in found.pairs:
        values = shares if pair.measure == "win_share" else scores
        blocks = (values[:, :, pair.second] - values[:, :, pair.first]).mean(axis=1)
        assert pair.difference[:2] == pytest.approx((blocks.mean(), stats.sem(blocks)))
        if pair.measure == "mean_score":
            bounds = stats.t.interval(1 - 0.05 / couples, len(blocks) - 1, blocks.mean(), stats.sem(blocks))
            assert pair.strict[2:] == pytest.approx(bounds)
        assert pair.strict.low <= pair.difference.low <= pair.difference.high <= pair.strict.high


def test_solo_ratings() -> None:
    made = plan("a", "b", games=500, solo=True)
    rng = np.random.default_rng(2)
    scores = rng.integers(-9, 50, (500, 2, 1))
    found = figures(result_of(made, outcomes_of(made, scores)))
    for i in range(2):
        for band, share in zip(BANDS, found.bands[i], strict=True):
            low = -99 if band.low is None else band.low
            high = 99 if band.high is None else band.high
            games = int(((low <= scores[:, i, 0]) & (scores[:, i, 0] <= high)).sum())
            assert share.value == games / 500
            assert share[2:] == pytest.approx(proportion_confint(games, 500, method="wilson"))
    assert sum(share.value or 0 for share in found.bands[0]) == pytest.approx(1)
    assert found.strategies[1]["difference"] == pytest.approx(t_interval(scores[:, 1, 0] - scores[:, 0, 0]))
    assert "win_share" not in found.strategies[0]
    assert set(found.table) == {"rolls", "sd_rolls"}


def test_rating_bands_follow_the_official_table() -> None:
    assert len(BANDS) == 13
    highest = [-1, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40]
    assert [band.high for band in BANDS] == [*highest, None]
    assert [band.low for band in BANDS] == [None, *(high + 1 for high in highest)]
    assert [band.stars for band in BANDS] == ["bolt", "0", "½", "1", "1½", "1½", "2", "2½", "2½", "3", "3½", "3½", "4"]
    assert [band.scores for band in BANDS[:3]] == ["below 0", "0", "1 to 4"]
    assert BANDS[12].scores == "above 40"


@pytest.mark.parametrize(("hits", "trials"), [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (501, 1000)])
def test_wilson(hits: int, trials: int) -> None:
    share = wilson(hits, trials)
    assert share[2:] == pytest.approx(proportion_confint(hits, trials, method="wilson"), abs=1e-12)
    assert share[2:] == pytest.approx(stats.binomtest(hits, trials).proportion_ci(method="wilson"), abs=1e-12)


def test_t_quantiles() -> None:
    for degrees in (1, 1.5, 4, 30, 1e9):
        assert t_quantile(degrees, 0.95) == pytest.approx(stats.t.ppf(0.975, degrees))
    assert t_quantile(math.inf, 0.99) == pytest.approx(stats.norm.ppf(0.995))


def test_histogram_figures() -> None:
    values = np.random.default_rng(3).integers(-20, 30, 999)
    histogram = np.bincount(values + 20)
    for numerator in range(1, 101):
        expected = np.percentile(values, numerator, method="inverted_cdf")
        assert quantile(histogram, -20, numerator, 100) == expected
    assert standard_deviation(histogram, -20) == pytest.approx(values.std(ddof=1))
    assert quantile(np.zeros(4, int), 0, 1, 2) is None
    assert standard_deviation(np.array([1]), 0) is None


def test_share_interval_of_independent_games_is_wilson_with_the_t_quantile() -> None:
    share, blocks = 0.3, 400
    low, high = share_interval(share, blocks * share * (1 - share) * (1 - 0.75 / blocks), blocks)
    z = stats.t.ppf(0.975, 1.5 * blocks)
    expected = proportion_confint(120, 400, alpha=2 * stats.norm.sf(z), method="wilson")
    assert (low, high) == pytest.approx(expected, rel=1e-3)


def test_share_interval_is_symmetric() -> None:
    for share, spread, blocks in ((0.0, 0.0, 3), (0.2, 1.1, 9), (0.5, 0.0, 1), (0.61, 2.0, 50)):
        low, high = share_interval(share, spread, blocks)
        assert (1 - high, 1 - low) == pytest.approx(share_interval(1 - share, spread, blocks))


def everything(found: Figures) -> Iterator[Estimate]:
    """All estimates of a result."""
    yield from (estimate for _, _, estimate in listed(found))
    yield from (pair.strict for pair in found.pairs)


DEGENERATE = {
    "one block": np.array([[[20, 25], [20, 25]]]),
    "one block of ties": np.full((1, 2, 2), 20),
    "two equal blocks": np.array([[[20, 25], [20, 25]]] * 2),
    "all ties": np.full((50, 2, 2), 20),
    "always the same winner": np.array([[[20, 25], [25, 20]]] * 50),
    "always the starting seat": np.array([[[25, 20], [25, 20]]] * 50),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scores", DEGENERATE.values(), ids=DEGENERATE)
def test_degenerate_results_give_no_nan(scores: np.ndarray) -> None:
    made = plan("a", "b", games=2 * len(scores))
    for estimate in everything(figures(result_of(made, outcomes_of(made, scores)))):
        assert all(x is None or math.isfinite(x) for x in estimate)
        assert estimate.value is None or estimate.low is None or estimate.low - 1e-12 <= estimate.value
        assert estimate.value is None or estimate.high is None or estimate.value <= estimate.high + 1e-12


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("games", [1, 2])
def test_a_single_solo_game(games: int) -> None:
    made = plan("a", games=games, solo=True)
    found = figures(result_of(made, outcomes_of(made, np.full((games, 1, 1), 20))))
    assert all(x is None or math.isfinite(x) for estimate in everything(found) for x in estimate)
    assert found.strategies[0]["mean_score"] == (Estimate(20) if games == 1 else Estimate(20, 0, 20, 20))


def test_one_block_has_no_error_and_no_interval_of_a_mean() -> None:
    made = plan("a", "b", games=1)
    found = figures(result_of(made, outcomes_of(made, DEGENERATE["one block"])))
    for measures in found.strategies:
        assert measures["mean_score"] == Estimate(22.5)
        assert measures["win_share"].se is None
        assert measures["win_share"].high is not None
        assert measures["win_share"].high > 0.9


def test_nothing_played_gives_nothing() -> None:
    made = plan("a", "b", games=10)
    result = random_result(made)
    empty = type(result)(made, Tally.empty(made.seating, 5, made.rules.score_range()), result.parts, 0.0, "1 thread")
    assert all(x is None for estimate in everything(figures(empty)) for x in estimate)


def test_a_strategy_against_itself() -> None:
    made = plan("a", "a", games=2000)
    scores = np.repeat(
        np.random.default_rng(1).integers(10, 30, (1000, 1, 2)), 2, axis=1
    )  # same game whoever sits where
    found = figures(result_of(made, outcomes_of(made, scores)))
    share = found.strategies[0]["win_share"]
    assert found.same
    assert share.value == 0.5
    assert share.high is not None
    assert 0.5 < share.high < 0.502
    assert found.strategies[1]["difference"] == Estimate(0, 0, 0, 0)


def test_the_same_name_on_another_sheet_is_not_the_same() -> None:
    assert not figures(random_result(plan("a", "a", games=4, boards="black,red"))).same
    assert not figures(random_result(plan("a", "b", games=4))).same
