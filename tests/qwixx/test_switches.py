"""Every switch in a small game worked out by hand, played by referee and engine alike.

Players have plans: what they cross in each roll, ``"red 4, red 1+5 / - / blue 7"``, where red 4 is a cross of the white
sum and red 1+5 one of a white 1 and a red 5. If that is written first, it is made first where the rules allow it. Where
the rules do not allow a cross, players pass; so what they cross shows what is allowed. Passes at the end are not
written. One player alone plays the solo game.

The dice are those of a seed, and each test says which ones it needs. In most games there is one penalty only (``ONE``):
they end with the first turn in which the player who rolls crosses nothing, at -5 points for that player.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from simulator.qwixx.game import GAME
from simulator.qwixx.rules import COLORS, Rules
from simulator.strategy import Scored
from tests import switches
from tests.agreement import Setup

IDLE = ""
"""The plan of who passes always."""
ONE: dict[str, Any] = {"penalties_to_end": 1}
LOCKS: dict[str, Any] = ONE | {"crosses_to_lock": 0}
"""The last number of a row may be crossed at once. With the lock these are two crosses: 3 points."""


@pytest.fixture(autouse=True)
def _contrast(request: pytest.FixtureRequest) -> Iterator[None]:
    yield from switches.contrasted(Rules, request.function.__name__)


class Played(NamedTuple):
    """A game as it was played: points and crosses of each player, number of rolls; dice as ``"6 1, 3 4 2 5"``."""

    points: list[int]
    crosses: list[str]
    rolls: int
    dice: list[str]
    parts: list[list[int]]


def as_planned(
    view: Any, move: Any, a: float = 0, b: float = 0, c: float = 0, d: float = 0,
    e: float = 0, f: float = 0, g: float = 0, h: float = 0,
) -> float:  # fmt: skip
    """Prefers the moves that are planned for this roll, then the pass; see ``planned``."""
    if move.passing:
        return 0.0
    white, color = ((a, b), (c, d), (e, f), (g, h))[view.roll - 1] if view.roll <= 4 else (0.0, 0.0)
    code = 100.0 * (move.row + 1) + move.number
    if move.die == 0:
        return 1.0 if code == white else -1.0
    return 2.0 if code == -color or (code == color and view.action == 2) else -1.0


def planned(plan: str) -> Scored:
    """The strategy that follows a plan for up to four rolls: numbers 104 for red 4, -104 if a color die comes first."""
    codes = []
    for roll in plan.split(" / "):
        white = color = 0
        for cross in roll.split(", ") if len(roll) > 1 else ():
            row, number = cross.split()
            code = 100 * (COLORS.index(row) + 1) + sum(map(int, number.split("+")))
            if "+" in number:
                color = code if white or ", " not in roll else -code
            else:
                white = code
        codes += [white, color]
    return Scored(plan, "", as_planned, dict(zip("abcdefgh", codes, strict=False)))


def play(seed: int, *plans: str, **changes: Any) -> Played:
    """Play a game by both implementations, which have to agree."""
    record = switches.played(Setup([planned(plan) for plan in plans], [], Rules.from_changes(changes), seed, 0, GAME))
    crosses = []
    for seat in range(len(plans)):
        of_rolls = []
        for roll in record["rolls"]:
            made = [m for m in roll["moves"] if m["player"] == seat and not m["pass"]]
            texts = [
                f"{m['row']} {m['white']}+{m['color']}" if "white" in m else f"{m['row']} {m['number']}" for m in made
            ]
            of_rolls.append(", ".join(texts) or "-")
        crosses.append(" / ".join(of_rolls).rstrip("- /"))
    dice = [roll["dice"] for roll in record["rolls"]]
    return Played(
        points=[final["total"] for final in record["final"]],
        crosses=crosses,
        rolls=len(dice),
        dice=[
            f"{shown['white'][0]} {shown['white'][1]}, " + " ".join(str(shown.get(c, "-")) for c in COLORS)
            for shown in dice
        ],
        parts=[[final[part] for part in (*COLORS, "penalties")] for final in record["final"]],
    )


def test_white_first() -> None:
    """White 6 and 1 with red 3: red 4 (1+3) and then red 7 (6+1) is possible only if the color die may come first.

    Roll 2 is that of the idle player, whose penalty ends the game.
    """
    plans = "red 1+3, red 7", IDLE
    official, house = play(54, *plans, **ONE), play(54, *plans, **ONE, white_first=False)
    assert official.dice[0] == house.dice[0] == "6 1, 3 4 2 5"
    assert (official.crosses, official.points, official.rolls) == (["red 7", ""], [1, -5], 2)
    assert (house.crosses, house.points, house.rolls) == (["red 1+3, red 7", ""], [3, -5], 2)


def test_white_first_and_a_lock() -> None:
    """White 3 and 6 with red 6: who rolls locks red by 6+6, the other wants the white sum, red 9.

    Officially red 9 is crossed before the lock closes the row, and if the color die comes first the row is closed.
    (That of the player who rolls, yellow 9, is crossed either way.) In roll 2 the other player takes the penalty.
    """
    plans = "red 6+6, yellow 9", "red 9"
    official, house = play(31, *plans, **LOCKS), play(31, *plans, **LOCKS, white_first=False)
    assert official.dice[0] == house.dice[0] == "3 6, 6 4 2 5"
    assert (official.crosses, official.points) == (["yellow 9, red 6+6", "red 9"], [3 + 1, 1 - 5])
    assert (house.crosses, house.points) == (["red 6+6, yellow 9", ""], [3 + 1, -5])


def test_penalty_points() -> None:
    """Nobody ever crosses: the player who begins has the fourth penalty in roll 7, when the other has three."""
    assert play(1, IDLE, IDLE).points == [-20, -15]
    assert play(1, IDLE, IDLE, penalty_points=3).points == [-12, -9]


def test_penalties_to_end() -> None:
    """Nobody ever crosses: who begins has a penalty in rolls 1, 3, 5, 7, 9, 11, the other player in those between."""
    official, two, six = (
        play(1, IDLE, IDLE, **changes) for changes in ({}, {"penalties_to_end": 2}, {"penalties_to_end": 6})
    )
    assert (official.rolls, official.points) == (7, [-20, -15])
    assert (two.rolls, two.points) == (3, [-10, -5])
    assert (six.rolls, six.points) == (11, [-30, -25])


FIVE = "red 4, red 1+5 / red 7, red 5+5 / red 11 / red 6+6"
"""Five crosses of red (4, 6, 7, 10, 11) and then the last number, with the dice of seed 205."""
FOUR = "red 4, red 1+5 / red 7, red 5+5 / yellow 6+4 / red 6+6"
"""Four crosses of red, one of yellow, and then the last number of red."""
DICE = ["1 3, 5 4 4 2", "5 2, 5 2 3 3", "6 5, 4 4 5 1", "6 5, 6 4 1 5"]


def test_crosses_to_lock() -> None:
    """With five crosses red 12 is allowed officially, with four it is not, and so on for 6 and 4.

    Crossed, it makes 7 crosses of 5 (28 points for 15), or 6 of 4 (21 for 10), and roll 5 is the turn without a cross.
    Refused, roll 4 is.
    """
    five, refused = play(205, FIVE, **ONE), play(205, FIVE, **ONE, crosses_to_lock=6)
    assert five.dice[:4] == DICE
    assert (five.crosses, five.points, five.rolls) == ([FIVE], [28 - 5], 5)
    assert (refused.crosses, refused.points, refused.rolls) == ([FIVE.removesuffix(" / red 6+6")], [15 - 5], 4)
    four, allowed = play(205, FOUR, **ONE), play(205, FOUR, **ONE, crosses_to_lock=4)
    assert (four.crosses, four.points, four.rolls) == ([FOUR.removesuffix(" / red 6+6")], [10 + 1 - 5], 4)
    assert (allowed.crosses, allowed.points, allowed.rolls) == ([FOUR], [21 + 1 - 5], 5)


def test_row_points() -> None:
    """Seven crosses of red, the lock included, and one of yellow: officially 28 and 1; with 50 to 61 points, 56 and 50.

    A row without a cross is worth nothing.
    """
    plan = FIVE.replace("red 6+6", "yellow 11, red 6+6")
    official, house = play(205, plan, **ONE), play(205, plan, **ONE, row_points=tuple(range(50, 62)))
    assert official.dice[:4] == house.dice[:4] == DICE
    assert official.crosses == house.crosses == [plan]
    assert (official.parts, official.points) == ([[28, 1, 0, 0, -5]], [24])
    assert (house.parts, house.points) == ([[56, 50, 0, 0, -5]], [101])


def test_rows_to_end() -> None:
    """Every roll locks a row, for 3 points: the first, second (officially), third or fourth ends the game."""
    plan = "red 6+6 / yellow 6+6 / green 1+1 / blue 1+1"
    one, *more = ({"rows_to_end": rows} for rows in (1, 3, 4))
    games = [play(298175, plan, **LOCKS, **changes) for changes in (one, {}, *more)]
    assert games[3].dice == ["1 6, 6 5 6 3", "6 6, - 6 2 6", "5 1, - - 1 1", "3 1, - - - 1"]
    assert [(game.rolls, game.points) for game in games] == [(1, [3]), (2, [6]), (3, [9]), (4, [12])]


def test_end_at_once() -> None:
    """White 6 and 6: two players lock red and yellow by the white sum, while the third, who rolls, is waiting.

    Officially that is the end. Else the color dice are still played: blue 7 (6+1) is a cross, a pass is a penalty.
    """
    waits, passes = ("blue 6+1", "red 12", "yellow 12"), (IDLE, "red 12", "yellow 12")
    official, house = play(7, *waits, **LOCKS), play(7, *waits, **LOCKS, end_at_once=False)
    assert official.dice == house.dice == ["6 6, 5 5 3 1"]
    assert (official.crosses, official.points) == (["", "red 12", "yellow 12"], [0, 3, 3])
    assert (house.crosses, house.points) == (["blue 6+1", "red 12", "yellow 12"], [1, 3, 3])
    assert play(7, *passes, **LOCKS).points == [0, 3, 3]
    assert play(7, *passes, **LOCKS, end_at_once=False).points == [-5, 3, 3]


def test_end_at_once_if_the_color_die_comes_first() -> None:
    """A lock by the color die, 6+6, that ends the game, and then a white sum, 9: crossed only if the turn is played."""
    rules: dict[str, Any] = LOCKS | {"white_first": False, "rows_to_end": 1}
    plans = "red 6+6, yellow 9", "yellow 9"
    official, house = play(31, *plans, **rules), play(31, *plans, **rules, end_at_once=False)
    assert official.dice == house.dice == ["3 6, 6 4 2 5"]
    assert (official.crosses, official.points) == (["red 6+6", ""], [3, 0])
    assert (house.crosses, house.points) == (["red 6+6, yellow 9", "yellow 9"], [3 + 1, 1])


def test_every_switch_has_a_test_of_its_own() -> None:
    assert switches.tested(Rules, globals()) == switches.names(Rules)
