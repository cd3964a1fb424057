"""Every switch has a test of its own, and random games try it: what is asked of that is the same in every game.

A test of a switch is named after it (``test_jokers``) and plays with :func:`played`, so that referee and engine both
have their say. It must play two games, or more, between which nothing is changed but the switch: one by the official
value, one by another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from simulator.errors import RulesError
from simulator.rules import RuleSet
from tests.agreement import Setup, same_game

_rules_played: list[RuleSet] = []


def played(setup: Setup) -> dict[str, Any]:
    """The record of a game that referee and engine play alike."""
    _rules_played.append(setup.rules)
    return same_game(setup, 0)


def names(rules: type[RuleSet]) -> set[str]:
    """Names of all switches."""
    return {switch.name for switch in rules.switches()}


def tested(rules: type[RuleSet], tests: Mapping[str, object]) -> set[str]:
    """Names of the switches that have a test of their own among these names of a module."""
    return {name for name in names(rules) if callable(tests.get(f"test_{name}"))}


def contrasted(rules: type[RuleSet], test: str) -> Iterator[None]:
    """Body of a fixture around each test: that of a switch has to play by the official value and by another."""
    _rules_played.clear()
    yield
    name = test.removeprefix("test_")
    if name in names(rules):
        official = {name: getattr(rules(), name)}
        others = [played for played in _rules_played if getattr(played, name) != official[name]]
        assert any(other.changed(official) in _rules_played for other in others), f"{name}: nothing to compare with"


def drawn(setups: Iterable[Setup]) -> dict[str, list[Setup]]:
    """For each switch the setups in which it is not official."""
    found: dict[str, list[Setup]] = {}
    for setup in setups:
        for name in setup.rules.changes():
            found.setdefault(name, []).append(setup)
    return found


def matters(setup: Setup, name: str) -> bool:
    """Whether the games of this setup would be others, or end otherwise, if one switch were official."""
    try:
        official = setup.rules.changed({name: getattr(type(setup.rules)(), name)})
    except RulesError:  # the other switches allow no such game
        return False
    ours, theirs = (one.table().play(one.block, 1) for one in (setup, setup._replace(rules=official)))
    return not all(
        np.array_equal(getattr(ours, part), getattr(theirs, part)) for part in ("parts", "shares", "rolls", "stopped")
    )
