"""Sheets as bitboards: every table that a kernel looks up, derived from a :class:`Sheet` by slow, obvious code.

Cells are numbered block by block, color by color: a color is one ``int64`` word (its cells are bits 0, 1, …), a block
is a run of at most six neighboring bits of it, and so a set of cells of one block is a number below 64, its *mask*. A
set of masks is a word as well: bit m stands for mask m (mask 63, six cells, is never a move, so bit 63 stays unused).
The legal crosses of a block are then two words and'ed: ``placeable[open]`` (connected, within the open cells) and
``TOUCHING[reach]``.

Cells crossed or left per column are nibbles of one word, column A lowest; a full column is a zero nibble.

A *state* of a block says of each cell whether it is crossed (0), open (1), or open and within reach (2): a number in
base 3 with one digit a cell, the first cell lowest. A block of six has 729 states, an official sheet 5,460.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from simulator.keer_op_keer.rules import COLORS, COLUMNS, MAX_NUMBER, ROWS, Rules
from simulator.keer_op_keer.sheet import ALL_CELLS, MAX_BLOCK, MAX_OF_COLOR, Block, Cell, Sheet
from simulator.lanes import LANES, in_lines

MASKS = 1 << MAX_BLOCK
MAX_BLOCKS = len(ALL_CELLS)
N_COLORS, N_COLUMNS = len(COLORS), len(COLUMNS)

SHEET = in_lines(
    ("open", np.int64, (LANES,)),  # all cells of each color (lanes beyond the colors are 0)
    ("start", np.int64, (LANES,)),  # cells of each color in the start columns
    # cells of the blocks that can cross at least n cells of a column in one move: [column, n, color]
    ("filling", np.int64, (N_COLUMNS, ROWS + 1, LANES)),
    ("first_block", np.int64, (N_COLORS + 1,)),  # blocks of color c are first_block[c] .. first_block[c + 1] - 1
    ("color_left", np.int64, (N_COLORS,)),
    ("columns", np.int64),  # seven cells left in each column, as nibbles
    ("stars", np.int64),
    ("block_of", np.int64, (N_COLORS, MAX_OF_COLOR)),  # block of each bit of a color word
)
"""One record per sheet."""

BLOCK = np.dtype(
    [
        ("color", np.int64),
        ("shift", np.int64),  # first bit of the block in its color word
        ("cells", np.int64),  # mask of all its cells
        ("first_state", np.int64),  # its states are numbered from here on
        ("column", np.int64, (MAX_BLOCK,)),
        ("row", np.int64, (MAX_BLOCK,)),
    ],
    align=True,
)
"""One record per block of a sheet."""

PATTERN = np.dtype([("stars", np.int8), ("start_cells", np.int8), ("distance", np.int16)])
"""One record per block and mask: figures of these cells."""


class SheetTables(NamedTuple):
    """Tables of one sheet, and of two rules: the start columns, and whether old crosses connect.

    ``halos`` int64 (blocks, 64, 8): per mask the cells beside it, a word per color.
    ``placeable`` int64 (blocks, 64): per mask of open cells the word of connected sets within it. ``columns`` int64
    (blocks, 64): cells per column of each mask, as nibbles. ``steps`` int64 (blocks, 64): the same as a list of up to
    five numbers 8 * column + cells, seven bits each, then zeros. ``crossing`` int64 (blocks, 15, 8): the word of masks
    with so many cells in a column. ``pieces``, ``singles`` int64 (blocks, 64): connected pieces, and those of one
    cell, of each mask.
    """

    sheet: np.ndarray
    blocks: np.ndarray
    patterns: np.ndarray
    halos: np.ndarray
    placeable: np.ndarray
    columns: np.ndarray
    steps: np.ndarray
    crossing: np.ndarray
    pieces: np.ndarray
    singles: np.ndarray


_MOVES = range(1, MASKS - 1)  # masks of 1 to 5 cells
CELLS = np.array([mask.bit_count() for mask in range(MASKS)], dtype=np.int64)
"""Number of cells of each mask."""
LANE = np.array([1 << mask.bit_count() >> 1 for mask in range(MASKS)], dtype=np.int64)
"""The lane of a mask of n cells, n - 1, as a bit."""
TOUCHING = np.array([sum(1 << mask for mask in _MOVES if mask & other) for other in range(MASKS)], dtype=np.int64)
"""For each mask the word of the sets that meet it."""
OF_SIZE = np.array(
    [sum(1 << mask for mask in _MOVES if mask.bit_count() == n) for n in range(MAX_NUMBER + 1)], dtype=np.int64
)
"""For each number the word of the sets of so many cells."""
MAX_STATES = 17 * 3**6 + 3**3  # 105 cells in blocks of six as far as they go
OPEN_IN_STATE, REACHED_IN_STATE = (
    np.array([sum(1 << i for i in range(MAX_BLOCK) if state // 3**i % 3 >= digit) for state in range(3**MAX_BLOCK)])
    for digit in (1, 2)
)
"""Open cells, and open cells within reach, in each state: masks."""
BASE_3 = np.array([sum(3**i for i in range(MAX_BLOCK) if mask >> i & 1) for mask in range(MASKS)], dtype=np.int64)
"""The state of a block is ``BASE_3[open] + BASE_3[open and within reach]``."""


def cells_of(block: Block, mask: int) -> tuple[Cell, ...]:
    """The cells of a mask, in sheet order."""
    return tuple(cell for i, cell in enumerate(block.cells) if mask >> i & 1)


def pieces_of(block: Block) -> list[list[int]]:
    """For every mask of the block the connected pieces, as masks, that it falls into."""
    beside = [sum(1 << i for i, other in enumerate(block.cells) if other in cell.neighbors()) for cell in block.cells]
    return [_pieces(mask, beside) for mask in range(1 << len(block.cells))]


def _pieces(mask: int, beside: list[int]) -> list[int]:
    pieces = []
    while mask:
        piece, grown = 0, mask & -mask
        while piece != grown:
            piece = grown
            for i, around in enumerate(beside):
                grown |= around & mask if piece >> i & 1 else 0
        pieces.append(piece)
        mask &= ~piece
    return pieces


def sheet_tables(sheet: Sheet, rules: Rules) -> SheetTables:
    """All tables of a sheet under a rule set."""
    return _sheet_tables(sheet, rules.start_columns, rules.connect_through_crosses)


@lru_cache(maxsize=64)
def _sheet_tables(sheet: Sheet, start_columns: str, bridged: bool) -> SheetTables:
    count = len(sheet.blocks)
    tables = SheetTables(
        sheet=np.zeros((), SHEET),
        blocks=np.zeros(count, BLOCK),
        patterns=np.zeros((count, MASKS), PATTERN),
        halos=np.zeros((count, MASKS, LANES), np.int64),
        placeable=np.zeros((count, MASKS), np.int64),
        columns=np.zeros((count, MASKS), np.int64),
        steps=np.zeros((count, MASKS), np.int64),
        crossing=np.zeros((count, N_COLUMNS, ROWS + 1), np.int64),
        pieces=np.zeros((count, MASKS), np.int64),
        singles=np.zeros((count, MASKS), np.int64),
    )
    bit_of = _number_cells(sheet, tables)
    starts = [COLUMNS.index(letter) for letter in start_columns]
    for cell, (color, bit) in bit_of.items():
        tables.sheet["open"][color] |= 1 << bit
        tables.sheet["color_left"][color] += 1
        if cell.column in starts:
            tables.sheet["start"][color] |= 1 << bit
    tables.sheet["columns"] = sum(ROWS << 4 * c for c in range(N_COLUMNS))
    tables.sheet["stars"] = len(sheet.stars)
    for index, block in enumerate(sheet.blocks):
        pieces = pieces_of(block)
        for mask in range(1 << len(block.cells)):
            _fill_pattern(sheet, block, mask, starts, bit_of, tables, index)
            tables.pieces[index, mask] = len(pieces[mask])
            tables.singles[index, mask] = sum(piece.bit_count() == 1 for piece in pieces[mask])
            tables.placeable[index, mask] = _placeable(pieces, mask, bridged=bridged)
        _fill_filling(tables, index, block)
    return tables


def _number_cells(sheet: Sheet, tables: SheetTables) -> dict[Cell, tuple[int, int]]:
    """Give every cell its color and bit, and fill what follows from the numbering."""
    bit_of: dict[Cell, tuple[int, int]] = {}
    next_bit, next_state = [0] * N_COLORS, 0
    for index, block in enumerate(sheet.blocks):
        record = tables.blocks[index]
        record["color"] = block.color
        record["shift"] = next_bit[block.color]
        record["cells"] = (1 << len(block.cells)) - 1
        record["first_state"] = next_state
        next_state += 3 ** len(block.cells)
        for i, cell in enumerate(block.cells):
            record["column"][i], record["row"][i] = cell
            tables.sheet["block_of"][block.color, next_bit[block.color]] = index
            bit_of[cell] = (block.color, next_bit[block.color])
            next_bit[block.color] += 1
    for color in range(N_COLORS + 1):
        tables.sheet["first_block"][color] = sum(block.color < color for block in sheet.blocks)
    return bit_of


def _fill_pattern(
    sheet: Sheet,
    block: Block,
    mask: int,
    starts: list[int],
    bit_of: dict[Cell, tuple[int, int]],
    tables: SheetTables,
    index: int,
) -> None:
    cells = cells_of(block, mask)
    pattern = tables.patterns[index, mask]
    for cell in cells:
        for neighbor in cell.neighbors():
            color, bit = bit_of[neighbor]
            tables.halos[index, mask, color] |= 1 << bit
        pattern["stars"] += cell in sheet.stars
        pattern["start_cells"] += cell.column in starts
        pattern["distance"] += min(abs(cell.column - start) for start in starts)
        tables.columns[index, mask] += 1 << 4 * cell.column
    if mask in _MOVES:
        for i, (column, n) in enumerate(Counter(cell.column for cell in cells).items()):
            tables.steps[index, mask] |= (8 * column + n) << 7 * i
            tables.crossing[index, column, n] |= 1 << mask


def _placeable(pieces: list[list[int]], opened: int, *, bridged: bool) -> int:
    """The word of sets that may be crossed together when ``opened`` are the open cells of the block."""
    crossed = (len(pieces) - 1) & ~opened if bridged else 0
    within = [mask for mask in range(1, min(len(pieces), MASKS - 1)) if mask & ~opened == 0]
    return sum(1 << mask for mask in within if any(mask & ~piece == 0 for piece in pieces[mask | crossed]))


def _fill_filling(tables: SheetTables, index: int, block: Block) -> None:
    """Enter the block wherever one move in it can cross n cells of a column."""
    cells = int(tables.blocks[index]["cells"]) << int(tables.blocks[index]["shift"])
    for column in range(N_COLUMNS):
        in_column = sum(cell.column == column for cell in block.cells)
        for n in range(1, in_column + 1):
            tables.sheet["filling"][column, n, block.color] |= cells
