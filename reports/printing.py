"""Drawings on paper: SVG and PDF with their sizes in millimetres exact. The same drawing gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.drawing import Box, Circle, Drawing, Shape, Stroke, Text
from simulator.errors import OutputError
from simulator.files import explained, placed

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

KINDS = (".pdf", ".svg")
INCH = 25.4  # mm
POINT = INCH / 72  # mm
CAPITALS = 0.729  # height of a capital of the font, of its size
FONT = "DejaVu Sans"  # comes with matplotlib


def verify_kind(path: Path, count: int) -> None:
    """Raise :class:`OutputError` if so many drawings cannot be written to a file of that name."""
    if path.suffix.lower() not in KINDS:
        raise OutputError(f"sheets are printed to a file that ends in {' or '.join(KINDS)}; got {str(path)!r}")
    if path.suffix.lower() == ".svg" and count != 1:
        raise OutputError(f"an SVG file holds one sheet; name one, or write a PDF with a page for each; got {count}")


def print_drawings(drawings: Sequence[Drawing], path: Path) -> None:
    """Write drawings to a PDF file, a page for each, or one to an SVG file.

    Parameters
    ----------
    drawings : sequence of Drawing
        In millimetres, which is their size on paper.
    path : Path
        Ends in ``.pdf`` or ``.svg``.

    Raises
    ------
    OutputError
        If the file has another suffix or cannot be written, or for several drawings in SVG.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_pdf import PdfPages

    verify_kind(path, len(drawings))
    figures = [figure(drawing) for drawing in drawings]
    fixed = mpl.rc_context({"pdf.fonttype": 42, "svg.fonttype": "path", "svg.hashsalt": "kok-sim"})
    with placed(path) as temporary, explained(path), fixed:
        if path.suffix.lower() == ".pdf":
            memory = BytesIO()  # closing a PDF that cannot be written ends in an error of its own
            with PdfPages(memory, metadata={"CreationDate": None}) as pages:
                for page in figures:
                    pages.savefig(page)
            temporary.write_bytes(memory.getvalue())
        else:
            figures[0].savefig(temporary, format="svg", metadata={"Date": None})
            _size_in_millimetres(temporary, drawings[0])


def figure(drawing: Drawing) -> Figure:
    """A drawing as a figure of its size."""
    from matplotlib.figure import Figure

    made = Figure(figsize=(drawing.width / INCH, drawing.height / INCH))
    axes = made.add_axes((0, 0, 1, 1), xlim=(0, drawing.width), ylim=(drawing.height, 0))
    axes.set_axis_off()
    for order, shape in enumerate(drawing.shapes):
        artist = _artist(shape)
        artist.set(zorder=order, clip_on=False)
        axes.add_artist(artist)
    return made


def _artist(shape: Shape) -> Artist:
    """A shape as matplotlib draws it."""
    from matplotlib import patches
    from matplotlib.lines import Line2D

    if isinstance(shape, Text):
        return _text(shape)
    if isinstance(shape, Stroke):
        ends = [shape.x, shape.to_x], [shape.y, shape.to_y]
        return Line2D(*ends, color=shape.line, linewidth=shape.weight / POINT, solid_capstyle="butt")
    patch: patches.Patch
    if isinstance(shape, Box):
        style = patches.BoxStyle.Round(pad=0, rounding_size=shape.radius)
        patch = patches.FancyBboxPatch((shape.x, shape.y), shape.width, shape.height, boxstyle=style)
    elif isinstance(shape, Circle):
        patch = patches.Circle((shape.x, shape.y), shape.radius)
    else:
        patch = patches.Polygon(shape.points, closed=True, joinstyle="round")
    patch.set(facecolor=shape.fill or "none", edgecolor=shape.line or "none", linewidth=shape.weight / POINT)
    return patch


def _text(shape: Text) -> Artist:
    """A text; letters that the font has not become question marks."""
    from matplotlib.font_manager import FontProperties, findfont, get_font
    from matplotlib.text import Text as Label
    from matplotlib.textpath import TextToPath

    font = FontProperties(family=FONT, weight="bold" if shape.bold else "normal", size=shape.size / POINT)
    known = get_font(findfont(font)).get_charmap()
    text = "".join(letter if ord(letter) in known else "?" for letter in shape.text)
    size = shape.size
    if shape.widest:
        width = TextToPath().get_text_width_height_descent(text, font, ismath=False)[0] * POINT
        size *= min(1.0, shape.widest / max(width, POINT))
        font.set_size(size / POINT)
    baseline = shape.y + size * CAPITALS / 2
    return Label(
        shape.x, baseline, text, color=shape.paint, fontproperties=font, horizontalalignment=shape.align,
        verticalalignment="baseline", parse_math=False,
    )  # fmt: skip


def _size_in_millimetres(file: Path, drawing: Drawing) -> None:
    """Say the size of an SVG file, which is in points when it comes from matplotlib, in millimetres."""
    text = file.read_text(encoding="utf-8")
    size = f'width="{drawing.width:g}mm" height="{drawing.height:g}mm"'
    file.write_text(re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', size, text, count=1), encoding="utf-8")
