"""Eight numbers side by side, for kernels: on many processors one instruction works on four or eight of them.

A row of eight ``int64`` or ``float64`` in memory (the last axis of an array) is loaded, worked on with ``+``, ``*``,
``&``, ``|``, ``~`` and the functions of this file, and stored again. Compilers look for such instructions in loops, but
find none where they cannot prove that two records do not overlap.

A row should begin at a multiple of 64 bytes, or two lines of the processor's cache must be fetched for it (+3 to 6 %
games a second): :func:`in_lines` lays out records, :func:`new_records` finds room for them accordingly.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

LANES = 8
LINE = 64  # bytes


def in_lines(*fields: Any) -> np.dtype[np.void]:
    """A record type with these fields, those made of whole lines first, that fills whole lines itself."""
    ordered = sorted(fields, key=lambda field: np.dtype([field]).itemsize % LINE != 0)
    rest = -np.dtype(ordered, align=True).itemsize % LINE
    return np.dtype([*ordered, ("unused", np.int8, (rest,))] if rest else ordered, align=True)


def new_records(dtype: np.dtype[np.void], count: int = 1) -> np.ndarray:
    """Records of zeros, the first of which begins at a line: an array of shape (count,)."""
    size = count * dtype.itemsize
    room = np.zeros(size + LINE, np.int8)
    start = -room.ctypes.data % LINE
    return room[start : start + size].view(dtype)


class Lanes(types.Type):
    """Numba's type of eight numbers of one type."""

    def __init__(self, dtype: types.Type) -> None:
        self.dtype = dtype
        super().__init__(name=f"Lanes({dtype})")

    @property
    def key(self) -> types.Type:
        """What makes the type the same as another."""
        return self.dtype


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, _vector(manager.lookup(lanes.dtype).get_data_type()))


def _vector(element: Any) -> ir.VectorType:
    return ir.VectorType(element, LANES)


def _address(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(data, _vector(context.get_data_type(array_type.dtype)).as_pointer())


def _must(condition: bool, what: str) -> None:
    if not condition:
        raise TypingError(what)


def _must_be_row(row: Any) -> None:
    _must(isinstance(row, types.Array) and row.ndim == 1 and row.layout == "C", f"a row of eight is needed, not {row}")


@intrinsic
def load(typingctx: Any, row: Any) -> Any:
    """The eight numbers of a one-dimensional array of that length."""
    _must_be_row(row)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_address(context, builder, row, args[0]), align=8)

    return Lanes(row.dtype)(row), codegen


@intrinsic
def store(typingctx: Any, row: Any, lanes: Any) -> Any:
    """Write eight numbers into a one-dimensional array of that length."""
    _must_be_row(row)
    _must(lanes == Lanes(row.dtype), f"{lanes} cannot be stored in {row}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[1], _address(context, builder, row, args[0]), align=8)
        return context.get_dummy_value()

    return types.void(row, lanes), codegen


@intrinsic
def number_at(typingctx: Any, rows: Any, index: Any) -> Any:
    """Number ``index`` (not negative) of rows laid end to end, that is, of a two-dimensional array."""
    _must(isinstance(rows, types.Array) and rows.layout == "C", f"rows laid end to end are needed, not {rows}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(rows)(context, builder, args[0]).data
        return builder.load(builder.gep(data, [args[1]]))

    return rows.dtype(rows, index), codegen


@intrinsic
def spread(typingctx: Any, number: Any) -> Any:
    """Eight times the same number."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _spread(builder, args[0])

    return Lanes(number)(number), codegen


def _spread(builder: Any, value: Any) -> Any:
    first = builder.insert_element(_vector(value.type)(ir.Undefined), value, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, _vector(value.type)(ir.Undefined), zeros)


@intrinsic
def counted(typingctx: Any) -> Any:
    """The ``float64`` 1, 2, … 8."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return ir.Constant(_vector(ir.DoubleType()), [float(i + 1) for i in range(LANES)])

    return Lanes(types.float64)(), codegen


@intrinsic
def larger(typingctx: Any, a: Any, b: Any) -> Any:
    """Lane by lane the larger of two ``float64``."""
    _must(a == b == Lanes(types.float64), f"float64 lanes are needed, not {a} and {b}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return a(a, b), codegen


@intrinsic
def largest(typingctx: Any, lanes: Any) -> Any:
    """The largest of eight ``float64``."""
    _must(lanes == Lanes(types.float64), f"float64 lanes are needed, not {lanes}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found, width = args[0], LANES
        while width > 1:
            width //= 2
            halves = [
                builder.shuffle_vector(found, found, ir.Constant(ir.VectorType(ir.IntType(32), width), places))
                for places in (list(range(width)), list(range(width, 2 * width)))
            ]
            found = builder.select(builder.fcmp_ordered(">", *halves), *halves)
        return builder.extract_element(found, ir.IntType(32)(0))

    return lanes.dtype(lanes), codegen


@intrinsic
def select(typingctx: Any, bits: Any, a: Any, b: Any) -> Any:
    """Lane i of ``a`` where bit i of the ``int64`` word ``bits`` is set, else of ``b``."""
    _must(isinstance(a, Lanes) and a == b, f"lanes of one type are needed, not {a} and {b}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        flags = builder.bitcast(builder.trunc(args[0], ir.IntType(LANES)), ir.VectorType(ir.IntType(1), LANES))
        return builder.select(flags, args[1], args[2])

    return a(types.int64, a, b), codegen


@intrinsic
def where_equal(typingctx: Any, a: Any, b: Any) -> Any:
    """An ``int64`` word whose bit i is set where lane i of two ``float64`` is equal."""
    _must(a == b == Lanes(types.float64), f"float64 lanes are needed, not {a} and {b}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        flags = builder.bitcast(builder.fcmp_ordered("==", *args), ir.IntType(LANES))
        return builder.zext(flags, ir.IntType(64))

    return types.int64(a, b), codegen


class _LanesOperator(AbstractTemplate):
    """Operators take lanes of one type and give the same."""

    def generic(self, args: Any, kws: Any) -> Any:
        same = all(isinstance(a, Lanes) and a == args[0] for a in args)
        return signature(args[0], *args) if same else None


def _register(function: Any, operands: int, code: Callable[..., Any]) -> None:
    infer_global(function)(type(f"_{function.__name__}", (_LanesOperator,), {}))

    @lower_builtin(function, *[Lanes] * operands)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return code(builder, sig.return_type.dtype, *args)


_register(operator.add, 2, lambda b, t, x, y: b.fadd(x, y) if isinstance(t, types.Float) else b.add(x, y))
_register(operator.mul, 2, lambda b, t, x, y: b.fmul(x, y) if isinstance(t, types.Float) else b.mul(x, y))
_register(operator.and_, 2, lambda b, t, x, y: b.and_(x, y))
_register(operator.or_, 2, lambda b, t, x, y: b.or_(x, y))
_register(operator.invert, 1, lambda b, t, x: b.not_(x))
