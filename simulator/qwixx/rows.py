"""The states of a row, numbered: what the solver has in common with those who play by its values.

A state is the position of the last cross (1 to 11 from the left) and the number of crosses: nothing else decides what
can be crossed and what that is worth. A closed row has a state of its own. There are 57 in all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulator.kernels import inlined
from simulator.qwixx.rules import NUMBERS, Rules, number_at, position_of

CLOSED = 56
ROW_STATES = CLOSED + 1
POSITIONS = NUMBERS + 1
"""Length of tables by position; positions begin at 1."""
OPEN_STATES = [(0, 0), *((last, crosses) for last in range(1, NUMBERS) for crosses in range(1, last + 1))]
"""Last cross and crosses of the states 0 to 55."""


def row_state(last: int, crosses: int, closed: bool = False) -> int:
    """Number (0 to 56) of the state of a row with its last cross at position ``last`` (0 if it has none).

    Raises
    ------
    ValueError
        If no row that is open can be in that state.
    """
    if closed:
        return CLOSED
    if not (0 <= last < NUMBERS and min(last, 1) <= crosses <= last):
        raise ValueError(f"no open row has {crosses} crosses and the last of them at position {last}")
    return OPEN_STATES.index((last, crosses))


position_kernel, number_kernel = inlined(position_of), inlined(number_at)
"""The same in kernels."""


def row_tables(rules: Rules) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What a cross in a row leads to: its state afterwards, and the points.

    Returns
    -------
    after : int64 array (57, 12)
        By state and position (1 to 11): the state after the cross, -1 if it is not allowed.
    points : int64 array (57, 12)
        The points that it adds to the row, with those of the lock; 0 if it is not allowed.
    """
    after = np.full((ROW_STATES, POSITIONS), -1, np.int64)
    points = np.zeros((ROW_STATES, POSITIONS), np.int64)
    for state, (last, crosses) in enumerate(OPEN_STATES):
        for position in range(last + 1, NUMBERS):
            after[state, position] = row_state(position, crosses + 1)
            points[state, position] = rules.points(crosses + 1) - rules.points(crosses)
        if crosses >= rules.crosses_to_lock:
            after[state, NUMBERS] = CLOSED
            points[state, NUMBERS] = rules.points(crosses + 2) - rules.points(crosses)
    return after, points
