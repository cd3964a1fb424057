"""Counts of a run that merge by addition: exact integers, so neither order nor chunking nor threads can show.

Nothing grows with the number of games but the values of the counts. Histograms, wins and parts are ``int64``: with
scores below 2**20 and at most 10**12 games they stay below 2**60. Sums of squares could get beyond that, so sums and
products over blocks are Python integers (object arrays), which have no bound; within one chunk they are made in
``int64`` after the bound is checked.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from simulator.outcomes import WHOLE_SHARE, Outcomes

_INT64_LIMIT = 2**63


@dataclass(frozen=True)
class Tally:
    """What is kept of the blocks played. With k strategies, P parts of a score, scores from ``low`` to ``high``:

    Parameters
    ----------
    low, high : int
        Bounds of a score, inclusive.
    blocks, games : int
        Blocks, and games in them (k a block).
    ties : int
        Games with more than one winner.
    stopped : int
        Games that were stopped because they did not end.
    scores : int64 array, shape (k, high - low + 1)
        Games of each strategy by score.
    margins : int64 array, shape (k - 1, 2 * (high - low) + 1)
        Games by score difference of strategy 1, 2, … to strategy 0 on the same dice, from ``low - high`` on.
    rolls : int64 array, shape (longest + 1,)
        Games by their number of rolls.
    outright, shared : int64 array, shape (k,)
        Games won alone, and games in which the win was shared.
    parts : int64 array, shape (k, P)
        Sums of the parts of the scores.
    sums : object array of int, shape (v,)
        Sums over the blocks of the variables, see :meth:`variables`; each is itself a sum over the games of a block.
    products : object array of int, shape (v, v)
        Sums over the blocks of products of two variables.
    """

    low: int
    high: int
    blocks: int
    games: int
    ties: int
    stopped: int
    scores: np.ndarray
    margins: np.ndarray
    rolls: np.ndarray
    outright: np.ndarray
    shared: np.ndarray
    parts: np.ndarray
    sums: np.ndarray
    products: np.ndarray

    @classmethod
    def empty(cls, strategies: int, parts: int, score_range: tuple[int, int]) -> Tally:
        """The tally of nothing, to which others can be added."""
        low, high = score_range
        variables = len(cls.variables(strategies))
        zeros = np.zeros(variables * variables, np.int64).astype(object)
        return cls(
            low,
            high,
            0,
            0,
            0,
            0,
            np.zeros((strategies, high - low + 1), np.int64),
            np.zeros((strategies - 1, 2 * (high - low) + 1), np.int64),
            np.zeros(0, np.int64),
            np.zeros(strategies, np.int64),
            np.zeros(strategies, np.int64),
            np.zeros((strategies, parts), np.int64),
            zeros[:variables],
            zeros.reshape(variables, variables),
        )

    @staticmethod
    def variables(strategies: int) -> list[tuple[str, int]]:
        """Meaning of each entry of ``sums``, all of them sums over the games of a block.

        ``("score", i)`` and ``("share", i)`` of strategy i (shares in sixtieths); ``("start_share", 0)`` of the seat
        that starts; ``("start_lead", 0)``: seats times the score of that seat minus the scores of all seats, which is
        seats - 1 times its lead over the mean of the others; ``("rolls", 0)``.
        """
        each = [(name, i) for name in ("score", "share") for i in range(strategies)]
        return [*each, ("start_share", 0), ("start_lead", 0), ("rolls", 0)]

    @property
    def strategies(self) -> int:
        """Number of strategies."""
        return len(self.outright)

    def __add__(self, other: Tally) -> Tally:
        """Counts of both; they must be of the same kind of run."""
        if (self.low, self.high, self.parts.shape) != (other.low, other.high, other.parts.shape):
            raise ValueError("tallies of different experiments cannot be added")
        longest = max(len(self.rolls), len(other.rolls))
        total = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self) if f.name != "rolls"}
        total |= {"low": self.low, "high": self.high, "rolls": _pad(self.rolls, longest) + _pad(other.rolls, longest)}
        return Tally(**total)


def count(outcomes: Outcomes, seating: np.ndarray, score_range: tuple[int, int]) -> Tally:
    """Tally of some blocks.

    Parameters
    ----------
    outcomes : Outcomes
        In seat order.
    seating : array of int, shape (games, seats)
        Strategy in each seat; with one seat the games of a block are those of the strategies alone on the same dice.
    score_range : (int, int)
        Bounds of a score, inclusive; a score beyond them raises :class:`ValueError`.
    """
    low, high = score_range
    scores, shares, parts = (_by_strategy(a, seating) for a in (outcomes.scores, outcomes.shares, outcomes.parts))
    if scores.size and not (low <= scores.min() and scores.max() <= high):
        raise ValueError(f"scores from {scores.min()} to {scores.max()} are beyond the bounds {low} to {high}")
    strategies = scores.shape[2]
    seats = seating.shape[1]
    start_lead = seats * outcomes.scores[:, :, 0] - outcomes.scores.sum(axis=2)
    games = (outcomes.shares[:, :, 0], start_lead, outcomes.rolls)
    values = np.concatenate([scores.sum(axis=1), shares.sum(axis=1), *(g.sum(axis=1)[:, None] for g in games)], axis=1)
    return Tally(
        low,
        high,
        blocks=len(values),
        games=outcomes.rolls.size,
        ties=int((outcomes.shares.max(axis=2, initial=0) < WHOLE_SHARE).sum()),
        stopped=int(outcomes.stopped.sum()),
        scores=_histograms(scores, low, high),
        margins=_histograms(scores[:, :, 1:] - scores[:, :, :1], low - high, high - low),
        rolls=np.bincount(outcomes.rolls.ravel()).astype(np.int64),
        outright=(shares == WHOLE_SHARE).sum(axis=(0, 1)),
        shared=((shares > 0) & (shares < WHOLE_SHARE)).sum(axis=(0, 1)),
        parts=parts.sum(axis=(0, 1)).reshape(strategies, -1),
        sums=values.sum(axis=0).astype(object),
        products=block_products(values),
    )


def _by_strategy(values: np.ndarray, seating: np.ndarray) -> np.ndarray:
    """From (blocks, games, seats, …) to (blocks, deals, strategies, …): what happened to whom on the same dice."""
    if seating.shape[1] == 1:
        return values[:, np.argsort(seating[:, 0])].swapaxes(1, 2)
    seat_of = np.argsort(seating, axis=1)
    return values[:, np.arange(len(seating))[:, None], seat_of]


def _histograms(values: np.ndarray, low: int, high: int) -> np.ndarray:
    """A histogram over low to high for each entry of the last axis."""
    width, rows = high - low + 1, values.shape[-1]
    places = values - low + np.arange(rows) * width
    return np.bincount(places.ravel(), minlength=rows * width).reshape(rows, width).astype(np.int64)


def block_products(values: np.ndarray) -> np.ndarray:
    """``values.T @ values`` as Python integers; in ``int64`` where that is sure to hold it."""
    largest = int(np.abs(values).max(initial=0))
    if len(values) * largest**2 >= _INT64_LIMIT:
        values = values.astype(object)
    products: np.ndarray = values.T @ values
    return products.astype(object)


def _pad(counts: np.ndarray, length: int) -> np.ndarray:
    return np.pad(counts, (0, length - len(counts)))
