"""Pictures of sweeps and ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import COLORS, names, page
from reports.numbers import number

if TYPE_CHECKING:
    from reports.survey import Survey
    from reports.sweep import Sweep

MOST_WRITTEN = 12  # settings on an axis for which a heat map has room for figures


def line(found: Sweep, column: int, version: str) -> Figure:
    """A measure over the values of a rule, with its 95 % band."""
    measure, (rule, values) = found.columns[column].measure, found.axes[0]
    figure, axes = page(found.header(version), measure.label.capitalize(), height=4.2)
    mean, low, high = _figures(found, column)
    numeric = all(value.lstrip("-").isdecimal() for value in values)
    places = np.array([float(value) for value in values]) if numeric else np.arange(len(values))
    order = np.argsort(places)
    axes.fill_between(places[order], low[order], high[order], color=COLORS[0], alpha=0.25, linewidth=0)
    axes.plot(places[order], mean[order], color=COLORS[0], marker="o", markersize=4, linewidth=1.4)
    axes.set_xticks(places, values)
    axes.set_xlabel(rule)
    _mark_target(axes, found, column)
    axes.set_ylabel(measure.label)
    axes.grid(color="0.9")
    axes.set_axisbelow(True)
    return figure


def _mark_target(axes: Axes, found: Sweep, column: int) -> None:
    """A dotted line at the value that is wanted."""
    if found.target is not None and found.target[0] == column:
        axes.axhline(found.target[1], color="0.35", linewidth=1.2, linestyle=":", zorder=1)


def heat_map(found: Sweep, column: int, version: str) -> Figure:
    """A measure over the values of two rules."""
    measure, ((across, many), (down, few)) = found.columns[column].measure, found.axes
    figure, axes = page(found.header(version), measure.label.capitalize(), height=1.8 + 0.45 * max(len(few), 4))
    mean, *_ = _figures(found, column)
    grid = mean.reshape(len(many), len(few)).T
    image = axes.imshow(grid, cmap="viridis", aspect="auto", origin="lower")
    axes.set_xticks(range(len(many)), many)
    axes.set_yticks(range(len(few)), few)
    axes.set_xlabel(across)
    axes.set_ylabel(down)
    known = grid[~np.isnan(grid)]
    if max(len(many), len(few)) <= MOST_WRITTEN and len(known):
        middle = (known.min() + known.max()) / 2
        for (row, place), value in np.ndenumerate(grid):
            if np.isnan(value):
                continue
            text = number(float(value), found.digits(column))
            axes.text(place, row, text, ha="center", va="center", fontsize=8, color="w" if value < middle else "k")
    figure.colorbar(image, ax=axes, label=measure.label)
    return figure


def points(found: Survey, column: int, version: str, title: str) -> Figure:
    """A measure of every setting with its interval, in the order of the table."""
    rows = list(found.rows())
    figure, axes = page(found.header(version), title, height=1.7 + 0.4 * len(rows))
    mean, low, high = (values[rows] for values in _figures(found, column))
    errors = np.maximum([mean - low, high - mean], 0)
    axes.errorbar(mean, range(len(rows)), xerr=errors, fmt="o", color=COLORS[0], capsize=4, markersize=6)
    names(axes, [found.label(row) for row in rows])
    axes.set_xlabel(found.columns[column].measure.label)
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    return figure


def _figures(found: Survey, column: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values and bounds of a measure by setting, as shown; NaN where it is not known, no width without an interval."""
    scale, estimates = found.columns[column].scale, found.estimates[column]
    mean = np.array([np.nan if e.value is None else scale * e.value for e in estimates])
    low, high = (
        np.array([m if bound is None else scale * bound for m, bound in zip(mean, bounds, strict=True)])
        for bounds in ([e.low for e in estimates], [e.high for e in estimates])
    )
    return mean, low, high
