"""Strategies on their way to other processes, which cannot import a user's file.

numba pickles the functions that it compiles with a cloudpickle of its own, so everything is pickled with that one: with
another one around it, a class of the user's file that both kinds of functions use would arrive twice.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from io import BytesIO
from pickle import PicklingError
from typing import Any

from simulator.errors import StrategyError
from simulator.strategy import Scored
from strategies.scored import MODULE_PREFIX, describe


def pack(value: object) -> bytes:
    """``value`` (a strategy, or anything that holds some, such as a plan) as bytes for another process.

    ``pickle.loads`` opens them where the same versions of Python, kok-sim, numba and whatever else a user's file
    imports are installed. As with every pickle, opening them runs code: open only what a process of your own has sent.

    A function of a user's file travels with all that it uses of the file, and with the modules beside the file that it
    was the first to import, all as they are now. Functions with numba's ``@njit`` or ``@vectorize`` are compiled anew
    where they arrive.

    Does not travel: what cannot be pickled, such as a lock or a file open for writing; a module beside the file that
    holds such a thing, even unused; modules beside it that import each other; functions with ``@njit`` that call
    themselves. What ``register_jitable`` and ``overload`` have told numba stays behind: a function that needs it
    arrives, but cannot be compiled there. Every unpacking makes a new function, which is compiled again: unpack once
    in a process.

    Raises
    ------
    StrategyError
        If something in it cannot travel, with the reason.
    """
    by_value = import_module("numba.cloudpickle").register_pickle_by_value
    for name, module in list(sys.modules.items()):
        if name.startswith(MODULE_PREFIX):
            by_value(module)  # for good: nobody else's module is called so
    try:
        return _dumps(value)
    except Exception as error:
        raise StrategyError(f"{_culprit(value)} cannot be sent to another process: {describe(error)}") from error


def _dumps(value: object) -> bytes:
    serialize: Any = import_module("numba.core.serialize")  # not above, because it loads the compiler
    numba_pickler: Any = serialize.NumbaPickler
    begun: set[int] = set()

    class Pickler(numba_pickler):  # type: ignore[misc]
        """Refuses compiled functions in a circle: numba would rebuild one before its Python function is complete."""

        def reducer_override(self, part: Any) -> Any:
            if isinstance(part, serialize.ReduceMixin):
                if id(part) in begun:  # and not done, or it would not be asked for again
                    raise PicklingError(f"{getattr(part, '__name__', part)} calls itself, and is compiled by numba")
                begun.add(id(part))
            return super().reducer_override(part)

    buffer = BytesIO()
    Pickler(buffer).dump(value)
    return buffer.getvalue()


def _culprit(value: object) -> str:
    """The first strategy in it that cannot be pickled, by name; else its type."""
    for strategy in _scored_in(value):
        try:
            _dumps(strategy)
        except Exception:
            return f"strategy {strategy.name!r}"
    return f"this {type(value).__name__}"


def _scored_in(value: object) -> Iterator[Scored]:
    """All scored strategies in it, as deep as dataclasses and ordinary containers go."""
    if isinstance(value, Scored):
        yield value
        return
    parts: list[object] = []
    if isinstance(value, list | tuple):
        parts = list(value)
    elif isinstance(value, Mapping):
        parts = list(value.values())
    elif is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, field.name) for field in fields(value)]
    for part in parts:
        yield from _scored_in(part)
