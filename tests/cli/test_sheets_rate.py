"""``kok-sim sheets rate``: sheets, strategies and rules, and what can be wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kok_sim.interface import rate_sheets
from simulator.keer_op_keer.sheet import load_sheet, sheet_names
from tests.cli.conftest import Cli
from tests.cli.test_experiments import document
from tests.cli.test_variant import quick_plots  # noqa: F401 - a fixture

LINE = "sheets rate black red -n 20"


def test_sheets_are_those_of_solo_games_and_comparisons(cli: Cli) -> None:
    Path("my.txt").write_text("\n".join(load_sheet("blue").lines))
    found = document(
        cli, "sheets rate black red my.txt --strategy greedy --strategy tidy --strategy random -n 20 --seed 5"
    )
    assert found["format"] == "kok-sim/sheets"
    assert [entry["setting"] for entry in found["results"]["settings"]] == [
        {"sheet": "black"},
        {"sheet": "red"},
        {"sheet": "my.txt"},
    ]
    for entry in found["results"]["settings"]:
        measures = entry["measures"]
        board = f"--board {entry['setting']['sheet']} -n 20 --seed 5"
        alone = document(cli, f"solo greedy tidy random {board}")["results"]["strategies"]
        for strategy in alone:
            assert measures[f"solo score {strategy['label']}"]["value"] == strategy["mean_score"]["value"]
        mean = sum(strategy["mean_score"]["value"] for strategy in alone) / 3
        assert measures["solo mean_score"]["value"] == pytest.approx(mean)
        table = document(cli, f"compare greedy tidy random {board}")["results"]
        assert measures["table rolls"]["value"] == table["game"]["rolls"]["value"]
        mean = sum(strategy["mean_score"]["value"] for strategy in table["strategies"]) / 3
        assert measures["table mean_score"]["value"] == pytest.approx(mean)


def test_the_duel_plays_on_all_sheets_if_nothing_is_said(cli: Cli) -> None:
    found = document(cli, "sheets rate -n 4")
    assert [entry["setting"]["sheet"] for entry in found["results"]["settings"]] == sheet_names()
    assert [entry["label"] for entry in found["experiment"]["plans"][0][0]["strategies"]] == ["cautious", "greedy"]


def test_the_order_of_the_table_is_that_of_the_scores(cli: Cli) -> None:
    line = "sheets rate black red blue --strategy tidy -n 50"
    rows = [row.split("|") for row in cli(f"{line} --format markdown -q").out.splitlines() if row.startswith("| ")]
    found = document(cli, line)["results"]["settings"]
    means = {entry["setting"]["sheet"]: entry["measures"]["solo mean_score"]["value"] for entry in found}
    assert [row[1].strip() for row in rows[2:]] == sorted(means, key=means.__getitem__)


def test_one_sheet_and_one_strategy(cli: Cli) -> None:
    code, out, err = cli("sheets rate red --strategy greedy -n 20 -q")
    assert (code, err) == (0, "")
    assert "\nThe mean solo score on red is " in out
    assert "table" not in out


def test_house_rules_hold_on_all_sheets(cli: Cli) -> None:
    found = document(cli, f"{LINE} --rules no-jokers --rule solo_rolls=7")
    for plans in found["experiment"]["plans"]:
        assert [plan["rules"]["solo_rolls"] for plan in plans] == [7, 7]
        assert all(plan["rules"]["jokers"] == 0 for plan in plans)


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_forms(cli: Cli, form: str) -> None:
    code, out, err = cli(f"{LINE} --format {form} -q")
    assert (code, err) == (0, "")
    assert {
        "table": "20 solo games of each strategy on each of 2 sheets · 20 games at a table",
        "json": '"format": "kok-sim/sheets"',
        "csv": "red minus black,solo mean_score,",
        "markdown": "| black |",
    }[form] in out


@pytest.mark.usefixtures("quick_plots")
def test_out(cli: Cli) -> None:
    code, _, err = cli(f"{LINE} --out here")
    names = ["results.csv", "sheets.png", "sheets.svg", "summary.json"]
    assert code == 0
    assert err.endswith(f"written to here: {', '.join(names)}\n")
    assert json.loads(Path("here/summary.json").read_text(encoding="utf-8"))["run"]["files"] == names


def test_the_interface_says_the_same(cli: Cli) -> None:
    found = rate_sheets("black", "red", games=20, threads=1)
    assert found.to_dict()["results"] == document(cli, LINE)["results"]
    assert found.plots == ["sheets"]
    one, other = (document(cli, f"{LINE} --threads {n}") for n in (1, 3))
    assert one["results"] == other["results"]


def test_a_name_with_a_comma_is_one_sheet(cli: Cli) -> None:
    """Boards of a comparison are named with commas; these are not."""
    Path("a,b.txt").write_text("\n".join(load_sheet("blue").lines))
    found = document(cli, "sheets rate a,b.txt blue -n 20")
    one, other = (entry["measures"] for entry in found["results"]["settings"])
    assert {k: v["value"] for k, v in one.items()} == {k: v["value"] for k, v in other.items()}


ERRORS = [
    ("black,red", "unknown sheet 'black,red'; did you mean 'black'?"),
    ("black black", "a sheet is named twice; name each once"),
    ("blak", "unknown sheet 'blak'; did you mean 'black'?"),
    ("black none.txt", "cannot read sheet 'none.txt': No such file or directory"),
    ("black red --game qwixx", "Qwixx has only one sheet; there is nothing to choose"),
    ("--game qwixx", "Qwixx has only one sheet; there is nothing to choose"),
    ("black -n 0", "-n must be a whole number of games from 1 to 1e12, such as 1000, 250k or 1e6; got '0'"),
    ("black --strategy gredy", "unknown strategy 'gredy'; did you mean 'greedy'?"),
    ("black --rules offical", "unknown house rules 'offical'; did you mean 'official'?"),
    ("black --rule jokers=1:2", "jokers must be a whole number; got '1:2'"),
    ("black --threads 0", "the number of threads must be from 1 to 1024; got 0"),
    ("black --format tabel", "unknown format 'tabel'; did you mean 'table'?"),
    ("black --out a.file/b", "cannot write to 'a.file/b': 'a.file' is not a folder"),
    (f"black {'--strategy greedy ' * 7}", "a shared table seats 2 to 6 strategies; got 7"),
]


@pytest.mark.parametrize(("options", "message"), ERRORS)
def test_what_is_wrong_is_told_in_one_line(cli: Cli, options: str, message: str) -> None:
    Path("a.file").write_text("text")
    assert cli(f"sheets rate {options}") == (2, "", f"error: {message}\n")
