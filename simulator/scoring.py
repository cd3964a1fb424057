"""Scored functions as machine code that the kernels can call, and what they do with the records they are given."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator
from functools import lru_cache
from types import FunctionType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.core import ir

from simulator.errors import StrategyError, UnknownNameError
from simulator.sight import Sight
from simulator.strategy import Scored

_CHANGING_METHODS = {"fill", "itemset", "partition", "put", "sort"}
_READERS = {len, sum, min, max, range, enumerate, zip, np.sum, np.prod, np.mean, np.median, np.std, np.var, np.any,
            np.all, np.count_nonzero, np.min, np.max, np.amin, np.amax, np.argmin, np.argmax, np.copy, np.where,
            np.nonzero, np.flatnonzero, np.sort, np.argsort, np.unique, np.cumsum, np.diff}  # fmt: skip
"""Functions that never change an array that they are given. (Of ufuncs it is seen from the number of arguments.)"""


class Use(NamedTuple):
    """What a function does with the view and the move.

    Parameters
    ----------
    fields : frozenset of str
        The fields that it reads.
    writes : bool
        Whether it may write into the records that it is given, or into their arrays.
    random : bool
        Whether it draws random numbers of its own.
    """

    fields: frozenset[str]
    writes: bool
    random: bool


class Compiled(NamedTuple):
    """A function that the kernels can call (by its ``address``, as long as it is kept), and what it uses."""

    function: Any
    use: Use


def signature_of(sight: Sight) -> Any:
    """Numba's type of a compiled scored function: ``score(view, move) -> float``."""
    return types.float64(numba.from_dtype(sight.view), numba.from_dtype(sight.move))


def compile_score(strategy: Scored, sight: Sight) -> Compiled:
    """The function of a strategy with its parameters filled in, as machine code, for what it sees in its game.

    Whatever goes wrong inside it later gives NaN, which the engine notices.

    Raises
    ------
    StrategyError
        If the function draws random numbers of its own: no run could be repeated.
    Exception
        If it does not compile: numba fails with errors of many kinds.
    """
    compiled = _compile(strategy.function, arguments(strategy), sight)
    if compiled.use.random:
        raise StrategyError(
            f"strategy {strategy.name!r} draws random numbers of its own, so its games could not be repeated; "
            "use move.luck, a random number from 0 to 1"
        )
    return compiled


def arguments(strategy: Scored) -> tuple[float, ...]:
    """Values of the parameters, in the order of the arguments; ``UnknownNameError`` for one that is no argument."""
    known = dict(list(inspect.signature(strategy.function).parameters.items())[2:])
    for name in strategy.parameters:
        if name not in known:
            raise UnknownNameError(f"parameter of strategy {strategy.name!r}:", name, known)
    return tuple(float(strategy.parameters.get(name, argument.default)) for name, argument in known.items())


@lru_cache(maxsize=64)
def _compile(function: FunctionType, values: tuple[float, ...], sight: Sight) -> Compiled:
    bound = FunctionType(function.__code__, function.__globals__, function.__name__, values, function.__closure__)
    inner = numba.njit(boundscheck=True)(bound)

    def score(view, move):
        try:
            return 1.0 * inner(view, move)  # also of a truth value
        except Exception:  # the only class that numba can catch
            return np.nan

    return Compiled(numba.cfunc(signature_of(sight))(score), use_of(inner, sight.fields))


def use_of(dispatcher: Any, every: frozenset[str]) -> Use:
    """What a compiled function, and the compiled functions that it calls, do with their arguments.

    Read from the statements and types that numba found. A function for which numba did not keep them (one that it
    loaded from a cache), or that gives a record to one that cannot be read, is taken to read and write ``every`` field.
    """
    fields: set[str] = set()
    writes = draws = False
    seen: set[int] = set()
    todo = [dispatcher]
    while todo:
        function = todo.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        for result in function.overloads.values():
            annotation = result.type_annotation
            if not hasattr(annotation, "typemap") or _gives_away(annotation):
                return Use(every, True, draws)
            fields.update(_fields(annotation, every))
            found = list(annotation.typemap.values())
            todo += [t.dispatcher for t in found if isinstance(t, types.Dispatcher)]
            writes |= _writes(annotation)
            draws |= any(_draws(t) for t in found)
    return Use(frozenset(fields), writes, draws)


def _fields(annotation: Any, every: frozenset[str]) -> Iterator[str]:
    """Names of record fields that the statements of a function read."""
    for block in annotation.blocks.values():
        for expression in block.find_exprs():
            of_record = "value" in expression._kws and isinstance(expression._kws["value"], ir.Var)
            if not of_record or not isinstance(annotation.typemap.get(expression.value.name), types.Record):
                continue
            if expression.op == "getattr":
                yield expression.attr
            elif expression.op == "static_getitem" and isinstance(expression.index, str):
                yield expression.index
            elif expression.op in ("getitem", "static_getitem"):
                yield from every


def _writes(annotation: Any) -> bool:
    """Whether a statement stores into a record or into an array that is not its own, or calls something that may."""
    stores = (ir.SetItem, ir.StaticSetItem, ir.SetAttr)
    statements = [statement for block in annotation.blocks.values() for statement in block.body]
    own = _own_arrays(annotation, statements)
    if any(isinstance(statement, stores) and statement.target.name not in own for statement in statements):
        return True
    if any(name not in own for block in annotation.blocks.values() for name in _changed_in_place(annotation, block)):
        return True
    methods = {
        t.typing_key.rpartition(".")[2]
        for t in annotation.typemap.values()
        if isinstance(t, types.BoundFunction) and isinstance(t.typing_key, str)
    }
    return not _CHANGING_METHODS.isdisjoint(methods)


def _own_arrays(annotation: Any, statements: list[Any]) -> set[str]:
    """Names of variables that never hold anything but new arrays."""
    made: set[str] = set()
    others: set[str] = set()
    for statement in statements:
        if isinstance(statement, ir.Assign):
            value = statement.value
            names = {value.name} if isinstance(value, ir.Var) else set()
            if isinstance(value, ir.Expr) and value.op == "inplace_binop":
                names = {value.lhs.name}
            new = isinstance(value, ir.Expr) and value.op == "call" and _makes_array(annotation, value.func.name)
            (made if new or names & made else others).add(statement.target.name)
    return made - others


def _changed_in_place(annotation: Any, block: Any) -> Iterator[str]:
    """Names of arrays that ``+=`` and the like change, or that are given to a function that may change them."""
    for expression in block.find_exprs():
        if expression.op == "inplace_binop":
            names = [expression.lhs.name]
        elif expression.op == "call" and not _only_reads(annotation.typemap.get(expression.func.name), expression):
            names = [v.name for v in (*expression.args, *(value for _, value in expression.kws))]
        else:
            continue
        yield from (name for name in names if isinstance(annotation.typemap.get(name), types.Array))


def _only_reads(function: Any, call: Any) -> bool:
    """Whether a function that is called does not change its arguments, or is looked into by itself."""
    key = getattr(function, "typing_key", None)
    if isinstance(key, np.ufunc):
        return len(call.args) <= key.nin and not call.kws
    return isinstance(function, types.Dispatcher) or key in _READERS


def _makes_array(annotation: Any, function: str) -> bool:
    key = getattr(annotation.typemap.get(function), "typing_key", None)
    return key in (np.zeros, np.ones, np.empty, np.full)


def _gives_away(annotation: Any) -> bool:
    """Whether a record is an argument of something that is not read here: a method, a function of an extension."""
    for block in annotation.blocks.values():
        for call in block.find_exprs(op="call"):
            given = [*call.args, *(value for _, value in call.kws)]
            known = isinstance(annotation.typemap.get(call.func.name), types.Dispatcher)
            if not known and any(isinstance(annotation.typemap.get(v.name), types.Record) for v in given):
                return True
    return False


def _draws(found: Any) -> bool:
    """Whether a type is that of a function of numpy's or Python's random numbers."""
    key = getattr(found, "typing_key", None) if isinstance(found, types.Function) else None
    return isinstance(getattr(key, "__self__", None), np.random.RandomState | random.Random)


def reason_of(error: Exception) -> str:
    """The line of numba's long message that says most."""
    lines = [line.strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in", "During", "File", "^"))]
    return lines[0][:120] if lines else type(error).__name__
