"""The description of the methods covers every figure, and shows the rating table as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reports.document import document
from simulator.keer_op_keer.ratings import BANDS
from tests.experiments.fakes import plan
from tests.reports.made import random_result

METHODS = (Path(__file__).parents[2] / "docs" / "methods.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("solo", [False, True])
def test_every_figure_is_described(solo: bool) -> None:
    data = json.loads(json.dumps(document(random_result(plan("a", "b", solo=solo)), version="1")))
    results = data["results"]
    names = {*results["strategies"][1], *results["game"], "pairs", *results["pairs"][0]} - {"label"}
    names -= {"measure", "of", "minus", "value", "se"}  # described by the heading of the pairs
    assert [name for name in sorted(names) if f"`{name}`" not in METHODS] == []


def test_rating_table() -> None:
    for band in BANDS:
        assert f"| {band.scores} | {band.stars} | {band.name} | {band.dutch} |" in METHODS
