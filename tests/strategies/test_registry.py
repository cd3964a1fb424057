"""One way to write strategies: what is found by which specification, and what is said of those that are not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from simulator.errors import KokSimError, StrategyError, UnknownNameError
from simulator.keer_op_keer.features import weight_vectors
from simulator.strategy import Scored, Weights
from strategies import find_strategy, registry, strategy, strategy_names

SHIPPED = {
    "random",
    "greedy",
    "cautious",
    "save-jokers",
    "rush-h",
    "outward",
    "columns",
    "colors",
    "stars",
    "tidy",
    "blocker",
}
TOML = 'idea = "cells"\n[weights]\ncells = 1\n'
PY = """
from strategies import strategy

@strategy
def edges(view, move, bonus=0.3, price=2):
    "Far cells."
    return move.points + bonus * move.distance

@strategy
def mean(view, move):
    return -move.replies
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text(TOML)
    Path("my.py").write_text(PY)
    return tmp_path


def test_all_shipped_strategies_are_registered() -> None:
    assert set(strategy_names()) == SHIPPED


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_every_shipped_strategy_explains_itself(name: str) -> None:
    found = find_strategy(name)
    assert isinstance(found, Weights)
    assert found.name == name
    assert found.idea.endswith(".")
    assert all(feature in found.text for feature in found.weights)
    weight_vectors(found)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("greedy", "greedy"),
        ("greedy:jokers=0.50", "greedy:jokers=0.5"),
        ("greedy: jokers = 1 , cells = 2.0 ", "greedy:cells=2,jokers=1"),
        ("greedy:per_roll.jokers=1e-2,jokers=1", "greedy:jokers=1,per_roll.jokers=0.01"),
        ("my.toml", "my.toml"),
        ("./my.toml:stars=3", "./my.toml:stars=3"),
        ("my.py:edges", "my.py:edges"),
        ("my.py:edges:price=4,bonus=1", "my.py:edges:bonus=1,price=4"),
    ],
)
def test_the_name_of_a_strategy_finds_it_again(spec: str, name: str) -> None:
    found = find_strategy(spec)
    assert found.name == name
    again = find_strategy(found.name)
    assert again.name == name
    assert again.settings == found.settings


def test_parameters_of_weights_are_weights() -> None:
    found = find_strategy("greedy:jokers=0.5,points=2,per_roll.cells=-0.01")
    assert isinstance(found, Weights)
    assert found.weights == {"points": 2, "cells": 0.1, "jokers": 0.5}
    assert found.per_roll == {"cells": -0.01}


def test_parameters_of_a_function_are_its_arguments() -> None:
    found = find_strategy("my.py:edges:bonus=1")
    assert isinstance(found, Scored)
    assert found.parameters == {"bonus": 1.0, "price": 2.0}


def test_the_only_function_of_a_file_needs_no_name() -> None:
    Path("one.py").write_text(PY.partition("@strategy\ndef mean")[0])
    assert find_strategy("one.py").name == "one.py:edges"
    assert find_strategy("one.py:bonus=2").name == "one.py:edges:bonus=2"


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("gready", UnknownNameError, "unknown strategy 'gready'; did you mean 'greedy'?"),
        ("Greedy", UnknownNameError, "did you mean 'greedy'?"),
        ("", UnknownNameError, "known: blocker, cautious"),
        ("greedy:joker=1", UnknownNameError, "unknown parameter of greedy: 'joker'; did you mean 'jokers'?"),
        ("greedy:per_roll.joker=1", UnknownNameError, "did you mean 'per_roll.jokers'?"),
        ("greedy:jokers=abc", StrategyError, "jokers must be a number such as 2 or -0.5; got 'abc'"),
        ("greedy:jokers=", StrategyError, "jokers must be a number such as 2 or -0.5; got ''"),
        ("greedy:jokers=nan", StrategyError, "got 'nan'"),
        ("greedy:jokers=inf", StrategyError, "got 'inf'"),
        ("greedy:jokers=2000", StrategyError, "must be a number from -1000 to 1000; got 2000.0"),
        ("greedy:jokers=1,jokers=2", StrategyError, "jokers is given twice"),
        ("greedy:", StrategyError, "write name=number"),
        ("greedy:jokers", StrategyError, "'jokers' is not a parameter; write name=number"),
        ("greedy:=1", StrategyError, "write name=number"),
        ("none.toml", StrategyError, "cannot read strategy file 'none.toml': No such file or directory"),
        ("none.py", StrategyError, "cannot read strategy file 'none.py': No such file or directory"),
        ("./greedy", StrategyError, "strategy file './greedy' must end in .toml or .py"),
        ("my.toml:joker=1", UnknownNameError, "unknown parameter of my.toml: 'joker'; did you mean 'jokers'?"),
        ("my.py", StrategyError, "my.py: 2 strategies in it; name one of my.py:edges, my.py:mean"),
        ("my.py:edge", UnknownNameError, "unknown strategy in my.py: 'edge'; did you mean 'edges'?"),
        ("my.py:edges:bonos=1", UnknownNameError, "unknown parameter of my.py:edges: 'bonos'; did you mean 'bonus'?"),
        ("my.py:mean:a=1", StrategyError, "strategy 'my.py:mean' has no parameters; got 'a'"),
    ],
)
def test_one_clear_line(spec: str, error: type[KokSimError], message: str) -> None:
    with pytest.raises(error) as caught:
        find_strategy(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


class TestEntryPoints:
    """Strategies that installed packages offer."""

    @pytest.fixture(autouse=True)
    def offer(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        @strategy
        def far(view: object, move: SimpleNamespace, bonus: float = 1.0) -> float:
            """Far cells."""
            return float(bonus * move.distance)

        offered = {
            "far": far,
            "few": Weights("x", "Few cells.", {"cells": -1}),
            "made": Scored("y", "Any.", len),
            "ready": Scored("y", "Any.", far),
            "own": Scored("y", "Any.", far, source="mine"),
            "wrong": Weights("x", "Wrong.", {"cell": -1}),
            "odd": 3,
            "greedy": far,
        }

        class Point(SimpleNamespace):
            def load(self) -> object:
                if self.name == "broken":
                    raise ImportError("no module named 'gone'")
                return offered[self.name]

        points = [Point(name=n, value=f"pack:{n}", dist=SimpleNamespace(name="pack")) for n in (*offered, "broken")]
        monkeypatch.setattr(metadata, "entry_points", lambda group: points if group == "kok_sim.strategies" else [])
        registry.rows.cache_clear()
        yield
        monkeypatch.undo()
        registry.rows.cache_clear()

    def test_functions_weights_and_scored_are_found(self) -> None:
        assert {"far", "few", "made"} < set(strategy_names())
        assert find_strategy("far:bonus=2").name == "far:bonus=2"
        assert find_strategy("few:stars=1").settings["weights"] == {"cells": -1, "stars": 1}
        assert find_strategy("made").name == "made"

    def test_their_source_is_that_of_their_file(self) -> None:
        here = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]
        assert find_strategy("far").settings["source"] == here
        assert find_strategy("far:bonus=2").settings["source"] == here
        assert find_strategy("ready").settings["source"] == here
        assert find_strategy("own").settings["source"] == "mine"
        assert find_strategy("made").settings["source"] == ""

    def test_a_shipped_name_goes_first(self) -> None:
        assert isinstance(find_strategy("greedy"), Weights)

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            (
                "odd",
                "installed strategy 'odd' (pack:odd) must be a function with @strategy, a Weights or a Scored; got int",
            ),
            (
                "broken",
                "installed strategy 'broken' (pack:broken) cannot be loaded: ImportError: no module named 'gone'",
            ),
            ("wrong", "unknown feature in strategy 'wrong': 'cell'; did you mean 'cells'?"),
        ],
    )
    def test_what_cannot_be_used_is_said(self, name: str, message: str) -> None:
        with pytest.raises(KokSimError) as caught:
            find_strategy(name)
        assert str(caught.value) == message
