"""Drawings in files: sizes on paper, the same bytes for the same drawing, every text within the page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text as Label

from reports.printing import INCH, figure, print_drawings
from simulator.drawing import Box, Circle, Drawing, Polygon, Stroke, Text
from simulator.errors import OutputError
from simulator.games import find_game, game_names

SHAPES = (
    Box(10, 10, 30, 20, 2.0, "#ff0000"),
    Box(50, 10, 30, 20, line="#000000", weight=1.0),
    Circle(20, 50, 5, "#00ff00"),
    Polygon(((40, 40), (60, 40), (50, 60)), "#0000ff"),
    Stroke(10, 80, 90, 80, "#000000", 2.0),
    Text(50, 90, "price $5 $6 _x_", 5.0, "#000000", "center", bold=True),
)
SIMPLE = Drawing(100.0, 100.0, SHAPES)
A5 = Drawing(210.0, 148.0, SHAPES)


def labels(drawing: Drawing) -> list[tuple[Label, float, float, float, float]]:
    """Every text with its left, right, top and bottom in millimetres."""
    made = figure(drawing)
    canvas = FigureCanvasAgg(made)
    canvas.draw()
    found = []
    for label in made.axes[0].texts + [a for a in made.axes[0].artists if isinstance(a, Label)]:
        box = label.get_window_extent(canvas.get_renderer()).transformed(made.dpi_scale_trans.inverted())
        left, right, low, high = (INCH * edge for edge in (box.x0, box.x1, box.y0, box.y1))
        found.append((label, left, right, drawing.height - high, drawing.height - low))
    return found


def test_an_svg_has_its_size_in_millimetres(tmp_path: Path) -> None:
    print_drawings([A5], tmp_path / "a.svg")
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert (root.get("width"), root.get("height")) == ("210mm", "148mm")
    box = list(map(float, root.attrib["viewBox"].split()))
    assert box == pytest.approx([0, 0, 595.276, 419.528], abs=0.001)
    assert not root.findall(".//{*}text")  # all letters are drawn, so that no font is needed


def test_a_pdf_has_its_size_a_page_each_and_its_font(tmp_path: Path) -> None:
    print_drawings([A5, SIMPLE, A5], tmp_path / "a.pdf")
    data = (tmp_path / "a.pdf").read_bytes()
    assert data.startswith(b"%PDF")
    sizes = [list(map(float, found.split())) for found in re.findall(rb"/MediaBox \[([^]]*)\]", data)]
    assert [size[2:] for size in sizes] == [
        pytest.approx(size, abs=0.001) for size in ([595.276, 419.528], [283.465, 283.465], [595.276, 419.528])
    ]
    assert b"/Subtype /TrueType" in data or b"/CIDFontType2" in data
    assert b"/FontFile2" in data
    assert b"CreationDate" not in data


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_the_same_drawing_gives_the_same_bytes(tmp_path: Path, kind: str) -> None:
    for name in "ab":
        print_drawings([A5], tmp_path / f"{name}.{kind}")
    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2
    assert pyplot.get_fignums() == []


def pixels(drawing: Drawing) -> np.ndarray:
    """A drawing in pixels, ten to a millimetre, shape (height, width, 3)."""
    made = figure(drawing)
    made.set_dpi(INCH * 10)
    canvas = FigureCanvasAgg(made)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3]  # type: ignore[no-untyped-call]


def test_shapes_stand_where_they_are_said_to_stand() -> None:
    drawn = pixels(SIMPLE)
    white, red, green, blue, black = (255,) * 3, (255, 0, 0), (0, 255, 0), (0, 0, 255), (0,) * 3
    for x, y, color in (
        (10.1, 20, red), (39.8, 20, red), (9.8, 20, white), (25, 10.2, red), (10.1, 10.1, white),
        (50, 20, black), (50.3, 20, black), (49.7, 20, black), (51, 20, white), (65, 30.3, black),
        (20, 50, green), (24.8, 50, green), (25.3, 50, white), (20, 45.2, green),
        (50, 59, blue), (42, 59, white), (45, 41, blue),
        (50, 79.2, black), (50, 80.8, black), (50, 81.2, white), (9.8, 80, white),
    ):  # fmt: skip
        assert tuple(drawn[int(y * 10), int(x * 10)]) == color, (x, y)


def test_the_capitals_of_a_text_stand_around_its_middle() -> None:
    for text in "H8!":
        inked = pixels(Drawing(50, 50, (Text(20, 30, text, 10, "#000000", "center"),))).min(axis=2) < 128
        down, across = (np.flatnonzero(inked.any(axis=axis)) / 10 for axis in (1, 0))
        assert (down[0] + down[-1]) / 2 == pytest.approx(30, abs=0.2)
        assert (across[0] + across[-1]) / 2 == pytest.approx(20, abs=0.4)
        assert down[-1] - down[0] == pytest.approx(7.3, abs=0.4)


def test_texts_are_written_as_they_are() -> None:
    ((label, *_),) = labels(Drawing(50, 50, (Text(20, 30, "$a$ \\frac 黒\n\udce9", 4, "#000000"),)))
    assert label.get_text() == "$a$ \\frac ???"


def test_a_text_that_is_too_wide_is_drawn_smaller() -> None:
    for text in ("x", "W" * 200, ""):
        drawing = Drawing(100, 50, (Text(10, 30, text, 4, "#000000", widest=60),))
        assert all(right <= 70.5 for _, _, right, _, _ in labels(drawing))
        assert all(label.get_fontsize() == pytest.approx(4 * 72 / INCH) for label, *_ in labels(drawing) if text == "x")


@pytest.mark.parametrize("name", ["a.png", "a", ".svg", "a.svg.txt"])
def test_other_suffixes(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match=r"to a file that ends in \.pdf or \.svg; got "):
        print_drawings([SIMPLE], tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_an_svg_holds_one(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="an SVG file holds one sheet; name one, or write a PDF with a page for each"):
        print_drawings([SIMPLE] * 2, tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_a_failure_leaves_the_old_file(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / f"a.{kind}"
    path.write_text("old")
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", full)
    with pytest.raises(OutputError, match="No space left on device"):
        print_drawings([SIMPLE], path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", [name for name in game_names() if find_game(name).sheets])
def test_texts_of_printed_sheets_are_on_the_page_and_apart(name: str) -> None:
    game = find_game(name)
    assert game.sheets is not None
    assert game.sheets.drawing is not None
    sheet = game.sheets.load(game.sheets.names()[0])
    highest = {s.name: s.high for s in game.rules.switches() if type(s.official) is int}
    highest |= {s.name: (s.high,) * len(s.official) for s in game.rules.switches() if type(s.official) is tuple}
    for rules in (game.rules(), game.rules().changed(highest)):
        drawing = game.sheets.drawing(sheet, rules)
        found = labels(drawing)
        assert len(found) == sum(isinstance(shape, Text) for shape in drawing.shapes)
        for number, (label, left, right, top, bottom) in enumerate(found):
            assert 4 < left < right < drawing.width - 4, label
            assert 4 < top < bottom < drawing.height - 4, label
            for other, left_2, right_2, top_2, bottom_2 in found[:number]:
                apart = right <= left_2 or right_2 <= left or bottom <= top_2 + 0.5 or bottom_2 <= top + 0.5
                assert apart, (label, other)
