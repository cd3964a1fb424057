"""The rulebook sentence by sentence, and every house rule, each on a position worked out by hand.

Positions of the numbers::

    red, yellow  2  3  4  5  6  7  8  9 10 11 12  lock
    green, blue 12 11 10  9  8  7  6  5  4  3  2  lock
                 1  2  3  4  5  6  7  8  9 10 11    12
"""

from __future__ import annotations

import pytest

from simulator import dice
from simulator.errors import PlanError, RecordError
from simulator.qwixx.referee import PASS, Choice, Game, Move, Player, move_of_code, play, play_roll
from simulator.qwixx.rules import COLORS, LOCK, MAX_ROLLS, OFFICIAL, Rules
from simulator.strategy import Weights

RED, YELLOW, GREEN, BLUE = range(4)
RED_FIVE = "red 2 3 4 5 6"
YELLOW_FIVE = "yellow 2 3 4 5 6"
BLUE_FIVE = "blue 12 11 10 9 8"
RED_LOCKED = "red 2 3 4 5 6 12"
COLOR_FIRST = Rules(white_first=False)
NOT_AT_ONCE = Rules(end_at_once=False)


def moves_of(text: str) -> list[Move]:
    """Crosses of a sheet: ``red 2 3, blue 12`` are red 2, red 3 and blue 12."""
    found = []
    for row in text.split(", ") if text else ():
        color, *numbers = row.split()
        found += [Move.parse(f"{color} {number}") for number in numbers]
    return found


def sheet(text: str, rules: Rules = OFFICIAL) -> Player:
    player = Player(rules)
    for move in moves_of(text):
        player.cross(move)
    return player


def setup(
    *crossed: str,
    white: str = "3 4",
    color: str = "1 2 3 4",
    roll: int = 0,
    rules: Rules = OFFICIAL,
    solo: bool = False,
) -> Game:
    """A game with these crosses of each player, and these dice on the table; by default seat 0 is active."""
    game = Game(max(1, len(crossed)), rules, 1, 0, solo=solo)
    game.players = [sheet(text, rules) for text in crossed or ("",)]
    game.close_rows()
    game.roll = roll or 12 * len(game.players) + 1
    game.white = [int(face) for face in white.split()]
    game.color = [int(face) for face in color.split()]
    return game


def white_choice(game: Game, seat: int = 0) -> Choice:
    return Choice(game, seat, white=True, color=False)


def color_choice(game: Game, seat: int = 0) -> Choice:
    return Choice(game, seat, white=False, color=True)


def any_choice(game: Game, seat: int = 0) -> Choice:
    return Choice(game, seat, white=True, color=True)


def texts(choice: Choice) -> list[str]:
    return [str(move) for move in choice.moves()]


def turn(game: Game, *whites: str, color: str = "pass", first: str = "") -> list[str]:
    """Play a turn by these moves, checking that they are legal; gives what was done, with a ``!`` for a penalty."""

    def decide(choice: Choice) -> Move:
        text = first if choice.white and choice.color else color if choice.color else whites[choice.seat]
        move = Move.parse(text)
        assert choice.objection(move) == ""
        assert move in choice.moves()
        return move

    return [
        f"{made.seat} {'color' if made.is_color else 'white'}: {made.move}{'!' * made.penalty}"
        for made in play_roll(game, decide)
    ]


def objection(choice: Choice, text: str) -> str:
    return choice.objection(Move.parse(text))


# Dice and turns


def test_two_white_dice_and_four_color_dice_are_rolled():
    game = Game(2, OFFICIAL, 5, 7)
    game.roll_dice()
    key = dice.game_key(5, 7 // 2)
    assert game.white == [face + 1 for face in dice.draw(dice.roll_word(key, 1, 0), 6, 2)]
    assert game.color == [face + 1 for face in dice.draw(dice.roll_word(key, 1, 1), 6, 4)]
    assert game.luck_key == dice.game_key(5, 7)
    seen = set()
    for _ in range(100):
        game.roll_dice()
        seen |= {*game.white, *game.color}
    assert seen == {1, 2, 3, 4, 5, 6}


def test_the_dice_do_not_depend_on_which_rows_are_closed():
    games = [setup(""), setup(RED_LOCKED)]
    for game in games:
        game.roll_dice()
    assert games[0].color == games[1].color


def test_the_player_to_the_left_becomes_active():
    game = Game(3, OFFICIAL, 1, 0)
    active = []
    for _ in range(5):
        game.roll_dice()
        active.append(game.active)
    assert active == [0, 1, 2, 0, 1]


def test_every_player_may_cross_the_white_sum_in_one_row():
    game = setup("", "", "")
    for seat in range(3):
        assert texts(white_choice(game, seat)) == ["pass", "red 7", "yellow 7", "green 7", "blue 7"]
    assert turn(game, "red 7", "red 7", "blue 7") == [
        "0 white: red 7",
        "1 white: red 7",
        "2 white: blue 7",
        "0 color: pass",
    ]
    assert [player.rows for player in game.players] == [[[6], [], [], []], [[6], [], [], []], [[], [], [], [6]]]


def test_only_the_active_player_may_cross_a_white_die_plus_a_color_die():
    game = setup("", "", white="2 5", color="1 2 3 4", roll=2)
    assert game.active == 1
    assert texts(color_choice(game, 1)) == [
        "pass",
        "red 3 (1)",
        "red 6 (2)",
        "yellow 4 (1)",
        "yellow 7 (2)",
        "green 5 (1)",
        "green 8 (2)",
        "blue 6 (1)",
        "blue 9 (2)",
    ]
    asked = []

    def decide(choice: Choice) -> Move:
        asked.append((choice.seat, choice.white, choice.color))
        return PASS

    play_roll(game, decide)
    assert asked == [(0, True, False), (1, True, False), (1, False, True)]


def test_both_white_dice_are_candidates_even_if_they_are_equal():
    assert texts(color_choice(setup("", white="3 3", color="1 1 1 6")))[-2:] == ["blue 9 (1)", "blue 9 (2)"]


def test_all_white_crosses_are_made_at_the_same_time():
    game = setup("", "")
    counts = []

    def count(choice: Choice) -> Move:
        counts.append([player.count(RED) for player in game.players])
        return Move.parse("red 7") if choice.white else PASS

    play_roll(game, count)
    assert counts == [[0, 0], [0, 0], [1, 1]]


def test_the_active_player_may_cross_twice_in_a_turn():
    game = setup("", white="2 5", color="3 1 1 1")
    assert turn(game, "red 7", color="red 8 (2)") == ["0 white: red 7", "0 color: red 8 (2)"]
    assert game.players[0].rows[RED] == [6, 7]


def test_the_color_cross_comes_after_the_white_cross_and_must_be_right_of_it():
    game = setup("", white="2 5", color="1 1 1 1")
    seen = []

    def decide(choice: Choice) -> Move:
        seen.append(texts(choice))
        return Move.parse("red 7") if choice.white else PASS

    play_roll(game, decide)
    assert "red 6 (2)" not in seen[1]
    assert "yellow 6 (2)" in seen[1]


# Crosses


def test_a_row_is_crossed_from_left_to_right_only():
    game = setup("red 7, yellow 6, green 7, blue 8")
    assert texts(white_choice(game)) == ["pass", "yellow 7", "blue 7"]
    assert objection(white_choice(game), "red 7") == "it is not to the right of the last cross of the row"
    assert objection(white_choice(game), "green 7") == "it is not to the right of the last cross of the row"
    game = setup("red 8, green 6")
    assert texts(white_choice(game)) == ["pass", "yellow 7", "blue 7"]


def test_red_and_yellow_rise_green_and_blue_fall():
    game = setup("red 5, yellow 5, green 5, blue 5", white="2 4")
    assert texts(white_choice(game)) == ["pass", "red 6", "yellow 6"]
    game = setup("red 5, yellow 5, green 5, blue 5", white="2 2")
    assert texts(white_choice(game)) == ["pass", "green 4", "blue 4"]


def test_numbers_may_be_skipped():
    assert texts(white_choice(setup("", white="5 6"))) == ["pass", "red 11", "yellow 11", "green 11", "blue 11"]


def test_only_the_sum_of_the_white_dice():
    assert objection(white_choice(setup("")), "red 8") == "the white dice make 7"
    assert objection(white_choice(setup("")), "red 4 (1)") == "color crosses cannot be chosen now"


def test_only_a_color_die_in_the_row_of_its_color():
    choice = color_choice(setup("", white="2 5", color="1 2 3 4"))
    assert objection(choice, "red 3 (1)") == ""
    assert objection(choice, "red 6 (1)") == "white 2 and red 1 make 3"
    assert objection(choice, "yellow 3 (1)") == "white 2 and yellow 2 make 4"
    assert objection(choice, "red 7") == "crosses of the white sum cannot be chosen now"


def test_everyone_may_pass():
    for choice in (white_choice(setup("", "")), white_choice(setup("", ""), 1), color_choice(setup(""))):
        assert choice.moves()[0] is PASS
        assert choice.objection(PASS) == ""


# Penalties


def test_an_active_player_who_crosses_nothing_takes_a_penalty():
    game = setup("", "")
    assert turn(game, "pass", "pass") == ["0 white: pass", "1 white: pass", "0 color: pass!"]
    assert [player.penalties for player in game.players] == [1, 0]
    assert game.players[0].parts() == {"red": 0, "yellow": 0, "green": 0, "blue": 0, "penalties": -5}


@pytest.mark.parametrize(("white", "color"), [("red 7", "pass"), ("pass", "red 4 (1)"), ("red 7", "blue 7 (1)")])
def test_one_cross_is_enough_to_avoid_it(white, color):
    game = setup("", "")
    assert "!" not in "".join(turn(game, white, "pass", color=color))
    assert game.players[0].penalties == 0


def test_the_penalty_belongs_to_the_turn():
    game = setup("")
    turn(game, "red 7")
    game.roll_dice()
    turn(game, "pass")
    assert game.players[0].penalties == 1


def test_a_penalty_costs_penalty_points():
    for points in (0, 7):
        game = setup("", rules=Rules(penalty_points=points))
        turn(game, "pass")
        assert game.players[0].score == -points


@pytest.mark.parametrize("needed", [1, 4, 20])
def test_the_game_ends_with_so_many_penalties_of_a_player(needed):
    game = setup("", "", rules=Rules(penalties_to_end=needed))
    for player in game.players:
        player.penalties = needed - 1
    assert not game.is_over
    turn(game, "pass", "pass")
    assert game.is_over
    assert [player.penalties for player in game.players] == [needed, needed - 1]


def test_penalties_of_several_players_do_not_add_up():
    game = setup("", "")
    for player in game.players:
        player.penalties = 3
    assert not game.is_over


# Locks


def test_the_last_number_needs_five_crosses():
    game = setup("red 2 3 4 5, yellow 2 3 4 5 6, green 12 11 10 9, blue 12 11 10 9 8", white="6 6")
    assert texts(white_choice(game)) == ["pass", "yellow 12"]
    told = "the last number needs 5 crosses in the row where there are 4"
    assert objection(white_choice(game), "red 12") == told
    game.white = [1, 1]
    assert texts(white_choice(game)) == ["pass", "blue 2"]
    assert objection(white_choice(game), "green 2") == told


def test_the_last_number_needs_five_crosses_of_the_own_row():
    game = setup(RED_FIVE, "yellow 2 3 4 5 6", white="6 6")
    assert texts(white_choice(game, 0)) == ["pass", "red 12", "green 12", "blue 12"]
    assert texts(white_choice(game, 1)) == ["pass", "yellow 12", "green 12", "blue 12"]


@pytest.mark.parametrize("needed", [0, 1, 3, 10])
def test_the_last_number_needs_crosses_to_lock(needed):
    rules = Rules(crosses_to_lock=needed)
    numbers = list(range(2, 12))
    enough = "red " + " ".join(map(str, numbers[:needed])) if needed else ""
    assert "red 12" in texts(white_choice(setup(enough, white="6 6", rules=rules)))
    if needed:
        few = "red " + " ".join(map(str, numbers[: needed - 1])) if needed > 1 else ""
        assert "red 12" not in texts(white_choice(setup(few, white="6 6", rules=rules)))


def test_a_cross_made_in_the_white_action_counts_for_the_lock_in_the_color_action():
    game = setup("red 2 3 4 5", white="1 6", color="6 1 1 1")
    assert turn(game, "red 7", color="red 12 (2)") == ["0 white: red 7", "0 color: red 12 (2)"]
    assert game.closed == [True, False, False, False]


def test_the_lock_counts_as_one_more_cross():
    game = setup(RED_FIVE, white="6 6")
    turn(game, "red 12")
    player = game.players[0]
    assert player.rows[RED] == [1, 2, 3, 4, 5, 11, LOCK]
    assert (player.count(RED), player.last(RED)) == (7, 11)
    assert player.parts()["red"] == 28


def test_the_row_is_closed_for_everybody_after_that_action():
    game = setup(RED_FIVE, "red 2", white="6 6", color="1 1 1 1")
    turn(game, "red 12", "pass")
    assert game.closed == [True, False, False, False]
    game.white = [3, 4]
    assert texts(white_choice(game, 1)) == ["pass", "yellow 7", "green 7", "blue 7"]
    assert objection(white_choice(game, 1), "red 7") == "the red row is closed"
    assert game.players[1].rows[RED] == [1]


def test_others_may_cross_the_row_in_the_turn_before_it_is_closed():
    game = setup(RED_FIVE, "red 2", white="1 6", color="6 1 1 1")
    assert turn(game, "pass", "red 7", color="red 12 (2)")[1:] == ["1 white: red 7", "0 color: red 12 (2)"]


def test_several_players_may_lock_a_row_in_the_same_action_and_all_get_the_lock():
    game = setup(RED_FIVE, "red 2 3 4 5 6 7", RED_FIVE, white="6 6")
    turn(game, "red 12", "red 12", "pass")
    assert [player.count(RED) for player in game.players] == [7, 8, 5]
    assert [player.has_locked(RED) for player in game.players] == [True, True, False]
    assert game.rows_closed == 1
    assert not game.is_over


def test_the_die_of_a_closed_row_is_gone_in_the_same_turn():
    game = setup("", RED_FIVE, white="6 6", color="1 2 3 4")
    seen = []

    def decide(choice: Choice) -> Move:
        if choice.color:
            seen.append(texts(choice))
        return Move.parse("red 12") if choice.white and choice.seat == 1 else PASS

    play_roll(game, decide)
    left = ["yellow 8 (1)", "yellow 8 (2)", "green 9 (1)", "green 9 (2)", "blue 10 (1)", "blue 10 (2)"]
    assert seen == [["pass", *left]]
    assert objection(color_choice(game), "red 7 (1)") == "the red row is closed"


def test_a_row_closed_in_the_color_action_is_closed_from_then_on():
    game = setup(RED_FIVE, "", white="6 1", color="6 1 1 1")
    turn(game, "pass", "red 7", color="red 12 (1)")
    assert game.closed == [True, False, False, False]
    game.white = [4, 5]
    assert texts(white_choice(game, 1)) == ["pass", "yellow 9", "green 9", "blue 9"]


# The end


def test_the_game_ends_with_the_second_closed_row():
    game = setup(RED_LOCKED + ", " + YELLOW_FIVE, "", white="6 6")
    assert not game.is_over
    turn(game, "yellow 12", "pass")
    assert game.is_over
    assert not game.is_stopped


def test_two_rows_may_be_closed_by_different_players():
    game = setup(RED_LOCKED, YELLOW_FIVE, white="6 6")
    turn(game, "pass", "yellow 12")
    assert game.is_over


def test_two_rows_may_be_closed_in_one_action():
    game = setup(RED_FIVE, YELLOW_FIVE, white="6 6")
    assert turn(game, "red 12", "yellow 12") == ["0 white: red 12", "1 white: yellow 12"]
    assert game.is_over


def test_the_end_in_the_white_action_is_at_once_without_color_action_and_penalty():
    game = setup(RED_LOCKED, YELLOW_FIVE, white="6 6")
    assert turn(game, "pass", "yellow 12") == ["0 white: pass", "1 white: yellow 12"]
    assert game.players[0].penalties == 0


def test_without_end_at_once_the_turn_is_played_to_its_end():
    game = setup(RED_LOCKED, YELLOW_FIVE, white="6 6", rules=NOT_AT_ONCE)
    assert turn(game, "pass", "yellow 12") == ["0 white: pass", "1 white: yellow 12", "0 color: pass!"]
    assert game.is_over
    game = setup(RED_LOCKED, YELLOW_FIVE, white="6 6", rules=NOT_AT_ONCE)
    assert turn(game, "pass", "yellow 12", color="green 9 (1)")[-1] == "0 color: green 9 (1)"
    assert (game.is_over, game.players[0].penalties) == (True, 0)


def test_without_end_at_once_the_dice_of_both_closed_rows_are_gone():
    game = setup(RED_LOCKED, YELLOW_FIVE, white="6 6", rules=NOT_AT_ONCE)
    turn(game, "pass", "yellow 12")
    assert {text.split()[0] for text in texts(color_choice(game))} == {"pass", "green", "blue"}


def test_the_end_in_the_color_action():
    game = setup(RED_LOCKED + ", " + YELLOW_FIVE, white="6 1", color="1 6 1 1")
    turn(game, "pass", color="yellow 12 (1)")
    assert game.is_over


@pytest.mark.parametrize("needed", [1, 2, 3, 4])
def test_the_game_ends_when_rows_to_end_are_closed(needed):
    rows = [RED_LOCKED, "yellow 2 3 4 5 6 12", "green 12 11 10 9 8 2", BLUE_FIVE]
    crossed = ", ".join([*rows[: needed - 1], BLUE_FIVE])
    game = setup(crossed, white="1 1", rules=Rules(rows_to_end=needed))
    assert not game.is_over
    assert turn(game, "blue 2") == ["0 white: blue 2"]
    assert game.is_over
    if needed < 4:
        game = setup(crossed, white="1 1", rules=Rules(rows_to_end=needed + 1))
        turn(game, "blue 2")
        assert not game.is_over


def test_a_game_without_an_end_is_stopped():
    game = setup("", roll=MAX_ROLLS - 1)
    assert (game.is_over, game.is_stopped) == (False, False)
    game.roll_dice()
    assert (game.is_over, game.is_stopped) == (True, True)
    game.players[0].penalties = 4
    assert (game.is_over, game.is_stopped) == (True, False)


# Points and winners


@pytest.mark.parametrize(("crosses", "points"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 21), (10, 55)])
def test_points_of_a_row(crosses, points):
    text = "green " + " ".join(str(12 - i) for i in range(crosses)) if crosses else ""
    assert sheet(text).parts() == {"red": 0, "yellow": 0, "green": points, "blue": 0, "penalties": 0}


def test_a_whole_row_with_its_lock_is_worth_78():
    assert sheet("yellow 2 3 4 5 6 7 8 9 10 11 12").parts()["yellow"] == 78


def test_row_points_are_a_house_rule():
    rules = Rules(row_points=(2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 99))
    assert sheet("red 2 5", rules).score == 4
    assert sheet("red 2 3 4 5 6 7 8 9 10 11 12", rules).score == 99


def test_the_score_is_the_rows_minus_the_penalties():
    player = sheet("red 2 3 4, yellow 7, blue 12 9")
    player.penalties = 2
    assert player.parts() == {"red": 6, "yellow": 1, "green": 0, "blue": 3, "penalties": -10}
    assert list(player.parts()) == [*COLORS, "penalties"]
    assert player.score == 0


def test_the_highest_total_wins():
    assert setup("red 2", "red 2 3", "blue 12").winners() == [1]


def test_ties_are_shared():
    game = setup("red 2 3", "green 12, blue 12", "yellow 5 7", "yellow 5 8")
    assert game.winners() == [0, 2, 3]
    game.players[2].penalties = 1
    assert game.winners() == [0, 3]


# The color die first


def test_the_active_player_may_take_the_color_die_first():
    game = setup("", "", white="2 5", color="1 1 1 1", rules=COLOR_FIRST)
    assert texts(any_choice(game)) == [
        *["pass", "red 7", "yellow 7", "green 7", "blue 7"],
        *["red 3 (1)", "red 6 (2)", "yellow 3 (1)", "yellow 6 (2)"],
        *["green 3 (1)", "green 6 (2)", "blue 3 (1)", "blue 6 (2)"],
    ]
    done = turn(game, "red 7", "blue 7", first="red 6 (2)")
    assert done == ["0 color: red 6 (2)", "0 white: red 7", "1 white: blue 7"]
    assert game.players[0].rows[RED] == [5, 6]


def test_after_a_first_color_cross_the_player_is_asked_anew_and_there_is_no_color_action():
    game = setup("", "", rules=COLOR_FIRST)
    asked = []

    def decide(choice: Choice) -> Move:
        asked.append((choice.seat, choice.white, choice.color, choice.player.count(RED)))
        return Move.parse("red 4 (1)") if choice.color else PASS

    play_roll(game, decide)
    assert asked == [(0, True, True, 0), (0, True, False, 1), (1, True, False, 0)]
    assert game.players[0].penalties == 0


@pytest.mark.parametrize(("first", "penalties"), [("red 7", 0), ("pass", 1)])
def test_a_first_white_cross_or_pass_is_the_choice_of_the_white_action(first, penalties):
    game = setup("", "", rules=COLOR_FIRST)
    asked = []

    def decide(choice: Choice) -> Move:
        asked.append((choice.seat, choice.white, choice.color, game.players[0].count(RED)))
        return Move.parse(first) if choice.white and choice.color else PASS

    made = play_roll(game, decide)
    crosses = int(first != "pass")
    assert asked == [(0, True, True, 0), (1, True, False, 0), (0, False, True, crosses)]
    assert [(m.seat, m.is_color, str(m.move)) for m in made] == [
        *[(0, False, first), (1, False, "pass")],
        (0, True, "pass"),
    ]
    assert game.players[0].penalties == penalties


def test_a_seat_in_the_middle_keeps_its_place_in_the_white_action():
    game = setup("", "", "", roll=2, rules=COLOR_FIRST)
    done = turn(game, "red 7", "", "blue 7", first="green 7", color="yellow 5 (1)")
    assert done == ["0 white: red 7", "1 white: green 7", "2 white: blue 7", "1 color: yellow 5 (1)"]


def test_a_color_cross_may_still_come_second():
    game = setup("", rules=COLOR_FIRST)
    assert turn(game, color="red 4 (1)", first="pass") == ["0 white: pass", "0 color: red 4 (1)"]
    assert game.players[0].penalties == 0


def test_a_row_closed_by_a_first_color_cross_is_closed_for_the_white_action():
    game = setup(RED_FIVE, RED_FIVE, white="6 6", color="6 1 1 1", rules=COLOR_FIRST)
    seen = []

    def decide(choice: Choice) -> Move:
        seen.append([text for text in texts(choice) if text.startswith("red")])
        return Move.parse("red 12 (1)") if choice.color else PASS

    play_roll(game, decide)
    assert seen == [["red 12", "red 12 (1)", "red 12 (2)"], [], []]
    assert game.players[1].count(RED) == 5


def test_a_first_color_cross_that_ends_the_game_ends_it_at_once():
    crossed = RED_LOCKED + ", " + YELLOW_FIVE
    game = setup(crossed, YELLOW_FIVE, white="6 6", color="1 6 1 1", rules=COLOR_FIRST)
    assert turn(game, first="yellow 12 (1)") == ["0 color: yellow 12 (1)"]
    assert game.is_over


def test_without_end_at_once_the_white_action_still_follows():
    rules = Rules(white_first=False, end_at_once=False)
    game = setup(RED_LOCKED + ", " + YELLOW_FIVE, "", white="6 6", color="1 6 1 1", rules=rules)
    done = turn(game, "pass", "blue 12", first="yellow 12 (1)")
    assert done == ["0 color: yellow 12 (1)", "0 white: pass", "1 white: blue 12"]
    assert game.is_over


def test_the_white_action_may_end_the_game_after_a_first_color_cross():
    game = setup(RED_LOCKED, YELLOW_FIVE, white="6 6", color="1 1 1 1", rules=COLOR_FIRST)
    done = turn(game, "pass", "yellow 12", first="blue 7 (1)")
    assert done == ["0 color: blue 7 (1)", "0 white: pass", "1 white: yellow 12"]
    assert game.is_over


def test_with_the_official_order_there_is_no_such_choice():
    choices = []

    def decide(choice: Choice) -> Move:
        choices.append((choice.white, choice.color))
        return PASS

    play_roll(setup(""), decide)
    assert choices == [(True, False), (False, True)]


# Games and moves


@pytest.mark.parametrize(
    ("seats", "solo", "told"),
    [
        (0, False, "a game has 1 to 5 players; got 0"),
        (6, False, "a game has 1 to 5 players; got 6"),
        (2, True, "the solo game has 1 player; got 2"),
        (0, True, "the solo game has 1 player; got 0"),
    ],
)
def test_wrong_numbers_of_players_are_refused(seats, solo, told):
    with pytest.raises(PlanError, match=told):
        play([Weights("nobody", "", {})] * seats, [], OFFICIAL, 1, 0, solo=solo)


@pytest.mark.parametrize(("seed", "index"), [(-1, 0), (2**64, 0), (1, -1), (1, 2**64)])
def test_seeds_that_cannot_be_played_are_refused(seed, index):
    with pytest.raises(PlanError, match="must be from 0 to"):
        Game(2, OFFICIAL, seed, index)


EVERY_MOVE = [Move(row, position, die) for die in (0, 1, 2) for row in range(4) for position in range(1, 12)]


def test_every_move_has_a_code_and_a_text_that_lead_back():
    codes = [move.code for move in (PASS, *EVERY_MOVE)]
    assert sorted(codes) == list(range(133))
    for move in (PASS, *EVERY_MOVE):
        assert move_of_code(move.code) == move
        assert Move.parse(str(move)) == move


@pytest.mark.parametrize(
    ("text", "move", "code"),
    [
        ("pass", PASS, 0),
        ("red 2", Move(RED, 1), 1),
        ("red 7", Move(RED, 6), 6),
        ("yellow 12", Move(YELLOW, 11), 22),
        ("green 12", Move(GREEN, 1), 23),
        ("blue 2", Move(BLUE, 11), 44),
        ("red 2 (1)", Move(RED, 1, 1), 45),
        ("red 2 (2)", Move(RED, 1, 2), 56),
        ("blue 5 (1)", Move(BLUE, 8, 1), 45 + 66 + 7),
        ("blue 2 (2)", Move(BLUE, 11, 2), 132),
    ],
)
def test_texts_and_codes_of_moves(text, move, code):
    assert Move.parse(text) == move
    assert str(move) == text
    assert move.code == code


@pytest.mark.parametrize("text", ["", "red", "red 1", "red 13", "red 7 (3)", "red 7(1)", "red  7", "Pass", "red 7 "])
def test_other_texts_are_no_moves(text):
    with pytest.raises(RecordError, match="is not a move; moves look like"):
        Move.parse(text)


def test_unknown_rows_are_named():
    with pytest.raises(RecordError, match="unknown row 'bleu'; did you mean 'blue'"):
        Move.parse("bleu 7")


@pytest.mark.parametrize("code", [-3, -2, -1, 133, 1000])
def test_other_numbers_are_no_codes(code):
    with pytest.raises(RecordError, match="is not the code of a move"):
        move_of_code(code)


@pytest.mark.parametrize("white_first", [True, False])
def test_legal_moves_are_those_without_an_objection_and_never_left_of_the_last_cross(white_first):
    """The enumeration against the rulebook's prohibitions, over all moves, in the course of games."""
    rules = Rules(white_first=white_first, rows_to_end=4, crosses_to_lock=3, penalties_to_end=20)
    checked = 0
    for seed in range(6):
        game = Game(3, rules, seed, 0)
        while not game.is_over:
            game.roll_dice()

            def decide(choice: Choice) -> Move:
                nonlocal checked
                checked += 1
                moves = choice.moves()
                assert moves == sorted(moves, key=lambda move: (move.die > 0, move.row, move.die))
                assert set(moves) == {PASS} | {move for move in EVERY_MOVE if not choice.objection(move)}
                for move in moves[1:]:
                    crosses = choice.player.rows[move.row]
                    assert not any(position >= move.position for position in crosses)
                return moves[(7 * choice.game.roll + 3 * choice.seat) % len(moves)]

            play_roll(game, decide)
    assert checked > 500
