"""Scored functions as machine code that the kernels can call."""

from __future__ import annotations

from functools import cache, lru_cache
from types import FunctionType
from typing import Any

import numba
import numpy as np

from simulator.keer_op_keer.engine.kernel import SCORE_SIGNATURE
from simulator.keer_op_keer.rules import MAX_PLAYERS
from simulator.strategy import Scored


def compile_score(strategy: Scored) -> Any:
    """The function of a strategy with its parameters filled in, as machine code that the engine can call.

    Whatever goes wrong inside gives NaN, which the engine notices. Raises ``NumbaError`` if it does not compile.
    """
    return _compile(strategy.function, tuple(float(value) for value in strategy.parameters.values()))


@lru_cache(maxsize=64)
def _compile(function: FunctionType, defaults: tuple[float, ...]) -> Any:
    bound = FunctionType(function.__code__, function.__globals__, function.__name__, defaults, function.__closure__)
    inner = numba.njit(boundscheck=True)(bound)

    def score(view, move):
        try:
            return float(inner(view, move))
        except Exception:  # the only class that numba can catch
            return np.nan

    return numba.cfunc(SCORE_SIGNATURE)(score)


@cache
def unused_score() -> Any:
    """Stands where a strategy has no function; never called."""
    return numba.cfunc(SCORE_SIGNATURE)(lambda view, move: 0.0)


def reason_of(error: Exception) -> str:
    """The line of numba's long message that says most."""
    lines = [line.strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in", "During", "File", "^"))]
    return lines[0][:120] if lines else type(error).__name__


def six_functions(functions: list[Any]) -> tuple[Any, ...]:
    """As many functions as a kernel takes."""
    return (*functions, *[unused_score()] * (MAX_PLAYERS - len(functions)))
