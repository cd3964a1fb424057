"""Pictures of a result. Every function takes a result and gives a matplotlib ``Figure``; nothing global is touched."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.bands import bands_shown
from reports.canvas import COLORS, LEGEND_COLUMNS, WIDTH, names, page, percent, shares_axis, short, steps
from reports.layout import header
from reports.numbers import PERCENT, decimals, half_width, interval, number
from reports.standings import standings
from reports.statistics import Figures, figures
from simulator.experiments.estimates import Estimate
from simulator.experiments.result import Result
from simulator.game import Band

MOST_WRITTEN = 16  # strategies of which a matrix has room for figures
MOST_NAMED = 16  # bands that have room for their names


def plots(result: Result) -> dict[str, Callable[[Result, str], Figure]]:
    """The plots that say something about a result, by file name; each takes the result and the version."""
    if not result.tally.blocks:
        return {}
    found: dict[str, Callable[[Result, str], Figure]] = {}
    if result.plan.table is not None:
        return {"ranking": ranking, "matrix": matrix, "scores": scores}
    if not result.plan.solo:
        found["win-shares"] = win_shares
    found["scores"] = scores
    if result.tally.strategies > 1:
        found["margins"] = margins
    if bands_shown(result):
        found["ratings"] = ratings
    return found


def win_shares(result: Result, version: str) -> Figure:
    """Win share of each strategy with its 95 % interval, and the share of equal players."""
    shown = figures(result)
    shares = [s["win_share"] for s in shown.strategies]
    figure, axes = page(header(result, version), "Win share with 95 % interval", height=1.7 + 0.45 * len(shares))
    digits = decimals([PERCENT * w for w in map(half_width, shares) if w])
    for row, share in enumerate(shares):
        _point(axes, row, share)
        text = f"{number(share.value, digits, scale=PERCENT)} ({interval(share, digits, scale=PERCENT)})"
        axes.annotate(text, (percent(share.value), row), (0, 7), textcoords="offset points", ha="center", fontsize=9)
    equal = PERCENT / len(shares)
    axes.axvline(equal, color="0.35", linewidth=1.2, linestyle=":", zorder=1)
    axes.annotate(
        "equal players", (equal, len(shares) - 0.45), (4, 0), textcoords="offset points", fontsize=8, color="0.35"
    )
    names(axes, shown.labels)
    axes.set_xlabel("share of wins (ties split), %")
    axes.margins(x=0.1)
    left, right = axes.get_xlim()
    axes.set_xlim(max(left, -1.5), min(right, PERCENT + 1.5))
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    return figure


def scores(result: Result, version: str) -> Figure:
    """Distribution of the score of a game, a line for each strategy."""
    shown, tally = figures(result), result.tally
    figure, axes = page(header(result, version), "Scores", height=_height(len(shown.labels)))
    for i, label in enumerate(shown.labels):
        mean = shown.strategies[i]["mean_score"].value
        text = f"{short(label)} (mean {number(mean, 1)})"
        steps(axes, tally.scores[i], tally.low, i, text, alone=len(shown.labels) == 1)
    axes.set_xlabel("score of a game, points")
    shares_axis(axes, len(shown.labels))
    return figure


def margins(result: Result, version: str) -> Figure:
    """Distribution of the difference in score to the first strategy, on the same dice."""
    shown, tally = figures(result), result.tally
    first = short(shown.labels[0])
    height = _height(len(shown.labels) - 1)
    figure, axes = page(header(result, version), f"Score difference to {first}", height=height)
    for i, label in enumerate(shown.labels[1:], start=1):
        mean = shown.strategies[i]["difference"].value
        text = f"{short(label)} (mean {number(mean, 1, signed=True)})"
        steps(axes, tally.margins[i - 1], tally.low - tally.high, i, text, alone=len(shown.labels) == 2)
    axes.axvline(0, color="0.35", linewidth=1.2, linestyle=":", zorder=1)
    where = "on the same dice" if result.plan.solo else "in the same game"
    axes.set_xlabel(f"score minus score of {first} {where}, points")
    shares_axis(axes, len(shown.labels) - 1)
    return figure


def ratings(result: Result, version: str) -> Figure:
    """Solo: share of games in each of the rating bands, with 95 % intervals."""
    shown = figures(result)
    bands = shown.bands_shown
    count = len(shown.labels)
    title = f"Proposed rating: equally often for {short(shown.labels[0])}" if shown.proposed else "Official rating"
    figure, axes = page(header(result, version), title, height=0.7 + _height(count))
    width = 0.8 / count
    places = np.arange(len(bands))
    for i, (label, shares) in enumerate(zip(shown.labels, shown.bands, strict=True)):
        values = np.array([percent(s.value) for s in shares])
        bounds = np.array([[percent(s.low), percent(s.high)] for s in shares]).T
        errors = np.maximum(np.abs(bounds - values), 0)
        axes.bar(
            places + (i - (count - 1) / 2) * width,
            values,
            width,
            yerr=errors,
            color=COLORS[i % len(COLORS)],
            label=short(label),
            error_kw={"elinewidth": 1, "ecolor": "0.25"},
        )
    _name_bands(axes, bands)
    axes.set_xlabel("rating (points)")
    shares_axis(axes, count)
    return figure


def _name_bands(axes: Axes, bands: Sequence[Band]) -> None:
    """Names and scores of bands below the axis; of many only the scores."""
    if len(bands) > MOST_NAMED:
        axes.set_xticks(range(len(bands)), [band.scores for band in bands], rotation=90, fontsize=7)
        return
    names = [f"{band.name}\n({band.scores})" for band in bands]
    axes.set_xticks(range(len(bands)), names, rotation=45, ha="right", rotation_mode="anchor", fontsize=8)


def ranking(result: Result, version: str) -> Figure:
    """Tournament: Elo rating of each strategy with its 95 % interval, the best on top; ties are joined by a bar."""
    shown = figures(result)
    found = standings(shown)
    rows = len(found.order)
    figure, axes = page(header(result, version), "Rating with 95 % interval", height=1.7 + 0.42 * rows)
    ratings = [shown.strategies[i]["elo"] for i in found.order]
    for row, rating in enumerate(ratings):
        value, low, high = _placed(rating)
        axes.errorbar(
            value, row, xerr=[[value - low], [high - value]], fmt="o", color=COLORS[0], capsize=4, markersize=6
        )
    left, right = min(_placed(rating)[1] for rating in ratings), max(_placed(rating)[2] for rating in ratings)
    step = max(right - left, 1.0) * 0.03
    for column, first, last in _bars([(found.order.index(group[0]), len(group)) for group in found.groups]):
        axes.plot([right + column * step] * 2, [first - 0.15, last + 0.15], color="0.45", linewidth=3)
    names(axes, [shown.labels[i] for i in found.order])
    axes.axvline(0, color="0.35", linewidth=1.2, linestyle=":", zorder=1)
    ties = "; bars at the right join those that cannot be told apart" if found.groups else ""
    axes.set_xlabel(f"Elo points; 0 is the mean of all{ties}")
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    return figure


def _placed(rating: Estimate) -> tuple[float, float, float]:
    """Value and bounds of a rating to be drawn; without an interval the value alone."""
    value = rating.value or 0.0
    return value, value if rating.low is None else rating.low, value if rating.high is None else rating.high


def _bars(groups: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Groups given by first row and size, from the top: (column, first row, last row), so that no two overlap."""
    ends: list[int] = []  # of the last bar in each column
    bars = []
    for first, size in groups:
        free = next((column for column, end in enumerate(ends) if end < first), len(ends))
        ends[free : free + 1] = [first + size - 1]
        bars.append((free + 1, first, first + size - 1))
    return bars


def matrix(result: Result, version: str) -> Figure:
    """Tournament: win share of the strategy of each row in games with that of each column, in order of rank."""
    shown = figures(result)
    order = standings(shown).order
    shares = np.array([[_met(shown, i, j) for j in order] for i in order])
    size = min(max(4.5, 0.5 * len(order) + 2), WIDTH)
    figure, axes = page(header(result, version), "Win share of the row with the column", height=size)
    equal = PERCENT / result.plan.seats
    reach = max(float(np.nanmax(np.abs(shares - equal))), 1.0)
    image = axes.imshow(shares, cmap="PuOr_r", vmin=equal - reach, vmax=equal + reach)
    names = [short(shown.labels[i]) for i in order]
    font = 8 if len(order) <= 2 * MOST_WRITTEN else 5
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right", rotation_mode="anchor", fontsize=font)
    axes.set_yticks(range(len(names)), names, fontsize=font)
    if len(order) <= MOST_WRITTEN:
        for (row, column), share in np.ndenumerate(shares):
            if not np.isnan(share):
                dark = abs(share - equal) > 0.6 * reach
                axes.text(column, row, f"{share:.1f}", ha="center", va="center", fontsize=8, color="w" if dark else "k")
    figure.colorbar(image, ax=axes, label="share of wins (ties split), %", shrink=0.8)
    return figure


def _met(shown: Figures, i: int, j: int) -> float:
    """Win share of one strategy with another in per cent; NaN, which is not drawn, if they never met."""
    return percent(shown.met[i, j].value) if (i, j) in shown.met else float("nan")


def _height(lines: int) -> float:
    """Inches for a plot of lines, and the rows of its legend."""
    return 4.5 + 0.22 * max(-(-lines // LEGEND_COLUMNS) - 2, 0)


def _point(axes: Axes, row: int, share: Estimate) -> None:
    value, low, high = (percent(x) for x in (share.value, share.low, share.high))
    color = COLORS[row % len(COLORS)]
    axes.errorbar(
        value, row, xerr=[[max(value - low, 0)], [max(high - value, 0)]], fmt="o", color=color, capsize=4, markersize=6
    )
