"""A plan is complete, checked when made, and says what is wrong in one line."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from simulator.errors import PlanError, UnknownNameError
from simulator.experiments.plan import Plan
from simulator.keer_op_keer.rules import Rules
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
    }


def test_a_description_repeats_the_plan() -> None:
    made = plan("a", "b", "c", games=10, rules=Rules(star_penalty=0))
    described = made.describe()
    again = Plan(
        made.strategies,
        made.sheets,
        described["games"],
        described["seed"],
        Rules.from_changes(described["rules"]),
        described["mode"] == "solo",
        described["game"],
    )
    assert again.describe() == described
