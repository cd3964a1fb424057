"""A game whose distribution is known: made-up scores from a counter-based stream, as a stand-in for a table."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import numpy as np

from simulator.errors import StrategyError
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.run import run
from simulator.experiments.stopping import Rule
from simulator.experiments.tally import Tally
from simulator.keer_op_keer.rules import OFFICIAL, Rules
from simulator.keer_op_keer.sheet import load_sheet
from simulator.outcomes import WHOLE_SHARE, Outcomes
from simulator.strategy import Weights

PARTS = ("colors", "columns", "jokers", "stars", "passes")


def plan(
    *names: str,
    games: int = 100,
    seed: int = 1,
    solo: bool = False,
    boards: str = "black",
    rules: Rules = OFFICIAL,
    table: int | None = None,
    focus: bool = False,
    independent: bool = False,
    stop: Rule | None = None,
    levels: int = 0,
) -> Plan:
    """A plan in which strategy ``name`` weighs points with the length of its name."""
    strategies = tuple(Weights(name, f"the idea of {name}", {"points": float(len(name))}) for name in names)
    sheets = tuple(load_sheet(board) for board in boards.split(","))
    return Plan(
        strategies,
        sheets * len(names) if len(sheets) == 1 else sheets,
        games,
        seed,
        rules,
        solo,
        table=table,
        focus=focus,
        independent=independent,
        stop=stop,
        levels=levels,
    )


class FakeTable:
    """Scores are ``mean[strategy]`` + luck of the deal + luck of the game and strategy + ``seat_gain`` for seat 0.

    Parameters
    ----------
    plan : Plan
    means : sequence of int
        Mean score of each strategy.
    deal, luck : int
        Each part of the luck is uniform over ``-deal..deal`` and ``-luck..luck``.
    seat_gain : int
        Points for the starting seat.
    seconds : float
        Time that a chunk takes.
    fails_at : int
        Block at which a strategy fails; -1 for none.
    """

    parts = PARTS

    def __init__(
        self,
        plan: Plan,
        means: tuple[int, ...],
        *,
        deal: int = 8,
        luck: int = 6,
        seat_gain: int = 0,
        seconds: float = 0,
        fails_at: int = -1,
        chunk_blocks: int = 64,
    ) -> None:
        self.plan, self.means, self.deal, self.luck, self.seat_gain = plan, np.array(means), deal, luck, seat_gain
        self.seconds, self.fails_at, self.chunk_blocks = seconds, fails_at, chunk_blocks
        self.score_range = plan.rules.score_range()
        self.notes: list[str] = []
        self.played: list[tuple[int, int]] = []

    def prepare(self) -> None:
        """Nothing to do."""

    def play(self, first_block: int, blocks: int) -> Outcomes:
        """Outcomes that depend on the seed and the number of the block only."""
        self.played.append((first_block, blocks))
        time.sleep(self.seconds)
        if first_block <= self.fails_at < first_block + blocks:
            raise StrategyError(f"strategy 'bad' gave no number in block {self.fails_at}")
        games, seats = self.plan.seating.shape
        out = Outcomes.empty(blocks, games, seats, len(PARTS))
        for b in range(blocks):
            self._fill(out, b, np.random.default_rng((self.plan.seed, first_block + b)))
        out.parts[..., 0] = out.scores // 2
        out.parts[..., 1] = out.scores - out.parts[..., 0]
        best = out.scores == out.scores.max(axis=2, keepdims=True)
        out.shares[:] = best * WHOLE_SHARE // best.sum(axis=2, keepdims=True)
        return out

    def _fill(self, out: Outcomes, b: int, rng: np.random.Generator) -> None:
        seating = self.plan.seating
        luck = rng.integers(-self.luck, self.luck + 1, seating.shape)
        out.scores[b] = self.means[seating] + rng.integers(-self.deal, self.deal + 1) + luck
        if not self.plan.solo:
            out.scores[b, :, 0] += self.seat_gain
        out.rolls[b] = rng.integers(25, 60, len(seating))


def fake_result(the_plan: Plan, means: tuple[int, ...], **settings: object) -> Result:
    """Result of a run with a fake table, on one thread."""
    return run(the_plan, threads=1, table=FakeTable(the_plan, means, **settings))  # type: ignore[arg-type]


def plain(tally: Tally) -> dict[str, Any]:
    """A tally as data that can be compared."""
    values = {field.name: getattr(tally, field.name) for field in dataclasses.fields(tally)}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}
