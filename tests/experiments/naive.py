"""Plain-Python twin of the tally: one game at a time, in words of the rules rather than of arrays."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np

from simulator.outcomes import Outcomes


@dataclass
class NaiveTally:
    """Counters and lists per strategy."""

    ties: int = 0
    stopped: int = 0
    scores: list[Counter[int]] = field(default_factory=list)
    margins: list[Counter[int]] = field(default_factory=list)
    rolls: Counter[int] = field(default_factory=Counter)
    outright: Counter[int] = field(default_factory=Counter)
    shared: Counter[int] = field(default_factory=Counter)
    parts: dict[tuple[int, int], int] = field(default_factory=dict)
    block_sums: list[list[int]] = field(default_factory=list)
    block_wins: Counter[int] = field(default_factory=Counter)
    pairs: list[Counter[tuple[str, int, int]]] = field(default_factory=list)
    """By block, for two that meet: share of i, its lead in shares, its lead in score."""


def naive_count(outcomes: Outcomes, seating: np.ndarray) -> NaiveTally:
    """Count blocks game by game."""
    strategies = int(seating.max()) + 1
    solo = seating.shape[1] == 1
    found = NaiveTally()
    found.scores = [Counter() for _ in range(strategies)]
    found.margins = [Counter() for _ in range(strategies - 1)]
    for b in range(len(outcomes.scores)):
        sums = [0] * (2 * strategies + 3)
        pairs: Counter[tuple[str, int, int]] = Counter()
        deal: dict[int, int] = {}
        for g, row in enumerate(seating.tolist()):
            scores = outcomes.scores[b, g].tolist()
            shares = outcomes.shares[b, g].tolist()
            for seat, strategy in enumerate(row):
                found.scores[strategy][scores[seat]] += 1
                found.outright[strategy] += shares[seat] == 60
                found.shared[strategy] += 0 < shares[seat] < 60
                sums[strategy] += scores[seat]
                sums[strategies + strategy] += shares[seat]
                deal[strategy] = scores[seat]
                for p, points in enumerate(outcomes.parts[b, g, seat].tolist()):
                    found.parts[strategy, p] = found.parts.get((strategy, p), 0) + points
            found.ties += max(shares) < 60
            found.stopped += int(outcomes.stopped[b, g])
            found.rolls[int(outcomes.rolls[b, g])] += 1
            sums[-3] += shares[0]
            sums[-2] += (len(row) - 1) * scores[0] - sum(scores[1:])
            sums[-1] += int(outcomes.rolls[b, g])
            for i, j in permutations(row, 2):
                mine, theirs = row.index(i), row.index(j)
                pairs["share", i, j] += shares[mine]
                pairs["share lead", i, j] += shares[mine] - shares[theirs]
                pairs["score lead", i, j] += scores[mine] - scores[theirs]
            if not solo:
                _margins(found, deal)
                deal = {}
        if solo:
            _margins(found, deal)
        found.block_sums.append(sums)
        found.block_wins[sums[strategies]] += 1
        found.pairs.append(pairs)
    return found


def _margins(found: NaiveTally, deal: dict[int, int]) -> None:
    for strategy in deal:
        if strategy and 0 in deal:
            found.margins[strategy - 1][deal[strategy] - deal[0]] += 1
