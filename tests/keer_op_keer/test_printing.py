"""The printed sheet as data: every cell in its color and place, points and marks as in the rules, all on the page."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest

from simulator.drawing import Box, Circle, Drawing, Polygon, Shape, Stroke, Text
from simulator.keer_op_keer.printing import CELL, DISC, INK, MARGIN, PAINTS, drawing
from simulator.keer_op_keer.rules import COLORS, COLUMNS, OFFICIAL, ROWS, Rules
from simulator.keer_op_keer.sheet import LETTERS, Sheet, load_sheet, sheet_names

BLACK = load_sheet("black")
MANY_STARS = Sheet("mine.txt", tuple(line.upper() for line in BLACK.lines))
ODD = Sheet("odd.txt", tuple("gybpogybpogybpo"[row % 5 :] + "gybpo"[: row % 5] for row in range(ROWS)))
SWITCHES: list[dict[str, Any]] = [
    {},
    {"jokers": 0},
    {"jokers": 1},
    {"jokers": 12, "first_for_all": True},
    {"jokers": 16},
    {"jokers": 99, "mark_points": 99, "star_penalty": 99, "pass_penalty": 99, "color_first": 99, "color_later": 99},
    {"column_first": (99,) * 15, "column_later": tuple(range(15)), "start_columns": COLUMNS, "roll_limit": 1000},
    {"column_first": (99,) * 15, "column_later": (98,) * 15, "color_weights": (9,) * 6, "number_weights": (9,) * 6}
    | {"connect_through_crosses": True, "shared_firsts": False, "tie_break": "columns", "open_rolls": 1000},
]


def shapes(drawn: Drawing, kind: type[Any]) -> list[Any]:
    return [shape for shape in drawn.shapes if isinstance(shape, kind)]


def texts(drawn: Drawing) -> list[str]:
    return [text.text for text in shapes(drawn, Text)]


def cells(drawn: Drawing) -> list[Box]:
    """The boxes of cells, column by column."""
    found = [b for b in shapes(drawn, Box) if b.fill in PAINTS and (b.width, b.height) == (CELL, CELL)]
    return sorted(found, key=lambda box: (round(box.x, 3), box.y))


def marks(drawn: Drawing) -> list[Box]:
    """The boxes around exclamation marks."""
    places = [(text.x, text.y) for text in shapes(drawn, Text) if text.text == "!"]
    boxes = [box for box in shapes(drawn, Box) if (box.x + box.width / 2, box.y + box.height / 2) in places]
    assert len(boxes) == len(places)
    return boxes


def points(drawn: Drawing) -> list[list[int]]:
    """Points below the columns, row by row, then those of the colors, column by column."""
    at = {(text.x, text.y): int(text.text) for text in shapes(drawn, Text) if text.text.isdecimal()}
    discs = shapes(drawn, Circle)
    assert all(disc.radius == DISC for disc in discs)
    assert len(discs) == len(at)
    bottom = max(box.y + box.height for box in cells(drawn))
    below = [disc for disc in discs if disc.y > bottom]
    beside = [disc for disc in discs if disc.y < bottom]
    rows = [[at[d.x, d.y] for d in sorted(below) if d.y == y] for y in sorted({d.y for d in below})]
    columns = [
        [at[d.x, d.y] for d in sorted(beside, key=lambda d: d.y) if d.x == x] for x in sorted({d.x for d in beside})
    ]
    return rows + columns


def extent(shape: Shape) -> tuple[float, float, float, float]:
    """Left, top, right and bottom; of a text its height only, as its width depends on the font."""
    if isinstance(shape, Box):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    if isinstance(shape, Circle):
        return shape.x - shape.radius, shape.y - shape.radius, shape.x + shape.radius, shape.y + shape.radius
    if isinstance(shape, Stroke):
        return shape.x, shape.y, shape.to_x, shape.to_y
    if isinstance(shape, Text):
        return shape.x, shape.y - shape.size / 2, shape.x, shape.y + shape.size / 2
    across, down = zip(*shape.points, strict=True)
    return min(across), min(down), max(across), max(down)


@pytest.mark.parametrize("sheet", [*map(load_sheet, sheet_names()), MANY_STARS, ODD], ids=lambda sheet: sheet.name)
def test_every_cell_has_its_color_its_letter_and_its_star(sheet: Sheet) -> None:
    drawn = drawing(sheet, OFFICIAL)
    found = cells(drawn)
    assert [box.fill for box in found] == [PAINTS[color] for color in sheet.colors.values()]
    stars, written = shapes(drawn, Polygon), shapes(drawn, Text)
    for cell, box in zip(sheet.colors, found, strict=True):
        inside = [t.text for t in written if box.x < t.x < box.x + CELL and box.y < t.y < box.y + CELL]
        assert inside == [LETTERS[sheet.colors[cell]]]
        starred = [
            s for s in stars if box.x < min(s.points)[0] < box.x + CELL and box.y < s.points[0][1] < box.y + CELL
        ]
        assert len(starred) == (cell in sheet.stars)
    assert len(stars) == len(sheet.stars)


def test_cells_stand_in_a_square_grid_and_do_not_overlap() -> None:
    found = cells(drawing(BLACK, OFFICIAL))
    assert len(found) == len(COLUMNS) * ROWS
    lefts, tops = sorted({round(box.x, 3) for box in found}), sorted({round(box.y, 3) for box in found})
    assert (len(lefts), len(tops)) == (len(COLUMNS), ROWS)
    steps = [b - a for places in (lefts, tops) for a, b in pairwise(places)]
    assert steps == pytest.approx([steps[0]] * len(steps))
    assert steps[0] > CELL


def test_cells_are_joined_where_they_are_of_one_block() -> None:
    drawn = drawing(BLACK, OFFICIAL)
    joins = sum(n > cell and BLACK.colors[n] == c for cell, c in BLACK.colors.items() for n in cell.neighbors())
    bridges = [box for box in shapes(drawn, Box) if box.fill in PAINTS and not box.radius]
    assert len(bridges) == joins
    for bridge in bridges:
        left, top, right, bottom = extent(bridge)
        joined = [box for box in cells(drawn) if box.x < right and left < box.x + CELL and box.y < bottom]
        joined = [box for box in joined if top < box.y + CELL]
        assert [box.fill for box in joined] == [bridge.fill] * 2


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_all_is_on_the_page_and_nothing_lies_on_marks_or_points(switches: dict[str, Any]) -> None:
    for sheet in (BLACK, MANY_STARS, Sheet("x" * 250 + ".txt", BLACK.lines)):
        drawn = drawing(sheet, Rules(**switches))
        assert (drawn.width, drawn.height) == (210.0, 148.0)
        for shape in drawn.shapes:
            left, top, right, bottom = extent(shape)
            assert MARGIN / 2 < left <= right < drawn.width - MARGIN / 2, shape
            assert MARGIN / 2 < top <= bottom < drawn.height - MARGIN / 2, shape
        placed = [*cells(drawn), *marks(drawn), *shapes(drawn, Circle), *boxes_to_fill(drawn)]
        for one, other in combinations(map(extent, placed), 2):
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one, other)


def boxes_to_fill(drawn: Drawing) -> list[Box]:
    """The boxes of the sum, from the top."""
    return [box for box in shapes(drawn, Box) if box.width == 13.0]


def test_points_are_those_of_the_rules() -> None:
    first, later = list(OFFICIAL.column_first), list(OFFICIAL.column_later)
    assert points(drawing(BLACK, OFFICIAL)) == [first, later, [5] * 5, [3] * 5]
    rules = Rules(column_first=tuple(range(50, 65)), column_later=tuple(range(15)), color_first=99, color_later=0)
    drawn = drawing(BLACK, rules)
    assert points(drawn) == [list(range(50, 65)), list(range(15)), [99] * 5, [0] * 5]
    assert texts(drawn).count("first") == texts(drawn).count("later") == 2


def test_where_everyone_is_first_there_is_one_value() -> None:
    drawn = drawing(BLACK, Rules(first_for_all=True, color_first=7))
    assert points(drawn) == [list(OFFICIAL.column_first), [7] * 5]
    assert "later" not in texts(drawn)


@pytest.mark.parametrize("count", [0, 1, 8, 12, 15, 16, 31, 99])
def test_as_many_exclamation_marks_as_in_the_rules(count: int) -> None:
    drawn = drawing(BLACK, Rules(jokers=count))
    assert len(marks(drawn)) == count
    assert all(mark.width > 3.9 for mark in marks(drawn))
    assert ("no jokers" in texts(drawn)) == (count == 0)


@pytest.mark.parametrize("columns", ["H", "AGO", COLUMNS])
def test_columns_to_start_in_are_marked(columns: str) -> None:
    drawn = drawing(BLACK, Rules(start_columns=columns))
    letters = {t.text: t for t in shapes(drawn, Text) if t.text in set(COLUMNS)}
    assert set(letters) == set(COLUMNS)
    dark = [(box.x + box.width / 2) for box in shapes(drawn, Box) if box.fill == INK]
    assert dark == pytest.approx([letters[letter].x for letter in sorted(columns)])
    assert {letter for letter, text in letters.items() if text.paint != INK} == set(columns)


@pytest.mark.parametrize(
    ("switches", "lines"),
    [
        ({}, ["jokers × 1", "stars × 2"]),
        ({"mark_points": 3, "star_penalty": 4, "pass_penalty": 5}, ["jokers × 3", "stars × 4", "passes × 5"]),
        ({"jokers": 0}, ["stars × 2"]),
        ({"mark_points": 0, "star_penalty": 0}, []),
    ],
)
def test_what_counts_is_added_up(switches: dict[str, Any], lines: list[str]) -> None:
    drawn = drawing(BLACK, Rules(**switches))
    expected = ["colors", "columns A–O", *lines, "total"]
    boxes = boxes_to_fill(drawn)
    assert len(boxes) == len(expected)
    signs = {"colors": "=", "total": "=", "columns A–O": "+", "jokers": "+", "stars": "−", "passes": "−"}
    for box, label in zip(boxes, expected, strict=True):
        beside = [t.text for t in shapes(drawn, Text) if t.x < box.x and box.y < t.y < box.y + box.height]
        assert beside[-2:] == [label, signs[label.split(" ×")[0]]]


def test_what_ends_the_game_and_what_marks_cost_is_said() -> None:
    said = texts(drawing(BLACK, OFFICIAL))
    assert "2 full colors end the game" in said
    assert "each joker die costs one; 1 point for each that is left" in said
    said = texts(drawing(BLACK, Rules(colors_to_end=1, roll_limit=20, mark_points=2)))
    assert "1 full color ends the game" in said
    assert "or roll 20, if it comes first" in said
    assert "each joker die costs one; 2 points for each that is left" in said
    assert set(COLORS) <= set(said)


def test_the_footer_names_sheet_and_rules() -> None:
    assert texts(drawing(BLACK, OFFICIAL))[-1] == "sheet black · official rules"
    named = Sheet("/home/me/boards/mine.txt", BLACK.lines)
    assert texts(drawing(named, Rules(jokers=6)))[-1] == "sheet mine · rules jokers=6"
    rules = Rules(**SWITCHES[-1])
    assert rules.told() in " ".join(text.text for text in shapes(drawing(BLACK, rules), Text) if text.widest > 100)
