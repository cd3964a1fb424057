"""Ratings against choix, statsmodels, closed forms and repeated tournaments; the rest against brute force."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from reports.ranking import (
    ELO,
    Strengths,
    bradley_terry,
    cycles,
    holm,
    p_value,
    rank_ranges,
    superiority,
    tie_groups,
)

COMMON = 0.7  # share of the games of a table that are decided by the dice common to all tables
SEEN_AT = 0.05  # adjusted p-value below which a pair counts as different


def groups(n: int, seats: int) -> np.ndarray:
    return np.array(list(combinations(range(n), seats)))


def played(rng: np.random.Generator, theta: np.ndarray, seats: int, blocks: int, common: float = COMMON) -> np.ndarray:
    """Winning seats, shape (blocks, tables, games): by chance exactly as the model says, by luck in part common.

    The largest of theta + Gumbel noise wins with the chances of Luce's model; a table takes either the noise that all
    tables share, or its own.
    """
    tables = groups(len(theta), seats)
    shape = (blocks, len(tables), seats)
    shared = rng.gumbel(size=(blocks, 1, seats, len(theta)))
    shared = np.broadcast_to(shared, (blocks, len(tables), seats, len(theta)))
    shared = np.take_along_axis(shared, tables[None, :, None, :], axis=3)
    own = rng.gumbel(size=(*shape, seats))
    noise = np.where(rng.random((*shape, 1)) < common, shared, own)
    return (theta[tables][:, None, :] + noise).argmax(axis=3)


def totals(winners: np.ndarray, n: int) -> np.ndarray:
    """Games won in each block, shape (blocks, n)."""
    blocks, _, seats = winners.shape
    tables = groups(n, seats)
    names = np.take_along_axis(tables[None], winners, axis=2)
    places = names + n * np.arange(blocks)[:, None, None]
    return np.bincount(places.ravel(), minlength=n * blocks).reshape(blocks, n)


def rated(wins: np.ndarray, seats: int, unit: int = 1) -> Strengths:
    """Strengths from the games won in each block, shape (blocks, n)."""
    blocks, n = wins.shape
    return bradley_terry(groups(n, seats), seats * unit, blocks, wins.sum(axis=0), wins.T @ wins)


def repeated(wins: list[int], blocks: int, seats: int = 2) -> Strengths:
    """Strengths if all blocks end alike."""
    row = np.array(wins, dtype=object)
    return bradley_terry(groups(len(wins), seats), seats, blocks, blocks * row, blocks * np.outer(row, row))


def pairs(n: int) -> list[tuple[int, int]]:
    return list(combinations(range(n), 2))


# Strengths and errors against others' programs


def test_pairs_against_choix() -> None:
    import choix

    n, blocks = 6, 40
    winners = played(np.random.default_rng(1), np.linspace(-1.5, 1, n), 2, blocks)
    matrix = np.full((n, n), 1.0)  # the drawn block: two halves of a win each
    for (i, j), won in zip(groups(n, 2), winners.transpose(1, 0, 2), strict=True):
        matrix[i, j] += (won == 0).sum()
        matrix[j, i] += (won == 1).sum()
    expected = choix.ilsr_pairwise_dense(matrix, tol=1e-11)
    np.testing.assert_allclose(rated(totals(winners, n), 2).theta, expected - expected.mean(), atol=1e-8)


@pytest.mark.parametrize("seats", [3, 4])
def test_larger_tables_against_choix(seats: int) -> None:
    import choix

    n, blocks = 5, 12
    tables = groups(n, seats)
    winners = played(np.random.default_rng(2), np.linspace(-1, 1, n), seats, blocks)
    drawn = np.broadcast_to(np.arange(seats), (1, len(tables), seats))
    data = [
        (int(table[seat]), tuple(np.delete(table, seat).tolist()))
        for block in np.concatenate([winners, drawn])
        for table, won in zip(tables, block, strict=True)
        for seat in won
    ]
    expected = choix.ilsr_top1(n, data, tol=1e-11)
    np.testing.assert_allclose(rated(totals(winners, n), seats).theta, expected - expected.mean(), atol=1e-8)


@pytest.mark.parametrize("common", [0.0, 1.0])
def test_errors_against_the_clusters_of_statsmodels(common: float) -> None:
    """A logit model of every game, with the blocks as clusters.

    statsmodels would multiply by N / (N - 1) · (games - 1) / (games - n + 1); without its correction it has neither
    factor, and ours is N / (N - 1).
    """
    import statsmodels.api as sm

    n, blocks = 4, 25
    tables = groups(n, 2)
    winners = played(np.random.default_rng(3), np.array([-0.7, 0, 0.2, 0.5]), 2, blocks, common)
    seats = np.eye(n)[tables]
    design = np.repeat(seats[:, 0] - seats[:, 1], 2, axis=0)[:, 1:]  # strategy 0 as origin
    first_won = np.concatenate([(winners == 0).reshape(blocks, -1), np.full((1, 2 * len(tables)), 0.5)])
    fit = sm.GLM(first_won.ravel(), np.tile(design, (blocks + 1, 1)), family=sm.families.Binomial()).fit(
        tol=1e-12,
        cov_type="cluster",
        cov_kwds={"groups": np.repeat(np.arange(blocks + 1), first_won.shape[1]), "use_correction": False},
    )
    centered = (np.eye(n) - 1 / n)[:, 1:]
    strengths = rated(totals(winners, n), 2)
    np.testing.assert_allclose(strengths.theta, centered @ fit.params, atol=1e-8)
    expected = centered @ fit.cov_params() @ centered.T * (blocks + 1) / blocks
    np.testing.assert_allclose(strengths.covariance, expected, rtol=1e-6)


def test_common_dice_matter_to_the_errors() -> None:
    """What the comparison above would not see if both ignored the blocks."""
    n, blocks = 4, 2000
    errors = [
        rated(totals(played(np.random.default_rng(4), np.zeros(n), 2, blocks, common), n), 2).elo()[0].se
        for common in (0.0, 1.0)
    ]
    assert errors[1] > 1.2 * errors[0]


# Strengths and errors against what they must be


@given(st.lists(st.sampled_from([0, 0.5, 1, 1.5, 2]), min_size=1, max_size=30))
def test_two_strategies_have_a_closed_form(first: list[float]) -> None:
    won = np.array(first)
    strengths = rated(np.column_stack([won, 2 - won]), 2)
    shares = np.append(won / 2, 0.5)
    p, error = shares.mean(), shares.std(ddof=1) / math.sqrt(len(shares))
    value, se = strengths.difference(0, 1)[:2]
    assert value == pytest.approx(ELO * math.log(p / (1 - p)), abs=1e-9)
    assert se == pytest.approx(ELO * error / (p * (1 - p)), abs=1e-5)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("blocks", [50, 10**6])
def test_expected_wins_give_the_strengths_back(seats: int, blocks: int) -> None:
    theta = np.array([1.2, -0.3, 0.9, -1.5, 0.1, -0.4])
    tables = groups(len(theta), seats)
    odds = np.exp(theta)[tables]
    expected, drawn = np.zeros((2, len(theta)))
    np.add.at(expected, tables, seats * odds / odds.sum(axis=1, keepdims=True))
    np.add.at(drawn, tables, 1)
    sums = (blocks + 1) * expected - drawn
    strengths = bradley_terry(tables, seats, blocks, sums, np.outer(sums, sums) / blocks)
    np.testing.assert_allclose(strengths.theta, theta, atol=1e-9)


def test_400_elo_are_odds_of_ten_to_one() -> None:
    wins = np.array([[20, 2]] * 10**4) / 11
    value, _ = rated(wins, 2).difference(0, 1)[:2]
    assert value == pytest.approx(400, abs=0.1)


def test_ratings_have_mean_0_and_the_interval_of_student() -> None:
    strengths = rated(totals(played(np.random.default_rng(5), np.array([0, 0.5, 1]), 2, 10), 3), 2)
    ratings = strengths.elo()
    assert sum(rating.value for rating in ratings) == pytest.approx(0, abs=1e-9)
    for rating in ratings:
        assert rating.high - rating.value == pytest.approx(2.228139 * rating.se, rel=1e-6)  # t of 10 degrees
        assert rating.value - rating.low == pytest.approx(2.228139 * rating.se, rel=1e-6)
    value, se = strengths.difference(2, 0)[:2]
    assert value == pytest.approx(ratings[2].value - ratings[0].value)
    assert strengths.difference(0, 2)[:2] == pytest.approx((-value, se))
    assert strengths.elo(0.99)[0].high > ratings[0].high


def test_any_unit_will_do() -> None:
    wins = totals(played(np.random.default_rng(6), np.array([0, 0.5, 1, 1]), 3, 20), 4)
    one, sixtieths = rated(wins.astype(float), 3), rated(60 * wins, 3, unit=60)
    np.testing.assert_allclose(one.theta, sixtieths.theta, atol=1e-12)
    np.testing.assert_allclose(one.covariance, sixtieths.covariance, rtol=1e-9)


def test_large_numbers_do_not_overflow() -> None:
    """Blocks times products of sixtieths are beyond 64 bits, and the spread is a millionth of what it is left of."""
    blocks = 10**9
    won = np.array([61, 59], dtype=object) * blocks
    squares = 61**2 * blocks + blocks // 1000  # one block in a thousand is one sixtieth off
    cross = 120 * won[0] - squares
    products = np.array([[squares, cross], [cross, 120**2 * blocks - 240 * won[0] + squares]], dtype=object)
    for kind in (object, np.int64):
        _, se = bradley_terry([[0, 1]], 120, blocks, won.astype(kind), products.astype(kind)).difference(0, 1)[:2]
        p = 61 / 120
        assert se == pytest.approx(ELO * math.sqrt(0.001 / blocks) / 120 / (p * (1 - p)), rel=1e-3)


# Few blocks, lopsided and equal results


@pytest.mark.parametrize("blocks", [1, 2, 30, 10**6, 10**9])
@pytest.mark.parametrize("n", [2, 4, 20, 50])
def test_each_beats_all_below_it(n: int, blocks: int) -> None:
    strengths = repeated([2 * (n - 1 - i) for i in range(n)], blocks)
    assert np.isfinite(strengths.covariance).all()
    assert (np.diff(strengths.theta) < 0).all()
    for i, j in pairs(n):
        value, se = strengths.difference(i, j)[:2]
        assert se > 0
        assert value / se <= blocks * (1 + 1e-6)  # so that few blocks alone prove nothing
    assert all(rating.low < rating.value < rating.high for rating in strengths.elo())


@pytest.mark.parametrize("n", [3, 5])
def test_the_one_in_the_middle_has_no_error(n: int) -> None:
    """It wins as much as in a draw, in every block; rounding must not make its variance negative and its error NaN."""
    for blocks in range(1, 60):
        rating = repeated([2 * (n - 1 - i) for i in range(n)], blocks).elo()[n // 2]
        assert rating == pytest.approx((0, 0, 0, 0), abs=1e-9)


@pytest.mark.parametrize("blocks", [1, 30, 10**6])
def test_one_loses_everything(blocks: int) -> None:
    strengths = repeated([4, 4, 4, 0], blocks)
    for i in range(3):
        value, se = strengths.difference(i, 3)[:2]
        assert value == pytest.approx(ELO * math.log(2 * blocks + 1))  # odds: a half in blocks + 1
        assert 0 < se < math.inf
    assert strengths.difference(0, 1)[:2] == (0, 0)


@pytest.mark.parametrize("seats", [2, 3])
def test_all_games_tied(seats: int) -> None:
    games = math.comb(4, seats) * seats / 4
    strengths = rated(np.full((5, 4), games), seats)
    assert [tuple(rating) for rating in strengths.elo()] == [(0, 0, 0, 0)] * 4
    assert superiority(*strengths.difference(0, 1)[:2]) == 0.5
    assert p_value(*strengths.difference(0, 1)[:2], strengths.blocks) == 1


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [5, 20])
@pytest.mark.parametrize("whole", [True, False], ids=["sixtieths", "parts"])
def test_strategies_that_play_the_same_are_equal_exactly(n: int, whole: bool, seed: int) -> None:
    """The first and the last always win the same; wins come in thirds, given in sixtieths or as fractions."""
    rng = np.random.default_rng(seed)
    chances = rng.random(n)
    won = np.zeros((n, n, 200))  # by the row against the column in each block, in thirds
    for i, j in pairs(n - 1):
        won[i, j] = rng.binomial(6, chances[i] / (chances[i] + chances[j]), 200)
        won[j, i] = 6 - won[i, j]
    won[-1] = won[0]
    won[:, -1] = won[:, 0]
    won[0, -1] = won[-1, 0] = 3
    wins = (20 * won).sum(axis=1).T.astype(int) if whole else (won / 3).sum(axis=1).T  # in parts: nearly the same
    strengths = rated(wins, 2, 60 if whole else 1)
    assert strengths.difference(0, n - 1)[:2] == (0, 0)
    assert superiority(*strengths.difference(0, n - 1)[:2]) == 0.5
    assert strengths.difference(0, 1)[1] > 0


def test_three_that_beat_each_other_in_turn_are_equal() -> None:
    rng = np.random.default_rng(8)
    first, second, third = rng.binomial(2, 0.9, (3, 400))  # wins of 0 over 1, 1 over 2, 2 over 0
    wins = np.column_stack([first + 2 - third, second + 2 - first, third + 2 - second])
    strengths = rated(wins, 2)
    for i, j in pairs(3):
        value, se = strengths.difference(i, j)[:2]
        assert abs(value) < 4 * se
    # Wins of 0 less those of 1: 2a - b - c for three binomial numbers; the curvature of even chances.
    expected = ELO * math.sqrt(6 * 2 * 0.9 * 0.1 / 400) / (3 * 2 / 4)
    assert strengths.difference(0, 1)[1] == pytest.approx(expected, rel=0.15)


def test_no_blocks() -> None:
    with pytest.raises(ValueError, match="at least one block, not 0"):
        bradley_terry([[0, 1]], 2, 0, [0, 0], np.zeros((2, 2)))


def test_tables_of_one_strategy_with_each_other() -> None:
    """Every other strategy has met the first alone, so its strength is the logit of its share against it."""
    tables, blocks, wins = [[0, 1], [0, 2], [0, 3]], 10**6, np.array([1.5, 0.4, 1.0, 1.6])
    wins[0] = 6 - wins[1:].sum()
    sums = blocks * wins
    theta = bradley_terry(tables, 2, blocks, sums, np.outer(wins, sums)).theta
    logits = [math.log(won / (2 - won)) for won in wins[1:]]
    assert theta[1:] - theta[0] == pytest.approx(logits, abs=1e-4)


# Intervals and p-values in repeated tournaments on common dice


@pytest.mark.parametrize("blocks", [10, 30, 200])
@pytest.mark.parametrize("theta", [np.zeros(4), np.array([-0.75, -0.25, 0.25, 0.75])], ids=["even", "uneven"])
@pytest.mark.parametrize("seats", [2, 3])
def test_coverage(seats: int, theta: np.ndarray, blocks: int) -> None:
    """95 % intervals of the ratings, and p-values of the true differences above 5 %."""
    runs = 1000
    rng = np.random.default_rng(blocks + seats)
    wins = totals(played(rng, theta, seats, runs * blocks), 4).reshape(runs, blocks, 4)
    ratings = differences = 0
    for run in wins:
        strengths = rated(run, seats)
        ratings += sum(
            rating.low <= truth <= rating.high for rating, truth in zip(strengths.elo(), ELO * theta, strict=True)
        )
        for i, j in pairs(4):
            value, se = strengths.difference(i, j)[:2]
            differences += p_value(value - ELO * (theta[i] - theta[j]), se, blocks) > 0.05
    assert 0.93 <= ratings / (4 * runs) <= 0.975
    assert 0.93 <= differences / (6 * runs) <= 0.975


@pytest.mark.parametrize("blocks", [5, 30])
def test_equal_strategies_are_seldom_told_apart(blocks: int) -> None:
    """Any of the 15 pairs in at most 5 % of tournaments; without Holm's correction in many more."""
    n, runs = 6, 1000
    wins = totals(played(np.random.default_rng(blocks), np.zeros(n), 2, runs * blocks), n).reshape(runs, blocks, n)
    plain = corrected = 0
    for run in wins:
        strengths = rated(run, 2)
        p = [p_value(*strengths.difference(i, j)[:2], blocks) for i, j in pairs(n)]
        plain += min(p) < SEEN_AT
        corrected += holm(p).min() < SEEN_AT
    assert plain / runs > 0.15
    assert corrected / runs <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / runs)


def test_unequal_strategies_are_told_apart() -> None:
    strengths = rated(totals(played(np.random.default_rng(9), np.arange(4) / 2, 2, 500), 4), 2)
    assert holm([p_value(*strengths.difference(i, j)[:2], 500) for i, j in pairs(4)]).max() < 1e-6


# Chances


@pytest.mark.parametrize(
    ("difference", "se", "chance"),
    [(0, 0, 0.5), (0, 3, 0.5), (1.959964, 1, 0.975), (-3.289707, 2, 0.05), (2, 0, 1), (-2, 0, 0), (1e300, 1e-300, 1)],
)
def test_superiority(difference: float, se: float, chance: float) -> None:
    assert superiority(difference, se) == pytest.approx(chance, abs=1e-7)


@pytest.mark.parametrize(
    ("difference", "se", "degrees", "chance"),
    [
        (2.228139, 1, 10, 0.05),
        (-2.228139, 1, 10, 0.05),
        (2, 2, 1, 0.5),
        (0, 1, 5, 1),
        (0, 0, 5, 1),
        (3, 0, 5, 0),
        (2 * 1.959964, 2, 1e9, 0.05),
    ],
)
def test_p_value(difference: float, se: float, degrees: int, chance: float) -> None:
    assert p_value(difference, se, degrees) == pytest.approx(chance, abs=1e-7)


@settings(max_examples=25)  # statsmodels takes 0.1 s for each
@given(st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.02, 1.0])), min_size=1, max_size=40))
def test_holm_against_statsmodels(p: list[float]) -> None:
    from statsmodels.stats.multitest import multipletests

    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1], atol=1e-12)


def test_holm_of_nothing() -> None:
    assert holm([]).shape == (0,)


# Ranks


def symmetric(n: int) -> st.SearchStrategy[np.ndarray]:
    return hnp.arrays(bool, (n, n)).map(lambda matrix: np.triu(matrix, 1) | np.triu(matrix, 1).T)


def tournament(n: int) -> st.SearchStrategy[np.ndarray]:
    """1, 0, -1: who is better, with nothing that need be consistent."""
    upper = hnp.arrays(np.int8, (n, n), elements=st.integers(-1, 1))
    return upper.map(lambda matrix: np.triu(matrix, 1) - np.triu(matrix, 1).T)


@given(st.integers(0, 9).flatmap(symmetric))
def test_tie_groups_against_brute_force(different: np.ndarray) -> None:
    n = len(different)
    runs = [
        (first, last)
        for first, last in combinations(range(n), 2)
        if not different[first : last + 1, first : last + 1].any()
    ]
    maximal = [
        (first, last)
        for first, last in runs
        if not any(a <= first and last <= b and (a, b) != (first, last) for a, b in runs)
    ]
    assert tie_groups(different) == maximal


def test_tie_groups_overlap() -> None:
    different = np.zeros((5, 5), dtype=bool)
    for i, j in [(0, 3), (0, 4), (1, 4), (2, 4), (3, 4)]:
        different[i, j] = different[j, i] = True
    assert tie_groups(different) == [(0, 2), (1, 3)]
    assert tie_groups(np.zeros((3, 3), dtype=bool)) == [(0, 2)]
    assert tie_groups(~np.eye(3, dtype=bool)) == []


def test_rank_ranges_in_an_example() -> None:
    """0 is better than 2 and 3; 1 is better than 3."""
    assert rank_ranges([[0, 0, 1, 1], [0, 0, 0, 1], [-1, 0, 0, 0], [-1, -1, 0, 0]]) == [(1, 2), (1, 3), (2, 4), (3, 4)]


@given(st.integers(1, 5).flatmap(symmetric))
def test_rank_ranges_hold_every_order_that_the_differences_allow(different: np.ndarray) -> None:
    """Of strategies listed from best to worst: every order in which the better of a different pair comes first."""
    n = len(different)
    sign = np.where(different, np.sign(np.arange(n) - np.arange(n)[:, None]), 0)
    allowed = [
        order
        for order in permutations(range(n))
        if all(order.index(i) < order.index(j) for i, j in pairs(n) if different[i, j])
    ]
    for i, (best, worst) in enumerate(rank_ranges(sign)):
        ranks = [order.index(i) + 1 for order in allowed]
        assert best <= min(ranks)
        assert max(ranks) <= worst


@given(st.integers(0, 8).flatmap(tournament))
def test_cycles_against_brute_force(sign: np.ndarray) -> None:
    beats = sign > 0
    found = [
        (i, j, k)
        for i, j, k in permutations(range(len(sign)), 3)
        if i == min(i, j, k) and beats[i, j] and beats[j, k] and beats[k, i]
    ]
    assert cycles(beats) == found


def test_cycles_of_fifty() -> None:
    """Each beats the 24 that follow it in a circle of 49: n (n² - 1) / 24 cycles, the most there can be."""
    places = np.arange(49)
    found = cycles((places - places[:, None]) % 49 % 25 * ((places - places[:, None]) % 49 < 25) > 0)
    assert len(found) == len(set(found)) == 49 * (49**2 - 1) // 24
