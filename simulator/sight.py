"""What the strategies of a game see: features of a move for weights, records of a view and a move for functions.

**Scores are exact.** Weights are rounded to multiples of 1/65536, and every feature but ``luck`` is a whole number or a
multiple of 1/8, so a weighted sum has no rounding error, whatever the order of its terms; ``luck`` is added last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simulator.errors import StrategyError, UnknownNameError
from simulator.strategy import Weights

MAX_WEIGHT = 1000.0
MAX_CHANGE = 10.0  # of a weight per roll; over 1,000 rolls sums stay below 2**53 steps, and so exact
WEIGHT_STEP = 2.0**-16


class Feature(NamedTuple):
    """A figure of a move. ``sign`` is +1 for a gain, -1 for a cost: a weight times a cost is subtracted."""

    name: str
    sign: int
    meaning: str


Field = tuple[str, tuple[int, ...], str]
"""Name, shape and meaning of a field of a record."""


@dataclass(frozen=True, eq=False)
class Sight:
    """All that strategies of a game see.

    Parameters
    ----------
    features : tuple of Feature
        What weights weigh.
    view_fields, move_fields : tuples of (name, shape, meaning)
        The two records that a scored function is given, ``int64`` but for ``floats``.
    floats : tuple of str
        Fields of a move that are ``float64``.
    """

    features: tuple[Feature, ...]
    view_fields: tuple[Field, ...]
    move_fields: tuple[Field, ...]
    floats: tuple[str, ...] = ("luck",)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(feature.name for feature in self.features)

    @cached_property
    def index(self) -> dict[str, int]:
        """Place of each feature among them."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def signs(self) -> np.ndarray:
        """+1 for each gain, -1 for each cost, ``float64``."""
        return np.array([feature.sign for feature in self.features], dtype=np.float64)

    @cached_property
    def view(self) -> np.dtype[np.void]:
        """The record of a view."""
        return np.dtype([(name, np.int64, shape) for name, shape, _ in self.view_fields], align=True)

    @cached_property
    def move(self) -> np.dtype[np.void]:
        """The record of a move."""
        kinds = [(name, np.float64 if name in self.floats else np.int64, s) for name, s, _ in self.move_fields]
        return np.dtype(kinds, align=True)

    @cached_property
    def fields(self) -> frozenset[str]:
        """Names of all fields of both records."""
        return frozenset(name for name, _, _ in (*self.view_fields, *self.move_fields))

    def weight_vectors(self, strategy: Weights) -> tuple[np.ndarray, np.ndarray]:
        """Weights of the first roll and their change per roll, signed and exact: two ``float64`` arrays over features.

        Raises
        ------
        UnknownNameError
            For a weight that names no feature.
        StrategyError
            For a weight that is not a number from -1000 to 1000, or a change per roll that is not from -10 to 10.
        """
        return self._vector(strategy, strategy.weights, MAX_WEIGHT), self._vector(
            strategy, strategy.per_roll, MAX_CHANGE
        )

    def _vector(self, strategy: Weights, weights: Mapping[str, float], most: float) -> np.ndarray:
        vector = np.zeros(len(self.features))
        for name, weight in weights.items():
            if name not in self.index:
                raise UnknownNameError(f"feature in strategy {strategy.name!r}:", name, self.names)
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not abs(weight) <= most:
                what = f"weight of {name}" if most == MAX_WEIGHT else f"change per roll of {name}"
                limit = f"a number from {-most:g} to {most:g}"
                raise StrategyError(f"strategy {strategy.name!r}: {what} must be {limit}; got {weight!r}")
            vector[self.index[name]] = round(weight / WEIGHT_STEP) * WEIGHT_STEP
            if weight and not vector[self.index[name]]:
                raise StrategyError(
                    f"strategy {strategy.name!r}: {weight!r} for {name} is less than half of the smallest step, 1/65536"
                )
        signed: np.ndarray = vector * self.signs
        return signed
