"""What is measured: kinds of strategies, from the cheapest to the dearest."""

from __future__ import annotations

import time
from typing import NamedTuple

from kok_sim.plans import make_plan
from simulator.experiments.run import open_table, run
from simulator.games import DEFAULT
from simulator.strategy import Scored, Strategy, Weights
from strategies import find_strategy


def edges(view, move, bonus=0.3, price=3.0):  # type: ignore[no-untyped-def]
    """The scored function of the README."""
    value = move.points + bonus * move.distance - price * move.jokers
    if view.roll > 20:
        value += 0.2 * move.cells
    return value


def greedy_in_python(view, move):  # type: ignore[no-untyped-def]
    """What greedy does, as a scored function."""
    return move.points + 0.1 * move.cells


CHANGING = Weights(
    "changing weights",
    "Every feature but replies and luck, and weights that change with the roll.",
    {
        "points": 1, "column_points": 0.1, "color_points": 0.1, "stars": 1, "cells": 0.1, "start_cells": 0.1,
        "distance": 0.05, "column_progress": 0.02, "color_progress": 0.01, "finished": 0.3, "frontier": 0.1,
        "passing": -0.1, "jokers": 3, "leftover": 0.1, "singles": 0.5, "pieces": 0.2,
    },
    {
        "points": 0.001, "stars": 0.01, "cells": -0.001, "distance": 0.001, "column_progress": 0.001,
        "color_progress": 0.001, "finished": 0.01, "frontier": -0.001, "jokers": -0.05, "leftover": 0.002,
        "singles": 0.01, "pieces": 0.01,
    },
)  # fmt: skip
REPLIES = Weights("with replies", "The same, and replies.", {**CHANGING.weights, "replies": 0.3}, CHANGING.per_roll)
EDGES = Scored("edges", "", edges, {"bonus": 0.3, "price": 3.0})
GREEDY_IN_PYTHON = Scored("greedy_in_python", "", greedy_in_python)


class Case(NamedTuple):
    """A name, who plays, and how many games take about a quarter of a second."""

    name: str
    strategies: tuple[Strategy, ...]
    games: int
    game: str = DEFAULT
    watched: bool = False  # as kok-sim variant plays them


GREEDY, CAUTIOUS, BLOCKER, RANDOM = (find_strategy(name) for name in ("greedy", "cautious", "blocker", "random"))
FEWEST_SKIPS, AVOID_PENALTY = (find_strategy(name, "qwixx") for name in ("fewest-skips", "avoid-penalty"))
CASES = (
    Case("greedy, 2 players", (GREEDY,) * 2, 15_000),
    Case("cautious, 2 players", (CAUTIOUS,) * 2, 10_000),
    Case("greedy v cautious", (GREEDY, CAUTIOUS), 12_000),
    Case("changing weights, 2 players", (CHANGING,) * 2, 5_000),
    Case("changing weights with replies", (REPLIES,) * 2, 4_000),
    Case("scored function like greedy", (GREEDY_IN_PYTHON,) * 2, 4_000),
    Case("scored function of the README", (EDGES,) * 2, 3_000),
    Case("blocker v greedy", (BLOCKER, GREEDY), 6_000),
    Case("random, 2 players", (RANDOM,) * 2, 4_000),
    Case("greedy, 4 players", (GREEDY,) * 4, 6_000),
    Case("greedy, solo", (GREEDY,), 40_000),
    Case("greedy v cautious, watched", (GREEDY, CAUTIOUS), 10_000, watched=True),
    Case("qwixx, fewest-skips", (FEWEST_SKIPS,) * 2, 25_000, "qwixx"),
    Case("qwixx, avoid-penalty", (AVOID_PENALTY,) * 2, 40_000, "qwixx"),
    Case("qwixx, avoid-penalty, watched", (AVOID_PENALTY,) * 2, 30_000, "qwixx", watched=True),
)


class Bench:
    """A table at which a plan can be timed again and again."""

    def __init__(
        self,
        strategies: tuple[Strategy, ...],
        games: int,
        game: str = DEFAULT,
        board: str | None = None,
        *,
        watched: bool = False,
    ) -> None:
        self.plan = make_plan(strategies, games, game=game, board=board, solo=len(strategies) == 1)
        self.table = open_table(self.plan, watched=watched)
        self.table.play(0, 10)

    def games_per_second(self, threads: int = 1) -> float:
        """Time the whole plan once."""
        started = time.perf_counter()
        if run(self.plan, threads=threads, table=self.table).interrupted:
            raise KeyboardInterrupt  # part of a run is no measurement
        return self.plan.games_played / (time.perf_counter() - started)
