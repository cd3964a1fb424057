"""A cluster counts what threads count, whoever dies; and what goes wrong is one line, wherever it does."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from simulator.errors import KokSimError, PlanError, SheetError, StrategyError, UnknownNameError
from simulator.experiments import cluster
from simulator.experiments.cluster import Cluster, Failure
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.run import run
from simulator.keer_op_keer.sheet import load_sheet
from simulator.outcomes import Outcomes
from strategies import find_strategy
from strategies.travel import pack
from tests.experiments.fakes import plain
from tests.processes import start

ROOT = Path(__file__).parents[2]
HEAD = "from strategies import strategy\n@strategy\n"


def plan(*specs: str, games: int = 400, solo: bool = False) -> Plan:
    found = tuple(find_strategy(spec) for spec in specs or ("greedy", "cautious"))
    return Plan(found, (load_sheet("black"),) * len(found), games, solo=solo)


class Computers:
    """A scheduler and its workers, each a process of its own, in a folder without users' files."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.workers, self._processes = folder, list[subprocess.Popen[bytes]](), 0
        self._file = folder / "scheduler.json"
        self._no_kok_sim = folder / "bare"
        self._no_kok_sim.mkdir()
        (self._no_kok_sim / "simulator.py").write_text("raise ImportError('No module named simulator')")
        ports = ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
        self.scheduler = self._start(self._no_kok_sim, "dask_scheduler", *ports, "--scheduler-file", str(self._file))
        self.address = str(wait_for(self._read)["address"])

    def _read(self) -> dict[str, Any]:
        with self._file.open() as file:
            return json.load(file)  # type: ignore[no-any-return]

    def _start(self, path: Path, module: str, *options: str) -> subprocess.Popen[bytes]:
        self._processes += 1
        with (self.folder / f"{self._processes} {module}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *options],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(path)},
                stdout=log,
                stderr=log,
            )

    def start_worker(self, *, bare: bool = False) -> subprocess.Popen[bytes]:
        """A worker that nobody starts again if it dies; a bare one has no kok-sim."""
        path = self._no_kok_sim if bare else ROOT
        options = ["--no-nanny", "--nthreads", "1", "--no-dashboard", "--memory-limit", "0"]
        self.workers.append(self._start(path, "dask_worker", self.address, *options))
        return self.workers[-1]

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def wait_for(read: Callable[[], Any], seconds: float = 30) -> Any:
    """What ``read`` gives as soon as it can."""
    end = time.monotonic() + seconds
    while True:
        try:
            return read()
        except (OSError, ValueError):
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@pytest.fixture(scope="module")
def computers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Computers]:
    """Two workers that run for all tests."""
    made = Computers(tmp_path_factory.mktemp("computers"))
    made.start_worker()
    made.start_worker()
    yield made
    made.end()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Computers]:
    """A scheduler without workers."""
    made = Computers(tmp_path_factory.mktemp("empty"))
    yield made
    made.end()


@pytest.fixture(autouse=True)
def silent(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nobody writes anything to the terminal."""
    yield
    assert capfd.readouterr() == ("", "")
    assert [record for record in caplog.get_records("call") if record.name != "asyncio"] == []  # of futures let go late


def there(made: Plan, address: str, **options: Any) -> Result:
    return run(made, workers=Cluster(made, address, pack=pack), **options)


def error_of(act: Callable[[], object]) -> tuple[type[KokSimError], str]:
    with pytest.raises(KokSimError) as caught:
        act()
    return type(caught.value), str(caught.value)


@pytest.mark.parametrize("chunk_blocks", [None, 7, 64, 1000])
@pytest.mark.parametrize("solo", [False, True])
def test_same_counts_as_threads(computers: Computers, chunk_blocks: int | None, solo: bool) -> None:
    made = plan(solo=solo)
    result = there(made, computers.address, chunk_blocks=chunk_blocks)
    assert plain(result.tally) == plain(run(made, threads=2).tally)
    assert result.players == "2 Dask workers (2 threads)"
    assert not result.interrupted


def test_outcomes_come_in_order_and_are_those_of_threads(computers: Computers) -> None:
    made = plan(games=200)
    seen: list[tuple[int, Outcomes]] = []
    wanted: list[tuple[int, Outcomes]] = []
    there(made, computers.address, chunk_blocks=30, on_outcomes=lambda *chunk: seen.append(chunk))
    run(made, threads=2, chunk_blocks=30, on_outcomes=lambda *chunk: wanted.append(chunk))
    assert [first for first, _ in seen] == [0, 30, 60, 90]
    assert [first for first, _ in wanted] == [0, 30, 60, 90]
    for (_, mine), (_, theirs) in zip(seen, wanted, strict=True):
        for name in ("scores", "shares", "parts", "rolls", "stopped"):
            np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name))


def test_a_short_run_uses_all_workers(computers: Computers) -> None:
    steps: list[int] = []
    there(plan(games=400), computers.address, on_progress=lambda done, _: steps.append(done))
    assert steps == [100, 200]


def test_results_are_not_kept_once_they_are_counted(computers: Computers) -> None:
    made = plan(games=2000)
    workers = Cluster(made, computers.address, pack=pack)
    held: list[int] = []
    run(made, workers=workers, chunk_blocks=10, on_progress=lambda *_: held.append(len(workers._client.futures)))
    assert len(held) == 100
    assert max(held) <= 2 * (2 * cluster.CHUNKS_AHEAD)  # some are let go of a little later


def test_a_killed_worker_costs_nothing_but_time(computers: Computers) -> None:
    made = plan(games=12_000)
    victim = computers.start_worker()
    wait_for(lambda: verify_workers(computers, 3))
    workers: list[int] = []

    def kill(done: int, _total: int) -> None:
        if done >= 2000 and victim.poll() is None:
            victim.send_signal(signal.SIGKILL)
            workers.append(done)

    result = there(made, computers.address, chunk_blocks=500, on_progress=kill)
    assert victim.wait() == -signal.SIGKILL
    assert workers
    assert plain(result.tally) == plain(run(made, threads=2).tally)


def verify_workers(computers: Computers, number: int) -> None:
    """Raise if not so many workers are known to the scheduler."""
    import distributed

    with distributed.Client(computers.address, set_as_default=False) as client:
        if len(client.nthreads()) != number:
            raise ValueError


def test_when_all_workers_are_gone_new_ones_go_on(computers: Computers) -> None:
    made = plan(games=12_000)
    before = list(computers.workers)

    def kill_all(done: int, _total: int) -> None:
        if done >= 2000 and len(computers.workers) == len(before):
            for worker in before:
                worker.kill()
                worker.wait()
            computers.start_worker()

    result = there(made, computers.address, chunk_blocks=500, on_progress=kill_all)
    assert plain(result.tally) == plain(run(made, threads=2).tally)
    wait_for(lambda: verify_workers(computers, 1))


def test_strategies_of_a_file_travel(computers: Computers, tmp_path: Path) -> None:
    (tmp_path / "neighbor.py").write_text("from numba import njit\n@njit\ndef half(x):\n    return x / 2\n")
    (tmp_path / "my.py").write_text(
        "from numba import njit\nfrom strategies import strategy\nimport neighbor\nimport numpy as np\n"
        "TABLE = np.arange(100.0)\nBIG = np.zeros(1_500_000)\n"
        "@njit\ndef worth(cells):\n    return neighbor.half(cells) + TABLE[3]\n"
        "@strategy\ndef mine(view, move, bonus=0.3):\n    return worth(move.cells) - bonus * move.jokers\n"
        "@strategy\ndef slow(view, move):\n    return len(f'{move.cells}{move.points:>5}') + move.points + BIG[1]\n"
    )
    made = plan(f"{tmp_path}/my.py:mine:bonus=2", "greedy")
    wanted = run(made, threads=2)
    assert not wanted.notes
    assert plain(there(made, computers.address).tally) == plain(wanted.tally)
    made = plan(f"{tmp_path}/my.py:slow", "greedy", games=8)
    wanted = run(made, threads=2)
    assert "plain Python" in wanted.notes[0]
    assert plain(there(made, computers.address).tally) == plain(wanted.tally)


@pytest.mark.parametrize(
    "body", ["return 1 // int(max(20 - view.roll, 0))", "return np.nan if view.roll > 20 else move.points"]
)
def test_errors_of_a_strategy_are_those_of_threads(computers: Computers, tmp_path: Path, body: str) -> None:
    (tmp_path / "my.py").write_text(f"import numpy as np\n{HEAD}def wrong(view, move):\n    {body}\n")
    made = plan(f"{tmp_path}/my.py", "greedy")
    wanted = error_of(lambda: run(made, threads=2))
    assert wanted[0] is StrategyError
    assert error_of(lambda: there(made, computers.address)) == wanted


def test_what_cannot_be_opened_there(computers: Computers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("VALUE = 1.0\ndef value():\n    return VALUE\n")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "my.py").write_text(
        f"import only_here\n{HEAD}def wrong(view, move):\n    return only_here.value()\n"
    )
    made = plan(f"{tmp_path}/elsewhere/my.py", "greedy")
    kind, message = error_of(lambda: there(made, computers.address))
    assert kind is PlanError
    assert message.startswith("the worker tcp://127.0.0.1:")
    assert message.endswith("cannot open the plan: ModuleNotFoundError: No module named 'only_here'")


@pytest.mark.parametrize("part", ["kok-sim", "Python", "numba"])
def test_other_versions(computers: Computers, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    mine = cluster.PROGRAM[part]
    monkeypatch.setitem(cluster.PROGRAM, part, "another")
    kind, message = error_of(lambda: there(plan(), computers.address))
    assert kind is PlanError
    assert message.endswith(
        f" has {part} {mine}, but this is another: install the same there, and start the worker again"
    )


def test_workers_without_kok_sim(empty: Computers) -> None:
    worker = empty.start_worker(bare=True)
    kind, message = error_of(lambda: there(plan(), empty.address))
    worker.kill()
    worker.wait()
    assert kind is PlanError
    assert message == (
        "a worker cannot load kok-sim (ImportError: No module named simulator): install the same there as here, and "
        "start it again"
    )


def test_no_workers(empty: Computers, monkeypatch: pytest.MonkeyPatch) -> None:
    wait_for(lambda: verify_workers(empty, 0))
    monkeypatch.setattr(cluster, "WORKERS_PATIENCE", 0.2)
    assert error_of(lambda: there(plan(), empty.address)) == (
        PlanError,
        f"the scheduler at {empty.address} has no workers; start some with: dask worker {empty.address}",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_ctrl_c_while_waiting_for_workers(empty: Computers) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored if tests run in the background
    timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    try:
        result = there(plan(), empty.address)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert (result.interrupted, result.tally.blocks) == (True, 0)
    assert time.monotonic() - began < 5


def test_a_scheduler_that_is_gone(tmp_path: Path) -> None:
    lone = Computers(tmp_path)
    lone.start_worker()
    try:
        address = lone.address
        kind, message = error_of(
            lambda: there(plan(games=10**6), address, chunk_blocks=100, on_progress=lambda *_: lone.scheduler.kill())
        )
    finally:
        lone.end()
    assert (kind, message) == (
        PlanError,
        f"the scheduler at {address} is gone, or has dropped what it had to do",
    )


@pytest.mark.parametrize(
    "address",
    ["", "local", "local:", "local:0", "local:-1", "local:1025", "local:two", "host:8786", "tcp://host", "tcp://:x"],
)
def test_impossible_addresses(address: str) -> None:
    kind, message = error_of(lambda: Cluster(plan(), address, pack=pack))
    assert kind is PlanError
    assert message == (
        "a cluster must be the address of a scheduler, such as 'tcp://host:8786', or 'local:4' for processes of this "
        f"machine (1 to 1024); got {address!r}"
    )


def test_an_unknown_scheme() -> None:
    kind, message = error_of(lambda: there(plan(), "http://127.0.0.1:80"))
    assert kind is PlanError
    assert message.startswith(
        "Dask cannot connect to http://127.0.0.1:80 (ValueError: unknown address scheme 'http' (known schemes: ["
    )


@pytest.mark.parametrize("answer", [None, b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 100])
def test_other_programs_at_the_port(monkeypatch: pytest.MonkeyPatch, answer: bytes | None) -> None:
    monkeypatch.setattr(cluster, "CONNECT_PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            server.settimeout(5)
            with server.accept()[0] as connection:
                if answer is None:  # and say nothing
                    connection.recv(10**6)
                    time.sleep(3)
                else:
                    connection.sendall(answer)

        other = threading.Thread(target=serve)
        other.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        began = time.monotonic()
        found = error_of(lambda: there(plan(), address))
        assert time.monotonic() - began < 3
        other.join()
    assert found == (PlanError, f"no Dask scheduler answers at {address}; start one with: dask scheduler")


def test_nothing_at_the_port() -> None:
    began = time.monotonic()
    kind, message = error_of(lambda: there(plan(), "tcp://127.0.0.1:1"))
    assert time.monotonic() - began < 10
    assert (kind, message) == (
        PlanError,
        "no Dask scheduler answers at tcp://127.0.0.1:1; start one with: dask scheduler",
    )


def test_the_address_of_a_worker(computers: Computers) -> None:
    import distributed

    with distributed.Client(computers.address, set_as_default=False) as client:
        address = next(iter(client.nthreads()))
    assert error_of(lambda: there(plan(), address)) == (
        PlanError,
        f"at {address} is a Dask worker; name the address of its scheduler",
    )


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert error_of(lambda: Cluster(plan(), "local:2", pack=pack)) == (
        PlanError,
        "a cluster needs Dask: pip install 'kok-sim[cluster]'",
    )


@pytest.mark.parametrize("error", [UnknownNameError("sheet", "blue", ["red", "white"]), SheetError("no")])
def test_errors_survive_the_journey(error: UnknownNameError | SheetError) -> None:
    again = pickle.loads(pickle.dumps(Failure(type(error), str(error)))).error()
    assert (type(again), str(again)) == (type(error), str(error))


def test_processes_of_this_machine_of_which_one_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = children()
    made = plan(games=12_000)
    killed: list[int] = []

    def kill(done: int, _total: int) -> None:
        if done >= 2000 and not killed:
            killed.append(min(children() - before))
            os.kill(killed[0], signal.SIGKILL)

    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # the port of a dashboard may well be in use
            stack.enter_context(socket.create_server(("", 8787)))
        result = there(made, "local:2", chunk_blocks=500, on_progress=kill)
    assert killed
    assert plain(result.tally) == plain(run(made, threads=2).tally)
    assert result.players == "2 processes"
    assert children() == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "answer", "said"),
    [
        ("local:2", {}, "all processes of the cluster have died"),
        ("local:2", None, "the scheduler at local:2 is gone, or has dropped what it had to do"),
        ("tcp://host:1", None, "the scheduler at tcp://host:1 is gone, or has dropped what it had to do"),
        ("tcp://host:1", {}, None),
    ],
)
def test_when_waiting_is_in_vain(
    monkeypatch: pytest.MonkeyPatch, address: str, answer: dict[str, int] | None, said: str | None
) -> None:
    class Client:
        def nthreads(self, **_: object) -> dict[str, int]:
            if answer is None:
                raise TimeoutError
            return answer

    monkeypatch.setattr(cluster, "WORKERS_PATIENCE", 0.05)
    monkeypatch.setattr(cluster, "_LOOK", 0.01)
    workers = Cluster(plan(), address, pack=pack)
    workers._client = Client()
    waiting: Future[None] = Future()
    workers._awaited.add(waiting)
    workers._threads_here.submit(workers._watch)
    try:
        if said is None:
            with pytest.raises(TimeoutError):
                waiting.result(0.5)
        else:
            assert str(waiting.exception(10)) == said
    finally:
        workers.close()


def test_a_chunk_that_kills_every_worker() -> None:
    import distributed

    explained = Cluster(plan(), "local:2", pack=pack)._explained(distributed.KilledWorker("loads-1", None, 3))
    assert isinstance(explained, PlanError)
    assert str(explained) == "worker after worker died over the same blocks; see what their logs say"


def test_no_more_processes_than_there_is_work_and_none_left_after_an_interrupt() -> None:
    before = children()
    made = plan(games=20_000)

    def stop(_done: int, _total: int) -> None:
        assert len(children() - before) == 1
        raise KeyboardInterrupt

    result = there(made, "local:1024", chunk_blocks=10_000, on_progress=stop)
    assert result.players == "1 process"
    assert children() == before


def children() -> set[int]:
    """Processes that this one has started, but for the one of ``multiprocessing`` that cleans up at the end."""
    found = psutil.Process().children(recursive=True)
    return {p.pid for p in found if not any("resource_tracker" in word for word in p.cmdline())}


FOR_EVER = """
import os, sys
sys.path.insert(0, {root!r})
from simulator.experiments.cluster import Cluster
from simulator.experiments.run import run
from strategies.travel import pack
from tests.experiments.test_cluster import plan

def say(done, total):
    print("playing" if done < 1000 else "", flush=True)

if __name__ == "__main__":
    os.setpgid(0, 0)
    made = plan(games=10**9)
    result = run(made, workers=Cluster(made, "local:2", pack=pack), chunk_blocks=500, on_progress=say)
    print("stopped", result.interrupted, result.tally.blocks % 500, result.tally.blocks > 0, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_ctrl_c_in_a_terminal_reaches_only_the_run(tmp_path: Path) -> None:
    """There it is sent to all processes, also to those of the cluster."""
    (tmp_path / "play.py").write_text(FOR_EVER.replace("{root!r}", repr(str(ROOT))))
    process = start([sys.executable, "play.py"], tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "playing\n"
    family = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (out.split("\n")[-2], err, process.returncode) == ("stopped True 0 True", "", 0)
    assert psutil.wait_procs(family, timeout=5)[1] == []
