"""The solver of the solo game: against all rolls one by one, against a plain recursion, and known values."""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from simulator.errors import OutputError
from simulator.kernels import kernel
from simulator.qwixx import solver
from simulator.qwixx.rows import CLOSED, OPEN_STATES, row_state, row_tables
from simulator.qwixx.rules import COLORS, OFFICIAL, Rules
from simulator.qwixx.solver import STATES, Levels, Solution, solve
from simulator.qwixx.solver_kernels import solve_kernel, value_kernel

FACES = range(1, 7)


SWITCHES = [Rules(white_first=first, end_at_once=at_once) for first in (True, False) for at_once in (True, False)]
ODD = replace(OFFICIAL, row_points=(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8), crosses_to_lock=0, penalty_points=2)


class Enough(Exception):  # noqa: N818
    """Breaks a run off."""


def numbers_of(rules: Rules) -> tuple[bool, int, int, bool]:
    return rules.white_first, rules.penalty_points, rules.rows_to_end, rules.end_at_once


def test_expected_points_of_the_best_play():
    """Both are known from elsewhere to these digits; with the loss of the second cross and without."""
    folder = solver.cache_folder()
    assert solve(OFFICIAL, folder=folder).value == pytest.approx(115.4831, abs=5e-5)
    assert solve(replace(OFFICIAL, end_at_once=False), folder=folder).value == pytest.approx(115.911, abs=5e-4)


# One state against all rolls


def mean_over_all_rolls(solution: Solution, rows: tuple[int, ...], penalties: int) -> float:
    dice = [FACES if row != CLOSED else [1] for row in rows]
    turns = [
        solver.optimal_turn(solution, rows, penalties, (white, other), colors)
        for white, other in product(FACES, FACES)
        for colors in product(*dice)
    ]
    return math.fsum(turns) / len(turns)


@pytest.mark.parametrize("rules", [*SWITCHES, replace(ODD, white_first=False, rows_to_end=3)], ids=str)
def test_a_state_is_worth_the_mean_over_all_rolls(rules: Rules):
    """Whatever the values of the states that follow: here they are random."""
    values = np.random.default_rng(1).uniform(0, 12, (rules.penalties_to_end + 1, STATES))
    solution = Solution(rules, values, *row_tables(rules))
    levels = Levels(rules)
    chance = random.Random(2)
    cases = [[row_state(9, 5), row_state(10, 4), row_state(8, 8), row_state(10, 6)]]
    cases += [[CLOSED, *(chance.randrange(CLOSED) for _ in range(3))] for _ in range(3)]
    if rules.rows_to_end > 2:
        cases += [[CLOSED, 0, CLOSED, chance.randrange(CLOSED)]]
    for rows in cases:
        chance.shuffle(rows)
        index = solver.index_of(rows)
        rest = (solver.PAIRS, solution.after, solution.points, numbers_of(rules), values, 1)
        expected = mean_over_all_rolls(solution, tuple(rows), 1)
        kept = values[1, index]
        solve_kernel(np.array([index], np.int32), levels.rows_of, *rest)
        assert values[1, index] == pytest.approx(expected, rel=1e-12)
        values[1, index] = kept


# Late states against a recursion that knows neither numbers of states nor symmetry

Row = tuple[frozenset[int], bool]  # numbers crossed, and whether it is closed


def plain_value(rules: Rules, start: tuple[Row, ...], start_penalties: int) -> float:
    points = (0, *rules.row_points)

    def ended(rows: tuple[Row, ...]) -> bool:
        return sum(closed for _, closed in rows) >= rules.rows_to_end

    def cross(rows: tuple[Row, ...], row: int, number: int) -> tuple[float, tuple[Row, ...]] | None:
        crossed, closed = rows[row]
        if closed or any(number <= other if row < 2 else number >= other for other in crossed):
            return None
        locks = number == (12 if row < 2 else 2)
        if locks and len(crossed) < rules.crosses_to_lock:
            return None
        new = (crossed | {number}, locks)
        gained = points[len(crossed) + 1 + locks] - points[len(crossed)]
        return gained, (*rows[:row], new, *rows[row + 1 :])

    def turn(rows: tuple[Row, ...], penalties: int, dice: tuple[int, ...]) -> float:
        white = [(row, dice[0] + dice[1]) for row in range(len(COLORS))]
        color = [(row, dice[i] + dice[2 + row]) for row in range(len(COLORS)) for i in (0, 1)]
        ends = [value(rows, penalties + 1) - rules.penalty_points]
        for first, second in ((white, color), (color, white)):
            for one in first:
                after = cross(rows, *one)
                if after is None:
                    continue
                ends.append(after[0] + value(after[1], penalties))
                if rules.end_at_once and ended(after[1]):
                    continue
                for two in second if first is white or not rules.white_first else ():
                    last = cross(after[1], *two)
                    if last is not None:
                        ends.append(after[0] + last[0] + value(last[1], penalties))
        return max(ends)

    @cache
    def value(rows: tuple[Row, ...], penalties: int) -> float:
        if ended(rows) or penalties == rules.penalties_to_end:
            return 0.0
        dice = [FACES, FACES, *([1] if closed else FACES for _, closed in rows)]
        turns = [turn(rows, penalties, roll) for roll in product(*dice)]
        return sum(turns) / len(turns)

    return value(start, start_penalties)


def late_states(rules: Rules, least: int) -> Solution:
    """Solved as far as the sum of the positions of the last crosses is not less than this."""
    solution = Solution(rules, np.zeros((rules.penalties_to_end + 1, STATES)), *row_tables(rules))
    levels = Levels(rules)
    with ThreadPoolExecutor(1) as pool:
        for level in range(levels.count):
            if levels.sums - 1 - level % levels.sums >= least:
                solver.solve_level(solution, levels, level, pool, None)
    return solution


@pytest.mark.parametrize(
    ("rules", "open_rows"),
    [
        (replace(ODD, rows_to_end=1, penalties_to_end=1), {0: {11}, 1: {11, 3}, 2: {3}, 3: {4}}),
        (replace(ODD, rows_to_end=1, penalties_to_end=1, white_first=False), {0: {11}, 1: {11}, 2: {3}, 3: {4, 9}}),
        (replace(ODD, rows_to_end=2, penalties_to_end=2), {0: {10, 5}, 2: {4, 7}, 3: {3}}),
        (replace(ODD, rows_to_end=2, penalties_to_end=1, end_at_once=False), {0: {10, 5}, 1: {10}, 3: {3}}),
        (replace(ODD, rows_to_end=2, penalties_to_end=2, white_first=False), {1: {10}, 2: {4, 7}, 3: {3}}),
        (replace(OFFICIAL, rows_to_end=4, white_first=False), {1: {3, 4, 5, 7, 9}, 3: {8, 7, 6, 5}}),
        (replace(ODD, rows_to_end=3, white_first=False, end_at_once=False), {0: {9}, 3: {5}}),
    ],
    ids=str,
)
def test_late_states_are_worth_what_a_plain_recursion_finds(rules: Rules, open_rows: dict[int, set[int]]):
    plain, states, positions = [], [], 0
    for row in range(len(COLORS)):
        crossed = open_rows.get(row)
        plain.append((frozenset(crossed or ()), crossed is None))
        last = max(number - 1 if row < 2 else 13 - number for number in crossed) if crossed else 11
        states.append(row_state(last, len(crossed)) if crossed else CLOSED)
        positions += last
    solution = late_states(rules, positions)
    for penalties in range(rules.penalties_to_end + 1):
        expected = plain_value(rules, tuple(plain), penalties)
        assert solver.value(solution, states, penalties) == pytest.approx(expected, rel=1e-12, abs=1e-12)


# Numbers of states


def test_every_state_has_its_number():
    assert [row_state(last, crosses) for last, crosses in OPEN_STATES] == list(range(CLOSED))
    assert row_state(0, 0, closed=True) == CLOSED
    for last, crosses in ((0, 1), (1, 0), (3, 4), (11, 6), (-1, 0)):
        with pytest.raises(ValueError, match="no open row"):
            row_state(last, crosses)
    assert solver.index_of([0] * len(COLORS)) == 0
    assert solver.index_of([CLOSED] * len(COLORS)) == STATES - 1
    assert solver.index_of([3, 9, 20, 1]) == solver.index_of([9, 3, 1, 20]) == solver.index_of([1, 20, 3, 9])
    assert solver.index_of([3, 9, 20, 1]) != solver.index_of([3, 20, 9, 1])
    levels = Levels(OFFICIAL)
    larger, smaller, pair_rows = levels.rows_of
    for index in range(0, STATES, 9973):
        assert solver.index_of([*pair_rows[larger[index]], *pair_rows[smaller[index]]]) == index


def test_a_cross_leads_to_the_right_of_the_last_one():
    after, points = row_tables(OFFICIAL)
    assert after[row_state(4, 3), :6].tolist() == [-1] * 5 + [row_state(5, 4)]
    assert points[row_state(4, 3), 5] == 4
    assert (after[row_state(10, 4), 11], points[row_state(10, 4), 11]) == (-1, 0)
    assert (after[row_state(10, 5), 11], points[row_state(10, 5), 11]) == (CLOSED, 6 + 7)
    assert (after[CLOSED] == -1).all()


@kernel
def look_up(values, pairs, rows):
    return value_kernel(values, pairs, rows[0], rows[1], rows[2], rows[3])


def test_kernel_and_plain_function_find_the_same_values():
    values = np.random.default_rng(3).random((5, STATES))
    solution = Solution(OFFICIAL, values, *row_tables(OFFICIAL))
    chance = random.Random(4)
    for _ in range(200):
        rows = [chance.randrange(CLOSED + 1) for _ in range(len(COLORS))]
        assert look_up(values[2], solver.PAIRS, np.array(rows)) == solver.value(solution, rows, 2)


# Files


SHORT = replace(OFFICIAL, rows_to_end=1, penalties_to_end=1)
KILLED = """
import os, signal, sys
from pathlib import Path
from simulator.qwixx import solver
from tests.qwixx.test_solver import SHORT
solver.SAVED_EVERY = 0.0
solver.solve(SHORT, folder=Path(sys.argv[1]), on_progress=lambda done, _: done < 60_000 or os.kill(os.getpid(), 9))
"""


def begin(folder: Path, until: int) -> list[int]:
    """Solve until so many states are done, then break off; returns how many were done whenever it was told."""
    told = []

    def tell(done: int, in_all: int) -> None:
        told.append(done)
        assert done <= in_all < STATES
        if done >= until:
            raise Enough

    with pytest.raises(Enough):
        solve(SHORT, folder=folder, on_progress=tell)
    return told


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_killed_run_goes_on(tmp_path: Path):
    run = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, cwd=Path(__file__).parents[2])
    assert run.returncode == -signal.SIGKILL
    assert begin(tmp_path, 1)[0] > 30_000


def test_a_run_that_was_broken_off_goes_on_and_is_then_loaded(tmp_path: Path):
    folder = tmp_path / "solved"
    assert begin(folder, 200_000)[0] < 10_000
    assert begin(folder, 400_000)[0] > 100_000
    told: list[int] = []
    solution = solve(SHORT, folder=folder, on_progress=lambda done, in_all: told.extend([done, in_all]))
    assert told[0] > 300_000
    assert told[-1] == told[-2]
    assert [file.name for file in folder.iterdir()] == [solver.file_of(SHORT, folder).name]
    loaded = solve(SHORT, folder=folder, on_progress=lambda *_: pytest.fail("it is solved already"))
    assert np.array_equal(loaded.values, solution.values)
    least = 33
    late = late_states(SHORT, least)
    known = late.values != 0
    assert known.sum() > 100_000
    assert np.array_equal(late.values[known], loaded.values[known])

    file = solver.file_of(SHORT, folder)
    content = file.read_bytes()
    for damaged in (content[:-1], content + b"\0", content[:9999] + bytes([content[9999] ^ 1]) + content[10000:], b""):
        file.write_bytes(damaged)
        assert begin(folder, 1)[0] < 10_000


def test_other_rules_have_other_files(tmp_path: Path):
    files = {solver.file_of(rules, tmp_path) for rules in (*SWITCHES, ODD, SHORT)}
    assert len(files) == 6


def test_a_folder_that_cannot_be_made(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError):
        solve(SHORT, folder=tmp_path / "file" / "solved")
