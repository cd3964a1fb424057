"""Two results are compared value by value, and a document is read back as it was written."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from reports.document import differences, document, dumps, read_document
from simulator.experiments.stopping import Sprt, Until
from tests.experiments.fakes import plan
from tests.reports.made import random_result


def results(**kind: Any) -> dict[str, Any]:
    """The results of a run as they are read back from a file."""
    found: dict[str, Any] = json.loads(dumps(document(random_result(plan(*"abc", **kind)), version="1")["results"]))
    return found


@pytest.mark.parametrize("kind", [{}, {"table": 2}, {"solo": True}, {"solo": True, "levels": 4}])
def test_a_result_does_not_differ_from_itself(kind: dict[str, Any]) -> None:
    found = results(**kind)
    count, lines = differences(found, document(random_result(plan(*"abc", **kind)), version="1")["results"])
    assert lines == []
    assert count > 100


def test_a_changed_value_is_named_with_its_place_and_both_values() -> None:
    then = results(table=2)
    now = copy.deepcopy(then)
    now["strategies"][1]["elo"]["value"] = 12.5
    old = then["strategies"][1]["elo"]["value"]
    assert differences(then, now)[1] == [f"strategies 2 elo value: 12.5 now, {old} then"]


def test_values_that_are_there_only_once() -> None:
    then = {"a": 1, "b": {"c": "x"}}
    assert differences(then, {"a": 1, "b": {"c": "x", "d": None}}) == (3, ["b d: null now, nothing then"])
    assert differences(then, {"a": 1, "b": {}}) == (3, ['b c: nothing now, "x" then', "b: {} now, nothing then"])
    assert differences([1, 2], [1]) == (2, ["2: nothing now, 2 then"])


def test_a_value_that_is_no_container() -> None:
    assert differences(1, 1) == (1, [])
    assert differences(1, 2) == (1, ["all: 2 now, 1 then"])


def test_tuples_and_lists_are_the_same_as_in_a_file() -> None:
    assert differences({"rank": [1, 2]}, {"rank": (1, 2)}) == (2, [])


def test_another_seed_gives_other_results() -> None:
    one, other = (document(random_result(plan("a", "b"), seed=seed), version="1")["results"] for seed in (1, 2))
    count, lines = differences(json.loads(dumps(one)), other)
    assert 0 < len(lines) <= count
    assert all(": " in line and line.endswith(" then") and "\n" not in line for line in lines)


def test_the_counts_by_block_share_add_up() -> None:
    found = results(games=300)
    assert sum(found["block_counts"].values()) == 100
    shares = sum(float(share) * blocks for share, blocks in found["block_counts"].items()) / (3 * 100)
    assert shares == pytest.approx(found["strategies"][0]["win_share"]["value"])
    assert "block_counts" not in results(games=300, table=2)


def test_the_stopping_rule_tells_how_far_it_came() -> None:
    assert results()["stop"] is None
    until = results(stop=Until(0.1))["stop"]
    assert set(until) == {"decision", "half_width"}
    assert 0.05 < until["half_width"] < 0.3
    sprt = results(stop=Sprt(0.3, 0.4))["stop"]
    assert set(sprt) == {"decision", "log_likelihood_ratio"}


@pytest.mark.parametrize(
    "kind",
    [{}, {"table": 2}, {"table": 2, "focus": True, "independent": True}, {"solo": True}, {"solo": True, "levels": 4}],
)
def test_a_document_is_read_back(tmp_path: Path, kind: dict[str, Any]) -> None:
    written = document(random_result(plan(*"abc", **kind)), version="1")
    path = tmp_path / "summary.json"
    path.write_text(dumps(written), encoding="utf-8")
    assert read_document(path) == json.loads(dumps(written))
