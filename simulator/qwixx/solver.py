"""The solo game of Qwixx solved exactly: the expected points of the best play, from every state of the game.

The states of a row are those of rows.py. The points of crosses already made are left out of a value, so nothing else
counts. Red and yellow may be exchanged, so may green and blue, and so may the two pairs (each die turned over), which
leaves 1,367,031 states of the four rows, for each number of penalties. A cross brings the last crosses further to the
right and a penalty is one more penalty, so the states are solved from the end of the game to its start, each once;
those of one level are independent.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from simulator.errors import PlanError
from simulator.files import check_folder, explained, made_folder, placed
from simulator.kernels import fingerprint, forget_others
from simulator.qwixx.rows import CLOSED, OPEN_STATES, ROW_STATES, row_tables
from simulator.qwixx.rules import COLORS, NUMBERS, Rules, position_of
from simulator.qwixx.solver_kernels import solve_kernel
from simulator.threads import count_threads

STATES_OF_PAIR = ROW_STATES * (ROW_STATES + 1) // 2
STATES = STATES_OF_PAIR * (STATES_OF_PAIR + 1) // 2

SUMS = len(COLORS) * NUMBERS + 1
"""Sums of the positions of the last crosses of four rows."""

PREFIX = "solved-"
CHUNK = 4096  # states that one thread solves without a pause: some hundredths of a second
SAVED_EVERY = 10.0  # seconds
DROPPED_AFTER = 3600.0  # seconds after which a half-written file of a killed process is removed
_CHECKSUM = 32  # bytes


def _number_pairs() -> NDArray[np.int16]:
    larger, smaller = np.tril_indices(ROW_STATES)
    pairs = np.empty((ROW_STATES, ROW_STATES), np.int16)
    pairs[larger, smaller] = pairs[smaller, larger] = np.arange(STATES_OF_PAIR)
    return pairs


PAIRS = _number_pairs()
"""Numbers of the unordered pairs of states of two rows: int16 array (57, 57)."""


def index_of(rows: Sequence[int]) -> int:
    """Number of a state of the game (0..1 367 030), from the states of its four rows."""
    one, other = int(PAIRS[rows[0], rows[1]]), int(PAIRS[rows[2], rows[3]])
    return max(one, other) * (max(one, other) + 1) // 2 + min(one, other)


@dataclass(frozen=True, eq=False)
class Solution:
    """The values of all states of the solo game.

    Attributes
    ----------
    rules : Rules
        The rules that were solved.
    values : float64 array (penalties_to_end + 1, 1367031)
        By penalties so far and number of the state: expected points still to come. It is 0 where the game is over: in
        the last row, and wherever enough rows are closed.
    after, points : int64 array (57, 12)
        See :func:`simulator.qwixx.rows.row_tables`.
    """

    rules: Rules
    values: NDArray[np.float64]
    after: NDArray[np.int64]
    points: NDArray[np.int64]

    @property
    def value(self) -> float:
        """Expected points of a game that is played in the best way."""
        return float(self.values[0, 0])

    @property
    def positions(self) -> int:
        """How many positions of a game that goes on it has values of."""
        levels = Levels(self.rules)
        return levels.states_before(levels.count)

    @property
    def file(self) -> Path:
        """Where it is kept, if it was solved in the cache folder."""
        return file_of(self.rules, cache_folder())


def value(solution: Solution, rows: Sequence[int], penalties: int) -> float:
    """Expected points still to come, with four states of rows and so many penalties; 0 if the game is over."""
    return float(solution.values[min(penalties, solution.rules.penalties_to_end), index_of(rows)])


def optimal_turn(
    solution: Solution, rows: Sequence[int], penalties: int, whites: tuple[int, int], colors: Sequence[int]
) -> float:
    """Points of the best play of one turn and of all that follows, when the dice are known: the kernels' plain twin.

    Parameters
    ----------
    solution : Solution
        The values of what can follow; the game must not be over.
    rows : sequence of int
        The states of the four rows.
    penalties : int
        Penalties so far.
    whites : tuple of int
        The two white dice (1..6).
    colors : sequence of int
        The dice of the four rows (1..6); those of closed rows are not looked at.
    """
    rules = solution.rules
    white = [(row, position_of(row, sum(whites))) for row in range(len(COLORS))]
    color = [(row, position_of(row, die + colors[row])) for row in range(len(COLORS)) for die in whites]
    best = value(solution, rows, penalties + 1) - rules.penalty_points
    for first, second in [(white, color)] if rules.white_first else [(white, color), (color, white)]:
        for made, reached in _crosses(solution, rows, second):  # the second alone
            best = max(best, made + value(solution, reached, penalties))
        for made, reached in _crosses(solution, rows, first):
            best = max(best, made + value(solution, reached, penalties))
            if rules.end_at_once and reached.count(CLOSED) >= rules.rows_to_end:
                continue
            for more, end in _crosses(solution, reached, second):
                best = max(best, made + more + value(solution, end, penalties))
    return best


def _crosses(
    solution: Solution, rows: Sequence[int], choices: Sequence[tuple[int, int]]
) -> Iterator[tuple[float, list[int]]]:
    """Those of the crosses (row, position) that are allowed: points, and states of the rows afterwards."""
    for row, position in choices:
        reached = int(solution.after[rows[row], position])
        if reached >= 0:
            yield float(solution.points[rows[row], position]), [*rows[:row], reached, *rows[row + 1 :]]


@cache
def cache_folder() -> Path:
    """Where solved tables of this version are kept for this user; those of others are forgotten after a week."""
    base = Path(platformdirs.user_cache_dir("kok-sim", appauthor=False))
    sources = ("rows.py", "rules.py", "solver.py", "solver_kernels.py")
    folder = base / (PREFIX + fingerprint(Path(__file__).parent, *sources))
    if not folder.exists():
        forget_others(base, PREFIX)
    return folder


def rules_key(rules: Rules) -> str:
    """A hash over the rules, as 16 hexadecimal digits."""
    return hashlib.sha256(json.dumps(asdict(rules)).encode()).hexdigest()[:16]


def file_of(rules: Rules, folder: Path) -> Path:
    """The file of a folder that holds the table of these rules."""
    return folder / f"qwixx-solo-{rules_key(rules)}.table"


def solve(
    rules: Rules,
    *,
    threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    folder: Path | None = None,
) -> Solution:
    """Solve the solo game, or load what was solved before.

    Parameters
    ----------
    rules : Rules
    threads : int, optional
        1 to 1024; as many as there are cores if not given. The values do not depend on it.
    on_progress : callable, optional
        Called now and then by this thread with the states solved so far and the states in all. What it raises ends the
        run.
    folder : Path, optional
        Where the table is kept, such as :func:`cache_folder`. A table that is finished is loaded from there. A run that
        was broken off in any way goes on from what was saved there, up to ten seconds before. A damaged file is solved
        again. If not given, nothing is read or written.

    Raises
    ------
    PlanError
        For another number of threads.
    OutputError
        If the folder cannot be written to.
    """
    threads = count_threads(threads)
    solution = _empty(rules)
    levels = Levels(rules)
    if folder is None:
        _solve_levels(solution, levels, 0, threads, on_progress, None)
        return solution
    file = file_of(rules, folder)
    done = _load(file, solution, levels.count)
    if done < levels.count:
        check_folder(folder)
        _drop_leftovers(file)
        with made_folder(folder):
            _solve_levels(solution, levels, done, threads, on_progress, file)
    return solution


def _empty(rules: Rules) -> Solution:
    """All values 0, as at the end of the game."""
    return Solution(rules, np.zeros((rules.penalties_to_end + 1, STATES)), *row_tables(rules))


def count_levels(rules: Rules) -> int:
    """How many levels there are."""
    return rules.penalties_to_end * SUMS


class Levels:
    """The states of the game in the order in which they can be solved.

    A level is a number of penalties and a sum of the positions of the last crosses (11 for a closed row), and the
    levels are numbered from the end of the game.
    """

    def __init__(self, rules: Rules) -> None:
        self.sums = SUMS
        self.count = count_levels(rules)
        self.penalties_to_end = rules.penalties_to_end
        pair_rows = np.stack(np.tril_indices(ROW_STATES), axis=1).astype(np.int16)
        numbers = np.arange(STATES_OF_PAIR, dtype=np.int16)
        larger = np.repeat(numbers, numbers + 1)
        smaller = np.concatenate([numbers[: number + 1] for number in numbers])
        self.rows_of = (larger, smaller, pair_rows)
        last = np.array([last for last, _ in OPEN_STATES] + [NUMBERS], np.int16)[pair_rows].sum(axis=1).astype(np.int8)
        closed = (pair_rows == CLOSED).sum(axis=1).astype(np.int8)
        sums = last[larger] + last[smaller]
        sums[closed[larger] + closed[smaller] >= rules.rows_to_end] = self.sums  # over: behind all that is solved
        self.order = np.argsort(sums, kind="stable").astype(np.int32)
        self.ends = np.searchsorted(sums[self.order], np.arange(self.sums), side="right")

    def states(self, level: int) -> tuple[int, NDArray[np.int32]]:
        """Penalties so far, and the numbers of the states, of level 0, 1, …"""
        penalties = self.penalties_to_end - 1 - level // self.sums
        place = self.sums - 1 - level % self.sums
        return penalties, self.order[self.ends[place - 1] if place else 0 : self.ends[place]]

    def states_before(self, level: int) -> int:
        """How many states are solved when a level begins."""
        whole, rest = divmod(level, self.sums)
        return int((whole + 1) * self.ends[-1] - self.ends[self.sums - 1 - rest])


def _solve_levels(
    solution: Solution,
    levels: Levels,
    done: int,
    threads: int,
    on_progress: Callable[[int, int], None] | None,
    file: Path | None,
) -> None:
    """Solve from level ``done`` on; with a file, save now and then, when broken off, and at the end."""
    saved, saved_at = done, time.monotonic()
    try:
        with ThreadPoolExecutor(threads) as pool:
            for level in range(done, levels.count):
                solve_level(solution, levels, level, pool, on_progress)
                done = level + 1
                if file is not None and time.monotonic() - saved_at > SAVED_EVERY:
                    _save(file, solution, done)
                    saved, saved_at = done, time.monotonic()
    finally:
        if file is not None and saved < done:
            _save(file, solution, done)


def solve_level(
    solution: Solution,
    levels: Levels,
    level: int,
    pool: ThreadPoolExecutor,
    on_progress: Callable[[int, int], None] | None,
) -> None:
    """Solve the states of one level, in chunks; if broken off, no chunk is begun any more."""
    rules = solution.rules
    numbers = (rules.white_first, rules.penalty_points, rules.rows_to_end, rules.end_at_once)
    penalties, states = levels.states(level)
    solved, in_all = levels.states_before(level), levels.states_before(levels.count)
    sizes = {}
    try:
        for begin in range(0, len(states), CHUNK):
            chunk = states[begin : begin + CHUNK]
            tables = (PAIRS, solution.after, solution.points, numbers, solution.values)
            sizes[pool.submit(solve_kernel, chunk, levels.rows_of, *tables, penalties)] = len(chunk)
        for future in as_completed(sizes):
            future.result()
            solved += sizes[future]
            if on_progress is not None:
                on_progress(solved, in_all)
    except BaseException:
        for future in sizes:
            future.cancel()
        raise


def _header(rules: Rules, done: int) -> bytes:
    """First line of a file. Then follow the values, as little-endian float64, and a SHA-256 over all that."""
    return json.dumps({"levels": done, "rules": asdict(rules)}).encode() + b"\n"


def _save(file: Path, solution: Solution, done: int) -> None:
    header = _header(solution.rules, done)
    values = solution.values[:-1].astype("<f8", copy=False)
    digest = hashlib.sha256(header)
    digest.update(values.data)
    with placed(file) as temporary, explained(file), temporary.open("wb") as stream:
        stream.write(header)
        stream.write(values.data)
        stream.write(digest.digest())


def _load(file: Path, solution: Solution, levels: int) -> int:
    """Read a table into the values; returns how many levels it holds: 0 if there is none that is whole."""
    values = np.zeros(solution.values[:-1].shape, "<f8")
    try:
        with file.open("rb") as stream:
            header = stream.readline(1 << 12)
            whole = stream.readinto(values.data.cast("B")) == values.nbytes
            checksum = stream.read(_CHECKSUM + 1)
    except OSError:
        return 0
    digest = hashlib.sha256(header)
    digest.update(values.data)
    if not whole or checksum != digest.digest():
        return 0
    done = int(json.loads(header)["levels"])
    if header != _header(solution.rules, done) or not 0 <= done <= levels:
        return 0
    solution.values[:-1] = values
    return done


def _drop_leftovers(file: Path) -> None:
    """Remove what processes that were killed while they saved have left, but nothing new: one may be writing."""
    for leftover in file.parent.glob(f".{file.name}.*.part"):
        with suppress(OSError):
            if time.time() - leftover.stat().st_mtime > DROPPED_AFTER:
                leftover.unlink()


KEPT: dict[Rules, Solution] = {}
"""Solutions in memory. They are kept for good, because engines hold addresses of their values."""


def solution_of(rules: Rules) -> Solution:
    """The solution in the cache folder, kept in memory from then on.

    Raises
    ------
    PlanError
        If these rules are not solved there.
    """
    if rules in KEPT:
        return KEPT[rules]
    solution, levels = _empty(rules), count_levels(rules)
    if _load(file_of(rules, cache_folder()), solution, levels) < levels:
        settings = "".join(f" --rule {setting}" for setting in rules.typed())
        raise PlanError(
            f"optimal needs the exact values of the solo game; find them with: kok-sim solve qwixx-solo{settings}"
        )
    return KEPT.setdefault(rules, solution)  # of two threads that load it at once both get the same
