"""The names of strategies: one row for each, and one way to write them.

    greedy                       a shipped or installed strategy
    greedy:jokers=0.5,cells=1    the same with other parameters
    path/to/file.toml            weights of your own
    path/to/file.py:edges        a function of your own; its name may be left out if it is the only one
    path/to/file.py:edges:bonus=0.3

Every game has strategies of its own: the shipped ones are files in ``builtin/``, in a folder for each game. Installed
packages offer theirs through the entry point group of the game (``kok_sim.strategies`` for Keer op Keer,
``kok_sim.strategies.qwixx`` for Qwixx): a function decorated with ``@strategy``, a ``Weights`` or a ``Scored``. A
shipped name goes before an installed one.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module, metadata, resources
from importlib.resources.abc import Traversable
from pathlib import Path

from simulator.errors import StrategyError, UnknownNameError
from simulator.game import Game
from simulator.games import DEFAULT, find_game, game_names
from simulator.strategy import Scored, Solved, Strategy, Weights
from strategies import parameters, scored, weights

SHIPPED = "shipped"
_FILE = re.compile(r"(?P<path>.*?\.(?P<kind>py|toml))(?::(?P<rest>.*))?")


@dataclass(frozen=True)
class Row:
    """A strategy that has a name: where it comes from, and how to get it with its own parameters."""

    name: str
    origin: str
    load: Callable[[], Strategy]


@cache
def rows(game: str = DEFAULT) -> dict[str, Row]:
    """All strategies of a game that have a name, by name: the shipped ones first."""
    played = find_game(game)
    folder = resources.files("strategies") / "builtin" / played.package
    found = {}
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        stem, _, kind = file.name.partition(".")
        name = stem.replace("_", "-")
        if kind == "toml":
            found[name] = Row(name, SHIPPED, partial(_load_shipped, file, name, played))
        elif kind == "py" and stem != "__init__":
            module = f"strategies.builtin.{played.package}.{stem}"
            found[name] = Row(name, SHIPPED, partial(_load_function, module, stem, name))
    for point in sorted(metadata.entry_points(group=played.entry_points), key=lambda p: p.name):
        origin = point.dist.name if point.dist else point.value
        found.setdefault(point.name, Row(point.name, origin, partial(_load_installed, point, played)))
    return found


def strategy_names(game: str = DEFAULT) -> list[str]:
    """Names of the shipped strategies of a game, then of the installed ones."""
    return list(rows(game))


def find_strategy(spec: str, game: str = DEFAULT) -> Strategy:
    """The strategy that a specification names.

    Parameters
    ----------
    spec : str
        As at the head of this file.
    game : str
        Name of the game that it plays.

    Returns
    -------
    Weights, Scored or Solved
        Its ``name`` is the canonical specification: the same strategy is found by it again.

    Raises
    ------
    UnknownNameError
        For a strategy or parameter that does not exist, with the nearest one that does.
    StrategyError
        For a strategy of another game, a file that cannot be read or run, or a value that is not a number.
    """
    played = find_game(game)
    file = _FILE.fullmatch(spec)
    if file is None:
        head, colon, rest = spec.partition(":")
        found, values = _load_named(head, played), rest if colon else None
    elif file["kind"] == "toml":
        found, values = _load_toml(file["path"], played), file["rest"]
    else:
        function, values = _split_function(file["rest"] or "")
        found = scored.load_file(file["path"], function)
    return found if values is None else _with_parameters(found, parameters.parse(values, spec), played)


def _with_parameters(strategy: Strategy, values: dict[str, float], game: Game) -> Strategy:
    if isinstance(strategy, Solved):
        parameters.verify_names(values, (), strategy.name)
        return strategy
    if isinstance(strategy, Scored):
        return scored.with_parameters(strategy, values)
    return weights.with_parameters(strategy, values, game)


def _split_function(rest: str) -> tuple[str, str | None]:
    """Function name (may be empty) and parameters (None without any) of ``name``, ``name:a=1`` or ``a=1``."""
    name, colon, values = rest.partition(":")
    if "=" in name:
        return "", rest
    return name, values if colon else None


def _load_named(name: str, game: Game) -> Strategy:
    row = rows(game.name).get(name)
    if row:
        return row.load()
    if "/" in name or "\\" in name:
        raise StrategyError(f"strategy file {name!r} must end in .toml or .py")
    for other in game_names():
        if name in rows(other):
            raise StrategyError(f"strategy {name!r} plays the game {other!r}, and this is {game.name!r}")
    raise UnknownNameError("strategy", name, strategy_names(game.name))


def _load_shipped(file: Traversable, name: str, game: Game) -> Strategy:
    return weights.parse(file.read_bytes(), name, game)


def _load_function(module: str, function: str, name: str) -> Strategy:
    return scored.make(getattr(import_module(module), function), name)


def _load_toml(path: str, game: Game) -> Strategy:
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise StrategyError(f"cannot read strategy file {path!r}: {error.strerror}") from error
    return weights.parse(content, path, game)


def _load_installed(point: metadata.EntryPoint, game: Game) -> Strategy:
    where = f"installed strategy {point.name!r} ({point.value})"
    try:
        value = point.load()
    except Exception as error:
        raise StrategyError(f"{where} cannot be loaded: {scored.describe(error)}") from error
    if scored.is_marked(value):
        return scored.make(value, point.name)
    if isinstance(value, Scored):
        return dataclasses.replace(value, name=point.name, source=value.source or scored.source_of(value.function))
    if isinstance(value, Weights):
        found = dataclasses.replace(value, name=point.name)
        game.sight.weight_vectors(found)
        return found
    wanted = "a function with @strategy, a Weights or a Scored"
    raise StrategyError(f"{where} must be {wanted}; got {type(value).__name__}")
