"""Sheets: 15 columns of 7 rows in five colors; reading, checking and naming their cells and blocks.

A sheet file is seven lines of fifteen letters, top row first: ``g y b p o`` are green, yellow, blue, pink, orange, an
upper-case letter is a cell with a star.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from simulator.errors import SheetError, UnknownNameError
from simulator.files import read_text
from simulator.keer_op_keer.rules import COLORS, COLUMNS, ROWS

LETTERS = "gybpo"
MAX_BLOCK = 6
MAX_OF_COLOR = 62


class Cell(NamedTuple):
    """One cell; ordered as on the sheet: column by column, top to bottom."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"{COLUMNS[self.column]}{self.row + 1}"

    @classmethod
    def parse(cls, text: str) -> Cell:
        """The cell named ``H3``; raises :class:`SheetError` for anything that is not A1 to O7."""
        if len(text) == 2 and text[0] in COLUMNS and text[1] in "1234567"[:ROWS]:
            return cls(COLUMNS.index(text[0]), int(text[1]) - 1)
        raise SheetError(f"{text!r} is not a cell; cells are A1 to O7")

    def neighbors(self) -> list[Cell]:
        """The two to four cells that share a side with this one."""
        around = ((-1, 0), (0, -1), (0, 1), (1, 0))
        cells = [Cell(self.column + dc, self.row + dr) for dc, dr in around]
        return [c for c in cells if 0 <= c.column < len(COLUMNS) and 0 <= c.row < ROWS]


ALL_CELLS = tuple(Cell(c, r) for c in range(len(COLUMNS)) for r in range(ROWS))


class Block(NamedTuple):
    """Cells of one color that hang together by their sides, in sheet order."""

    color: int
    cells: tuple[Cell, ...]


class Finding(NamedTuple):
    """One thing that a check found: where, what, and whether the sheet can be played all the same."""

    where: str
    what: str
    playable: bool

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True)
class Sheet:
    """A playable sheet.

    Parameters
    ----------
    name : str
        A shipped name (``black``) or the path of a file, as the user gave it.
    lines : tuple of 7 str
        The letters, top row first. Raises :class:`SheetError` if the sheet cannot be played.
    """

    name: str
    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        errors = [f for f in check(self.lines) if not f.playable]
        if errors:
            raise SheetError(f"sheet {self.name!r} cannot be played: {errors[0]}")

    @cached_property
    def colors(self) -> dict[Cell, int]:
        """Color index (0 to 4) of every cell, in sheet order."""
        return _colors(self.lines)

    @cached_property
    def stars(self) -> frozenset[Cell]:
        """Cells with a star."""
        return _stars(self.lines)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Blocks color by color, within a color in sheet order of their first cells."""
        return _blocks(self.colors)

    @property
    def departures(self) -> list[Finding]:
        """Where the sheet departs from the pattern of the official ones."""
        return check(self.lines)


def check(lines: tuple[str, ...]) -> list[Finding]:
    """All that is wrong with a sheet (errors; then nothing else is reported), or unlike the official ones."""
    errors = _check_letters(lines)
    if errors:
        return errors
    colors, stars = _colors(lines), _stars(lines)
    blocks = _blocks(colors)
    errors = _check_limits(colors, blocks)
    return errors or _check_pattern(colors, stars, blocks)


def _check_letters(lines: tuple[str, ...]) -> list[Finding]:
    if len(lines) != ROWS:
        return [Finding("sheet", f"it has {len(lines)} of {ROWS} lines", False)]
    found = []
    for row, line in enumerate(lines):
        if len(line) != len(COLUMNS):
            found.append(Finding(f"line {row + 1}", f"it has {len(line)} of {len(COLUMNS)} letters", False))
        for column, letter in enumerate(line[: len(COLUMNS)]):
            if letter.lower() not in LETTERS:
                what = f"{letter!r} is not a color; letters are {' '.join(LETTERS)}, upper case with a star"
                found.append(Finding(str(Cell(column, row)), what, False))
    return found


def _check_limits(colors: dict[Cell, int], blocks: tuple[Block, ...]) -> list[Finding]:
    found = []
    for block in blocks:
        if len(block.cells) > MAX_BLOCK:
            what = f"block of {len(block.cells)} {COLORS[block.color]} cells; blocks of up to {MAX_BLOCK} can be played"
            found.append(Finding(str(block.cells[0]), what, False))
    counts = Counter(colors.values())
    for color, name in enumerate(COLORS):
        if not counts[color]:
            found.append(Finding("sheet", f"no {name} cells; every color needs at least one", False))
        if counts[color] > MAX_OF_COLOR:
            what = f"{counts[color]} {name} cells; up to {MAX_OF_COLOR} of a color can be played"
            found.append(Finding("sheet", what, False))
    return found


def _check_pattern(colors: dict[Cell, int], stars: frozenset[Cell], blocks: tuple[Block, ...]) -> list[Finding]:
    """Departures from what holds on every official sheet."""
    found = []
    size_of = {cell: len(block.cells) for block in blocks for cell in block.cells}
    for color, name in enumerate(COLORS):
        cells = [c for c in colors if colors[c] == color]
        if len(cells) != 21:
            found.append(Finding(str(cells[0]), f"{len(cells)} {name} cells; official sheets have 21", True))
        sizes = Counter(len(b.cells) for b in blocks if b.color == color)
        for block in (b for b in blocks if b.color == color):
            if sizes[len(block.cells)] > 1:
                what = f"one of {sizes[len(block.cells)]} {name} blocks of {len(block.cells)}; official sheets have one"
                found.append(Finding(str(block.cells[0]), what, True))
        missing = [str(n) for n in range(1, MAX_BLOCK + 1) if n not in sizes]
        if missing:
            found.append(Finding(str(cells[0]), f"no {name} block of {', '.join(missing)}", True))
        starred = [c for c in cells if c in stars]
        if len(starred) != 3:
            what = f"{len(starred)} stars on {name}; official sheets have three"
            found.append(Finding(str((starred or cells)[-1]), what, True))
        elif len({size_of[c] for c in starred}) < 3:
            what = f"stars on {name} ({', '.join(map(str, starred))}) share a block size; official sheets use three"
            found.append(Finding(str(starred[-1]), what, True))
    for column, letter in enumerate(COLUMNS):
        found += _check_column(column, letter, colors, stars)
    return found


def _check_column(column: int, letter: str, colors: dict[Cell, int], stars: frozenset[Cell]) -> list[Finding]:
    found = []
    cells = [Cell(column, row) for row in range(ROWS)]
    starred = [c for c in cells if c in stars]
    if len(starred) != 1:
        where = str(starred[-1]) if starred else str(cells[0])
        found.append(Finding(where, f"{len(starred)} stars in column {letter}; official sheets have one", True))
    seen: set[int] = set()
    for above, cell in zip([None, *cells], cells, strict=False):
        color = colors[cell]
        if (above is None or colors[above] != color) and color in seen:
            found.append(Finding(str(cell), f"a second run of {COLORS[color]} in column {letter}", True))
        seen.add(color)
    for color in sorted(set(range(len(COLORS))) - seen):
        found.append(Finding(str(cells[0]), f"no {COLORS[color]} in column {letter}; official columns have all", True))
    return found


def _colors(lines: tuple[str, ...]) -> dict[Cell, int]:
    return {cell: LETTERS.index(lines[cell.row][cell.column].lower()) for cell in ALL_CELLS}


def _stars(lines: tuple[str, ...]) -> frozenset[Cell]:
    return frozenset(cell for cell in ALL_CELLS if lines[cell.row][cell.column].isupper())


def _blocks(colors: dict[Cell, int]) -> tuple[Block, ...]:
    blocks, seen = [], set()
    for first in ALL_CELLS:
        if first in seen:
            continue
        cells, todo = {first}, [first]
        while todo:
            for cell in todo.pop().neighbors():
                if cell not in cells and colors[cell] == colors[first]:
                    cells.add(cell)
                    todo.append(cell)
        seen |= cells
        blocks.append(Block(colors[first], tuple(sorted(cells))))
    return tuple(sorted(blocks, key=lambda block: (block.color, block.cells)))


def sheet_names() -> list[str]:
    """Names of the shipped sheets: the base box first, then the add-on blocks by name."""
    folder = resources.files("simulator.keer_op_keer") / "sheets"
    names = sorted(f.name.removesuffix(".txt") for f in folder.iterdir() if f.name.endswith(".txt"))
    return sorted(names, key=lambda name: (name != "black", name))


def read_lines(path: Path) -> tuple[str, ...]:
    """Lines of a sheet file, without white space at their ends and at the end; :class:`SheetError` if unreadable."""
    return tuple(line.rstrip() for line in read_text(path, "sheet", SheetError).rstrip().splitlines())


def load_sheet(name: str) -> Sheet:
    """The shipped sheet of that name, or the one in that file (anything with a slash, or ending in ``.txt``)."""
    if "/" in name or "\\" in name or name.endswith(".txt"):
        return Sheet(name, read_lines(Path(name)))
    if name not in sheet_names():
        raise UnknownNameError("sheet", name, sheet_names())
    file = resources.files("simulator.keer_op_keer") / "sheets" / f"{name}.txt"
    return Sheet(name, tuple(file.read_text(encoding="utf-8").split()))


def departures_note(sheet: Sheet) -> str:
    """What the user should know of a sheet that is not like the official ones; empty for one that is."""
    found = sheet.departures
    if not found:
        return ""
    more = f", and in {len(found) - 1} more" if len(found) > 1 else ""
    return f"sheet {sheet.name} departs from the official pattern ({found[0]}{more}); see kok-sim sheets check"


def check_named(name: str) -> list[Finding]:
    """The findings of :func:`check` on a shipped sheet or a file."""
    return check(read_lines(Path(name)) if Path(name).is_file() else load_sheet(name).lines)
