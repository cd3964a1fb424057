"""``kok-sim sheets generate``: whole files with sheets that can be played, and one line for what it refuses."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kok_sim.cli import progress, sheets
from simulator.games import find_game
from simulator.keer_op_keer.generating import generate
from simulator.keer_op_keer.sheet import read_lines
from tests.cli.conftest import Cli

Watch = Callable[[Callable[[int, int], None]], None]


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Puts something in the place of the bar, which is told how far it is."""

    def put(bar: Callable[[int, int], None]) -> None:
        monkeypatch.setattr(progress, "progress_bar", lambda *_, **__: contextlib.nullcontext(bar))

    return put


def names(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def test_the_first_sheets_of_a_seed_are_written(cli: Cli) -> None:
    code, out, err = cli("sheets generate --seed 7 --count 3 --out made/here")
    assert (code, err) == (0, "")
    paths = [Path("made/here") / f"generated-7-{number}.txt" for number in (1, 2, 3)]
    assert out.splitlines() == [str(path) for path in paths]
    assert names("made/here") == [path.name for path in paths]
    for path, sheet in zip(paths, generate(7, 3), strict=True):
        assert read_lines(path) == sheet.lines
        assert path.read_bytes().count(b"\n") == 7
        assert cli(f"sheets check {path}") == (0, f"{path} can be played\n", "")


def test_one_is_written_if_nothing_else_is_said(cli: Cli) -> None:
    assert cli("sheets generate --out .") == (0, "generated-1-1.txt\n", "")


def test_strategies_play_on_it(cli: Cli) -> None:
    assert cli("sheets generate --seed 5 --out . -q").code == 0
    code, out, err = cli("replay greedy cautious --board generated-5-1.txt")
    assert (code, err) == (0, "")
    assert "won" in out


def test_a_file_of_the_same_name_is_replaced_and_others_stay(cli: Cli) -> None:
    Path("out").mkdir()
    for name in ("generated-7-1.txt", "generated-7-3.txt", "notes.txt"):
        Path("out", name).write_text("mine")
    assert cli("sheets generate --seed 7 --count 2 --out out").code == 0
    assert names("out") == ["generated-7-1.txt", "generated-7-2.txt", "generated-7-3.txt", "notes.txt"]
    assert read_lines(Path("out/generated-7-1.txt")) == next(generate(7, 1)).lines
    assert [Path("out", name).read_text() for name in ("generated-7-3.txt", "notes.txt")] == ["mine", "mine"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "Missing option '--out'."),
        ("--out", "Option '--out' requires an argument."),
        ("--out a.file", "cannot write to 'a.file': 'a.file' is not a folder"),
        ("--out a.file/below", "cannot write to 'a.file/below': 'a.file' is not a folder"),
        ("--out out --count 0", "the number of sheets must be a whole number from 1 to 10,000; got 0"),
        ("--out out --count 10001", "the number of sheets must be a whole number from 1 to 10,000; got 10001"),
        ("--out out --count x", "Invalid value for '--count': "),
        ("--out out --count 1.5", "Invalid value for '--count': "),
        ("--out out --seed -1", "the seed must be a whole number from 0 to 2**64 - 1; got -1"),
        ("--out out --seed 18446744073709551616", "the seed must be a whole number from 0 to 2**64 - 1; got 1844"),
        ("--out out --seed x", "Invalid value for '--seed': "),
        ("--out out --game qwixx", "Qwixx has only one sheet; there is nothing to choose"),
        ("--out out --game qwix", "unknown game 'qwix'; did you mean 'qwixx'?"),
        ("--out out 7", "unexpected extra argument"),
    ],
)
def test_what_is_refused(cli: Cli, options: str, message: str) -> None:
    Path("a.file").write_text("mine")
    code, out, err = cli(f"sheets generate {options}")
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err
    assert names(".") == ["a.file"]
    assert Path("a.file").read_text() == "mine"


def test_a_game_without_a_generator_is_refused(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("keer-op-keer")
    assert game.sheets is not None
    bare = replace(game, sheets=game.sheets._replace(generate=None))
    monkeypatch.setattr(sheets, "find_game", lambda _: bare)
    assert cli("sheets generate --out out") == (2, "", "error: Keer op Keer has no generator of sheets\n")
    assert not Path("out").exists()


def test_a_folder_in_the_place_of_a_file(cli: Cli) -> None:
    Path("out/generated-7-2.txt").mkdir(parents=True)
    code, out, err = cli("sheets generate --seed 7 --count 3 --out out")
    path = str(Path("out/generated-7-2.txt").resolve())
    assert (code, err) == (2, f"error: cannot write {path!r}: it is a folder\n")
    assert out.splitlines() == [str(Path("out/generated-7-1.txt"))]  # what is there is told
    assert names("out") == ["generated-7-1.txt", "generated-7-2.txt"]


def test_the_bar_is_told_how_far_it_is(cli: Cli, watch: Watch) -> None:
    told: list[tuple[int, int]] = []
    watch(lambda done, total: told.append((done, total)))
    assert cli("sheets generate --count 3 --out out").code == 0
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_control_c_leaves_whole_files(cli: Cli, watch: Watch) -> None:
    def press(done: int, _total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    watch(press)
    code, out, err = cli("sheets generate --seed 7 --count 5 --out out")
    assert (code, err) == (130, "")
    written = [Path("out") / f"generated-7-{number}.txt" for number in (1, 2)]
    assert out.splitlines() == [str(path) for path in written]
    assert names("out") == [path.name for path in written]
    assert [read_lines(path) for path in written] == [sheet.lines for sheet in generate(7, 2)]


def test_control_c_before_the_first_sheet_leaves_no_folder(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("keer-op-keer")

    def pressed(_seed: int, _count: int) -> Iterator[object]:
        raise KeyboardInterrupt
        yield

    assert game.sheets is not None
    slow = replace(game, sheets=game.sheets._replace(generate=pressed))
    monkeypatch.setattr(sheets, "find_game", lambda _: slow)
    assert cli("sheets generate --out out/deep") == (130, "", "")
    assert names(".") == []
