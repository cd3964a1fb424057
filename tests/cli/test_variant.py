"""``kok-sim variant``: both games, alone and at a table, every form, and what can be wrong."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import kok_sim
from kok_sim.cli import findings
from kok_sim.interface import variant
from simulator.errors import PlanError
from tests.cli.conftest import Cli
from tests.cli.test_experiments import document

LINE = "variant timer-30 cautious tidy -n 40"


@pytest.fixture
def quick_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plots are made, but not painted, which takes most of the time."""
    monkeypatch.setattr(Figure, "savefig", lambda _, path, **__: Path(path).write_text("drawn"))


@pytest.mark.parametrize(
    ("line", "labels"),
    [
        ("variant timer-30 cautious tidy -n 20", ["cautious", "tidy"]),
        ("variant timer-30 cautious tidy random --board red -n 20", ["cautious", "tidy", "random"]),
        ("variant few-jokers greedy --solo -n 20", ["greedy"]),
        ("variant few-jokers greedy tidy --solo -n 20", ["greedy", "tidy"]),
        ("variant short fewest-skips random --game qwixx -n 20", ["fewest-skips", "random"]),
        ("variant short fewest-skips --solo --game qwixx -n 20", ["fewest-skips"]),
    ],
)
def test_both_games_at_a_table_and_alone(cli: Cli, line: str, labels: list[str]) -> None:
    found = document(cli, line)
    assert found["format"] == "kok-sim/variant"
    assert [entry["label"] for entry in found["experiment"]["base"]["strategies"]] == labels
    assert found["experiment"]["base"]["rules"] == {}
    assert found["experiment"]["variant"]["rules"] != {}
    assert (found["experiment"]["duel"] is None) == ("--solo" in line)
    assert found["results"]["games"] >= 20
    if len(labels) > 1 and "--solo" not in line:
        wins = [found["results"]["measures"][f"win {label}"] for label in labels]
        for key in ("base", "variant"):
            assert sum(share[key]["value"] for share in wins) == pytest.approx(1)


def test_a_limit_of_rolls_limits_the_rolls(cli: Cli) -> None:
    measures = document(cli, "variant timer-30 cautious tidy -n 100")["results"]["measures"]
    assert measures["rolls"]["variant"]["value"] <= 30 < measures["rolls"]["base"]["value"]
    assert measures["rolls"]["verdict"] == -1
    assert measures["ended_roll_limit"]["base"]["value"] == 0 < measures["ended_roll_limit"]["variant"]["value"]
    for measure in ("ended_full_colors", "ended_roll_limit", "ended_safety_limit"):
        assert measures[measure]["difference"]["value"] == pytest.approx(
            measures[measure]["variant"]["value"] - measures[measure]["base"]["value"]
        )


def test_the_base_is_that_of_a_comparison(cli: Cli) -> None:
    """The same seed, the same games as `kok-sim compare` plays under the same rules."""
    found = document(cli, f"{LINE} --seed 7")["results"]["measures"]
    for key, rules in (("base", "official"), ("variant", "timer-30")):
        compared = document(cli, f"compare cautious tidy -n 40 --seed 7 --rules {rules}")["results"]
        assert found["rolls"][key]["value"] == compared["game"]["rolls"]["value"]
        for strategy in compared["strategies"]:
            assert found[f"win {strategy['label']}"][key]["value"] == strategy["win_share"]["value"]
            assert found[f"score {strategy['label']}"][key]["value"] == strategy["mean_score"]["value"]
        match = document(cli, f"compare cautious greedy -n 40 --seed 7 --rules {rules}")["results"]
        assert found["skill"][key]["value"] == match["strategies"][0]["win_share"]["value"]


def test_rules_of_a_file_another_base_and_a_switch_besides(cli: Cli) -> None:
    Path("my.toml").write_text('about = "ours"\n[rules]\njokers = 4\n')
    found = document(cli, "variant my.toml cautious tidy --base no-jokers --rule star_penalty=3 -n 20")
    assert found["experiment"]["names"] == ["no-jokers", "my.toml, star_penalty=3"]
    assert found["experiment"]["variant"]["rules"] == {"jokers": 4, "star_penalty": 3}
    assert found["experiment"]["base"]["rules"] != {}
    jokers = found["results"]["measures"]["joker_dice"]
    assert jokers["base"]["value"] == 0 < jokers["variant"]["value"] <= 4


def test_official_rules_with_a_switch_are_named_by_it(cli: Cli) -> None:
    found = document(cli, "variant official cautious tidy --rule jokers=6 --rule first_for_all=true -n 20")
    assert found["experiment"]["names"] == ["official", "jokers=6, first_for_all=true"]


def test_threads_never_change_it(cli: Cli) -> None:
    one, other = (document(cli, f"{LINE} --threads {n}") for n in (1, 3))
    assert one["results"] == other["results"]


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_forms(cli: Cli, form: str) -> None:
    code, out, err = cli(f"{LINE} --format {form} -q")
    assert (code, err) == (0, "")
    assert {
        "table": "40 games of each rule set on the same dice",
        "json": '"format": "kok-sim/variant"',
        "csv": "timer-30 minus official,rolls,",
        "markdown": "| timer-30 |",
    }[form] in out


@pytest.mark.usefixtures("quick_plots")
def test_out(cli: Cli) -> None:
    code, out, err = cli(f"{LINE} --out here --format csv")
    assert code == 0
    names = ["results.csv", "scores.png", "scores.svg", "feats.png", "feats.svg", "summary.json"]
    assert err.endswith(f"written to here: {', '.join(names)}\n")
    assert {path.name for path in Path("here").iterdir()} == set(names)
    assert Path("here/results.csv").read_text(encoding="utf-8") == out
    summary = json.loads(Path("here/summary.json").read_text(encoding="utf-8"))
    assert summary["results"] == document(cli, LINE)["results"]


def test_the_interface_says_the_same(cli: Cli) -> None:
    found = variant("timer-30", "cautious", "tidy", games=4e1, threads=1)
    assert found.to_dict()["results"] == document(cli, LINE)["results"]
    rows = list(csv.DictReader(io.StringIO(cli(f"{LINE} --format csv -q").out)))
    assert found.table["value"].astype(float).tolist() == pytest.approx(
        [float(row["value"] or "nan") for row in rows], rel=1e-8, nan_ok=True
    )
    with pytest.raises(PlanError, match="shared table seats 2 to 6 strategies; got 1"):
        variant("timer-30", "cautious")
    switched = variant("official", "cautious", "tidy", settings={"jokers": 3}, games=10, threads=1)
    assert switched.found.names == ("official", "jokers=3")  # type: ignore[union-attr]
    assert kok_sim.__version__ in repr(found)


@pytest.mark.usefixtures("quick_plots")
@pytest.mark.parametrize(
    ("at", "note"),
    [
        (1, "Interrupted: the figures are of the first 1,000 games of each."),
        (12_001, "Interrupted: cautious and greedy played only the first 1,000 games of each at a table."),
    ],
)
def test_control_c_prints_and_writes_what_there_is(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, at: int, note: str
) -> None:
    """Once in the games of the variant, once in those of the duel."""

    class Pressed:
        def __init__(self, *_: object) -> None:
            pass

        def __enter__(self) -> Any:
            def press(done: int, _total: int) -> None:
                if done >= at:
                    raise KeyboardInterrupt

            return press

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(findings, "progress", Pressed)
    code, out, _ = cli("variant timer-30 random random -n 6000 --threads 1 --format json -q --out here")
    assert code == 130
    found = json.loads(out)
    assert found["results"]["interrupted"]
    assert found["results"]["notes"][0] == note
    assert json.loads(Path("here/summary.json").read_text(encoding="utf-8"))["results"] == found["results"]


ERRORS = [
    ("variant", "Missing argument 'NAME|FILE'."),
    ("variant timer-30", "a shared table seats 2 to 6 strategies; got 0"),
    ("variant timer-30 greedy -n 20", "a shared table seats 2 to 6 strategies; got 1"),
    ("variant timer-30 --solo -n 20", "a solo experiment needs 1 to 50 strategies; got 0"),
    ("variant short --game qwixx", "a shared table seats 2 to 5 strategies; got 0"),
    ("variant none.toml greedy tidy", "cannot read rules file 'none.toml': No such file or directory"),
    ("variant timer-30 greedy tidy --base none.toml", "cannot read rules file 'none.toml': No such file or directory"),
    (
        "variant q.toml greedy tidy",
        "rules file 'q.toml': these are rules of 'qwixx'; the game played is 'keer-op-keer' (--game)",
    ),
    (
        "variant short random random --game qwixx --base timer-30",
        "house rules 'timer-30' are of the game 'keer-op-keer', and this is 'qwixx' (--game)",
    ),
    ("variant timer greedy tidy", "unknown house rules 'timer'; did you mean 'timer-30'?"),
    ("variant timer-30 greedy tidy --base offical", "unknown house rules 'offical'; did you mean 'official'?"),
    ("variant timer-30 gredy tidy", "unknown strategy 'gredy'; did you mean 'greedy'?"),
    (
        "variant timer-30 greedy tidy -n x",
        "-n must be a whole number of games from 1 to 1e12, such as 1000, 250k or 1e6; got 'x'",
    ),
    ("variant timer-30 greedy tidy --rule joker=3", "unknown rule 'joker'; did you mean 'jokers'?"),
    ("variant timer-30 greedy tidy --rule jokers=1:3", "jokers must be a whole number; got '1:3'"),
    ("variant timer-30 greedy tidy --rule jokers=100", "jokers must be from 0 to 99; got 100"),
    ("variant timer-30 greedy tidy --board blak", "unknown sheet 'blak'; did you mean 'black'?"),
    ("variant timer-30 greedy tidy --seed -1", "the seed must be a whole number from 0 to 2**64 - 1; got -1"),
    ("variant timer-30 greedy tidy --threads 0 -n 20", "the number of threads must be from 1 to 1024; got 0"),
    ("variant timer-30 greedy tidy --format tabel", "unknown format 'tabel'; did you mean 'table'?"),
    ("variant timer-30 greedy tidy --out q.toml/x", "cannot write to 'q.toml/x': 'q.toml' is not a folder"),
    ("variant timer-30 greedy tidy --game qwix", "unknown game 'qwix'; did you mean 'qwixx'?"),
]


@pytest.mark.parametrize(("line", "message"), ERRORS)
def test_what_is_wrong_is_told_in_one_line(cli: Cli, line: str, message: str) -> None:
    Path("q.toml").write_text('game = "qwixx"\n[rules]\npenalty_points = 3\n')
    assert cli(line) == (2, "", f"error: {message}\n")


def test_nothing_is_played_before_all_is_checked(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def played(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("simulator.experiments.study.study", played)
    assert cli("variant timer-30 greedy tidy --format tabel").code == 2
