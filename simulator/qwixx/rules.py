"""The rules of Qwixx as data: every switch that a house rule can set; the defaults are the official game.

Sources of the defaults: the rulebook as half a dozen rules pages tell it, a Dutch rules text, four programs.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.rules import RuleSet, switch

COLORS = ("red", "yellow", "green", "blue")
"""Colors of the rows and of their dice."""
RISING = (True, True, False, False)
"""Whether the numbers of a row run from 2 to 12, or from 12 to 2."""
NUMBERS = 11
"""Numbers in a row; their positions are 1 to 11, from the left."""
LOCK = 12
"""Position of the lock, behind the last number."""
SIDES = 6
MAX_PLAYERS = 5
MAX_PENALTIES = 20
MAX_ROLLS = 1000
"""More than the longest game: in every roll the active player crosses a number or takes a penalty."""
WHITE_STREAM, COLOR_STREAM = 0, 1  # of the dice, see simulator/dice.py


@dataclass(frozen=True)
class Rules(RuleSet):
    """One rule set. Checked on construction; raises :class:`RulesError` with the key at fault."""

    white_first: bool = switch(
        True,
        "The sum of the white dice is crossed first, then a color die is added; if not, the active player may "
        "take the color die first, before anybody crosses the sum.",
    )
    penalty_points: int = switch(5, "Points lost for each penalty.", 0, 99)
    penalties_to_end: int = switch(4, "The game ends with this penalty of a player.", 1, MAX_PENALTIES)
    crosses_to_lock: int = switch(5, "Crosses that a row needs before its last number may be crossed.", 0, NUMBERS - 1)
    rows_to_end: int = switch(2, "The game ends when this many rows are closed.", 1, len(COLORS))
    row_points: tuple[int, ...] = switch(
        (1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78),
        "Points of a row with 1 to 12 crosses, the lock included.",
        0,
        999,
    )
    end_at_once: bool = switch(True, "A row that ends the game ends it at once; if not, the turn is played to its end.")

    def points(self, crosses: int) -> int:
        """Points of a row with so many crosses, the lock included."""
        return self.row_points[crosses - 1] if crosses else 0

    def score_range(self) -> tuple[int, int]:
        """Bounds, inclusive, of what a score can be: for histograms."""
        return -self.penalties_to_end * self.penalty_points, len(COLORS) * max(self.row_points)


def position_of(row: int, number: int) -> int:
    """Position (1 to 11) of a number (2 to 12) in a row."""
    return number - 1 if RISING[row] else 13 - number


def number_at(row: int, position: int) -> int:
    """Number (2 to 12) at a position (1 to 11) of a row."""
    return position + 1 if RISING[row] else 13 - position


def ways(number: int) -> int:
    """In how many of 36 throws two dice show a number."""
    return 6 - abs(7 - number)


OFFICIAL = Rules()
