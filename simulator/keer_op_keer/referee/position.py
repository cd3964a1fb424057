"""A move, and one player's side of a game: the sheet with its crosses, the marks, the points so far.

Plain sets and lists throughout, written to be read beside the rulebook. The fast engine is checked against this.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from simulator.errors import RecordError, SheetError, UnknownNameError
from simulator.keer_op_keer.referee.patterns import Pattern, hang_together, patterns_of
from simulator.keer_op_keer.rules import COLORS, COLUMNS, JOKER, MAX_NUMBER, Rules
from simulator.keer_op_keer.sheet import ALL_CELLS, Cell, Sheet

_MOVE_TEXT = re.compile(r"(\S+?)(\*?) ([1-5])(\*?): (\S+(?: \S+)*)")


@dataclass(frozen=True)
class Move:
    """What a player does in a roll: takes two dice and crosses cells, or passes.

    The text form is ``green 3: F3 G3 H1``: color, number, cells in sheet order. A star marks a joker die: ``green* 3:``
    took the color joker, ``green 3*:`` the number joker. The pass is ``pass``.

    Parameters
    ----------
    color : int
        Color of the cells, 0 to 4; -1 for the pass.
    number : int
        Number taken, 1 to 5; 0 for the pass.
    cells : tuple of Cell
        Cells crossed, in sheet order.
    color_joker, number_joker : bool
        Whether the die taken is a joker.
    """

    color: int
    number: int
    cells: tuple[Cell, ...]
    color_joker: bool = False
    number_joker: bool = False

    @property
    def is_pass(self) -> bool:
        return self.color < 0

    @property
    def jokers(self) -> int:
        """Joker dice taken."""
        return self.color_joker + self.number_joker

    @property
    def color_face(self) -> int:
        """Face of the color die taken: 0 to 4, or 5 for the joker."""
        return JOKER if self.color_joker else self.color

    @property
    def number_face(self) -> int:
        """Face of the number die taken: 0 to 4 for the numbers 1 to 5, or 5 for the joker."""
        return JOKER if self.number_joker else self.number - 1

    def __str__(self) -> str:
        if self.is_pass:
            return "pass"
        color = COLORS[self.color] + "*" * self.color_joker
        number = str(self.number) + "*" * self.number_joker
        return f"{color} {number}: {' '.join(map(str, self.cells))}"

    def __repr__(self) -> str:
        return f"Move.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Move:
        """The move of that text form; :class:`RecordError` for anything else. Cells may come in any order."""
        if text == "pass":
            return PASS
        match = _MOVE_TEXT.fullmatch(text)
        if match is None:
            raise RecordError(f"{text!r} is not a move; moves look like 'green 3*: F3 G3 H1' or 'pass'")
        color, color_star, number, number_star, cells = match.groups()
        if color not in COLORS:
            raise RecordError(f"{text!r} is not a move: {UnknownNameError('color', color, COLORS)}")
        return cls.of(color, int(number), cells.split(), bool(color_star), bool(number_star))

    @classmethod
    def of(cls, color: str, number: int, cells: Sequence[str], color_joker: bool, number_joker: bool) -> Move:
        """The move with these names; :class:`RecordError` for a cell that is not on the sheet."""
        try:
            parsed = tuple(sorted(Cell.parse(cell) for cell in cells))
        except SheetError as error:
            raise RecordError(str(error)) from error
        return cls(COLORS.index(color), number, parsed, color_joker, number_joker)


PASS = Move(-1, 0, ())


def move_of_code(code: int, sheet: Sheet) -> Move:
    """The move of an engine's code."""
    if code == 0:
        return PASS
    number, mask = (code - 1) >> 8, (code - 1) >> 2 & 63
    block = sheet.blocks[number]
    cells = tuple(cell for i, cell in enumerate(block.cells) if mask >> i & 1)
    return Move(block.color, len(cells), cells, bool((code - 1) & 2), bool((code - 1) & 1))


class Player:
    """One player's sheet, marks, passes and points so far.

    Attributes
    ----------
    open : set of Cell
        Cells that are not crossed.
    reach : set of Cell
        Cells, crossed or not, that lie in a start column or beside a cross.
    marks, passes : int
        Joker marks left; passes made.
    column_points, color_points : dict of int to int
        Points given so far for each full column and color; a key for each that was announced.
    column_firsts, color_firsts : set of int
        Those of them that nobody had filled before, whatever they gave.
    late : int
        How many of them gave the later value.
    hurt : int
        Rolls in which this player missed a die that the active one had taken; counted only if a game is watched.
    column_left, color_left : list of int
        Open cells of each column and color.
    color_total : list of int
        Cells of each color on the sheet.
    stars_left : int
        Open stars.
    """

    def __init__(self, sheet: Sheet, rules: Rules) -> None:
        self.sheet = sheet
        self.rules = rules
        self.open = set(ALL_CELLS)
        loose = rules.connect_through_crosses
        self._patterns = {key: [p for p in ps if p.connected or loose] for key, ps in patterns_of(sheet).items()}
        self.reach = {cell for cell in ALL_CELLS if COLUMNS[cell.column] in rules.start_columns}
        self.marks = rules.jokers
        self.passes = 0
        self.column_points: dict[int, int] = {}
        self.color_points: dict[int, int] = {}
        self.column_firsts: set[int] = set()
        self.color_firsts: set[int] = set()
        self.late = self.hurt = 0
        colors = list(sheet.colors.values())
        self.color_total = [colors.count(color) for color in range(len(COLORS))]
        self._count()

    def _count(self) -> None:
        """Count what is open, after the crosses have changed."""
        columns = Counter(cell.column for cell in self.open)
        colors = Counter(self.sheet.colors[cell] for cell in self.open)
        self.column_left = [columns[column] for column in range(len(COLUMNS))]
        self.color_left = [colors[color] for color in range(len(COLORS))]
        self.stars_left = len(self.sheet.stars & self.open)
        self._legal: dict[tuple[int, int], list[Pattern]] = {}

    @property
    def points_so_far(self) -> int:
        """Points given so far for full columns and colors."""
        return sum(self.color_points.values()) + sum(self.column_points.values())

    @property
    def colors_full(self) -> int:
        """Colors without an open cell."""
        return self.color_left.count(0)

    def cross(self, cells: Sequence[Cell]) -> None:
        """Cross open cells."""
        self.open -= set(cells)
        for cell in cells:
            self.reach.update(cell.neighbors())
        for color in {self.sheet.colors[cell] for cell in cells}:
            for number in range(1, MAX_NUMBER + 1):
                patterns = self._patterns[color, number]
                self._patterns[color, number] = [p for p in patterns if p.cell_set <= self.open]
        self._count()

    def make(self, move: Move) -> None:
        """Make a legal move: cross its cells and strike a mark for each joker die."""
        if move.is_pass:
            self.passes += 1
            return
        self.marks -= move.jokers
        self.cross(move.cells)

    def legal(self, color: int, number: int) -> list[Pattern]:
        """Patterns of that color and number that may be crossed now, in tie order."""
        if (color, number) not in self._legal:
            self._legal[color, number] = [p for p in self._patterns[color, number] if self._may_cross(p)]
        return self._legal[color, number]

    def _may_cross(self, pattern: Pattern) -> bool:
        """Whether a pattern of open cells is in reach and connected."""
        if pattern.cell_set.isdisjoint(self.reach):
            return False
        return pattern.connected or hang_together(pattern.cell_set, pattern.block_cells - self.open)

    def objection(self, move: Move) -> str:
        """What forbids crossing the cells of a move on this sheet, as a clause; empty if nothing does.

        Found from the sheet alone and not from :meth:`legal`, so that tests can hold the two against each other.
        """
        cells = frozenset(move.cells)
        if not 1 <= move.number <= MAX_NUMBER or len(move.cells) != move.number or len(cells) != move.number:
            return f"number {move.number} does not match {len(cells)} different cells"
        for cell in move.cells:
            if self.sheet.colors[cell] != move.color:
                return f"{cell} is {COLORS[self.sheet.colors[cell]]}, not {COLORS[move.color]}"
            if cell not in self.open:
                return f"{cell} is already crossed"
        homes = [frozenset(b.cells) for b in self.sheet.blocks if not cells.isdisjoint(b.cells)]
        if len(homes) > 1:
            return "its cells are not all in one block"
        bridges = homes[0] - self.open if self.rules.connect_through_crosses else frozenset()
        if not hang_together(cells, bridges):
            return "its cells are not connected to each other"
        crossed = set(ALL_CELLS) - self.open
        start = any(COLUMNS[cell.column] in self.rules.start_columns for cell in cells)
        if not start and not any(n in crossed for cell in cells for n in cell.neighbors()):
            return f"none of its cells is in column {self.rules.start_columns} or beside an old cross"
        return ""

    def parts(self) -> dict[str, int]:
        """What the score is made of: points of colors, columns, unused marks, open stars, passes."""
        return {
            "colors": sum(self.color_points.values()),
            "columns": sum(self.column_points.values()),
            "jokers": self.marks * self.rules.mark_points,
            "stars": -self.stars_left * self.rules.star_penalty,
            "passes": -self.passes * self.rules.pass_penalty,
        }


def move_of(pattern: Pattern, color_joker: int, number_joker: int) -> Move:
    """The move that crosses a pattern and is paid for in that way."""
    return Move(pattern.color, pattern.number, pattern.cells, bool(color_joker), bool(number_joker))
