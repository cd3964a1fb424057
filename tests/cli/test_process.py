"""What only a real process shows: interruption, a reader that goes away, a fast start, no colors in a pipe."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import start

KOK_SIM = [sys.executable, "-m", "kok_sim"]


@pytest.mark.parametrize("arguments", [["compare", "greedy", "cautious"], ["solo", "greedy"]])
def test_control_c_prints_the_result_so_far(tmp_path: Path, arguments: list[str]) -> None:
    started, records = tmp_path / "out", tmp_path / "records.jsonl"
    command = [*KOK_SIM, *arguments, "-n", "1e11", "--format", "json", "--records", str(records), "--records-max", "5"]
    command += ["--out", str(started), "--games"]  # the folder is made when the first game is about to be played
    with start(command) as process:
        for _ in range(1200):
            if started.exists() or process.poll() is not None:
                break
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.1)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Traceback" not in err
    results = json.loads(out)["results"]
    assert results["interrupted"] is True
    assert len(records.read_text(encoding="utf-8").splitlines()) == min(5, results["games"])
    assert json.loads((started / "summary.json").read_text(encoding="utf-8"))["results"] == results


def test_a_reader_that_goes_away_is_no_error() -> None:
    line = f"{' '.join(KOK_SIM)} strategies fields | head -n 1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_help_does_not_load_what_only_a_run_needs() -> None:
    code = """
import sys
from kok_sim.cli import run
run(["--help"])
print(sorted({"numba", "numpy", "pandas", "matplotlib", "scipy", "pyarrow", "rich"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_no_colors_in_a_pipe() -> None:
    done = subprocess.run([*KOK_SIM, "sheets", "show", "black"], capture_output=True, text=True, check=True)
    assert "\x1b" not in done.stdout
