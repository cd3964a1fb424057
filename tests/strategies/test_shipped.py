"""What holds for every shipped strategy of every game: it loads, and what it says of itself is true."""

from __future__ import annotations

import re

import pytest

from simulator.games import find_game, game_names
from simulator.strategy import Scored, Solved, Weights
from strategies import find_strategy, rebuild, strategy_names
from strategies.registry import SHIPPED, rows

ALL = [(game, name) for game in game_names() for name, row in rows(game).items() if row.origin == SHIPPED]
NAMED = re.compile(r"^([a-z_][\w.]*): ", re.MULTILINE)  # "gap: every number skipped is lost."


@pytest.mark.parametrize(("game", "name"), ALL)
def test_it_says_what_it_does(game: str, name: str) -> None:
    found = find_strategy(name, game)
    assert found.name == name
    assert len(found.idea) > 20
    assert found.idea.endswith(".")
    assert "\n" not in found.idea
    assert found.text


@pytest.mark.parametrize(("game", "name"), ALL)
def test_the_parameters_that_its_text_names_are_those_that_it_has(game: str, name: str) -> None:
    found = find_strategy(name, game)
    named = set(NAMED.findall(found.text))
    if isinstance(found, Solved):
        assert named == set()
    elif isinstance(found, Scored):
        assert named == set(found.parameters)
    else:
        assert named <= {*found.weights, *found.per_roll}
        assert set(found.weights) <= set(find_game(game).sight.names)


@pytest.mark.parametrize(("game", "name"), ALL)
def test_it_is_found_again_by_what_a_result_records(game: str, name: str) -> None:
    found = find_strategy(name, game)
    again = rebuild(found.name, found.settings, game)
    assert type(again) is type(found)
    assert (again.name, again.settings) == (found.name, found.settings)


@pytest.mark.parametrize(("game", "name"), ALL)
def test_its_parameters_can_be_set(game: str, name: str) -> None:
    found = find_strategy(name, game)
    known = {Weights: lambda s: s.weights, Scored: lambda s: s.parameters, Solved: lambda s: {}}[type(found)](found)
    for key in known:
        changed = find_strategy(f"{name}:{key}=0.125", game)
        assert changed.name == f"{name}:{key}=0.125"
        assert changed.settings != found.settings


def test_every_game_can_be_played_at_random() -> None:
    for game in game_names():
        assert find_strategy("random", game).settings == {"weights": {"luck": 1}, "per_roll": {}}
        assert strategy_names(game) == list(rows(game))
