"""Every command does what its help says."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest

import kok_sim
from kok_sim.cli import progress
from simulator.keer_op_keer.features import FEATURE_NAMES, MOVE_FIELDS, VIEW_FIELDS
from simulator.keer_op_keer.sheet import load_sheet, sheet_names
from simulator.records import read_records
from simulator.table import Table
from strategies import strategy_names
from tests.cli.conftest import Cli

COMMANDS = [
    "",
    "compare",
    "solo",
    "tournament",
    "variant",
    "sweep",
    "resume",
    "rerun",
    "replay",
    "games",
    "solve",
    "strategies",
    "strategies list",
    "strategies show",
    "strategies fields",
    "sheets",
    "sheets list",
    "sheets show",
    "sheets check",
    "sheets generate",
    "sheets rate",
    "sheets print",
    "rules list",
    "rules show",
    "rules diff",
    "rules init",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_help(cli: Cli, command: str) -> None:
    code, out, err = cli(f"{command} --help")
    assert (code, err) == (0, "")
    assert out.startswith("Usage: kok-sim")


@pytest.mark.parametrize("command", COMMANDS)
def test_everything_is_explained(cli: Cli, command: str) -> None:
    """Every command says what it does, and every argument, option and command below it has a text beside it."""
    about, *lists = re.split(r"\n(?:Arguments|Options|Commands):\n", cli(f"{command} -h").out)
    assert len(about.splitlines()) > 2
    assert lists
    for line in "\n".join(lists).splitlines():
        assert re.match(r"  \S.*?  +\S|   +\S|$", line), line


@pytest.mark.parametrize("command", COMMANDS)
def test_help_speaks_of_options_that_there_are(cli: Cli, command: str) -> None:
    out = cli(f"{command} -h").out
    own = set(re.findall(r"^  (?:-\w, )?(--[a-z][a-z-]*)", out, re.MULTILINE))
    others = {"": {"--game"}, "resume": {"--run"}, "rerun": {"--out"}, "games": {"--game"}}.get(command, set())
    assert set(re.findall(r"--[a-z][a-z-]*", out)) - own == others
    assert "--help" in own


def test_what_a_command_does_fits_in_a_line(cli: Cli) -> None:
    assert "..." not in cli("-h").out.split("Commands:")[1]


@pytest.mark.parametrize(
    "command", ["compare", "solo", "tournament", "variant", "sweep", "sheets rate", "resume", "rerun", "replay"]
)
def test_the_example_of_the_help_works(cli: Cli, command: str) -> None:
    kept = {"resume": "--run night", "rerun": "--out report"}.get(command, "")
    assert cli(f"compare greedy cautious -n 20 -q {kept}").code == 0
    example = re.search(r"Example: kok-sim (.*)", cli(f"{command} -h").out)
    assert example is not None
    code, out, err = cli(re.sub(r"-n \w+", "-n 20", example[1]))
    assert code == 0
    assert "greedy" in out or "cautious" in out or out.startswith("identical")
    assert "error" not in err


def test_without_a_command_it_says_what_there_is(cli: Cli) -> None:
    assert cli("").out == cli("--help").out


def test_version(cli: Cli) -> None:
    assert cli("--version") == (0, f"kok-sim {kok_sim.__version__}\n", "")


@pytest.mark.parametrize("command", ["compare greedy cautious", "solo greedy"])
def test_the_same_run_prints_the_same(cli: Cli, command: str) -> None:
    first, second = (json.loads(cli(f"{command} -n 200 --format json --threads {n} -q").out) for n in (1, 2))
    assert first["run"] != second["run"]
    del first["run"], second["run"]
    assert first == second


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_forms(cli: Cli, form: str) -> None:
    code, out, err = cli(f"compare greedy random -n 100 --format {form} -q")
    assert (code, err) == (0, "")
    assert "greedy" in out
    assert "random" in out


def test_a_strategy_may_sit_there_twice_with_another_board(cli: Cli) -> None:
    code, out, _ = cli("compare greedy greedy -n 100 --board black,red --format json -q")
    assert code == 0
    assert "red" in out


def test_out_games_and_records(cli: Cli) -> None:
    line = "compare greedy cautious -n 100 --seed 5 --out out/here --games --records r.jsonl --records-max 7"
    code, _, err = cli(line)
    assert code == 0
    assert "written to out/here: games.parquet, results.csv" in err
    assert {"summary.json", "results.csv", "games.parquet"} <= {p.name for p in Path("out/here").iterdir()}
    records = list(read_records(Path("r.jsonl")))
    assert [record["index"] for record in records] == list(range(7))
    for index in (0, 1, 6):
        again = cli(f"replay greedy cautious --seed 5 --index {index} --json").out
        assert json.loads(again) == records[index]
        assert again.count("\n") == 1


def test_fewer_games_than_records(cli: Cli) -> None:
    assert cli("solo greedy tidy -n 3 --records r.jsonl -q").code == 0
    records = list(read_records(Path("r.jsonl")))
    names = [record["players"][0]["strategy"] for record in records]
    assert [record["index"] for record in records] == [0, 0, 1, 1, 2, 2]
    assert names == ["greedy", "tidy"] * 3
    assert json.loads(cli("replay tidy --solo --index 2 --json").out) == records[5]


def test_a_folder_that_is_used_again_holds_one_report(cli: Cli) -> None:
    assert cli("solo greedy tidy -n 50 --out out --games -q").code == 0
    Path("out/notes.txt").write_text("mine")
    assert cli("compare greedy tidy -n 50 --out out -q").code == 0
    listed = json.loads(Path("out/summary.json").read_text(encoding="utf-8"))["run"]["files"]
    assert {path.name for path in Path("out").iterdir()} == {*listed, "notes.txt"}
    assert not {"games.parquet", "ratings.png"} & set(listed)


@pytest.mark.parametrize("command", ["compare greedy tidy", "solo greedy tidy"])
def test_control_c_in_a_run_leaves_records_of_what_was_played(
    cli: Cli, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(done: int, _total: int) -> None:
        if done == 10:
            raise KeyboardInterrupt

    monkeypatch.setattr(progress, "progress_bar", lambda *_, **__: contextlib.nullcontext(press))
    code, out, _ = cli(f"{command} -n 400 --chunk 5 --records r.jsonl --format json")
    assert code == 130
    results = json.loads(out)["results"]
    assert (results["interrupted"], results["blocks"]) == (True, 10)
    assert len(list(read_records(Path("r.jsonl")))) == 20


def test_control_c_while_records_are_written_comes_after_the_result(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Table, "record", press)
    code, out, _ = cli("compare greedy tidy -n 10 --records r.jsonl --out out --format json -q")
    assert code == 130
    assert json.loads(out)["results"]["games"] == 10
    assert Path("out/summary.json").exists()
    assert not Path("r.jsonl").exists()


def test_replay_tells_the_game(cli: Cli) -> None:
    record = json.loads(cli("replay greedy save-jokers --index 3 --json").out)
    code, out, err = cli("replay greedy save-jokers --index 3")
    assert (code, err) == (0, "")
    assert "player 1 (save-jokers)" in out
    assert f"roll {len(record['rolls'])}, " in out
    assert f"roll {len(record['rolls']) + 1}, " not in out
    for final in record["final"]:
        assert f"total {final['total']}\n" in out
    crossed = sum(len(move.get("cells", ())) for roll in record["rolls"] for move in roll["moves"])
    assert sum(out.count(f"{letter}x ") for letter in "gybpo") == crossed


def test_replay_of_a_solo_game(cli: Cli) -> None:
    code, out, _ = cli("replay greedy --solo --index 3")
    assert code == 0
    assert "roll 30, player 1 (greedy) rolls:" in out
    assert "won" not in out


def test_strategies_list(cli: Cli) -> None:
    assert [line.split()[0] for line in cli("strategies list").out.splitlines()] == strategy_names()


def test_strategies_show(cli: Cli) -> None:
    out = cli("strategies show greedy:jokers=0.5,per_roll.jokers=0.25").out
    assert out.startswith("greedy:jokers=0.5,per_roll.jokers=0.25\n")
    assert "jokers  0.5 +0.25 per roll  cost  joker dice taken" in out
    Path("my.py").write_text(
        "from strategies import strategy\n@strategy\ndef f(v, m, a=2):\n    'Idea.'\n    return a\n"
    )
    assert cli("strategies show my.py").out == "my.py:f\nIdea.\n\nparameters\n  a  2\n"


def test_strategies_fields(cli: Cli) -> None:
    out = cli("strategies fields").out
    assert all(f"  {name} " in out for name in FEATURE_NAMES)
    assert all(f"  view.{name}" in out for name, _, _ in VIEW_FIELDS)
    assert all(f"  move.{name}" in out for name, _, _ in MOVE_FIELDS)


def test_sheets_list(cli: Cli) -> None:
    assert cli("sheets list").out.split() == sheet_names()


@pytest.mark.parametrize("name", sheet_names())
def test_sheets_show_every_cell(cli: Cli, name: str) -> None:
    lines = cli(f"sheets show {name}").out.splitlines()
    assert lines[0].split() == list("ABCDEFGHIJKLMNO")
    for row, letters in enumerate(load_sheet(name).lines):
        cells = [letter.lower() + "*" * letter.isupper() for letter in letters]
        assert lines[row + 1].split() == [str(row + 1), *cells]
    assert lines[8].split() == [*"533322212223335", "first"]
    assert lines[9].split() == [*"322211101112223", "later"]


def test_sheets_check(cli: Cli) -> None:
    lines = load_sheet("black").lines
    Path("my.txt").write_text("\n".join(lines).replace("G", "g", 1))
    code, out, err = cli("sheets check my.txt")
    assert (code, err) == (0, "")
    assert out.startswith("departure: ")
    assert out.endswith("my.txt can be played, but departs from the official pattern\n")
    assert "note: " in cli("sheets show my.txt").out
    assert cli("sheets check red") == (0, "red can be played\n", "")
    Path("my.txt").write_text("\n".join((*lines[:6], "q" * 15)))
    code, out, err = cli("sheets check my.txt")
    assert code == 2
    assert out.startswith("error: A7: 'q' is not a color")
    assert err == "error: my.txt cannot be played: 15 errors\n"
