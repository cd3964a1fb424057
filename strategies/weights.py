"""Strategies without code: a TOML file with an idea, a text, and weights of features.

    idea = "One sentence that a player would recognise."
    text = "What it does and why, and what each weight is for."   # optional

    [weights]       # weight of each feature in the first roll; those left out weigh 0
    points = 1

    [per_roll]      # optional: what is added to a weight with every further roll
    points = 0.05

In a game that has a solver, ``solved = true`` in place of weights plays by the exact values of positions.

Its parameters are these weights: ``jokers=0.5`` sets the weight of any feature, ``per_roll.jokers=0.01`` its change.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from typing import Any

from simulator.errors import StrategyError, UnknownNameError
from simulator.game import Game
from simulator.strategy import Solved, Weights
from strategies import parameters

KEYS = ("idea", "text", "weights", "per_roll", "solved")
PER_ROLL = "per_roll."


def parse(content: bytes, name: str, game: Game) -> Weights | Solved:
    """The strategy in a TOML file.

    Parameters
    ----------
    content : bytes
        What the file holds, UTF-8.
    name : str
        The specification that finds it again; messages start with it.
    game : Game
        That it plays.

    Raises
    ------
    StrategyError
        For broken TOML, a missing key, a value of the wrong type or out of range.
    UnknownNameError
        For a key or a feature that does not exist, with the nearest one that does.
    """
    try:
        data = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise StrategyError(f"strategy {name!r}: not a text file in UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise StrategyError(f"strategy {name!r}: not valid TOML: {error}") from error
    for key in data:
        if key not in KEYS:
            raise UnknownNameError(f"key in strategy {name!r}:", key, KEYS)
    idea = _text(data, "idea", name)
    if not idea:
        raise StrategyError(
            f'strategy {name!r}: idea must say in one sentence what it does, as in idea = "stars first"'
        )
    if type(data.get("solved", False)) is not bool:
        raise StrategyError(f"strategy {name!r}: solved must be true or false; got {data['solved']!r}")
    if data.get("solved"):
        return _solved(data, name, idea, game)
    found = Weights(
        name, idea, _table(data, "weights", name), _table(data, "per_roll", name), _text(data, "text", name)
    )
    if not found.weights and not found.per_roll:
        raise StrategyError(f"strategy {name!r}: no weights; give at least one feature a weight under [weights]")
    game.sight.weight_vectors(found)
    return found


def _solved(data: dict[str, Any], name: str, idea: str, game: Game) -> Solved:
    if "weights" in data or "per_roll" in data:
        raise StrategyError(f"strategy {name!r}: it plays by the values of a solver, so it has no weights")
    if not game.solvable:
        raise StrategyError(f"strategy {name!r}: {game.title} has no solver; give it weights")
    return Solved(name, idea, _text(data, "text", name))


def _text(data: dict[str, Any], key: str, name: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise StrategyError(f"strategy {name!r}: {key} must be a text in quotes; got {value!r}")
    return value.strip()


def _table(data: dict[str, Any], key: str, name: str) -> dict[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise StrategyError(f"strategy {name!r}: {key} must be a table, [{key}] with lines such as points = 1")
    return value


def with_parameters(strategy: Weights, values: Mapping[str, float], game: Game) -> Weights:
    """The same strategy with some weights set; errors as for a file."""
    known = (*game.sight.names, *(PER_ROLL + name for name in game.sight.names))
    parameters.verify_names(values, known, strategy.name)
    weights = {**strategy.weights, **{k: v for k, v in values.items() if not k.startswith(PER_ROLL)}}
    changes = {k.removeprefix(PER_ROLL): v for k, v in values.items() if k.startswith(PER_ROLL)}
    name = parameters.canonical(strategy.name, values, known)
    changed = dataclasses.replace(strategy, name=name, weights=weights, per_roll={**strategy.per_roll, **changes})
    game.sight.weight_vectors(changed)
    return changed
