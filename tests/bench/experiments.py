"""What the ways to run an experiment cost: threads or a cluster, a run folder, looks of a stopping rule, a tournament.

Measured in turn, round by round; every rate is of the same games, or of as many.
"""

from __future__ import annotations

import dataclasses
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from simulator.experiments.cluster import Cluster
from simulator.experiments.folder import RunFolder
from simulator.experiments.plan import Plan
from simulator.experiments.run import open_table, run
from simulator.experiments.stopping import Until
from simulator.keer_op_keer.sheet import load_sheet
from strategies import find_strategy, pack

ROUNDS = 3
NEVER = Until(1e-9)


def main(games: int) -> None:
    """Print games per second of each way, and the ratio to threads."""
    plan = _plan("greedy", "cautious", games=games)
    league = _plan("greedy", "cautious", "tidy", "blocker", games=games // 6)
    ways: dict[str, Callable[[], float]] = {
        "2 threads": lambda: _rate(plan),
        "2 local processes": lambda: _rate(plan, cluster="local:2"),
        "2 threads, run folder": lambda: _rate(plan, kept=True),
        "2 threads, looks of --until": lambda: _rate(dataclasses.replace(plan, stop=NEVER)),
        "2 threads, independent dice": lambda: _rate(dataclasses.replace(plan, independent=True)),
        "2 threads, tournament of four": lambda: _rate(dataclasses.replace(league, table=2)),
        "2 threads, its six tables one by one": lambda: _rates_of_tables(league),
    }
    rates: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, measure in ways.items():
            rates[way].append(measure())
    print(f"| {games:,} games, {ROUNDS} rounds in turn | games/s, median (least to most) | part of threads |")
    print("|---|---|---|")
    for way, found in rates.items():
        parts = [rate / threads for rate, threads in zip(found, rates["2 threads"], strict=True)]
        print(
            f"| {way} | {statistics.median(found):,.0f} ({min(found):,.0f} to {max(found):,.0f}) | "
            f"{statistics.median(parts):.2f} ({min(parts):.2f} to {max(parts):.2f}) |"
        )


def _plan(*names: str, games: int) -> Plan:
    return Plan(tuple(map(find_strategy, names)), (load_sheet("black"),) * len(names), games)


def _rate(plan: Plan, *, cluster: str | None = None, kept: bool = False) -> float:
    """Games per second of one run, as it reports them itself."""
    workers = None if cluster is None else Cluster(plan, cluster, pack=pack)
    if not kept:
        return run(plan, threads=2, workers=workers).rate or 0.0
    with tempfile.TemporaryDirectory() as name, RunFolder(Path(name) / "run", plan, "bench") as folder:
        return run(plan, threads=2, folder=folder).rate or 0.0


def _rates_of_tables(plan: Plan) -> float:
    """Games per second of the tables of a tournament, each played as a run of its own."""
    seconds = games = 0.0
    for table in dataclasses.replace(plan, table=2).tables:
        pair = Plan(tuple(plan.strategies[s] for s in table), plan.sheets[:2], plan.games)
        result = run(pair, threads=2, table=open_table(pair))
        seconds, games = seconds + result.seconds, games + result.tally.games
    return games / seconds
