"""Plots show the figures, say what they show, and leave nothing behind."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot

from reports import plots
from reports.standings import standings
from reports.statistics import figures
from simulator.experiments.result import Result
from simulator.experiments.tally import Tally
from tests.experiments.fakes import plan
from tests.reports.made import common_luck, outcomes_of, random_result, result_of, winning

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


# Of tournaments


def lucky(names: str, means: tuple[int, ...], *, games: int = 400, table: int = 2, focus: bool = False) -> Result:
    """Result of strategies with these mean scores and some luck."""
    made = plan(*names, games=games, table=table, focus=focus)
    return result_of(made, outcomes_of(made, common_luck(made, means, np.random.default_rng(1))))


def test_which_plots_of_a_tournament() -> None:
    assert list(plots.plots(random_result(plan(*"abc", table=2)))) == ["ranking", "matrix", "scores"]
    made = plan(*"abc", table=2)
    assert plots.plots(Result(made, Tally.empty(made.seating, 5, made.rules.score_range()), (), 0.0, "1 thread")) == {}


def test_the_ranking_shows_ratings_and_intervals_the_best_on_top() -> None:
    result = lucky("abcd", (20, 24, 18, 21))
    axes = plots.ranking(result, "1").axes[0]
    shown = figures(result)
    order = standings(shown).order
    assert [label.get_text() for label in axes.get_yticklabels()] == [shown.labels[i] for i in order] == list("bdac")
    for row, i in enumerate(order):
        points, _, bars = axes.containers[row].lines  # type: ignore[attr-defined]
        ((left, right),) = bars[0].get_segments()
        assert (points.get_xdata()[0], left[0], right[0]) == pytest.approx(
            (shown.strategies[i]["elo"].value, *shown.strategies[i]["elo"][2:])
        )
        assert points.get_ydata()[0] == row
    bottom, top = axes.get_ylim()
    assert bottom > top


def test_the_ranking_joins_those_that_cannot_be_told_apart() -> None:
    result = lucky("abcd", (20, 30, 30, 10))
    axes = plots.ranking(result, "1").axes[0]
    bars = [line for line in axes.lines if line.get_linewidth() == 3]
    assert [np.round(bar.get_ydata()).tolist() for bar in bars] == [[0, 1]]
    assert "cannot be told apart" in axes.get_xlabel()
    apart = plots.ranking(lucky("ab", (20, 30)), "1").axes[0]
    assert not [line for line in apart.lines if line.get_linewidth() == 3]
    assert "told apart" not in apart.get_xlabel()


def test_bars_do_not_overlap_and_use_few_columns() -> None:
    groups = [(0, 4), (3, 3), (4, 3), (6, 4), (8, 2)]
    bars = plots._bars(groups)
    assert [(first, last - first + 1) for _, first, last in bars] == groups
    assert [column for column, _, _ in bars] == [1, 2, 1, 2, 1]
    for a, (column, first, last) in enumerate(bars):
        for other, start, end in bars[:a]:
            assert column != other or last < start or end < first


@pytest.mark.parametrize(("table", "focus"), [(2, False), (3, False), (2, True)])
def test_the_matrix_shows_the_win_shares(table: int, focus: bool) -> None:
    result = lucky("abcd", (20, 24, 18, 21), table=table, focus=focus)
    axes = plots.matrix(result, "1").axes[0]
    shown = figures(result)
    order = standings(shown).order
    drawn = np.ma.filled(axes.images[0].get_array().astype(float), np.nan)  # type: ignore[union-attr]
    written = {text.get_position(): text.get_text() for text in axes.texts}
    for row, i in enumerate(order):
        for column, j in enumerate(order):
            if (i, j) in shown.met:
                share = 100 * (shown.met[i, j].value or 0.0)
                assert drawn[row, column] == pytest.approx(share)
                assert written.pop((column, row)) == f"{share:.1f}"
            else:
                assert np.isnan(drawn[row, column])
    assert written == {}
    for ticks in (axes.get_xticklabels(), axes.get_yticklabels()):
        assert [label.get_text() for label in ticks] == [shown.labels[i] for i in order]
    low, high = axes.images[0].get_clim()
    assert (low + high) / 2 == pytest.approx(100 / table)  # equal players are the middle of the colors


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scores", ["one block", "all ties", "always the same winner", "random"])
@pytest.mark.parametrize(("names", "table", "focus"), [("ab", 2, False), ("abcd", 3, True), ("aaa", 2, False)])
def test_every_plot_of_a_tournament_can_be_drawn(scores: str, names: str, table: int, focus: bool) -> None:
    made = plan(*names, games=2 if scores == "one block" else 12 * table, seed=77, table=table, focus=focus)
    values = {
        "all ties": np.full((made.blocks, *made.seating.shape), 9),
        "always the same winner": winning(made, min),
    }.get(scores)
    result = random_result(made) if values is None else result_of(made, outcomes_of(made, values))
    for make in plots.plots(result).values():
        figure = make(result, "1.2.3")
        assert figure.get_suptitle()
        assert "seed 77" in figure.get_supxlabel()
        figure.canvas.draw()
    assert pyplot.get_fignums() == []


def test_plots_of_fifty_strategies_have_room() -> None:
    """All names, no figures in cells that are too small for them, and axes that a legend leaves something of."""
    result = random_result(plan(*(f"s{i}" for i in range(50)), games=4, table=2), spread=4)
    ranking, matrix, scores = (make(result, "1") for make in plots.plots(result).values())
    assert len(ranking.axes[0].get_yticklabels()) == len(matrix.axes[0].get_xticklabels()) == 50
    assert len(matrix.axes[0].texts) == 0
    assert matrix.get_figheight() <= matrix.get_figwidth()
    scores.canvas.draw()
    assert scores.axes[0].get_position().height * scores.get_figheight() > 2
