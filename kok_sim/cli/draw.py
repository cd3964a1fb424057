"""Drawing sheets and dice for a terminal: in color where there is color, readable where there is none.

A cell is its color's letter and, if open, ``*`` for a star; a crossed cell shows ``x`` beside the letter.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable

from rich.console import Console
from rich.text import Text

from simulator.keer_op_keer.rules import COLORS, COLUMNS, ROWS, Rules
from simulator.keer_op_keer.sheet import LETTERS, Cell, Sheet

STYLES = {
    "green": "black on green3",
    "yellow": "black on yellow1",
    "blue": "black on deep_sky_blue1",
    "pink": "black on hot_pink",
    "orange": "black on dark_orange",
    "joker": "white on grey15",
}


def console() -> Console:
    """Where things are drawn: standard output, without wrapping or guesses about what to highlight."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=True)


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
    if cell in crossed:
        return Text(f" {LETTERS[color]}x", style=f"{STYLES[COLORS[color]]} dim")
    return Text(f" {LETTERS[color]}{'*' if cell in board.stars else ' '}", style=STYLES[COLORS[color]])


def dice(faces: Iterable[str | int]) -> Text:
    """Dice in a row, each a word or number on its color."""
    return Text(" ").join(Text(f" {face} ", style=STYLES.get(str(face), "black on white")) for face in faces)
