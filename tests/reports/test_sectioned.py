"""Intervals of figures from the sections of a run: closed forms, and 93 to 97 % of repeats contain the truth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reports.changes import chance
from reports.measures import Measured, measures
from simulator.experiments.estimates import Estimate, sectioned
from simulator.experiments.plan import Plan
from simulator.experiments.sections import sum_up
from tests.experiments.fakes import plan
from tests.experiments.watched import random_watched, scored


def test_equal_sections_are_a_sample_of_means() -> None:
    """Of n sections alike: the t interval of their values."""
    parts = [3.0, 5.0, 4.0, 8.0]
    found = sectioned(5.0, parts, [7] * 4)
    low, high = stats.t.interval(0.95, 3, loc=5.0, scale=stats.sem(parts))
    assert found == pytest.approx((5.0, stats.sem(parts), low, high))


def test_larger_sections_count_for_more() -> None:
    """Worked out: (1 (2 - 4)^2 + 3 (14/3 - 4)^2) / (1 degree of freedom * 4 blocks) = (4 + 4/3) / 4."""
    found = sectioned(4.0, [2.0, 14 / 3], [1, 3])
    assert found.se == pytest.approx(math.sqrt(4 / 3))
    assert found.high == pytest.approx(4 + 12.7062047362 * math.sqrt(4 / 3))  # t of 1 degree of freedom


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=50))
def test_a_mean_of_single_blocks_has_the_interval_of_a_mean(values: list[int]) -> None:
    parts = [float(value) for value in values]
    mean = float(np.mean(parts))
    found = sectioned(mean, parts, [1] * len(parts))
    assert found.se == pytest.approx(float(stats.sem(parts)), abs=1e-12)
    if len(set(values)) == 1:
        assert found[2:] == (None, None)
        return
    half = float(stats.t.ppf(0.975, len(parts) - 1)) * float(stats.sem(parts))
    assert found[2:] == pytest.approx((mean - half, mean + half))


@pytest.mark.parametrize(
    ("parts", "blocks"),
    [([], []), ([4.0], [9]), ([None, 4.0], [3, 3]), ([4.0, 5.0], [3, 0]), ([None, None], [3, 3])],
)
def test_fewer_than_two_sections_say_nothing_of_chance(parts: list[float | None], blocks: list[int]) -> None:
    assert sectioned(4.0, parts, blocks) == Estimate(4.0)


def test_what_is_not_known_has_no_interval() -> None:
    assert sectioned(None, [1.0, 2.0, 3.0], [1, 1, 1]) == Estimate(None)


def test_missing_and_empty_sections_do_not_count() -> None:
    parts, blocks = [3.0, None, 5.0, 99.0, 7.0], [2, 2, 2, 0, 2]
    assert sectioned(5.0, parts, blocks) == sectioned(5.0, [3.0, 5.0, 7.0], [2, 2, 2])


def test_equal_sections_do_not_pass_for_certainty() -> None:
    """Nor does what differs by the noise of floating point."""
    assert sectioned(4.0, [4.0] * 50, [3] * 50) == (4.0, 0.0, None, None)
    assert sectioned(0.3, [0.1 + 0.2, 0.3], [1, 1]) == (0.3, 0.0, None, None)


@pytest.mark.parametrize("blocks", [2, 7, 50, 63, 100])
def test_of_a_mean_a_section_says_its_mean(blocks: int) -> None:
    """The closed form of the interval of a mean over blocks, with the blocks of a section in one."""
    made = plan("a", "b", games=2 * blocks)
    out = random_watched(made, blocks)
    found = Measured(made, sum_up(made, 0, out))
    rolls = out.rolls.mean(axis=1)
    parts = [float(rolls[section::50].mean()) for section in range(min(50, blocks))]
    sizes = [len(rolls[section::50]) for section in range(min(50, blocks))]
    value = next(measure.value for measure in measures(made) if measure.name == "rolls")
    assert found.estimate(value) == pytest.approx(sectioned(float(rolls.mean()), parts, sizes))
    assert found.blocks == sizes + [0] * (50 - len(sizes))


DEAL, LUCK = 6.0, 8.0
TRUTH = {
    "mean_score": 20.0,
    "sd_score": math.sqrt(DEAL**2 + LUCK**2 + 1 / 12),  # rounding adds 1/12
    "low_5": float(stats.norm.ppf(0.05, 20, math.sqrt(DEAL**2 + LUCK**2 + 1 / 12))),
    "high_5": float(stats.norm.ppf(0.95, 20, math.sqrt(DEAL**2 + LUCK**2 + 1 / 12))),
    "led_from": 0.5,
}
REPEATS = 600


def lucky(made: Plan, rng: np.random.Generator) -> Measured:
    """Scores that are normal: luck of the deal, the same for all of a block, and luck of each player."""
    shape = (made.blocks, *made.seating.shape)
    scores = np.rint(20 + rng.normal(0, DEAL, (made.blocks, 1, 1)) + rng.normal(0, LUCK, shape)).astype(int)
    out = scored(made, scores, rng.integers(20, 41, shape[:2]))
    out.facts[..., 2] = rng.integers(0, out.rolls + 1)  # led_from: half of the rolls, in the mean
    return Measured(made, sum_up(made, 0, out))


def hits_of(made: Plan, names: tuple[str, ...]) -> tuple[dict[str, float], dict[str, float]]:
    """Parts of repeats in which intervals contain the truth: of a figure, and of a difference, which is 0."""
    rng = np.random.default_rng(made.blocks)
    values = {measure.name: measure.value for measure in measures(made) if measure.name in names}
    single, paired = Counter[str](), Counter[str]()
    before = lucky(made, rng)
    for _ in range(REPEATS):
        found = lucky(made, rng)
        for name, value in values.items():
            difference = found.minus(before, value)
            paired[name] += covers(difference, 0)
            assert (chance(difference, before) > 0.05) == covers(difference, 0)  # the p value inverts the interval
            single[name] += covers(found.estimate(value), TRUTH.get(name, 0.0))
        before = found
    rates: Callable[[Counter[str]], dict[str, float]] = lambda hits: {name: hits[name] / REPEATS for name in values}  # noqa: E731
    return rates(single), rates(paired)


def covers(estimate: Estimate, truth: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


@pytest.mark.parametrize("blocks", [20, 50, 75, 400])
def test_coverage_of_smooth_figures(blocks: int) -> None:
    """A mean, a standard deviation, a ratio, a part of the variance; also with one block to a section or two."""
    names = ("mean_score", "sd_score", "led_from", "dice_variance")
    single, paired = hits_of(plan("a", "b", games=2 * blocks), names)
    single.pop("dice_variance")  # no closed form of its truth
    for name, rate in single.items():
        assert (0.91 if name == "sd_score" and blocks < 75 else 0.93) <= rate <= 0.975, (name, rate)
    for name, rate in paired.items():
        assert 0.93 <= rate <= 0.975, (name, rate)


@pytest.mark.parametrize("blocks", [30, 50, 75])
def test_a_single_score_to_a_block_has_a_spread_all_the_same(blocks: int) -> None:
    """The standard deviation of a section with one score is 0: its difference would always seem to be certain."""
    _, paired = hits_of(plan("a", games=blocks, solo=True), ("mean_score", "sd_score"))
    for name, rate in paired.items():  # of 30 scores a standard deviation is hardly normal
        assert (0.91 if blocks == 30 else 0.93) <= rate <= 0.975, (name, rate)


@pytest.mark.parametrize(("blocks", "least"), [(60, 0.82), (600, 0.92)])
def test_coverage_of_quantiles(blocks: int, least: float) -> None:
    """Quantiles need some more games: of a few hundred their intervals are too short."""
    single, paired = hits_of(plan("a", "b", games=2 * blocks), ("low_5", "high_5"))
    for rate in (*single.values(), *paired.values()):
        assert least <= rate <= 0.975
