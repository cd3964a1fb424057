"""Tournaments, stopping rules and independent dice at the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from simulator.keer_op_keer.referee import verify
from simulator.records import read_records
from tests.cli.conftest import Cli

PARTS = ["colors", "columns", "jokers", "stars", "passes"]
PLOTS = {"ranking", "matrix", "scores"}


def document(cli: Cli, line: str) -> dict[str, Any]:
    """What a command prints with ``--format json``."""
    code, out, err = cli(f"{line} --format json -q")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


class TestTournament:
    @pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
    def test_forms(self, cli: Cli, form: str) -> None:
        code, out, err = cli(f"tournament greedy random tidy -n 100 --format {form} -q")
        assert (code, err) == (0, "")
        assert all(name in out for name in ("greedy", "random", "tidy"))
        assert {
            "table": "100 games at each of 3 tables of 2 in 50 blocks",
            "json": '"standings": {',
            "csv": "random minus greedy,elo,",
            "markdown": "| greedy",
        }[form] in out

    def test_every_pair_plays(self, cli: Cli) -> None:
        found = document(cli, "tournament greedy random tidy blocker -n 100")
        assert (found["experiment"]["table"], found["experiment"]["focus"]) == (2, False)
        assert (found["results"]["games"], found["results"]["blocks"]) == (100, 50)
        labels = ["greedy", "random", "tidy", "blocker"]
        met = {(entry["of"], entry["with"]) for entry in found["results"]["met"]}
        assert met == {(a, b) for a in labels for b in labels if a != b}
        assert sorted(found["results"]["standings"]["order"]) == sorted(labels)
        assert found["results"]["standings"]["order"][-1] == "random"

    def test_larger_tables(self, cli: Cli) -> None:
        found = document(cli, "tournament greedy random tidy blocker --table 3 -n 100")
        assert found["experiment"]["table"] == 3
        assert found["results"]["games"] == 102  # whole blocks

    def test_all_at_one_table_win_what_they_win_in_a_comparison(self, cli: Cli) -> None:
        names = "greedy random tidy"
        one, other = document(cli, f"tournament {names} --table 3 -n 300"), document(cli, f"compare {names} -n 300")
        for mine, theirs in zip(one["results"]["strategies"], other["results"]["strategies"], strict=True):
            assert mine["win_share"] == theirs["win_share"]
            assert mine["mean_score"] == theirs["mean_score"]

    def test_focus(self, cli: Cli) -> None:
        found = document(
            cli, "tournament greedy random tidy:jokers=3 --focus tidy:jokers=3 -n 100 --board red,black,blue"
        )
        assert found["experiment"]["focus"] is True
        assert [entry["label"] for entry in found["experiment"]["strategies"]] == ["tidy:jokers=3", "greedy", "random"]
        assert [sheet["name"] for sheet in found["experiment"]["sheets"]] == ["blue", "red", "black"]
        met = {(entry["of"], entry["with"]) for entry in found["results"]["met"]}
        assert all("tidy:jokers=3" in pair for pair in met)
        assert len(met) == 4

    def test_threads_never_change_it(self, cli: Cli) -> None:
        line = "tournament greedy random tidy --table 2 -n 400"
        found = [document(cli, f"{line} --threads {n} --chunk {c}") for n, c in ((1, 200), (3, 7))]
        assert found[0]["results"] == found[1]["results"]

    def test_out_has_the_plots_of_a_tournament(self, cli: Cli) -> None:
        line = "tournament greedy random tidy -n 60 --out out --games --records r.jsonl --records-max 8 -q"
        assert cli(line).code == 0
        names = {"summary.json", "results.csv", "games.parquet"}
        names |= {f"{plot}.{kind}" for plot in PLOTS for kind in ("png", "svg")}
        assert {path.name for path in Path("out").iterdir()} == names
        assert set(json.loads(Path("out/summary.json").read_text(encoding="utf-8"))["run"]["files"]) == names

    def test_games_have_a_row_for_every_table_and_seat(self, cli: Cli) -> None:
        assert cli("tournament greedy random tidy blocker --table 3 -n 60 --out out --games -q").code == 0
        rows = pd.read_parquet("out/games.parquet")
        assert list(rows.columns) == (
            ["game", "block", "table", "seat", "strategy", "sheet", "score", *PARTS, "share", "rolls", "stopped"]
        )
        assert len(rows) == 20 * 4 * 3 * 3  # blocks, tables, rotations, seats
        assert (rows[PARTS].sum(axis=1) == rows.score).all()
        assert rows.seat.tolist() == [0, 1, 2] * 240
        assert rows.table.tolist() == [table for table in range(4) for _ in range(9)] * 20
        assert (rows.groupby("table").strategy.nunique() == 3).all()
        played = rows.groupby("strategy", observed=True).size()
        assert set(played) == {20 * 3 * 3}  # each sits at three of the four tables
        results = json.loads(Path("out/summary.json").read_text(encoding="utf-8"))["results"]
        for strategy in results["strategies"]:
            mine = rows[rows.strategy == strategy["label"]]
            assert mine.score.mean() == pytest.approx(strategy["mean_score"]["value"])
            assert mine.share.mean() == pytest.approx(strategy["outright"] + 0.5 * strategy["shared"], abs=0.02)


GAMES = {
    "tournament": "tournament greedy random tidy -n 40",
    "table of three": "tournament greedy random tidy blocker --table 3 -n 30 --seed 5",
    "focus": "tournament greedy random tidy --focus tidy -n 40 --board red,black,blue",
    "independent": "compare greedy random tidy -n 60 --independent",
    "independent tournament": "tournament greedy random tidy -n 40 --independent --seed 9",
    "independent solo": "solo greedy random -n 30 --independent",
}


def compare(record: dict[str, Any], game: pd.DataFrame) -> None:
    """A record and the rows of ``games.parquet`` are of the same game."""
    assert record["index"] == game.game.iloc[0]
    assert [player["strategy"] for player in record["players"]] == game.strategy.tolist()
    assert [player["board"] for player in record["players"]] == game.sheet.tolist()
    assert [final["total"] for final in record["final"]] == game.score.tolist()
    assert [final["columns"] for final in record["final"]] == game["columns"].tolist()
    assert len(record["rolls"]) == game.rolls.iloc[0]
    assert [seat in record["winners"] for seat in range(len(game))] == (game.share > 0).tolist()


@pytest.mark.usefixtures("no_plots")
class TestGames:
    """Every row and every record is a game that can be looked at again."""

    @pytest.mark.parametrize("name", GAMES)
    def test_records_are_the_first_games_and_any_game_can_be_replayed(self, cli: Cli, name: str) -> None:
        assert cli(f"{GAMES[name]} --records r.jsonl --records-max 20 --out out --games -q").code == 0
        records = list(read_records(Path("r.jsonl")))
        assert len(records) == 20
        rows = pd.read_parquet("out/games.parquet")
        seats = len(records[0]["players"])
        games = [rows.iloc[first : first + seats] for first in range(0, len(rows), seats)]
        for record, game in zip(records, games, strict=False):
            verify(record)
            compare(record, game)
        experiment = json.loads(Path("out/summary.json").read_text(encoding="utf-8"))["experiment"]
        order = [entry["label"] for entry in experiment["strategies"]]
        sheets = dict(zip(order, (sheet["name"] for sheet in experiment["sheets"]), strict=True))
        for number in (0, 5, len(games) // 2, len(games) - 2, len(games) - 1):
            table = sorted(games[number].strategy, key=order.index)
            board = ",".join(sheets[label] for label in table)
            line = f"replay {' '.join(table)} --index {games[number].game.iloc[0]} --seed {experiment['seed']}"
            code, out, err = cli(f"{line} --board {board} --json {'--solo' if seats == 1 else ''}")
            assert (code, err) == (0, "")
            compare(json.loads(out), games[number])

    @pytest.mark.parametrize("kind", ["compare greedy random", "solo greedy", "tournament greedy random tidy"])
    def test_independent_games_have_dice_of_their_own(self, cli: Cli, kind: str) -> None:
        dice = {}
        for option in ("", "--independent"):
            assert cli(f"{kind} -n 6 {option} --records r.jsonl -q").code == 0
            records = list(read_records(Path("r.jsonl")))
            first = [json.dumps(record["rolls"][0]["dice"]) for record in records]
            dice[option] = (len(first), len(set(first)))
        games, deals = dice[""]
        blocks = 6 if "solo" in kind else 3
        assert deals == blocks
        assert dice["--independent"] == (games, games)


class TestStoppingRules:
    @pytest.mark.parametrize(
        ("line", "width"),
        [
            ("compare greedy tidy --until 3%", 0.03),
            ("solo greedy tidy --until 0.5", 0.5),
            ("tournament greedy tidy random --until 4%", 0.04),
        ],
    )
    def test_until(self, cli: Cli, line: str, width: float) -> None:
        found = document(cli, line)
        stop = found["results"]["stop"]
        assert found["experiment"]["stop"] == {"rule": "until", "half_width": width}
        assert stop["decision"] == "reached"
        assert 0.5 * width < stop["half_width"] <= width
        assert found["results"]["blocks"] % 256 == 0
        assert found["results"]["interrupted"] is False
        assert any("were reached" in note for note in found["results"]["notes"])
        for strategy in found["results"]["strategies"] if line.startswith("compare") else ():
            assert (strategy["win_share"]["high"] - strategy["win_share"]["low"]) / 2 <= width

    @pytest.mark.parametrize("option", ["--until 0.1%", "--sprt 8.9%:9%"])
    def test_the_number_of_games_is_a_limit(self, cli: Cli, option: str) -> None:
        found = document(cli, f"compare greedy cautious -n 700 {option}")
        assert (found["results"]["games"], found["results"]["stop"]["decision"]) == (700, None)
        assert found["results"]["interrupted"] is False

    def test_without_a_number_they_may_play_long(self, cli: Cli) -> None:
        assert document(cli, "compare greedy cautious --until 5%")["experiment"]["games"] == 10**8
        assert document(cli, "compare greedy cautious --sprt 20%:60%")["experiment"]["games"] == 10**8

    @pytest.mark.parametrize(
        ("line", "decision"),
        [("compare cautious greedy --sprt 50%:60%", "high"), ("compare greedy cautious --sprt 50:60%", "low")],
    )
    def test_sprt(self, cli: Cli, line: str, decision: str) -> None:
        found = document(cli, line)
        assert found["experiment"]["stop"]["rule"] == "sprt"
        assert (found["experiment"]["stop"]["low"], found["experiment"]["stop"]["high"]) == (0.5, 0.6)
        assert found["results"]["stop"]["decision"] == decision
        assert any("The sequential test takes the win share of" in note for note in found["results"]["notes"])

    @pytest.mark.parametrize("text", ["0.2%", "0.2 %", " .2%", "2e-1%", "0.20%"])
    def test_a_width_may_be_written_in_many_ways(self, cli: Cli, text: str) -> None:
        code, out, _ = cli(["compare", "greedy", "random", "-n", "20", "--until", text, "--format", "json", "-q"])
        assert code == 0
        assert json.loads(out)["experiment"]["stop"]["half_width"] == 0.002
