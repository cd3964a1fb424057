"""64-bit helpers for kernels: count, lowest bit, plain indexes, and the high half of a product.

Words are ``int64`` throughout the kernels and never use bit 63, so that signed and unsigned never mix (numba turns
``int64 op uint64`` into a float without a word). Only the dice generator computes with ``uint64``.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def popcount(typingctx: Any, word: Any) -> Any:
    """Number of set bits of an ``int64`` word, as ``int64``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def lowest_bit(typingctx: Any, word: Any) -> Any:
    """Index of the lowest set bit of a non-zero ``int64`` word, as ``int64`` (64 for zero)."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


@intrinsic
def at(typingctx: Any, index: Any) -> Any:
    """An ``int64`` that is never negative, as an index: numba then makes no code for counting from the end (+5 to 10 %
    games a second)."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[0]

    return types.uint64(types.int64), codegen


@intrinsic
def multiply_high(typingctx: Any, a: Any, b: Any) -> Any:
    """Upper 64 bits of the 128-bit product of two ``uint64``, as ``uint64``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen
