"""A plan is complete, checked when made, and says what is wrong in one line."""

from __future__ import annotations

import dataclasses
import json
from itertools import combinations

import numpy as np
import pytest

from simulator.errors import KokSimError, PlanError, UnknownNameError
from simulator.experiments.plan import Plan
from simulator.experiments.stopping import Sprt, Until
from simulator.keer_op_keer.rules import Rules
from simulator.keer_op_keer.sheet import load_sheet
from simulator.strategy import Weights
from tests.experiments.fakes import plan


@pytest.mark.parametrize(
    ("names", "games", "blocks", "total"),
    [("ab", 1, 1, 2), ("ab", 10, 5, 10), ("abc", 10, 4, 12), ("abcdef", 6, 1, 6), ("abcdef", 7, 2, 12)],
)
def test_games_are_rounded_up_to_whole_blocks(names: str, games: int, blocks: int, total: int) -> None:
    made = plan(*names, games=games)
    assert (made.blocks, made.total_games, made.games_played) == (blocks, total, total)
    assert made.seats == len(names)
    assert made.seating.shape == (len(names), len(names))


def test_every_strategy_sits_in_every_seat_once() -> None:
    seating = plan(*"abcd").seating
    assert (np.sort(seating, axis=0) == np.arange(4)[:, None]).all()
    assert (np.sort(seating, axis=1) == np.arange(4)).all()


def test_solo_plays_every_strategy_on_every_deal() -> None:
    made = plan(*"abc", games=10, solo=True)
    assert (made.blocks, made.total_games, made.games_played, made.seats) == (10, 10, 30, 1)
    assert made.seating.tolist() == [[0], [1], [2]]


@pytest.mark.parametrize("table", [2, 3, 6])
def test_a_tournament_has_a_table_for_every_group(table: int) -> None:
    made = dataclasses.replace(plan(*"abcdef", games=10), table=table)
    assert made.tables == list(combinations(range(6), table))
    assert made.seats == table
    assert made.blocks == -(-10 // table)
    assert made.games_played == made.blocks * table * len(made.tables)
    for number, group in enumerate(made.tables):
        games = made.seating[number * table : (number + 1) * table]
        assert (np.sort(games, axis=1) == group).all()
        assert (np.sort(games, axis=0) == np.array(group)[:, None]).all()  # each in every seat once


def test_a_focus_leaves_only_tables_of_the_first() -> None:
    made = dataclasses.replace(plan(*"abcd"), table=3, focus=True)
    assert made.tables == [(0, 1, 2), (0, 1, 3), (0, 2, 3)]
    assert (made.seating == 0).any(axis=1).all()


@pytest.mark.parametrize(
    ("names", "change", "message"),
    [
        ("a", {"table": 2}, "a tournament at tables of 2 needs 2 to 50 strategies; got 1"),
        ("ab", {"table": 3}, "a tournament at tables of 3 needs 3 to 50 strategies; got 2"),
        ("a" * 51, {"table": 2}, "a tournament at tables of 2 needs 2 to 50 strategies; got 51"),
        ("ab", {"table": 1}, "a table of a tournament must seat 2 to 6 players; got 1"),
        ("abcdefg", {"table": 7}, "a table of a tournament must seat 2 to 6 players; got 7"),
        ("ab", {"table": 2.0}, "a table of a tournament must seat 2 to 6 players; got 2.0"),
        (
            "a" * 40,
            {"table": 3},
            "40 strategies at tables of 3 make 9,880 tables, more than 5,000; "
            "name fewer strategies, or seat fewer at a table",
        ),
        (
            "ab",
            {"table": 2, "solo": True},
            "a tournament is played at tables of two or more; there is none",
        ),
        ("ab", {"focus": True}, "only a tournament has a focus"),
        ("ab", {"table": 2, "stop": Sprt(0.5, 0.6)}, "a sequential test needs one table"),
    ],
)
def test_tournaments_that_cannot_be(names: str, change: dict[str, object], message: str) -> None:
    settings = {"games": 10, "solo": False} | change
    strategies = tuple(Weights(name, "any", {"points": 1.0}) for name in names)
    with pytest.raises(PlanError) as error:
        Plan(strategies, (load_sheet("black"),) * len(names), **settings)  # type: ignore[arg-type]
    assert str(error.value).startswith(message)


def test_labels_are_distinct() -> None:
    assert plan("greedy", "greedy", "tidy", "greedy").labels == ("greedy", "greedy (2)", "tidy", "greedy (3)")
    assert plan("a (2)", "a", "a").labels == ("a (2)", "a", "a (3)")


@pytest.mark.parametrize(
    ("names", "solo", "message"),
    [
        ("", False, "a shared table seats 2 to 6 strategies; got 0"),
        ("a", False, "a shared table seats 2 to 6 strategies; got 1"),
        ("abcdefg", False, "a shared table seats 2 to 6 strategies; got 7"),
        ("", True, "a solo experiment needs 1 to 50 strategies; got 0"),
    ],
)
def test_wrong_number_of_strategies(names: str, solo: bool, message: str) -> None:
    with pytest.raises(PlanError) as error:
        plan(*names, solo=solo)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": 0}, "the number of games must be a whole number from 1 to 1e+12; got 0"),
        ({"games": -5}, "the number of games must be a whole number from 1 to 1e+12; got -5"),
        ({"games": 1.5}, "the number of games must be a whole number from 1 to 1e+12; got 1.5"),
        ({"games": True}, "the number of games must be a whole number from 1 to 1e+12; got True"),
        ({"seed": -1}, "the seed must be a whole number from 0 to 2**64 - 1; got -1"),
        ({"seed": 2**64}, f"the seed must be a whole number from 0 to 2**64 - 1; got {2**64}"),
        ({"sheets": ()}, "every strategy needs one sheet; got 0 for 2 strategies"),
    ],
)
def test_wrong_values(change: dict[str, object], message: str) -> None:
    with pytest.raises(PlanError) as error:
        dataclasses.replace(plan("a", "b"), **change)  # type: ignore[arg-type]
    assert str(error.value) == message


@pytest.mark.parametrize("levels", [-1, 1, 51, True, 7.0, None, "7"])
def test_levels_that_cannot_be(levels: object) -> None:
    with pytest.raises(PlanError) as error:
        dataclasses.replace(plan("a", solo=True), levels=levels)  # type: ignore[arg-type]
    assert str(error.value) == f"the levels of a rating must be 2 to 50, or 0 for the official ones; got {levels!r}"


@pytest.mark.parametrize("kind", [{}, {"table": 2}])
def test_only_the_solo_game_has_levels(kind: dict[str, int]) -> None:
    told = "only scores of the solo game are rated, so only there can other levels be proposed"
    with pytest.raises(PlanError, match=f"^{told}$"):
        dataclasses.replace(plan("a", "b"), levels=7, **kind)  # type: ignore[arg-type]
    assert plan("a", solo=True, levels=50).levels == 50


def test_unknown_game_offers_the_near_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'keer-op-keer'"):
        dataclasses.replace(plan("a", "b"), game="keer-op-kear")


def test_a_plan_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        plan("a", "b").games = 3  # type: ignore[misc]


def test_description_is_plain_and_complete() -> None:
    made = plan(
        "a", "a", games=3, seed=2**64 - 1, boards="black,red", rules=Rules(open_rolls=0, column_later=(1,) * 15)
    )
    described = made.describe()
    assert json.loads(json.dumps(described)) == described
    assert described == {
        "game": "keer-op-keer",
        "mode": "multiplayer",
        "strategies": [
            {"label": "a", "name": "a", "settings": {"weights": {"points": 1.0}, "per_roll": {}}},
            {"label": "a (2)", "name": "a", "settings": {"weights": {"points": 1.0}, "per_roll": {}}},
        ],
        "sheets": [{"name": s.name, "lines": list(s.lines)} for s in made.sheets],
        "rules": {"column_later": [1] * 15, "open_rolls": 0},
        "table": None,
        "focus": False,
        "independent": False,
        "seed": 2**64 - 1,
        "games": 3,
        "blocks": 2,
        "stop": None,
        "levels": 0,
    }


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"rules": Rules(star_penalty=0, column_later=(1,) * 15)},
        {"table": 2, "focus": True},
        {"table": 3},
        {"independent": True, "stop": Sprt(0.5, 0.52)},
        {"stop": Until(0.002)},
        {"solo": True, "levels": 13},
    ],
)
def test_a_description_repeats_the_plan(change: dict[str, object]) -> None:
    made = dataclasses.replace(plan("a", "b", "c", games=10, boards="black,red,blue"), **change)  # type: ignore[arg-type]
    described = json.loads(json.dumps(made.describe()))
    again = Plan.from_description(described, made.strategies)
    assert again == made
    assert again.describe() == described


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": "1"}, "the description of the experiment is damaged: seed is '1'"),
        ({"games": True}, "games is True"),
        ({"focus": 1}, "focus is 1"),
        ({"levels": None}, "levels is None"),
        ({"levels": True}, "levels is True"),
        ({"levels": 7}, "only scores of the solo game are rated"),
        ({"mode": "solo", "levels": 51}, "must be 2 to 50, or 0 for the official ones; got 51"),
        ({"mode": "duel"}, "mode does not agree with the rest"),
        ({"blocks": 3}, "blocks does not agree with the rest"),
        ({"sheets": []}, "every strategy needs one sheet; got 0 for 2 strategies"),
        ({"sheets": [{"name": "x", "lines": [1] * 7}] * 2}, "sheet"),
        ({"sheets": ["black", "black"]}, "must be an object; got 'black'"),
        ({"rules": {"star_penalti": 1}}, "did you mean 'star_penalty'"),
        ({"stop": {"rule": "untill", "half_width": 0.1}}, "unknown stopping rule 'untill'; did you mean 'until'"),
        ({"stop": {"rule": "until"}}, "the stopping rule 'until' is damaged"),
        ({"stop": {"rule": "sprt", "low": 0.6, "high": 0.5, "alpha": 0.05, "beta": 0.05}}, "the smaller first"),
        ({"stop": {"rule": "sprt", "low": 0.5, "high": 0.6, "alpha": 0.5, "beta": 0.05}}, "stop does not agree"),
        ({"strategies": []}, "strategies does not agree with the rest"),
    ],
)
def test_damaged_descriptions(change: dict[str, object], message: str) -> None:
    made = plan("a", "b")
    with pytest.raises(KokSimError) as error:
        Plan.from_description(made.describe() | change, made.strategies)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("key", plan("a", "b").describe())
def test_incomplete_descriptions(key: str) -> None:
    made = plan("a", "b")
    described = made.describe()
    del described[key]
    with pytest.raises(PlanError, match=f"^the description of the experiment is damaged: {key} is missing$"):
        Plan.from_description(described, made.strategies)
