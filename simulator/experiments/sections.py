"""Sums over a watched run, kept section by section, so that any figure made of them has an interval.

The blocks of a run are dealt out to :data:`SECTIONS` sections: block b belongs to section b modulo their number. Two
runs on the same dice have the same blocks in a section, so the difference of any figure can be taken section by
section: that is what makes it a paired one. (Sectioning: Asmussen & Glynn 2007, Stochastic Simulation, III.5a.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.experiments.plan import Plan
from simulator.outcomes import WHOLE_SHARE, Outcomes
from simulator.watch import ENDING, LEAD_CHANGES, LED_FROM

SECTIONS = 50
CLOSE = 3  # points by which a close game is decided at most

Variable = tuple[str, int, int]
"""Name of a sum; what of: a strategy, an ending, a part, a count; and a feat. 0 where there is nothing to choose."""


def variables(plan: Plan) -> list[Variable]:
    """What is summed up over the blocks of a section.

    ``blocks``; ``games``; ``rolls``; ``ties``; ``close`` games, won by :data:`CLOSE` points or fewer; ``margin``, the
    winner's lead over the second; ``start_share`` and ``start_lead``, see :meth:`Tally.variables`; ``lead_changes``;
    ``led_from``; ``points`` of all players, their ``squares``, and ``block_squares``, squares of the points of a block;
    by ending ``ending``; by part of a score ``part``; by count ``count``; by strategy ``score`` and ``share`` (in
    sixtieths); by strategy and feat ``done`` and ``first``.
    """
    watch, strategies = plan.played.watch, range(len(plan.strategies))
    found: list[Variable] = [(name, 0, 0) for name in _SINGLE]
    found += [("ending", i, 0) for i in range(len(watch.endings))]
    found += [("part", i, 0) for i in range(len(plan.played.parts))]
    found += [("count", i, 0) for i in range(len(watch.counts))]
    found += [(name, i, 0) for name in ("score", "share") for i in strategies]
    return found + [(name, i, f) for name in ("done", "first") for i in strategies for f in range(len(watch.feats))]


_SINGLE = (
    "blocks", "games", "rolls", "ties", "close", "margin", "start_share", "start_lead", "lead_changes", "led_from",
    "points", "squares", "block_squares",
)  # fmt: skip


@dataclass(frozen=True)
class Sections:
    """Sums over the sections of a run; they merge by addition.

    Parameters
    ----------
    sums : object array of int, shape (SECTIONS, variables)
        See :func:`variables`. Python integers, which have no bound.
    scores : int64 array, shape (SECTIONS, highest - lowest + 1)
        Scores of all players, from the lowest to the highest that there was.
    low : int
        The lowest.
    """

    sums: np.ndarray
    scores: np.ndarray
    low: int

    @classmethod
    def empty(cls, plan: Plan) -> Sections:
        """The sections of nothing."""
        sums = np.zeros((SECTIONS, len(variables(plan))), np.int64).astype(object)
        return cls(sums, np.zeros((SECTIONS, 0), np.int64), 0)

    def __add__(self, other: Sections) -> Sections:
        """Sums of both; they must be of the same plan."""
        filled = [part for part in (self, other) if part.scores.shape[1]]
        low = min((part.low for part in filled), default=0)
        high = max((part.low + part.scores.shape[1] for part in filled), default=0)
        scores = np.zeros((SECTIONS, high - low), np.int64)
        for part in filled:
            scores[:, part.low - low : part.low - low + part.scores.shape[1]] += part.scores
        return Sections(self.sums + other.sums, scores, low)


def sum_up(plan: Plan, first_block: int, outcomes: Outcomes) -> Sections:
    """The sections of some blocks, one or more, which must have been watched.

    Parameters
    ----------
    plan : Plan
    first_block : int
        Number of the first of these blocks.
    outcomes : Outcomes
    """
    blocks = len(outcomes.rolls)
    section = (first_block + np.arange(blocks)) % SECTIONS
    values = np.concatenate([column.reshape(blocks, -1) for column in _columns(plan, outcomes)], axis=1)
    sums = np.zeros((SECTIONS, values.shape[1]), np.int64)
    np.add.at(sums, section, values)
    low = int(outcomes.scores.min())
    width = int(outcomes.scores.max()) - low + 1
    places = outcomes.scores.reshape(blocks, -1) - low + width * section[:, None]
    scores = np.bincount(places.ravel(), minlength=SECTIONS * width).reshape(SECTIONS, width)
    return Sections(sums.astype(object), scores, low)


def _columns(plan: Plan, out: Outcomes) -> Sequence[np.ndarray]:
    """The variables of each block, in order, int64 (blocks, ...)."""
    seats = out.scores.shape[2]
    points = out.scores.sum(axis=(1, 2))
    margin = np.diff(np.sort(out.scores, axis=2)[:, :, -2:], axis=2) if seats > 1 else np.zeros_like(out.scores)
    tied = out.shares.max(axis=2) < WHOLE_SHARE
    game_of = {
        "blocks": np.ones_like(points),
        "games": np.full_like(points, out.rolls.shape[1]),
        "rolls": out.rolls.sum(axis=1),
        "ties": tied.sum(axis=1),
        "close": (margin <= CLOSE).sum(axis=(1, 2)),
        "margin": margin.sum(axis=(1, 2)),
        "start_share": out.shares[:, :, 0].sum(axis=1),
        "start_lead": (seats * out.scores[:, :, 0] - out.scores.sum(axis=2)).sum(axis=1),
        "lead_changes": out.facts[:, :, LEAD_CHANGES].sum(axis=1),
        "led_from": out.facts[:, :, LED_FROM].sum(axis=1),
        "points": points,
        "squares": (out.scores**2).sum(axis=(1, 2)),
        "block_squares": points**2,
    }
    watch = plan.played.watch
    endings = out.facts[:, :, ENDING, None] == np.arange(len(watch.endings))
    strategies = np.arange(len(plan.strategies))
    plays = (plan.seating[..., None] == strategies).reshape(-1, len(strategies)).astype(np.int64)  # by place in a block
    bits = np.arange(len(watch.feats))
    feats = [out.counts[..., len(watch.counts) + i, None] >> bits & 1 for i in (0, 1)]
    return [
        *(game_of[name] for name in _SINGLE),
        endings.sum(axis=1),
        out.parts.sum(axis=(1, 2)),
        out.counts[..., : len(watch.counts)].sum(axis=(1, 2)),
        *(figures.reshape(len(points), -1) @ plays for figures in (out.scores, out.shares)),
        *(np.einsum("bpf,ps->bsf", done.reshape(len(points), len(plays), -1), plays) for done in feats),
    ]
