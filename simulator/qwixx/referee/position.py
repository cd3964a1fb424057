"""A move, and one player's side of a game: the four rows with their crosses, and the penalties.

Plain lists throughout, written to be read beside the rulebook. The fast engine is checked against this.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from simulator.errors import RecordError, UnknownNameError
from simulator.qwixx.features import FIRST_COLOR_CODE, PASS_OF_COLORS
from simulator.qwixx.rules import COLORS, LOCK, NUMBERS, Rules, number_at, position_of

_MOVE_TEXT = re.compile(r"(\S+) ([2-9]|1[0-2])(?: \(([12])\))?")


@dataclass(frozen=True)
class Move:
    """What a player does in an action: crosses a number, or passes.

    The text form is ``red 7`` for a cross of the white sum, ``blue 5 (1)`` for a color cross with the first white die,
    ``blue 5 (2)`` for one with the second, and ``pass``.

    Parameters
    ----------
    row : int
        Row of the cross, 0 to 3; -1 for the pass.
    position : int
        Position of the number in the row, 1 to 11 from the left; 0 for the pass.
    die : int
        0 for a cross of the white sum, and for the pass; 1 or 2 for a color cross with the first or second white die.
    """

    row: int
    position: int
    die: int = 0

    @property
    def is_pass(self) -> bool:
        return self.row < 0

    @property
    def is_color(self) -> bool:
        """Whether it is a color cross."""
        return self.die > 0

    @property
    def locks(self) -> bool:
        """Whether it crosses the last number of its row, and with it the lock."""
        return self.position == NUMBERS

    @property
    def number(self) -> int:
        """Number crossed, 2 to 12; 0 for the pass."""
        return 0 if self.is_pass else number_at(self.row, self.position)

    @property
    def code(self) -> int:
        """The move as one number, see ``features.py``."""
        if self.is_pass:
            return 0
        if self.is_color:
            return FIRST_COLOR_CODE + NUMBERS * (2 * self.row + self.die - 1) + self.position - 1
        return 1 + NUMBERS * self.row + self.position - 1

    def __str__(self) -> str:
        if self.is_pass:
            return "pass"
        return f"{COLORS[self.row]} {self.number}" + (f" ({self.die})" if self.is_color else "")

    def __repr__(self) -> str:
        return f"Move.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Move:
        """The move of that text form; :class:`RecordError` for anything else."""
        if text == "pass":
            return PASS
        match = _MOVE_TEXT.fullmatch(text)
        if match is None:
            raise RecordError(f"{text!r} is not a move; moves look like 'red 7', 'blue 5 (1)' or 'pass'")
        color, number, die = match.groups()
        if color not in COLORS:
            raise RecordError(f"{text!r} is not a move: {UnknownNameError('row', color, COLORS)}")
        row = COLORS.index(color)
        return cls(row, position_of(row, int(number)), int(die or 0))


PASS = Move(-1, 0)


def move_of_code(code: int) -> Move:
    """The move of an engine's code; :class:`RecordError` for a number that is no code."""
    if not 0 <= code < PASS_OF_COLORS:
        raise RecordError(f"{code} is not the code of a move")
    if code == 0:
        return PASS
    if code < FIRST_COLOR_CODE:
        row, place = divmod(code - 1, NUMBERS)
        return Move(row, place + 1)
    row_and_die, place = divmod(code - FIRST_COLOR_CODE, NUMBERS)
    row, die = divmod(row_and_die, 2)
    return Move(row, place + 1, die + 1)


class Player:
    """One player's sheet.

    Attributes
    ----------
    rows : list of list of int
        Positions crossed in each row, from the left; 12 is the lock.
    penalties : int
        Penalties taken.
    idle : int
        Rolls in which this player crossed nothing.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.rows: list[list[int]] = [[] for _ in COLORS]
        self.penalties = 0
        self.idle = 0

    def last(self, row: int) -> int:
        """Position of the last number crossed in a row, 1 to 11; 0 if there is none."""
        return max((position for position in self.rows[row] if position != LOCK), default=0)

    def count(self, row: int) -> int:
        """Crosses of a row, the lock included."""
        return len(self.rows[row])

    def has_locked(self, row: int) -> bool:
        """Whether this player has crossed the lock of a row."""
        return LOCK in self.rows[row]

    def may_cross(self, row: int, position: int) -> bool:
        """Whether a position of a row that is not closed may be crossed."""
        if position == NUMBERS and self.count(row) < self.rules.crosses_to_lock:
            return False
        return position > self.last(row)

    def cross(self, move: Move) -> None:
        """Cross the number of a move; with the last number of a row, its lock too."""
        self.rows[move.row].append(move.position)
        if move.locks:
            self.rows[move.row].append(LOCK)

    def gain(self, move: Move) -> int:
        """Points that crossing the number of a move gives now."""
        before = self.count(move.row)
        return self.rules.points(before + (2 if move.locks else 1)) - self.rules.points(before)

    def parts(self) -> dict[str, int]:
        """What the score is made of: points of the rows, and of the penalties."""
        rows = {color: self.rules.points(self.count(row)) for row, color in enumerate(COLORS)}
        return {**rows, "penalties": -self.penalties * self.rules.penalty_points}

    @property
    def score(self) -> int:
        """Points so far."""
        return sum(self.parts().values())
