"""Means, shares and p values against closed forms, scipy and statsmodels, and for counts too large for a double."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from simulator.experiments.estimates import Blocks, Estimate, share_interval, share_p_value, t_quantile, wilson
from simulator.experiments.plan import Plan
from simulator.experiments.tally import Tally, count
from tests.experiments.fakes import plan
from tests.reports.made import common_luck, outcomes_of, winning

shares = st.integers(0, 3600).map(lambda wins: wins / 3600)


def blocks_of(made: Plan, scores: np.ndarray) -> Blocks:
    """Estimates from these scores by block, game and seat."""
    return Blocks(count(outcomes_of(made, scores), made.seating, made.rules.score_range()), made.seating)


def four(seats: int | None, games: int = 120, *, focus: bool = False) -> Blocks:
    """Estimates of four strategies with some luck."""
    made = plan(*"abcd", games=games, table=seats, focus=focus)
    return blocks_of(made, common_luck(made, (20, 21, 23, 26), np.random.default_rng(3)))


def nothing(table: int | None, *, solo: bool = False) -> Blocks:
    """Estimates of a run in which nothing was played."""
    made = plan(*"abc", table=table, solo=solo)
    return Blocks(Tally.empty(made.seating, 5, made.rules.score_range()), made.seating)


def test_minus_an_estimate_is_the_difference_the_other_way_round() -> None:
    assert -Estimate(1.0, 0.5, -1.0, 3.0) == Estimate(-1.0, 0.5, -3.0, 1.0)
    assert -Estimate(None) == Estimate(None)
    assert -Estimate(2.0) == Estimate(-2.0)


@pytest.mark.parametrize("seats", [None, 2, 3, 4])
def test_a_difference_is_minus_the_one_the_other_way_round(seats: int | None) -> None:
    blocks = four(seats)
    for i, j in ((0, 1), (0, 3), (2, 1)):
        assert blocks.score_difference(i, j) == pytest.approx(-blocks.score_difference(j, i))
        assert blocks.share_difference(i, j) == pytest.approx(-blocks.share_difference(j, i))
        assert blocks.share_p_value(i, j) == pytest.approx(blocks.share_p_value(j, i))


def test_who_meets() -> None:
    everybody = {(i, j) for i in range(4) for j in range(4) if i != j}

    def meet(blocks: Blocks) -> set[tuple[int, int]]:
        return {(i, j) for i in range(4) for j in range(4) if blocks.meet(i, j)}

    assert meet(four(None)) == meet(four(2)) == meet(four(3)) == meet(four(3, focus=True)) == everybody
    assert meet(four(2, focus=True)) == {(i, j) for i, j in everybody if 0 in (i, j)}
    alone = plan(*"abcd", solo=True)
    assert meet(blocks_of(alone, np.full((100, 4, 1), 20))) == everybody


def test_win_shares_of_a_pair_at_tables_of_two_add_up_to_one() -> None:
    blocks = four(2)
    for i, j in ((0, 1), (0, 3), (2, 1)):
        mine, yours = blocks.pair_share(i, j), blocks.pair_share(j, i)
        assert mine.value is not None
        assert yours.value is not None
        assert mine.value + yours.value == pytest.approx(1)
        assert blocks.share_difference(i, j).value == pytest.approx(2 * mine.value - 1)


def test_all_games_of_a_strategy_are_those_with_each_other() -> None:
    blocks = four(2)
    for i in range(4):
        of_pairs = [blocks.pair_share(i, j).value for j in range(4) if j != i]
        assert blocks.share(("share", i)).value == pytest.approx(np.mean(of_pairs))  # type: ignore[arg-type]


def test_nothing_played_gives_nothing() -> None:
    for blocks in (nothing(None), nothing(2)):
        assert blocks.share(("share", 0)) == blocks.pair_share(0, 1) == Estimate(None)
        assert blocks.share_difference(0, 1) == blocks.score_difference(0, 1) == Estimate(None)
        assert blocks.share_p_value(0, 1) == 1
        assert blocks.mean({("score", 0): 1}) == Estimate(None)
    assert nothing(None, solo=True).score_difference(0, 1) == Estimate(None)


def test_one_block_has_a_value_and_no_error() -> None:
    blocks = blocks_of(plan(*"abc", games=2, table=2), np.array([[[9, 7], [8, 9], [1, 2], [3, 4], [5, 5], [6, 7]]]))
    assert blocks.score_difference(0, 1) == Estimate(((9 - 7) + (9 - 8)) / 2)
    assert blocks.pair_share(0, 1)[:2] == (1.0, None)


@pytest.mark.parametrize("names", ["ab", "abc", "abcde", "abcdef"])
@pytest.mark.parametrize("table", [None, 2])
def test_winning_everything_is_a_share_of_1_and_not_nearly_1(names: str, table: int | None) -> None:
    """Nearly 1 would be taken for a share that is known to the last digit, with an interval that is far too narrow."""
    for number in range(1, 60):
        made = plan(*names, games=number * (table or len(names)), table=table)
        blocks = blocks_of(made, winning(made, min))
        share = blocks.share(("share", 0))
        assert share.value == blocks.pair_share(0, 1).value == blocks.share_difference(0, 1).value == 1
        # Of a share of 1, Wilson's lower bound is N / (N + t²).
        assert share.low == pytest.approx(number / (number + stats.t.ppf(0.975, 1.5 * number) ** 2))


@pytest.mark.parametrize("table", [None, 2])
def test_sums_beyond_the_digits_of_a_double_are_used_exactly(table: int | None) -> None:
    """10**15 blocks of which half won by 1 and half lost by 1 point, and one more won: nothing is lost to rounding."""
    made = plan(*"abc", games=6, table=table)
    tally = Tally.empty(made.seating, 5, made.rules.score_range())
    n = 10**15 + 1
    if table is None:
        sums, products = tally.sums.copy(), tally.products.copy()
        sums[0], products[0, 0] = 3, 9 * n  # 3 games a block, each won or lost by 1 point
        tally = dataclasses.replace(tally, blocks=n, sums=sums, products=products)
    else:
        sums, squares = tally.pair_sums.copy(), tally.pair_squares.copy()
        sums[2, 0, 1], squares[2, 0, 1] = 2, 4 * n  # 2 games a block
        tally = dataclasses.replace(tally, blocks=n, pair_sums=sums, pair_squares=squares)
    found = Blocks(tally, made.seating).score_difference(0, 1)
    assert found.value == pytest.approx(1 / n, rel=1e-12)
    assert found.se == pytest.approx(n**-0.5, rel=1e-9)


@given(shares, st.floats(0, 1), st.integers(1, 10**6), st.sampled_from([0.5, 0.95, 0.999]))
def test_a_share_lies_in_its_interval_and_that_in_0_to_1(
    share: float, part: float, blocks: int, confidence: float
) -> None:
    low, high = share_interval(share, part * blocks * share * (1 - share), blocks, confidence)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    wider = share_interval(share, part * blocks * share * (1 - share), blocks, 0.9999)
    assert wider[0] <= low
    assert high <= wider[1]


@given(shares, st.floats(0, 1), st.integers(1, 10**4))
def test_the_p_value_is_below_5_percent_if_the_interval_excludes_one_half(
    share: float, part: float, blocks: int
) -> None:
    spread = part * blocks * share * (1 - share)
    chance = share_p_value(share, spread, blocks)
    assert 0 <= chance <= 1
    low, high = share_interval(share, spread, blocks)
    if abs(chance - 0.05) > 1e-9:
        assert (chance < 0.05) == (low > 0.5 or high < 0.5)


@pytest.mark.parametrize(("share", "blocks"), [(0.5, 10), (0.6, 10), (0.9, 25), (0.45, 1000)])
def test_the_p_value_is_that_of_the_score_test_of_as_many_trials(share: float, blocks: int) -> None:
    """With a spread for which the effective number of blocks is their number; by Student's t."""
    z = (share - 0.5) / math.sqrt(0.25 / blocks)
    spread = (blocks - 1) * share * (1 - share)
    assert share_p_value(share, spread, blocks) == pytest.approx(2 * stats.t.sf(abs(z), 1.5 * blocks))


def test_p_values_of_shares_at_the_ends() -> None:
    assert share_p_value(0.5, 0.0, 1) == share_p_value(0.5, 3.0, 40) == 1
    for share in (0.0, 1.0):
        assert share_p_value(share, 0.0, 1) > 0.3
        assert share_p_value(share, 0.0, 40) == pytest.approx(2 * stats.t.sf(math.sqrt(40), 60))


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.99])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.77])
def test_intervals_of_any_confidence_are_wilson(share: float, confidence: float) -> None:
    """With a spread for which the effective number of blocks is their number."""
    blocks = 1000
    spread = (blocks - 1) * share * (1 - share)
    alpha = 2 * stats.norm.sf(stats.t.isf((1 - confidence) / 2, 1.5 * blocks))
    expected = proportion_confint(share * blocks, blocks, alpha=alpha, method="wilson")
    assert share_interval(share, spread, blocks, confidence) == pytest.approx(expected)


def test_wilson_of_nothing_and_of_all() -> None:
    assert wilson(0, 0) == Estimate(None)
    assert wilson(0, 7).low == 0
    assert wilson(7, 7).high == 1
    assert wilson(0, 7).se == 0


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.99166])
def test_t_quantiles_of_any_confidence(confidence: float) -> None:
    for degrees in (1, 4.5, 100):
        assert t_quantile(degrees, confidence) == pytest.approx(stats.t.ppf(0.5 + confidence / 2, degrees))
