"""Numbers of patterns that can be crossed, from published sheets; on failure they are printed block by block."""

from __future__ import annotations

from collections import Counter

import pytest

from simulator.keer_op_keer.referee.patterns import Pattern, hang_together, patterns_of, pieces, singles
from simulator.keer_op_keer.rules import COLORS
from simulator.keer_op_keer.sheet import ALL_CELLS, Cell, Sheet, load_sheet, sheet_names

TOTALS = {"black": 321, "red": 315, "blue": 304, "green": 310, "orange": 287, "purple": 317, "yellow": 310}
BLACK_BY_SIZE = [105, 81, 72, 44, 19]


def connected_patterns(sheet: Sheet) -> list[Pattern]:
    return [pattern for patterns in patterns_of(sheet).values() for pattern in patterns if pattern.connected]


def by_block(sheet: Sheet) -> str:
    counts = Counter((pattern.block, pattern.number) for pattern in connected_patterns(sheet))
    lines = [f"patterns of 1 to 5 cells, sheet {sheet.name}:"]
    for index, block in enumerate(sheet.blocks):
        numbers = [counts[index, number] for number in range(1, 6)]
        lines.append(f"{COLORS[block.color]:>6} {' '.join(map(str, block.cells)):<18} {numbers} = {sum(numbers)}")
    return "\n".join(lines)


def grown(sheet: Sheet) -> set[frozenset[Cell]]:
    """Connected patterns found the other way round: single cells, then neighbors of the same color added."""
    shapes = {frozenset([cell]) for cell in ALL_CELLS}
    found = set(shapes)
    for _ in range(4):
        shapes = {
            shape | {neighbor}
            for shape in shapes
            for cell in shape
            for neighbor in cell.neighbors()
            if sheet.colors[neighbor] == sheet.colors[cell] and neighbor not in shape
        }
        found |= shapes
    return found


def test_every_shipped_sheet_is_counted():
    assert sorted(TOTALS) == sorted(sheet_names())


@pytest.mark.parametrize("name", TOTALS)
def test_number_of_patterns(name):
    sheet = load_sheet(name)
    assert len(connected_patterns(sheet)) == TOTALS[name], by_block(sheet)


def test_number_of_patterns_by_size_on_black():
    sheet = load_sheet("black")
    sizes = Counter(pattern.number for pattern in connected_patterns(sheet))
    assert [sizes[number] for number in range(1, 6)] == BLACK_BY_SIZE, by_block(sheet)


@pytest.mark.parametrize("name", TOTALS)
def test_patterns_are_those_that_growing_finds(name):
    sheet = load_sheet(name)
    patterns = connected_patterns(sheet)
    assert {pattern.cell_set for pattern in patterns} == grown(sheet), by_block(sheet)
    assert len(patterns) == len(grown(sheet))


@pytest.mark.parametrize("name", TOTALS)
def test_patterns_come_in_tie_order_and_know_themselves(name):
    sheet = load_sheet(name)
    for (color, number), patterns in patterns_of(sheet).items():
        order = [(pattern.block, list(reversed(pattern.cells))) for pattern in patterns]
        assert order == sorted(order)
        for pattern in patterns:
            block = sheet.blocks[pattern.block]
            assert (pattern.color, pattern.number) == (color, number) == (block.color, len(pattern.cells))
            assert pattern.cells == tuple(cell for i, cell in enumerate(block.cells) if pattern.mask >> i & 1)
            assert pattern.stars == len(pattern.cell_set & sheet.stars)
            assert dict(pattern.columns) == Counter(cell.column for cell in pattern.cells)
            assert not pattern.beside & pattern.cell_set


def cells(text: str) -> frozenset[Cell]:
    return frozenset(map(Cell.parse, text.split()))


def test_pieces_hang_together_by_sides_not_corners():
    assert set(pieces(cells("A1 A2 B3 C3 E7"))) == {cells("A1 A2"), cells("B3 C3"), cells("E7")}
    assert pieces(frozenset()) == ()
    assert singles(cells("A1 A2 B3 C3 E7")) == 1
    assert singles(cells("A1 B2")) == 2


def test_bridges_connect_without_having_to_be_connected_themselves():
    assert hang_together(cells("A1 A3"), cells("A2 O7"))
    assert not hang_together(cells("A1 A3"), cells("A4 O7"))
