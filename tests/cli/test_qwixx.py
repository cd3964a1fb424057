"""The same doors for the second game: every command, option and form, and the solver."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import kok_sim
from simulator.errors import KokSimError
from simulator.games import find_game, game_names
from simulator.qwixx import solver
from simulator.qwixx.features import FEATURES, MOVE_FIELDS, VIEW_FIELDS
from simulator.qwixx.referee import verify
from simulator.qwixx.rules import Rules
from simulator.records import read_records
from simulator.strategy import Weights
from strategies import registry, strategy_names
from tests.cli.conftest import Cli
from tests.cli.test_again import Keys, keys, one_line, played, results, summary, write  # noqa: F401 - keys is a fixture
from tests.processes import start

EXPERIMENTS = {
    "compare": "compare fewest-skips avoid-penalty -n 300",
    "three": "compare fewest-skips avoid-penalty my.toml:gap=2 -n 300 --seed 7",
    "solo": "solo fewest-skips avoid-penalty -n 100",
    "tournament": "tournament fewest-skips avoid-penalty random -n 100",
    "focus": "tournament fewest-skips avoid-penalty random my.toml --table 3 --focus random -n 120",
    "until": "compare random avoid-penalty -n 1e6 --until 2%",
    "solo until": "solo random -n 1e6 --until 0.5",
    "sprt": "compare fewest-skips avoid-penalty -n 1e6 --sprt 50%:60%",
    "independent": "compare fewest-skips avoid-penalty -n 300 --independent",
    "function": "compare fewest-skips my.py -n 300",
    "house rules": "compare fewest-skips random -n 300 --rule penalty_points=3 --rule white_first=false",
}
PY = """
from strategies import strategy

@strategy
def f(view, move, bonus=0.3):
    "Few gaps."
    return 2 * move.crossing - move.gap + bonus * move.lock
"""
FUNCTIONS = """
from strategies import strategy

@strategy
def slow(view, move):
    return getattr(move, ''.join(['poi', 'nts'])) - 0.5 * move.gap

@strategy
def plain(view, move):
    return move.points - 0.5 * move.gap

@strategy
def misspelt(view, move):
    return move.pionts

@strategy
def other(view, move):
    return move.cells

@strategy
def nan(view, move):
    return float("nan")

@strategy
def text(view, move):
    return "many"

@strategy
def late(view, move):
    return 1 / (view.roll - 3) if view.roll == 3 else move.crossing
"""
PARTS = ["red", "yellow", "green", "blue", "penalties"]
SHORT = ["--rule", "rows_to_end=1", "--rule", "penalties_to_end=1"]


@pytest.fixture(autouse=True)
def mine(cli: Cli) -> None:
    """Strategies of the user."""
    Path("my.toml").write_text('idea = "few gaps"\n[weights]\ncrossing = 2\ngap = 1\n[per_roll]\nlock = 0.1\n')
    Path("my.py").write_text(PY)
    Path("functions.py").write_text(FUNCTIONS)


def qwixx(name: str) -> str:
    return f"{EXPERIMENTS[name]} --game qwixx"


class TestExperiments:
    @pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
    @pytest.mark.parametrize("name", ["compare", "solo", "focus"])
    def test_forms(self, cli: Cli, name: str, form: str) -> None:
        code, out, err = cli(f"{qwixx(name)} --format {form} -q")
        assert (code, err) == (0, "")
        assert "fewest-skips" in out
        assert "penalties" in out or name == "focus"
        assert "sheet" not in out or form == "json"
        assert "rating" not in out or name == "focus"
        assert form in ("json", "csv") or "Qwixx · official rules" in out

    @pytest.mark.parametrize("name", EXPERIMENTS)
    @pytest.mark.usefixtures("no_plots")
    def test_threads_never_change_it_and_it_can_be_repeated(self, cli: Cli, name: str) -> None:
        one = played(cli, f"{qwixx(name)} --threads 1", "one.json")
        two = played(cli, f"{qwixx(name)} --threads 2 --chunk 7", "two.json")
        assert one["results"] == two["results"]
        assert one["experiment"] == two["experiment"]
        assert one["experiment"]["game"] == "qwixx"
        code, out, err = cli("rerun one.json --game qwixx")
        assert (code, err) == (0, "")
        assert out.startswith("identical: all ")

    @pytest.mark.parametrize("name", EXPERIMENTS)
    @pytest.mark.usefixtures("no_plots")
    def test_after_control_c(self, cli: Cli, keys: Keys, name: str) -> None:  # noqa: F811
        line = f"{qwixx(name)} --format json -q"
        whole = cli(line)
        keys.at = 10
        first = cli(f"{line} --run night --chunk 5")
        assert (first.code, results(first)["blocks"], results(first)["interrupted"]) == (130, 10, True)
        keys.at = None
        last = cli("resume night --game qwixx --format json -q --threads 2")
        assert (last.code, last.err) == (0, "")
        assert results(last) == results(whole)
        again = cli(f"{line} --run night")
        assert (again.code, results(again)) == (0, results(whole))

    @pytest.mark.parametrize("name", ["compare", "solo", "focus"])
    def test_out_games_and_records(self, cli: Cli, keys: Keys, name: str) -> None:  # noqa: F811
        line = f"{qwixx(name)} --games"
        assert cli(f"{line} --out whole --records r.jsonl --records-max 9 -q").code == 0
        plots = {"compare": ["margins", "scores", "win-shares"], "solo": ["margins", "scores"]}
        plots["focus"] = ["matrix", "ranking", "scores"]
        names = {"summary.json", "results.csv", "games.parquet"}
        names |= {f"{plot}.{kind}" for plot in plots[name] for kind in ("png", "svg")}
        assert {path.name for path in Path("whole").iterdir()} == names
        keys.at = 10
        assert cli(f"{line} --run night --chunk 5 -q --out part").code == 130
        keys.at = None
        assert cli("resume night --out part -q").code == 0
        assert Path("part/games.parquet").read_bytes() == Path("whole/games.parquet").read_bytes()
        assert summary("part")["results"] == summary("whole")["results"]

        rows = pd.read_parquet("whole/games.parquet")
        assert [column for column in rows.columns if column in PARTS] == PARTS
        assert (rows[PARTS].sum(axis=1) == rows.score).all()
        assert "sheet" not in rows.columns or rows.sheet.isna().all()
        assert not rows.stopped.any()
        records = list(read_records(Path("r.jsonl")))
        assert len(records) == 9
        seats = len(records[0]["players"])
        for number, record in enumerate(records):
            verify(record)
            assert record["game"] == "qwixx"
            scores = rows.score[seats * number : seats * (number + 1)].tolist()
            assert [final["total"] for final in record["final"]] == scores

    def test_a_record_is_what_replay_tells(self, cli: Cli) -> None:
        line = "compare fewest-skips my.py --game qwixx -n 20 --seed 5 --rule penalty_points=4"
        assert cli(f"{line} --records r.jsonl -q").code == 0
        records = list(read_records(Path("r.jsonl")))
        for index in (0, 7, 19):
            line = f"replay fewest-skips my.py --game qwixx --seed 5 --rule penalty_points=4 --index {index}"
            code, out, err = cli(f"{line} --json")
            assert (code, err) == (0, "")
            assert json.loads(out) == records[index]
            verify(json.loads(out))
            told = cli(f"{line} --draw 5").out
            for final in records[index]["final"]:
                assert f"total {final['total']}\n" in told
            assert f"roll {len(records[index]['rolls'])}, " in told
            assert "won after" in told
            assert "board" not in told

    def test_replay_of_a_solo_game(self, cli: Cli) -> None:
        code, out, err = cli("replay my.toml --game qwixx --solo --index 3")
        assert (code, err) == (0, "")
        assert "player 1 (my.toml) crosses" in out
        assert "won" not in out

    def test_rules_are_told_and_recorded_as_they_are_typed(self, cli: Cli) -> None:
        points = "1,3,6,10,15,21,28,36,45,55,66,80"
        line = f"solo random --game qwixx -n 20 --rule row_points={points} --rule end_at_once=false -q"
        assert f"rules row_points={points}, end_at_once=false ·" in cli(line).out
        rules = json.loads(cli(f"{line} --format json").out)["experiment"]["rules"]
        assert rules == {"row_points": [int(value) for value in points.split(",")], "end_at_once": False}

    def test_as_many_as_may_sit_there(self, cli: Cli) -> None:
        found = played(cli, "compare random random random random random --game qwixx -n 25")
        assert found["results"]["games"] == 25
        line = "tournament random fewest-skips avoid-penalty my.toml my.py --table 5 --game qwixx -n 25"
        assert played(cli, line)["results"]["games"] == 25

    def test_a_cluster_plays_the_same(self, cli: Cli) -> None:
        pytest.importorskip("distributed")
        line = "compare fewest-skips my.py --game qwixx -n 100 --rule penalties_to_end=3"
        assert played(cli, f"{line} --cluster local:2")["results"] == played(cli, line)["results"]


class TestStrategies:
    def test_a_function_that_does_not_compile_plays_the_same(self, cli: Cli) -> None:
        line = "compare functions.py:{} random --game qwixx -n 20 --seed 2"
        code, out, err = cli(f"{line.format('slow')} --format json --records r.jsonl")
        assert code == 0
        assert "note: functions.py:slow does not compile (" in err
        slow, fast = json.loads(out)["results"], played(cli, line.format("plain"))["results"]
        for measure in ("win_share", "mean_score", "parts"):
            assert slow["strategies"][0][measure] == fast["strategies"][0][measure]
        for record in read_records(Path("r.jsonl")):
            verify(record)

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("misspelt", "failed for 'pass' in roll 1: AttributeError: 'record' object has no attribute 'pionts'"),
            ("other", "failed for 'pass' in roll 1: AttributeError: 'record' object has no attribute 'cells'"),
            ("nan", "gave NaN for 'pass' in roll 1; it must give a finite number"),
            ("text", "gave 'many' for 'pass' in roll 1; it must give a finite number"),
            ("late", "in roll 3: "),
        ],
    )
    def test_a_function_that_fails(self, cli: Cli, name: str, message: str) -> None:
        before = sorted(Path().rglob("*"))
        line = f"compare functions.py:{name} random --game qwixx -n 40 --out out --games --run night --records r.jsonl"
        told = one_line(cli(f"{line} -q"))
        assert told.startswith(f"error: strategy 'functions.py:{name}' ")
        assert message in told
        assert sorted(Path().rglob("*")) == before

    def test_list_show_and_fields(self, cli: Cli) -> None:
        names = [line.split()[0] for line in cli("strategies list --game qwixx").out.splitlines()]
        assert names == strategy_names("qwixx")
        out = cli("strategies show my.toml:gap=2 --game qwixx").out
        assert out.startswith("my.toml:gap=2\nfew gaps\n")
        assert "lock      0 +0.1 per roll  gain  1 if it locks the row" in out
        assert "max    2" in cli("strategies show fewest-skips:max=2 --game qwixx").out
        assert "kok-sim solve" in cli("strategies show optimal --game qwixx").out
        out = cli("strategies fields --game qwixx").out
        assert all(f"  {feature.name} " in out for feature in FEATURES)
        assert all(f"  view.{name}" in out for name, _, _ in VIEW_FIELDS)
        assert all(f"  move.{name}" in out for name, _, _ in MOVE_FIELDS)

    @pytest.mark.parametrize("game", game_names())
    def test_games(self, cli: Cli, game: str) -> None:
        code, out, err = cli("games")
        assert (code, err) == (0, "")
        (part,) = [part for part in out.split("\nqwixx\n") if find_game(game).about in part]
        assert f"2 to {find_game(game).most_players}" in part
        assert all(name in part for name in strategy_names(game))

    @pytest.fixture
    def installed(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """A package that offers a strategy of this game, and one of a feature that it does not have."""

        class Point(SimpleNamespace):
            def load(self) -> object:
                return Weights("x", "Few gaps.", {"gap": 1, "crossing": 1} if self.name == "few" else {"cells": 1})

        points = [Point(name=name, value=f"pack:{name}", dist=SimpleNamespace(name="pack")) for name in ("few", "bad")]
        monkeypatch.setattr(
            metadata, "entry_points", lambda group: points if group == "kok_sim.strategies.qwixx" else []
        )
        registry.rows.cache_clear()
        yield
        monkeypatch.undo()
        registry.rows.cache_clear()

    @pytest.mark.usefixtures("installed")
    def test_installed_strategies_belong_to_their_game(self, cli: Cli) -> None:
        out = cli("strategies list --game qwixx").out
        assert "few            Few gaps. (from pack)\n" in out
        assert "bad            error: unknown feature in strategy 'bad': 'cells'" in out
        assert cli("compare few:gap=2 random --game qwixx -n 20 -q").code == 0
        assert "unknown feature in strategy 'bad'" in one_line(cli("solo bad --game qwixx -n 20 -q"))
        told = one_line(cli("compare few random -n 20 -q"))
        assert "strategy 'few' plays the game 'qwixx', and this is 'keer-op-keer'" in told


class TestPython:
    def test_results_are_those_of_the_command_line(self, cli: Cli) -> None:
        found = kok_sim.compare("fewest-skips", "my.py", games=100, game="qwixx", rules=Rules(penalty_points=3))
        line = "compare fewest-skips my.py -n 100 --game qwixx --rule penalty_points=3"
        assert json.loads(json.dumps(found.to_dict()["results"])) == played(cli, line)["results"]
        assert found.plots == ["win-shares", "scores", "margins"]
        assert "Qwixx" in repr(found)

    def test_solo_tournament_and_resume(self) -> None:
        alone = kok_sim.solo("fewest-skips", games=50, game="qwixx", folder="night")
        assert alone.plots == ["scores"]
        assert kok_sim.resume("night").to_dict()["results"] == alone.to_dict()["results"]
        with pytest.raises(KokSimError, match="unknown plot 'ratings'"):
            alone.plot_ratings()
        found = kok_sim.tournament("fewest-skips", "random", "my.toml", games=30, game="qwixx", table=3, focus="random")
        assert len(found.win_shares) == 3

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"game": "qwix"}, "unknown game 'qwix'; did you mean 'qwixx'?"),
            ({"game": None}, "a game must be a name, such as 'keer-op-keer'; got NoneType"),
            ({"game": ["qwixx"]}, "a game must be a name, such as 'keer-op-keer'; got list"),
            ({"game": "qwixx", "rules": find_game("keer-op-keer").rules()}, "rules must be those of Qwixx; got Rules("),
            ({"rules": Rules()}, "rules must be those of Keer op Keer; got Rules(white_first=True"),
            ({"game": "qwixx", "rules": {"penalty_points": -3}}, "penalty_points must be from 0 to 99; got -3"),
            ({"game": "qwixx", "board": "black"}, "Qwixx has only one sheet; got the board 'black'"),
        ],
    )
    def test_mistakes(self, settings: dict[str, Any], message: str) -> None:
        with pytest.raises(KokSimError) as caught:
            kok_sim.compare("random", "random", games=10, **settings)
        assert str(caught.value).startswith(message)


class TestFolders:
    @pytest.mark.parametrize(
        ("line", "other"),
        [
            ("compare random random -n 20 --game qwixx", "keer-op-keer"),
            ("compare random random -n 20", "qwixx"),
        ],
    )
    @pytest.mark.usefixtures("no_plots")
    def test_a_run_of_another_game(self, cli: Cli, line: str, other: str) -> None:
        game = "qwixx" if other != "qwixx" else "keer-op-keer"
        assert cli(f"{line} --run night --out out -q").code == 0
        refused = f"error: this is a run of the game '{game}', not of '{other}'\n"
        assert one_line(cli(f"resume night --game {other}")) == refused
        assert one_line(cli(f"rerun out/summary.json --game {other}")) == refused
        told = one_line(cli(f"compare random random -n 20 --game {other} --run night"))
        assert f'\'night\' holds another run: game "{game}", not "{other}"' in told
        assert "unknown game 'qwix'; did you mean 'qwixx'?" in one_line(cli("resume night --game qwix"))
        assert "unknown game 'qwix'" in one_line(cli("rerun out/summary.json --game qwix"))
        assert cli(f"resume night --game {game} -q").code == 0
        assert cli(f"rerun out/summary.json --game {game}").code == 0

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"game": ...}, "the description of the experiment is damaged: game is missing"),
            ({"game": None}, "the description of the experiment is damaged: game is None"),
            ({"game": 3}, "the description of the experiment is damaged: game is 3"),
            ({"game": ["qwixx"]}, "the description of the experiment is damaged: game is ['qwixx']"),
            ({"game": "qwix"}, "unknown game 'qwix'; did you mean 'qwixx'?"),
            ({"game": "keer-op-keer"}, "strategy 'fewest-skips' plays the game 'qwixx', and this is 'keer-op-keer'"),
            ({"sheets": [{"name": "black", "lines": []}] * 2}, "is damaged: Qwixx has only one sheet"),
            ({"sheets": ...}, "the description of the experiment is damaged: sheets is missing"),
            ({"rules": {"penalty_points": "x"}}, "penalty_points must be a whole number; got 'x'"),
            ({"rules": {"star_penalty": 3}}, "unknown rule 'star_penalty'; did you mean 'penalty_points'?"),
            ({"rules": [1]}, "the description of the experiment is damaged: rules is [1]"),
        ],
    )
    def test_a_damaged_description(self, cli: Cli, changes: dict[str, Any], message: str) -> None:
        document = played(cli, "compare fewest-skips random -n 20 --game qwixx")
        for key, value in changes.items():
            if value is ...:
                del document["experiment"][key]
            else:
                document["experiment"][key] = value
        write(document)
        assert message in one_line(cli("rerun changed.json"))
        assert cli("compare fewest-skips random -n 20 --game qwixx --run night -q").code == 0
        run = json.loads(Path("night/run.json").read_text(encoding="utf-8"))
        run["experiment"] = document["experiment"]
        write(run, "night/run.json")
        assert message in one_line(cli("resume night"))

    def test_settings_of_a_solved_strategy_decide(self, cli: Cli) -> None:
        """As those of weights: under whatever name it was played."""
        document = played(cli, "compare fewest-skips random -n 20 --game qwixx")
        document["experiment"]["strategies"][1]["settings"] = {"solved": False}
        write(document)
        assert "its settings must be weights and per_roll, or" in one_line(cli("rerun changed.json"))
        document = played(cli, "compare random random -n 20")
        document["experiment"]["strategies"][1]["settings"] = {"solved": True}
        write(document)
        assert "Keer op Keer has no solver whose values" in one_line(cli("rerun changed.json"))


class TestSolve:
    @pytest.fixture
    def cache(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
        """An empty cache folder."""
        folder = tmp_path / "cache" / "solved"
        monkeypatch.setattr(solver, "cache_folder", lambda: folder)
        solver.KEPT.clear()
        return folder

    def test_optimal_without_a_table_tells_the_command(self, cli: Cli, cache: Path) -> None:
        before = sorted(Path().rglob("*"))
        needs = "error: optimal needs the exact values of the solo game; find them with: kok-sim solve qwixx-solo"
        for line in (
            "solo optimal -n 10 --out out --run night",
            "compare optimal random -n 10",
            "replay optimal --solo",
        ):
            assert one_line(cli(f"{line} --game qwixx")) == f"{needs}\n"
            told = one_line(
                cli(f"{line} --game qwixx --rule end_at_once=false --rule row_points=1,2,3,4,5,6,7,8,9,10,11,12")
            )
            settings = "--rule row_points=1,2,3,4,5,6,7,8,9,10,11,12 --rule end_at_once=false"
            assert told == f"{needs} {settings}\n"
        assert sorted(Path().rglob("*")) == before
        assert not cache.exists()

    def test_broken_off_gone_on_with_played_and_damaged(self, cli: Cli, cache: Path, keys: Keys) -> None:  # noqa: F811
        line = ["solve", "qwixx-solo", *SHORT]
        keys.at = 100_000
        code, out, err = cli(line)
        assert (code, out) == (130, "")
        assert err.endswith("what is solved so far is kept; go on with the same command\n")  # it may compile before
        assert len(list(cache.iterdir())) == 1
        assert cli([*line, "-q", "--threads", "1"]) == (130, "", "")
        assert "optimal needs the exact values" in one_line(cli(["solo", "optimal", "--game", "qwixx", *SHORT]))
        keys.at = None
        code, out, err = cli(line)
        assert (code, err) == (0, "")
        assert out.startswith("Qwixx, solo, rules penalties_to_end=1, rows_to_end=1: ")
        (file,) = cache.iterdir()
        assert str(file) in out
        value = float(out.split(": ")[1].split()[0])
        assert cli(line).out.split("\n")[0] == out.split("\n")[0]  # only told

        command = [
            "solo",
            "optimal",
            "avoid-penalty",
            "--game",
            "qwixx",
            *SHORT,
            "-n",
            "4000",
            "--format",
            "json",
            "-q",
        ]
        answer = cli([*command, "--out", "out", "--records", "r.jsonl"])
        assert answer.code == 0
        optimal, other = results(answer)["strategies"]
        mean = optimal["mean_score"]
        assert abs(mean["value"] - value) < 4 * mean["se"]
        assert other["mean_score"]["value"] < mean["value"]
        for record in read_records(Path("r.jsonl")):
            verify(record)
        assert cli("rerun out/summary.json").code == 0

        file.write_bytes(file.read_bytes()[:-1])
        solver.KEPT.clear()
        assert "optimal needs the exact values" in one_line(cli(command))
        solver.KEPT.clear()

    def test_a_cache_folder_that_cannot_be_written(self, cli: Cli, cache: Path) -> None:
        cache.parent.write_text("no folder")
        assert "cannot write to " in one_line(cli(["solve", "qwixx-solo", *SHORT]))
        assert cache.parent.read_text() == "no folder"

    def test_the_official_game(self, cli: Cli) -> None:
        """Its table may have to be solved first, once on a machine."""
        code, out, _ = cli("solve qwixx-solo")
        assert code == 0
        assert out.startswith("Qwixx, solo, official rules: 115.4831 points can be expected of the best play\n")
        found = played(cli, "solo optimal fewest-skips -n 2000 --game qwixx --seed 3")
        mean = found["results"]["strategies"][0]["mean_score"]
        assert abs(mean["value"] - 115.4831) < 4 * mean["se"]
        assert cli("rerun result.json").code == 0
        line = "tournament optimal random avoid-penalty --game qwixx -n 60"
        assert played(cli, f"{line} --threads 1")["results"] == played(cli, f"{line} --threads 2")["results"]


@pytest.mark.parametrize("arguments", ["compare fewest-skips avoid-penalty", "solo fewest-skips"])
def test_control_c_prints_the_result_so_far(tmp_path: Path, arguments: str) -> None:
    command = [sys.executable, "-m", "kok_sim", *arguments.split(), "--game", "qwixx", "-n", "1e11", "--format", "json"]
    command += ["--records", "r.jsonl", "--records-max", "5", "--out", "out", "--games", "--run", "night"]
    with start(command, tmp_path) as process:
        try:
            for _ in range(1200):
                if (tmp_path / "night" / "tally.json").exists() or process.poll() is not None:
                    break
                time.sleep(0.1)
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert err.splitlines()[-1] == "go on with: kok-sim resume night"
    found = json.loads(out)["results"]
    assert found["interrupted"] is True
    assert len((tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()) == min(5, found["games"])
    assert json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))["results"] == found
    done = subprocess.run(
        [sys.executable, "-m", "kok_sim", "rerun", "out/summary.json"], cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout[:10]) == (0, "identical:")
