"""A sheet as it is printed and played on with a pen: A5, landscape; all lengths in millimetres.

On the left the grid with its column letters above and the points of its columns below, then the exclamation marks; on
the right the points of the colors and the sum of the score. Colors are light enough to be crossed with any pen, and
every cell bears the letter of its color, so that the sheet can be played in black and white as well.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from pathlib import PurePath

from simulator.drawing import Box, Circle, Drawing, Polygon, Shape, Stroke, Text
from simulator.keer_op_keer.rules import COLORS, COLUMNS, ROWS, Rules
from simulator.keer_op_keer.sheet import LETTERS, Cell, Sheet

WIDTH, HEIGHT = 210.0, 148.0
MARGIN = 8.0
PAINTS = ("#8ccd8f", "#fff09a", "#7faae3", "#fbc6de", "#f8b87a")  # of COLORS; they differ in lightness, too
INK, GRAY, WHITE = "#222222", "#6e6e6e", "#ffffff"
FINE, FIRM = 0.2, 0.4  # weights of lines

PITCH = 9.8  # from cell to cell
CELL, CORNER = 8.9, 1.5
INSET = (PITCH - CELL) / 2
GRID_X, GRID_Y = MARGIN - INSET, 27.0
GRID_RIGHT, GRID_BOTTOM = GRID_X + PITCH * len(COLUMNS), GRID_Y + PITCH * ROWS
LETTERS_Y = 22.0
DISC = 3.6  # radius of what is drawn around points
POINTS_Y = (GRID_BOTTOM + 5.0, GRID_BOTTOM + 13.2)
MARKS_Y, MARKS_BOTTOM = 116.6, 132.0  # of the exclamation marks and what is said of them
PANEL_X, PANEL_RIGHT = 166.0, WIDTH - MARGIN
PANEL_DISCS = (PANEL_RIGHT - 12.4, PANEL_RIGHT - DISC)
SUM_Y, SUM_BOTTOM = 86.0, MARKS_BOTTOM
FOOTER_Y, FOOTER_BOTTOM = 135.5, 142.5
FOOTER_SIZES = (2.3, 2.0, 1.7, 1.4, 1.1)  # of letters, the largest with which it fits
LETTER_WIDTH = 0.6  # of a letter on average, of its size


def drawing(sheet: Sheet, rules: Rules) -> Drawing:
    """The printed form of a sheet; points, exclamation marks and starting columns are those of the rules."""
    parts = (_head(), _columns(rules), _cells(sheet), _marks(rules), _colors(rules), _sum(rules), _footer(sheet, rules))
    return Drawing(WIDTH, HEIGHT, tuple(shape for part in parts for shape in part))


def _head() -> Iterator[Shape]:
    """A line for the name, and what is played."""
    y = MARGIN + 3.0
    yield Text(MARGIN, y, "name", 3.0, GRAY)
    yield Stroke(MARGIN + 10.0, y + 1.6, MARGIN + 90.0, y + 1.6, GRAY, FINE)
    yield Text(PANEL_RIGHT, y, "Keer op Keer", 4.4, INK, "right", bold=True)


def _columns(rules: Rules) -> Iterator[Shape]:
    """Letters and points of the columns; those in which one may start have a frame."""
    points = _points(rules.column_first, rules.column_later, rules)
    for column, letter in enumerate(COLUMNS):
        x = GRID_X + PITCH * (column + 0.5)
        start = letter in rules.start_columns
        if start:
            top, bottom = LETTERS_Y - 4.0, POINTS_Y[len(points) - 1] + DISC + 0.8
            yield Box(x - PITCH / 2, top, PITCH, bottom - top, 2.0, WHITE, INK, FIRM)
            yield Box(x - 3.3, LETTERS_Y - 3.3, 6.6, 6.6, CORNER, INK)
        yield Text(x, LETTERS_Y, letter, 5.2, WHITE if start else INK, "center", bold=True)
        for row, (_, values) in enumerate(points):
            yield from _disc(x, POINTS_Y[row], values[column], firm=row == 0)
    for row, (label, _) in enumerate(points):
        yield Text(GRID_RIGHT + 1.2, POINTS_Y[row], label, 2.6, GRAY)


def _points(first: tuple[int, ...], later: tuple[int, ...], rules: Rules) -> list[tuple[str, tuple[int, ...]]]:
    """The points that can be got, each row with its label."""
    return [("points", first)] if rules.first_for_all else [("first", first), ("later", later)]


def _disc(x: float, y: float, value: int, *, firm: bool) -> Iterator[Shape]:
    """Points in a circle, to be marked or crossed off."""
    yield Circle(x, y, DISC, WHITE, INK if firm else GRAY, FIRM if firm else FINE)
    yield Text(x, y, str(value), 4.0 if firm else 3.4, INK, "center", bold=firm)


def _cells(sheet: Sheet) -> Iterator[Shape]:
    """The cells; those of a block are joined."""
    for cell, color in sheet.colors.items():
        box = cell_box(cell, PAINTS[color])
        for neighbor in cell.neighbors():
            if neighbor > cell and sheet.colors[neighbor] == color:
                yield _bridge(box, cell_box(neighbor, box.fill))
        yield box
        if cell in sheet.stars:
            yield Polygon(_star(box.x + CELL / 2, box.y + CELL / 2 + 0.6, 3.1), WHITE, INK, FINE)
        yield Text(box.x + 1.5, box.y + 1.7, LETTERS[color], 2.4, INK, "center")


def cell_box(cell: Cell, fill: str) -> Box:
    """Where a cell is drawn."""
    return Box(GRID_X + PITCH * cell.column + INSET, GRID_Y + PITCH * cell.row + INSET, CELL, CELL, CORNER, fill)


def _bridge(one: Box, other: Box) -> Box:
    """What joins a cell to the one on its right or below it: from center to center, half as wide as a cell."""
    width, height = (PITCH, CELL / 2) if other.y == one.y else (CELL / 2, PITCH)
    x, y = (one.x + other.x + CELL - width) / 2, (one.y + other.y + CELL - height) / 2
    return Box(x, y, width, height, 0.0, one.fill)


def _star(x: float, y: float, radius: float) -> tuple[tuple[float, float], ...]:
    """A star of five points around a center."""
    corners = [(math.pi * i / 5, radius if i % 2 == 0 else radius * 0.45) for i in range(10)]
    return tuple((x + r * math.sin(angle), y - r * math.cos(angle)) for angle, r in corners)


def _marks(rules: Rules) -> Iterator[Shape]:
    """The exclamation marks, below the columns as long as there are no more than these, else smaller."""
    count = rules.jokers
    said = f"each joker die costs one; {_counted(rules.mark_points)} for each that is left" if count else "no jokers"
    yield Text(MARGIN, MARKS_Y, said, 2.4, GRAY)
    top = MARKS_Y + 2.4
    if not count:
        return
    pitch, across = max(_fitting(count, rows, MARKS_BOTTOM - top) for rows in range(1, count + 1))
    for mark in range(count):
        x, y = MARGIN + pitch * (mark % across), top + pitch * (mark // across)
        side = pitch * CELL / PITCH
        yield Box(x, y, side, side, side / 6, WHITE, INK, FINE)
        yield Text(x + side / 2, y + side / 2, "!", 0.65 * side, INK, "center", bold=True)


def _fitting(count: int, rows: int, height: float) -> tuple[float, int]:
    """The largest distance at which so many marks fit in rows, and how many are in each."""
    across = -(-count // rows)
    return min(PITCH, height / rows, (GRID_RIGHT - GRID_X) / across), across


def _counted(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def _colors(rules: Rules) -> Iterator[Shape]:
    """Points of full colors, and what ends the game."""
    points = _points((rules.color_first,), (rules.color_later,), rules)
    discs = PANEL_DISCS[-len(points) :]
    for x, (label, _) in zip(discs, points, strict=True):
        yield Text(min(x, PANEL_RIGHT - 4.2), LETTERS_Y + 1.6, label, 2.6, GRAY, "center")
    for color, name in enumerate(COLORS):
        y = GRID_Y + PITCH * (color + 0.5)
        yield Box(PANEL_X, y - CELL / 2, discs[0] - DISC - 2.0 - PANEL_X, CELL, CORNER, PAINTS[color])
        yield Text(PANEL_X + 1.5, y - CELL / 2 + 1.7, LETTERS[color], 2.4, INK, "center")
        yield Text(PANEL_X + 3.2, y, name, 3.2, INK)
        for row, (_, (value,)) in enumerate(points):
            yield from _disc(discs[row], y, value, firm=row == 0)
    one = rules.colors_to_end == 1
    ends = ["1 full color ends the game" if one else f"{rules.colors_to_end} full colors end the game"]
    ends += [f"or roll {rules.roll_limit}, if it comes first"] if rules.roll_limit else []
    for row, end in enumerate(ends):
        yield Text(PANEL_X, GRID_Y + PITCH * len(COLORS) + 2.6 + 3.4 * row, end, 2.4, GRAY)


def _sum(rules: Rules) -> Iterator[Shape]:
    """What is added up; only what counts under the rules."""
    lines = [("colors", "="), (f"columns {COLUMNS[0]}–{COLUMNS[-1]}", "+")]
    lines += [(f"jokers × {rules.mark_points}", "+")] if rules.jokers and rules.mark_points else []
    lines += [(f"stars × {rules.star_penalty}", "−")] if rules.star_penalty else []
    lines += [(f"passes × {rules.pass_penalty}", "−")] if rules.pass_penalty else []
    lines.append(("total", "="))
    pitch = (SUM_BOTTOM - SUM_Y) / max(len(lines), 5)
    for row, (label, sign) in enumerate(lines):
        y = SUM_BOTTOM - pitch * (len(lines) - row - 0.5)
        total = row == len(lines) - 1
        height = pitch - 1.4
        yield Text(PANEL_X, y, label, 2.8, INK, bold=total, widest=17.5)
        yield Text(PANEL_RIGHT - 15.3, y, sign, 3.4, INK, "center", bold=total)
        yield Box(PANEL_RIGHT - 13.0, y - height / 2, 13.0, height, 1.0, WHITE, INK, FIRM if total else FINE)


def _footer(sheet: Sheet, rules: Rules) -> Iterator[Shape]:
    """The names of the sheet and of the rules, in small print, so that all of it has room."""
    name = PurePath(sheet.name).name.removesuffix(".txt")
    text = f"sheet {name} · {rules.told()}"
    for size in FOOTER_SIZES:
        lines = textwrap.wrap(text, int((WIDTH - 2 * MARGIN) / (LETTER_WIDTH * size)))
        if FOOTER_Y + 1.3 * size * len(lines) <= FOOTER_BOTTOM:
            break
    for row, line in enumerate(lines):
        y = FOOTER_Y + 1.3 * size * (row + 0.5)
        yield Text(MARGIN, y, line, size, GRAY, widest=WIDTH - 2 * MARGIN)
