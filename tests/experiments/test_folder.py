"""Runs that survive: whatever ends a process, the run goes on to the very same counts, or says in one line why not."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from reports import games
from simulator.errors import KokSimError, OutputError, PlanError, StrategyError
from simulator.experiments import folder
from simulator.experiments.folder import RunFolder, read_run
from simulator.experiments.plan import Plan
from simulator.experiments.run import run
from simulator.experiments.stopping import Until
from simulator.experiments.tally import Tally, tally_from_plain
from simulator.files import DEEPEST
from simulator.keer_op_keer.rules import Rules
from simulator.strategy import Scored
from tests.experiments.fakes import PARTS, FakeTable, fake_result, plain, plan
from tests.experiments.folders import MEANS, BrokenError, content, go_on, unbroken

ROOT = Path(__file__).parents[2]
KINDS: dict[str, Callable[[], Plan]] = {
    "compare": lambda: plan("a", "b", "c", games=300),
    "solo": lambda: plan("a", "b", games=100, solo=True),
    "tournament": lambda: plan("a", "b", "c", "d", games=200, table=2),
    "focus": lambda: plan("a", "b", "c", "d", games=150, table=3, focus=True),
    "independent": lambda: plan("a", "b", games=200, independent=True),
    "until": lambda: plan("a", "b", games=10**6, stop=Until(0.03)),
}
Change = Callable[[dict[str, Any]], Any]


def refusal(made: Plan, place: Path, *, program: str = "1", keeps_games: bool = False) -> str:
    """Why a run folder is refused: in one line, and nothing in it is touched."""
    before = content(place)
    with pytest.raises(KokSimError) as caught, RunFolder(place, made, program, keeps_games=keeps_games):
        pytest.fail("not refused")
    assert content(place) == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


def through_json(tally: Tally, seating: np.ndarray) -> Tally:
    return tally_from_plain(json.loads(json.dumps(tally.to_plain(), allow_nan=False)), seating)


class TestPlainForm:
    """What is saved of a tally is all of it."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_round_trip(self, kind: str) -> None:
        made = KINDS[kind]()
        tally = fake_result(made, MEANS).tally
        again = through_json(tally, made.seating)
        assert plain(again) == plain(tally)
        for field in dataclasses.fields(Tally):
            mine, theirs = getattr(tally, field.name), getattr(again, field.name)
            assert type(mine) is type(theirs)
            assert getattr(mine, "dtype", None) == getattr(theirs, "dtype", None)

    @pytest.mark.parametrize("kind", ["compare", "tournament"])
    def test_numbers_beyond_64_bits(self, kind: str) -> None:
        made = KINDS[kind]()
        tally = fake_result(made, MEANS).tally
        large = {name: getattr(tally, name) * 3**50 for name in ("sums", "products", "pair_sums", "pair_squares")}
        tally = dataclasses.replace(tally, **large)
        assert max(abs(x) for x in tally.products.ravel()) > 2**80
        again = through_json(tally, made.seating)
        assert plain(again) == plain(tally)
        assert plain(again + again) == plain(tally + tally)

    def test_of_nothing(self) -> None:
        made = KINDS["compare"]()
        tally = Tally.empty(made.seating, len(PARTS), made.rules.score_range())
        assert plain(through_json(tally, made.seating)) == plain(tally)

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_tally_that_was_read_can_be_added_to(self, kind: str) -> None:
        made = KINDS[kind]()
        tally = fake_result(made, MEANS).tally
        assert plain(through_json(tally, made.seating) + tally) == plain(tally + tally)


class TestGoingOn:
    """Broken off and gone on with, a run comes to the same as one that was not."""

    @pytest.mark.parametrize("error", [KeyboardInterrupt, BrokenError])
    @pytest.mark.parametrize("interval", [0.0, 3600.0])
    @pytest.mark.parametrize("kind", KINDS)
    def test_same_counts(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, interval: float, error: type[BaseException]
    ) -> None:
        monkeypatch.setattr(folder, "INTERVAL", interval)
        made = KINDS[kind]()
        whole = unbroken(made)
        for until, threads, chunk in ((1, 1, 5), (20, 2, 7), (21, 3, 1), (60, 1, 64)):
            with contextlib.suppress(BrokenError):
                go_on(made, tmp_path / "run", until=until, error=error, threads=threads, chunk_blocks=chunk)
        result = go_on(made, tmp_path / "run", threads=2, chunk_blocks=9)
        assert plain(result.tally) == plain(whole.tally)
        assert (result.decision, result.interrupted) == (whole.decision, False)
        assert result.decision == ("reached" if kind == "until" else None)

    def test_what_was_counted_is_not_played_again(self, tmp_path: Path) -> None:
        made = plan("a", "b", games=200)
        go_on(made, tmp_path, until=40, threads=1, chunk_blocks=10)
        table = FakeTable(made, MEANS)
        with RunFolder(tmp_path, made, "1") as kept:
            assert kept.tally is not None
            assert kept.tally.blocks == 40
            run(made, threads=1, chunk_blocks=10, table=table, folder=kept)
        assert table.played[0] == (40, 10)

    def test_time_goes_on(self, tmp_path: Path) -> None:
        made = plan("a", "b", games=200)
        first = go_on(made, tmp_path, until=40, chunk_blocks=10)
        with RunFolder(tmp_path, made, "1") as kept:
            assert kept.seconds == pytest.approx(first.seconds, abs=0.001)
            kept.seconds = 100
            result = run(made, table=FakeTable(made, MEANS), folder=kept)
        assert 100 < result.seconds < 110

    def test_a_run_that_is_done_is_not_played(self, tmp_path: Path) -> None:
        made = plan("a", "b", games=200)
        done = go_on(made, tmp_path)
        table = FakeTable(made, MEANS)
        with RunFolder(tmp_path, made, "1") as kept:
            again = run(made, table=table, folder=kept)
        assert table.played == []
        assert plain(again.tally) == plain(done.tally)
        assert not again.interrupted

    def test_it_is_saved_once_a_second(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        clock, saved = [0.0], []
        monkeypatch.setattr(folder.time, "monotonic", lambda: clock[0])
        made = plan("a", "b", games=200)
        with RunFolder(tmp_path, made, "1") as kept:
            kept.before_save.append(lambda: saved.append(clock[0]))
            tally = fake_result(made, MEANS).tally
            for clock[0] in (0.5, 0.9, 1.0, 1.9, 2.1, 9.0, 9.9):
                kept.keep(tally, clock[0])
        assert saved == [1.0, 2.1, 9.0]

    @pytest.mark.parametrize("interval", [0.0, 0.001])
    @pytest.mark.parametrize("error", [KeyboardInterrupt, BrokenError])
    @pytest.mark.parametrize("kind", ["compare", "solo", "tournament", "independent"])
    def test_same_games(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, interval: float, error: type[BaseException]
    ) -> None:
        monkeypatch.setattr(folder, "INTERVAL", interval)
        monkeypatch.setattr(games, "ROW_GROUP", 64)
        made = KINDS[kind]()
        whole = unbroken(made, tmp_path / "whole.parquet")
        out = tmp_path / "games.parquet"
        for until, threads, chunk in ((1, 1, 5), (20, 2, 7), (21, 3, 1), (60, 1, 20)):
            with contextlib.suppress(BrokenError):
                go_on(made, tmp_path / "run", until=until, error=error, out=out, threads=threads, chunk_blocks=chunk)
            assert not out.exists()
        result = go_on(made, tmp_path / "run", out=out, threads=2, chunk_blocks=9)
        assert plain(result.tally) == plain(whole.tally)
        assert out.read_bytes() == (tmp_path / "whole.parquet").read_bytes()
        assert pq.ParquetFile(out).num_row_groups > 1
        out.unlink()
        go_on(made, tmp_path / "run", out=out)  # done: only written again
        assert out.read_bytes() == (tmp_path / "whole.parquet").read_bytes()

    def test_games_that_were_not_counted_yet_are_played_again(self, tmp_path: Path) -> None:
        made = plan("a", "b", games=200)
        out = tmp_path / "games.parquet"
        go_on(made, tmp_path / "run", until=40, out=out, threads=1, chunk_blocks=10)
        games = tmp_path / "run" / "games"
        first = next(games.iterdir())
        (games / f"{40:013d}.parquet").write_bytes(first.read_bytes())  # written when the process was killed
        (games / f".{50:013d}.parquet.77.part").write_bytes(b"half")
        go_on(made, tmp_path / "run", out=out)
        unbroken(made, tmp_path / "whole.parquet")
        assert out.read_bytes() == (tmp_path / "whole.parquet").read_bytes()
        assert not list(games.glob(".*"))

    def test_the_progress_of_a_run_is_that_of_all_blocks(self, tmp_path: Path) -> None:
        made = plan("a", "b", games=200)
        go_on(made, tmp_path, until=40, threads=1, chunk_blocks=10)
        seen: list[tuple[int, int]] = []
        with RunFolder(tmp_path, made, "1") as kept:
            table = FakeTable(made, MEANS)
            run(made, threads=1, chunk_blocks=30, table=table, folder=kept, on_progress=lambda *at: seen.append(at))
        assert seen == [(70, 100), (100, 100)]


class TestRefused:
    """Whatever is not the very same run is refused, with what differs."""

    @pytest.fixture
    def begun(self, tmp_path: Path) -> Path:
        """A folder with a run that was broken off."""
        go_on(plan("a", "bee", games=200), tmp_path / "my run", until=40, chunk_blocks=10)
        return tmp_path / "my run"

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"seed": 2}, "seed 1, not 2;"),
            ({"games": 202}, "games 200, not 202;"),
            ({"boards": "red,black"}, "sheets black, black, not red, black;"),
            ({"rules": Rules(tie_break="stars")}, 'rules {}, not {"tie_break": "stars"};'),
            ({"stop": Until(0.01)}, 'stop null, not {"rule": "until", "half_width": 0.01};'),
            ({"table": 2}, "table null, not 2;"),
            ({"solo": True}, 'mode "multiplayer", not "solo";'),
            ({"independent": True}, "independent false, not true;"),
        ],
    )
    def test_another_plan(self, begun: Path, changes: dict[str, Any], message: str) -> None:
        told = refusal(plan("a", "bee", **{"games": 200, **changes}), begun)
        assert told.startswith(f"{str(begun)!r} holds another run: {message} go on with it by kok-sim resume '")
        assert told.endswith(f"kok-sim resume '{begun}', or name another folder")

    @pytest.mark.parametrize("names", [("a", "b"), ("bee", "a"), ("a", "bee", "c"), ("a", "a")])
    def test_other_strategies(self, begun: Path, names: tuple[str, ...]) -> None:
        assert f"another run: strategies a, bee, not {', '.join(names)};" in refusal(plan(*names, games=200), begun)

    def test_a_strategy_of_the_same_name_with_other_weights(self, begun: Path) -> None:
        made = plan("a", "bee", games=200)
        other = dataclasses.replace(made.strategies[1], weights={"points": 3.5})
        told = refusal(dataclasses.replace(made, strategies=(made.strategies[0], other)), begun)
        assert "another run: bee had settings" in told
        assert '"points": 3.0' in told
        assert '"points": 3.5' in told

    def test_a_function_that_has_changed(self, tmp_path: Path) -> None:
        made = plan("a", "b", games=20)
        before, now = (
            dataclasses.replace(made, strategies=(made.strategies[0], Scored("my.py:f", "", len, source=source)))
            for source in ("1111", "2222")
        )
        go_on(before, tmp_path)
        told = refusal(now, tmp_path)
        assert "my.py:f had settings" in told
        assert '"source": "1111"' in told
        assert '"source": "2222"' in told

    def test_a_sheet_of_the_same_name_with_other_cells(self, begun: Path) -> None:
        made = plan("a", "bee", games=200)
        black = made.sheets[0]
        other = dataclasses.replace(black, lines=(black.lines[0].replace("G", "g"), *black.lines[1:]))
        told = refusal(dataclasses.replace(made, sheets=(black, other)), begun)
        assert f'black had lines ["{black.lines[0]}"' in told
        assert f'not ["{other.lines[0]}"' in told

    def test_another_version(self, begun: Path) -> None:
        told = refusal(plan("a", "bee", games=200), begun, program="1.2")
        assert told == (
            f"{str(begun)!r} was made by kok-sim 1, and this is 1.2: finish it with that version, or begin anew in "
            "another folder"
        )
        with pytest.raises(PlanError, match=r"was made by kok-sim 1, and this is 1\.2"):
            read_run(begun, "1.2")
        assert read_run(begun)["program"] == "1"

    def test_with_games_where_there_are_none(self, begun: Path) -> None:
        told = refusal(plan("a", "bee", games=200), begun, keeps_games=True)
        assert told.startswith(f"the run in {str(begun)!r} was begun without --games; go on with it in the same way")

    def test_without_games_where_there_are_some(self, tmp_path: Path) -> None:
        made = plan("a", "bee", games=200)
        go_on(made, tmp_path / "run", until=40, out=tmp_path / "games.parquet")
        assert "was begun with --games; go on with it in the same way" in refusal(made, tmp_path / "run")

    def test_after_a_refusal_the_right_run_goes_on(self, begun: Path) -> None:
        made = plan("a", "bee", games=200)
        refusal(plan("a", "bee", games=200, seed=3), begun)
        assert plain(go_on(made, begun).tally) == plain(unbroken(made).tally)

    @pytest.mark.parametrize("names", [["notes.txt"], ["tally.json"], ["games", "summary.json"]])
    def test_a_folder_that_holds_something_else(self, tmp_path: Path, names: list[str]) -> None:
        for name in names:
            (tmp_path / name).write_text("mine")
        more = " and 1 more" if len(names) > 1 else ""
        assert refusal(plan("a", "b"), tmp_path) == (
            f"{str(tmp_path)!r} holds no run but other things ({names[0]}{more}); name a folder that is new or empty"
        )

    def test_nothing_of_somebody_else_is_touched(self, tmp_path: Path) -> None:
        for name in ("lock", ".tally.json.1.part", "5.parquet", "run.json"):
            (tmp_path / name).write_text("mine")
        assert f"{str(tmp_path / 'run.json')!r} is not JSON" in refusal(plan("a", "b"), tmp_path)
        (tmp_path / "run.json").write_text('{"format": "of another program"}')
        assert "is not of the form 'kok-sim/run', version 1" in refusal(plan("a", "b"), tmp_path)

    def test_hidden_files_do_no_harm(self, tmp_path: Path) -> None:
        (tmp_path / ".DS_Store").write_text("mine")
        (tmp_path / ".mine.part").write_text("mine")
        go_on(plan("a", "b"), tmp_path, until=10, chunk_blocks=10)
        go_on(plan("a", "b"), tmp_path)
        assert sorted(content(tmp_path)) == [".DS_Store", ".mine.part", "lock", "run.json", "tally.json"]

    def test_no_folder(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("mine")
        for place in (tmp_path / "file", tmp_path / "file" / "run"):
            with pytest.raises(OutputError, match=r"^cannot write .*'.*file' is not a folder$"):
                RunFolder(place, plan("a", "b"), "1").__enter__()
        (tmp_path / "run").mkdir()
        (tmp_path / "run" / "lock").mkdir()
        with pytest.raises(OutputError, match=r"^cannot write '.*lock': Is a directory$"):
            RunFolder(tmp_path / "run", plan("a", "b"), "1").__enter__()

    @pytest.mark.parametrize("name", ["a" * 300, "a" * 300 + "/b"])
    def test_names_that_cannot_be(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(OutputError, match=r"^cannot write .*: File name too long$"):
            RunFolder(tmp_path / name, plan("a", "b"), "1").__enter__()
        with pytest.raises(PlanError, match=r"^cannot read .*: File name too long$"):
            read_run(tmp_path / name)


@contextlib.contextmanager
def unprivileged(*places: Path) -> Iterator[None]:
    """Nothing in these folders can be written to, not even by root."""
    for place in places:
        place.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for place in places:
            place.chmod(0o755)


class TestCannotBeWritten:
    """One line that says what cannot be written, and what there was before can still be gone on with."""

    @pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
    def test_a_folder_without_permission(self) -> None:
        made = plan("a", "b", games=200)
        with tempfile.TemporaryDirectory() as name:
            place = Path(name)
            place.chmod(0o755)
            go_on(made, place / "run", until=40, chunk_blocks=10)
            with unprivileged(place, place / "run"):
                told = r"^cannot write (to )?'.*': Permission denied$"
                with pytest.raises(OutputError, match=told):
                    RunFolder(place / "new", made, "1").__enter__()
                with pytest.raises(OutputError, match=told):
                    RunFolder(place / "run", made, "1").__enter__()
            assert plain(go_on(made, place / "run").tally) == plain(unbroken(made).tally)

    @pytest.mark.parametrize("call", ["fsync", "replace"])
    @pytest.mark.parametrize("good", range(6))
    def test_a_full_disk(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, good: int) -> None:
        """It is full after ``good`` files were written: run.json, games and tally, games and tally, …"""
        monkeypatch.setattr(folder, "INTERVAL", 0.0)
        made = plan("a", "b", games=200)
        out, place = tmp_path / "games.parquet", tmp_path / "new" / "run"
        real: Any = os.fsync if call == "fsync" else Path.replace
        calls = [0]

        def write(*args: Any) -> Any:
            calls[0] += 1
            if calls[0] > good:
                raise OSError(28, "No space left on device")
            return real(*args)

        with monkeypatch.context() as full:
            full.setattr(os if call == "fsync" else Path, call, write)
            with pytest.raises(OutputError, match=r"^cannot write '.*': No space left on device$"):
                go_on(made, place, out=out, chunk_blocks=10)
        names = {path.name for path in tmp_path.rglob("*")}
        assert not any(name.endswith(".part") for name in names)
        assert ("tally.json" in names) == (good >= 3)
        if good == 0:
            assert names == set()
        assert plain(go_on(made, place, out=out).tally) == plain(unbroken(made, tmp_path / "whole.parquet").tally)
        assert out.read_bytes() == (tmp_path / "whole.parquet").read_bytes()


class TestFailedBeforeAnythingWasCounted:
    """A run that begins with a mistake leaves nothing behind; the same command, mended, starts anew."""

    def fail(self, place: Path, block: int) -> None:
        made = plan("a", "b", games=200)
        with pytest.raises(StrategyError), RunFolder(place, made, "1") as kept:
            run(made, chunk_blocks=10, table=FakeTable(made, MEANS, fails_at=block), folder=kept)

    def test_nothing_is_left(self, tmp_path: Path) -> None:
        self.fail(tmp_path / "new" / "run", 5)
        assert list(tmp_path.iterdir()) == []
        (tmp_path / "run").mkdir()
        self.fail(tmp_path / "run", 5)
        assert list((tmp_path / "run").iterdir()) == []

    def test_what_was_counted_stays(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(folder, "INTERVAL", 0.0)
        self.fail(tmp_path / "run", 55)
        made = plan("a", "b", games=200)
        with RunFolder(tmp_path / "run", made, "1") as kept:
            assert kept.tally is not None
            assert 0 < kept.tally.blocks <= 50
        self.fail(tmp_path / "run", 55)
        assert (tmp_path / "run" / "tally.json").exists()

    def test_a_run_that_was_there_stays(self, tmp_path: Path) -> None:
        made = plan("a", "b", games=200)
        with contextlib.suppress(SystemExit), RunFolder(tmp_path / "run", made, "1"):
            sys.exit(143)  # SIGTERM before anything was counted
        self.fail(tmp_path / "run", 5)
        assert sorted(content(tmp_path / "run")) == ["lock", "run.json"]


def set_at(*where: Any, to: Any) -> Change:
    """A change of a tally: the value at a place."""

    def change(data: dict[str, Any]) -> None:
        at: Any = data
        for key in where[:-1]:
            at = at[key]
        at[where[-1]] = to

    return change


def change_first(name: str, by: int) -> Change:
    def change(data: dict[str, Any]) -> None:
        data["tally"][name]["values"][0] += by

    return change


DAMAGE: dict[str, Change] = {
    "a count": change_first("scores", 1),
    "a negative count": change_first("outright", -(10**6)),
    "a sum": change_first("sums", -1),
    "blocks": set_at("tally", "blocks", to=41),
    "negative blocks": set_at("tally", "blocks", to=-40),
    "time": set_at("seconds", to=float("nan")),
    "no time": lambda data: data.pop("seconds"),
    "no tally": lambda data: data.pop("tally"),
    "no checksum": lambda data: data.pop("check"),
    "a field is gone": lambda data: data["tally"].pop("ties"),
}
FORGED: dict[str, Change] = {
    "a field is gone": lambda data: data["tally"].pop("ties"),
    "no tally": set_at("tally", to=None),
    "a list": set_at("tally", to=[]),
    "no time": set_at("seconds", to="soon"),
    "text for a number": set_at("tally", "blocks", to="many"),
    "a number for an array": set_at("tally", "parts", to=3),
    "an array for a number": lambda data: data["tally"].update(low=data["tally"]["parts"]),
    "a shape": set_at("tally", "scores", "shape", to=[1, 1]),
    "no shape": set_at("tally", "scores", "shape", to=None),
    "a huge shape": set_at("tally", "margins", "shape", to=[10**9, 10**9]),
    "a shape beyond all": set_at("tally", "margins", "shape", to=[2**40, 2**40]),
    "places beyond": set_at("tally", "scores", "at", to=[10**6]),
    "places of another number": set_at("tally", "scores", "at", to=[0]),
    "texts in an array": set_at("tally", "scores", "values", to="x"),
    "numbers too large": change_first("scores", 2**70),
    "bounds": set_at("tally", "high", to=3),
    "games that do not agree": set_at("tally", "games", to=82),
    "rolls that do not agree": change_first("rolls", 1),
}


class TestDamaged:
    """A damaged file is refused in one line that says what to do."""

    @pytest.fixture
    def made(self) -> Plan:
        return plan("a", "b", games=200)

    @pytest.fixture
    def place(self, tmp_path: Path, made: Plan) -> Path:
        go_on(made, tmp_path / "run", until=40, chunk_blocks=40)
        return tmp_path / "run"

    def refused(self, made: Plan, place: Path) -> str:
        told = refusal(made, place)
        assert told.startswith(f"{str(place / 'tally.json')!r} is ")
        assert told.endswith("; remove it to begin the run anew")
        return told

    def test_every_beginning_of_a_tally(self, made: Plan, place: Path) -> None:
        text = (place / "tally.json").read_text()
        for length in (0, 1, 2, len(text) // 2, len(text) - 1):
            (place / "tally.json").write_text(text[:length])
            assert "is not JSON" in self.refused(made, place)

    @pytest.mark.parametrize(
        "text", ["null", "[]", "3", "\xff", "[" * 100_000, f'{{"tally": {"[" * DEEPEST}{"]" * DEEPEST}}}']
    )
    def test_something_else(self, made: Plan, place: Path, text: str) -> None:
        (place / "tally.json").write_text(text, encoding="latin-1")
        self.refused(made, place)

    @pytest.mark.parametrize("name", DAMAGE)
    def test_what_was_changed_is_noticed(self, made: Plan, place: Path, name: str) -> None:
        data = json.loads((place / "tally.json").read_text())
        DAMAGE[name](data)
        (place / "tally.json").write_text(json.dumps(data))
        assert " is damaged" in self.refused(made, place)

    @pytest.mark.parametrize("name", FORGED)
    def test_what_was_made_up_is_refused(self, made: Plan, place: Path, name: str) -> None:
        data = json.loads((place / "tally.json").read_text())
        before = copy.deepcopy(data)
        FORGED[name](data)
        assert data != before
        data["check"] = RunFolder(place, made, "1")._check(data)
        (place / "tally.json").write_text(json.dumps(data))
        self.refused(made, place)

    @pytest.mark.parametrize("changes", [{"seed": 2}, {"games": 300}, {"rules": Rules(mark_points=2)}])
    def test_the_tally_of_another_run(self, made: Plan, place: Path, tmp_path: Path, changes: dict[str, Any]) -> None:
        go_on(plan("a", "b", **{"games": 200, **changes}), tmp_path / "other", until=40, chunk_blocks=40)
        (place / "tally.json").write_bytes((tmp_path / "other" / "tally.json").read_bytes())
        assert "is damaged, or of another run" in self.refused(made, place)

    def test_without_it_the_run_begins_anew(self, made: Plan, place: Path) -> None:
        (place / "tally.json").unlink()
        assert plain(go_on(made, place).tally) == plain(unbroken(made).tally)

    @pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": "kok-sim/run", "version": 2}', "[" * 100_000])
    def test_a_plan_that_is_none(self, made: Plan, place: Path, text: str) -> None:
        (place / "run.json").write_text(text)
        assert f"{str(place / 'run.json')!r} " in refusal(made, place)

    @pytest.mark.parametrize("key", ["program", "experiment", "keeps_games"])
    @pytest.mark.parametrize("value", [None, 3, [], "DELETE"])
    def test_a_plan_with_wrong_parts(self, made: Plan, place: Path, key: str, value: Any) -> None:
        data = json.loads((place / "run.json").read_text())
        data[key] = value
        if value == "DELETE":
            del data[key]
        (place / "run.json").write_text(json.dumps(data))
        told = refusal(made, place)
        assert f"run.json' is damaged: {key} is " in told or "was made by kok-sim DELETE" in told

    def test_leftovers_of_a_process_that_was_killed_are_removed(self, made: Plan, place: Path) -> None:
        for name in (".tally.json.123.part", ".run.json.99.part"):
            (place / name).write_text("half")
        with RunFolder(place, made, "1"):
            assert sorted(content(place)) == ["lock", "run.json", "tally.json"]

    def test_games_that_are_missing(self, made: Plan, tmp_path: Path) -> None:
        out = tmp_path / "games.parquet"
        go_on(made, tmp_path / "games run", until=40, out=out, chunk_blocks=10)
        part = next((tmp_path / "games run" / "games").iterdir())
        data = part.read_bytes()
        part.write_bytes(data[: len(data) // 2])
        with pytest.raises(OutputError, match=r"^cannot read '.*\.parquet': .*; begin the run anew in another folder$"):
            go_on(made, tmp_path / "games run", out=out)
        part.unlink()
        with pytest.raises(OutputError, match=r"games' holds 0 rows of games where 160 were counted: begin the run"):
            go_on(made, tmp_path / "games run", out=out)

    def test_games_that_are_damaged_within(self, made: Plan, tmp_path: Path) -> None:
        out = tmp_path / "games.parquet"
        go_on(made, tmp_path / "games run", out=out)
        part = next((tmp_path / "games run" / "games").iterdir())
        data = bytearray(part.read_bytes())
        data[4:400] = bytes(396)
        part.write_bytes(bytes(data))
        with pytest.raises(OutputError, match=r"^cannot read '.*\.parquet': .*; begin the run anew in another folder$"):
            go_on(made, tmp_path / "games run", out=out)


HOLD = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from simulator.experiments.folder import RunFolder
from tests.experiments.fakes import plan
with RunFolder(Path(sys.argv[1]), plan("a", "b", games=200), "1"):
    print("ready", flush=True)
    sys.stdin.read()
"""


class TestLock:
    """One process at a time."""

    def in_use(self, made: Plan, place: Path) -> None:
        assert refusal(made, place) == f"{str(place)!r} is in use: another kok-sim plays the run that it holds"

    def test_of_the_same_process(self, tmp_path: Path) -> None:
        made = plan("a", "b", games=200)
        with RunFolder(tmp_path, made, "1"):
            self.in_use(made, tmp_path)
            self.in_use(made, tmp_path)
        go_on(made, tmp_path)

    def test_of_another_process_until_it_is_killed(self, tmp_path: Path) -> None:
        made = plan("a", "b", games=200)
        command = [sys.executable, "-c", HOLD.format(root=str(ROOT)), str(tmp_path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                assert process.stdout.readline() == "ready\n"
                self.in_use(made, tmp_path)
                with contextlib.chdir(tmp_path):
                    self.in_use(made, Path())  # another name of the same folder
                (tmp_path.parent / "link").symlink_to(tmp_path)
                self.in_use(made, tmp_path.parent / "link")
                second = subprocess.run(command, capture_output=True, text=True, check=False)
                assert "PlanError" in second.stderr
                assert "is in use" in second.stderr
            finally:
                process.kill()
            process.wait()
        assert plain(go_on(made, tmp_path).tally) == plain(unbroken(made).tally)

    def test_it_is_free_after_an_error(self, tmp_path: Path) -> None:
        made = plan("a", "b", games=200)
        with pytest.raises(BrokenError), RunFolder(tmp_path, made, "1"):
            raise BrokenError
        with contextlib.suppress(KeyboardInterrupt), RunFolder(tmp_path, made, "1"):
            raise KeyboardInterrupt
        go_on(made, tmp_path)
