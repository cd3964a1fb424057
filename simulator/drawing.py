"""A drawing as plain data: shapes on a page, in millimetres from its upper left corner, later ones over earlier ones.

A game says what is drawn; reports/printing.py writes it to a file. Paints are ``#rrggbb``, empty for none.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Box(NamedTuple):
    """A rectangle from its upper left corner, with corners rounded by ``radius``; its outline is ``weight`` wide."""

    x: float
    y: float
    width: float
    height: float
    radius: float = 0.0
    fill: str = ""
    line: str = ""
    weight: float = 0.0


class Circle(NamedTuple):
    """A circle around its center; its outline is ``weight`` wide."""

    x: float
    y: float
    radius: float
    fill: str = ""
    line: str = ""
    weight: float = 0.0


class Polygon(NamedTuple):
    """A closed polygon through its points (x, y), at least three; its outline is ``weight`` wide."""

    points: tuple[tuple[float, float], ...]
    fill: str = ""
    line: str = ""
    weight: float = 0.0


class Stroke(NamedTuple):
    """A straight line from one point to another, ``weight`` wide."""

    x: float
    y: float
    to_x: float
    to_y: float
    line: str
    weight: float


class Text(NamedTuple):
    """One line of text.

    Parameters
    ----------
    x : float
        Its left end, center or right end, as ``align`` says.
    y : float
        The middle of its capitals and digits.
    text : str
    size : float
        Of the font: its em.
    paint : str
    align : {"left", "center", "right"}
    bold : bool
    widest : float
        A text that would be wider is drawn smaller; 0 for no bound.
    """

    x: float
    y: float
    text: str
    size: float
    paint: str
    align: Literal["left", "center", "right"] = "left"
    bold: bool = False
    widest: float = 0.0


Shape = Box | Circle | Polygon | Stroke | Text


class Drawing(NamedTuple):
    """A page and what is on it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
