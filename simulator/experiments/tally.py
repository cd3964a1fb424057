"""Counts of a run that merge by addition: exact integers, so neither order nor chunking nor threads can show.

Nothing grows with the number of games but the values of the counts. Histograms, wins and parts are ``int64``: with
scores below 2**20 and at most 10**12 games they stay below 2**60. Sums of squares could get beyond that, so sums and
products over blocks are Python integers (object arrays), which have no bound; within one chunk they are made in
``int64`` after the bound is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from itertools import permutations
from typing import Any

import numpy as np

from simulator.outcomes import WHOLE_SHARE, Outcomes

_INT64_LIMIT = 2**63


class Pair(IntEnum):
    """What is summed up over the games of a block in which strategies i and j meet."""

    SHARE = 0
    """Share of i, in sixtieths."""
    SHARE_LEAD = 1
    """Share of i minus that of j, in sixtieths."""
    SCORE_LEAD = 2
    """Score of i minus that of j."""


@dataclass(frozen=True)
class Tally:
    """What is kept of the blocks played.

    With n strategies, k seats at a table, P parts of a score, scores from ``low`` to ``high``:

    Parameters
    ----------
    low, high : int
        Bounds of a score, inclusive.
    blocks, games : int
        Blocks, and games in them.
    ties : int
        Games with more than one winner.
    stopped : int
        Games that were stopped because they did not end.
    scores : int64 array, shape (n, high - low + 1)
        Games of each strategy by score.
    margins : int64 array, shape (n - 1, 2 * (high - low) + 1)
        Games by score difference of strategy 1, 2, … to strategy 0, where they meet (solo: on the same dice), from
        ``low - high`` on.
    rolls : int64 array, shape (longest + 1,)
        Games by their number of rolls.
    outright, shared : int64 array, shape (n,)
        Games won alone, and games in which the win was shared.
    parts : int64 array, shape (n, P)
        Sums of the parts of the scores.
    block_wins : int64 array, shape (60 * k + 1,)
        Where all n = k share one table: blocks by the sum of the shares of strategy 0, in sixtieths. Else empty.
    sums : object array of int, shape (v,)
        Sums over the blocks of the variables, see :meth:`variables`; each is itself a sum over the games of a block.
    products : object array of int, shape (v, v)
        Sums over the blocks of products of two variables.
    pair_sums, pair_squares : object array of int, shape (3, n, n)
        Where strategies meet at several tables: sums over the blocks of each :class:`Pair`, and of its square. Else
        empty, shape (3, 0, 0).
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
    block_wins: np.ndarray
    sums: np.ndarray
    products: np.ndarray
    pair_sums: np.ndarray
    pair_squares: np.ndarray

    @classmethod
    def empty(cls, seating: np.ndarray, parts: int, score_range: tuple[int, int]) -> Tally:
        """The tally of nothing, to which others can be added."""
        games, seats = seating.shape
        return count(Outcomes.empty(0, games, seats, parts), seating, score_range)

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
        if self._kind() != other._kind():
            raise ValueError("tallies of different experiments cannot be added")
        longest = max(len(self.rolls), len(other.rolls))
        total = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self) if f.name != "rolls"}
        total |= {"low": self.low, "high": self.high, "rolls": _pad(self.rolls, longest) + _pad(other.rolls, longest)}
        return Tally(**total)

    def to_plain(self) -> dict[str, Any]:
        """As JSON data, exactly; :func:`tally_from_plain` reads it back."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: _sparse(v) if isinstance(v, np.ndarray) else v for name, v in values.items()}

    def _kind(self) -> tuple[object, ...]:
        return self.low, self.high, self.parts.shape, self.block_wins.shape, self.pair_sums.shape


def tally_from_plain(data: Mapping[str, Any], seating: np.ndarray) -> Tally:
    """The tally of which ``data`` is the plain form; what is damaged raises one of the usual errors of Python."""
    values: dict[str, Any] = {}
    for field in fields(Tally):
        value = data[field.name]
        exact = field.name in ("sums", "products", "pair_sums", "pair_squares")
        values[field.name] = _dense(value, object if exact else np.int64) if isinstance(value, dict) else int(value)
    found = Tally(**values)
    empty = Tally.empty(seating, found.parts.shape[1], (found.low, found.high))
    for field in fields(Tally):
        mine, right = getattr(found, field.name), getattr(empty, field.name)
        if field.name != "rolls" and np.shape(mine) != np.shape(right):
            raise ValueError(f"{field.name} has the shape {np.shape(mine)}, not {np.shape(right)}")
    if found.games != found.blocks * len(seating) or int(found.rolls.sum()) != found.games:
        raise ValueError("the numbers of games do not agree")
    return found


def _sparse(values: np.ndarray) -> dict[str, Any]:
    """An array by its entries that are not zero."""
    places = np.flatnonzero(values)
    return {"shape": list(values.shape), "at": places.tolist(), "values": values.ravel()[places].tolist()}


def _dense(data: Mapping[str, Any], dtype: type) -> np.ndarray:
    values: np.ndarray = np.zeros(data["shape"], np.int64).astype(dtype)
    values.reshape(-1)[data["at"]] = data["values"]
    return values


def count(outcomes: Outcomes, seating: np.ndarray, score_range: tuple[int, int]) -> Tally:
    """Tally of some blocks.

    Parameters
    ----------
    outcomes : Outcomes
        In seat order.
    seating : array of int, shape (games, seats)
        Strategy in each seat, see :class:`simulator.experiments.plan.Plan`. Solo (one seat): the games of a block are
        those of the strategies alone on the same dice.
    score_range : (int, int)
        Bounds of a score, inclusive; a score beyond them raises :class:`ValueError`.
    """
    low, high = score_range
    if outcomes.scores.size and not (low <= outcomes.scores.min() and outcomes.scores.max() <= high):
        found = f"{outcomes.scores.min()} to {outcomes.scores.max()}"
        raise ValueError(f"scores from {found} are beyond the bounds {low} to {high}")
    blocks, (games, seats) = len(outcomes.rolls), seating.shape
    places = seating.ravel()
    scores, shares = (a.reshape(blocks, games * seats) for a in (outcomes.scores, outcomes.shares))
    parts = outcomes.parts.sum(axis=0).reshape(games * seats, outcomes.parts.shape[3])
    start_lead = seats * outcomes.scores[:, :, 0] - outcomes.scores.sum(axis=2)
    of_game = (outcomes.shares[:, :, 0], start_lead, outcomes.rolls)
    values = np.concatenate(
        [_sums_by(places, scores), _sums_by(places, shares), *(g.sum(axis=1)[:, None] for g in of_game)], axis=1
    )
    pairs = _pair_values(seating, scores, shares)
    return Tally(
        low,
        high,
        blocks=blocks,
        games=outcomes.rolls.size,
        ties=int((outcomes.shares.max(axis=2, initial=0) < WHOLE_SHARE).sum()),
        stopped=int(outcomes.stopped.sum()),
        scores=_histograms(scores, places, low, high),
        margins=_margins(scores, seating, high - low),
        rolls=np.bincount(outcomes.rolls.ravel()).astype(np.int64),
        outright=_sums_by(places, (shares == WHOLE_SHARE).sum(axis=0)),
        shared=_sums_by(places, ((shares > 0) & (shares < WHOLE_SHARE)).sum(axis=0)),
        parts=_sums_by(places, parts.T).T,
        block_wins=_block_wins(values, seating),
        sums=values.sum(axis=0).astype(object),
        products=block_products(values),
        pair_sums=pairs.sum(axis=1).astype(object),
        pair_squares=(_wide(pairs) ** 2).sum(axis=1).astype(object),
    )


def _sums_by(keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Sums along the last axis of the entries with key 0, 1, …, each of which there is."""
    order = np.argsort(keys, kind="stable")
    starts = np.searchsorted(keys[order], np.arange(keys.max() + 1))
    sums: np.ndarray = np.add.reduceat(values[..., order], starts, axis=-1)
    return sums


def _histograms(values: np.ndarray, keys: np.ndarray, low: int, high: int) -> np.ndarray:
    """For each key a histogram over low to high of the entries with that key; ``values`` (…, entries)."""
    width, rows = high - low + 1, int(keys.max(initial=-1)) + 1
    places = values - low + keys * width
    return np.bincount(places.ravel(), minlength=rows * width).reshape(rows, width).astype(np.int64)


def _margins(scores: np.ndarray, seating: np.ndarray, width: int) -> np.ndarray:
    """Histograms of the differences to strategy 0; ``scores`` (blocks, games * seats)."""
    if seating.shape[1] == 1:
        seating = seating.T  # as if all sat at one table
    firsts, others = np.nonzero(seating == 0), np.nonzero(seating != 0)
    place_of_first = np.full(len(seating), -1)
    place_of_first[firsts[0]] = np.ravel_multi_index(firsts, seating.shape)
    met = place_of_first[others[0]] >= 0
    mine, theirs = np.ravel_multi_index(others, seating.shape)[met], place_of_first[others[0]][met]
    return _histograms(scores[:, mine] - scores[:, theirs], seating[others][met] - 1, -width, width)


def _block_wins(values: np.ndarray, seating: np.ndarray) -> np.ndarray:
    """Blocks by the shares of strategy 0, where all share one table."""
    strategies, seats = int(seating.max()) + 1, seating.shape[1]
    if not 1 < seats == strategies:
        return np.zeros(0, np.int64)
    return np.bincount(values[:, strategies], minlength=WHOLE_SHARE * seats + 1).astype(np.int64)


def _pair_values(seating: np.ndarray, scores: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Every :class:`Pair` by block, int64 (3, blocks, n, n); no strategies where one table says it all."""
    strategies, (games, seats) = int(seating.max()) + 1, seating.shape
    if seats in (1, strategies):
        return np.zeros((len(Pair), len(scores), 0, 0), np.int64)
    two = np.array(list(permutations(range(seats), 2)))
    mine, theirs = ((np.arange(games)[:, None] * seats + two[:, side]).ravel() for side in (0, 1))
    keys = seating.ravel()[mine] * strategies + seating.ravel()[theirs]
    met, keys = np.unique(keys, return_inverse=True)
    values = [shares[:, mine], shares[:, mine] - shares[:, theirs], scores[:, mine] - scores[:, theirs]]
    pairs = np.zeros((len(Pair), len(scores), strategies * strategies), np.int64)
    pairs[:, :, met] = [_sums_by(keys, value) for value in values]
    return pairs.reshape(len(Pair), len(scores), strategies, strategies)


def block_products(values: np.ndarray) -> np.ndarray:
    """``values.T @ values`` as Python integers; in ``int64`` where that is sure to hold it."""
    values = _wide(values)
    products: np.ndarray = values.T @ values
    return products.astype(object)


def _wide(values: np.ndarray) -> np.ndarray:
    """As Python integers, if sums of products of as many values need not fit into ``int64``."""
    largest = int(np.abs(values).max(initial=0))
    return values.astype(object) if values.size * largest**2 >= _INT64_LIMIT else values


def _pad(counts: np.ndarray, length: int) -> np.ndarray:
    return np.pad(counts, (0, length - len(counts)))
