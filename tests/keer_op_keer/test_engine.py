"""The engine against the referee, move for move; and what every outcome must fulfil."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulator.errors import StrategyError
from simulator.keer_op_keer.features import FEATURE_NAMES, MOVE_FIELDS, VIEW_FIELDS
from simulator.keer_op_keer.game import GAME
from simulator.keer_op_keer.rules import OFFICIAL, Rules
from simulator.keer_op_keer.sheet import load_sheet
from simulator.outcomes import WHOLE_SHARE, alone, rotations
from simulator.strategy import Scored, Weights
from simulator.table import Table
from strategies import find_strategy, strategy_names
from tests import switches
from tests.agreement import Setup, same_game
from tests.keer_op_keer.setups import ODD, SIXES, random_setup

BLACK = load_sheet("black")
GREEDY = Weights("greedy", "", {"points": 1.0, "cells": 0.1})
CAUTIOUS = find_strategy("cautious")


@pytest.mark.parametrize("batch", range(40))
def test_referee_and_engine_play_the_same_games(batch: int) -> None:
    """2,000 games: all sheets, 1 to 6 players, all strategies, random rules."""
    for number in range(50):
        setup = random_setup(batch * 1000 + number)
        same_game(setup, number % len(setup.strategies))


def test_random_games_try_every_switch() -> None:
    """A switch that they never change, or on which nothing in them depends, they do not compare."""
    drawn = switches.drawn(random_setup(batch * 1000 + number) for batch in range(10) for number in range(50))
    assert drawn.keys() == switches.names(Rules)
    for name, with_it in drawn.items():
        concerned = [setup for setup in with_it if setup.solo == name.startswith("solo_")]
        assert len(concerned) >= 5, name
        assert any(switches.matters(setup, name) for setup in concerned), name


@pytest.mark.parametrize("name", strategy_names())
def test_every_strategy_plays_the_same_whole_game(name: str) -> None:
    strategy = find_strategy(name)
    for setup in (
        Setup([strategy, GREEDY], [BLACK, load_sheet("red")], OFFICIAL, 5, 17),
        Setup([strategy], [load_sheet("purple")], OFFICIAL, 6, 18),
    ):
        same_game(setup, 0)


AWKWARD = {
    "full columns are feared": ({"column_points": -2, "cells": 1}, {}),
    "progress, from column A": ({"points": 1, "column_progress": 0.1, "cells": 0.1}, {}),
    "progress is nothing in roll 3, then bad": (
        {"points": 1, "column_progress": 0.1},
        {"column_progress": -0.05},
    ),
    "jokers are liked": ({"points": 1, "cells": 0.1, "jokers": -3}, {}),
    "jokers are free": ({"cells": 1, "points": 1, "jokers": -1}, {}),
    "everything": (dict.fromkeys(FEATURE_NAMES, 0.25), {"points": 0.01, "jokers": -0.02}),
    "everything but luck": (dict.fromkeys(FEATURE_NAMES, 0.25) | {"luck": 0}, {}),
    "replies alone": ({"replies": 1, "cells": 0.5}, {}),
    "passes now and then": ({"passing": 0.5, "cells": 0.25, "points": 1, "finished": 1}, {"passing": -0.01}),
    "nothing counts": ({"cells": 0}, {}),
    "nothing at first": ({"points": 1}, {"column_progress": 0.0625, "frontier": 0.01, "replies": 0.02, "luck": 0.01}),
    "jokers grow dear": ({"points": 1, "cells": 0.1}, {"jokers": 0.05, "passing": 0.01}),
    "colors grow": ({"color_progress": 0.1, "cells": 0.1, "column_points": 1}, {}),
}


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_weights_play_the_same_whole_games(name: str) -> None:
    weights, per_roll = AWKWARD[name]
    strategy = Weights(name, "", weights, per_roll)
    same_game(Setup([strategy, GREEDY], [BLACK, BLACK], Rules(start_columns="A", roll_limit=60), 3, 5), 0)
    house = Rules(jokers=3, pass_penalty=1, color_dice=4, number_dice=4, column_later=(0,) * 15, roll_limit=60)
    same_game(Setup([GREEDY, strategy, strategy], [BLACK, load_sheet("green"), SIXES], house, 4, 6), 2)
    for switch in ("shared_firsts", "passive_see_active", "first_for_all"):
        rules = Rules.from_changes({switch: switch != "shared_firsts", "color_later": 0})
        same_game(Setup([strategy, CAUTIOUS, GREEDY], [BLACK] * 3, rules, 5, 7), 1)


def reader(record: str, name: str, shape: tuple[int, ...]) -> Scored:
    """A scored function whose choices hang on one field of the view or the move."""
    where = f"{record}.{name}"
    if len(shape) == 0:
        body = f"    v = 8 * {where}\n"
    elif len(shape) == 1:
        body = f"    v = 0.0\n    for i in range({shape[0]}):\n        v += (i + 1) * {where}[i]\n"
    elif len(shape) == 2:
        body = f"    v = 0.0\n    for i in range({shape[0]}):\n        v += (i + 1) * {where}[i, 3 * i % {shape[1]}]\n"
    else:
        body = (
            f"    v = 0.0\n    for i in range({shape[0]}):\n        for j in range({shape[1]}):\n"
            f"            v += (i + j + 1) * {where}[i, j, (i + 3 * j) % {shape[2]}]\n"
        )
    source = (
        f"def read(view, move):\n{body}"
        "    return move.cells * (1 + v % 5) + move.stars * (v % 3) - move.jokers * (v % 7) + move.points\n"
    )
    names: dict[str, Any] = {}
    exec(source, names)
    return Scored(f"reads {where}", "", names["read"])


SHAPES = {name: shape for name, shape, _ in VIEW_FIELDS}
FIELDS = [("view", *field[:2]) for field in VIEW_FIELDS] + [("move", *field[:2]) for field in MOVE_FIELDS]


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: f"{field[0]}.{field[1]}")
def test_every_field_shows_the_same_to_a_scored_function(field: tuple[str, str, tuple[int, ...]]) -> None:
    strategy, blue = reader(*field), load_sheet("blue")
    rules = Rules(roll_limit=14, color_later=2)
    same_game(Setup([strategy, GREEDY, strategy], [BLACK, blue, BLACK], rules, 11, 3), 1)
    house = Rules(
        roll_limit=14, start_columns="BHN", connect_through_crosses=True, shared_firsts=False, passive_see_active=True,
        column_later=(9,) * 15, pass_penalty=1, open_rolls=0,
    )  # fmt: skip
    same_game(Setup([strategy, strategy], [blue, BLACK], house, 12, 3), 0)


def test_a_whole_game_of_scored_functions_settles_claims() -> None:
    names = ("column_value", "color_value", "column_unclaimed", "color_unclaimed", "other_score", "other_colors_full")
    for name in names:
        strategy = reader("view", name, SHAPES[name])
        same_game(Setup([strategy, GREEDY], [BLACK, BLACK], OFFICIAL, 2, 8), 1)


def test_scores_are_the_sum_of_their_parts_and_wins_are_shared_out() -> None:
    strategies = [find_strategy(name) for name in ("greedy", "random", "stars")]
    outcomes = Table(GAME, strategies, [BLACK] * 3, Rules(pass_penalty=1), 4, rotations(3)).play(0, 200)
    assert (outcomes.parts.sum(axis=-1) == outcomes.scores).all()
    assert (outcomes.shares.sum(axis=-1) == WHOLE_SHARE).all()
    assert (outcomes.rolls > 0).all()
    assert not outcomes.stopped.any()


def test_blocks_do_not_depend_on_how_they_are_cut() -> None:
    table = Table(GAME, [GREEDY, find_strategy("random")], [BLACK] * 2, OFFICIAL, 9, rotations(2))
    whole = table.play(5, 20)
    pieces = [table.play(5, 7), table.play(12, 1), table.play(13, 12)]
    for name in ("scores", "shares", "parts", "rolls", "stopped"):
        assert (getattr(whole, name) == np.concatenate([getattr(piece, name) for piece in pieces])).all()


def test_solo_strategies_do_not_disturb_each_other() -> None:
    both = Table(GAME, [GREEDY, find_strategy("stars")], [BLACK, load_sheet("red")], OFFICIAL, 9, alone(2), solo=True)
    one = Table(GAME, [find_strategy("stars")], [load_sheet("red")], OFFICIAL, 9, alone(1), solo=True)
    assert (both.play(0, 50).scores[:, 1] == one.play(0, 50).scores[:, 0]).all()
    assert both.record(3, 1) == one.record(3, 0)


def test_a_strategy_that_always_passes_meets_the_limit_of_1000_rolls() -> None:
    passes = Weights("passes", "", {"passing": 1000.0})
    outcomes = Table(GAME, [passes, passes], [BLACK] * 2, OFFICIAL, 1, rotations(2)).play(0, 1)
    assert (outcomes.rolls == 1000).all()
    assert (outcomes.stopped == 1).all()
    assert (outcomes.scores == 8 - 30).all()
    assert (outcomes.shares == WHOLE_SHARE // 2).all()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return 1 / (view.roll - 2)", "divide by zero"),
        ("return 1e200 * view.roll * 1e200", "gave inf .*; it must give a finite number"),
        ("return -np.inf if move.cells == 2 else 0.0", "gave -inf .*; it must give a finite number"),
        ("return view.column_left[15] * 1.0 if view.roll == 3 else 0.0", "IndexError"),
        ("if view.roll == 2: raise ValueError('no')\n    return 0.0", "ValueError"),
    ],
)
def test_a_failing_function_is_named_with_the_reason(body: str, reason: str) -> None:
    names: dict[str, Any] = {"np": np}
    exec(f"def broken(view, move):\n    {body}\n", names)
    table = Table(GAME, [Scored("my.py:broken", "", names["broken"]), GREEDY], [BLACK] * 2, OFFICIAL, 1, rotations(2))
    assert not table.notes
    with pytest.raises(StrategyError, match=reason) as caught:
        table.play(0, 10)
    assert "my.py:broken" in str(caught.value)


def test_a_truth_value_is_a_score() -> None:
    setup = Setup([Scored("truth", "", lambda view, move: move.cells > 2)], [BLACK], Rules(solo_rolls=9), 1, 0)
    assert not setup.table().notes
    same_game(setup, 0)


def test_departures_of_a_sheet_are_noted_once() -> None:
    setup = Setup([GREEDY, GREEDY], [ODD[1], ODD[1]], OFFICIAL, 1, 0)
    (note,) = setup.table().notes
    assert note.startswith("sheet odd 0 departs from the official pattern (")
    assert note.endswith(" more); see kok-sim sheets check")


def test_a_function_that_does_not_compile_is_played_in_plain_python() -> None:
    def by_name(view, move):
        return getattr(move, "".join(["poi", "nts"])) + 0.125 * move.cells

    slow = Table(GAME, [Scored("slow", "", by_name)], [BLACK], Rules(solo_rolls=5), 1, alone(1), solo=True)
    fast = Table(
        GAME, [Weights("g", "", {"points": 1, "cells": 0.125})], [BLACK], Rules(solo_rolls=5), 1, alone(1), solo=True
    )
    assert "slow does not compile" in slow.notes[0]
    assert (slow.play(0, 4).scores == fast.play(0, 4).scores).all()
