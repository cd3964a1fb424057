"""A game of Keer op Keer in words and pictures.

A cell is its color's letter and, if open, ``*`` for a star; a crossed cell shows ``x`` beside the letter.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from simulator.game import Line, Span
from simulator.keer_op_keer.rules import COLORS, COLUMNS, ROWS, Rules
from simulator.keer_op_keer.sheet import LETTERS, Cell, Sheet


def dice(entry: Mapping[str, Any]) -> Line:
    """The dice of a roll: colors on their paint, numbers on white, jokers on dark."""
    faces = [*entry["dice"]["colors"], *entry["dice"]["numbers"]]
    line: Line = []
    for face in faces:
        paint = "dark" if face == "joker" else str(face) if face in COLORS else "white"
        line += [Span(" ")] if line else []
        line.append(Span(f" {face} ", paint))
    return line


def move(entry: Mapping[str, Any]) -> str:
    """A move: ``takes green and joker (as 3), crosses F3 G3 H1; fills column H (1)``."""
    if entry["pass"]:
        return "passes"
    color = entry["color_die"] + (f" (as {entry['color']})" if entry["color_die"] == "joker" else "")
    number = str(entry["number_die"]) + (f" (as {entry['number']})" if entry["number_die"] == "joker" else "")
    filled = [f"column {column} ({points})" for column, points in entry["columns"].items()]
    filled += [f"{color} ({points})" for color, points in entry["colors"].items()]
    told = f"takes {color} and {number}, crosses {' '.join(entry['cells'])}"
    return told + (f"; fills {', '.join(filled)}" if filled else "")


def picture(record: Mapping[str, Any], seat: int, rolls: int, sheet: Sheet, rules: Rules) -> list[Line]:
    """The sheet of a seat after so many rolls of a record."""
    moves = (roll["moves"][seat] for roll in record["rolls"][:rolls])
    return drawn(sheet, rules, {Cell.parse(cell) for move in moves for cell in move.get("cells", ())})


def drawn(sheet: Sheet, rules: Rules, crossed: Collection[Cell] = ()) -> list[Line]:
    """A sheet with its column letters above and the points of its columns below."""
    lines: list[Line] = [[Span("   " + "".join(f" {letter}  " for letter in COLUMNS), "bold")]]
    for row in range(ROWS):
        line = [Span(f" {row + 1} ", "bold")]
        for column in range(len(COLUMNS)):
            line += [_cell(sheet, Cell(column, row), crossed), Span(" ")]
        lines.append(line)
    for label, points in (("first", rules.column_first), ("later", rules.column_later)):
        lines.append([Span("   " + "".join(f"{value:>2}  " for value in points) + f" {label}")])
    return lines


def _cell(sheet: Sheet, cell: Cell, crossed: Collection[Cell]) -> Span:
    color = sheet.colors[cell]
    if cell in crossed:
        return Span(f" {LETTERS[color]}x", COLORS[color], struck=True)
    return Span(f" {LETTERS[color]}{'*' if cell in sheet.stars else ' '}", COLORS[color])
