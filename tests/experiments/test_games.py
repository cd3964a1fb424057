"""Experiments with real games: nothing but the plan decides a result, and intervals keep what they promise."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from reports.document import dumps, results
from reports.statistics import figures
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.run import open_table, run
from simulator.experiments.tally import Tally, count
from simulator.keer_op_keer.sheet import load_sheet
from strategies import find_strategy

BLACK = load_sheet("black")


def plan(*names: str, games: int, seed: int = 1, solo: bool = False) -> Plan:
    return Plan(tuple(find_strategy(name) for name in names), (BLACK,) * len(names), games, seed, solo=solo)


def test_random_against_random_wins_half() -> None:
    shown = figures(run(plan("random", "random", games=20_000)))
    for strategy in shown.strategies:
        share = strategy["win_share"]
        assert share.low < 0.5 < share.high
        assert share.high - share.low < 0.02
    assert shown.strategies[1]["difference"].low < 0 < shown.strategies[1]["difference"].high


def test_four_times_random_share_the_wins_equally() -> None:
    shown = figures(run(plan(*["random"] * 4, games=8_000, seed=2)))
    assert sum(strategy["win_share"].value or 0 for strategy in shown.strategies) == pytest.approx(1)
    for strategy in shown.strategies:
        value, error = strategy["win_share"].value, strategy["win_share"].se
        assert value is not None
        assert error is not None
        assert abs(value - 0.25) < 3 * error


@pytest.mark.parametrize("blocks", [20, 50])
def test_intervals_of_short_runs_contain_the_truth_in_95_percent_of_repeats(blocks: int) -> None:
    """2,000 repeats of random against random: the true win share is 1/2, the true difference of scores 0."""
    repeats = 2_000
    whole = plan("random", "random", games=2 * blocks * repeats, seed=3)
    table = open_table(whole)
    hits = np.zeros(2)
    outcomes = table.play(0, blocks * repeats)
    for repeat in range(repeats):
        part = slice(repeat * blocks, (repeat + 1) * blocks)
        cut = type(outcomes)(*(getattr(outcomes, name)[part] for name in outcomes.__dataclass_fields__))
        tally: Tally = count(cut, whole.seating, table.score_range)
        short = plan("random", "random", games=2 * blocks, seed=3)
        shown = figures(Result(short, tally, table.parts, 1.0, "1 thread"))
        share, difference = shown.strategies[0]["win_share"], shown.strategies[1]["difference"]
        assert share.low is not None
        assert share.high is not None
        assert difference.low is not None
        assert difference.high is not None
        hits += (share.low <= 0.5 <= share.high, difference.low <= 0 <= difference.high)
    assert (hits / repeats >= 0.93).all(), hits / repeats
    assert (hits / repeats <= 0.97).all(), hits / repeats


@pytest.mark.parametrize("solo", [False, True])
def test_results_depend_on_the_plan_alone(solo: bool) -> None:
    made = plan("greedy", "random", "blocker", games=900, seed=5, solo=solo)
    first = dumps(results(run(made, threads=1)))
    for threads, chunk_blocks in ((2, None), (2, 7), (1, 1), (3, 1000)):
        assert dumps(results(run(made, threads=threads, chunk_blocks=chunk_blocks))) == first


def test_a_fresh_process_gives_the_same_results() -> None:
    command = [
        "compare",
        "greedy",
        "random",
        "-n",
        "600",
        "--seed",
        "7",
        "--format",
        "json",
        "--quiet",
        "--threads",
        "2",
    ]
    done = subprocess.run([sys.executable, "-m", "kok_sim", *command], capture_output=True, text=True, check=True)
    here = json.loads(dumps(results(run(plan("greedy", "random", games=600, seed=7), threads=1))))
    assert json.loads(done.stdout)["results"] == here
