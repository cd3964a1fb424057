"""Print games per second on one thread and two, for the kinds of strategies there are."""

from __future__ import annotations

import statistics
import time

from simulator.experiments.plan import Plan
from simulator.experiments.run import open_table, run
from simulator.keer_op_keer.sheet import load_sheet
from simulator.strategy import Scored, Strategy, Weights
from strategies import find_strategy

REPEATS = 3


def edges(view, move, bonus=0.3, price=3.0):  # type: ignore[no-untyped-def]
    """Points now, and a bonus for cells far from H; jokers are dear."""
    return move.points + bonus * move.distance - price * move.jokers + 0.1 * move.cells


def greedy_in_python(view, move):  # type: ignore[no-untyped-def]
    """What greedy does, as a scored function."""
    return move.points + 0.1 * move.cells


CHANGING = Weights(
    "changing weights",
    "Many features, and weights that change with the roll.",
    {"points": 1, "cells": 0.1, "column_progress": 0.1, "leftover": 0.3, "stars": 1, "singles": 0.5, "jokers": 3},
    {"jokers": -0.05, "stars": 0.01},
)

CASES: tuple[tuple[str, tuple[Strategy, ...], int], ...] = (
    ("greedy, 2 players", (find_strategy("greedy"),) * 2, 15_000),
    ("greedy v cautious", (find_strategy("greedy"), find_strategy("cautious")), 15_000),
    ("changing weights, 2 players", (CHANGING,) * 2, 8_000),
    ("scored function like greedy", (Scored("greedy_in_python", "", greedy_in_python),) * 2, 8_000),
    ("scored function that saves jokers", (Scored("edges", "", edges, {"bonus": 0.3, "price": 3.0}),) * 2, 5_000),
    ("blocker v greedy", (find_strategy("blocker"), find_strategy("greedy")), 5_000),
    ("random, 2 players", (find_strategy("random"),) * 2, 5_000),
    ("greedy, 4 players", (find_strategy("greedy"),) * 4, 5_000),
    ("greedy, solo", (find_strategy("greedy"),), 25_000),
)


def rates(strategies: tuple[Strategy, ...], games: int, threads: int) -> list[float]:
    """Games per second of several runs, after one that is not counted."""
    black = load_sheet("black")
    plan = Plan(strategies, (black,) * len(strategies), games, solo=len(strategies) == 1)
    table = open_table(plan)
    table.play(0, 10)
    found = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        run(plan, threads=threads, table=table)
        found.append(games / (time.perf_counter() - started))
    return found


if __name__ == "__main__":
    print(f"{'games per second, median of ' + str(REPEATS):36} {'1 thread':>10} {'2 threads':>10} {'gain':>6}")
    for name, strategies, games in CASES:
        one, two = (statistics.median(rates(strategies, games, threads)) for threads in (1, 2))
        print(f"{name:36} {one:10,.0f} {two:10,.0f} {two / one:6.2f}", flush=True)
