"""Drawing sheets and dice for a terminal: in color where there is color, readable where there is none.

A cell is its color's letter and, if open, ``*`` for a star; a crossed cell shows ``x`` beside the letter.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence

from rich.console import Console
from rich.text import Text

from simulator.keer_op_keer.rules import COLORS, COLUMNS, ROWS, Rules
from simulator.keer_op_keer.sheet import LETTERS, Cell, Sheet

PAINT = {"green": "green3", "yellow": "yellow1", "blue": "deep_sky_blue1", "pink": "hot_pink", "orange": "dark_orange"}
DARK = "grey15"


def console() -> Console:
    """Where things are drawn: standard output, without wrapping or guesses about what to highlight."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True)


def sheet(board: Sheet, rules: Rules, crossed: Collection[Cell] = ()) -> Text:
    """A sheet with its column letters above and the points of its columns below."""
    drawn = Text("   " + "".join(f" {letter}  " for letter in COLUMNS) + "\n", style="bold")
    for row in range(ROWS):
        drawn.append(f" {row + 1} ", style="bold")
        for column in range(len(COLUMNS)):
            drawn.append_text(_cell(board, Cell(column, row), crossed))
            drawn.append(" ")
        drawn.append("\n")
    for label, points in (("first", rules.column_first), ("later", rules.column_later)):
        drawn.append("   " + "".join(f"{value:>2}  " for value in points) + f" {label}\n")
    return drawn


def _cell(board: Sheet, cell: Cell, crossed: Collection[Cell]) -> Text:
    color = board.colors[cell]
    paint, letter = PAINT[COLORS[color]], LETTERS[color]
    if cell in crossed:
        return Text(f" {letter}x", style=f"{paint} on {DARK}")
    return Text(f" {letter}{'*' if cell in board.stars else ' '}", style=f"black on {paint}")


def dice(faces: Sequence[str | int]) -> Text:
    """Dice in a row, each a word or number: colors on their paint, numbers on white, jokers on dark."""
    return Text(" ").join(Text(f" {face} ", style=_die(face)) for face in faces)


def _die(face: str | int) -> str:
    if face == "joker":
        return f"white on {DARK}"
    return f"black on {PAINT.get(str(face), 'white')}"
