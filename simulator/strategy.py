"""What a strategy is to a game: a name, and either weights of features or a scoring function.

Where strategies come from (shipped files, a user's file, an entry point) is the business of the package ``strategies``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any


@dataclass(frozen=True)
class Weights:
    """A strategy that plays the move with the largest weighted sum of features.

    Parameters
    ----------
    name : str
        The specification that finds it again: ``"greedy"``, ``"greedy:jokers=0.5"``, ``"my.toml"``.
    idea : str
        One sentence a player would recognise.
    weights : mapping of str to float
        Weight of each feature in the first roll; a feature that is left out weighs 0.
    per_roll : mapping of str to float
        What is added to a weight with every further roll.
    text : str
        A longer explanation, may be empty.
    """

    name: str
    idea: str
    weights: Mapping[str, float]
    per_roll: Mapping[str, float] = field(default_factory=dict)
    text: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how it plays, as plain data."""
        return {"weights": dict(self.weights), "per_roll": dict(self.per_roll)}


@dataclass(frozen=True)
class Scored:
    """A strategy that plays the move for which a function gives the largest number.

    Parameters
    ----------
    name : str
        The specification that finds it again: ``"my.py:edges:bonus=0.3"``.
    idea : str
        One sentence, the first line of the function's docstring.
    function : callable
        ``function(view, move, **parameters) -> float``; view and move as the game documents them.
    parameters : mapping of str to float
        Values of the function's further arguments.
    text : str
        A longer explanation, may be empty.
    """

    name: str
    idea: str
    function: Callable[..., float]
    parameters: Mapping[str, float] = field(default_factory=dict)
    text: str = ""

    @cached_property
    def mentions(self) -> frozenset[str]:
        """Names that occur in the function, or in functions that it refers to: at least the fields that it reads.

        A game need not work out a costly field of a move that is not among them.
        """
        return names_in(self.function)

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how it plays, as plain data (the function itself is named by ``name``)."""
        return {"parameters": dict(self.parameters)}


Strategy = Weights | Scored


def names_in(function: Callable[..., Any]) -> frozenset[str]:
    """All names and texts in a function's code, and in the code of whatever it can reach through them."""
    names: set[str] = set()
    seen: set[int] = set()
    todo: list[Any] = [function]
    while todo:
        thing = todo.pop()
        thing = getattr(thing, "py_func", thing)  # what numba has compiled
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, str):
            names.add(thing)
        elif isinstance(thing, tuple | list | set | frozenset):
            todo += thing
        elif isinstance(thing, dict):
            todo += [*thing.keys(), *thing.values()]
        elif isinstance(thing, CodeType):
            names.update(thing.co_names)
            todo += thing.co_consts
        elif isinstance(thing, FunctionType):
            todo.append(thing.__code__)
            todo += [cell.cell_contents for cell in thing.__closure__ or () if cell != CellType()]
            inner = names_of_code(thing.__code__)
            todo += [thing.__globals__[name] for name in inner if name in thing.__globals__]
            modules = [v for n in inner if isinstance(v := thing.__globals__.get(n), ModuleType)]
            todo += [getattr(module, name) for module in modules for name in inner if hasattr(module, name)]
    return frozenset(names)


def names_of_code(code: CodeType) -> set[str]:
    """Names in a code object and in those of its nested functions."""
    nested = [names_of_code(const) for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*nested)
