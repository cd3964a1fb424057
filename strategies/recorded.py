"""Strategies as a result records them, by name and settings: built again, or refused with the reason."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from simulator.errors import KokSimError, StrategyError
from simulator.games import DEFAULT, find_game
from simulator.strategy import Scored, Solved, Strategy, Weights
from strategies import scored
from strategies.registry import find_strategy

IDEA = "As recorded in a result."


def rebuild(name: str, settings: Mapping[str, Any], game: str = DEFAULT) -> Strategy:
    """The very strategy that was played, of which ``name`` and ``settings`` are known.

    Weights are in the settings themselves, and so is that a solver's values decide: no file is read, and what a file
    or a newer version says now does not matter. A scored function is found again by its name, which runs the user's own
    file if it names one, and must be what it was; nothing in the settings is ever run.

    Parameters
    ----------
    name : str
        ``Strategy.name``.
    settings : mapping
        ``Strategy.settings``, perhaps as read from JSON.
    game : str
        Name of the game that it plays.

    Raises
    ------
    StrategyError
        For settings that are not those of a strategy, or a function that is not the one that was played.
    UnknownNameError
        For a feature or a strategy that does not exist.
    """
    if not isinstance(name, str) or not name:
        raise StrategyError(f"the name of a strategy must be a text such as 'greedy'; got {name!r}")
    keys = set(settings) if isinstance(settings, Mapping) else set()
    if keys == {"weights", "per_roll"}:
        return _weights(name, settings, game)
    if keys == {"parameters", "source"}:
        return _scored(name, settings, game)
    if keys == {"solved"} and settings["solved"] is True:
        return Solved(name, IDEA)
    wanted = "weights and per_roll, or parameters and source, or solved"
    got = sorted(keys, key=str) if keys else type(settings).__name__
    raise StrategyError(f"strategy {name!r}: its settings must be {wanted}; got {got}")


def _weights(name: str, settings: Mapping[str, Any], game: str) -> Weights:
    found = Weights(name, IDEA, _numbers(name, settings, "weights"), _numbers(name, settings, "per_roll"))
    find_game(game).sight.weight_vectors(found)
    return found


def _scored(name: str, settings: Mapping[str, Any], game: str) -> Scored:
    parameters, source = _numbers(name, settings, "parameters"), settings["source"]
    if not isinstance(source, str):
        raise StrategyError(f"strategy {name!r}: source must be a text; got {source!r}")
    found = _found(name, game)
    if not isinstance(found, Scored):
        raise StrategyError(f"strategy {name!r} is not the one that was played: it is no function now, was one then")
    difference = _difference(found, parameters, source)
    if difference:
        raise StrategyError(f"strategy {name!r} is not the one that was played: {difference}")
    return found


def _numbers(name: str, settings: Mapping[str, Any], key: str) -> dict[str, float]:
    """The table of numbers under a key, as it is: a whole number stays one."""
    table = settings[key]
    if not isinstance(table, Mapping):
        raise StrategyError(f"strategy {name!r}: {key} must be names with numbers; got {type(table).__name__}")
    for item, value in table.items():
        if not isinstance(item, str):
            raise StrategyError(f"strategy {name!r}: names in {key} must be texts; got {item!r}")
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not abs(value) <= sys.float_info.max:
            raise StrategyError(f"strategy {name!r}: {item!r} in {key} must be a number; got {value!r}")
    return dict(table)


def _found(name: str, game: str) -> Strategy:
    try:
        return find_strategy(name, game)
    except KokSimError:
        raise
    except ValueError as error:  # a text that cannot be a path
        raise StrategyError(f"strategy {name!r} cannot be looked for: {scored.describe(error)}") from error


def _difference(found: Scored, parameters: Mapping[str, float], source: str) -> str:
    """What is not as it was, empty if nothing."""
    for name, value in parameters.items():
        if name not in found.parameters:
            return f"it has no parameter {name!r} now, which was {value!r} then"
        if found.parameters[name] != value:
            return f"parameter {name!r} is {found.parameters[name]!r} now, {value!r} then"
    for name in found.parameters:
        if name not in parameters:
            return f"it has a parameter {name!r} now, and had none of that name then"
    if not source or not found.source:
        return "its code cannot be found, so nobody can tell whether it is the same"
    if found.source != source:
        return f"its code has changed (source {found.source!r} now, {source!r} then)"
    return ""
