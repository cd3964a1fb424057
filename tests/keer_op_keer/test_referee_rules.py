"""The rulebook sentence by sentence, and every house rule, each on a position of the black sheet worked out by hand.

The black sheet (capitals are stars)::

      ABCDEFGHIJKLMNO
    1 gggyyyyGbbbOyyy
    2 ogYgYyoopBboogg
    3 BgpgggGpppyyogg
    4 bppgoObbggyyoPb
    5 poooopbbooopppp
    6 pBbPpppyYoPbbbO
    7 yybbbbpyyyggGoo
"""

from __future__ import annotations

import dataclasses
from itertools import combinations

import pytest

from simulator.errors import PlanError, RecordError
from simulator.keer_op_keer.referee import play
from simulator.keer_op_keer.referee.choice import Choice, choice_for, payable, play_roll
from simulator.keer_op_keer.referee.game import Game
from simulator.keer_op_keer.referee.position import PASS, Move
from simulator.keer_op_keer.rules import COLORS, OFFICIAL, TIE_BREAKS, Rules
from simulator.keer_op_keer.sheet import ALL_CELLS, Cell, load_sheet
from simulator.strategy import Weights

BLACK = load_sheet("black")
FACES = {name: face for face, name in enumerate((*COLORS, "joker"))}
GREEN, YELLOW, BLUE, PINK, ORANGE = range(5)
LAST_OF_O = "orange 1: O7"
ALL_BUT_LAST_OF_O = "O1 O2 O3 O4 O5 O6"


def cells(text: str) -> list[Cell]:
    return [Cell.parse(cell) for cell in text.split()]


def of_color(color: int, *, but: str = "") -> str:
    return " ".join(str(cell) for cell in ALL_CELLS if BLACK.colors[cell] == color and str(cell) not in but.split())


def setup(
    *crossed: str,
    colors: str = "green yellow blue pink orange joker",
    numbers: str = "1 2 3 4 5 joker",
    roll: int = 0,
    rules: Rules = OFFICIAL,
    solo: bool = False,
) -> Game:
    """A game with these cells crossed by each player, and these dice on the table; by default seat 0 is active."""
    game = Game([BLACK] * max(1, len(crossed)), rules, 1, 0, solo=solo)
    for player, text in zip(game.players, crossed, strict=False):
        player.cross(cells(text))
    game.announce()
    game.roll = roll or 12 * len(game.players) + 1
    game.color_faces = tuple(FACES[color] for color in colors.split())
    game.number_faces = tuple(5 if number == "joker" else int(number) - 1 for number in numbers.split())
    return game


def crossable(game: Game, color: int, number: int, seat: int = 0) -> set[str]:
    return {" ".join(map(str, pattern.cells)) for pattern in game.players[seat].legal(color, number)}


def texts(choice: Choice) -> list[str]:
    return [str(move) for move in choice.moves()]


def follow(game: Game, *moves: str) -> list[dict[str, int]]:
    """Play a roll by these moves, checking that they are legal; gives what each player completed, by name."""

    def decide(choice: Choice) -> Move:
        move = Move.parse(moves[choice.seat])
        assert choice.objection(move) == ""
        assert move in choice.moves()
        return move

    _, completed = play_roll(game, decide)
    return [
        {**{"ABCDEFGHIJKLMNO"[k]: v for k, v in done.columns.items()}, **{COLORS[k]: v for k, v in done.colors.items()}}
        for done in completed
    ]


# A roll


def test_three_color_dice_and_three_number_dice_are_rolled():
    game = Game([BLACK] * 2, OFFICIAL, 1, 0)
    game.roll_dice()
    assert (len(game.color_faces), len(game.number_faces)) == (3, 3)


def test_the_active_player_picks_from_all_six():
    game = setup("", "", colors="green pink blue", numbers="1 2 3")
    choice = choice_for(game, 0)
    assert (choice.colors, choice.numbers) == ((GREEN, PINK, BLUE), (0, 1, 2))


def test_every_other_player_picks_from_the_four_that_are_left():
    game = setup("", "", "", colors="green green blue", numbers="1 2 1")
    for seat in (1, 2):
        choice = choice_for(game, seat, Move.parse("green 1: H1"))
        assert (choice.colors, choice.numbers) == ((GREEN, BLUE), (1, 0))


def test_only_one_of_two_equal_dice_is_taken():
    game = setup("", "", colors="green green blue", numbers="1 2 4")
    left = choice_for(game, 1, Move.parse("green 1: H1"))
    assert left.colors == (GREEN, BLUE)
    assert left.objection(Move.parse("green 1: H1")) == "no 1 number die can be picked"


def test_which_die_is_taken_matters():
    game = setup("", "", colors="green joker blue", numbers="1 joker 3")
    assert choice_for(game, 1, Move.parse("green 1: H1")).colors == (5, BLUE)
    assert choice_for(game, 1, Move.parse("green* 1: H1")).colors == (GREEN, BLUE)
    assert choice_for(game, 1, Move.parse("green 1*: H1")).numbers == (0, 2)


@pytest.mark.parametrize("roll", [1, 2, 3])
def test_in_the_first_three_rolls_everyone_picks_from_all_six(roll):
    game = setup("", "", colors="green pink blue", numbers="1 2 3", roll=roll)
    passive = 1 - game.active
    choice = choice_for(game, passive, Move.parse("green 1: H1"))
    assert (len(choice.colors), len(choice.numbers)) == (3, 3)


def test_from_the_fourth_roll_on_passive_players_pick_from_four():
    game = setup("", "", colors="green pink blue", numbers="1 2 3", roll=4)
    choice = choice_for(game, 1 - game.active, Move.parse("green 1: H1"))
    assert (len(choice.colors), len(choice.numbers)) == (2, 2)


def test_if_the_active_player_passes_everyone_picks_from_all_six():
    game = setup("", "", colors="green pink blue", numbers="1 2 3")
    choice = choice_for(game, 1, PASS)
    assert (len(choice.colors), len(choice.numbers)) == (3, 3)


def test_several_may_pick_the_same_pair():
    game = setup("", "", "", colors="green pink blue", numbers="1 2 3")
    follow(game, "blue 2: G4 H4", "green 1: H1", "green 1: H1")
    assert all(Cell.parse("H1") not in game.players[seat].open for seat in (1, 2))


def test_all_crosses_are_made_at_the_same_time():
    game = setup("", "", "", colors="green pink blue", numbers="1 2 3")
    seen = []

    def decide(choice: Choice) -> Move:
        seen.append([len(player.open) for player in game.players])
        return Move.parse("green 1: H1" if choice.is_active else "blue 2: G4 H4")

    play_roll(game, decide)
    assert seen == [[105, 105, 105]] * 3
    assert [len(player.open) for player in game.players] == [104, 103, 103]


def test_the_player_to_the_left_becomes_active():
    game = Game([BLACK] * 3, OFFICIAL, 1, 0)
    active = []
    for _ in range(5):
        game.roll_dice()
        active.append(game.active)
    assert active == [0, 1, 2, 0, 1]


def test_everyone_may_pass():
    game = setup("", "")
    assert texts(choice_for(game, 0))[0] == "pass"
    assert texts(choice_for(game, 1, Move.parse("green 1: H1")))[0] == "pass"


# Crosses


def test_exactly_n_cells_are_crossed():
    assert crossable(setup("H3"), GREEN, 1) == {"H1", "G3"}
    assert crossable(setup("H3"), GREEN, 2) == {"F3 G3"}
    assert setup("").players[0].objection(Move(GREEN, 2, (Cell.parse("H1"),))) != ""


def test_all_in_one_block():
    assert crossable(setup("H3 H4"), GREEN, 2) == {"F3 G3", "I4 J4"}
    objection = setup("H3 H4").players[0].objection(Move.parse("green 2: G3 I4"))
    assert objection == "its cells are not all in one block"


def test_of_that_color():
    objection = setup("H3").players[0].objection(Move.parse("green 2: G3 G4"))
    assert objection == "G4 is blue, not green"


def test_connected_to_each_other_old_crosses_do_not_bridge():
    assert crossable(setup("E5"), ORANGE, 2) == {"C5 D5", "E4 F4", "G2 H2"}
    objection = setup("E5").players[0].objection(Move.parse("orange 2: D5 E4"))
    assert objection == "its cells are not connected to each other"


def test_connected_by_sides_not_corners():
    # E4 and D5 only touch at a corner; so do E5 and F4, with E4 crossed between them
    assert "E5 F4" not in crossable(setup("E4"), ORANGE, 2)


def test_beside_an_old_cross_by_a_side_never_a_corner():
    game = setup("H1")
    assert crossable(game, YELLOW, 1) == {"G1", "H6", "H7"}
    assert crossable(game, ORANGE, 1) == {"H2"}
    objection = game.players[0].objection(Move.parse("orange 1: G2"))
    assert objection == "none of its cells is in column H or beside an old cross"


def test_contact_with_an_old_cross_of_any_color():
    assert "G3" in crossable(setup("H3"), GREEN, 1)
    assert "G3" not in crossable(setup("H1"), GREEN, 1)


def test_one_cell_with_contact_is_enough():
    assert "A1 B1 B2 B3 C1" in crossable(setup("B4"), GREEN, 5)


def test_none_already_crossed():
    game = setup("H1")
    assert crossable(game, GREEN, 1) == set()
    assert game.players[0].objection(Move.parse("green 1: H1")) == "H1 is already crossed"


def test_a_pick_that_cannot_be_placed_cannot_be_made():
    game = setup("", colors="green", numbers="2")
    assert texts(choice_for(game, 0)) == ["pass"]


def test_number_is_never_more_than_five():
    game = setup("H3 G3", colors="green joker joker", numbers="5 joker joker")
    assert max(move.number for move in choice_for(game, 0).moves()) == 5
    block = max((b for b in BLACK.blocks if b.color == ORANGE), key=lambda b: len(b.cells))
    assert len(block.cells) == 6
    assert setup("E6").players[0].objection(Move(ORANGE, 6, block.cells)) != ""


def test_the_first_cross_is_in_column_h():
    choice = choice_for(setup(""), 0)
    moves = [move for move in choice.moves() if not move.is_pass]
    assert moves
    assert all(any(cell.column == 7 for cell in move.cells) for move in moves)
    singles = {str(move.cells[0]) for move in moves if move.number == 1}
    assert singles == {f"H{row}" for row in range(1, 8)}


def test_column_h_may_always_be_crossed_without_contact():
    assert "H7" in crossable(setup("H1 G1"), YELLOW, 1)


# Jokers


def test_the_black_cross_stands_for_any_color():
    game = setup("", colors="joker", numbers="1")
    assert texts(choice_for(game, 0)) == [
        "pass",
        "green* 1: H1",
        "yellow* 1: H6",
        "yellow* 1: H7",
        "blue* 1: H4",
        "blue* 1: H5",
        "pink* 1: H3",
        "orange* 1: H2",
    ]


def test_the_question_mark_stands_for_any_number_from_1_to_5():
    game = setup("", colors="yellow", numbers="joker")
    numbers = [move.number for move in choice_for(game, 0).moves()]
    assert sorted(set(numbers)) == [0, 1, 2, 3, 4, 5]
    assert "yellow 5*: H6 H7 I6 I7 J7" in texts(choice_for(game, 0))


def test_each_joker_die_strikes_one_mark_and_both_cost_two():
    for move, left in (("green 1: H1", 8), ("green* 1: H1", 7), ("green 1*: H1", 7), ("green* 1*: H1", 6)):
        game = setup("")
        follow(game, move)
        assert game.players[0].marks == left


@pytest.mark.parametrize(
    ("marks", "offered"),
    [
        (0, ["pass", "green 1: H1"]),
        (1, ["pass", "green 1: H1", "green* 1: H1", "green 1*: H1"]),
        (2, ["pass", "green 1: H1", "green* 1: H1", "green 1*: H1", "green* 1*: H1"]),
    ],
)
def test_without_enough_marks_jokers_cannot_be_taken(marks, offered):
    game = setup("", colors="green joker", numbers="1 joker")
    game.players[0].marks = marks
    found = texts(choice_for(game, 0))
    assert [text for text in found if text == "pass" or text.endswith(": H1")] == offered
    refused = {"green* 1: H1", "green* 1*: H1"} - set(offered)
    assert all(choice_for(game, 0).objection(Move.parse(text)) for text in refused)


def test_a_joker_die_may_be_taken_where_a_plain_one_would_do():
    game = setup("", colors="green joker", numbers="1 joker")
    assert {"green 1: H1", "green* 1: H1", "green 1*: H1", "green* 1*: H1"} <= set(texts(choice_for(game, 0)))


# Columns, colors, end


def test_the_first_to_complete_a_column_gets_the_upper_value_later_ones_the_lower():
    game = setup(ALL_BUT_LAST_OF_O, ALL_BUT_LAST_OF_O)
    assert follow(game, LAST_OF_O, "pass") == [{"O": 5}, {}]
    game.roll += 2
    assert follow(game, "pass", LAST_OF_O) == [{}, {"O": 3}]
    assert [player.points_so_far for player in game.players] == [5, 3]


def test_all_who_complete_a_column_in_the_first_such_roll_get_the_upper_value():
    game = setup(ALL_BUT_LAST_OF_O, ALL_BUT_LAST_OF_O, ALL_BUT_LAST_OF_O, colors="orange orange", numbers="1 1")
    assert follow(game, LAST_OF_O, LAST_OF_O, "pass") == [{"O": 5}, {"O": 5}, {}]
    game.roll += 3
    assert follow(game, "pass", "pass", LAST_OF_O) == [{}, {}, {"O": 3}]


def test_the_same_for_colors_with_5_and_3():
    almost = of_color(GREEN, but="H1")
    game = setup(almost, almost, almost, colors="green green", numbers="1 1")
    assert follow(game, "green 1: H1", "green 1: H1", "pass") == [{"green": 5}, {"green": 5}, {}]
    game.roll += 3
    assert follow(game, "pass", "pass", "green 1: H1") == [{}, {}, {"green": 3}]


def test_one_cross_may_complete_a_column_and_a_color():
    game = setup(of_color(GREEN, but="H1") + " H2 H3 H4 H5 H6 H7")
    assert follow(game, "green 1: H1") == [{"H": 1, "green": 5}]


def test_column_h_is_worth_nothing_later():
    almost = "H2 H3 H4 H5 H6 H7"
    game = setup(almost, almost)
    follow(game, "green 1: H1", "pass")
    game.roll += 2
    assert follow(game, "pass", "green 1: H1") == [{}, {"H": 0}]


def test_the_game_goes_on_after_the_first_color():
    game = setup(of_color(GREEN, but="H1"), "")
    follow(game, "green 1: H1", "pass")
    assert not game.is_over


def test_the_game_ends_after_the_second_color_and_that_roll_is_played_out_by_all():
    two = of_color(GREEN) + " " + of_color(ORANGE, but="H2")
    game = setup(two, "")
    assert not game.is_over
    assert follow(game, "orange 1: H2", "pink 3: H3 I2 I3") == [{"orange": 5}, {}]
    assert game.is_over
    assert len(game.players[1].open) == 102


def test_a_passive_player_may_end_the_game_too():
    two = of_color(GREEN) + " " + of_color(ORANGE, but="H2")
    game = setup("", two)
    follow(game, "pink 3: H3 I2 I3", "orange 1: H2")
    assert game.is_over


def test_two_colors_of_two_players_do_not_end_the_game():
    game = setup(of_color(GREEN, but="H1"), of_color(ORANGE, but="H2"))
    follow(game, "green 1: H1", "orange 1*: H2")
    assert not game.is_over


def test_score_is_colors_columns_unused_marks_and_open_stars():
    game = setup(of_color(GREEN) + " H2 H3 H4 H5 H6 H7 O1", "")
    game.players[0].marks = 3
    # green and column H first; 15 stars less those on green: H1, G3, M7
    assert game.players[0].parts() == {"colors": 5, "columns": 1, "jokers": 3, "stars": -24, "passes": 0}
    assert game.players[1].parts() == {"colors": 0, "columns": 0, "jokers": 8, "stars": -30, "passes": 0}
    assert game.winners() == [0]


def test_a_tie_goes_to_the_most_unused_marks():
    game = setup("H1", "", "")
    game.players[0].marks = 6  # 6 - 28 = 8 - 30
    assert {sum(player.parts().values()) for player in game.players} == {-22}
    assert game.winners() == [1, 2]


def test_then_the_tied_players_share_the_win():
    assert setup("", "", "").winners() == [0, 1, 2]


# Solo


def solo_record(script: list[list[Move]], rules: Rules = OFFICIAL) -> dict:
    return play([Weights("nobody", "", {})], [BLACK], rules, 1, 0, solo=True, script=script)


def test_solo_two_color_dice_and_two_number_dice():
    game = Game([BLACK], OFFICIAL, 1, 0, solo=True)
    game.roll_dice()
    assert (len(game.color_faces), len(game.number_faces)) == (2, 2)


def test_solo_thirty_rolls_and_passing_uses_a_roll_up():
    record = solo_record([[PASS]] * 30)
    assert len(record["rolls"]) == 30
    assert record["mode"] == "solo"
    assert record["final"] == [{"player": 0, "colors": 0, "columns": 0, "jokers": 8, "stars": -30, "total": -22}]
    assert record["winners"] == [0]
    assert "stopped" not in record


def test_solo_upper_column_values_and_5_per_color():
    game = setup(of_color(GREEN, but="H1") + " H2 H3 H4 H5 H6 H7", solo=True)
    game.columns_claimed, game.colors_claimed = set(range(15)), set(range(5))
    assert follow(game, "green 1: H1") == [{"H": 1, "green": 5}]


def test_solo_does_not_end_on_the_second_color():
    game = setup(of_color(GREEN) + " " + of_color(ORANGE, but="H2"), solo=True, roll=7)
    follow(game, "orange 1: H2")
    assert game.players[0].colors_full == 2
    assert not game.is_over


def test_solo_is_for_one():
    with pytest.raises(PlanError, match="the solo game has 1 player; got 2"):
        Game([BLACK] * 2, OFFICIAL, 1, 0, solo=True)


# Every switch


def test_every_switch_has_a_test():
    names = {name.removeprefix("test_switch_") for name in globals() if name.startswith("test_switch_")}
    assert {field.name for field in dataclasses.fields(Rules)} <= names


def test_switch_connect_through_crosses():
    through = Rules(connect_through_crosses=True)
    assert crossable(setup("E5", rules=through), ORANGE, 2) == {"C5 D5", "D5 E4", "E4 F4", "G2 H2"}
    # through crosses of the same block only: H3 and I4 are crossed but belong to others
    assert "G3 I4" not in crossable(setup("H3 H4", rules=through), GREEN, 2)
    # and not through open cells: D5 and F4 have E4 between them
    objection = setup("E5", rules=through).players[0].objection(Move.parse("orange 2: D5 F4"))
    assert objection == "its cells are not connected to each other"


def test_switch_start_columns():
    for columns in ("G", "GI"):
        choice = choice_for(setup("", rules=Rules(start_columns=columns)), 0)
        singles = {str(move.cells[0]) for move in choice.moves() if move.number == 1}
        assert singles == {f"{column}{row}" for column in columns for row in range(1, 8)}
    objection = setup("", rules=Rules(start_columns="GI")).players[0].objection(Move.parse("green 1: H1"))
    assert objection == "none of its cells is in column GI or beside an old cross"


def test_switch_jokers():
    game = setup("", colors="green joker", numbers="1 joker", rules=Rules(jokers=1))
    assert game.players[0].marks == 1
    assert "green* 1*: H1" not in texts(choice_for(game, 0))
    assert texts(choice_for(setup("", colors="joker", numbers="1", rules=Rules(jokers=0)), 0)) == ["pass"]
    assert setup("", rules=Rules(jokers=0)).players[0].parts()["jokers"] == 0


def test_switch_mark_points():
    assert setup("", rules=Rules(mark_points=3)).players[0].parts()["jokers"] == 24
    assert setup("", rules=Rules(mark_points=0)).players[0].parts()["jokers"] == 0


def test_switch_star_penalty():
    assert setup("H1", rules=Rules(star_penalty=5)).players[0].parts()["stars"] == -70


def test_switch_color_first():
    game = setup(of_color(GREEN, but="H1"), "", rules=Rules(color_first=11))
    assert follow(game, "green 1: H1", "pass") == [{"green": 11}, {}]


def test_switch_color_later():
    almost = of_color(GREEN, but="H1")
    game = setup(almost, almost, rules=Rules(color_later=4))
    assert follow(game, "green 1: H1", "pass") == [{"green": 5}, {}]
    game.roll += 2
    assert follow(game, "pass", "green 1: H1") == [{}, {"green": 4}]


def test_switch_column_first():
    values = tuple(range(1, 16))
    game = setup(ALL_BUT_LAST_OF_O, "", rules=Rules(column_first=values))
    assert follow(game, LAST_OF_O, "pass") == [{"O": 15}, {}]


def test_switch_column_later():
    values = tuple(range(1, 16))
    game = setup(ALL_BUT_LAST_OF_O, ALL_BUT_LAST_OF_O, rules=Rules(column_later=values))
    assert follow(game, LAST_OF_O, "pass") == [{"O": 5}, {}]
    game.roll += 2
    assert follow(game, "pass", LAST_OF_O) == [{}, {"O": 15}]


def test_switch_first_for_all():
    rules = Rules(first_for_all=True)
    game = setup(ALL_BUT_LAST_OF_O, ALL_BUT_LAST_OF_O, rules=rules)
    assert follow(game, LAST_OF_O, "pass") == [{"O": 5}, {}]
    game.roll += 2
    assert game.column_value(14) == 5
    assert follow(game, "pass", LAST_OF_O) == [{}, {"O": 5}]


@pytest.mark.parametrize(("active", "values"), [(0, [5, 3, 3]), (1, [3, 5, 3]), (2, [3, 3, 5])])
def test_switch_shared_firsts(active, values):
    almost = ALL_BUT_LAST_OF_O
    game = setup(almost, almost, almost, rules=Rules(shared_firsts=False), colors="orange orange", numbers="1 1")
    game.roll += active
    assert follow(game, *[LAST_OF_O] * 3) == [{"O": value} for value in values]
    almost = of_color(GREEN, but="H1")
    game = setup(almost, almost, "", rules=Rules(shared_firsts=False), colors="green green", numbers="1 1")
    game.roll += 2  # seat 2 is active, so seat 0 is nearer than seat 1
    assert follow(game, "green 1: H1", "green 1: H1", "pass") == [{"green": 5}, {"green": 3}, {}]


def test_switch_colors_to_end():
    game = setup(of_color(GREEN, but="H1"), "", rules=Rules(colors_to_end=1))
    follow(game, "green 1: H1", "pass")
    assert game.is_over
    game = setup(of_color(GREEN) + " " + of_color(ORANGE), rules=Rules(colors_to_end=3))
    assert not game.is_over


def test_switch_open_rolls():
    taken = Move.parse("green 1: H1")
    for open_rolls, roll, left in ((0, 1, 5), (1, 1, 6), (1, 2, 5), (5, 5, 6), (5, 6, 5)):
        game = setup("", "", roll=roll, rules=Rules(open_rolls=open_rolls))
        assert len(choice_for(game, 1 - game.active, taken).colors) == left


def test_switch_roll_limit():
    players = [Weights("nobody", "", {})] * 2
    record = play(players, [BLACK] * 2, Rules(roll_limit=2), 1, 0)
    assert len(record["rolls"]) == 2
    assert "stopped" not in record
    assert "stopped" not in play(players, [BLACK] * 2, Rules(roll_limit=1000), 1, 0)
    record = play(players, [BLACK] * 2, OFFICIAL, 1, 0)
    assert len(record["rolls"]) == 1000
    assert record["stopped"] is True


def rolled(rules: Rules, *, solo: bool = False) -> Game:
    game = Game([BLACK], rules, 1, 0, solo=solo)
    game.roll_dice()
    return game


def test_switch_color_dice():
    game = rolled(Rules(color_dice=5))
    assert (len(game.color_faces), len(game.number_faces)) == (5, 3)
    # with one color die nothing is left to pick for the others
    game = setup("", "", colors="green", numbers="1 2 3", rules=Rules(color_dice=1))
    assert texts(choice_for(game, 1, Move.parse("green 1: H1"))) == ["pass"]


def test_switch_number_dice():
    game = rolled(Rules(number_dice=1))
    assert (len(game.color_faces), len(game.number_faces)) == (3, 1)


def test_switch_solo_color_dice():
    game = rolled(Rules(solo_color_dice=6), solo=True)
    assert (len(game.color_faces), len(game.number_faces)) == (6, 2)


def test_switch_solo_number_dice():
    game = rolled(Rules(solo_number_dice=4), solo=True)
    assert (len(game.color_faces), len(game.number_faces)) == (2, 4)


def test_switch_solo_rolls():
    assert len(solo_record([[PASS]] * 3, Rules(solo_rolls=3))["rolls"]) == 3
    record = solo_record([[PASS]] * 1000, Rules(solo_rolls=1000))
    assert "stopped" not in record


def test_switch_solo_ends_on_colors():
    rules = Rules(solo_ends_on_colors=True)
    game = setup(of_color(GREEN) + " " + of_color(ORANGE, but="H2"), solo=True, roll=7, rules=rules)
    follow(game, "orange 1: H2")
    assert game.is_over


def test_switch_passive_see_active():
    for switch in (False, True):
        game = setup(ALL_BUT_LAST_OF_O, "", rules=Rules(passive_see_active=switch))
        before = []

        def decide(choice: Choice, before: list = before, game: Game = game) -> Move:
            player = game.players[0]
            before.append((int(player.column_left[14] == 0), len(player.open), player.points_so_far))
            return Move.parse(LAST_OF_O) if choice.is_active else PASS

        play_roll(game, decide)
        assert before == [(0, 99, 0), (1, 98, 0) if switch else (0, 99, 0)]
        assert game.players[0].points_so_far == 5


def test_switch_passive_see_active_leaves_shared_firsts_alone():
    almost = ALL_BUT_LAST_OF_O
    rules = Rules(passive_see_active=True)
    game = setup(almost, almost, rules=rules, colors="orange orange", numbers="1 1")
    assert follow(game, LAST_OF_O, LAST_OF_O) == [{"O": 5}, {"O": 5}]


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
def test_switch_tie_break(tie_break):
    game = setup("H1 C2", "H2 H3 H4 H5 H6 H7 H1", "", "", rules=Rules(tie_break=tie_break))
    # seat 0: 13 open stars, 2 marks; 1: column H for 1, 14 stars, 3 marks; 2 and 3: 15 stars, 6 marks
    for player, marks in zip(game.players, (2, 3, 6, 6), strict=True):
        player.marks = marks
    assert [sum(player.parts().values()) for player in game.players] == [-24] * 4
    assert game.winners() == {"marks": [2, 3], "columns": [1], "stars": [0], "shared": [0, 1, 2, 3]}[tie_break]


def test_switch_pass_penalty():
    record = play(
        [Weights("nobody", "", {"points": -1})] * 2, [BLACK] * 2, Rules(pass_penalty=2, roll_limit=3), 1, 0,
        script=[[PASS, PASS]] * 3,
    )  # fmt: skip
    final = {"player": 0, "colors": 0, "columns": 0, "jokers": 8, "stars": -30, "passes": -6, "total": -28}
    assert record["final"][0] == final


def test_switch_color_weights():
    game = Game([BLACK], Rules(color_weights=(0, 3, 0, 0, 1, 0), color_dice=6), 1, 0)
    faces = []
    for _ in range(200):
        game.roll_dice()
        faces += game.color_faces
    assert set(faces) == {YELLOW, ORANGE}
    assert 2.4 < faces.count(YELLOW) / faces.count(ORANGE) < 3.6


def test_switch_number_weights():
    game = Game([BLACK], Rules(number_weights=(1, 0, 0, 0, 1, 1)), 1, 0)
    faces = []
    for _ in range(200):
        game.roll_dice()
        faces += game.number_faces
    assert set(faces) == {0, 4, 5}


# Moves as text, scripts, and the order of ties


@pytest.mark.parametrize(
    "text", ["pass", "green 1: H1", "green* 3: F3 G3 H1", "pink 2*: H3 I3", "blue* 5*: A1 B1 C1 D1 E1"]
)
def test_a_move_has_one_text_that_parses_back(text):
    move = Move.parse(text)
    assert str(move) == text
    assert eval(repr(move)) == move


def test_cells_of_a_move_are_put_in_sheet_order():
    assert str(Move.parse("green 3: H1 G3 F3")) == "green 3: F3 G3 H1"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not a move"),
        ("green", "moves look like"),
        ("green 6: H1", "is not a move"),
        ("gren 1: H1", "did you mean 'green'"),
        ("green 1: H8", "'H8' is not a cell"),
        ("green 1:", "is not a move"),
    ],
)
def test_text_that_is_no_move_is_refused(text, complaint):
    with pytest.raises(RecordError, match=complaint):
        Move.parse(text)


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ([[PASS]] * 29, "the script ends before roll 30, but the game goes on"),
        ([[PASS]] * 31, "the script goes on after roll 30"),
        ([[PASS, PASS]] * 30, "roll 1: 2 moves for 1 players"),
        ([[Move.parse("green 1: G3")]] * 30, "roll 1, player 0: 'green 1: G3' is not legal: "),
    ],
)
def test_a_script_is_checked(script, complaint):
    with pytest.raises(RecordError, match=complaint):
        solo_record(script)


@pytest.mark.parametrize(
    ("seats", "seed", "index"), [(0, 1, 0), (7, 1, 0), (2, -1, 0), (2, 2**64, 0), (2, 1, -1), (2, 1, 2**64)]
)
def test_games_that_cannot_be_played_are_refused(seats, seed, index):
    with pytest.raises(PlanError):
        Game([BLACK] * seats, OFFICIAL, seed, index)


def test_every_player_needs_a_sheet():
    with pytest.raises(PlanError, match="2 strategies but 1 sheets"):
        play([Weights("nobody", "", {})] * 2, [BLACK], OFFICIAL, 1, 0)


def test_moves_come_in_the_order_of_ties():
    for game in (setup("H3 H4 H5 H6 G3 E5"), setup("E5 D4", rules=Rules(connect_through_crosses=True))):
        moves = choice_for(game, 0).moves()
        assert moves[0] is PASS
        block = {cell: i for i, b in enumerate(BLACK.blocks) for cell in b.cells}
        keys = [
            (m.color, m.number, block[m.cells[0]], m.cells[::-1], 2 * m.number_joker + m.color_joker) for m in moves[1:]
        ]
        assert keys == sorted(keys)
        assert len(set(moves)) == len(moves) > 50


def test_payable_lists_the_ways_to_pay_in_order():
    assert list(payable((GREEN,), (0,), 8)) == [(GREEN, 1, [(0, 0)])]
    found = {(color, number): ways for color, number, ways in payable((GREEN, 5), (0, 5), 8)}
    assert found[GREEN, 1] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert found[GREEN, 2] == [(0, 1), (1, 1)]
    assert found[PINK, 2] == [(1, 1)]
    assert len(found) == 25


@pytest.mark.parametrize("through", [False, True])
def test_legal_moves_are_those_without_an_objection(through):
    """The enumeration against the rulebook's prohibitions, over all sets of cells of a block, in a game's course."""
    rules = Rules(connect_through_crosses=through, roll_limit=24, jokers=3)
    everything = [
        Move(block.color, number, chosen, color_joker, number_joker)
        for block in BLACK.blocks
        for number in range(1, len(block.cells) + 1)
        for chosen in combinations(block.cells, number)
        for color_joker in (False, True)
        for number_joker in (False, True)
    ]
    checked = []
    game = Game([BLACK] * 2, rules, 3, 0)
    while not game.is_over:
        game.roll_dice()

        def decide(choice: Choice) -> Move:
            moves = choice.moves()
            if choice.game.roll % 4 == 0:
                legal = {move for move in everything if not choice.objection(move)}
                assert legal == set(moves) - {PASS}
                checked.append(choice)
            return moves[(7 * choice.game.roll + 3 * choice.seat) % len(moves)]

        play_roll(game, decide)
    assert len(checked) == 12
