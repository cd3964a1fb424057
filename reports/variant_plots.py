"""Pictures of what house rules change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from reports.canvas import COLORS, page, percent, shares_axis, short, steps
from reports.numbers import number

if TYPE_CHECKING:
    from reports.variant import Variant


def scores(found: Variant, version: str) -> Figure:
    """Distribution of the scores of all players under either rule set."""
    figure, axes = page(found.header(version), "Scores of all players", height=4.5)
    mean = next(change for change in found.changes if change.measure.name == "mean_score")
    both = zip(found.names, found.study.sections, (mean.base, mean.variant), strict=True)
    for i, (name, sections, estimate) in enumerate(both):
        label = f"{short(name)} (mean {number(estimate.value, 1)})"
        steps(axes, sections.scores.sum(axis=0), sections.low, i, label, alone=False)
    axes.set_xlabel("score of a player, points")
    shares_axis(axes, len(found.names))
    axes.set_ylabel("share of players, %")
    return figure


def feats(found: Variant, version: str) -> Figure:
    """Part of the players who do each feat under either rule set, with 95 % intervals."""
    done = found.study.plans[0].played.watch.done
    figure, axes = page(found.header(version), f"{done.capitalize()} by a player", height=4.5)
    places = np.arange(len(found.feats))
    for i, name in enumerate(found.names):
        estimates = [(feat.done.base, feat.done.variant)[i] for feat in found.feats]
        values = np.array([percent(estimate.value) for estimate in estimates])
        bounds = np.array([[percent(e.low), percent(e.high)] for e in estimates]).T
        errors = np.maximum(np.abs(bounds - values), 0) if estimates[0].low is not None else None
        axes.bar(
            places + (i - 0.5) * 0.4, values, 0.4, yerr=errors, color=COLORS[i], label=short(name),
            error_kw={"elinewidth": 1, "ecolor": "0.25"},
        )  # fmt: skip
    labels = [feat.name for feat in found.feats]
    axes.set_xticks(places, labels, rotation=45, ha="right", rotation_mode="anchor", fontsize=8)
    shares_axis(axes, len(found.names))
    axes.set_ylabel("share of players, %")
    return figure
