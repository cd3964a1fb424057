"""When to stop before all games are played: once a figure is known well enough, or once a test has decided.

A rule looks at the tally after every :data:`LOOK` blocks and at the end, so where it stops depends on the plan alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from simulator.errors import PlanError, UnknownNameError
from simulator.experiments import sprt
from simulator.experiments.estimates import Blocks, Estimate
from simulator.experiments.tally import Tally

LOOK = 256  # blocks
ERROR = 0.05  # of either kind, of a sequential test


@dataclass(frozen=True)
class Until:
    """Stop once the figures are known so well.

    Parameters
    ----------
    half_width : float
        Of the 95 % interval of the win share of every strategy, from 0 to 0.5 (in a tournament: of every pair's); in
        the solo game of every mean score, in points.
    """

    kind: ClassVar[str] = "until"
    half_width: float

    def __post_init__(self) -> None:
        if type(self.half_width) is not float or not 0 < self.half_width < float("inf"):
            raise PlanError(f"the half-width to reach must be a number above 0; got {self.half_width!r}")

    def describe(self) -> dict[str, Any]:
        """As plain data."""
        return {"rule": self.kind, "half_width": self.half_width}

    def reached(self, tally: Tally, seating: np.ndarray) -> float | None:
        """The widest half-width by now; None if it is not known yet."""
        widths = [
            None if e.low is None or e.high is None else (e.high - e.low) / 2 for e in self._watched(tally, seating)
        ]
        known = [width for width in widths if width is not None]
        return max(known) if known and len(known) == len(widths) else None

    def _watched(self, tally: Tally, seating: np.ndarray) -> list[Estimate]:
        blocks, strategies = Blocks(tally, seating), range(tally.strategies)
        if seating.shape[1] == 1:
            return [blocks.mean({("score", i): 1}) for i in strategies]
        if blocks.one_table:
            return [blocks.share(("share", i)) for i in strategies]
        return [blocks.pair_share(i, j) for i in strategies for j in strategies if blocks.meet(i, j)]

    def decide(self, tally: Tally, seating: np.ndarray) -> str | None:
        """``"reached"``, or None to go on."""
        width = self.reached(tally, seating)
        return "reached" if width is not None and width <= self.half_width else None

    def progress(self, tally: Tally, seating: np.ndarray) -> float:
        """About which part of the way is done, 0 to 1: the square of a width shrinks with the number of games."""
        width = self.reached(tally, seating)
        return 0.0 if width is None else min(1.0, (self.half_width / width) ** 2) if width else 1.0


@dataclass(frozen=True)
class Sprt:
    """Stop once a sequential test decides whether the win share of the first strategy is rather ``low`` or ``high``.

    Parameters
    ----------
    low, high : float
        The two win shares, ``0 < low < high < 1``. If one of them is true, the test takes it for the other in at most
        one of twenty runs.
    """

    kind: ClassVar[str] = "sprt"
    low: float
    high: float

    def __post_init__(self) -> None:
        if type(self.low) is not float or type(self.high) is not float or not 0 < self.low < self.high < 1:
            raise PlanError(
                f"a sequential test needs two win shares, the smaller first, between 0 and 1; got {self.low!r} and "
                f"{self.high!r}"
            )

    def describe(self) -> dict[str, Any]:
        """As plain data."""
        return {"rule": self.kind, "low": self.low, "high": self.high, "alpha": ERROR, "beta": ERROR}

    def ratio(self, tally: Tally) -> float:
        """Log of the likelihood of ``high`` over that of ``low``, from the block outcomes."""
        values = np.arange(len(tally.block_wins)) / (len(tally.block_wins) - 1)
        return sprt.log_likelihood_ratio(values, tally.block_wins, self.low, self.high)

    def decide(self, tally: Tally, _seating: np.ndarray) -> str | None:
        """``"low"`` or ``"high"``, or None to go on."""
        return sprt.decide(self.ratio(tally), ERROR, ERROR)

    def progress(self, tally: Tally, _seating: np.ndarray) -> float:
        """How far the ratio is on its way to a bound, 0 to 1."""
        lower, upper = sprt.bounds(ERROR, ERROR)
        ratio = self.ratio(tally)
        return min(1.0, max(ratio / upper, ratio / lower))


Rule = Until | Sprt
RULES: dict[str, type[Until] | type[Sprt]] = {rule.kind: rule for rule in (Until, Sprt)}


def rule_of(description: Mapping[str, Any] | None) -> Rule | None:
    """The rule that ``describe`` described; :class:`KokSimError` in one line if the description is damaged."""
    if description is None:
        return None
    values = {key: value for key, value in description.items() if key not in ("rule", "alpha", "beta")}
    kind = description.get("rule")
    if not isinstance(kind, str) or kind not in RULES:
        raise UnknownNameError("stopping rule", str(kind), RULES)
    try:
        return RULES[kind](**values)
    except TypeError as error:
        raise PlanError(f"the stopping rule {kind!r} is damaged: {dict(description)!r}") from error
