"""Drawing sheets and dice on a terminal: in color where there is color, readable where there is none."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from simulator.game import Line, Span

_DARK = "grey15"
_PAINT = {
    "green": "green3",
    "yellow": "yellow1",
    "blue": "deep_sky_blue1",
    "pink": "hot_pink",
    "orange": "dark_orange",
    "red": "red1",
    "white": "white",
    "dark": _DARK,
}


def console() -> Console:
    """Where things are drawn: standard output, without wrapping or guesses about what to highlight."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True)


def line(spans: Line) -> Text:
    """A line of a drawing."""
    return Text().join(Text(span.text, style=_style(span)) for span in spans)


def lines(drawing: Sequence[Line]) -> Text:
    """A whole drawing."""
    return Text().join(line(spans).append("\n") for spans in drawing)


def _style(span: Span) -> str:
    if span.paint in ("", "bold"):
        return span.paint
    color = _PAINT[span.paint]
    if span.struck:
        return f"{color} on {_DARK}"
    return f"white on {color}" if span.paint == "dark" else f"black on {color}"
