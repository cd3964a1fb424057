"""How a referee asks strategies: the best of rated moves, and a scored function called in plain Python."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from simulator.errors import StrategyError
from simulator.strategy import Scored


def call_score(strategy: Scored, view: Any, move: Any, told: Callable[[], str]) -> float:
    """What a scored function gives for a move; ``told()`` says which move that is, for the message.

    Raises
    ------
    StrategyError
        If it fails, or gives something that is not a finite number.
    """

    def complaint(did: str) -> str:
        return f"strategy {strategy.name!r} {did} for {told()!r} in roll {view['roll']}"

    try:
        with np.errstate(all="ignore", divide="raise"):
            score = strategy.function(view.copy(), move, **strategy.parameters)
        value = float(score) if isinstance(score, numbers.Real | np.bool_) else None
    except Exception as error:  # whatever a user's function may raise
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
        raise StrategyError(f"{complaint('failed')}: {reason}") from error
    if value is None or not math.isfinite(value):
        given = str(value).replace("nan", "NaN") if value is not None else " ".join(repr(score).split())
        raise StrategyError(f"{complaint(f'gave {given}')}; it must give a finite number")
    return value


def new_record(dtype: np.dtype[np.void]) -> Any:
    """A record of zeros with attribute access, as a scored function is given one."""
    return np.zeros(1, dtype).view(np.recarray)[0]
