"""What the referees of all games have in common when they ask a strategy."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from simulator import dice
from simulator.errors import StrategyError
from simulator.strategy import Scored


class SeatChoice:
    """A player who has to choose, as far as it is the same in every game: ``game`` in progress, and ``seat``."""

    game: Any
    seat: int

    @property
    def is_active(self) -> bool:
        """Whether this player rolled the dice."""
        return bool(self.seat == self.game.active)

    @property
    def others(self) -> list[int]:
        """Seats of the opponents, the next in turn first."""
        seats = len(self.game.players)
        return [(self.seat + i) % seats for i in range(1, seats)]

    @cached_property
    def luck_word(self) -> int:
        """Random bits for the feature ``luck`` of all candidates of this choice."""
        return dice.roll_word(self.game.luck_key, self.game.roll, dice.LUCK_STREAM + self.seat)


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
