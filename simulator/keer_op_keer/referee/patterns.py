"""What can ever be crossed on a sheet, found by the slow and obvious way, once for each sheet.

A *pattern* is a set of 1 to 5 cells of one block. The referee asks which patterns are legal in a position; everything
about a pattern that no position changes is kept with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from simulator.keer_op_keer.rules import MAX_NUMBER
from simulator.keer_op_keer.sheet import Block, Cell, Sheet


@dataclass(frozen=True, eq=False)
class Pattern:
    """One to five cells of one block.

    Parameters
    ----------
    block : int
        Index of the block in ``sheet.blocks``.
    color, number : int
        Color of the block, 0 to 4, and how many cells the pattern has.
    cells : tuple of Cell
        The cells in sheet order; ``cell_set`` holds the same cells.
    mask : int
        Sum of ``1 << i`` over the positions ``i`` of the cells in ``block.cells``.
    block_cells : frozenset of Cell
        All cells of the block.
    connected : bool
        Whether the cells hang together by their sides.
    stars : int
        How many of the cells have a star.
    columns : tuple of (int, int)
        Each column that the pattern touches, and how many of its cells.
    beside : frozenset of Cell
        The cells, of any color, that share a side with the pattern and do not belong to it.
    """

    block: int
    color: int
    number: int
    cells: tuple[Cell, ...]
    cell_set: frozenset[Cell]
    mask: int
    block_cells: frozenset[Cell]
    connected: bool
    stars: int
    columns: tuple[tuple[int, int], ...]
    beside: frozenset[Cell]


Patterns = Mapping[tuple[int, int], tuple[Pattern, ...]]
"""Patterns by (color, number); in each the order is that of ties: by block, then by mask."""


@lru_cache(maxsize=64)
def patterns_of(sheet: Sheet) -> Patterns:
    """All patterns of a sheet, also those that do not hang together (a house rule may connect them)."""
    found: dict[tuple[int, int], list[Pattern]] = {(c, n): [] for c in range(5) for n in range(1, MAX_NUMBER + 1)}
    for index, block in enumerate(sheet.blocks):
        for number in range(1, min(MAX_NUMBER, len(block.cells)) + 1):
            subsets = [_pattern(sheet, index, block, cells) for cells in combinations(block.cells, number)]
            found[block.color, number] += sorted(subsets, key=lambda pattern: pattern.mask)
    return {key: tuple(patterns) for key, patterns in found.items()}


def _pattern(sheet: Sheet, index: int, block: Block, cells: tuple[Cell, ...]) -> Pattern:
    columns = sorted({cell.column for cell in cells})
    return Pattern(
        block=index,
        color=block.color,
        number=len(cells),
        cells=cells,
        cell_set=frozenset(cells),
        mask=sum(1 << block.cells.index(cell) for cell in cells),
        block_cells=frozenset(block.cells),
        connected=len(pieces(frozenset(cells))) == 1,
        stars=sum(cell in sheet.stars for cell in cells),
        columns=tuple((column, sum(cell.column == column for cell in cells)) for column in columns),
        beside=frozenset(n for cell in cells for n in cell.neighbors()) - frozenset(cells),
    )


@lru_cache(maxsize=1 << 16)
def pieces(cells: frozenset[Cell]) -> tuple[frozenset[Cell], ...]:
    """The pieces into which cells fall that hang together only by their sides."""
    found = []
    left = set(cells)
    while left:
        piece = set()
        todo = [left.pop()]
        while todo:
            cell = todo.pop()
            piece.add(cell)
            for neighbor in cell.neighbors():
                if neighbor in left:
                    left.remove(neighbor)
                    todo.append(neighbor)
        found.append(frozenset(piece))
    return tuple(found)


def singles(cells: frozenset[Cell]) -> int:
    """How many of the cells have no neighbor among them."""
    return sum(len(piece) == 1 for piece in pieces(cells))


def hang_together(cells: frozenset[Cell], bridges: frozenset[Cell]) -> bool:
    """Whether all the cells lie in one piece of the cells and the bridges together."""
    return any(cells <= piece for piece in pieces(cells | bridges))
