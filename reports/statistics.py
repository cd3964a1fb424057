"""From a result to all the figures that are shown of it. ``docs/methods.md`` says what each of them is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from reports import ranking
from reports.bands import bands_shown
from simulator.experiments.estimates import CONFIDENCE, Blocks, Estimate, wilson
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.tally import Tally
from simulator.game import Band
from simulator.outcomes import WHOLE_SHARE, appearances

SIGNIFICANT = 1 - CONFIDENCE
WITH_INTERVAL = ("win_share", "mean_score", "difference", "elo", "start_win_lead", "start_score_lead", "rolls")
FEWEST_BLOCKS = 5  # with fewer no difference is called one


@dataclass(frozen=True)
class Pair:
    """The second strategy of a pair minus the first, where they meet, on the same dice.

    Parameters
    ----------
    first, second : int
        Numbers of the strategies.
    measure : str
        ``"win_share"``, ``"mean_score"``, or ``"elo"``.
    difference : Estimate
        With its own 95 % interval.
    strict : Estimate
        With the wider interval that holds for all pairs of the experiment at once (Bonferroni).
    p_value : float
        Of no difference, adjusted for all pairs of the experiment (Holm).
    verdict : int
        +1 or -1 if the difference is above or below zero beyond chance, 0 if that cannot be told.
    """

    first: int
    second: int
    measure: str
    difference: Estimate
    strict: Estimate
    p_value: float
    verdict: int


@dataclass(frozen=True)
class Figures:
    """All that is said about a result.

    Parameters
    ----------
    labels : tuple of str
        Names of the strategies.
    plan : Plan
    games, blocks : int
        Games at each table (solo: of each strategy), and blocks.
    strategies : tuple of dict
        Figures of each strategy by measure, over all its games.
    table : dict
        Figures of the games as a whole by measure.
    pairs : tuple of Pair
        Every pair of strategies that is compared, by each measure.
    bands_shown : tuple of Band
        Solo: by which scores are rated, see :func:`reports.bands.bands_shown`; else empty.
    bands : tuple of tuple of Estimate
        Share of the games of each strategy in each of these bands; empty if there are none.
    met : dict
        Tournament: win share of the first strategy of (i, j) in games with the second; else empty.
    same : bool
        All strategies play the same: same settings, same sheet.
    """

    labels: tuple[str, ...]
    plan: Plan
    games: int
    blocks: int
    strategies: tuple[dict[str, Estimate], ...]
    table: dict[str, Estimate]
    pairs: tuple[Pair, ...]
    bands_shown: tuple[Band, ...]
    bands: tuple[tuple[Estimate, ...], ...]
    met: dict[tuple[int, int], Estimate]
    same: bool

    @property
    def solo(self) -> bool:
        """Whether it was the solo game."""
        return self.plan.solo

    @property
    def proposed(self) -> bool:
        """Whether the bands are a proposal, and not the official ones."""
        return self.plan.levels > 0

    def by(self, measure: str) -> list[Pair]:
        """The pairs of one measure."""
        return [pair for pair in self.pairs if pair.measure == measure]

    def signs(self, measure: str) -> np.ndarray:
        """Verdicts as a matrix, int64 (n, n): 1 where the strategy of the row is better than that of the column."""
        signs = np.zeros((len(self.labels), len(self.labels)), np.int64)
        for pair in self.by(measure):
            signs[pair.second, pair.first] = pair.verdict
            signs[pair.first, pair.second] = -pair.verdict
        return signs


def figures(result: Result) -> Figures:
    """All figures of a result."""
    tally, plan = result.tally, result.plan
    blocks = Blocks(tally, plan.seating)
    strategies = tuple(_strategy(result, blocks, i) for i in range(tally.strategies))
    pairs = _pairs(tally, blocks, plan)
    bands = bands_shown(result)
    met = {}
    if plan.table is not None:
        pairs += _elo(tally, plan, strategies)
        both = [(i, j) for i in range(tally.strategies) for j in range(tally.strategies) if blocks.meet(i, j)]
        met = {(i, j): blocks.pair_share(i, j) for i, j in both}
    return Figures(
        plan.labels,
        plan,
        result.games,
        tally.blocks,
        strategies,
        _table(tally, blocks, plan),
        tuple(pairs),
        bands,
        tuple(_bands(tally, bands, i) for i in range(tally.strategies)) if bands else (),
        met,
        plan.all_same,
    )


def listed(figures: Figures) -> list[tuple[str, str, Estimate]]:
    """All figures in the order of the report: (subject, measure, estimate)."""
    rows = []
    for label, measures in zip(figures.labels, figures.strategies, strict=True):
        rows += [(label, measure, estimate) for measure, estimate in measures.items()]
    rating = "proposed rating" if figures.proposed else "rating"
    for label, shares in zip(figures.labels, figures.bands, strict=False):
        for band, share in zip(figures.bands_shown, shares, strict=True):
            rows.append((label, f"{rating} {band.scores}", share))
    rows += [("game", measure, estimate) for measure, estimate in figures.table.items()]
    for (i, j), share in figures.met.items():
        rows.append((f"{figures.labels[i]} with {figures.labels[j]}", "win_share", share))
    for pair in figures.pairs:
        subject = f"{figures.labels[pair.second]} minus {figures.labels[pair.first]}"
        rows.append((subject, pair.measure, pair.difference))
    return rows


def _strategy(result: Result, blocks: Blocks, i: int) -> dict[str, Estimate]:
    tally, plan = result.tally, result.plan
    games, histogram = tally.blocks * int(appearances(plan.seating)[i]), tally.scores[i]
    measures: dict[str, Estimate] = {}
    if not plan.solo:
        measures["win_share"] = blocks.share(("share", i))
        measures["outright"] = ratio(int(tally.outright[i]), games)
        measures["shared"] = ratio(int(tally.shared[i]), games)
    measures["mean_score"] = blocks.mean({("score", i): 1})
    measures["sd_score"] = Estimate(standard_deviation(histogram, tally.low))
    for name, (numerator, denominator) in {"p05": (1, 20), "median": (1, 2), "p95": (19, 20)}.items():
        measures[name] = Estimate(quantile(histogram, tally.low, numerator, denominator))
    if i and plan.table is None:
        measures["difference"] = blocks.score_difference(i, 0)
    for part, total in zip(result.parts, tally.parts[i], strict=True):
        measures[f"part {part}"] = ratio(int(total), games)
    return measures


def _table(tally: Tally, blocks: Blocks, plan: Plan) -> dict[str, Estimate]:
    length = {"rolls": blocks.mean({("rolls", 0): 1}), "sd_rolls": Estimate(standard_deviation(tally.rolls, 0))}
    if plan.solo:
        return length
    share = blocks.share(("start_share", 0))
    return {
        "start_win_lead": _shift(share, -1 / plan.seats),
        "start_score_lead": blocks.mean({("start_lead", 0): 1 / (plan.seats - 1)}),
        "ties": ratio(tally.ties, tally.games),
        "stopped": ratio(tally.stopped, tally.games),
        **length,
    }


def _pairs(tally: Tally, blocks: Blocks, plan: Plan) -> list[Pair]:
    """Differences of win shares and of mean scores of all who are compared."""
    couples = [(i, j) for i, j in combinations(range(tally.strategies), 2) if blocks.meet(i, j)]
    strict = 1 - SIGNIFICANT / max(len(couples), 1)
    found = []
    if not plan.solo:
        shares = [[blocks.share_difference(j, i, level) for level in (CONFIDENCE, strict)] for i, j in couples]
        chances = [blocks.share_p_value(j, i) for i, j in couples]
        found += _judged(couples, "win_share", shares, chances, tally.blocks)
    scores = [[blocks.score_difference(j, i, level) for level in (CONFIDENCE, strict)] for i, j in couples]
    chances = [_p_value(difference, tally.blocks - 1) for difference, _ in scores]
    return found + _judged(couples, "mean_score", scores, chances, tally.blocks)


def _judged(
    couples: Sequence[tuple[int, int]],
    measure: str,
    differences: Sequence[Sequence[Estimate]],
    chances: Sequence[float],
    blocks: int,
) -> list[Pair]:
    """Pairs with p values adjusted for there being so many, and verdicts."""
    pairs = []
    adjusted = ranking.holm(chances).tolist()
    for (first, second), (difference, strict), chance in zip(couples, differences, adjusted, strict=True):
        sure = blocks >= FEWEST_BLOCKS and chance < SIGNIFICANT
        value = difference.value or 0.0
        verdict = (value > 0) - (value < 0) if sure else 0
        pairs.append(Pair(first, second, measure, difference, strict, chance, verdict))
    return pairs


def _p_value(difference: Estimate, degrees: int) -> float:
    """Two-sided p value of no difference, by Student's t; 1 if nothing is known."""
    if difference.value is None or difference.se is None:
        return 1.0
    return ranking.p_value(difference.value, difference.se, degrees)


def _elo(tally: Tally, plan: Plan, strategies: Sequence[dict[str, Estimate]]) -> list[Pair]:
    """Give every strategy its Elo rating; gives the differences of ratings of all pairs."""
    couples = list(combinations(range(tally.strategies), 2))
    if tally.blocks == 0:
        for measures in strategies:
            measures["elo"] = Estimate(None)
        return []
    shares = slice(tally.strategies, 2 * tally.strategies)
    strengths = ranking.bradley_terry(
        plan.tables, plan.seats * WHOLE_SHARE, tally.blocks, tally.sums[shares], tally.products[shares, shares]
    )
    for measures, rating in zip(strategies, strengths.elo(), strict=True):
        measures["elo"] = rating if tally.blocks > 1 else Estimate(rating.value)
    strict = 1 - SIGNIFICANT / max(len(couples), 1)
    differences = [[strengths.difference(j, i, level) for level in (CONFIDENCE, strict)] for i, j in couples]
    if tally.blocks == 1:  # as of means: nothing is known of chance
        differences = [[Estimate(estimate.value) for estimate in both] for both in differences]
    chances = [_p_value(difference, strengths.blocks) for difference, _ in differences]
    return _judged(couples, "elo", differences, chances, tally.blocks)


def _bands(tally: Tally, bands: Sequence[Band], i: int) -> tuple[Estimate, ...]:
    scores = tally.low + np.arange(len(tally.scores[i]))
    shares = []
    for band in bands:
        low = tally.low if band.low is None else band.low
        high = tally.high if band.high is None else band.high
        shares.append(wilson(int(tally.scores[i][(scores >= low) & (scores <= high)].sum()), tally.blocks))
    return tuple(shares)


def quantile(histogram: Sequence[int] | np.ndarray, low: int, numerator: int, denominator: int) -> int | None:
    """Smallest score that at least ``numerator / denominator`` of the games do not exceed; exact."""
    reached = np.cumsum(histogram)
    if not len(reached) or reached[-1] == 0:
        return None
    wanted = -(-int(reached[-1]) * numerator // denominator)
    return low + int(np.searchsorted(reached, wanted))


def standard_deviation(histogram: np.ndarray, low: int) -> float | None:
    """Sample standard deviation of single games, from exact sums; ``None`` for fewer than two games."""
    places = np.flatnonzero(histogram)
    n = total = squares = 0
    for place in places:
        games, value = int(histogram[place]), low + int(place)
        n, total, squares = n + games, total + games * value, squares + games * value * value
    return math.sqrt((n * squares - total**2) / (n * (n - 1))) if n > 1 else None


def ratio(total: int, count: int) -> Estimate:
    """A mean without an interval; ``None`` of nothing."""
    return Estimate(total / count if count else None)


def _shift(estimate: Estimate, by: float) -> Estimate:
    value, low, high = (None if x is None else x + by for x in (estimate.value, estimate.low, estimate.high))
    return Estimate(value, estimate.se, low, high)


def rounded(x: float | None) -> float | None:
    """To ten significant digits, beyond which a figure holds only the noise of floating point; an ``int`` stays."""
    return x if x is None or isinstance(x, int) else float(f"{x:.10g}")
