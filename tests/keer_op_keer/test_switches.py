"""Every switch in a small game worked out by hand, played by referee and engine alike.

The sheet is made for it: pairs and blocks of five, and three colors that one cross fills::

      ABCDEFGHIJKLMNO
    1 gogogogygogogog   H1 is all the yellow there is, H2 all the blue, H3 all the pink.
    2 gogogogbgogogog   H4 to H7 are a green block of four.
    3 ogogogopogogogo   Beside it in G: orange G3 to G7, green G1 and G2. Both together fill column G.
    4 ogogogogogogogo   There are no stars but where a test puts them.
    5 ogogogogogogogo
    6 ogogogogogogogo
    7 ogogogogogogogo

Players have plans: the cells that they cross in each roll, ``"H4 / - / H1"``. Where the rules or the dice do not allow
it, they pass; so what they cross shows what is allowed. Passes at the end are not written. One player alone plays the
solo game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from simulator.keer_op_keer.rules import TIE_BREAKS, Rules
from simulator.keer_op_keer.sheet import Cell, Sheet
from simulator.strategy import Scored, Strategy
from tests import switches
from tests.agreement import Setup

LINES = ("gogogogygogogog", "gogogogbgogogog", "ogogogopogogogo", *["ogogogogogogogo"] * 4)
SHEET = Sheet("pairs and fives", LINES)
IDLE = ""
"""The plan of who passes always."""
JOKERS: dict[str, Any] = {"color_weights": (0, 0, 0, 0, 0, 1), "number_weights": (0, 0, 0, 0, 0, 1), "roll_limit": 5}
"""All dice are jokers: everyone can take any color and number, for two marks. The game lasts five rolls."""
FREE: dict[str, Any] = JOKERS | {"jokers": 99, "mark_points": 0}
"""The same, as if it cost nothing: the score is what columns and colors (and stars) give."""
SEED = 3445793
DICE = (["green", "yellow", "blue", "pink"], [1, 2, 3, 4])
"""The first dice of roll 1 with that seed: so many of them as are rolled."""
G = "H4 / G3 G4 G5 G6 G7 / G1 G2"
"""The shortest way to fill column G, officially 2 points first and 1 later."""


@pytest.fixture(autouse=True)
def _contrast(request: pytest.FixtureRequest) -> Iterator[None]:
    yield from switches.contrasted(Rules, request.function.__name__)


class Played(NamedTuple):
    """A game as it was played: points and crosses of each player, number of rolls, seats of the winners."""

    points: list[int]
    crosses: list[str]
    rolls: int
    winners: list[int]
    dice: tuple[list[str], list[int]]


def as_planned(view: Any, move: Any, a: float = 0, b: float = 0, c: float = 0, d: float = 0, e: float = 0) -> float:
    """Prefers the move that is planned for this roll, then the pass; see ``planned``."""
    move_code = 0.0
    for i in range(move.number):
        move_code = 128 * move_code + 7 * move.column[i] + move.row[i] + 1
    wanted = (a, b, c, d, e)[view.roll - 1] if view.roll <= 5 else 0.0
    return 1.0 if move_code == wanted else -float(move.number)


def planned(plan: str) -> Scored:
    """The strategy that follows a plan for up to five rolls."""
    codes = []
    for roll in plan.split(" / "):
        code = 0
        for cell in map(Cell.parse, roll.split() if roll != "-" else ()):
            code = 128 * code + 7 * cell.column + cell.row + 1
        codes.append(code)
    return Scored(plan, "", as_planned, dict(zip("abcde", codes, strict=False)))


def play(*plans: str | Strategy, sheets: list[Sheet] | None = None, **changes: Any) -> Played:
    """Play a game by both implementations, which have to agree."""
    players = [planned(plan) if isinstance(plan, str) else plan for plan in plans]
    setup = Setup(players, sheets or [SHEET] * len(plans), Rules.from_changes(changes), SEED, 0)
    record = switches.played(setup)
    rolls = record["rolls"]
    moves = [["-" if m["pass"] else " ".join(m["cells"]) for m in roll["moves"]] for roll in rolls]
    return Played(
        points=[final["total"] for final in record["final"]],
        crosses=[" / ".join(of_player).rstrip("- /") for of_player in zip(*moves, strict=True)],
        rolls=len(rolls),
        winners=record["winners"],
        dice=(rolls[0]["dice"]["colors"], rolls[0]["dice"]["numbers"]),
    )


def free(*plans: str | Strategy, **changes: Any) -> Played:
    """Play a game of free choice."""
    return play(*plans, **FREE | changes)


def starred(cells: str) -> Sheet:
    """The sheet with stars in these cells."""
    lines = [list(line) for line in LINES]
    for cell in map(Cell.parse, cells.split()):
        lines[cell.row][cell.column] = lines[cell.row][cell.column].upper()
    return Sheet(f"stars {cells}", tuple(map("".join, lines)))


# Crosses


def test_connect_through_crosses() -> None:
    """H4 and H6 belong to one block but touch only H5, which is crossed already: that connects them, or does not."""
    assert free("H5 / H4 H6", IDLE).crosses == ["H5", ""]
    assert free("H5 / H4 H6", IDLE, connect_through_crosses=True).crosses == ["H5 / H4 H6", ""]


def test_start_columns() -> None:
    """The first cross lies in a start column: H officially, A if that is the only one."""
    assert free("A1 A2", "H1").crosses == ["", "H1"]
    assert free("A1 A2", "H1", start_columns="A").crosses == ["A1 A2", ""]
    assert free("A1 A2", "H1", start_columns="AH").crosses == ["A1 A2", "H1"]


# Marks, stars, passes


def test_jokers() -> None:
    """All dice are jokers, so every move strikes two marks: 8 pay for four moves, 5 for two, and one is left over."""
    official = play("H4 / H5 / H6 / H7 / H1", IDLE, **JOKERS)
    assert (official.crosses[0], official.points) == ("H4 / H5 / H6 / H7", [0, 8])
    house = play("H4 / H5 / H6 / H7 / H1", IDLE, **JOKERS, jokers=5)
    assert (house.crosses[0], house.points) == ("H4 / H5", [1, 5])


def test_mark_points() -> None:
    """One move by two jokers leaves 6 of 8 marks, none leaves all 8; each is worth 1 point, or 3, or nothing."""
    assert play("H4", IDLE, **JOKERS).points == [6, 8]
    assert play("H4", IDLE, **JOKERS, mark_points=3).points == [18, 24]
    assert play("H4", IDLE, **JOKERS, mark_points=0).points == [0, 0]


def test_star_penalty() -> None:
    """Of three stars one player crosses H4, the other none: 2 and 3 stay open, at 2 points officially, then at 7."""
    sheets = [starred("H4 A1 B1")] * 2
    assert free("H4", IDLE, sheets=sheets).points == [-4, -6]
    assert free("H4", IDLE, sheets=sheets, star_penalty=7).points == [-14, -21]


def test_pass_penalty() -> None:
    """In five rolls one player crosses once and passes 4 times, the other passes 5 times."""
    assert free("H4", IDLE).points == [0, 0]
    assert free("H4", IDLE, pass_penalty=2).points == [-8, -10]


# Points of columns and colors

FIRST, LATER = f"H1 / {G}", f"- / H1 / {G}"
"""One player fills yellow in roll 1 and G in roll 4, the other each a roll later: officially 5 + 2 and 3 + 1 points."""
A_TO_O = tuple(range(31, 46))
"""Column values that are all different; that of G is 37."""


def test_color_first() -> None:
    """The first yellow is worth 9 in place of 5, the later one 3 as ever."""
    assert free(FIRST, LATER).points == [5 + 2, 3 + 1]
    assert free(FIRST, LATER, color_first=9).points == [9 + 2, 3 + 1]


def test_color_later() -> None:
    """The later yellow is worth 1 in place of 3; who plays alone gets 5 in any case."""
    assert free(FIRST, LATER).points == [5 + 2, 3 + 1]
    assert free(FIRST, LATER, color_later=1).points == [5 + 2, 1 + 1]
    assert free(LATER, color_later=1).points == [5 + 2]


def test_column_first() -> None:
    """The first G is worth 37 in place of 2, the later one 1 as ever."""
    assert free(FIRST, LATER).points == [5 + 2, 3 + 1]
    assert free(FIRST, LATER, column_first=A_TO_O).points == [5 + 37, 3 + 1]


def test_column_later() -> None:
    """The later G is worth 37 in place of 1; who plays alone gets 2 in any case."""
    assert free(FIRST, LATER).points == [5 + 2, 3 + 1]
    assert free(FIRST, LATER, column_later=A_TO_O).points == [5 + 2, 3 + 37]
    assert free(LATER, column_later=A_TO_O).points == [5 + 2]


def test_first_for_all() -> None:
    """Who is a roll later gets 5 and 2 all the same."""
    assert free(FIRST, LATER).points == [5 + 2, 3 + 1]
    assert free(FIRST, LATER, first_for_all=True).points == [5 + 2, 5 + 2]


def test_shared_firsts() -> None:
    """Seats 0 and 2 fill yellow in roll 2 and G in roll 5. Seat 1 rolls in both, so the next in turn is seat 2."""
    plan = "H4 / H1 / G3 G4 G5 G6 G7 / - / G1 G2"
    assert free(plan, IDLE, plan).points == [5 + 2, 0, 5 + 2]
    assert free(plan, IDLE, plan, shared_firsts=False).points == [3 + 1, 0, 5 + 2]


# The end, and the winner


def test_colors_to_end() -> None:
    """One player fills a color in each of rolls 1, 2, 3; the other is second with yellow (3 points) in roll 2.

    The game ends after the second color, roll 2 being played out by both; or after the first; or after the third.
    """
    plans = "H1 / H2 / H3", "- / H1"
    official, one, three = free(*plans), free(*plans, colors_to_end=1), free(*plans, colors_to_end=3)
    assert (official.rolls, official.points) == (2, [5 + 5, 3])
    assert (one.rolls, one.points) == (1, [5, 0])
    assert (three.rolls, three.points) == (3, [5 + 5 + 5, 3])


def test_roll_limit() -> None:
    """Dice show only yellow and blue, and 1: a game without a limit ends with the second color, full in roll 3.

    Points are 5 for a color and 8 for the marks, which nobody needs.
    """
    dice: dict[str, Any] = {"color_dice": 6, "color_weights": (0, 1, 1, 0, 0, 0), "number_weights": (1, 0, 0, 0, 0, 0)}
    official, short = play("H1 / - / H2", IDLE, **dice), play("H1 / - / H2", IDLE, **dice, roll_limit=2)
    assert (official.rolls, official.points) == (3, [5 + 5 + 8, 8])
    assert (short.rolls, short.points) == (2, [5 + 8, 8])


def test_tie_break() -> None:
    """Four players have 2 points (marks + column G - 2 a star), the fifth has as many marks as the first but 0 points.

    ====  =====  ====  ==========  ============
    seat  marks  G     open stars  points
    ====  =====  ====  ==========  ============
    0     8      --    3           8 + 0 - 6
    1     2      2     1           2 + 2 - 2
    2, 3  2      --    0           2 + 0 - 0
    4     8      --    4           8 + 0 - 8
    ====  =====  ====  ==========  ============

    A move strikes two marks, because all dice are jokers.
    """
    plans = IDLE, G, "H4 / H5 / H6", "H4 / H5 / H6", IDLE
    sheets = [starred("A1 B1 C1"), starred("A1"), SHEET, SHEET, starred("A1 B1 C1 D1")]
    winners = {}
    for tie_break in TIE_BREAKS:
        game = play(*plans, sheets=sheets, **JOKERS, tie_break=tie_break)
        assert game.points == [2, 2, 2, 2, 0]
        winners[tie_break] = game.winners
    assert play(*plans, sheets=sheets, **JOKERS).winners == [0]  # officially by marks
    assert winners == {"marks": [0], "columns": [1], "stars": [2, 3], "shared": [0, 1, 2, 3]}


# Dice


def test_open_rolls() -> None:
    """With one die of each kind the player who rolls takes all there is: in rolls 1 and 3 seat 0, in 2 and 4 seat 1.

    The other crosses only in an open roll, officially rolls 1 to 3.
    """
    plan, one_die = "H4 / H5 / H6 / H7", {"color_dice": 1, "number_dice": 1}
    assert free(plan, plan, **one_die).crosses == ["H4 / H5 / H6", "H4 / H5 / H6 / H7"]
    assert free(plan, plan, **one_die, open_rolls=1).crosses == ["H4 / - / H6", "H4 / H5 / - / H7"]
    assert free(plan, plan, **one_die, open_rolls=0).crosses == ["H4 / - / H6", "- / H5 / - / H7"]
    assert free(plan, plan, **one_die, open_rolls=4).crosses == ["H4 / H5 / H6 / H7", "H4 / H5 / H6 / H7"]


def test_color_dice() -> None:
    """Three players want green, blue and pink: the first, third and fourth die of roll 1, which is open to all."""
    plans = "H4", "H2", "H3"
    official = play(*plans, roll_limit=1)
    one, four = play(*plans, roll_limit=1, color_dice=1), play(*plans, roll_limit=1, color_dice=4)
    assert [len(game.dice[0]) for game in (official, one, four)] == [3, 1, 4]
    assert four.dice == (DICE[0], DICE[1][:3])
    assert (official.crosses, one.crosses, four.crosses) == (["H4", "H2", ""], ["H4", "", ""], ["H4", "H2", "H3"])


def test_number_dice() -> None:
    """Three players want a green 1, 3 and 4: the first, third and fourth number die of roll 1, which is open to all."""
    plans = "H4", "H4 H5 H6", "H4 H5 H6 H7"
    official = play(*plans, roll_limit=1)
    one, four = play(*plans, roll_limit=1, number_dice=1), play(*plans, roll_limit=1, number_dice=4)
    assert [len(game.dice[1]) for game in (official, one, four)] == [3, 1, 4]
    assert four.dice == (DICE[0][:3], DICE[1])
    assert official.crosses == ["H4", "H4 H5 H6", ""]
    assert one.crosses == ["H4", "", ""]
    assert four.crosses == ["H4", "H4 H5 H6", "H4 H5 H6 H7"]


def test_color_weights() -> None:
    """Green, yellow and blue are sides 1, 2, 3 of a fair die. With weights 2 for blue and 4 for pink it has the sides
    blue, blue, pink, pink, pink, pink: the same dice show blue, blue and pink."""
    plans = "H4", "H1", "H2", "H3"
    official, house = play(*plans, roll_limit=1), play(*plans, roll_limit=1, color_weights=(0, 0, 2, 4, 0, 0))
    assert (official.dice[0], official.crosses) == (["green", "yellow", "blue"], ["H4", "H1", "H2", ""])
    assert (house.dice[0], house.crosses) == (["blue", "blue", "pink"], ["", "", "H2", "H3"])


def test_number_weights() -> None:
    """1, 2 and 3 are the first sides of a fair die. With weights 1 for 2 and 5 for 4 these are 2, 4 and 4."""
    plans = "H4", "H4 H5", "H4 H5 H6", "H4 H5 H6 H7"
    official, house = play(*plans, roll_limit=1), play(*plans, roll_limit=1, number_weights=(0, 1, 0, 5, 0, 0))
    assert (official.dice[1], official.crosses) == ([1, 2, 3], ["H4", "H4 H5", "H4 H5 H6", ""])
    assert (house.dice[1], house.crosses) == ([2, 4, 4], ["", "H4 H5", "", "H4 H5 H6 H7"])


def previous_crosses_it(view: Any, move: Any) -> float:
    """Crosses H1 as soon as it sees H1 crossed by the player before it in turn order, in a game of three."""
    seen = view.other_open[1, 7, 0] == 0
    return 1.0 if seen and move.number == 1 and move.column[0] == 7 and move.row[0] == 0 else -float(move.number)


def test_passive_see_active() -> None:
    """Seat 0 rolls and crosses H1; seat 1 crosses H1 when it sees that of seat 0, seat 2 when it sees that of seat 1.

    Officially nobody sees crosses of the same roll, so they follow one by one and are later with yellow. If the cross
    of the active player is seen, seat 1 follows in the same roll, and shares the first 5 points with seat 0, because
    full colors are announced together. Seat 2 does not see the cross of seat 1, which is passive.
    """
    copycat = Scored("copycat", "", previous_crosses_it)
    official = free("H1", copycat, copycat)
    assert (official.crosses, official.points) == (["H1", "- / H1", "- / - / H1"], [5, 3, 3])
    seen = free("H1", copycat, copycat, passive_see_active=True)
    assert (seen.crosses, seen.points) == (["H1", "H1", "- / H1"], [5, 5, 3])


# The solo game


def test_solo_color_dice() -> None:
    """Yellow is the second color die of roll 1, blue the third: two dice show only yellow, one none, three both."""
    assert (play("H1").crosses, play("H2").crosses) == (["H1"], [""])
    assert (play("H1", solo_color_dice=1).crosses, play("H2", solo_color_dice=1).crosses) == ([""], [""])
    assert (play("H1", solo_color_dice=3).crosses, play("H2", solo_color_dice=3).crosses) == (["H1"], ["H2"])
    assert play(IDLE, solo_color_dice=3).dice == (DICE[0][:3], DICE[1][:2])


def test_solo_number_dice() -> None:
    """2 is the second number die of roll 1, 3 the third: two dice show only the 2, one neither, three both."""
    two, three = "H4 H5", "H4 H5 H6"
    assert (play(two).crosses, play(three).crosses) == ([two], [""])
    assert (play(two, solo_number_dice=1).crosses, play(three, solo_number_dice=1).crosses) == ([""], [""])
    assert (play(two, solo_number_dice=3).crosses, play(three, solo_number_dice=3).crosses) == ([two], [three])
    assert play(IDLE, solo_number_dice=3).dice == (DICE[0][:2], DICE[1][:3])


def test_solo_rolls() -> None:
    """After four crosses the player passes, at 1 point each: 26 times in 30 rolls, 2 times in 6."""
    plan = "H4 / H5 / H6 / H7"
    official, house = free(plan, pass_penalty=1), free(plan, pass_penalty=1, solo_rolls=6)
    assert (official.rolls, official.points) == (30, [-26])
    assert (house.rolls, house.points) == (6, [-2])


def test_solo_ends_on_colors() -> None:
    """A color is filled in each of rolls 1, 2 and 3: all count in 30 rolls, or the second ends the game."""
    official, house = free("H1 / H2 / H3"), free("H1 / H2 / H3", solo_ends_on_colors=True)
    assert (official.rolls, official.points) == (30, [5 + 5 + 5])
    assert (house.rolls, house.points) == (2, [5 + 5])


# All of them


def test_every_switch_has_a_test_of_its_own() -> None:
    assert switches.tested(Rules, globals()) == switches.names(Rules)
