"""What strategies see and how they choose, by the referee: every figure and field on positions worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from simulator import dice
from simulator.errors import StrategyError, UnknownNameError
from simulator.qwixx.features import PASS_OF_COLORS, SIGHT
from simulator.qwixx.referee import PASS, Choice, Game, Move, choose, play, play_roll, rater, verify
from simulator.qwixx.referee.choosing import decide, figures, luck, move_records, view_record
from simulator.qwixx.rules import OFFICIAL, Rules
from simulator.strategy import Scored, Weights
from tests.qwixx.test_referee_rules import (
    BLUE_FIVE,
    COLOR_FIRST,
    RED_FIVE,
    RED_LOCKED,
    any_choice,
    color_choice,
    setup,
    white_choice,
)

BUSY = Weights("busy", "", {"passing": -1})


def figures_of(choice: Choice, text: str) -> dict[str, float]:
    """Figures of a move that are not 0, without ``luck``."""
    move = Move.parse(text)
    assert move in choice.moves()
    found = figures(choice, move)
    assert list(found) == list(SIGHT.names)
    return {name: value for name, value in found.items() if name != "luck" and value}


# Figures


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # red has 2 3 5 (positions 1 2 4): 6 is skipped, in 5 of 36 throws; a fourth cross is worth 10 - 6
        ("red 7", {"points": 4, "crossing": 1, "count": 3, "position": 6, "likelihood": 6, "gap": 1, "skipped": 5}),
        # nothing yet: 2 3 4 5 6 are skipped, in 1 + 2 + 3 + 4 + 5
        ("yellow 7", {"points": 1, "crossing": 1, "position": 6, "likelihood": 6, "gap": 5, "skipped": 15}),
        # green has 8, the number to the left of it: nothing is skipped
        ("green 7", {"points": 2, "crossing": 1, "count": 1, "position": 6, "likelihood": 6}),
        # blue has 12 and 11: 10 9 8 are skipped, in 3 + 4 + 5
        ("blue 7", {"points": 3, "crossing": 1, "count": 2, "position": 6, "likelihood": 6, "gap": 3, "skipped": 12}),
        ("pass", {"passing": 1}),
    ],
)
def test_figures_of_a_white_cross(text, expected):
    assert figures_of(white_choice(setup("red 2 3 5, green 8, blue 12 11")), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # white 3 and red 4: 6 is skipped, then 7
        ("red 7 (1)", {"points": 4, "crossing": 1, "count": 3, "position": 6, "likelihood": 6, "gap": 1, "skipped": 5}),
        # white 6 and red 4: 6 7 8 9 are skipped, in 5 + 6 + 5 + 4
        (
            "red 10 (2)",
            {"points": 4, "crossing": 1, "count": 3, "position": 9, "likelihood": 3, "gap": 4, "skipped": 20},
        ),
        # white 3 and blue 1: 10 9 8 7 6 5 are skipped, in 3 + 4 + 5 + 6 + 5 + 4
        (
            "blue 4 (1)",
            {"points": 3, "crossing": 1, "count": 2, "position": 9, "likelihood": 3, "gap": 6, "skipped": 27},
        ),
        ("pass", {"points": -5, "passing": 1, "penalty": 1}),
    ],
)
def test_figures_of_a_color_cross(text, expected):
    choice = color_choice(setup("red 2 3 5, green 8, blue 12 11", white="3 6", color="4 1 1 1"))
    assert figures_of(choice, text) == expected


def test_figures_of_a_lock():
    # the sixth and the seventh cross: 28 - 15; 7 to 11 are skipped, in 6 + 5 + 4 + 3 + 2
    expected = {
        "points": 13,
        "crossing": 1,
        "count": 5,
        "position": 11,
        "likelihood": 1,
        "lock": 1,
        "gap": 5,
        "skipped": 20,
    }
    assert figures_of(white_choice(setup(RED_FIVE, white="6 6")), "red 12") == expected
    assert figures_of(color_choice(setup(RED_FIVE, white="6 6", color="6 1 1 1")), "red 12 (2)") == expected
    ending = setup(RED_FIVE, white="6 6", rules=Rules(rows_to_end=1))
    assert figures_of(white_choice(ending), "red 12") == {**expected, "ends": 1}


@pytest.mark.parametrize(("rows_to_end", "ends"), [(1, 1), (2, 1), (3, 0), (4, 0)])
def test_a_lock_ends_the_game_if_it_closes_the_last_row_that_is_needed(rows_to_end, ends):
    game = setup(BLUE_FIVE, RED_LOCKED, white="1 1", color="1 1 1 1", rules=Rules(rows_to_end=rows_to_end))
    for choice, text in ((white_choice(game), "blue 2"), (color_choice(game), "blue 2 (1)")):
        found = figures_of(choice, text)
        assert (found["lock"], found.get("ends", 0)) == (1, ends)
    assert "ends" not in figures_of(white_choice(game), "yellow 2")


def test_likelihood_of_every_number():
    found = []
    for number in range(2, 13):
        game = setup("", white=f"{max(1, number - 6)} {min(6, number - 1)}", rules=Rules(crosses_to_lock=0))
        found.append(figures_of(white_choice(game), f"yellow {number}")["likelihood"])
    assert found == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_points_follow_the_house_rules():
    rules = Rules(row_points=(2, 3, 9, 9, 9, 9, 30, 40, 50, 60, 70, 80), penalty_points=8)
    game = setup("red 2 3, blue 12 11 10 9 8", white="1 1", color="3 3 3 1", rules=rules)
    assert figures_of(color_choice(game), "red 4 (1)")["points"] == 6
    assert figures_of(color_choice(game), "yellow 4 (1)")["points"] == 2
    assert figures_of(color_choice(game), "blue 2 (1)")["points"] == 30 - 9
    assert figures_of(color_choice(game), "pass")["points"] == -8
    free = setup("", rules=Rules(penalty_points=0))
    assert figures_of(color_choice(free), "pass") == {"passing": 1, "penalty": 1}


NO_COLOR = "red 10, yellow 10, green 4, blue 4"
"""Left are red and yellow 11, green and blue 3: no color cross with the dice below."""


def test_a_pass_of_the_white_action_means_a_penalty_if_there_is_no_color_cross():
    for crossed, colors in ((NO_COLOR, "1 2 6 5"), (NO_COLOR, "1 1 1 5")):
        choice = white_choice(setup(crossed, white="3 4", color=colors))
        assert figures_of(choice, "pass") == {"points": -5, "passing": 1, "penalty": 1}
    # blue 3 is still to be had: white 1 and blue 2
    choice = white_choice(setup(NO_COLOR, white="1 6", color="1 1 6 2"))
    assert figures_of(choice, "pass") == {"passing": 1}


def test_a_color_cross_of_a_closed_row_avoids_no_penalty():
    game = setup("yellow 10, green 4, blue 4", RED_LOCKED, color="1 2 6 5")
    assert game.closed[0]
    assert figures_of(white_choice(game), "pass") == {"points": -5, "passing": 1, "penalty": 1}
    game = setup("yellow 10, green 4, blue 4", "", color="1 2 6 5")
    assert figures_of(white_choice(game), "pass") == {"passing": 1}


def test_the_pass_of_others_and_of_one_who_has_crossed_means_no_penalty():
    game = setup("", NO_COLOR, color="1 2 6 5")
    assert figures_of(white_choice(game, 1), "pass") == {"passing": 1}
    game = setup("", "")
    game.make(0, Move.parse("red 2"))
    assert figures_of(color_choice(game), "pass") == {"passing": 1}


def test_the_penalty_of_a_pass_when_the_color_die_may_come_first():
    game = setup(NO_COLOR, "", color="1 2 6 5", rules=COLOR_FIRST)
    assert figures_of(any_choice(game), "pass") == {"points": -5, "passing": 1, "penalty": 1}
    game = setup("", "", rules=COLOR_FIRST)
    assert figures_of(any_choice(game), "pass") == {"passing": 1}
    seen = []

    def take(choice: Choice) -> Move:
        seen.append((choice.seat, figures_of(choice, "pass")))
        return Move.parse("red 4 (1)") if choice.color else PASS

    play_roll(game, take)
    assert seen[1] == (0, {"passing": 1})


def test_luck_is_that_of_the_code():
    game = setup("", "", "", roll=2)
    word = dice.roll_word(dice.game_key(1, 0), 2, 8 + 1)
    choice = white_choice(game, 1)
    assert luck(choice, PASS) == dice.luck(word, 0)
    assert luck(choice, Move.parse("red 7")) == dice.luck(word, 6)
    assert figures(choice, Move.parse("blue 7"))["luck"] == dice.luck(word, 39)
    choice = color_choice(game, 1)
    assert luck(choice, PASS) == dice.luck(word, PASS_OF_COLORS) == dice.luck(word, 133)
    assert luck(choice, Move.parse("red 4 (1)")) == dice.luck(word, 45 + 2)
    assert luck(choice, Move.parse("red 5 (2)")) == dice.luck(word, 45 + 11 + 3)
    assert luck(any_choice(game, 1), PASS) == dice.luck(word, 0)
    assert luck(white_choice(game, 2), PASS) == dice.luck(dice.roll_word(dice.game_key(1, 0), 2, 8 + 2), 0)


# Weights


def exact(choice: Choice, weights: dict[str, float], per_roll: dict[str, float]) -> Move:
    """The best move by exact fractions, over all figures."""
    moves = choice.moves()
    scores = []
    for move in moves:
        found, score = figures(choice, move), Fraction(0)
        for feature in SIGHT.features:
            name = feature.name
            steps = round(weights.get(name, 0) * 65536) + round(per_roll.get(name, 0) * 65536) * (choice.game.roll - 1)
            score += Fraction(steps, 65536) * feature.sign * Fraction(found[name])
        scores.append(score)
    return moves[scores.index(max(scores))]


@pytest.mark.parametrize(
    ("weights", "per_roll"),
    [
        ({}, {}),
        ({"points": 1, "gap": 0.3}, {}),
        ({"passing": -1}, {}),
        (dict.fromkeys(SIGHT.names, 1), {}),
        (
            {name: round(0.1 * i - 0.5, 1) for i, name in enumerate(SIGHT.names)},
            {"position": -0.03, "points": 0.1, "luck": 0.01},
        ),
        ({"luck": 1}, {}),
        ({"skipped": 0.2, "likelihood": 0.1, "penalty": 3}, {"gap": 0.05}),
    ],
)
@pytest.mark.parametrize("rules", [OFFICIAL, COLOR_FIRST])
def test_weights_play_the_largest_exact_sum(rules, weights, per_roll):
    rate, asked = rater(Weights("tested", "", weights, per_roll)), 0
    game = Game(3, rules, 4, 0)
    while not game.is_over:
        game.roll_dice()

        def check(choice: Choice) -> Move:
            nonlocal asked
            asked += 1
            move = decide(rate, choice)
            assert move == exact(choice, weights, per_roll)
            return move

        play_roll(game, check)
    assert asked > 20


def test_costs_are_subtracted():
    choice = white_choice(setup("red 2 3 5, green 8, blue 12 11"))
    score = {str(r.move): r.score for r in rater(Weights("tested", "", {"points": 2, "gap": 0.5}))(choice)}
    assert score == {"pass": 0, "red 7": 7.5, "yellow 7": -0.5, "green 7": 4, "blue 7": 4.5}


def test_of_equals_the_first_is_played():
    game = setup("", rules=COLOR_FIRST)
    assert choose(Weights("even", "", {}), any_choice(game)) is PASS
    assert choose(BUSY, any_choice(game)) == Move.parse("red 7")
    assert choose(BUSY, any_choice(setup("red 8", rules=COLOR_FIRST))) == Move.parse("yellow 7")
    assert choose(BUSY, color_choice(game)) == Move.parse("red 4 (1)")
    # white 6 and color 1 of both rows are the same number, and the two white dice are equal
    late = setup("", white="6 6", color="1 1 6 6")
    assert choose(Weights("likely", "", {"likelihood": 1}), color_choice(late)) == Move.parse("red 7 (1)")
    # a white cross comes before a color cross of the same number
    same = setup("yellow 10, green 4, blue 4", white="3 4", color="4 1 1 1", rules=COLOR_FIRST)
    assert choose(Weights("likely", "", {"likelihood": 1}), any_choice(same)) == Move.parse("red 7")


def test_weights_change_with_the_roll():
    strategy = Weights("later", "", {"crossing": -0.5}, {"crossing": 0.25})
    for roll, text in ((1, "pass"), (3, "pass"), (4, "red 7")):
        assert str(choose(strategy, white_choice(setup("", roll=roll)))) == text


@pytest.mark.parametrize("weight", [math.nan, math.inf, 1001, "1", True])
def test_wrong_weights_are_refused(weight):
    with pytest.raises(StrategyError, match="weight of points must be a number from -1000 to 1000"):
        rater(Weights("wrong", "", {"points": weight}))


def test_unknown_features_are_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'points'"):
        rater(Weights("wrong", "", {"point": 1}))


def test_who_can_only_pass_is_not_asked():
    def fails(view, move):
        raise RuntimeError("asked")

    nothing = white_choice(setup("red 8, yellow 8, green 6, blue 6"))
    assert nothing.moves() == [PASS]
    assert choose(Scored("fails", "", fails), nothing) is PASS
    with pytest.raises(StrategyError, match="asked"):
        choose(Scored("fails", "", fails), white_choice(setup("")))


# Records that a scored function sees


def test_every_field_of_a_view():
    # seat 1 has locked red; seat 2 is active and to choose
    game = setup("green 12 9", RED_LOCKED, "red 2, yellow 3 5, blue 10", roll=9)
    game.white, game.color = [2, 6], [1, 5, 3, 4]
    game.players[2].penalties, game.players[1].penalties = 2, 1
    view = view_record(white_choice(game, 2))
    assert view.dtype == SIGHT.view
    assert (view.roll, view.players, view.active, view.action, view.crossed) == (9, 3, 1, 1, 0)
    assert view.white.tolist() == [2, 6]
    assert view.color.tolist() == [0, 5, 3, 4]
    # yellow 7 would skip 6, yellow 11 five; green 5 skips seven, green 9 three; blue 6 three, blue 10 cannot be
    assert view.color_gap == 1
    assert view.rows.tolist() == [0b1, 0b1010, 0, 0b100]
    assert view["last"].tolist() == [1, 4, 0, 3]
    assert view["count"].tolist() == [1, 2, 0, 1]
    assert view.closed.tolist() == [1, 0, 0, 0]
    assert (view.score, view.penalties) == (1 + 3 + 1 - 10, 2)
    # the next in turn first: seats 0 and 1
    assert view.other_rows.tolist() == [[0, 0, 0b1001, 0], [0b110000011111, 0, 0, 0], [0] * 4, [0] * 4]
    assert view.other_last.tolist() == [[0, 0, 4, 0], [11, 0, 0, 0], [0] * 4, [0] * 4]
    assert view.other_count.tolist() == [[0, 0, 2, 0], [7, 0, 0, 0], [0] * 4, [0] * 4]
    assert view.other_score.tolist() == [3, 28 - 5, 0, 0]
    assert view.other_penalties.tolist() == [0, 1, 0, 0]


def test_a_passive_player_sees_no_color_gap_and_the_next_in_turn_first():
    game = setup("red 2", "red 2 3", "red 2 3 4", "red 2 3 4 5", "red 2 3 4 5 6")
    view = view_record(white_choice(game, 3))
    assert (view.active, view.action, view.color_gap, view.players) == (0, 1, -1, 5)
    assert view.other_count[:, 0].tolist() == [5, 1, 2, 3]
    assert view.color.tolist() == [1, 2, 3, 4]


def test_views_of_the_color_action():
    game = setup("", RED_FIVE, white="6 6", color="1 2 3 4")
    views = []

    def take(choice: Choice) -> Move:
        views.append(view_record(choice))
        return Move.parse(("green 12", "red 12")[choice.seat] if choice.white else "pass")

    play_roll(game, take)
    first, second, third = views
    assert (first.action, first.crossed, first.color_gap) == (1, 0, 2)  # blue 10 skips 12 and 11
    assert (second.active, second.crossed, second.other_count.sum()) == (0, 0, 0)  # nobody has crossed yet
    assert (third.action, third.active, third.crossed, third.color_gap) == (2, 1, 1, -1)
    assert third.color.tolist() == [0, 2, 3, 4]  # the die of red has left the game in this turn
    assert third.closed.tolist() == [1, 0, 0, 0]
    assert third.rows.tolist() == [0, 0, 1, 0]
    assert third.other_score[0] == 28


def test_views_when_the_color_die_may_come_first():
    game = setup("", "", rules=COLOR_FIRST, color="1 1 1 1")
    views = []

    def take(choice: Choice) -> Move:
        views.append(view_record(choice))
        return Move.parse("red 4 (1)" if choice.color else "pass")

    play_roll(game, take)
    # red 4 skips 2 and 3; of the dice 3 and 4 with 1, blue and green 5 skip seven
    assert [(v.action, v.active, v.crossed, v.color_gap) for v in views] == [(1, 1, 0, 2), (1, 1, 1, -1), (1, 0, 0, -1)]
    assert views[1].rows.tolist() == [0b100, 0, 0, 0]
    views.clear()
    game = setup("", "", rules=COLOR_FIRST)

    def wait(choice: Choice) -> Move:
        views.append(view_record(choice))
        return PASS

    play_roll(game, wait)
    assert [(v.action, v.active, v.crossed) for v in views] == [(1, 1, 0), (1, 0, 0), (2, 1, 0)]


def test_color_gap_is_minus_1_if_there_is_no_color_cross():
    assert view_record(white_choice(setup(NO_COLOR, color="1 2 6 5"))).color_gap == -1
    # red 8 with the first white die comes right after red 7
    game = setup("red 7", white="2 5", color="6 1 1 1")
    assert view_record(white_choice(game)).color_gap == 0
    assert view_record(color_choice(game)).color_gap == -1  # where the color crosses themselves are to choose from


def test_solo_views():
    view = view_record(white_choice(setup("", solo=True)))
    assert (view.players, view.active) == (1, 1)
    assert view.other_rows.sum() == 0


def test_every_field_of_a_move():
    choice = any_choice(setup("red 2 3 5", white="3 6", color="4 1 1 1", rules=COLOR_FIRST))
    moves = choice.moves()
    records = move_records(choice, moves)
    assert records.dtype.fields == SIGHT.move.fields
    assert len(records) == len(moves)
    for move, record in zip(moves, records, strict=True):
        assert {name: record[name] for name in SIGHT.names} == figures(choice, move)
    found = {str(move): (r.row, r.number, r.die) for move, r in zip(moves, records, strict=True)}
    assert found["pass"] == (-1, 0, 0)
    assert found["green 9"] == (2, 9, 0)
    assert (found["red 7 (1)"], found["red 10 (2)"]) == ((0, 7, 1), (0, 10, 2))


# Scored functions


@pytest.mark.parametrize("rules", [OFFICIAL, COLOR_FIRST])
def test_a_scored_function_plays_like_the_weights_it_imitates(rules):
    def score(view, move, gap=0.0):
        return move.points - gap * move.gap - 2 * move.penalty + 0.5 * move.lock

    scored = Scored("mine", "", score, {"gap": 0.75})
    weights = Weights("greedy", "", {"points": 1, "gap": 0.75, "penalty": 2, "lock": 0.5})
    for index in range(4):
        games = [play([s, s, s], [], rules, 3, index)["rolls"] for s in (scored, weights)]
        assert games[0] == games[1]


@pytest.mark.parametrize("value", [1, 1.5, True, np.float32(0.5), np.int64(3), np.bool_(True)])
def test_any_number_is_a_score(value):
    assert choose(Scored("mine", "", lambda view, move: value), white_choice(setup(""))) is PASS


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda view, move: math.nan, "gave NaN for 'pass' in roll 5; it must give a finite number"),
        (lambda view, move: None, "gave None for 'pass' in roll 5"),
        (lambda view, move: move.nmber, "failed for 'pass' in roll 5: AttributeError: .*nmber"),
        (lambda view: 1.0, "failed for 'pass' in roll 5: TypeError: "),
        (lambda view, move: 0.0 if move.passing else math.inf, "gave inf for 'red 7' in roll 5"),
    ],
)
def test_a_function_that_misbehaves_is_named(function, complaint):
    with pytest.raises(StrategyError, match=f"strategy 'my.py:edges' .*({complaint})") as caught:
        choose(Scored("my.py:edges", "", function), white_choice(setup("", roll=5)))
    assert "\n" not in str(caught.value)


def test_a_function_cannot_change_the_game():
    def meddle(view, move):
        view.rows[:] = 0
        view.closed[:] = 1
        move.points = 50
        return float(move.crossing)

    record = play([Scored("meddler", "", meddle)], [], OFFICIAL, 1, 0, solo=True)
    verify(record)
    assert record["rolls"] == play([Weights("busy", "", {"crossing": 1})], [], OFFICIAL, 1, 0, solo=True)["rolls"]
