"""The ``param=value,param=value`` of a specification: read, checked against what a strategy has, and written back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from simulator.errors import StrategyError, UnknownNameError


def parse(text: str, spec: str) -> dict[str, float]:
    """Values of ``"a=1,b=2.5"`` by name; ``spec`` is the whole specification, for the message of a `StrategyError`."""
    values: dict[str, float] = {}
    for item in text.split(","):
        name, equals, number = (part.strip() for part in item.partition("="))
        if not name or not equals:
            raise StrategyError(
                f"strategy {spec!r}: {item!r} is not a parameter; write name=number, separated by commas"
            )
        if name in values:
            raise StrategyError(f"strategy {spec!r}: {name} is given twice")
        values[name] = _number(name, number, spec)
    return values


def _number(name: str, text: str, spec: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise StrategyError(f"strategy {spec!r}: {name} must be a number such as 2 or -0.5; got {text!r}")
    return value


def verify_names(values: Mapping[str, float], known: Iterable[str], head: str) -> None:
    """Raise for a parameter that strategy ``head`` does not have, with the nearest one that it has."""
    names = list(known)
    for name in values:
        if not names:
            raise StrategyError(f"strategy {head!r} has no parameters; got {name!r}")
        if name not in names:
            raise UnknownNameError(f"parameter of {head}:", name, names)


def canonical(head: str, values: Mapping[str, float], order: Iterable[str]) -> str:
    """The specification of ``head`` with ``values``, always in the same order and in the shortest exact form."""
    items = [f"{name}={shortest(values[name])}" for name in order if name in values]
    return f"{head}:{','.join(items)}" if items else head


def shortest(value: float) -> str:
    """The shortest text that reads back as ``value``: ``"2"``, ``"0.1"``."""
    return repr(float(value)).removesuffix(".0")
