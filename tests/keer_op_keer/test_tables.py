"""The tables of the engine: bounds of their sizes, and states of a block."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.keer_op_keer.engine.tables import (
    BASE_3,
    CELLS,
    MASKS,
    MAX_STATES,
    OPEN_IN_STATE,
    REACHED_IN_STATE,
    sheet_tables,
)
from simulator.keer_op_keer.rules import OFFICIAL
from simulator.keer_op_keer.sheet import ALL_CELLS, MAX_BLOCK, Sheet
from tests.keer_op_keer.setups import ODD, SHEETS


def test_no_sheet_has_more_states_than_there_is_room_for():
    most = [0]  # of so many cells, cut into blocks in any way
    for cells in range(1, len(ALL_CELLS) + 1):
        most.append(max(3**size + most[cells - size] for size in range(1, min(cells, MAX_BLOCK) + 1)))
    assert most[-1] == MAX_STATES


@pytest.mark.parametrize("sheet", SHEETS + ODD, ids=lambda sheet: sheet.name)
def test_states_of_blocks_follow_each_other(sheet: Sheet):
    tables = sheet_tables(sheet, OFFICIAL)
    sizes = [3 ** len(block.cells) for block in sheet.blocks]
    assert tables.blocks["first_state"].tolist() == [sum(sizes[:i]) for i in range(len(sizes))]
    if sheet in SHEETS:
        assert sum(sizes) == 5 * sum(3**size for size in range(1, 7)) == 5460


def test_a_state_says_which_cells_are_open_and_which_within_reach():
    seen = set()
    for opened in range(MASKS):
        for reached in (mask for mask in range(MASKS) if mask & ~opened == 0):
            state = int(BASE_3[opened] + BASE_3[reached])
            assert (OPEN_IN_STATE[state], REACHED_IN_STATE[state]) == (opened, reached)
            seen.add(state)
    assert seen == set(range(3**MAX_BLOCK))


def test_steps_and_crossings_say_the_same_as_the_columns_of_a_mask():
    for sheet in (SHEETS[0], ODD[0], ODD[1]):
        tables = sheet_tables(sheet, OFFICIAL)
        for index, block in enumerate(sheet.blocks):
            for mask in range(1, min(1 << len(block.cells), MASKS - 1)):
                cells = [cell for i, cell in enumerate(block.cells) if mask >> i & 1]
                steps, found = int(tables.steps[index, mask]), {}
                while steps:
                    found[steps >> 3 & 15] = steps & 7
                    steps >>= 7
                assert found == {column: sum(c.column == column for c in cells) for column, _ in cells}
                for column, n in found.items():
                    assert tables.columns[index, mask] >> 4 * column & 15 == n
                    assert [k for k in range(8) if tables.crossing[index, column, k] >> mask & 1] == [n]
                assert CELLS[mask] == len(cells)
                assert np.count_nonzero(tables.crossing[index] >> mask & 1) == len(found)
