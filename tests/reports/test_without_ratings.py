"""A solo result of a game that has no official ratings: whole in every form and plot, and none speaks of ratings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reports import frames, plots
from reports.document import differences, document, read_document, results
from reports.files import write_report
from reports.html import as_html
from reports.sentences import sentences
from reports.statistics import figures
from reports.tables import FORMATS, text
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.run import run
from simulator.games import find_game, game_names
from simulator.strategy import Weights

WITHOUT = [name for name in game_names() if not find_game(name).bands]


@pytest.fixture(params=[(game, count) for game in WITHOUT for count in (1, 3)], ids=str, scope="module")
def result(request: pytest.FixtureRequest) -> Result:
    game, count = request.param
    names = [Weights(f"mine{i}", "Any.", {"luck": 1, "points": i / 4}) for i in range(count)]
    boards = find_game(game).sheets
    sheets = (boards.load(boards.names()[0]),) * count if boards else ()
    return run(Plan(tuple(names), sheets, 200, 3, solo=True, game=game), threads=1)


def test_there_is_such_a_game() -> None:
    assert WITHOUT


@pytest.mark.parametrize("form", FORMATS)
def test_every_form_is_whole(result: Result, form: str) -> None:
    shown = text(result, version="1.2.3", form=form)
    assert "mine0" in shown
    assert "rating" not in shown.lower()
    assert "nan" not in shown.lower().replace("nan-", "")
    assert ("mean score" in shown) or ("mean_score" in shown)
    for part in result.parts:
        assert part in shown


def test_every_plot_can_be_drawn_and_ratings_are_none_of_them(result: Result) -> None:
    drawn = plots.plots(result)
    assert list(drawn) == (["scores"] if len(result.plan.strategies) == 1 else ["scores", "margins"])
    for make in drawn.values():
        figure = make(result, "1.2.3")
        figure.canvas.draw()
        assert find_game(result.plan.game).title in figure.get_supxlabel()


def test_words_tables_and_html(result: Result) -> None:
    found = figures(result)
    assert "mine0" in " ".join(sentences(found))
    assert len(frames.summary(found)) == len(result.plan.strategies)
    assert not [column for column in frames.summary(found).columns if "rating" in column or "band" in column]
    assert int(frames.scores(result).to_numpy().sum()) == 200 * len(result.plan.strategies)
    html = as_html(result, "1.2.3")
    assert html.count("<table>") >= 1
    assert "ating" not in html


def test_files_and_the_way_back(result: Result, tmp_path: Path) -> None:
    written = write_report(result, tmp_path, version="1.2.3")
    assert {path.name for path in written} == {path.name for path in tmp_path.iterdir()}
    assert not [path for path in written if "rating" in path.name]
    kept = read_document(tmp_path / "summary.json")
    assert differences(kept["results"], results(result))[1] == []
    fresh = json.loads(json.dumps(document(result, version="1.2.3")))
    assert kept["results"] == fresh["results"]
    assert kept["experiment"] == fresh["experiment"]
