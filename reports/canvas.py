"""What all pictures are drawn on: size, colors, caption, outlines of histograms, legends.

Colors are those of Okabe and Ito (2008), which all kinds of color sight can tell apart; lines differ in dashes as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.numbers import PERCENT

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
DASHES: tuple[str | tuple[int, tuple[int, ...]], ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)))
WIDTH = 8.0
DPI = 150
NARROW = 24
LEGEND_COLUMNS = 3


def page(caption: str, title: str, *, height: float) -> tuple[Figure, Axes]:
    """A figure with one pair of axes, a title, and a caption that says what was played."""
    figure = Figure(figsize=(WIDTH, height), dpi=DPI, layout="constrained")
    axes = figure.add_subplot()
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    axes.spines[["top", "right"]].set_visible(False)
    figure.supxlabel(_wrapped(caption), fontsize=8, color="0.35", x=0.01, ha="left")
    return figure, axes


def steps(axes: Axes, histogram: np.ndarray, low: int, i: int, label: str, *, alone: bool) -> None:
    """Outline of a histogram in per cent of the games, trimmed to where there are any; solid if it is the only one."""
    dashes = DASHES[0] if alone else DASHES[(i + i // len(COLORS)) % len(DASHES)]
    places = np.flatnonzero(histogram)
    first, last = int(places[0]), int(places[-1])
    shares = PERCENT * histogram[first : last + 1] / histogram.sum()
    edges = low + np.arange(first, last + 2) - 0.5
    axes.stairs(shares, edges, color=COLORS[i % len(COLORS)], linestyle=dashes, linewidth=1.6, label=label)


def shares_axis(axes: Axes, lines: int) -> None:
    axes.set_ylabel("share of games, %")
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", color="0.9")
    axes.set_axisbelow(True)
    if lines:
        columns = min(lines, LEGEND_COLUMNS)
        axes.legend(frameon=False, fontsize=9, loc="lower left", bbox_to_anchor=(0, 1), ncols=columns)


def names(axes: Axes, labels: Sequence[str]) -> None:
    axes.set_yticks(range(len(labels)), [short(label) for label in labels])
    axes.set_ylim(len(labels) - 0.3, -0.7)


def short(label: str) -> str:
    """A name that fits a legend: the middle of a long one is left out."""
    label = label.replace("_", " _", 1) if label.startswith("_") else label  # a legend leaves out names that begin so
    return label if len(label) <= NARROW else f"{label[: NARROW - 9]}…{label[-8:]}"


def _wrapped(line: str, most: int = 110) -> str:
    """Broken between the items of a caption."""
    lines = [""]
    for item in line.split(" · "):
        joined = f"{lines[-1]} · {item}" if lines[-1] else item
        if len(joined) <= most or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(item)
    return "\n".join(lines)


def percent(x: float | None) -> float:
    return PERCENT * (x or 0.0)
