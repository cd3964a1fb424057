"""Plots show the figures, say what they show, and leave nothing behind."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot

from reports import plots
from reports.statistics import figures
from simulator.experiments.result import Result
from simulator.experiments.tally import Tally
from tests.experiments.fakes import plan
from tests.reports.made import random_result

SIX = ("greedy", "cautious", "save-jokers", "outward:pull=0.5,jokers=2", "rush-h", "greedy")


@pytest.mark.parametrize(
    ("names", "solo", "expected"),
    [
        ("ab", False, ["win-shares", "scores", "margins"]),
        ("a", True, ["scores", "ratings"]),
        ("abc", True, ["scores", "margins", "ratings"]),
    ],
)
def test_which_plots(names: str, solo: bool, expected: list[str]) -> None:
    assert list(plots.plots(random_result(plan(*names, solo=solo)))) == expected


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("games", [1, 500])
@pytest.mark.parametrize(("names", "solo"), [(SIX[:2], False), (SIX, False), (SIX[:1], True), (SIX * 2, True)])
def test_every_plot_says_what_it_shows(names: tuple[str, ...], solo: bool, games: int) -> None:
    result = random_result(plan(*names, games=games, seed=77, solo=solo))
    for make in plots.plots(result).values():
        figure = make(result, "1.2.3")
        axes = figure.axes[0]
        caption = figure.get_supxlabel()
        assert figure.get_suptitle()
        assert axes.get_xlabel()
        assert "seed 77" in caption
        assert "game" in caption
        assert axes.get_ylabel() or len(axes.get_yticklabels()) == len(names)
        figure.canvas.draw()
    assert pyplot.get_fignums() == []


def test_win_shares_show_value_and_interval() -> None:
    result = random_result(plan("a", "b", "c", games=300))
    axes = plots.win_shares(result, "1").axes[0]
    for i, measures in enumerate(figures(result).strategies):
        share = measures["win_share"]
        points, _, bars = axes.containers[i].lines  # type: ignore[attr-defined]
        ((left, right),) = bars[0].get_segments()
        shown = np.array([points.get_xdata()[0], left[0], right[0]])
        assert shown / 100 == pytest.approx([share.value, share.low, share.high])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b", "c"]


def test_distributions_add_up_to_all_games() -> None:
    result = random_result(plan("a", "b", games=300))
    for make, lines in ((plots.scores, 2), (plots.margins, 1)):
        patches = make(result, "1").axes[0].patches
        assert len(patches) == lines
        assert [np.sum(p.get_data().values) for p in patches] == pytest.approx([100] * lines)  # type: ignore[attr-defined]


def test_rating_bars_are_the_shares() -> None:
    result = random_result(plan("a", "b", games=300, solo=True))
    axes = plots.ratings(result, "1").axes[0]
    for i, shares in enumerate(figures(result).bands):
        bars = [c for c in axes.containers if hasattr(c, "patches") and c.get_label() == "ab"[i]]
        assert [bar.get_height() for bar in bars[0].patches] == pytest.approx([100 * (s.value or 0) for s in shares])


def test_lines_differ_in_color_or_dashes() -> None:
    axes = plots.scores(random_result(plan(*"abcdefghijkl", solo=True)), "1").axes[0]
    assert len({(p.get_edgecolor(), str(p.get_linestyle())) for p in axes.patches}) == 12


def test_no_plots_of_nothing() -> None:
    made = plan("a", "b", games=10)
    assert plots.plots(Result(made, Tally.empty(made.seating, 5, made.rules.score_range()), (), 0.0, "1 thread")) == {}
