"""From counts to figures: means, shares and differences with their intervals. ``docs/methods.md`` gives the formulas.

A block of games on the same dice is the unit of every interval, so that neither the luck of the seat nor common dice
count as evidence. Sums are exact integers up to the last step. What cannot be known (the spread of one block) is
``None``, never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.tally import Tally
from simulator.keer_op_keer.ratings import BANDS
from simulator.outcomes import WHOLE_SHARE

if TYPE_CHECKING:
    import pandas as pd

CONFIDENCE = 0.95
WORST_BLOCKS = 0.25  # blocks of the worst kind added in :func:`share_interval`


class Estimate(NamedTuple):
    """A figure; with standard error and bounds of its 95 % interval where it has them."""

    value: float | None
    se: float | None = None
    low: float | None = None
    high: float | None = None

    def __neg__(self) -> Estimate:
        """The same of the difference the other way round."""
        return Estimate(_minus(self.value), self.se, _minus(self.high), _minus(self.low))


@dataclass(frozen=True)
class Pair:
    """The second strategy of a pair minus the first, on the same dice.

    ``measure`` is ``"win_share"`` or ``"mean_score"``; ``strict`` has the wider interval that holds for all pairs of
    the experiment at once.
    """

    first: int
    second: int
    measure: str
    difference: Estimate
    strict: Estimate


@dataclass(frozen=True)
class Figures:
    """All that is said about a result.

    Parameters
    ----------
    labels : tuple of str
        Names of the strategies.
    solo : bool
    games, blocks : int
        Behind every figure; solo: games of each strategy.
    strategies : tuple of dict
        Figures of each strategy by measure.
    table : dict
        Figures of the games as a whole by measure.
    pairs : tuple of Pair
        Every pair of strategies.
    bands : tuple of tuple of Estimate
        Solo: share of the games of each strategy in each of the 13 rating bands; else empty.
    same : bool
        All strategies play the same: same settings, same sheet.
    """

    labels: tuple[str, ...]
    solo: bool
    games: int
    blocks: int
    strategies: tuple[dict[str, Estimate], ...]
    table: dict[str, Estimate]
    pairs: tuple[Pair, ...]
    bands: tuple[tuple[Estimate, ...], ...]
    same: bool


def figures(result: Result) -> Figures:
    """All figures of a result."""
    tally, solo = result.tally, result.plan.solo
    strategies = tuple(_strategy(result, i) for i in range(tally.strategies))
    table = {} if solo else _table(tally)
    table |= _rolls(tally)
    return Figures(
        result.plan.labels,
        solo,
        result.games,
        tally.blocks,
        strategies,
        table,
        _pairs(tally, solo=solo),
        tuple(_bands(tally, i) for i in range(tally.strategies)) if solo else (),
        _all_same(result.plan),
    )


def frame(figures: Figures) -> pd.DataFrame:
    """All figures, one a row: subject (a strategy, ``game``, or a pair), measure, value, se, low, high; gaps are NA."""
    import pandas as pd

    rows = [(subject, measure, *_plain(estimate)) for subject, measure, estimate in listed(figures)]
    columns = ["subject", "measure", *Estimate._fields]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(Estimate._fields, "Float64"))


def listed(figures: Figures) -> list[tuple[str, str, Estimate]]:
    """All figures in the order of the report: (subject, measure, estimate)."""
    rows = []
    for label, measures in zip(figures.labels, figures.strategies, strict=True):
        rows += [(label, measure, estimate) for measure, estimate in measures.items()]
    for label, bands in zip(figures.labels, figures.bands, strict=False):
        rows += [(label, f"rating {band.scores}", share) for band, share in zip(BANDS, bands, strict=True)]
    rows += [("game", measure, estimate) for measure, estimate in figures.table.items()]
    for pair in figures.pairs:
        subject = f"{figures.labels[pair.second]} minus {figures.labels[pair.first]}"
        rows.append((subject, pair.measure, pair.difference))
    return rows


def _all_same(plan: Plan) -> bool:
    first = (plan.strategies[0], plan.sheets[0].lines)
    return all((s, b.lines) == first for s, b in zip(plan.strategies, plan.sheets, strict=True))


def _strategy(result: Result, i: int) -> dict[str, Estimate]:
    tally, plan = result.tally, result.plan
    games, histogram = result.games, tally.scores[i]
    blocks = Blocks(tally, plan.seats)
    measures: dict[str, Estimate] = {}
    if not plan.solo:
        measures["win_share"] = blocks.share(("share", i))
        measures["outright"] = ratio(int(tally.outright[i]), games)
        measures["shared"] = ratio(int(tally.shared[i]), games)
    measures["mean_score"] = blocks.mean({("score", i): 1})
    measures["sd_score"] = Estimate(standard_deviation(histogram, tally.low))
    for name, (numerator, denominator) in {"p05": (1, 20), "median": (1, 2), "p95": (19, 20)}.items():
        measures[name] = Estimate(quantile(histogram, tally.low, numerator, denominator))
    if i:
        measures["difference"] = blocks.mean({("score", i): 1, ("score", 0): -1})
    for part, total in zip(result.parts, tally.parts[i], strict=True):
        measures[f"part {part}"] = ratio(int(total), games)
    return measures


def _table(tally: Tally) -> dict[str, Estimate]:
    seats = tally.strategies
    blocks = Blocks(tally, seats)
    share = blocks.share(("start_share", 0))
    return {
        "start_win_lead": _shift(share, -1 / seats),
        "start_score_lead": blocks.mean({("start_lead", 0): 1 / (seats - 1)}),
        "ties": ratio(tally.ties, tally.games),
        "stopped": ratio(tally.stopped, tally.games),
    }


def _rolls(tally: Tally) -> dict[str, Estimate]:
    mean = Blocks(tally, tally.strategies).mean({("rolls", 0): 1})
    return {"rolls": mean, "sd_rolls": Estimate(standard_deviation(tally.rolls, 0))}


def _pairs(tally: Tally, *, solo: bool) -> tuple[Pair, ...]:
    blocks = Blocks(tally, 1 if solo else tally.strategies)
    couples = list(combinations(range(tally.strategies), 2))
    strict = 1 - (1 - CONFIDENCE) / max(len(couples), 1)
    pairs = []
    if not solo:
        for first, second in couples:
            pair = [blocks.share_difference(second, first, level) for level in (CONFIDENCE, strict)]
            pairs.append(Pair(first, second, "win_share", *pair))
    for first, second in couples:
        contrast = {("score", second): 1.0, ("score", first): -1.0}
        pairs.append(Pair(first, second, "mean_score", *(blocks.mean(contrast, c) for c in (CONFIDENCE, strict))))
    return tuple(pairs)


def _bands(tally: Tally, i: int) -> tuple[Estimate, ...]:
    scores = tally.low + np.arange(len(tally.scores[i]))
    shares = []
    for band in BANDS:
        low = tally.low if band.low is None else band.low
        high = tally.high if band.high is None else band.high
        shares.append(wilson(int(tally.scores[i][(scores >= low) & (scores <= high)].sum()), tally.blocks))
    return tuple(shares)


class Blocks:
    """Means over blocks of sums of variables, each per game.

    Parameters
    ----------
    tally : Tally
    games : int
        Games of a block that a variable sums up.
    """

    def __init__(self, tally: Tally, games: int) -> None:
        self.tally = tally
        self.games = games
        self.place = {variable: i for i, variable in enumerate(tally.variables(tally.strategies))}

    def mean(self, contrast: dict[tuple[str, int], float], confidence: float = CONFIDENCE) -> Estimate:
        """Mean per game of a weighted sum of variables, with a t interval over the blocks."""
        n = self.tally.blocks
        if n == 0:
            return Estimate(None)
        scale, total, squares = self._moments(contrast)
        value = scale * total / n
        if n == 1:
            return Estimate(value)
        se = scale * math.sqrt((n * squares - total**2) / (n - 1)) / n
        half = t_quantile(n - 1, confidence) * se
        return Estimate(value, se, value - half, value + half)

    def share(self, variable: tuple[str, int]) -> Estimate:
        """Mean of a variable in sixtieths as a share from 0 to 1, with the interval of :func:`share_interval`."""
        n = self.tally.blocks
        if n == 0:
            return Estimate(None)
        value, spread = self._spread({variable: 1 / WHOLE_SHARE})
        return Estimate(value, _error(spread, n), *share_interval(value, spread, n))

    def share_difference(self, i: int, j: int, confidence: float = CONFIDENCE) -> Estimate:
        """Win share of strategy i minus that of j; the interval is that of the share ``(1 + difference) / 2``."""
        n = self.tally.blocks
        if n == 0:
            return Estimate(None)
        value, spread = self._spread({("share", i): 1 / WHOLE_SHARE, ("share", j): -1 / WHOLE_SHARE})
        low, high = share_interval((1 + value) / 2, spread / 4, n, confidence)
        return Estimate(value, _error(spread, n), 2 * low - 1, 2 * high - 1)

    def _spread(self, contrast: dict[tuple[str, int], float]) -> tuple[float, float]:
        """Mean over the blocks, and sum of the squared deviations from it."""
        n = self.tally.blocks
        scale, total, squares = self._moments(contrast)
        return scale * total / n, scale**2 * (n * squares - total**2) / n

    def _moments(self, contrast: dict[tuple[str, int], float]) -> tuple[float, int, int]:
        """A common scale, and with it the exact sum and sum of squares over the blocks."""
        scale = abs(next(iter(contrast.values())))
        signs = {self.place[variable]: round(weight / scale) for variable, weight in contrast.items()}
        total = sum(sign * int(self.tally.sums[i]) for i, sign in signs.items())
        products = self.tally.products
        squares = sum(a * b * int(products[i, j]) for i, a in signs.items() for j, b in signs.items())
        return scale / self.games, total, squares


def share_interval(share: float, spread: float, blocks: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson interval of a mean share with an effective number of blocks.

    The design effect (variance of a block share over that of a share that is only ever 0 or 1) is estimated with a
    quarter of a block of the worst kind added, so that a few equal blocks do not pass for certainty. That quarter and
    the 3/2 degrees of freedom a block were chosen by simulation, for 93 to 97 % coverage from 5 blocks on.

    Parameters
    ----------
    share : float
        Mean of the block shares, each between 0 and 1.
    spread : float
        Sum of their squared deviations from the mean.
    blocks : int
        1 or more.
    confidence : float
    """
    worst = share * (1 - share)
    design = (spread + WORST_BLOCKS * worst) / ((blocks - 1 + WORST_BLOCKS) * worst) if worst > 0 else 1.0
    return _wilson_bounds(share, blocks / design, t_quantile(1.5 * blocks, confidence))


def wilson(hits: int, trials: int) -> Estimate:
    """Share of independent trials with its Wilson interval (Wilson 1927)."""
    if trials == 0:
        return Estimate(None)
    share = hits / trials
    se = math.sqrt(share * (1 - share) / trials)
    return Estimate(share, se, *_wilson_bounds(share, trials, t_quantile(math.inf, CONFIDENCE)))


def _wilson_bounds(share: float, trials: float, z: float) -> tuple[float, float]:
    center = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2) / (1 + z * z / trials)
    low = 0.0 if share <= 0 else max(0.0, center - half)
    high = 1.0 if share >= 1 else min(1.0, center + half)
    return low, high


def t_quantile(degrees: float, confidence: float) -> float:
    """Half-width of a two-sided interval in standard errors: quantile of Student's t distribution."""
    from scipy.special import ndtri, stdtrit

    tail = 0.5 + confidence / 2
    return float(ndtri(tail) if math.isinf(degrees) else stdtrit(degrees, tail))


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


def _error(spread: float, blocks: int) -> float | None:
    """Standard error of a mean over blocks."""
    return math.sqrt(spread / (blocks - 1) / blocks) if blocks > 1 else None


def _minus(x: float | None) -> float | None:
    return None if x is None else -x


def rounded(x: float | None) -> float | None:
    """To ten significant digits, beyond which a figure holds only the noise of floating point; an ``int`` stays."""
    return x if x is None or isinstance(x, int) else float(f"{x:.10g}")


def _plain(estimate: Estimate) -> tuple[float | None, ...]:
    return tuple(rounded(x) for x in estimate)
