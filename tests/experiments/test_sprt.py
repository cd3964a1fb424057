"""The sequential test: its ratio against other ways to find it, and its error rates by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize

from simulator.experiments.sprt import bounds, decide, log_likelihood_ratio

REPEATS = 2000
ERROR = 0.05
MOST = ERROR + 3 * math.sqrt(ERROR * (1 - ERROR) / REPEATS)
LIMIT = 200_000  # blocks; no test of these may take as many

VALUES = np.arange(5) / 4

# Chances of the five values, up to a factor that shifts their mean: :func:`with_mean`.
SHAPES = {
    "independent": (1, 0, 2, 0, 1),
    "decided by the dice of the deal": (4, 0, 2, 0, 4),
    "decided by the dice of the seat": (1, 0, 4, 0, 1),
    "with ties": (2, 1, 4, 1, 2),
}

COUNTS = st.lists(st.one_of(st.just(0), st.integers(0, 50), st.integers(0, 10**9)), min_size=5, max_size=5)
SHARES = st.tuples(st.floats(0.01, 0.99), st.floats(0.01, 0.99)).filter(lambda s: s[0] + 1e-3 < s[1])


def with_mean(values: np.ndarray, shape: np.ndarray, mean: float) -> np.ndarray:
    """Chances proportional to ``shape * exp(tilt * values)``, with the tilt that gives them this mean."""

    def chances(tilt: float) -> np.ndarray:
        weights = shape * np.exp(tilt * (values - mean))
        return weights / weights.sum()

    return chances(brentq(lambda tilt: chances(tilt) @ values - mean, -100, 100, xtol=1e-14))


def twin(values: np.ndarray, counts: np.ndarray, low: float, high: float, steps: int = 26) -> np.ndarray:
    """The ratio of each column of counts, shape (v, r), as fishtest has it, but with 1e-9 block added to 0 and to 1."""
    d0, d1 = (values[:, None] - share for share in (low, high))
    weights0, weights1 = (1 + root(d, counts, share, steps) * d for d, share in ((d0, low), (d1, high)))
    return (counts * np.log(weights0 / weights1)).sum(axis=0)


def root(deviations: np.ndarray, counts: np.ndarray, share: float, steps: int) -> np.ndarray:
    """By bisection, the multiplier of each column that gives the likeliest distribution this mean."""
    added = counts.astype(float)
    added[[0, -1]] += 1e-9
    first, last = np.full(counts.shape[1], -1 / (1 - share)), np.full(counts.shape[1], 1 / share)
    for _ in range(steps):
        x = (first + last) / 2
        rising = np.einsum("vr,vr->r", added, deviations / (1 + x * deviations)) > 0
        first, last = np.where(rising, x, first), np.where(rising, last, x)
    return (first + last) / 2


def play(
    values: np.ndarray, chances: np.ndarray, low: float, high: float, look: int, seed: int = 1
) -> tuple[float, float, float]:
    """Rates of "low" and of "high" in many tests, and the mean number of blocks; a look after each ``look`` blocks."""
    rng = np.random.default_rng(seed)
    lower, upper = bounds(ERROR, ERROR)
    counts = np.zeros((len(values), REPEATS), np.int64)
    verdicts = {"low": 0, "high": 0}
    total = played = 0
    while counts.size:
        played += look
        assert played < LIMIT, "a test did not end"
        counts += rng.multinomial(look, chances, counts.shape[1]).T
        ratios = twin(values, counts, low, high)
        verdicts["low"] += int((ratios <= lower).sum())
        verdicts["high"] += int((ratios >= upper).sum())
        going = (lower < ratios) & (ratios < upper)
        total += played * int((~going).sum())
        counts = counts[:, going]
    return verdicts["low"] / REPEATS, verdicts["high"] / REPEATS, total / REPEATS


# --- Error rates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "look", "least"),
    [
        (0.5, 0.52, 64, 0.02),
        (0.495, 0.505, 256, 0.02),
        (0.7, 0.72, 64, 0.02),
        (0.9, 0.92, 64, 0.02),
        (0.5, 0.55, 16, 0.02),
        (0.5, 0.55, 64, 0.01),  # so few looks that most tests end far beyond a bound
        (0.5, 0.6, 256, 0.0),  # the first look ends nearly all
    ],
)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_errors_are_as_rare_as_asked_for(
    shape: tuple[int, ...], low: float, high: float, look: int, least: float
) -> None:
    for truth, wrong in ((low, 1), (high, 0)):
        rates = play(VALUES, with_mean(VALUES, np.array(shape), truth), low, high, look)
        assert least <= rates[wrong] <= MOST, (truth, rates)
        assert rates[0] + rates[1] == 1


def test_errors_are_as_rare_when_every_block_is_looked_at() -> None:
    """Also after the first, when the distribution is hardly known."""
    for low, high, least in ((0.5, 0.56, 0.03), (0.5, 0.65, 0.02), (0.1, 0.9, 0.0)):
        shape = np.array(SHAPES["with ties"])
        for truth, wrong in ((low, 1), (high, 0)):
            rates = play(VALUES, with_mean(VALUES, shape, truth), low, high, 1)
            assert least <= rates[wrong] <= MOST, (low, high, rates)


@pytest.mark.parametrize(
    ("shape", "low", "high"),
    [
        ((1, 0, 200, 0, 1), 0.5, 0.52),  # nearly all wins shared
        ((0.1, 0, 100, 0, 1), 0.505, 0.51),  # an outlier in a hundred blocks
        ((0, 100, 0, 0, 1), 0.3, 0.31),
        ((1, 0, 2, 0, 1), 0.97, 0.99),
        ((1, 0, 2, 0, 1), 0.01, 0.02),
    ],
)
def test_errors_stay_rare_where_the_spread_is_hidden_in_few_blocks(
    shape: tuple[float, ...], low: float, high: float
) -> None:
    for truth, wrong in ((low, 1), (high, 0)):
        chances = with_mean(VALUES, np.array(shape), truth)
        assert play(VALUES, chances, low, high, 64)[wrong] <= MOST


def test_errors_at_a_table_of_three() -> None:
    """Shares of three games, each lost, shared by three or two, or won, as multiples of 1/18."""
    game = np.zeros(7)
    game[[0, 2, 3, 6]] = 0.64, 0.02, 0.03, 0.31
    shape, values = np.convolve(np.convolve(game, game), game), np.arange(19) / 18
    low, high = 1 / 3, 1 / 3 + 0.03
    for truth, wrong in ((low, 1), (high, 0)):
        rates = play(values, with_mean(values, shape, truth), low, high, 64)
        assert 0.01 <= rates[wrong] <= MOST, rates


def test_a_true_share_beyond_the_two_is_hardly_ever_mistaken() -> None:
    shape = np.array(SHAPES["independent"])
    assert play(VALUES, with_mean(VALUES, shape, 0.48), 0.5, 0.52, 64)[1] < 0.005
    assert play(VALUES, with_mean(VALUES, shape, 0.54), 0.5, 0.52, 64)[0] < 0.005


def test_between_the_two_the_test_takes_longest_and_ends() -> None:
    shape = np.array(SHAPES["independent"])
    at_low, between = (play(VALUES, with_mean(VALUES, shape, share), 0.5, 0.52, 64) for share in (0.5, 0.51))
    assert 0.46 < between[0] < 0.54
    assert at_low[2] < between[2] < 2.5 * at_low[2]


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.52), (0.7, 0.72)])
def test_number_of_blocks_agrees_with_wald(low: float, high: float) -> None:
    """Wald's formula leaves out what the last look goes beyond the bound; this adds some per cent."""
    lower, upper = bounds(ERROR, ERROR)
    win, loss = math.log(high / low), math.log((1 - high) / (1 - low))
    for truth, chance_low in ((low, 1 - ERROR), (high, ERROR)):
        expected = (chance_low * lower + (1 - chance_low) * upper) / (truth * win + (1 - truth) * loss)
        blocks = play(VALUES, np.array([1 - truth, 0, 0, 0, truth]), low, high, 64)[2]
        assert 1 < blocks / expected < 1.15


# --- The ratio --------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 10**5), min_size=5, max_size=5), SHARES)
def test_ratio_equals_that_of_the_twin(counts: list[int], shares: tuple[float, float]) -> None:
    expected = twin(VALUES, np.array(counts)[:, None], *shares, steps=200)[0]
    found = log_likelihood_ratio(VALUES, np.array(counts), *shares)
    assert found == pytest.approx(expected, rel=1e-7, abs=1e-6)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("values", [VALUES, np.arange(10) / 9], ids=len)
def test_ratio_equals_that_of_a_general_optimizer(values: np.ndarray, *, sparse: bool) -> None:
    rng = np.random.default_rng(len(values))
    for _ in range(10):
        counts = rng.integers(1, 100, len(values)) * (rng.random(len(values)) < (0.4 if sparse else 1))
        counts[rng.integers(len(values))] += 1
        low, high = np.sort(rng.uniform(0.1, 0.9, 2))
        expected = likeliest(values, counts, high) - likeliest(values, counts, low)
        assert log_likelihood_ratio(values, counts, low, high) == pytest.approx(expected, rel=1e-5, abs=1e-4)


def likeliest(values: np.ndarray, counts: np.ndarray, mean: float) -> float:
    """Largest log likelihood of a distribution on ``values`` with this mean, by sequential least squares."""
    seen, blocks = counts > 0, counts.sum()
    result = minimize(
        lambda p: -(counts[seen] * np.log(p[seen])).sum() / blocks,
        with_mean(values, np.ones(len(values)), mean),
        jac=lambda p: -counts / np.maximum(p, 1e-300) / blocks,
        method="SLSQP",
        bounds=[(1e-9 if s else 0, 1) for s in seen],
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(len(p))},
            {"type": "eq", "fun": lambda p: p @ values - mean, "jac": lambda p: values},
        ],
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    return -result.fun * blocks


@pytest.mark.parametrize(("lost", "won"), [(7, 3), (1, 0), (0, 1), (0, 64), (10**9, 10**9 + 5), (1, 10**9)])
@pytest.mark.parametrize(("low", "high"), [(0.5, 0.52), (0.495, 0.505), (0.01, 0.99)])
def test_ratio_of_wins_and_losses_is_that_of_bernoulli_trials(lost: int, won: int, low: float, high: float) -> None:
    expected = won * math.log(high / low) + lost * math.log((1 - high) / (1 - low))
    found = log_likelihood_ratio(VALUES, np.array([lost, 0, 0, 0, won]), low, high)
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15 * (lost + won))


@pytest.mark.parametrize("counts", [(20, 10, 45, 8, 22), (1, 5, 200, 12, 1), (30, 0, 1, 0, 31)])
def test_near_the_mean_of_many_blocks_the_normal_approximation_holds(counts: tuple[int, ...]) -> None:
    """Van den Bergh, A practical introduction to the GSPRT, (2.1)."""
    many = np.array(counts) * 10_000
    mean = many @ VALUES / many.sum()
    spread = many @ (VALUES - mean) ** 2
    for low, high in ((mean - 0.002, mean + 0.001), (mean + 0.0005, mean + 0.001), (mean - 0.003, mean - 0.001)):
        expected = many.sum() ** 2 * (high - low) * (2 * mean - low - high) / (2 * spread)
        assert log_likelihood_ratio(VALUES, many, low, high) == pytest.approx(expected, rel=0.02)


@given(COUNTS, SHARES)
def test_ratio_changes_its_sign_when_the_players_change_places(counts: list[int], shares: tuple[float, float]) -> None:
    low, high = shares
    found = log_likelihood_ratio(VALUES, np.array(counts), low, high)
    swapped = log_likelihood_ratio(VALUES, np.array(counts[::-1]), 1 - high, 1 - low)
    assert swapped == pytest.approx(-found, rel=1e-7, abs=1e-6)


@given(COUNTS, SHARES, st.integers(0, 3))
def test_better_blocks_never_speak_for_low(counts: list[int], shares: tuple[float, float], worse: int) -> None:
    """One more block of some value against one more of the next better."""
    blocks = np.array(counts)
    one = np.eye(5, dtype=np.int64)
    less, more = (log_likelihood_ratio(VALUES, blocks + one[i], *shares) for i in (worse, worse + 1))
    assert less <= more + 1e-6 * (1 + abs(more))


@given(COUNTS, SHARES)
def test_neither_order_nor_values_without_blocks_count(counts: list[int], shares: tuple[float, float]) -> None:
    blocks = np.array(counts)
    full = log_likelihood_ratio(VALUES, blocks, *shares)
    seen = np.flatnonzero(blocks)[::-1]
    assert log_likelihood_ratio(VALUES[seen], blocks[seen], *shares) == pytest.approx(full, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("blocks", [1, 64, 10**9])
@pytest.mark.parametrize(("low", "high"), [(0.5, 0.52), (0.495, 0.505), (0.24, 0.25), (0.001, 0.999)])
def test_of_equal_blocks_the_weight_that_the_mean_needs_is_put_on_0_or_1(blocks: int, low: float, high: float) -> None:
    for place, value in enumerate(VALUES.tolist()):
        chances = [(1 - share) / (1 - value) if share > value else share / value for share in (low, high)]
        counts = np.zeros(5, np.int64)
        counts[place] = blocks
        expected = blocks * math.log(chances[1] / chances[0])
        assert log_likelihood_ratio(VALUES, counts, low, high) == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_nothing_played_says_nothing() -> None:
    assert log_likelihood_ratio(VALUES, np.zeros(5, np.int64), 0.5, 0.52) == 0
    assert log_likelihood_ratio(VALUES[:0], np.zeros(0, np.int64), 0.5, 0.52) == 0


def test_wins_that_are_always_shared_decide_only_between_unequal_distances_from_a_half() -> None:
    blocks = np.array([0, 0, 10**6, 0, 0])
    assert log_likelihood_ratio(VALUES, blocks, 0.495, 0.505) == pytest.approx(0, abs=1e-6)
    assert decide(log_likelihood_ratio(VALUES, blocks, 0.5, 0.52), ERROR, ERROR) == "low"
    assert decide(log_likelihood_ratio(VALUES, blocks, 0.48, 0.5), ERROR, ERROR) == "high"


# --- Bounds and arguments ---------------------------------------------------------------------------------------------


def test_bounds_are_those_of_wald() -> None:
    assert bounds(0.05, 0.05) == pytest.approx((-math.log(19), math.log(19)))
    assert bounds(0.01, 0.2) == pytest.approx((math.log(0.2 / 0.99), math.log(80)))


def test_a_verdict_needs_a_ratio_at_a_bound_or_beyond() -> None:
    lower, upper = bounds(0.01, 0.2)
    assert [decide(r, 0.01, 0.2) for r in (-99, lower, lower + 1e-9)] == ["low", "low", None]
    assert [decide(r, 0.01, 0.2) for r in (99, upper, upper - 1e-9)] == ["high", "high", None]
    assert decide(0, 0.01, 0.2) is None


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0.1), (0.1, 0), (0.5, 0.5), (math.nan, 0.1)])
def test_error_rates_out_of_range_are_refused(alpha: float, beta: float) -> None:
    with pytest.raises(ValueError, match="error rates"):
        bounds(alpha, beta)


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.5), (0.52, 0.5), (0, 0.5), (0.5, 1), (math.nan, 0.5)])
def test_shares_out_of_range_are_refused(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="shares must be"):
        log_likelihood_ratio(VALUES, np.ones(5, np.int64), low, high)


def test_impossible_blocks_are_refused() -> None:
    for values, counts in (([0.0, 1.01], [1, 1]), ([-0.1, 1.0], [1, 1]), ([0.0, 1.0], [1, -1])):
        with pytest.raises(ValueError, match="block shares"):
            log_likelihood_ratio(np.array(values), np.array(counts), 0.5, 0.52)
    with pytest.raises(ValueError, match="shorter"):
        log_likelihood_ratio(VALUES, np.ones(4, np.int64), 0.5, 0.52)
