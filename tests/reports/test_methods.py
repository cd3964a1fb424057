"""The description of the methods covers every figure, and shows the rating table as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reports.document import document
from reports.measures import measures
from simulator.experiments.plan import Plan
from simulator.experiments.stopping import Sprt, Until
from simulator.games import find_game, game_names
from simulator.keer_op_keer.ratings import BANDS
from strategies import find_strategy
from tests.experiments.fakes import plan
from tests.reports.made import random_result

METHODS = (Path(__file__).parents[2] / "docs" / "methods.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "kind",
    [{}, {"solo": True}, {"table": 2}, {"stop": Until(0.1)}, {"stop": Sprt(0.4, 0.6)}],
    ids=["one table", "solo", "tournament", "until", "sprt"],
)
def test_every_figure_is_described(kind: dict[str, Any]) -> None:
    results = json.loads(json.dumps(document(random_result(plan("a", "b", **kind)), version="1")))["results"]
    parts = (results["strategies"][1], results["game"], results["pairs"][0], results.get("standings"), results["stop"])
    names = {"pairs", *("met" for _ in results.get("met", [])), *(name for part in parts for name in part or {})}
    names -= {"label", "measure", "of", "minus", "value", "se"}  # described by the heading of the pairs
    names -= {"decision"}  # in the words of the note
    assert [name for name in sorted(names) if f"`{name}`" not in METHODS] == []


def test_rating_table() -> None:
    for band in BANDS:
        assert f"| {band.scores} | {band.stars} | {band.name} | {band.dutch} |" in METHODS


@pytest.mark.parametrize("solo", [False, True])
@pytest.mark.parametrize("game", game_names())
def test_every_measure_is_described(game: str, solo: bool) -> None:
    played = find_game(game)
    two = tuple(find_strategy(name, game) for name in played.duel)
    sheets = (played.sheets.load(played.sheets.names()[0]),) * 2 if played.sheets else ()
    named = [measure.name for measure in measures(Plan(two, sheets, 10, solo=solo, game=game))]
    named = [name for name in named if not name.startswith(("from_", "ended_", "win ", "score "))]
    assert [name for name in [*named, "skill"] if f"`{name}`" not in METHODS] == []
    for count in played.watch.counts:
        assert f"| `{count.name}` | {played.title} |" in METHODS
    for strategy in played.duel:
        assert f"`{strategy}`" in METHODS
