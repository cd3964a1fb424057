"""SIGKILL at any moment: the next process goes on to the very same result."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.experiments.plan import Plan
from tests.experiments.fakes import plain, plan
from tests.experiments.folders import content, go_on, unbroken

ROOT = Path(__file__).parents[2]

SERVER = """
import os, signal, sys, time
sys.path.insert(0, {root!r})
from pathlib import Path
from simulator.experiments import folder
from tests.experiments.fakes import plan
from tests.experiments.folders import go_on
import filelock, pandas, pyarrow.parquet  # before any process is made

made = plan("a", "b", games={games})
place, out = Path("run"), Path("games.parquet") if {keeps_games} else None
folder.INTERVAL = {interval}


def play(steps):
    if steps:
        for owner, name in ((os, "fsync"), (Path, "replace"), (Path, "unlink")):
            setattr(owner, name, dying(getattr(owner, name)))
    os.setsid()
    signal.alarm(60)
    go_on(made, place, out=out, threads=2, chunk_blocks=4, seconds=0 if steps else 0.01)  # 800 blocks a second


def dying(function):
    def call(*args, **settings):
        die()
        result = function(*args, **settings)
        die()
        return result
    return call


def die():
    global steps
    steps -= 1
    if steps == 0:
        os.kill(os.getpid(), signal.SIGKILL)


print("ready", flush=True)
for line in sys.stdin:
    seconds, steps = float(line.split()[0]), int(line.split()[1])
    child = os.fork()
    if child == 0:
        play(steps)
        os._exit(0)
    if not steps:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    print("killed" if os.WIFSIGNALED(status) else os.WEXITSTATUS(status), flush=True)
"""


class Killer:
    """Starts one process after another that plays a run, and kills each."""

    def __init__(self, place: Path, games: int, *, keeps_games: bool, interval: float) -> None:
        code = SERVER.format(root=str(ROOT), games=games, keeps_games=keeps_games, interval=interval)
        self.place, self.out = place / "run", place / "games.parquet"
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", code],
            cwd=place,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Killer:
        assert self.answer() == "ready"
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def kill(self, *, after: float = 0.0, at_step: int = 0) -> str:
        """Play until it is killed: after so many seconds, or at a step of writing files; ``"0"`` if it was done."""
        assert self.process.stdin is not None
        print(after, at_step, file=self.process.stdin, flush=True)
        return self.answer()

    def blocks(self) -> int:
        """Blocks that are counted in the folder."""
        path = self.place / "tally.json"
        return int(json.loads(path.read_text())["tally"]["blocks"]) if path.exists() else 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
class TestKilled:
    """SIGKILL at any moment: the next process goes on to the very same result."""

    @pytest.mark.parametrize(("keeps_games", "interval"), [(False, 0.0), (True, 0.0), (True, 0.02)])
    def test_at_20_random_moments(self, tmp_path: Path, keeps_games: bool, interval: float) -> None:
        """Ten before a process has saved anything, as far as one can know, and ten after that."""
        seed = random.randrange(10**6)
        print("seed of the moments:", seed)
        moments = random.Random(seed)
        made = plan("a", "b", games=24_000)
        counted, begin = [0], 0.02
        with Killer(tmp_path, made.games, keeps_games=keeps_games, interval=interval) as killer:
            while not killer.blocks() and begin < 30:
                begin *= 1.5
                assert killer.kill(after=begin) == "killed"
            for number in range(20):
                moment = moments.uniform(0, begin) if number % 2 else begin + moments.uniform(0, 0.2)
                assert killer.kill(after=moment) == "killed"
                counted.append(killer.blocks())
        assert counted == sorted(counted)
        assert len(set(counted)) > 5, counted  # many a kill came in the middle
        assert 0 < counted[-1] < made.blocks, counted
        self.compare(tmp_path, made, keeps_games=keeps_games)

    @pytest.mark.parametrize("keeps_games", [False, True])
    def test_at_every_step_of_writing(self, tmp_path: Path, keeps_games: bool) -> None:
        """Before and after every file is on the disk, gets its place, is removed."""
        made = plan("a", "b", games=64)
        counted = [0]
        with Killer(tmp_path, made.games, keeps_games=keeps_games, interval=0.0) as killer:
            for step in range(1, 200):
                answer = killer.kill(at_step=step)
                counted.append(killer.blocks())
                if answer != "killed":
                    break
        assert answer == "0"
        assert step > 12
        assert counted == sorted(counted)
        assert len([blocks for blocks in counted if 0 < blocks < made.blocks]) > 5, counted
        self.compare(tmp_path, made, keeps_games=keeps_games)

    def compare(self, place: Path, made: Plan, *, keeps_games: bool) -> None:
        """Go on to the end, and compare with a run that was not killed."""
        out = place / "games.parquet" if keeps_games else None
        result = go_on(made, place / "run", out=out, chunk_blocks=500)
        assert plain(result.tally) == plain(unbroken(made, place / "whole.parquet").tally)
        if out is not None:
            assert out.read_bytes() == (place / "whole.parquet").read_bytes()
        assert sorted(name for name in content(place / "run") if "games" not in name) == [
            "lock",
            "run.json",
            "tally.json",
        ]
