"""Files are whole or absent, the same for the same result, and complete enough to repeat the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from matplotlib.figure import Figure

from reports import files
from reports import games as games_module
from reports.files import FILES, write_report
from reports.games import GamesFile
from reports.tables import text
from simulator.errors import OutputError, StrategyError
from simulator.experiments.plan import Plan
from simulator.experiments.run import open_table, run
from simulator.keer_op_keer.referee import play
from simulator.keer_op_keer.sheet import load_sheet
from strategies import find_strategy
from tests.experiments.fakes import PARTS, FakeTable, plan
from tests.reports.made import random_result

PLOTS = ["win-shares", "scores", "margins"]


def test_report_has_all_files(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    result = random_result(plan("a", "b"))
    written = write_report(result, folder, version="1.2.3")
    names = ["results.csv", *(f"{plot}.{kind}" for plot in PLOTS for kind in ("png", "svg")), "summary.json"]
    assert [path.name for path in written] == names
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert (folder / "results.csv").read_text(encoding="utf-8") == text(result, version="1.2.3", form="csv")
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert summary["run"].pop("files") == names
    assert summary == json.loads(text(result, version="1.2.3", form="json"))
    assert (folder / "scores.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "scores.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_same_bytes_for_the_same_result(tmp_path: Path) -> None:
    made = plan("a", "b", games=200)
    for name, threads, chunk in (("one", 1, 100), ("two", 2, 7)):
        table = FakeTable(made, (20, 21))
        with GamesFile(tmp_path / name / "games.parquet", made, PARTS) as games:
            result = run(made, threads=threads, chunk_blocks=chunk, table=table, on_outcomes=games)
        write_report(result, tmp_path / name, version="1", games=True)
    for path in (tmp_path / "one").iterdir():
        other = tmp_path / "two" / path.name
        if path.name == "summary.json":
            first, second = (json.loads(p.read_text(encoding="utf-8")) for p in (path, other))
            assert first.pop("run") != second.pop("run")
            assert first == second
        else:
            assert path.read_bytes() == other.read_bytes(), path.name


def test_report_replaces_an_older_one(tmp_path: Path) -> None:
    write_report(random_result(plan("a", "b"), seed=1), tmp_path, version="1")
    before = (tmp_path / "results.csv").read_text(encoding="utf-8")
    write_report(random_result(plan("a", "b"), seed=2), tmp_path, version="1")
    assert (tmp_path / "results.csv").read_text(encoding="utf-8") != before


def older_report(folder: Path, *files: object) -> None:
    """Files of a folder, and a summary that lists them."""
    folder.mkdir(exist_ok=True)
    for name in ("games.parquet", "ratings.png", "ratings.svg", "mine.png", "notes.txt"):
        (folder / name).write_text("old")
    (folder / "margins.png").mkdir()
    summary = {"format": "kok-sim/result", "run": {"files": list(files)}}
    (folder / "summary.json").write_text(json.dumps(summary))


def test_what_an_older_report_lists_goes_but_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("outside")
    folder = tmp_path / "out"
    listed = ("games.parquet", "ratings.svg", "margins.png", "notes.txt", "../notes.txt", "/etc/none", 3, {})
    older_report(folder, *listed)
    written = write_report(random_result(plan("a", solo=True)), folder, version="1")
    kept = {"mine.png", "notes.txt", "margins.png"}
    assert {path.name for path in folder.iterdir()} == {path.name for path in written} | kept
    assert (tmp_path / "notes.txt").read_text() == "outside"
    assert (folder / "notes.txt").read_text() == "old"


def test_files_that_an_older_report_does_not_list_stay(tmp_path: Path) -> None:
    older_report(tmp_path, "ratings.svg")
    (tmp_path / "margins.png").rmdir()
    write_report(random_result(plan("a", "b")), tmp_path, version="1")
    assert (tmp_path / "games.parquet").read_text() == "old"
    assert (tmp_path / "ratings.png").read_text() == "old"
    assert not (tmp_path / "ratings.svg").exists()


@pytest.mark.parametrize("content", ["", "{", "[]", "3", '{"run": {"files": ["ratings.svg"]}}', "[" * 100_000])
def test_a_summary_of_somebody_else_lists_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / "summary.json").write_text(content)
    (tmp_path / "ratings.svg").write_text("mine")
    write_report(random_result(plan("a", "b")), tmp_path, version="1")
    assert (tmp_path / "ratings.svg").read_text() == "mine"
    assert json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["format"] == "kok-sim/result"


@pytest.mark.parametrize("kind", [{}, {"solo": True}, {"table": 2}])
def test_names_of_all_files_are_known(tmp_path: Path, kind: dict[str, Any]) -> None:
    written = write_report(random_result(plan("a", "b", **kind)), tmp_path, version="1", games=True)
    assert all(FILES.fullmatch(path.name) for path in written if path.name != "summary.json")


@pytest.mark.filterwarnings("error")
def test_names_are_drawn_as_they_are(tmp_path: Path) -> None:
    """A name is no formula, and may have letters that the font has not."""
    written = write_report(random_result(plan("a$\\frac$", "$_{b", "日")), tmp_path, version="1")
    assert "a$\\frac$" in (tmp_path / "win-shares.svg").read_text(encoding="utf-8")
    assert len(written) == 8


def test_no_summary_where_the_rest_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    write_report(random_result(plan("a", "b")), tmp_path, version="1")
    monkeypatch.setattr(Figure, "savefig", fail)
    with pytest.raises(OutputError, match=r"^cannot write '.*win-shares.png': No space left on device$"):
        write_report(random_result(plan("a", "b"), seed=2), tmp_path, version="1")
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


def test_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "as_csv", lambda *_: "text")
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OutputError, match=r"^cannot write '.*results.csv': No space left on device$"):
        write_report(random_result(plan("a", "b")), tmp_path / "new" / "folder", version="1")
    assert list(tmp_path.iterdir()) == []


def test_games_file_has_a_row_for_each_game_and_seat(tmp_path: Path) -> None:
    made = plan("a", "b", "c", games=30, boards="black,red,black")
    path = tmp_path / "games.parquet"
    table = FakeTable(made, (20, 22, 21))
    with GamesFile(path, made, PARTS) as games:
        result = run(made, threads=2, chunk_blocks=3, table=table, on_outcomes=games)
    rows = pd.read_parquet(path)
    who = ["game", "block", "table", "seat", "strategy", "sheet"]
    assert list(rows.columns) == [*who, "score", *PARTS, "share", "rolls", "stopped"]
    assert rows.game.tolist() == np.repeat(np.arange(30), 3).tolist()
    assert (rows.block == rows.game // 3).all()
    assert rows.seat.tolist() == [0, 1, 2] * 30
    assert rows.strategy[:9].tolist() == ["abc"[i] for i in made.seating.ravel()]
    assert (rows.sheet == rows.strategy.map({"a": "black", "b": "red", "c": "black"}).astype(str)).all()
    assert (rows[list(PARTS)].sum(axis=1) == rows.score).all()
    assert rows.groupby("game").share.sum().tolist() == pytest.approx([1] * 30)
    outcomes = table.play(0, 10)
    assert rows.score.tolist() == outcomes.scores.ravel().tolist()
    assert rows.rolls.tolist() == np.repeat(outcomes.rolls.ravel(), 3).tolist()
    totals = rows.groupby("strategy", observed=True).score.sum()
    assert totals.tolist() == [result.tally.sums[i] for i in range(3)]


def test_games_file_of_solo_games(tmp_path: Path) -> None:
    made = plan("a", "b", games=5, solo=True)
    path = tmp_path / "games.parquet"
    with GamesFile(path, made, PARTS) as games:
        run(made, table=FakeTable(made, (20, 22)), on_outcomes=games)
    rows = pd.read_parquet(path)
    assert rows.game.tolist() == rows.block.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert rows.strategy.tolist() == ["a", "b"] * 5
    assert rows.table.tolist() == [0, 1] * 5
    assert (rows.seat == 0).all()


def test_games_file_of_a_tournament_numbers_games_as_at_a_table_of_its_own(tmp_path: Path) -> None:
    """So `kok-sim replay` of the two who met finds the game; the same number is there once for each table."""
    made = plan("a", "b", "c", games=6, table=2)
    path = tmp_path / "games.parquet"
    with GamesFile(path, made, PARTS) as games:
        run(made, table=FakeTable(made, (20, 22, 21)), on_outcomes=games)
    rows = pd.read_parquet(path)
    assert rows.block.tolist() == np.repeat([0, 1, 2], 12).tolist()
    assert rows.game.tolist() == np.repeat([0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 4, 5, 4, 5, 4, 5], 2).tolist()
    assert rows.strategy.tolist() == [*"abbaaccabccb"] * 3
    assert rows.seat.tolist() == [0, 1] * 18


def test_games_file_of_independent_games_numbers_each_game_once(tmp_path: Path) -> None:
    made = plan("a", "b", "c", games=6, table=2, independent=True)
    path = tmp_path / "games.parquet"
    with GamesFile(path, made, PARTS) as games:
        run(made, table=FakeTable(made, (20, 22, 21)), on_outcomes=games)
    rows = pd.read_parquet(path)
    assert rows.game[::2].is_unique
    assert (rows.game // 2).tolist() == np.repeat(np.arange(18), 2).tolist()  # a deal for each game


@pytest.mark.parametrize("independent", [False, True])
@pytest.mark.parametrize("table", [2, 3])
def test_the_number_of_a_game_is_the_one_to_replay(tmp_path: Path, independent: bool, table: int) -> None:
    """The referee, told the seats and the number that a row has, gets the score of that row."""
    strategies = [find_strategy(name) for name in ("greedy", "random", "cautious")]
    made = Plan(tuple(strategies), (load_sheet("black"),) * 3, games=6, seed=5, table=table, independent=independent)
    path = tmp_path / "games.parquet"
    with GamesFile(path, made, open_table(made).parts) as games:
        run(made, threads=1, on_outcomes=games)
    by_name = {strategy.name: strategy for strategy in strategies}
    rows = pd.read_parquet(path).astype({"strategy": str})
    for _, game in list(rows.groupby(np.arange(len(rows)) // table))[::3]:
        seated = [by_name[name] for name in game.strategy]
        sheets = [made.sheets[0]] * table
        record = play(seated, sheets, made.rules, made.seed, int(game.game.iloc[0]), solo=False)
        assert [final["total"] for final in record["final"]] == game.score.tolist()
        assert len(record["rolls"]) == game.rolls.iloc[0]


def test_games_file_is_written_in_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "ROW_GROUP", 64)
    made = plan("a", "b", games=200)
    path = tmp_path / "games.parquet"
    with GamesFile(path, made, PARTS) as games:
        run(made, chunk_blocks=13, table=FakeTable(made, (20, 22)), on_outcomes=games)
    parquet = pq.ParquetFile(path)
    sizes = [parquet.metadata.row_group(i).num_rows for i in range(parquet.num_row_groups)]
    assert sizes == [64] * 6 + [16]
    assert pd.read_parquet(path).game.tolist() == np.repeat(np.arange(200), 2).tolist()


def test_games_file_of_an_interrupted_run_has_the_games_counted(tmp_path: Path) -> None:
    made = plan("a", "b", games=200)
    path = tmp_path / "games.parquet"

    def stop(done: int, _total: int) -> None:
        if done >= 30:
            raise KeyboardInterrupt

    with GamesFile(path, made, PARTS) as games:
        result = run(made, chunk_blocks=10, table=FakeTable(made, (20, 22)), on_outcomes=games, on_progress=stop)
    assert len(pd.read_parquet(path)) == 2 * result.games == 120


def fail_with(path: Path) -> None:
    """A run that fails while its games are written."""
    made = plan("a", "b", games=200)
    with pytest.raises(StrategyError), GamesFile(path, made, PARTS) as games:
        run(made, chunk_blocks=10, table=FakeTable(made, (20, 21), fails_at=50), on_outcomes=games)


def test_games_file_of_a_failed_run_is_gone_and_so_is_its_folder(tmp_path: Path) -> None:
    fail_with(tmp_path / "sub" / "sub" / "games.parquet")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "sub").mkdir()
    fail_with(tmp_path / "sub" / "games.parquet")
    assert list(tmp_path.iterdir()) == [tmp_path / "sub"]


def test_a_failed_run_leaves_an_older_report(tmp_path: Path) -> None:
    older_report(tmp_path, "games.parquet")
    before = {path.name for path in tmp_path.iterdir()}
    fail_with(tmp_path / "games.parquet")
    assert {path.name for path in tmp_path.iterdir()} == before


def test_new_games_never_lie_beside_the_summary_of_older_ones(tmp_path: Path) -> None:
    older_report(tmp_path, "ratings.png", "games.parquet")
    made = plan("a", "b", games=20)
    with GamesFile(tmp_path / "games.parquet", made, PARTS) as games:
        result = run(made, table=FakeTable(made, (20, 21)), on_outcomes=games)
    assert not (tmp_path / "summary.json").exists()
    assert not (tmp_path / "ratings.png").exists()
    (tmp_path / "margins.png").rmdir()
    write_report(result, tmp_path, version="1", games=True)
    assert len(pd.read_parquet(tmp_path / "games.parquet")) == 40


def test_games_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"^cannot write to '.*file': '.*file' is not a folder$"):
        GamesFile(tmp_path / "file" / "games.parquet", plan("a", "b"), PARTS).__enter__()
    (tmp_path / "games.parquet").mkdir()
    with pytest.raises(OutputError, match=r"^cannot write '.*games.parquet': it is a folder$"):
        GamesFile(tmp_path / "games.parquet", plan("a", "b"), PARTS).__enter__()
