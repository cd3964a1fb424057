"""Studies: the same for any number of threads, the same blocks of every plan, and the figures of a run of one plan."""

from __future__ import annotations

import signal
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from kok_sim.plans import make_plan
from reports.changes import feats, measured
from reports.measures import measures
from reports.variant import Variant
from simulator.errors import PlanError, StrategyError
from simulator.experiments import run as running
from simulator.experiments.plan import Plan
from simulator.experiments.run import run
from simulator.experiments.sections import variables
from simulator.experiments.stopping import Until
from simulator.experiments.study import Study, study
from simulator.experiments.tally import Tally
from simulator.keer_op_keer.rules import Rules
from tests.experiments.fakes import plan
from tests.experiments.watched import WatchedTable, study_of
from tests.processes import start

ROOT = Path(__file__).parents[2]
SHORT = Rules(roll_limit=12)


class Fakes:
    """Opens fake tables instead of real ones, and keeps them."""

    def __init__(self, **settings: object) -> None:
        self.settings, self.tables = settings, list[WatchedTable]()

    def __call__(self, made: Plan, *, watched: bool = False) -> WatchedTable:
        assert watched
        means = tuple(20 + i + made.rules.jokers for i in range(len(made.strategies)))  # type: ignore[attr-defined]
        self.tables.append(WatchedTable(made, means, **self.settings))  # type: ignore[arg-type]
        return self.tables[-1]


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    found = Fakes()
    monkeypatch.setattr(running, "open_table", found)
    return found


def two(games: int = 400, **settings: object) -> list[Plan]:
    """Two plans on the same dice."""
    return [plan("a", "b", games=games, rules=Rules(jokers=jokers), **settings) for jokers in (8, 4)]  # type: ignore[arg-type]


def plain(found: Study) -> list[object]:
    return [found.blocks, *([s.sums.tolist(), s.scores.tolist(), s.low] for s in found.sections)]


@pytest.mark.parametrize("threads", [2, 3, 7])
@pytest.mark.parametrize("chunk", [1, 13, 64, 1000])
def test_same_for_any_threads_and_chunks(fakes: Fakes, threads: int, chunk: int) -> None:
    alone = study(two(), threads=1)
    fakes.settings = {"chunk_blocks": chunk}
    found = study(two(), threads=threads)
    assert plain(found) == plain(alone)
    assert (found.blocks, found.games, found.interrupted, found.threads) == (200, 800, False, threads)
    assert found.seconds > 0


def test_every_block_of_every_plan_is_played_once(fakes: Fakes) -> None:
    fakes.settings = {"chunk_blocks": 8}
    study(two(101), threads=2)
    assert len(fakes.tables) == 2
    for table in fakes.tables:
        assert sorted(b for first, size in table.played for b in range(first, first + size)) == list(range(51))


def test_progress_counts_the_blocks_of_all_plans(fakes: Fakes) -> None:
    fakes.settings = {"chunk_blocks": 40}
    told: list[tuple[int, int]] = []
    study(two(200), threads=2, on_progress=lambda *done: told.append(done))
    assert told == [(34, 200), (68, 200), (102, 200), (136, 200), (170, 200), (200, 200)]  # 17 blocks of both at a time


def test_look_ahead_is_limited(fakes: Fakes) -> None:
    fakes.settings = {"chunk_blocks": 10}
    ahead: list[int] = []

    def look(done: int, _total: int) -> None:
        time.sleep(0.001)
        ahead.append(sum(size for table in fakes.tables for _, size in table.played) - done)

    study(two(4000), threads=2, on_progress=look)
    assert max(ahead) <= 2 * 2 * 2 * 10


def test_stop_from_within_gives_the_same_blocks_of_all_plans(fakes: Fakes) -> None:
    fakes.settings = {"chunk_blocks": 20}

    def stop(done: int, _total: int) -> None:
        if done >= 2 * 60:
            raise KeyboardInterrupt

    found = study(two(1000), threads=2, on_progress=stop)
    assert found.interrupted
    assert plain(found) == plain(study(two(120), threads=1))
    for made, sections in zip(found.plans, found.sections, strict=True):
        assert sections.sums[:, variables(made).index(("blocks", 0, 0))].sum() == found.blocks == 60


@pytest.mark.parametrize(
    "others",
    [
        plan("a", "b", seed=2),
        plan("a", "b", games=102),
        plan("a", "b", "c"),  # 100 games are 34 blocks of three
        plan("a", "b", stop=Until(0.1)),
    ],
)
def test_plans_on_other_dice_are_refused(others: Plan) -> None:
    with pytest.raises(
        PlanError,
        match=r"^plans that are compared need the same seed and number of games, and no stopping rule$",
    ):
        study([plan("a", "b"), others])


def test_a_first_plan_with_a_stopping_rule_is_refused() -> None:
    with pytest.raises(PlanError, match="no stopping rule"):
        study([plan("a", "b", stop=Until(0.1))] * 2)


@pytest.mark.parametrize("threads", [0, -1, 1025])
def test_impossible_numbers_of_threads(fakes: Fakes, threads: int) -> None:
    with pytest.raises(PlanError, match=f"^the number of threads must be from 1 to 1024; got {threads}$"):
        study(two(), threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_errors_surface_as_they_are_and_end_it(fakes: Fakes, threads: int) -> None:
    fakes.settings = {"fails_at": 37, "chunk_blocks": 5, "seconds": 0.001}
    with pytest.raises(StrategyError) as error:
        study(two(10**6), threads=threads)
    assert str(error.value) == "strategy 'bad' gave no number in block 37"
    time.sleep(0.05)
    assert sum(len(table.played) for table in fakes.tables) < 60


def test_notes_of_all_tables_are_kept_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Noted(Fakes):
        def __call__(self, made: Plan, *, watched: bool = False) -> WatchedTable:
            table = super().__call__(made, watched=watched)
            table.notes += ["my.py:f does not compile", f"jokers {made.rules.jokers}"]  # type: ignore[attr-defined]
            return table

    monkeypatch.setattr(running, "open_table", Noted())
    assert study(two(4)).notes == ("my.py:f does not compile", "jokers 8", "jokers 4")


def test_works_outside_the_main_thread(fakes: Fakes) -> None:
    found: list[Study] = []
    worker = threading.Thread(target=lambda: found.append(study(two(), threads=2)))
    worker.start()
    worker.join()
    assert found[0].blocks == 200


def test_signal_handling_is_put_back(fakes: Fakes) -> None:
    before = signal.getsignal(signal.SIGINT)
    study(two(4))
    assert signal.getsignal(signal.SIGINT) is before


SLOW = """
import signal, sys
sys.path.insert(0, {root!r})
signal.signal(signal.SIGINT, signal.default_int_handler)
from simulator.experiments import run as running
from simulator.experiments.sections import variables
from simulator.experiments.study import study
from tests.experiments.test_study import Fakes, two
running.open_table = Fakes(seconds={seconds}, chunk_blocks=10)
plans = two(10**9)
told = lambda *_: print("playing", flush=True)
print("ready", flush=True)
found = study(plans, threads=2, on_progress=told)
place = variables(plans[0]).index(("blocks", 0, 0))
blocks = [int(sections.sums[:, place].sum()) for sections in found.sections]
print("stopped", found.interrupted, found.blocks > 0, blocks == [found.blocks] * 2, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
@pytest.mark.parametrize(("seconds", "last"), [(0.01, "stopped True True True\n"), (60, "stopped True False True\n")])
def test_ctrl_c_gives_what_was_played_of_all_plans(seconds: float, last: str) -> None:
    """Between two chunks, without waiting for slow ones."""
    process = start([sys.executable, "-c", SLOW.format(root=str(ROOT), seconds=seconds)])
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    if seconds < 1:
        assert process.stdout.readline() == "playing\n"
    else:
        time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    try:
        line = process.stdout.readline()
        while line == "playing\n":
            line = process.stdout.readline()
        assert line == last
    finally:
        process.kill()
        process.communicate()


# --- real games ---


def of_measures(found: Study, place: int = 0) -> dict[str, float | None]:
    figures = measured(found)[place]
    return {measure.name: figures.estimate(measure.value).value for measure in measures(found.plans[place])}


def mean(histogram: np.ndarray, low: int = 0) -> float:
    return float(histogram @ (low + np.arange(len(histogram))) / histogram.sum())


@pytest.mark.parametrize(
    ("game", "names", "solo"),
    [
        ("keer-op-keer", ("greedy", "cautious"), False),
        ("keer-op-keer", ("greedy", "tidy", "random"), False),
        ("keer-op-keer", ("greedy", "cautious"), True),
        ("qwixx", ("fewest-skips", "random"), False),
        ("qwixx", ("fewest-skips",), True),
    ],
)
def test_a_study_of_one_plan_says_what_a_run_says(game: str, names: tuple[str, ...], solo: bool) -> None:
    made = make_plan(names, 240, game=game, solo=solo)
    found, tally = study([made], threads=1), run(made, threads=1).tally
    assert found.blocks == tally.blocks == made.blocks
    shown = of_measures(found)
    games, seats = tally.games, made.seats
    scores = tally.scores.sum(axis=0)
    seen, low = found.sections[0].scores.sum(axis=0), found.sections[0].low - tally.low
    assert seen.tolist() == scores[low : low + len(seen)].tolist()
    assert seen.sum() == scores.sum()
    assert shown["rolls"] == tally.rolls @ np.arange(len(tally.rolls)) / games
    assert shown["mean_score"] == pytest.approx(mean(scores, tally.low), rel=1e-12)
    for i, part in enumerate(made.played.parts):
        assert shown[f"from_{part}"] == tally.parts.sum(axis=0)[i] / (games * seats)
    for i, label in enumerate(made.labels if len(names) > 1 else ()):
        assert shown[f"score {label}"] == pytest.approx(mean(tally.scores[i], tally.low), rel=1e-12)
    if not solo:
        assert shown["ties"] == tally.ties / games
        _same_shares(shown, tally, made)


def _same_shares(shown: dict[str, float | None], tally: Tally, made: Plan) -> None:
    sums = dict(zip(tally.variables(tally.strategies), tally.sums.tolist(), strict=True))
    for i, label in enumerate(made.labels):
        assert shown[f"win {label}"] == sums["share", i] / tally.games / 60
    assert shown["start_win_lead"] == sums["start_share", 0] / (60 * tally.games) - 1 / made.seats
    assert shown["start_score_lead"] == sums["start_lead", 0] / (tally.games * (made.seats - 1))


@pytest.mark.parametrize("solo", [False, True])
def test_equal_plans_differ_in_nothing(solo: bool) -> None:
    """The dice are common: not only the means are equal, but every section is, so that no interval has a width."""
    made = make_plan(("greedy", "cautious"), 120, solo=solo)
    found = study([made, made], threads=1)
    base, variant = measured(found)
    for measure in measures(made):
        assert variant.minus(base, measure.value) == (0, 0, None, None), measure
    assert all(feat.done.difference == (0, 0, None, None) for feat in feats(found))
    assert all(change.verdict == 0 for change in Variant(("a", "b"), found).changes)


def test_a_rule_that_matters_late_leaves_short_games_as_they_were() -> None:
    """The dice are common: with a limit of 12 rolls no game sees more of the dice than the others do."""
    one, other = (make_plan(("greedy", "cautious"), 60, rules=Rules(roll_limit=12, colors_to_end=n)) for n in (4, 5))
    found = study([one, other], threads=1)
    assert plain(found)[1] == plain(found)[2]
    assert of_measures(found)["ended_roll_limit"] == 1


def test_strategies_that_do_not_compile_are_played_and_watched_by_the_referee(tmp_path: Path) -> None:
    """The same function twice, once in a way that the compiler does not take: all sums are the same."""
    (tmp_path / "my.py").write_text(
        textwrap.dedent(
            """
            from strategies import strategy

            @strategy
            def slow(view, move):
                return getattr(move, "".join(["poi", "nts"]))

            @strategy
            def quick(view, move):
                return move.points
            """
        )
    )
    slow, quick = (
        make_plan(("cautious", f"{tmp_path / 'my.py'}:{name}"), 12, rules=SHORT) for name in ("slow", "quick")
    )
    found = study([slow, quick], threads=2)
    assert plain(found)[1] == plain(found)[2]
    assert len(found.notes) == 1
    assert "my.py:slow does not compile" in found.notes[0]
    assert of_measures(found)["cells"] not in (0, None)


def test_made_up_studies_are_those_of_the_program(fakes: Fakes) -> None:
    """So that tests of what is said of a study need not play one."""
    plans = two(240)
    tables = [fakes(made, watched=True) for made in plans]
    made_up = study_of(*((made, table.play(0, made.blocks)) for made, table in zip(plans, tables, strict=True)))
    assert plain(made_up) == plain(study(plans, threads=1))
