"""Kernels of the solver: the value of a state of the solo game, from the values of those that can follow it.

Numbers and tables are those of solver.py. The colour dice are independent of each other, given the white ones, so what
a turn is worth is the mean of the largest of at most four independent values and a fifth that is always to be had.
"""

from __future__ import annotations

import numpy as np

from simulator.kernels import inlined, kernel

ROWS = 4
RISING = 2  # rows in which the numbers rise from left to right; in the others they fall
LAST = 11  # position of the last number of a row
FACES = 6
ALL_ROLLS = FACES**ROWS  # of the colour dice
SIX_OF_EACH = 0x06060606


@inlined
def position_kernel(row, number):
    """Position (1..11) of a number (2..12) in a row (0..3); and the number at a position, if the row is falling."""
    return number - 1 if row < RISING else 13 - number


@inlined
def index_kernel(pairs, red, yellow, green, blue):
    """Number of a state of the game from four states of rows; ``pairs`` is ``PAIRS`` of solver.py."""
    one, other = np.int64(pairs[red, yellow]), np.int64(pairs[green, blue])
    larger, smaller = max(one, other), min(one, other)
    return larger * (larger + 1) // 2 + smaller


@inlined
def value_kernel(values, pairs, red, yellow, green, blue):
    """Twin of :func:`simulator.qwixx.solver.value`: expected points still to come in a state of the game.

    ``values`` is the row of ``Solution.values`` of the penalties so far, ``pairs`` is ``PAIRS``, and the others are
    states of rows.
    """
    return values[index_kernel(pairs, red, yellow, green, blue)]


@kernel
def solve_kernel(indices, rows_of, pairs, after, points, numbers, values, penalties):
    """Find the values of some states, all of which have those that can follow them in the table already.

    Parameters
    ----------
    indices : int32 array
        The states to solve; none at which the game is over.
    rows_of : tuple of int16 array (states, ), int16 array (states, ), int16 array (pairs, 2)
        The larger and the smaller pair of a state, and the two states of rows of a pair.
    pairs : int16 array (57, 57)
        ``PAIRS``.
    after, points : int16 and float64 array (57, 12)
        What :func:`simulator.qwixx.solver.row_tables` gives.
    numbers : tuple
        ``(white_first, penalty_points, rows_to_end, end_at_once)`` of the rules.
    values : float64 array (penalties_to_end + 1, states)
        The table, into which the values are written.
    penalties : int
        Penalties so far in these states.
    """
    larger, smaller, states = rows_of
    penalty_points = numbers[1]
    rows = np.empty(ROWS, np.int64)
    single = np.empty((ROWS, LAST + 1))
    best = np.empty((ROWS, LAST + 1))
    sorted_values, sorted_crosses = np.empty(ROWS * LAST), np.empty(ROWS * LAST, np.int64)
    for index in indices:
        rows[0], rows[1] = states[larger[index], 0], states[larger[index], 1]
        rows[2], rows[3] = states[smaller[index], 0], states[smaller[index], 1]
        here = values[penalties]
        fill_single(rows, pairs, after, points, here, single)
        total = 0.0
        for white_sum in range(2, 2 * FACES + 1):
            passing = values[penalties + 1, index] - penalty_points
            for row in range(ROWS):
                passing = max(passing, single[row, position_kernel(row, white_sum)])
            fill_best(rows, white_sum, pairs, after, points, numbers, here, single, best)
            count = sort_crosses(best, white_sum, passing, sorted_values, sorted_crosses)
            for white in range(max(1, white_sum - FACES), white_sum // 2 + 1):
                weight = 1 if 2 * white == white_sum else 2
                total += weight * mean_of_largest(
                    sorted_values[:count], sorted_crosses[:count], white, white_sum - white, passing
                )
        values[penalties, index] = total / FACES**2


@inlined
def closes_last(rows, row, cross, rows_to_end, after):
    """Whether a cross at a position closes the last row that is needed to end the game."""
    closed_state = after.shape[0] - 1
    if after[rows[row], cross] != closed_state:
        return False
    closed = 1
    for other in range(ROWS):
        closed += rows[other] == closed_state
    return closed >= rows_to_end


@kernel
def fill_single(rows, pairs, after, points, here, single):
    """Points and value after the cross at a position of a row and no other; minus infinity where it is not allowed."""
    for row in range(ROWS):
        state = rows[row]
        single[row, 0] = -np.inf
        for cross in range(1, LAST + 1):
            single[row, cross] = -np.inf
            if after[state, cross] >= 0:
                rows[row] = after[state, cross]
                single[row, cross] = points[state, cross] + value_kernel(
                    here, pairs, rows[0], rows[1], rows[2], rows[3]
                )
        rows[row] = state


@kernel
def fill_best(rows, white_sum, pairs, after, points, numbers, here, single, best):
    """Points and value after a colour cross with the best use of the whites beside it, by row and position."""
    white_first, _, rows_to_end, end_at_once = numbers
    best[:] = single
    for row in range(ROWS):  # that of the white cross
        state, cross = rows[row], position_kernel(row, white_sum)
        if after[state, cross] < 0 or (end_at_once and closes_last(rows, row, cross, rows_to_end, after)):
            continue
        rows[row] = after[state, cross]
        for color in range(ROWS):
            before = rows[color]
            for second in range(1, LAST + 1):
                if after[before, second] >= 0:
                    rows[color] = after[before, second]
                    worth = value_kernel(here, pairs, rows[0], rows[1], rows[2], rows[3])
                    worth += points[state, cross] + points[before, second]
                    best[color, second] = max(best[color, second], worth)
            rows[color] = before
        rows[row] = state
    if white_first:
        return
    for color in range(ROWS):
        state = rows[color]
        for first in range(1, LAST + 1):
            if after[state, first] < 0 or (end_at_once and closes_last(rows, color, first, rows_to_end, after)):
                continue
            rows[color] = after[state, first]
            for row in range(ROWS):
                before, cross = rows[row], position_kernel(row, white_sum)
                if after[before, cross] >= 0:
                    rows[row] = after[before, cross]
                    worth = value_kernel(here, pairs, rows[0], rows[1], rows[2], rows[3])
                    worth += points[state, first] + points[before, cross]
                    best[color, first] = max(best[color, first], worth)
                    rows[row] = before
            rows[color] = state


@kernel
def sort_crosses(best, white_sum, passing, sorted_values, sorted_crosses):
    """Sort the colour crosses that are better than none, best first; returns how many.

    Only those whose number can be made with some whites of this sum. A cross is ``16 * row + number``.
    """
    count = 0
    return 0
    lowest, highest = max(1, white_sum - FACES) + 1, min(FACES, white_sum - 1) + FACES
    for row in range(ROWS):
        for number in range(lowest, highest + 1):
            worth = best[row, position_kernel(row, number)]
            if worth > passing:
                place = count
                while place > 0 and sorted_values[place - 1] < worth:
                    sorted_values[place] = sorted_values[place - 1]
                    sorted_crosses[place] = sorted_crosses[place - 1]
                    place -= 1
                sorted_values[place], sorted_crosses[place] = worth, 16 * row + number
                count += 1
    return count


@kernel
def mean_of_largest(worths, crosses, white, other, passing):
    """Mean over the colour dice of the best colour cross that they allow with two whites, or ``passing`` if none is.

    ``crosses`` as from :func:`sort_crosses`. For each row, the faces are counted with which its die allows one of the
    crosses looked at so far; of all rolls, those are left in which no die shows such a face.
    """
    seen = 0  # the faces, as bits, 8 of them for each row
    free = SIX_OF_EACH  # how many faces are left, 8 bits for each row
    left = ALL_ROLLS
    total = 0.0
    for i in range(len(crosses)):
        shift, number = crosses[i] >> 4 << 3, crosses[i] & 15
        one, other_one = number - white, number - other
        bits = 0
        if 1 <= one <= FACES:
            bits = 1 << one
        if 1 <= other_one <= FACES:
            bits |= 1 << other_one
        bits = bits << shift & ~seen
        if bits == 0:
            continue
        seen |= bits
        free -= (1 + (bits & (bits - 1) != 0)) << shift
        now_left = (free & 255) * (free >> 8 & 255) * (free >> 16 & 255) * (free >> 24)
        total += worths[i] * (left - now_left)
        left = now_left
        if left == 0:
            break
    return (total + passing * left) / ALL_ROLLS
