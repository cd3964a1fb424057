"""The yardstick: a plain C++ engine that is timed in turn with ours, because the speed of shared machines drifts."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from llvmlite import binding

SOURCE = Path(__file__).with_name("yardstick.cpp")
GAMES = 3_000
MEAN_SCORES = ["25.612", "26.132"]  # of both seats over these games: it must still play the same


def build(folder: Path) -> Callable[[], float] | None:
    """A function that gives its games per second with two players, once compiled; None without a C++ compiler."""
    compiler, program = _compiler(), folder / "yardstick"
    if compiler is None:
        return None
    command = [compiler, "-O3", "-march=native", "-w", "-o", str(program), str(SOURCE)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return None

    def games_per_second() -> float:
        out = subprocess.run([str(program), str(GAMES), "2"], capture_output=True, text=True, check=True).stdout
        rate, *seats = out.splitlines()
        assert [seat.split()[2] for seat in seats] == MEAN_SCORES, out
        return float(rate.split()[0])

    return games_per_second


def machine() -> str:
    """Kind of processor and C++ compiler, on which ratios depend."""
    compiler = _compiler()
    version = ["none"]
    if compiler is not None:
        version = subprocess.run(
            [compiler, "--version"], capture_output=True, text=True, check=True
        ).stdout.splitlines()
    return f"{binding.get_host_cpu_name()}, {version[0]}"


def _compiler() -> str | None:
    return shutil.which("g++") or shutil.which("clang++")
