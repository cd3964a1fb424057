"""Strategies from name and settings as a result file holds them: the very same again, or one line that says why not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from simulator.errors import KokSimError, StrategyError, UnknownNameError
from simulator.strategy import Scored, Weights
from strategies import find_strategy, rebuild, registry, strategy

PY = """
from strategies import strategy

@strategy
def edges(view, move, bonus=0.3, price=2):
    return move.points + bonus * move.distance
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("my.py").write_text(PY)
    Path("my.toml").write_text('idea = "cells"\n[weights]\ncells = 1\n[per_roll]\nstars = -0.5\n')
    return tmp_path


def recorded(spec: str) -> tuple[str, Any]:
    """Name and settings of a strategy after their way through JSON."""
    found = find_strategy(spec)
    return found.name, json.loads(json.dumps(found.settings))


@pytest.mark.parametrize("spec", ["greedy", "greedy:jokers=0.1,per_roll.cells=-0.01", "my.toml", "my.toml:stars=3"])
def test_weights_are_made_of_what_is_recorded(spec: str) -> None:
    name, settings = recorded(spec)
    Path("my.toml").unlink()
    again = rebuild(name, settings)
    assert isinstance(again, Weights)
    assert (again.name, again.settings) == (name, settings)
    assert json.dumps(again.settings) == json.dumps(settings)  # 1 does not become 1.0


def test_weights_that_a_name_has_now_do_not_matter() -> None:
    again = rebuild("greedy", {"weights": {"stars": 7}, "per_roll": {"cells": 0.25}})
    assert again == Weights("greedy", "As recorded in a result.", {"stars": 7}, {"cells": 0.25})


@pytest.mark.parametrize("spec", ["my.py", "my.py:edges:bonus=0.1,price=-3"])
def test_a_function_is_found_again(spec: str) -> None:
    name, settings = recorded(spec)
    again = rebuild(name, settings)
    assert isinstance(again, Scored)
    assert (again.name, again.settings) == (name, settings)
    assert again.function(None, SimpleNamespace(points=1, distance=10), bonus=2) == 21


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("bonus=0.3", "bonus=0.4", "parameter 'bonus' is 0.4 now, 0.3 then"),
        (", price=2", "", "it has no parameter 'price' now, which was 2.0 then"),
        ("price=2", "price=2, more=1", "it has a parameter 'more' now, and had none of that name then"),
        ("move.points +", "move.points -", "its code has changed (source '{now}' now, '{then}' then)"),
        ("", "# a remark\n", "its code has changed (source '{now}' now, '{then}' then)"),
    ],
)
def test_a_function_that_has_changed_is_refused(old: str, new: str, message: str) -> None:
    name, settings = recorded("my.py:edges")
    Path("my.py").write_text(PY.replace(old, new, 1))
    now = find_strategy("my.py:edges").settings["source"]
    assert now != settings["source"]
    with pytest.raises(StrategyError) as caught:
        rebuild(name, settings)
    wanted = message.format(now=now, then=settings["source"])
    assert str(caught.value) == f"strategy 'my.py:edges' is not the one that was played: {wanted}"


def test_a_module_beside_the_file_counts() -> None:
    Path("my.py").write_text(PY + "import kok_sim_test_helper\n")
    Path("kok_sim_test_helper.py").write_text("VALUE = 1\n")
    name, settings = recorded("my.py:edges")
    Path("kok_sim_test_helper.py").write_text("VALUE = 20\n")
    with pytest.raises(StrategyError, match="its code has changed"):
        rebuild(name, settings)
    Path("kok_sim_test_helper.py").write_text("VALUE = 1\n")
    assert rebuild(name, settings).settings == settings


def test_a_file_that_is_gone() -> None:
    name, settings = recorded("my.py:edges")
    Path("my.py").unlink()
    with pytest.raises(StrategyError, match=r"^cannot read strategy file 'my\.py': No such file or directory$"):
        rebuild(name, settings)


def test_weights_where_a_function_was() -> None:
    settings = {"parameters": {}, "source": "1234567812345678"}
    with pytest.raises(StrategyError, match=r"^strategy 'greedy' is not .*: it is no function now, was one then$"):
        rebuild("greedy", settings)


def test_nothing_in_a_name_is_run() -> None:
    with pytest.raises(UnknownNameError, match="unknown strategy"):
        rebuild("__import__('pathlib').Path('made').touch()", {"parameters": {}, "source": ""})
    assert not Path("made").exists()


class TestInstalled:
    """Functions of an installed package are found by name, and are compared by their module's file."""

    @pytest.fixture(autouse=True)
    def offer(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        @strategy
        def far(view: object, move: SimpleNamespace, bonus: float = 1.0) -> float:
            return float(bonus * move.distance)

        point = SimpleNamespace(name="far", value="pack:far", dist=None, load=lambda: far)
        monkeypatch.setattr(metadata, "entry_points", lambda group: [point])
        registry.rows.cache_clear()
        yield
        monkeypatch.undo()
        registry.rows.cache_clear()

    def test_the_same_is_found_again(self) -> None:
        name, settings = recorded("far:bonus=2")
        assert rebuild(name, settings).settings == settings

    def test_another_version_is_refused(self) -> None:
        name, settings = recorded("far:bonus=2")
        settings["source"] = "0" * 16
        with pytest.raises(
            StrategyError, match=r"far:bonus=2' is not .* changed \(source '\w{16}' now, '0{16}' then\)$"
        ):
            rebuild(name, settings)


def weights(table: object) -> dict[str, Any]:
    return {"weights": table, "per_roll": {}}


def parameters(table: object) -> dict[str, Any]:
    return {"parameters": table, "source": ""}


NAN, HUGE = float("nan"), 10**400


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("a", None, "its settings must be weights and per_roll, or parameters and source, or solved; got NoneType"),
        ("a", [], "or parameters and source, or solved; got list"),
        ("a", {}, "or parameters and source, or solved; got dict"),
        ("a", {"weights": {}}, "or parameters and source, or solved; got ['weights']"),
        ("a", {"weights": {}, "source": ""}, "got ['source', 'weights']"),
        ("a", {"parameters": {}}, "got ['parameters']"),
        ("a", {**weights({}), "more\n": 1}, r"got ['more\n', 'per_roll', 'weights']"),
        ("a", {**weights({}), **parameters({})}, "got ['parameters', 'per_roll', 'source', 'weights']"),
        ("a", {1: 2, "b": 3}, "got [1, 'b']"),
        ("", weights({}), "the name of a strategy must be a text such as 'greedy'; got ''"),
        (None, weights({}), "the name of a strategy must be a text such as 'greedy'; got None"),
        (3, parameters({}), "the name of a strategy must be a text such as 'greedy'; got 3"),
        ("a", weights(None), "strategy 'a': weights must be names with numbers; got NoneType"),
        ("a", weights([["cells", 1]]), "weights must be names with numbers; got list"),
        ("a", {"weights": {}, "per_roll": 1}, "per_roll must be names with numbers; got int"),
        ("a", weights({"cells": "1"}), "'cells' in weights must be a number; got '1'"),
        ("a", weights({"cells": True}), "'cells' in weights must be a number; got True"),
        ("a", weights({"cells": None}), "'cells' in weights must be a number; got None"),
        ("a", weights({"cells": NAN}), "'cells' in weights must be a number; got nan"),
        ("a", weights({"cells": -float("inf")}), "'cells' in weights must be a number; got -inf"),
        ("a", weights({"cells": HUGE}), "'cells' in weights must be a number; got 1000"),
        ("a", weights({"cells": 1001}), "weight of cells must be a number from -1000 to 1000; got 1001"),
        ("a", {"weights": {}, "per_roll": {"cells": 11}}, "change per roll of cells must be a number from -10 to 10"),
        ("a", weights({3: 1}), "names in weights must be texts; got 3"),
        ("a\n", weights({"cell": 1}), r"unknown feature in strategy 'a\n': 'cell'; did you mean 'cells'?"),
        ("my.py:edges", parameters("bonus"), "parameters must be names with numbers; got str"),
        ("my.py:edges", parameters({"bonus": "0.3"}), "'bonus' in parameters must be a number; got '0.3'"),
        ("my.py:edges", parameters({"bonus": False}), "'bonus' in parameters must be a number; got False"),
        ("my.py:edges", parameters({"bonus": NAN}), "'bonus' in parameters must be a number; got nan"),
        ("my.py:edges", parameters({"bonus": HUGE}), "'bonus' in parameters must be a number; got 1000"),
        ("my.py:edges", parameters({"\n": 1}), r"it has no parameter '\n' now, which was 1 then"),
        ("my.py:edges", {"parameters": {}, "source": None}, "source must be a text; got None"),
        ("my.py:edgy", parameters({}), "unknown strategy in my.py: 'edgy'; did you mean 'edges'?"),
        ("my.py:edges:bonus=", parameters({}), "bonus must be a number such as 2 or -0.5; got ''"),
        ("a\0.py", parameters({}), r"strategy 'a\x00.py' cannot be looked for: ValueError: embedded null byte"),
        ("a\0.toml", parameters({}), r"strategy 'a\x00.toml' cannot be looked for: ValueError: embedded null byte"),
        ("\ud800.py", parameters({}), r"strategy '\ud800.py' cannot be looked for: UnicodeEncodeError"),
        ("x" * 5000 + ".py", parameters({}), "File name too long"),
        ("x" * 5000 + ".toml", parameters({}), "File name too long"),
        ("a\nb.py", parameters({}), r"unknown strategy 'a\nb.py'"),
    ],
)
def test_one_clear_line(name: Any, settings: Any, message: str) -> None:
    with pytest.raises(KokSimError) as caught:
        rebuild(name, settings)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
