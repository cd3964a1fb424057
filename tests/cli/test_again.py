"""``--run``, ``resume`` and ``rerun``: runs that are gone on with, and runs that are repeated."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kok_sim
from kok_sim.cli import LONGEST, progress
from simulator.experiments import folder
from simulator.experiments.folder import RunFolder
from simulator.files import explained
from simulator.records import read_records
from tests.cli.conftest import Answer, Cli

EXPERIMENTS = {
    "compare": "compare greedy cautious -n 300",
    "boards": "compare greedy greedy my.toml:cells=0.5 --board black,red,black -n 300 --seed 7",
    "solo": "solo greedy cautious -n 100",
    "bands": "solo greedy cautious -n 100 --bands auto:7",
    "tournament": "tournament greedy cautious random -n 100",
    "focus": "tournament greedy cautious random tidy --table 3 --focus tidy -n 120",
    "until": "compare greedy cautious -n 1e6 --until 2%",
    "solo until": "solo greedy -n 1e6 --until 0.4",
    "sprt": "compare greedy cautious -n 1e6 --sprt 50%:60%",
    "independent": "compare greedy cautious -n 300 --independent",
    "function": "compare greedy my.py -n 300",
}
PY = """
from strategies import strategy

@strategy
def f(view, move, bonus=0.3):
    return move.points + bonus * move.distance
"""
NAN = PY.replace("move.points", "float('nan')")


@pytest.fixture(autouse=True)
def mine(cli: Cli) -> None:
    """Strategies of the user."""
    Path("my.toml").write_text('idea = "cells"\n[weights]\npoints = 1\ncells = 0.1\n')
    Path("my.py").write_text(PY)
    Path("nan.py").write_text(NAN)


class Keys:
    """Presses Ctrl-C once so many blocks are done, if any number is given."""

    def __init__(self) -> None:
        self.at: int | None = None

    def __call__(self, done: int, _total: int) -> None:
        if self.at is not None and done >= self.at:
            raise KeyboardInterrupt


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Keys:
    pressed = Keys()
    monkeypatch.setattr(progress, "progress_bar", lambda *_, **__: contextlib.nullcontext(pressed))
    return pressed


def results(answer: Answer) -> Any:
    """The figures that ``--format json`` printed."""
    return json.loads(answer.out)["results"]


def summary(place: str = "out") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(place, "summary.json").read_text(encoding="utf-8"))
    return found


def played(cli: Cli, line: str, name: str = "result.json", *, code: int = 0) -> dict[str, Any]:
    """The result of a command, also as a file. (The same as summary.json, but without the time that plots take.)"""
    answer = cli(f"{line} --format json -q")
    assert answer.code == code
    Path(name).write_text(answer.out, encoding="utf-8")
    document: dict[str, Any] = json.loads(answer.out)
    return document


def write(document: object, name: str = "changed.json") -> None:
    Path(name).write_text(json.dumps(document), encoding="utf-8")


def one_line(answer: Answer) -> str:
    """The line of an error."""
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert len(err) < LONGEST + 20
    return err


@pytest.mark.usefixtures("no_plots")
class TestResume:
    """A run that was broken off comes to the very same result."""

    @pytest.mark.parametrize("name", EXPERIMENTS)
    def test_after_control_c(self, cli: Cli, keys: Keys, name: str) -> None:
        line = f"{EXPERIMENTS[name]} --format json -q"
        whole = cli(line)
        keys.at = 10
        first = cli(f"{line} --run night --chunk 5")
        assert first.code == 130
        assert (results(first)["blocks"], results(first)["interrupted"]) == (10, True)
        keys.at = 20
        second = cli("resume night --format json -q --chunk 7 --threads 1")
        assert (second.code, results(second)["blocks"]) == (130, 24)
        keys.at = None
        third = cli("resume night --format json -q --threads 2")
        assert (third.code, third.err) == (0, "")
        assert results(third) == results(whole)
        assert json.loads(third.out)["experiment"] == json.loads(whole.out)["experiment"]
        again = cli(f"{line} --run night")  # the same command goes on with it, too
        assert (again.code, results(again)) == (0, results(whole))

    def test_it_says_where_it_goes_on(self, cli: Cli, keys: Keys) -> None:
        keys.at = 10
        line = ["compare", "greedy", "cautious", "-n", "300", "--chunk", "5"]
        assert cli([*line, "--run", "a night"]).err == "go on with: kok-sim resume 'a night'\n"
        assert cli([*line, "--run", "quiet", "-q"]).err == ""
        keys.at = None
        assert cli(["resume", "a night"]).err == "a night holds 10 of 150 blocks\n"
        assert cli(["resume", "a night"]).err == "a night holds 150 of 150 blocks\n"
        assert cli("resume quiet -q").err == ""

    def test_results_go_wherever_they_are_wanted(self, cli: Cli, keys: Keys) -> None:
        keys.at = 10
        cli("compare greedy cautious -n 300 --run night --chunk 5 -q")
        keys.at = None
        code, out, err = cli("resume night --out out --records r.jsonl --records-max 3 --format csv")
        assert code == 0
        assert out.startswith("subject,measure,")
        assert "written to out: results.csv" in err
        assert len(list(read_records(Path("r.jsonl")))) == 3
        cli("compare greedy cautious -n 300 --out whole -q")
        for path in Path("whole").iterdir():
            if path.name != "summary.json":
                assert path.read_bytes() == Path("out", path.name).read_bytes(), path.name
        assert summary()["results"] == summary("whole")["results"]

    @pytest.mark.parametrize("name", ["compare", "solo", "focus", "independent"])
    def test_games_are_the_same_bytes(self, cli: Cli, keys: Keys, name: str) -> None:
        line = f"{EXPERIMENTS[name]} --games -q"
        assert cli(f"{line} --out whole").code == 0
        keys.at = 10
        assert cli(f"{line} --out out --run night --chunk 5").code == 130
        first = Path("out/games.parquet").read_bytes()
        assert summary()["run"]["files"][0] == "games.parquet"
        keys.at = 20
        assert cli("resume night -q --chunk 10").code == 130  # without --out the games are kept all the same
        assert Path("out/games.parquet").read_bytes() == first
        keys.at = None
        assert cli("resume night --out out -q").code == 0
        assert Path("out/games.parquet").read_bytes() == Path("whole/games.parquet").read_bytes()
        assert summary()["run"]["files"][0] == "games.parquet"
        assert cli("resume night --out out --games -q").code == 0
        assert Path("out/games.parquet").read_bytes() == Path("whole/games.parquet").read_bytes()
        assert sorted(path.name for path in Path("night").iterdir()) == ["games", "lock", "run.json", "tally.json"]

    def test_games_of_a_run_that_does_not_keep_them(self, cli: Cli) -> None:
        assert cli("compare greedy cautious -n 100 --run night -q").code == 0
        assert "name it with --out DIR" in one_line(cli("resume night --games -q"))
        told = one_line(cli("resume night --games --out out -q"))
        assert "the run in 'night' was begun without --games; go on with it in the same way" in told
        assert not Path("out").exists()
        assert not Path("night/games").exists()

    def test_run_and_report_in_one_folder(self, cli: Cli, keys: Keys) -> None:
        keys.at = 10
        assert cli("compare greedy cautious -n 300 --run all --out all --games --chunk 5 -q").code == 130
        keys.at = None
        assert cli("resume all --out all -q").code == 0
        assert summary("all")["results"]["games"] == 300
        assert cli("resume all --out all/report -q").code == 0
        assert summary("all/report")["results"] == summary("all")["results"]
        assert cli("compare greedy cautious -n 300 --run all/report/run --out all/report -q").code == 0
        assert cli("compare greedy cautious -n 300 --run all --out all --games -q").code == 0
        assert cli("compare greedy cautious -n 300 --run new --out new/games --games -q").code == 0
        assert Path("new/games/games.parquet").read_bytes() == Path("all/games.parquet").read_bytes()
        assert cli("resume new --out new/games -q").code == 0

    def test_a_run_into_the_folder_of_an_older_report(self, cli: Cli) -> None:
        assert cli("compare greedy cautious -n 100 --out out -q").code == 0
        before = sorted(Path("out").iterdir())
        told = one_line(cli("compare greedy cautious -n 100 --out out --run out -q"))
        assert told.startswith("error: 'out' holds no run but other things (results.csv and 1 more); name a folder ")
        assert sorted(Path("out").iterdir()) == before

    @pytest.mark.parametrize("name", ["a night", "nacht – één", "it's", "-q", "new/sub/run"])
    def test_names_of_all_kinds(self, cli: Cli, keys: Keys, name: str) -> None:
        keys.at = 10
        line = ["compare", "greedy", "cautious", "-n", "300", "--chunk", "5", "-q", f"--run={name}"]
        assert cli(line).code == 130
        keys.at = None
        assert cli(["resume", "-q", "--", name]).code == 0
        told = one_line(cli([*line, "--seed", "2"]))
        assert "holds another run: seed 1, not 2; go on with it by kok-sim resume " in told

    def test_a_command_that_is_told_can_be_typed(self, cli: Cli) -> None:
        assert cli(["compare", "greedy", "cautious", "-n", "100", "--run", "a night", "-q"]).code == 0
        told = one_line(cli(["compare", "greedy", "cautious", "-n", "100", "--run", "a night", "--seed", "2"]))
        assert "kok-sim resume 'a night', or" in told
        assert "begin one with --run 'no night'\n" in one_line(cli(["resume", "no night"]))

    def test_another_name_of_the_folder(self, cli: Cli, keys: Keys, tmp_path: Path) -> None:
        keys.at = 10
        Path("real").mkdir()
        Path("link").symlink_to("real")
        assert cli("compare greedy cautious -n 300 --run link --chunk 5 -q").code == 130
        keys.at = 20
        assert cli(f"resume {tmp_path / 'real'} --chunk 5 -q").code == 130
        keys.at = None
        assert cli("resume ../" + tmp_path.name + "/link -q").code == 0
        assert Path("link").is_symlink()
        Path("nowhere").symlink_to("gone")
        assert "cannot write 'nowhere': File exists" in one_line(cli("compare greedy cautious -n 9 --run nowhere -q"))

    def test_a_strategy_of_a_file(self, cli: Cli, keys: Keys) -> None:
        keys.at = 10
        for name in ("my.toml", "my.py"):
            assert cli(f"compare greedy {name} -n 300 --run {name}.run --chunk 5 -q").code == 130
        keys.at = None
        Path("my.toml").write_text("gone")  # its weights are in the folder
        assert cli("resume my.toml.run -q").code == 0
        Path("my.py").write_text(PY.replace("0.3", "0.4"))
        told = one_line(cli("resume my.py.run -q"))
        assert "strategy 'my.py:f' is not the one that was played: parameter 'bonus' is 0.4 now, 0.3 then" in told
        told = one_line(cli("compare greedy my.py -n 300 --run my.py.run -q"))
        assert "'my.py.run' holds another run: my.py:f had settings" in told
        Path("my.py").unlink()
        assert "cannot read strategy file 'my.py'" in one_line(cli("resume my.py.run -q"))
        Path("my.py").write_text(PY)
        assert cli("resume my.py.run -q").code == 0

    def test_another_version(self, cli: Cli) -> None:
        assert cli("compare greedy cautious -n 100 --run night -q").code == 0
        data = json.loads(Path("night/run.json").read_text())
        data["program"] = "0.0.9"
        data["experiment"].pop("stop")  # which that version did not know
        write(data, "night/run.json")
        for line in ("resume night", "compare greedy cautious -n 100 --run night"):
            told = one_line(cli(line))
            assert f"'night' was made by kok-sim 0.0.9, and this is {kok_sim.__version__}: finish it with" in told

    def test_a_mistake_leaves_no_folder(self, cli: Cli) -> None:
        before = sorted(Path().rglob("*"))
        assert "nan.py:f" in one_line(cli("compare greedy nan.py -n 100 --run a/night --out out --games -q"))
        assert sorted(Path().rglob("*")) == before
        Path("nan.py").write_text(PY)
        assert cli("compare greedy nan.py -n 100 --run a/night --out out --games -q").code == 0

    def test_while_another_plays(self, cli: Cli) -> None:
        assert cli("compare greedy cautious -n 100 --run night -q").code == 0
        from kok_sim.plans import plan_from

        plan = plan_from(json.loads(Path("night/run.json").read_text())["experiment"])
        with RunFolder(Path("night"), plan, kok_sim.__version__):
            for line in ("resume night", "compare greedy cautious -n 100 --run night --out out --games"):
                told = one_line(cli(f"{line} -q"))
                assert "'night' is in use: another kok-sim plays the run that it holds" in told or "--games" in told
        assert not Path("out").exists()
        assert cli("resume night -q").code == 0

    @pytest.mark.parametrize("name", ["tally.json", "run.json"])
    def test_a_full_disk(self, cli: Cli, keys: Keys, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(folder, "INTERVAL", 0.0)
        line = "compare greedy cautious -n 300 --chunk 5 -q"
        real = folder._write

        def write(path: Path, data: dict[str, Any]) -> None:
            if path.name == name and (name == "run.json" or data["tally"]["blocks"] > 30):
                with explained(path):
                    raise OSError(28, "No space left on device")
            real(path, data)

        with monkeypatch.context() as full:
            full.setattr(folder, "_write", write)
            told = one_line(cli(f"{line} --run night"))
        assert told == f"error: cannot write 'night/{name}': No space left on device\n"
        assert Path("night").exists() == (name == "tally.json")
        if name == "tally.json":
            assert cli("resume night").err == "night holds 30 of 150 blocks\n"
        else:
            assert cli(f"{line} --run night").code == 0

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "is not JSON"),
            ("[]", "is not of the form 'kok-sim/run', version 1"),
            ("{}", "is not of the form 'kok-sim/run', version 1"),
            ("[" * 100_000, "is not JSON"),
            ('{"a": ' * 100 + "1" + "}" * 100, "nested more than"),
        ],
    )
    def test_a_broken_folder(self, cli: Cli, text: str, message: str) -> None:
        Path("night").mkdir()
        Path("night/run.json").write_text(text)
        assert message in one_line(cli("resume night"))
        assert message in one_line(cli("compare greedy cautious -n 9 --run night"))

    def test_a_damaged_plan(self, cli: Cli) -> None:
        """Whatever is wrong with it, it is one line, and nothing is played."""
        assert cli("tournament greedy cautious -n 100 --until 20% --run night -q").code == 0
        data = json.loads(Path("night/run.json").read_text())
        for _, wrong in faults(data, FEW):
            write(wrong, "night/run.json")
            one_line(cli("resume night -q"))


FEW: list[Any] = ["DELETE", None, "x", [[]]]
WRONG = [*FEW, -1, True, 1.5, float("nan"), "\ud800", [], {}, {"name": 3}, "1" * 5000, 10**4000]


def places(data: object, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where there is a value in a document."""
    yield place
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, (*place, key))


def faults(data: Any, values: list[Any], *, below: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The document with every value in turn replaced by another one; all but the first strategy and sheet are left."""
    for place in places(data):
        if not place or place[: len(below)] != below or any(type(key) is int and key > 0 for key in place):
            continue
        for value in values:
            wrong = copy.deepcopy(data)
            at = wrong
            for key in place[:-1]:
                at = at[key]
            if value == "DELETE":
                del at[place[-1]]
            else:
                at[place[-1]] = value
            if json.dumps(wrong) != json.dumps(data):
                yield place, wrong


class TestRerun:
    """A result can be repeated from its own file, and any difference is found."""

    @pytest.mark.parametrize("name", EXPERIMENTS)
    def test_identical(self, cli: Cli, name: str) -> None:
        played(cli, EXPERIMENTS[name])
        for options in ("", "--threads 1 --chunk 7", "--threads 3 -q"):
            code, out, err = cli(f"rerun result.json {options}")
            assert (code, err) == (0, "")
            assert out.startswith("identical: all ")
            assert out.endswith(f" figures are as kok-sim {kok_sim.__version__} wrote them\n")
            assert int(out.split()[2].replace(",", "")) > 100

    @pytest.mark.parametrize("name", EXPERIMENTS)
    def test_a_result_that_was_interrupted(self, cli: Cli, keys: Keys, name: str) -> None:
        keys.at = 10
        found = played(cli, f"{EXPERIMENTS[name]} --chunk 5", code=130)["results"]
        assert (found["blocks"], found["interrupted"]) == (10, True)
        keys.at = None
        assert cli("rerun result.json").out.startswith("identical: ")

    @pytest.mark.parametrize("name", ["until", "solo until", "sprt"])
    def test_a_result_that_was_interrupted_between_two_looks(self, cli: Cli, keys: Keys, name: str) -> None:
        keys.at = 300
        line = EXPERIMENTS[name].replace("2%", "0.1%").replace("0.4", "0.1").replace("60%", "50.1%")
        found = played(cli, f"{line} --chunk 100", code=130)["results"]
        assert (found["blocks"], found["interrupted"]) == (356, True)
        keys.at = None
        assert cli("rerun result.json").out.startswith("identical: ")

    def test_a_result_of_nothing(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        from simulator.experiments import run as running

        def press(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(running, "wait_for", press)
            document = played(cli, "compare greedy cautious -n 300", code=130)
        assert document["results"]["blocks"] == 0
        assert cli("rerun result.json").out.startswith("identical: ")

    def test_a_run_that_was_gone_on_with(self, cli: Cli, keys: Keys) -> None:
        keys.at = 10
        cli("compare greedy cautious -n 300 --run night --chunk 5 -q")
        keys.at = None
        cli("resume night --out out -q")
        assert cli("rerun out/summary.json").out.startswith("identical: ")

    def test_control_c_in_a_rerun(self, cli: Cli, keys: Keys) -> None:
        played(cli, "compare greedy cautious -n 300")
        keys.at = 10
        code, out, err = cli("rerun result.json --chunk 5")
        assert (code, out, err) == (130, "", "")

    @pytest.mark.parametrize(
        ("place", "value", "told"),
        [
            (("strategies", 0, "mean_score", "value"), 1.5, "strategies 1 mean_score value: {now} now, 1.5 then"),
            (("strategies", 1, "mean_score", "low"), None, "strategies 2 mean_score low: {now} now, null then"),
            (("sentences", 0), "I won", 'sentences 1: "{now}" now, "I won" then'),
            (("roll_counts", "999"), 1, "roll_counts 999: nothing now, 1 then"),
            (("games",), 301, "games: 300 now, 301 then"),
            (("a\x1b[2Jb\n",), "c\x9b", 'a\\x1b[2Jb\\n: nothing now, "c\\x9b" then'),
            (("\ud800",), "\ud801", '\\ud800: nothing now, "\\ud801" then'),
        ],
    )
    def test_a_figure_that_was_changed(self, cli: Cli, place: tuple[Any, ...], value: Any, told: str) -> None:
        document = played(cli, "compare greedy cautious -n 300")
        at: Any = document["results"]
        for key in place[:-1]:
            at = at[key]
        now = at.get(place[-1]) if isinstance(at, dict) else at[place[-1]]
        at[place[-1]] = value
        write(document)
        code, out, err = cli("rerun changed.json")
        assert (code, err) == (1, "")
        head, line = out.splitlines()
        assert head.startswith("different: 1 of ")
        assert head.endswith(f" figures are not as kok-sim {kok_sim.__version__} wrote them")
        assert line == "  " + told.format(now=now)

    def test_a_figure_that_is_gone(self, cli: Cli) -> None:
        document = played(cli, "compare greedy cautious -n 300")
        now = document["results"].pop("interrupted")
        write(document)
        code, out, _ = cli("rerun changed.json")
        assert (code, out.splitlines()[1]) == (1, f"  interrupted: {json.dumps(now)} now, nothing then")

    def test_many_differences(self, cli: Cli) -> None:
        document = played(cli, "compare greedy cautious -n 300")
        document["experiment"]["seed"] = 2
        write(document)
        code, out, _ = cli("rerun changed.json")
        lines = out.splitlines()
        assert code == 1
        count = int(lines[0].split()[1])
        assert count > 50
        assert len(lines) == 22
        assert lines[-1] == f"  and {count - 20} more"

    @pytest.mark.parametrize("blocks", [149, 151, 10**9])
    def test_other_blocks_than_were_played(self, cli: Cli, blocks: int) -> None:
        document = played(cli, "compare greedy cautious -n 300")
        document["results"]["blocks"] = blocks
        write(document)
        code, out, _ = cli("rerun changed.json")
        assert code == 1
        assert ("blocks: 150 now, " in out) == (blocks > 150)

    def test_another_version_is_told(self, cli: Cli) -> None:
        document = played(cli, "compare greedy cautious -n 300")
        document["program"]["version"] = "0.0.9"
        write(document)
        code, out, _ = cli("rerun changed.json")
        assert code == 0
        assert f" figures are as kok-sim 0.0.9 (this is {kok_sim.__version__}) wrote them\n" in out

    def test_a_strategy_of_a_file(self, cli: Cli) -> None:
        for name in ("my.toml", "my.py"):
            played(cli, f"compare greedy {name} -n 300", f"{name}.json")
            assert cli(f"rerun {name}.json").out.startswith("identical: ")
        Path("my.toml").unlink()
        assert cli("rerun my.toml.json").out.startswith("identical: ")
        Path("my.py").write_text(PY.replace("+ bonus", "- bonus"))
        told = one_line(cli("rerun my.py.json"))
        assert "strategy 'my.py:f' is not the one that was played: its code has changed" in told
        Path("my.py").write_text("def f(:")
        assert "my.py, line 1: SyntaxError" in one_line(cli("rerun my.py.json"))
        Path("my.py").unlink()
        told = one_line(cli("rerun my.py.json"))
        assert told == "error: cannot read strategy file 'my.py': No such file or directory\n"

    def test_no_result(self, cli: Cli) -> None:
        Path("folder").mkdir()
        assert one_line(cli("rerun none.json")) == "error: cannot read 'none.json': No such file or directory\n"
        assert one_line(cli("rerun folder")) == "error: cannot read 'folder': Is a directory\n"
        assert "File name too long" in one_line(cli(f"rerun {'a' * 300}"))
        assert "Missing argument 'summary.json'" in one_line(cli("rerun"))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "is not JSON: Expecting value"),
            ("{", "is not JSON"),
            ("\x00\xff", "is not JSON"),
            ("null", "is not a result of the form 'kok-sim/result', version 1"),
            ("[]", "is not a result of the form 'kok-sim/result', version 1"),
            ("{}", "is not a result of the form 'kok-sim/result', version 1"),
            ('{"format": "kok-sim/result", "version": 2}', "is not a result of the form 'kok-sim/result', version 1"),
            ('{"format": "kok-sim/run", "version": 1}', "is not a result of the form 'kok-sim/result', version 1"),
            ('{"format": "kok-sim/result", "version": 1}', "is damaged: it does not say how many blocks were played"),
            ("[" * 100_000, "is not JSON"),
            ('{"a": ' * 900 + "1" + "}" * 900, "nested more than"),
            ("1" * 5000, "is not JSON"),
        ],
    )
    def test_something_else(self, cli: Cli, text: str, message: str) -> None:
        Path("other.json").write_text(text, encoding="latin-1")
        told = one_line(cli("rerun other.json"))
        assert told.startswith("error: 'other.json' ")
        assert message in told

    @pytest.mark.parametrize(
        "line", ["tournament greedy random --focus random --until 20% -n 20", "compare greedy random --sprt 50%:90%"]
    )
    def test_whatever_is_wrong_with_a_result_is_one_line(self, cli: Cli, line: str) -> None:
        """Or it still can be repeated, and is found to be the same, or another one."""
        document = played(cli, line)
        below = ("experiment", "stop") if "sprt" in line else ()
        document |= {"results": {"blocks": document["results"]["blocks"]}, "run": {}}  # other figures are only compared
        refused = 0
        for place, wrong in faults(document, WRONG, below=below):
            write(wrong)
            answer = cli("rerun changed.json -q")
            if answer.code in (0, 1):
                assert answer.err == "", place
                assert answer.out.startswith(("identical: ", "different: ")), place
                harmless = (
                    "results",
                    "run",
                    "program",
                    "settings",
                    "stop",
                    "version",
                    "name",
                    "independent",
                )  # or right by chance
                assert any(key in place for key in harmless), place
            else:
                one_line(answer)
                refused += 1
        assert refused > 50
