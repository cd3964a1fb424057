"""Running gives the same whatever the threads and chunks, stops when told, and passes errors on."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest

from simulator.errors import PlanError, StrategyError
from simulator.experiments.run import run
from simulator.experiments.workers import even_chunk
from simulator.outcomes import Outcomes
from tests.experiments.fakes import FakeTable, plain, plan
from tests.processes import start

MEANS = (27, 26, 24)
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("chunk_blocks", [1, 7, 100, 1000, None])
def test_same_counts_for_any_threads_and_chunks(threads: int, chunk_blocks: int | None) -> None:
    made = plan("a", "b", "c", games=600)
    alone = run(made, threads=1, chunk_blocks=200, table=FakeTable(made, MEANS))
    result = run(made, threads=threads, chunk_blocks=chunk_blocks, table=FakeTable(made, MEANS))
    assert plain(result.tally) == plain(alone.tally)
    assert (result.interrupted, result.games) == (False, 600)
    assert result.parts == ("colors", "columns", "jokers", "stars", "passes")
    assert result.seconds > 0
    assert result.rate is not None


def test_every_block_is_played_once() -> None:
    made = plan("a", "b", games=101)
    table = FakeTable(made, MEANS)
    run(made, threads=2, chunk_blocks=8, table=table)
    blocks = sorted(b for first, size in table.played for b in range(first, first + size))
    assert blocks == list(range(51))


def test_outcomes_and_progress_come_in_order() -> None:
    made = plan("a", "b", games=100)
    seen: list[tuple[int, int]] = []
    progress: list[tuple[int, int]] = []

    def keep(first_block: int, outcomes: Outcomes) -> None:
        seen.append((first_block, len(outcomes.scores)))

    run(
        made,
        threads=3,
        chunk_blocks=8,
        table=FakeTable(made, MEANS, seconds=0.002),
        on_progress=lambda done, total: progress.append((done, total)),
        on_outcomes=keep,
    )
    assert seen == [(0, 8), (8, 8), (16, 8), (24, 8), (32, 8), (40, 8), (48, 2)]
    assert progress == [(8, 50), (16, 50), (24, 50), (32, 50), (40, 50), (48, 50), (50, 50)]


def test_look_ahead_is_limited() -> None:
    made = plan("a", "b", games=2000)
    table = FakeTable(made, MEANS)
    ahead = []

    def look(done: int, _total: int) -> None:
        time.sleep(0.001)
        ahead.append(sum(size for _, size in table.played) - done)

    run(made, threads=2, chunk_blocks=10, table=table, on_progress=look)
    assert max(ahead) <= 2 * 2 * 10


def test_small_runs_use_all_threads() -> None:
    made = plan("a", "b", games=40)
    table = FakeTable(made, MEANS, chunk_blocks=1000)
    run(made, threads=2, table=table)
    assert [size for _, size in table.played] == [10, 10]


def test_solo_counts_every_strategy_on_every_deal() -> None:
    made = plan("a", "b", games=50, solo=True)
    result = run(made, threads=2, chunk_blocks=3, table=FakeTable(made, MEANS))
    assert (result.games, result.tally.blocks, result.tally.games) == (50, 50, 100)
    assert result.tally.scores.sum(axis=1).tolist() == [50, 50]
    assert result.tally.ties == 0


@pytest.mark.parametrize(
    ("threads", "chunk_blocks", "used"),
    [
        (1, 10, "1 thread"),
        (3, 10, "3 threads"),
        (9, 10, "5 threads"),
        (9, 50, "1 thread"),
        (80, None, "50 threads"),
    ],
)
def test_threads_that_had_nothing_to_do_are_not_counted(threads: int, chunk_blocks: int | None, used: str) -> None:
    made = plan("a", "b", games=100)
    assert run(made, threads=threads, chunk_blocks=chunk_blocks, table=FakeTable(made, MEANS)).players == used


def test_outcomes_are_not_kept_once_they_are_counted() -> None:
    made = plan("a", "b", games=200)
    seen: list[weakref.ref[Outcomes]] = []
    alive: list[int] = []

    def look(_first_block: int, outcomes: Outcomes) -> None:
        time.sleep(0.01)  # for a thread that is about to let go of what it did
        alive.append(sum(ref() is not None for ref in seen[:-1]))  # but for the last, which the run may still hold
        seen.append(weakref.ref(outcomes))

    run(made, threads=2, chunk_blocks=10, table=FakeTable(made, MEANS), on_outcomes=look)
    assert alive == [0] * 10


@pytest.mark.parametrize("threads", [0, -1, 1025, 100_000])
def test_impossible_numbers_of_threads(threads: int) -> None:
    made = plan("a", "b")
    with pytest.raises(PlanError, match=f"^the number of threads must be from 1 to 1024; got {threads}$"):
        run(made, threads=threads, table=FakeTable(made, MEANS))


def test_impossible_chunks() -> None:
    made = plan("a", "b")
    with pytest.raises(PlanError, match="must be 1 or more; got 0"):
        run(made, threads=1, chunk_blocks=0, table=FakeTable(made, MEANS))


@pytest.mark.parametrize("threads", [1, 2])
def test_errors_of_a_strategy_surface_as_they_are(threads: int) -> None:
    made = plan("a", "b", games=10**6)
    table = FakeTable(made, MEANS, fails_at=37, seconds=0.001)
    with pytest.raises(StrategyError) as error:
        run(made, threads=threads, chunk_blocks=5, table=table)
    assert str(error.value) == "strategy 'bad' gave no number in block 37"
    time.sleep(0.05)
    assert len(table.played) < 20


def test_stop_from_within_gives_the_result_so_far() -> None:
    made = plan("a", "b", games=1000)

    def stop(done: int, _total: int) -> None:
        if done >= 60:
            raise KeyboardInterrupt

    result = run(made, threads=2, chunk_blocks=20, table=FakeTable(made, MEANS), on_progress=stop)
    assert result.interrupted
    assert result.tally.blocks == 60
    shorter = plan("a", "b", games=120)
    assert plain(result.tally) == plain(run(shorter, table=FakeTable(shorter, MEANS)).tally)


def test_notes_of_the_table_are_kept() -> None:
    made = plan("a", "b", games=4)
    table = FakeTable(made, MEANS)
    table.notes.append("my.py:f does not compile")
    assert run(made, table=table).notes == ("my.py:f does not compile",)


def test_works_outside_the_main_thread() -> None:
    made = plan("a", "b", games=40)
    found = []
    worker = threading.Thread(target=lambda: found.append(run(made, threads=2, table=FakeTable(made, MEANS))))
    worker.start()
    worker.join()
    assert found[0].tally.blocks == 20


def test_signal_handling_is_put_back() -> None:
    made = plan("a", "b", games=4)
    before = signal.getsignal(signal.SIGINT)
    run(made, table=FakeTable(made, MEANS))
    assert signal.getsignal(signal.SIGINT) is before


def test_mean_and_spread_are_those_of_the_game() -> None:
    made = plan("a", "b", games=20_000, seed=3)
    tally = run(made, threads=2, table=FakeTable(made, (30, 20), seat_gain=2)).tally
    scores = tally.low + np.arange(len(tally.scores[0]))
    means = tally.scores @ scores / tally.games
    variances = tally.scores @ scores**2 / tally.games - means**2
    # uniform over -8..8 and over -6..6; half of the games with the seat's two points
    expected = (17**2 - 1) / 12 + (13**2 - 1) / 12 + 1
    assert means == pytest.approx([31, 21], abs=0.2)
    assert variances == pytest.approx([expected, expected], rel=0.03)


SLOW = """
import signal, sys, time
sys.path.insert(0, {root!r})
signal.signal(signal.SIGINT, signal.default_int_handler)
from simulator.experiments.run import run
from tests.experiments.fakes import FakeTable, plan
made = plan("a", "b", games=10**9)
table = FakeTable(made, (27, 26), seconds={seconds})
print("ready", flush=True)
result = run(made, threads=2, chunk_blocks=10, table=table)
print("stopped", result.interrupted, result.tally.blocks % 10, result.tally.blocks > 0, flush=True)
"""


def begin(seconds: float) -> subprocess.Popen[str]:
    """A process that plays for ever, in chunks of some seconds."""
    code = SLOW.format(root=str(ROOT), seconds=seconds)
    process = start([sys.executable, "-c", code])
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_first_ctrl_c_gives_the_result_so_far() -> None:
    process = begin(0.02)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (out, err, process.returncode) == ("stopped True 0 True\n", "", 0)
    assert time.monotonic() - started < 5


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_ctrl_c_does_not_wait_for_slow_chunks_and_a_second_one_leaves() -> None:
    process = begin(60)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.stdout is not None
    assert process.stdout.readline() == "stopped True 0 False\n"
    try:
        for _ in range(100):  # one that comes before the process waits for its threads does not end that wait
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=0.2)
                break
    finally:
        process.kill()
        process.communicate()
    assert process.returncode is not None
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("blocks", [1, 2, 7, 1000, 1025, 999_983])
@pytest.mark.parametrize("threads", [1, 2, 3, 5])
@pytest.mark.parametrize("most", [1, 4, 1024])
def test_chunks_are_even(blocks: int, threads: int, most: int) -> None:
    size = even_chunk(blocks, threads, most)
    chunks = -(-blocks // size)
    assert 1 <= size <= most
    rounds, fewest = -(-chunks // threads), -(-blocks // (most * threads))
    assert rounds == fewest  # in which all threads play a chunk
    assert rounds * size * threads - blocks < rounds * threads + size  # idle at the end: less than a chunk and a bit
