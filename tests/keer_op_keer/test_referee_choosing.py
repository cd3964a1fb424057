"""What strategies see and how they choose, by the referee: every figure and field on positions worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from simulator import dice
from simulator.errors import StrategyError, UnknownNameError
from simulator.keer_op_keer.features import FEATURE_NAMES, MOVE, SIGNS, VIEW
from simulator.keer_op_keer.referee import Choice, Move, choice_for, choose, play, play_roll, rater, verify
from simulator.keer_op_keer.referee.choosing import candidates, figures, move_records, view_record
from simulator.keer_op_keer.rules import OFFICIAL, Rules
from simulator.strategy import Scored, Weights
from tests.keer_op_keer.test_referee_rules import BLACK, GREEN, cells, of_color, setup

FRESH = ""
GROWN = "H3 H4 H5 G3"  # pink, blue, blue, green with a star


def figures_of(choice: Choice, text: str, *names: str) -> dict[str, float]:
    """Figures of a move, those that are not 0; ``luck`` left out unless named."""
    rated = candidates(choice)
    found = dict(zip([str(candidate.move) for candidate in rated], figures(choice, rated), strict=True))[text]
    return {name: value for name, value in found.items() if (name in names or name != "luck") and value}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pass", {"passing": 1}),
        (
            # D2 D3 D4 stay open in one piece; E2, E4, F2, F4 and D3 come within reach, G3 is crossed
            "green* 2: E3 F3",
            {
                "points": -1,
                "cells": 2,
                "distance": 3 + 2,
                "column_progress": 2 * 1 + 2 * 1,
                "color_progress": 5 * (9 - 1),
                "frontier": 5,
                "jokers": 1,
                "leftover": 3,
            },
        ),
        (
            # D2 and D4 are left alone: two singles in two pieces; C3, D2, D4, E2, E4, F2, F4 come within reach
            "green 3*: D3 E3 F3",
            {
                "points": -1,
                "cells": 3,
                "distance": 4 + 3 + 2,
                "column_progress": 3 + 2 + 2,
                "color_progress": 5 * (16 - 1),
                "frontier": 7,
                "jokers": 1,
                "leftover": 2,
                "singles": 2,
                "pieces": 1,
            },
        ),
        (
            # G5 alone is left of the blue block; of its neighbors F4 was out of reach
            "blue 1: G4",
            {
                "cells": 1,
                "distance": 1,
                "column_progress": 2 * (4 - 1),
                "color_progress": 5 * (9 - 4),
                "frontier": 1,
                "leftover": 1,
                "singles": 1,
            },
        ),
        (
            # finishes the blue block
            "blue 2: G4 G5",
            {
                "cells": 2,
                "distance": 2,
                "column_progress": 2 * (9 - 1),
                "color_progress": 5 * (16 - 4),
                "finished": 1,
                "frontier": 3,
                "pieces": -1,
            },
        ),
        (
            # the star on I6; H7 I7 J7 are left; G6, J6, I7 come within reach, H7 always was
            "yellow* 2: H6 I6",
            {
                "points": 2 - 1,
                "stars": 1,
                "cells": 2,
                "start_cells": 1,
                "distance": 1,
                "column_progress": 1 * (16 - 9) + 2 * 1,
                "color_progress": 5 * 4,
                "frontier": 3,
                "jokers": 1,
                "leftover": 3,
            },
        ),
        (
            # a block of one: finished, and one single less; the star pays for the two jokers
            "green* 1*: H1",
            {
                "stars": 1,
                "cells": 1,
                "start_cells": 1,
                "column_progress": 16 - 9,
                "color_progress": 5 * (4 - 1),
                "finished": 1,
                "frontier": 2,
                "jokers": 2,
                "singles": -1,
                "pieces": -1,
            },
        ),
    ],
)
def test_figures_of_a_move(text, expected):
    choice = choice_for(setup(GROWN, colors="green blue joker", numbers="2 1 joker", roll=5), 0)
    assert figures_of(choice, text) == expected


def test_points_of_columns_and_colors_count_what_is_filled():
    game = setup(of_color(GREEN, but="H1") + " H2 H3 H4 H5 H6 H7", FRESH)
    found = figures_of(choice_for(game, 0), "green 1: H1")
    assert (found["points"], found["column_points"], found["color_points"]) == (1 + 5 + 2, 1, 5)
    game.columns_claimed.add(7)
    game.colors_claimed.add(GREEN)
    found = figures_of(choice_for(game, 0), "green 1: H1")
    assert (found["points"], found["color_points"], "column_points" in found) == (0 + 3 + 2, 3, False)


def test_points_follow_the_house_rules():
    rules = Rules(star_penalty=5, mark_points=3, pass_penalty=4, color_first=9)
    choice = choice_for(setup(FRESH, rules=rules), 0)
    assert figures_of(choice, "green* 1*: H1")["points"] == 5 - 2 * 3
    assert figures_of(choice, "pass")["points"] == -4
    assert figures_of(choice, "green 1: H1")["color_progress"] == 9


def test_distance_is_to_the_nearest_start_column():
    choice = choice_for(setup("B2 N2", rules=Rules(start_columns="AO")), 0)
    assert figures_of(choice, "green 1: B3")["distance"] == 1
    assert figures_of(choice, "green 1: O2").get("distance", 0) == 0
    assert figures_of(choice, "green 2: N3 O3")["distance"] == 1
    assert figures_of(choice, "green 2: N3 O3")["start_cells"] == 1


def test_replies_are_the_best_that_the_dice_left_over_give_to_each_opponent():
    game = setup(FRESH, FRESH, colors="green blue pink", numbers="1 2 5")
    # green 1 on H1 gives its star, 2 points and 1/8; blue 2 and pink 2 only 2/8; there is no 5 in reach
    assert figures_of(choice_for(game, 0), "pass")["replies"] == 2.125
    assert figures_of(choice_for(game, 0), "green 1: H1")["replies"] == 0.25
    assert figures_of(choice_for(game, 0), "blue 2: G4 H4")["replies"] == 2.125
    assert figures_of(choice_for(setup(FRESH, FRESH, FRESH, colors="green", numbers="1"), 0), "pass")["replies"] == 4.25


def test_replies_pay_for_jokers_and_may_be_a_pass():
    game = setup(FRESH, FRESH, colors="joker", numbers="1")
    assert figures_of(choice_for(game, 0), "pass")["replies"] == 1.125
    game.players[1].marks = 0
    assert "replies" not in figures_of(choice_for(game, 0), "pass")
    game = setup(FRESH, FRESH, colors="joker", numbers="1", rules=Rules(mark_points=9))
    assert "replies" not in figures_of(choice_for(game, 0), "pass")
    game = setup(FRESH, FRESH, colors="green", numbers="5", rules=Rules(pass_penalty=3))
    assert figures_of(choice_for(game, 0), "pass")["replies"] == -3


def test_replies_are_nothing_for_passive_players_in_open_rolls_and_solo():
    taken = Move.parse("green 1: H1")
    assert "replies" not in figures_of(choice_for(setup(FRESH, FRESH), 1, taken), "pass")
    assert "replies" not in figures_of(choice_for(setup(FRESH, FRESH, roll=3), 0), "pass")
    assert "replies" not in figures_of(choice_for(setup(FRESH, solo=True), 0), "pass")


def test_luck_is_that_of_the_candidate():
    choice = choice_for(setup(FRESH, FRESH), 0)
    word = dice.roll_word(dice.game_key(1, 0), choice.game.roll, dice.LUCK_STREAM)
    assert figures_of(choice, "pass", "luck")["luck"] == dice.luck(word, 0)
    block = next(i for i, b in enumerate(BLACK.blocks) if cells("H4")[0] in b.cells)
    positions = [BLACK.blocks[block].cells.index(cell) for cell in cells("G4 H4")]
    candidate = 1 + (block * 64 + sum(1 << i for i in positions)) * 4 + 2 * 1 + 0
    assert figures_of(choice, "blue* 2: G4 H4", "luck")["luck"] == dice.luck(word, candidate)
    assert figures_of(choice, "blue 2*: G4 H4", "luck")["luck"] == dice.luck(word, candidate - 1)


# Weights


def exact(choice: Choice, weights: dict[str, float], per_roll: dict[str, float]) -> Move:
    """The best move by exact fractions, over all figures."""
    rated = candidates(choice)
    scores = []
    for row in figures(choice, rated):
        score = Fraction(0)
        for name, sign in zip(FEATURE_NAMES, SIGNS, strict=True):
            steps = round(weights.get(name, 0) * 65536) + round(per_roll.get(name, 0) * 65536) * (choice.game.roll - 1)
            score += Fraction(steps, 65536) * int(sign) * Fraction(row[name])
        scores.append(score)
    return rated[scores.index(max(scores))].move


@pytest.mark.parametrize(
    ("weights", "per_roll"),
    [
        ({}, {}),
        ({"points": 1, "cells": 0.1}, {}),
        ({"passing": -1}, {}),
        (dict.fromkeys(FEATURE_NAMES, 1), {}),
        (
            {name: round(0.1 * i - 0.7, 1) for i, name in enumerate(FEATURE_NAMES)},
            {"cells": -0.03, "points": 0.1, "luck": 0.01},
        ),
        ({"luck": 1}, {}),
        ({"replies": 1, "cells": 0.3}, {"replies": -0.1}),
    ],
)
def test_weights_play_the_largest_exact_sum(weights, per_roll):
    strategy = Weights("tested", "", weights, per_roll)
    game = play_to(12)
    for seat, taken in ((0, None), (1, Move.parse("pass"))):
        choice = choice_for(game, seat, taken)
        assert choose(strategy, choice) == exact(choice, weights, per_roll)


def play_to(rolls: int) -> Any:
    game = setup(FRESH, FRESH, FRESH)
    game.roll = 0
    eager = rater(Weights("eager", "", {"cells": 1, "jokers": 1}))
    for _ in range(rolls):
        game.roll_dice()
        play_roll(game, lambda choice: max(eager(choice), key=lambda rated: rated.score).move)
    game.roll_dice()
    game.roll += (3 - game.active) % 3
    return game


def test_of_equals_the_first_is_played():
    choice = choice_for(setup(FRESH), 0)
    assert choose(Weights("even", "", {}), choice) == Move.parse("pass")
    assert choose(Weights("busy", "", {"passing": -1}), choice) == Move.parse("green 1: H1")
    # two cells of the yellow block H6 H7 I6 I7 J7: of the equals H6 H7, H6 I6, H7 I7 the one whose last cell is first
    choice = choice_for(setup(FRESH, colors="yellow", numbers="2"), 0)
    assert choose(Weights("busy", "", {"cells": 1}), choice) == Move.parse("yellow 2: H6 H7")
    choice = choice_for(setup(FRESH, colors="yellow joker", numbers="2 joker"), 0)
    assert choose(Weights("jokers", "", {"jokers": -1}), choice) == Move.parse("green* 1*: H1")


def test_weights_change_with_the_roll():
    strategy = Weights("later", "", {"cells": -0.5}, {"cells": 0.25})
    for roll, text in ((1, "pass"), (3, "pass"), (4, "green 1: H1")):
        choice = choice_for(setup(FRESH, colors="green", numbers="1", roll=roll), 0)
        assert str(choose(strategy, choice)) == text


@pytest.mark.parametrize("weight", [math.nan, math.inf, 1001, "1", True])
def test_wrong_weights_are_refused(weight):
    with pytest.raises(StrategyError, match="weight of cells must be a number from -1000 to 1000"):
        rater(Weights("wrong", "", {"cells": weight}))


def test_unknown_features_are_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'points'"):
        rater(Weights("wrong", "", {"point": 1}))


# Records that a scored function sees


def test_every_field_of_a_view():
    game = setup(GROWN, "H1", of_color(GREEN) + " H2 H3 H4 H5 H6 H7", colors="green green joker", numbers="2 joker 2")
    game.players[0].marks, game.players[2].marks = 5, 4
    view = view_record(choice_for(game, 0))
    assert view.dtype == VIEW
    assert (view.roll, view.players, view.active, view.marks, view.score) == (37, 3, 1, 5, 0)
    assert (view.stars_left, view.colors_full) == (14, 0)
    assert view.color_dice.tolist() == [2, 0, 0, 0, 0, 1]
    assert view.number_dice.tolist() == [0, 2, 0, 0, 0, 1]
    assert view.column_left.tolist() == [7, 7, 7, 7, 7, 7, 6, 4, 7, 7, 7, 7, 7, 7, 7]
    assert view.color_left.tolist() == [20, 21, 19, 20, 21]
    assert view.open.sum() == 101
    assert (view.open[7, 2], view.open[7, 5], view.open[6, 2]) == (0, 1, 0)
    reach = {str(cell) for cell in cells("G2 G3 G4 F3 G5 I3 I4 I5 H1 H2 H3 H4 H5 H6 H7")}
    assert {"ABCDEFGHIJKLMNO"[c] + str(r + 1) for c, r in np.argwhere(view.reach)} == reach
    assert view.color[:3].tolist() == [[0, 4, 2, 2, 3, 3, 1], [0, 0, 0, 3, 4, 2, 1], [0, 1, 3, 3, 4, 2, 2]]
    assert view.star.sum() == 15
    assert (view.star[0, 2], view.star[0, 1]) == (1, 0)
    # seat 2 has filled column H and green
    assert view.column_value.tolist() == [5, 3, 3, 3, 2, 2, 2, 0, 2, 2, 2, 3, 3, 3, 5]
    assert view.color_value.tolist() == [3, 5, 5, 5, 5]
    assert view.column_unclaimed.tolist() == [1] * 7 + [0] + [1] * 7
    assert view.color_unclaimed.tolist() == [0, 1, 1, 1, 1]
    assert view.other_marks.tolist() == [8, 4, 0, 0, 0]
    assert view.other_score.tolist() == [0, 6, 0, 0, 0]
    assert view.other_stars_left.tolist() == [14, 12, 0, 0, 0]
    assert view.other_colors_full.tolist() == [0, 1, 0, 0, 0]
    assert view.other_column_left[:, 7].tolist() == [6, 0, 0, 0, 0]
    assert view.other_color_left.tolist()[:2] == [[20, 21, 21, 21, 21], [0, 19, 19, 20, 20]]
    assert view.other_open.sum(axis=(1, 2)).tolist() == [104, 105 - 21 - 6, 0, 0, 0]
    assert (view.other_open[0, 7, 0], view.other_open[0, 7, 1]) == (0, 1)


def test_a_passive_player_sees_the_dice_left_and_the_next_in_turn_first():
    game = setup("H1", "H2 H3", "H4 H5 H6", colors="green green blue", numbers="1 1 2")
    view = view_record(choice_for(game, 1, Move.parse("green 1: H1")))
    assert view.active == 0
    assert view.color_dice.tolist() == [1, 0, 1, 0, 0, 0]
    assert view.number_dice.tolist() == [1, 1, 0, 0, 0, 0]
    assert view.other_open.sum(axis=(1, 2)).tolist() == [102, 104, 0, 0, 0]


def test_solo_views():
    game = setup(FRESH, solo=True)
    game.columns_claimed, game.colors_claimed = {0}, {0}
    view = view_record(choice_for(game, 0))
    assert (view.players, view.active) == (1, 1)
    assert view.column_value.tolist() == list(OFFICIAL.column_first)
    assert view.color_value.tolist() == [5] * 5


def test_passive_players_see_the_crosses_of_the_active_one_with_the_switch():
    for switch, left in ((False, 105), (True, 104)):
        game = setup(FRESH, FRESH, rules=Rules(passive_see_active=switch))
        views = []

        def decide(choice: Choice, views: list = views) -> Move:
            views.append(view_record(choice))
            return Move.parse("green* 1: H1" if choice.is_active else "pass")

        play_roll(game, decide)
        assert views[1].other_open[0].sum() == left
        assert views[1].other_marks[0] == (7 if switch else 8)
        assert views[1].other_stars_left[0] == (14 if switch else 15)


def test_every_field_of_a_move():
    choice = choice_for(setup(GROWN, FRESH, colors="green blue joker", numbers="2 1 joker"), 0)
    rated = candidates(choice)
    found = figures(choice, rated)
    moves = move_records(rated, found)
    assert moves.dtype.fields == MOVE.fields
    assert len(moves) == len(choice.moves())
    at = choice.moves().index(Move.parse("green* 2: E3 F3"))
    move = moves[at]
    assert (move.color, move.number, move.color_joker, move.number_joker) == (0, 2, 1, 0)
    assert move.column.tolist() == [4, 5, -1, -1, -1]
    assert move.row.tolist() == [2, 2, -1, -1, -1]
    assert {name: getattr(move, name) for name in FEATURE_NAMES} == found[at]
    assert (moves[0].color, moves[0].number, moves[0].passing) == (-1, 0, 1)
    assert moves[0].column.tolist() == [-1] * 5


# Scored functions


def test_a_scored_function_plays_like_the_weights_it_imitates():
    def score(view, move, cell=0.0):
        return move.points + cell * move.cells - 0.25 * move.replies

    scored = Scored("mine", "", score, {"cell": 0.125})
    weights = Weights("greedy", "", {"points": 1, "cells": 0.125, "replies": 0.25})
    for index in range(2):
        games = [play([s, s], [BLACK] * 2, Rules(roll_limit=24), 3, index)["rolls"] for s in (scored, weights)]
        assert games[0] == games[1]


@pytest.mark.parametrize("value", [1, 1.5, True, np.float32(0.5), np.int64(3), np.bool_(True)])
def test_any_number_is_a_score(value):
    choice = choice_for(setup(FRESH), 0)
    assert choose(Scored("mine", "", lambda view, move: value), choice) == Move.parse("pass")


def fails(view, move):
    raise RuntimeError("no\nidea")


def recurses(view, move):
    return recurses(view, move)


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda view, move: math.nan, "gave NaN for 'pass' in roll 5; it must give a finite number"),
        (lambda view, move: np.float64("nan"), "gave NaN"),
        (lambda view, move: None, "gave None for 'pass' in roll 5; it must give a finite number"),
        (lambda view, move: "1", "gave '1' for"),
        (lambda view, move: 1j, "gave 1j for"),
        (lambda view, move: view.open, "gave array"),
        (lambda view, move: move.number / 0 if move.number else 0.0, "ZeroDivision|FloatingPointError"),
        (lambda view, move: move.nmber, "failed for 'pass' in roll 5: AttributeError: .*nmber"),
        (lambda view: 1.0, "failed for 'pass' in roll 5: TypeError: "),
        (lambda view, move: 10**400, "failed for 'pass' in roll 5: OverflowError"),
        (fails, "failed for 'pass' in roll 5: RuntimeError: no idea"),
        (recurses, "failed for 'pass' in roll 5: RecursionError"),
        (lambda view, move: 0.0 if move.passing else math.nan, "gave NaN for 'green 1: H1' in roll 5"),
    ],
)
def test_a_function_that_misbehaves_is_named(function, complaint):
    choice = choice_for(setup(FRESH, roll=5), 0)
    with pytest.raises(StrategyError, match=f"strategy 'my.py:edges' .*({complaint})") as caught:
        choose(Scored("my.py:edges", "", function), choice)
    assert "\n" not in str(caught.value)


def test_a_function_cannot_change_the_game():
    def meddle(view, move):
        view.open[:] = 0
        view.marks = 99
        move.points = 50
        return float(move.cells)

    record = play([Scored("meddler", "", meddle)], [BLACK], OFFICIAL, 1, 0, solo=True)
    verify(record)
