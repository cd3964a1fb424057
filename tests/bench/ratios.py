"""Games per second of each case, and its ratio to the yardstick against the ratio that is stored in ratios.toml."""

from __future__ import annotations

import statistics
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench import yardstick
from tests.bench.cases import CASES, Bench

STORED = Path(__file__).with_name("ratios.toml")
ROUNDS = 7
NOTICEABLE = 0.15  # the median of a few ratios moves less than this by itself, even on a busy machine


def main(*, store: bool = False) -> None:
    """Print the table; with ``store`` keep its ratios as those to compare with."""
    machine, known = ("", {}) if store else _stored()
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        measure = yardstick.build(Path(folder))
        if measure is None:
            print("no C++ compiler that works: no yardstick, so only games per second of this machine")
        elif known and machine != yardstick.machine():
            print(f"the stored ratios are of another machine ({machine}); they may all be moved")
        print(f"medians of {ROUNDS} rounds, games/s; ratio: one thread against the yardstick, in turn with it")
        print(
            f"{'':32} {'1 thread':>9} {'2 threads':>9} {'gain':>5}  {'ratio (least to most)':>22} {'stored':>6}  moved"
        )
        for case in CASES:
            bench = Bench(case.strategies, case.games, case.game, watched=case.watched)
            ones, twos, marks = _rounds(bench, measure)
            gain = statistics.median(two / one for one, two in zip(ones, twos, strict=True))
            line = f"{case.name:32} {statistics.median(ones):9,.0f} {statistics.median(twos):9,.0f} {gain:5.2f}"
            if marks:
                ratios = [one / mark for one, mark in zip(ones, marks, strict=True)]
                found[case.name] = statistics.median(ratios)
                line += f"  {found[case.name]:5.2f} ({min(ratios):5.2f} to {max(ratios):5.2f})"
                line += f" {_moved(found[case.name], known.get(case.name))}"
            print(line, flush=True)
    moves = [ratio / known[name] - 1 for name, ratio in found.items() if name in known]
    if moves:
        print(f"the median ratio moved by {100 * statistics.median(moves):+.0f} %")
    if store and found:
        rows = [f'"{name}" = {ratio:.2f}' for name, ratio in found.items()]
        about = "# Games/s over games/s of the yardstick, one thread; written by python -m tests.bench ratios --store"
        text = "\n".join([about, f'machine = "{yardstick.machine()}"', "", "[ratios]", *rows, ""])
        STORED.write_text(text, encoding="utf-8")


def _stored() -> tuple[str, dict[str, float]]:
    """The machine and the ratios that are stored; one line and exit code 2 if the file cannot be understood."""
    if not STORED.exists():
        return "", {}
    try:
        content: dict[str, Any] = tomllib.loads(STORED.read_text(encoding="utf-8"))
        ratios = {name: float(ratio) for name, ratio in content["ratios"].items()}
        if not all(ratio > 0 for ratio in ratios.values()):
            raise ValueError("a ratio must be above 0")
        return str(content["machine"]), ratios
    except (LookupError, TypeError, ValueError, AttributeError) as error:  # no TOML is a ValueError
        print(f"{STORED.name}: {error}; write it anew with python -m tests.bench ratios --store", file=sys.stderr)
        sys.exit(2)


def _rounds(bench: Bench, measure: Callable[[], float] | None) -> tuple[list[float], list[float], list[float]]:
    """Games per second on one thread, on two, and of the yardstick (nothing without one)."""
    ones, twos, marks = [], [], []
    for _ in range(ROUNDS):
        if measure is not None:
            marks.append(measure())
        ones.append(bench.games_per_second(1))
        twos.append(bench.games_per_second(2))
    return ones, twos, marks


def _moved(ratio: float, stored: float | None) -> str:
    if stored is None:
        return "     –"
    change = ratio / stored - 1
    mark = "  slower!" if change < -NOTICEABLE else "  faster" if change > NOTICEABLE else ""
    return f"{stored:6.2f}  {100 * change:+.0f} %{mark}"
