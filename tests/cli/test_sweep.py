"""``kok-sim sweep``: ranges and values, measures and targets, both games, and what can be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kok_sim import studies
from kok_sim.cli.arguments import parse_sweep, parse_target
from kok_sim.interface import sweep
from simulator.errors import KokSimError, PlanError
from simulator.experiments.study import Study
from simulator.keer_op_keer.rules import Rules
from tests.cli.conftest import Cli
from tests.cli.test_experiments import document
from tests.cli.test_variant import quick_plots  # noqa: F401 - a fixture

LINE = "sweep --rule jokers=0:8:4 cautious tidy -n 20"


def settings_of(found: dict[str, Any]) -> list[str]:
    return [",".join(entry["setting"].values()) for entry in found["results"]["settings"]]


@pytest.mark.parametrize(
    ("line", "settings"),
    [
        (LINE, ["0", "4", "8"]),
        ("sweep --rule jokers=0:9:4 cautious tidy -n 20", ["0", "4", "8"]),
        ("sweep --rule jokers=7:9 cautious tidy -n 20", ["7", "8", "9"]),
        ("sweep --rule jokers=5,1 cautious tidy -n 20", ["5", "1"]),
        ("sweep --rule tie_break=marks,stars cautious tidy -n 20", ["marks", "stars"]),
        ("sweep --rule first_for_all=false,true cautious tidy -n 20", ["false", "true"]),
        ("sweep --rule start_columns=H,GH cautious tidy -n 20", ["H", "GH"]),
        (
            "sweep --rule jokers=1:2 --rule star_penalty=0,9 cautious tidy -n 20",
            ["1,0", "1,9", "2,0", "2,9"],
        ),
        ("sweep --rule solo_rolls=5,9 greedy --solo -n 20", ["5", "9"]),
        ("sweep --rule penalty_points=0:5:5 random random --game qwixx -n 20", ["0", "5"]),
        ("sweep --rule rows_to_end=1:2 random --solo --game qwixx -n 20", ["1", "2"]),
    ],
)
def test_every_setting_is_played_under_its_rules(cli: Cli, line: str, settings: list[str]) -> None:
    found = document(cli, line)
    assert found["format"] == "kok-sim/sweep"
    assert settings_of(found) == settings
    for entry, plan in zip(found["results"]["settings"], found["experiment"]["plans"][0], strict=True):
        for key, value in entry["setting"].items():
            if key in plan["rules"]:
                assert str(plan["rules"][key]).lower() == value.lower()
            else:
                assert value in found["results"]["compared_with"].values()  # the official one


def test_settings_are_games_of_a_comparison(cli: Cli) -> None:
    found = document(cli, f"{LINE} --seed 3 --measure rolls --measure low_5")
    for entry in found["results"]["settings"]:
        rule = f"jokers={entry['setting']['jokers']}"
        compared = document(cli, f"compare cautious tidy -n 20 --seed 3 --rule {rule}")["results"]
        assert entry["measures"]["rolls"]["value"] == compared["game"]["rolls"]["value"]
        assert list(entry["measures"]) == ["rolls", "low_5"]


def test_the_same_rule_as_the_base_is_compared_with(cli: Cli) -> None:
    found = document(cli, LINE)
    assert found["results"]["compared_with"] == {"jokers": "8"}
    assert found["results"]["settings"][2]["measures"]["rolls"]["difference"]["value"] == 0
    assert document(cli, "sweep --rule jokers=1:2 cautious tidy -n 20")["results"]["compared_with"] == {"jokers": "1"}


def test_a_rule_with_one_value_holds_at_all_settings(cli: Cli) -> None:
    weights = "1,1,1,1,1,2"
    found = document(cli, f"sweep --rule color_weights={weights} --rule jokers=1:2 cautious tidy -n 20")
    assert settings_of(found) == ["1", "2"]
    assert all(plan["rules"]["color_weights"] == [1, 1, 1, 1, 1, 2] for plan in found["experiment"]["plans"][0])
    assert f"rules color_weights={weights}" in found["experiment"]["rules"] or found["experiment"]["rules"] == (
        f"color_weights={weights}"
    )


def test_rules_of_a_file_are_the_base(cli: Cli) -> None:
    Path("my.toml").write_text("[rules]\njokers = 4\nstar_penalty = 9\n")
    found = document(cli, "sweep --rules my.toml --rule jokers=3:4 cautious tidy -n 20")
    assert found["experiment"]["rules"] == "my.toml"
    assert [plan["rules"] for plan in found["experiment"]["plans"][0]] == [
        {"jokers": 3, "star_penalty": 9},
        {"jokers": 4, "star_penalty": 9},
    ]
    assert found["results"]["compared_with"] == {"jokers": "4"}


def test_the_target_is_the_nearest_setting(cli: Cli) -> None:
    """A limit of rolls that every game reaches is the length of a game."""
    line = "sweep --rule roll_limit=5,8,11 cautious tidy -n 20 --measure mean_score --target rolls=9"
    code, out, err = cli(f"{line} -q")
    assert (code, err) == (0, "")
    assert "\nroll_limit=8 comes nearest to rolls = 9: 8.0 (-1.0).\n" in out
    found = document(cli, line)
    assert found["experiment"]["target"] == {"measure": "rolls", "value": 9}
    assert list(found["results"]["settings"][0]["measures"]) == ["rolls", "mean_score"]
    assert [s["measures"]["rolls"]["value"] for s in found["results"]["settings"]] == [5, 8, 11]


def test_skill_is_that_of_the_duel(cli: Cli) -> None:
    found = document(cli, "sweep --rule jokers=4,8 tidy random -n 40 --target skill=90 --measure rolls --measure rolls")
    assert list(found["results"]["settings"][0]["measures"]) == ["skill", "rolls"]
    for entry in found["results"]["settings"]:
        rule = f"jokers={entry['setting']['jokers']}"
        match = document(cli, f"compare cautious greedy -n 40 --rule {rule}")["results"]
        assert entry["measures"]["skill"]["value"] == match["strategies"][0]["win_share"]["value"]
    assert [len(plans) for plans in found["experiment"]["plans"]] == [2, 2]


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_forms(cli: Cli, form: str) -> None:
    code, out, err = cli(f"{LINE} --format {form} -q")
    assert (code, err) == (0, "")
    assert {
        "table": "20 games at each of 3 settings on the same dice",
        "json": '"format": "kok-sim/sweep"',
        "csv": "jokers=0 minus jokers=8,rolls,",
        "markdown": "| jokers=4 |",
    }[form] in out


@pytest.mark.usefixtures("quick_plots")
@pytest.mark.parametrize("rules", ["--rule jokers=0:8:4", "--rule jokers=1:2 --rule star_penalty=0,9"])
def test_out(cli: Cli, rules: str) -> None:
    code, _, err = cli(f"sweep {rules} cautious tidy -n 20 --out here --measure rolls --measure joker_dice")
    assert code == 0
    names = [
        "results.csv",
        *(f"sweep-{m}.{k}" for m in ("rolls", "joker_dice") for k in ("png", "svg")),
        "summary.json",
    ]
    assert err.endswith(f"written to here: {', '.join(names)}\n")
    assert {path.name for path in Path("here").iterdir()} == set(names)
    assert json.loads(Path("here/summary.json").read_text(encoding="utf-8"))["run"]["files"] == names


def test_threads_never_change_it(cli: Cli) -> None:
    one, other = (document(cli, f"{LINE} --threads {n}") for n in (1, 3))
    assert one["results"] == other["results"]


def test_the_interface_says_the_same(cli: Cli) -> None:
    found = sweep({"jokers": range(0, 9, 4)}, "cautious", "tidy", games=20, threads=1)
    assert found.to_dict()["results"] == document(cli, LINE)["results"]
    assert found.plots[0] == "sweep-rolls"


def test_control_c_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the first study; the duels are not begun."""
    begun: list[int] = []

    def interrupted(plans: Any, **_: object) -> Study:
        begun.append(len(plans))
        return Study.unplayed(plans)

    monkeypatch.setattr("simulator.experiments.study.study", interrupted)
    found = studies.play_sweep({"jokers": [1, 2, 3]}, ["cautious", "tidy"], 20, measures=["rolls", "skill"])
    assert found.interrupted
    assert begun == [3]
    assert [study.blocks for study in found.studies] == [0, 0]
    begun.clear()
    assert studies.play_rating(["black", "red"], ["cautious", "tidy"], 20).interrupted
    assert studies.play_variant("short", ["cautious", "tidy"], 20).interrupted
    assert begun == [2, 2]


RANGE = "jokers must be a range of 100 values or fewer, from low to high in steps above 0, such as 0:12:2; got "
FEW = (
    "a sweep needs one or two rules with several values, such as jokers=0:12:2; got {} (rules that are lists "
    "themselves are not swept)"
)
TARGET = "--target must be a measure and its value, such as rolls=30; got "
TWO = "--rule jokers=1:2"
ERRORS = [
    ("", FEW.format(0)),
    ("--rule jokers=5", FEW.format(0)),
    ("--rule jokers=5:1", f"{RANGE}'5:1'"),
    ("--rule jokers=0:12:0", f"{RANGE}'0:12:0'"),
    ("--rule jokers=0:12:-2", f"{RANGE}'0:12:-2'"),
    ("--rule jokers=0:100", f"{RANGE}'0:100'"),
    ("--rule jokers=1:2:3:4", "jokers must be a range, such as 0:12:2; got '1:2:3:4'"),
    ("--rule jokers=a:b", "jokers must be a range, such as 0:12:2; got 'a'"),
    ("--rule jokers=1:", "jokers must be a range, such as 0:12:2; got ''"),
    ("--rule jokers=1:2.5", "jokers must be a range, such as 0:12:2; got '2.5'"),
    ("--rule jokers=", "jokers must be a whole number; got ''"),
    ("--rule jokers=1,", "jokers must be a whole number; got ''"),
    ("--rule jokers=1,x", "jokers must be a whole number; got 'x'"),
    ("--rule jokers=1,1", "jokers is given the same value twice: '1,1'"),
    ("--rule jokers=1,01", "jokers is given the same value twice: '1,01'"),
    ("--rule jokers=5:5", "jokers needs two or more different values to be swept; got '5'"),
    ("--rule jokers", "--rule must be a key and a value, such as connect_through_crosses=VALUE; got 'jokers'"),
    ("--rule =1:2", "--rule must be a key and a value, such as connect_through_crosses=VALUE; got '=1:2'"),
    ("--rule joker=1:5", "unknown rule 'joker'; did you mean 'jokers'?"),
    (f"{TWO} --rule jokers=3", "--rule jokers is given twice"),
    (f"--rule jokers=3 {TWO}", "--rule jokers is given twice"),
    (f"{TWO} {TWO}", "--rule jokers is given twice"),
    (f"{TWO} --rule star_penalty=1:2 --rule mark_points=1,2", FEW.format(3)),
    ("--rule jokers=0:9 --rule star_penalty=0:10", "a sweep has 100 settings or fewer; got 110"),
    ("--rule jokers=95:105", "jokers must be from 0 to 99; got 100"),
    ("--rule jokers=5,100,7", "jokers must be from 0 to 99; got 100"),
    ("--rule jokers=-1:3", "jokers must be from 0 to 99; got -1"),
    ("--rule tie_break=marks,starz", "unknown tie_break 'starz'; did you mean 'stars'?"),
    ("--rule tie_break=marks:stars", "tie_break must be values separated by commas; got 'marks:stars'"),
    ("--rule first_for_all=false,maybe", "first_for_all must be true or false; got 'maybe'"),
    ("--rule first_for_all=false:true", "first_for_all must be values separated by commas; got 'false:true'"),
    ("--rule start_columns=H,ZZ", "start_columns must be one or more different letters from A to O; got 'ZZ'"),
    (f"{TWO} --rule color_weights=1,2", "color_weights must be 6 whole numbers; got [1, 2]"),
    (f"{TWO} --rule color_weights=1:2", "color_weights must be 6 whole numbers with commas; got '1:2'"),
    (
        "--rule colors_to_end=4,5 --rule color_weights=1,1,1,1,0,0",
        "color_weights show only 4 of the colors but colors_to_end is 5: the game cannot end; raise the weights or set "
        "a roll_limit",
    ),
    (f"{TWO} --measure rols", "unknown measure 'rols'; did you mean 'rolls'?"),
    (f"{TWO} --target rols=3", "unknown measure 'rols'; did you mean 'rolls'?"),
    (f"{TWO} --target x", f"{TARGET}'x'"),
    (f"{TWO} --target rolls", f"{TARGET}'rolls'"),
    (f"{TWO} --target =3", f"{TARGET}'=3'"),
    (f"{TWO} --target rolls=", f"{TARGET}'rolls='"),
    (f"{TWO} --target rolls=x", f"{TARGET}'rolls=x'"),
    (f"{TWO} --target rolls=nan", f"{TARGET}'rolls=nan'"),
    (f"{TWO} --target rolls=1=2", "unknown measure 'rolls=1'; did you mean 'rolls'?"),
    (f"{TWO} --rules none.toml", "cannot read rules file 'none.toml': No such file or directory"),
    (f"{TWO} --threads 0", "the number of threads must be from 1 to 1024; got 0"),
    (f"{TWO} --format tabel", "unknown format 'tabel'; did you mean 'table'?"),
    (
        f"{TWO} --game qwixx",
        "jokers is a rule of the game 'keer-op-keer' (--game keer-op-keer)",
    ),
]


@pytest.mark.parametrize(("options", "message"), ERRORS)
def test_what_is_wrong_is_told_in_one_line(cli: Cli, options: str, message: str) -> None:
    assert cli(f"sweep {options} cautious tidy -n 20") == (2, "", f"error: {message}\n")


def test_strategies_are_needed(cli: Cli) -> None:
    assert cli(f"sweep {TWO}").err == "error: a shared table seats 2 to 6 strategies; got 0\n"
    assert cli(f"sweep {TWO} greedy").err == "error: a shared table seats 2 to 6 strategies; got 1\n"
    assert cli(f"sweep {TWO} --solo").err == "error: a solo experiment needs 1 to 50 strategies; got 0\n"


def test_measures_of_others_are_not_known_alone(cli: Cli) -> None:
    code, _, err = cli(f"sweep {TWO} greedy --solo --target skill=30")
    assert code == 2
    assert err.startswith("error: unknown measure 'skill'; known: cells, ")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"jokers": [4]}, "jokers needs two or more different values to be swept; got '4'"),
        ({"jokers": []}, "jokers needs two or more different values to be swept; got []"),
        ({"jokers": 4}, "jokers needs two or more different values to be swept; got 4"),
        ({"tie_break": "marks"}, "tie_break needs two or more different values to be swept; got 'marks'"),
        ({"jokers": [4, 4, 5]}, "jokers needs two or more different values to be swept; got '4, 4, 5'"),
        ({"jokers": [4, "5"]}, "jokers must be a whole number; got '5'"),
        ({}, FEW.format(0)),
    ],
)
def test_what_is_wrong_in_the_interface_is_told_in_one_line(values: Any, message: str) -> None:
    with pytest.raises(KokSimError) as error:
        sweep(values, "cautious", "tidy", games=10)
    assert str(error.value) == message


def test_rules_of_several_numbers_can_be_swept_in_the_interface() -> None:
    weights = [[1, 1, 1, 1, 1, 1], (1, 1, 1, 1, 1, 2)]
    found = sweep({"color_weights": weights}, "cautious", "tidy", games=10, threads=1)
    assert found.found.settings == [("1,1,1,1,1,1",), ("1,1,1,1,1,2",)]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("settings", "fixed", "swept"),
    [
        (["jokers=0:4:2"], {}, {"jokers": [0, 2, 4]}),
        (["jokers = 0 : 5 : 2"], {}, {"jokers": [0, 2, 4]}),
        (["jokers=3:3"], {}, {"jokers": [3]}),
        (["jokers=3", "star_penalty=9,1"], {"jokers": 3}, {"star_penalty": [9, 1]}),
        (["shared_firsts=true, false"], {}, {"shared_firsts": [True, False]}),
        (["color_weights=1,1,1,1,1,2"], {"color_weights": [1, 1, 1, 1, 1, 2]}, {}),
        (["tie_break=stars"], {"tie_break": "stars"}, {}),
    ],
)
def test_how_values_are_typed(settings: list[str], fixed: dict[str, Any], swept: dict[str, Any]) -> None:
    assert parse_sweep(Rules, settings) == (fixed, swept)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("rolls=30", ("rolls", 30.0)),
        (" low_5 = -1.5 ", ("low_5", -1.5)),
        ("win a:b=2", None),
        ("close=1e1", ("close", 10.0)),
    ],
)
def test_how_targets_are_typed(text: str, target: tuple[str, float] | None) -> None:
    assert parse_target(text) == (target or ("win a:b", 2.0))


def test_a_target_of_a_strategy_with_a_parameter() -> None:
    """Its name has an equals sign of its own, so the value is what follows the last one."""
    assert parse_target("win tidy:jokers=3=40") == ("win tidy:jokers=3", 40.0)
    with pytest.raises(PlanError):
        parse_target("win tidy:jokers=3=x")
