"""Files are whole or absent, the same for the same result, and complete enough to repeat the run."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from reports import files
from reports.files import GamesFile, check_writable, write_report
from reports.tables import text
from simulator.errors import OutputError, StrategyError
from simulator.experiments.run import run
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


def test_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(OutputError, match=r"^cannot write '.*results.csv': No space left on device$"):
        write_report(random_result(plan("a", "b")), tmp_path, version="1")
    assert list(tmp_path.iterdir()) == []


def test_unwritable_folders_are_reported_at_once(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "sub", file / "sub" / "sub"):
        with pytest.raises(OutputError, match=r"^cannot write to '.*': '.*file' is not a folder$"):
            check_writable(folder)
    with pytest.raises(OutputError, match=r"^cannot write to "):
        check_writable(Path("/proc/nowhere/at/all"))


def test_checking_leaves_no_trace(tmp_path: Path) -> None:
    check_writable(tmp_path)
    check_writable(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(OutputError, match=r"^cannot write to '.*': Permission denied$"):
        check_writable(tmp_path)


def test_games_file_has_a_row_for_each_game_and_seat(tmp_path: Path) -> None:
    made = plan("a", "b", "c", games=30, boards="black,red,black")
    path = tmp_path / "games.parquet"
    table = FakeTable(made, (20, 22, 21))
    with GamesFile(path, made, PARTS) as games:
        result = run(made, threads=2, chunk_blocks=3, table=table, on_outcomes=games)
    rows = pd.read_parquet(path)
    who = ["game", "block", "seat", "strategy", "sheet"]
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
    assert (rows.seat == 0).all()


def test_games_file_is_written_in_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "ROW_GROUP", 64)
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


def test_games_file_of_a_failed_run_is_gone(tmp_path: Path) -> None:
    made = plan("a", "b", games=200)
    path = tmp_path / "sub" / "games.parquet"
    with pytest.raises(StrategyError), GamesFile(path, made, PARTS) as games:
        run(made, chunk_blocks=10, table=FakeTable(made, (20, 22), fails_at=50), on_outcomes=games)
    assert list(path.parent.iterdir()) == []


def test_games_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"^cannot write '.*games.parquet': "):
        GamesFile(tmp_path / "file" / "games.parquet", plan("a", "b"), PARTS).__enter__()
