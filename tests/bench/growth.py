"""How time grows: with players, sheets, strategies, games and threads; prints the tables of docs/performance.md.

The lines of a table are measured in turn, round by round, so that a machine whose speed drifts drifts for all of them.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from simulator.keer_op_keer.sheet import sheet_names
from strategies import find_strategy, strategy_names
from tests.bench import yardstick
from tests.bench.cases import CHANGING, EDGES, Bench

ROUNDS = 7


def main(tables: list[str]) -> None:
    """Print the tables that are named, all of them if none is."""
    for name in tables or TABLES:
        TABLES[name]()
        print(flush=True)


def players() -> None:
    """Time per game against the number of players."""
    names = ("greedy", "cautious", "blocker", "scored function")
    benches = {}
    for count in range(2, 7):
        for name in names:
            strategy = EDGES if name == "scored function" else find_strategy(name)
            benches[count, name] = Bench((strategy,) * count, 8_000 // count)
    rates = _in_turn({key: bench.games_per_second for key, bench in benches.items()})
    print("| players | " + " | ".join(f"{name}, µs a game" for name in names) + " |")
    print("|---|" + "---|" * len(names))
    for count in range(2, 7):
        cells = [_spread([1e6 / rate for rate in rates[count, name]], 1) for name in names]
        print(f"| {count} | " + " | ".join(cells) + " |")


def sheets() -> None:
    """Games per second on each official sheet, two players."""
    names = ("greedy", "cautious")
    benches = {
        (sheet, name): Bench((find_strategy(name),) * 2, 8_000, board=sheet)
        for sheet in sheet_names()
        for name in names
    }
    rates = _in_turn({key: bench.games_per_second for key, bench in benches.items()})
    print("| sheet | greedy, games/s | cautious, games/s |")
    print("|---|---|---|")
    for sheet in sheet_names():
        print(f"| {sheet} | " + " | ".join(_spread(rates[sheet, name]) for name in names) + " |")


def strategies() -> None:
    """Games per second and ratio to the yardstick of each strategy against itself."""
    everybody = {name: find_strategy(name) for name in strategy_names()}
    everybody |= {"weights that change with the roll": CHANGING, "scored function": EDGES}
    jobs = {name: Bench((strategy,) * 2, 5_000).games_per_second for name, strategy in everybody.items()}
    with tempfile.TemporaryDirectory() as folder:
        measure = yardstick.build(Path(folder))
        rates = _in_turn({**jobs, **({"yardstick": measure} if measure else {})})
    print("| strategy, 2 players | games/s | ratio to the yardstick |")
    print("|---|---|---|")
    for name in jobs:
        ratios = [rate / mark for rate, mark in zip(rates[name], rates.get("yardstick", []), strict=False)]
        print(f"| {name} | {_spread(rates[name])} | {_spread(ratios, 2) if ratios else '–'} |")
    print(f"| (the yardstick) | {_spread(rates['yardstick'])} | 1 |" if measure else "")


def games() -> None:
    """Games per second of whole runs, from a thousand games to ten million, on one thread and on two."""
    pair = (find_strategy("greedy"), find_strategy("cautious"))
    print("| games | 1 thread, games/s | 2 threads, games/s | 2 threads, seconds |")
    print("|---|---|---|---|")
    for count in (10**3, 10**4, 10**5, 10**6, 10**7):
        bench = Bench(pair, count)
        rounds = ROUNDS if count < 10**6 else 3 if count == 10**6 else 1
        rates = _in_turn({threads: partial(bench.games_per_second, threads) for threads in (1, 2)}, rounds)
        seconds = f"{count / statistics.median(rates[2]):.2f}"
        print(f"| {count:,} | {_spread(rates[1])} | {_spread(rates[2])} | {seconds} |", flush=True)


TABLES = {"players": players, "sheets": sheets, "strategies": strategies, "games": games}


def _in_turn(jobs: dict[Any, Callable[[], float]], rounds: int = ROUNDS) -> dict[Any, list[float]]:
    """What each job gives in each round."""
    found: dict[Any, list[float]] = {key: [] for key in jobs}
    for _ in range(rounds):
        for key, job in jobs.items():
            found[key].append(job())
    return found


def _spread(values: list[float], decimals: int = 0) -> str:
    """Median, and least to most."""
    middle, low, high = (f"{f(values):,.{decimals}f}" for f in (statistics.median, min, max))
    return f"{middle} ({low} to {high})" if len(values) > 1 else middle
