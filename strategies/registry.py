"""The names of strategies: one row for each, and one way to write them.

    greedy                       a shipped or installed strategy
    greedy:jokers=0.5,cells=1    the same with other parameters
    path/to/file.toml            weights of your own
    path/to/file.py:edges        a function of your own; its name may be left out if it is the only one
    path/to/file.py:edges:bonus=0.3

Installed packages offer strategies through the entry point group ``kok_sim.strategies``: a function decorated with
``@strategy``, a ``Weights`` or a ``Scored``. A shipped name goes before an installed one.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from pathlib import Path

from simulator.errors import StrategyError, UnknownNameError
from simulator.keer_op_keer.features import weight_vectors
from simulator.strategy import Scored, Strategy, Weights
from strategies import parameters, scored, weights

GROUP = "kok_sim.strategies"
SHIPPED = "shipped"
_FILE = re.compile(r"(?P<path>.*?\.(?P<kind>py|toml))(?::(?P<rest>.*))?")


@dataclass(frozen=True)
class Row:
    """A strategy that has a name: where it comes from, and how to get it with its own parameters."""

    name: str
    origin: str
    load: Callable[[], Strategy]


@cache
def rows() -> dict[str, Row]:
    """All strategies that have a name, by name: the shipped ones first."""
    folder = resources.files("strategies") / "builtin" / "keer_op_keer"
    found = {}
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            name = file.name.removesuffix(".toml")
            found[name] = Row(name, SHIPPED, partial(_load_shipped, file, name))
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda p: p.name):
        origin = point.dist.name if point.dist else point.value
        found.setdefault(point.name, Row(point.name, origin, partial(_load_installed, point)))
    return found


def strategy_names() -> list[str]:
    """Names of the shipped strategies, then of the installed ones."""
    return list(rows())


def find_strategy(spec: str) -> Strategy:
    """The strategy that a specification names.

    Parameters
    ----------
    spec : str
        As at the head of this file.

    Returns
    -------
    Weights or Scored
        Its ``name`` is the canonical specification: the same strategy is found by it again.

    Raises
    ------
    UnknownNameError
        For a strategy or parameter that does not exist, with the nearest one that does.
    StrategyError
        For a file that cannot be read or run, or a value that is not a number.
    """
    file = _FILE.fullmatch(spec)
    if file is None:
        head, colon, rest = spec.partition(":")
        found, values = _load_named(head), rest if colon else None
    elif file["kind"] == "toml":
        found, values = _load_toml(file["path"]), file["rest"]
    else:
        function, values = _split_function(file["rest"] or "")
        found = scored.load_file(file["path"], function)
    return found if values is None else _with_parameters(found, parameters.parse(values, spec))


def _with_parameters(strategy: Strategy, values: dict[str, float]) -> Strategy:
    if isinstance(strategy, Scored):
        return scored.with_parameters(strategy, values)
    return weights.with_parameters(strategy, values)


def _split_function(rest: str) -> tuple[str, str | None]:
    """Function name (may be empty) and parameters (None without any) of ``name``, ``name:a=1`` or ``a=1``."""
    name, colon, values = rest.partition(":")
    if "=" in name:
        return "", rest
    return name, values if colon else None


def _load_named(name: str) -> Strategy:
    row = rows().get(name)
    if row:
        return row.load()
    if "/" in name or "\\" in name:
        raise StrategyError(f"strategy file {name!r} must end in .toml or .py")
    raise UnknownNameError("strategy", name, strategy_names())


def _load_shipped(file: Traversable, name: str) -> Weights:
    return weights.parse(file.read_bytes(), name)


def _load_toml(path: str) -> Weights:
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise StrategyError(f"cannot read strategy file {path!r}: {error.strerror}") from error
    return weights.parse(content, path)


def _load_installed(point: metadata.EntryPoint) -> Strategy:
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
        weight_vectors(found)
        return found
    wanted = "a function with @strategy, a Weights or a Scored"
    raise StrategyError(f"{where} must be {wanted}; got {type(value).__name__}")
