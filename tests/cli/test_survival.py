"""Run folders and real processes: killed, terminated, interrupted, and gone on with to the very same result."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.processes import start

# The command line itself, but for a run that is saved more often than once a second.
CODE = """
import os, sys
from simulator.experiments import folder
from kok_sim.cli import main
folder.INTERVAL = 0.05
os.setsid()
sys.argv = ["kok-sim", *sys.argv[1:]]
main()
"""
LINE, BLOCKS = "compare greedy cautious -n 60k --seed 3", 30_000
OPTIONS = "-q --threads 1 --chunk 500 --format json"


def begin(line: str, folder: Path) -> subprocess.Popen[str]:
    """A process in a session of its own."""
    return start([sys.executable, "-c", CODE, *line.split(), *OPTIONS.split()], folder)


def blocks(folder: Path) -> int:
    """Blocks that a run folder counts."""
    path = folder / "tally.json"
    return int(json.loads(path.read_text())["tally"]["blocks"]) if path.exists() else 0


def wait_for_more(folder: Path, process: subprocess.Popen[str], than: int) -> None:
    """Wait until more blocks are counted."""
    for _ in range(12_000):
        if blocks(folder) > than or process.poll() is not None:
            return
        time.sleep(0.01)


def results(text: str) -> Any:
    return json.loads(text)["results"]


@pytest.mark.parametrize("options", ["", "--games --out out"])
def test_killed_three_times(cli: Cli, tmp_path: Path, options: str) -> None:
    seed = random.randrange(10**6)
    moments, run = random.Random(seed), tmp_path / "night"
    counted = [0]
    for line in (f"{LINE} --run night {options}", f"resume night {options}", "resume night"):
        with begin(line, tmp_path) as process:
            try:
                wait_for_more(run, process, counted[-1])
                time.sleep(moments.uniform(0, 0.1))
            finally:
                process.kill()
        assert process.returncode == -signal.SIGKILL
        counted.append(blocks(run))
    assert counted == sorted(set(counted)), (counted, seed)  # each of them came further
    assert counted[-1] < BLOCKS, (counted, seed)
    done = cli(f"resume night {options} --format json -q")
    whole = cli(f"{LINE} {options.replace('out out', 'out whole')} --format json -q")
    assert (done.code, done.err) == (0, "")
    assert results(done.out) == results(whole.out)
    if options:
        assert (tmp_path / "out/games.parquet").read_bytes() == (tmp_path / "whole/games.parquet").read_bytes()
        files = [json.loads((tmp_path / name / "summary.json").read_text()) for name in ("out", "whole")]
        assert files[0]["results"] == files[1]["results"] == results(whole.out)
        assert files[0]["run"]["files"] == files[1]["run"]["files"]
        assert not list((tmp_path / "out").glob(".*"))
    assert not list(run.rglob(".*"))


def test_terminated_and_interrupted(cli: Cli, tmp_path: Path) -> None:
    run = tmp_path / "night"
    with begin(f"{LINE} --run night", tmp_path) as process:
        try:
            wait_for_more(run, process, 0)
            process.send_signal(signal.SIGSTOP)  # as long as others try
            code, out, err = cli("resume night -q")
            assert (code, out) == (2, "")
            assert err == "error: 'night' is in use: another kok-sim plays the run that it holds\n"
            assert cli(f"{LINE} --run night -q") == (code, out, err)
            process.send_signal(signal.SIGCONT)
            process.terminate()
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (143, "", "")
    first = blocks(run)
    assert 0 < first < BLOCKS
    assert sorted(path.name for path in run.iterdir()) == ["lock", "run.json", "tally.json"]
    with begin("resume night", tmp_path) as process:
        try:
            wait_for_more(run, process, first)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, err) == (130, "")
    found = results(out)
    assert found["interrupted"] is True
    assert first < found["blocks"] == blocks(run) < BLOCKS
    assert results(cli("resume night --format json -q").out) == results(cli(f"{LINE} --format json -q").out)
