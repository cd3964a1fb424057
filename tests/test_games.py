"""Every game that there is has all rooms, and the tests that every game needs: what holds for all is tested here."""

from __future__ import annotations

import inspect
import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reports.measures import Measure, measures
from simulator.errors import KokSimError, PlanError, RecordError, UnknownNameError
from simulator.experiments.plan import Plan
from simulator.game import Game
from simulator.games import DEFAULT, PACKAGES, find_game, game_names
from simulator.outcomes import rotations
from simulator.rules import RuleSet
from simulator.sight import Sight
from simulator.strategy import Strategy, Weights
from simulator.table import Table
from strategies import find_strategy, strategy_names
from strategies.registry import SHIPPED, rows

ROOT = Path(__file__).parent.parent
ROOMS = {
    "features.py", "game.py", "rules.py", "telling.py",
    "engine/__init__.py", "referee/__init__.py", "watching.py",
}  # fmt: skip
TESTS = {
    "__init__.py", "setups.py", "test_engine.py", "test_records.py",
    "test_referee_choosing.py", "test_referee_rules.py", "test_switches.py", "test_watching_referee.py",
}  # fmt: skip
REFEREE = {
    "play": ["strategies", "sheets", "rules", "seed", "index", "solo", "script"],
    "watch": ["strategies", "sheets", "rules", "seed", "index", "solo", "script"],
    "verify": ["record"],
    "script": ["log", "sheets"],
}
ENGINE = {
    "build_sides": ["strategies", "compiled", "sheets", "rules"],
    "build_setup": ["sides", "members", "rules", "solo"],
    "new_game": ["sides", "members", "watched"],
    "log_shape": ["seats"],
}
SEED = 7


@pytest.fixture(params=game_names())
def game(request: pytest.FixtureRequest) -> Game:
    return find_game(request.param)


def players(game: Game, count: int) -> list[Strategy]:
    """Strategies with weights, one after the other."""
    shipped = [
        found for name in strategy_names(game.name) if isinstance(found := find_strategy(name, game.name), Weights)
    ]
    return [shipped[i % len(shipped)] for i in range(count)]


def sheets(game: Game, count: int) -> list[Any]:
    return [game.sheets.load(game.sheets.names()[0])] * count if game.sheets else []


def table(game: Game, seats: int) -> Table:
    """A table with that many seats; the solo game if there is one."""
    seating = rotations(seats)
    return Table(game, players(game, seats), sheets(game, seats), game.rules(), SEED, seating, solo=seats == 1)


def test_games_are_found_by_name() -> None:
    assert DEFAULT in game_names()
    for name in game_names():
        assert find_game(name) is find_game(name)
        assert find_game(name).name == name
    with pytest.raises(UnknownNameError, match="unknown game 'qwix'; did you mean 'qwixx'"):
        find_game("qwix")
    for wrong in (None, 3, ["qwixx"], find_game("qwixx")):
        with pytest.raises(
            PlanError, match=f"a game must be a name, such as 'keer-op-keer'; got {type(wrong).__name__}$"
        ):
            find_game(wrong)  # type: ignore[arg-type]


def test_every_package_of_a_game_is_listed() -> None:
    packages = {path.parent.name for path in (ROOT / "simulator").glob("*/game.py")}
    assert packages == set(PACKAGES.values())
    assert len(PACKAGES) == len(packages)


def test_it_has_all_rooms(game: Game) -> None:
    package = ROOT / "simulator" / game.package
    assert {room for room in ROOMS if not (package / room).is_file()} == set()
    assert (package / "solver.py").is_file() == game.solvable
    builtin = ROOT / "strategies" / "builtin" / game.package
    assert (builtin / "__init__.py").is_file()
    assert len(strategy_names(game.name)) >= 3
    assert "random" in strategy_names(game.name)


def test_it_has_all_tests(game: Game) -> None:
    found = {path.name for path in (ROOT / "tests" / game.package).iterdir()}
    assert TESTS - found == set()
    assert ("test_solver.py" in found) == game.solvable


def test_it_is_documented(game: Game) -> None:
    """Its strategies, and all that a strategy of one's own sees are somewhere in the documents."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = readme + "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md")))
    assert game.title in readme
    names = [name for name, _, _ in (*game.sight.view_fields, *game.sight.move_fields)]
    assert [name for name in names if f"`{name}`" not in text] == []
    assert [name for name, row in rows(game.name).items() if row.origin == SHIPPED and name not in text] == []
    assert game.entry_points in text


def test_its_engine_and_referee_are_kept_apart(game: Game) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contracts = settings["importlinter"]["contracts"]
    apart = [set(contract["modules"]) for contract in contracts if contract["type"] == "independence"]
    assert {f"simulator.{game.package}.engine", f"simulator.{game.package}.referee"} in apart
    assert any(game.package in layer for contract in contracts for layer in contract.get("layers", ()))
    kernels = [name for part in settings["mypy"]["overrides"] for name in part["module"]]
    assert f"simulator.{game.package}.engine.*" in kernels


def test_what_it_says_of_itself_is_whole(game: Game) -> None:
    assert isinstance(game.sight, Sight)
    assert issubclass(game.rules, RuleSet)
    assert game.rules().changes() == {}
    assert game.title in game.about
    assert "\n" not in game.about
    assert game.most_players >= 2
    assert game.most_rolls >= 100
    assert len(set(game.parts)) == len(game.parts) > 0
    assert not {"player", "total"} & set(game.parts)
    points = {other.entry_points for other in map(find_game, game_names())}
    assert len(points) == len(game_names())
    assert "luck" in game.sight.names
    if game.sheets is not None:
        assert game.sheets.names()
    for band, above in zip(game.bands, game.bands[1:], strict=False):
        assert band.high is not None
        assert band.high + 1 == above.low


def test_what_it_watches_can_be_told(game: Game) -> None:
    watch = game.watch
    names = [count.name for count in watch.counts]
    assert len(set(names)) == len(names)
    assert len(set(watch.feats)) == len(watch.feats) <= 62
    for count in watch.counts:
        assert count.about.endswith(".")
        for words in (count.more, count.less):
            assert words.count("{}") == 1
            assert words.format("3.0 ± 0.1") != words
    shown = {measure.name for solo in (False, True) for measure in measures_of(game, solo)}
    assert set(names) <= shown
    assert {"rolls", "mean_score", "ties", "lead_changes", "dice_variance"} <= shown


def measures_of(game: Game, solo: bool) -> list[Measure]:
    """The measures of two strategies at a table, or alone."""
    two = tuple(players(game, 2))
    return measures(Plan(two, tuple(sheets(game, 2)), 10, solo=solo, game=game.name))


def test_its_measures_are_named_once_and_told_both_ways(game: Game) -> None:
    for solo in (False, True):
        found = measures_of(game, solo)
        assert len({measure.name for measure in found}) == len({measure.label for measure in found}) == len(found)
        for measure in found:
            more, less = (words.format("1.0", base="2.0", variant="3.0") for words in measure.words)
            assert more != less
            assert "{" not in more + less


def test_skill_is_shown_by_two_of_its_strategies(game: Game) -> None:
    strong, plain = (find_strategy(name, game.name) for name in game.duel)
    assert strong != plain
    assert all(rows(game.name)[name].origin == SHIPPED for name in game.duel)


def test_what_it_shows_is_explained(game: Game) -> None:
    sight = game.sight
    for fields in (sight.view_fields, sight.move_fields):
        names = [name for name, _, _ in fields]
        assert len(set(names)) == len(names)
        assert all(meaning and "\n" not in meaning for _, _, meaning in fields)
    moves = {name for name, _, _ in sight.move_fields}
    assert set(sight.names) <= moves  # a function sees all that weights weigh
    assert {"roll", "players"} <= {name for name, _, _ in sight.view_fields}
    assert {feature.sign for feature in sight.features} == {-1, 1}


@pytest.mark.parametrize(("room", "functions"), [("referee", REFEREE), ("engine", ENGINE)])
def test_its_rooms_have_their_doors(game: Game, room: str, functions: dict[str, list[str]]) -> None:
    for name, arguments in functions.items():
        door = getattr(getattr(game, room), name)
        given = [argument.lstrip("_") for argument in inspect.signature(door).parameters]  # _ for one that is not used
        assert given[: len(arguments)] == arguments, (room, name)
    for name in ("dice", "move", "picture"):
        assert callable(getattr(game.telling, name))


@pytest.mark.parametrize("seats", [1, 2, 0], ids=["solo", "two", "most"])
def test_engine_and_referee_play_the_same_game_and_it_can_be_told(game: Game, seats: int) -> None:
    played = table(game, seats or game.most_players)
    assert played.compiled
    outcomes = played.play(0, 2)
    low, high = game.rules().score_range()
    for block in range(2):
        for number in (0, len(played.seating) - 1):
            record = played.record(block, number)
            by_referee = game.referee.play(
                [played._strategies[seat] for seat in played.seating[number]], played._seated(number), game.rules(),
                SEED, played.index(block, number), solo=seats == 1,
            )  # fmt: skip
            assert record == by_referee
            game.referee.verify(json.loads(json.dumps(record)))
            assert record["game"] == game.name
            assert len(record["rolls"]) == outcomes.rolls[block, number] <= game.most_rolls
            finals = record["final"]
            assert [final["total"] for final in finals] == outcomes.scores[block, number].tolist()
            assert [[final.get(part, 0) for part in game.parts] for final in finals] == outcomes.parts[
                block, number
            ].tolist()
            assert np.array_equal(outcomes.parts[block, number].sum(axis=1), outcomes.scores[block, number])
            assert all(low <= final["total"] <= high for final in finals)
            told(game, record, played._seated(number))


def told(game: Game, record: dict[str, Any], seated: list[Any]) -> None:
    """Everything about a record can be said and drawn."""
    for entry in record["rolls"]:
        assert "".join(span.text for span in game.telling.dice(entry)).strip()
        assert all(game.telling.move(move) for move in entry["moves"])
    for seat in range(len(record["players"])):
        sheet = seated[seat] if seated else None
        for rolls in (0, len(record["rolls"])):
            drawing = game.telling.picture(record, seat, rolls, sheet, game.rules())
            assert len(drawing) > 3
        assert drawing != game.telling.picture(record, seat, 0, sheet, game.rules())


def test_a_record_that_was_tampered_with_is_refused(game: Game) -> None:
    record = table(game, 2).record(0, 0)
    record["final"][0]["total"] += 1
    with pytest.raises(RecordError):
        game.referee.verify(record)


def test_a_record_of_another_game_is_refused(game: Game) -> None:
    record = table(game, 2).record(0, 0)
    for other in game_names():
        if other != game.name:
            with pytest.raises(KokSimError):
                find_game(other).referee.verify(record)
            with pytest.raises(KokSimError):
                game.referee.verify({**record, "game": other})


def test_nothing_above_the_games_knows_one_of_them() -> None:
    """Experiments, reports, the table and what all games share name no game; the command line only in help."""
    above = [*(ROOT / "simulator").glob("*.py"), *(ROOT / "simulator" / "experiments").glob("*.py")]
    above += [*(ROOT / "reports").glob("*.py"), *(ROOT / "strategies").glob("*.py")]
    above += [*(ROOT / "kok_sim").rglob("*.py")]
    assert len(above) > 40
    for path in above:
        text = path.read_text(encoding="utf-8")
        for package in PACKAGES.values():
            assert f"simulator.{package}" not in text, path
            assert f"import {package}" not in text, path
