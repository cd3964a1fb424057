"""Outputs and interruptions of the unpleasant kind, each in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import start

KOK_SIM = [sys.executable, "-m", "kok_sim"]
HEAD = "from strategies import strategy\n\n@strategy\ndef f(view, move):\n"
LOOP = HEAD + "    while view.roll:\n        pass\n    return 0\n"
SLOW = HEAD + "    return getattr(move, ''.join(['poi', 'nts'])) + 0.1 * move.cells\n"


@pytest.mark.parametrize("source", [LOOP, SLOW])
def test_one_control_c_ends_a_run_that_would_never_end(tmp_path: Path, source: str) -> None:
    (tmp_path / "my.py").write_text(source)
    command = [*KOK_SIM, "compare", "greedy", "my.py", "-n", "1e6", "--out", "out", "--games"]
    with start(command, tmp_path) as process:
        try:
            wait_for(tmp_path / "out", process)
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "greedy" in out
    assert ("does not compile" in err) == (source == SLOW)  # told before a game is played


def test_sigterm_leaves_no_temporary_files(tmp_path: Path) -> None:
    command = [*KOK_SIM, "compare", "greedy", "cautious", "-n", "1e9", "--out", "out", "--games", "--quiet"]
    with start(command, tmp_path) as process:
        try:
            wait_for(tmp_path / "out", process)
            time.sleep(2)
            process.terminate()
            _, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 143
    assert err == ""
    assert list(tmp_path.rglob("*")) == []


def wait_for(folder: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a run has begun: until then it may have to compile."""
    for _ in range(1200):
        if folder.exists() or process.poll() is not None:
            return
        time.sleep(0.1)


def test_an_output_that_knows_few_letters_gets_question_marks(tmp_path: Path) -> None:
    command = [*KOK_SIM, "compare", "greedy", "random", "-n", "10", "--quiet"]
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, env=ascii_only)
    assert "mean score ? SE" in done.stdout
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs the device /dev/full")
def test_a_full_output_is_one_line(tmp_path: Path) -> None:
    line = f"{' '.join(KOK_SIM)} compare greedy random -n 10 --quiet > /dev/full"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: cannot write the output: No space left on device\n"


def test_a_closed_output_is_no_error(tmp_path: Path) -> None:
    line = f"{' '.join(KOK_SIM)} compare greedy random -n 10 --quiet --out out >&-"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out" / "summary.json").exists()


def test_without_the_compiler_it_says_so(tmp_path: Path) -> None:
    command = [*KOK_SIM, "compare", "greedy", "random", "-n", "10", "--quiet"]
    switched_off = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=switched_off)
    assert done.returncode == 2
    assert done.stderr.startswith("error: NUMBA_DISABLE_JIT is set")
