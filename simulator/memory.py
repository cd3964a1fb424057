"""What is at an address: how kernels reach functions, and what is too large to be copied into every setup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def record_at(dtype: np.dtype[np.void]) -> Any:
    """A function for kernels that gives the record of this type at an address, an ``int64``."""
    record = numba.from_dtype(dtype)

    def at_address(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(record))

        return record(types.int64), codegen

    return intrinsic(at_address)


def addresses_of(records: np.ndarray, places: Sequence[int]) -> list[int]:
    """Where in memory these of the records of an array are. The array must outlive whoever goes there."""
    return [records.ctypes.data + place * records.itemsize for place in places]


@intrinsic
def score_at(typingctx: Any, address: Any, view: Any, move: Any) -> Any:
    """What the scored function at an address gives for two records, as ``float64``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.DoubleType(), [arg.type for arg in args[1:]])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])

    return types.float64(types.int64, view, move), codegen


@intrinsic
def float_at(typingctx: Any, address: Any) -> Any:
    """The ``float64`` at an address, an ``int64``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], ir.DoubleType().as_pointer()))

    return types.float64(types.int64), codegen
