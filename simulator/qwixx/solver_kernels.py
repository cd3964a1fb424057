"""Kernels of the solver: the value of a state of the solo game, from the values of those that can follow it.

Numbers and tables are those of solver.py. The color dice are independent of each other, given the white ones, so what
a turn is worth is the mean of the largest of at most four independent values and a fifth that is always to be had.
"""

from __future__ import annotations

import numpy as np

from simulator.kernels import inlined, kernel
from simulator.qwixx.rows import CLOSED, number_kernel, position_kernel
from simulator.qwixx.rules import COLORS, NUMBERS, SIDES

ROWS = len(COLORS)
ALL_ROLLS = SIDES**ROWS  # of the color dice
SIX_OF_EACH = 0x06060606


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
    after, points : int64 array (57, 12)
        What :func:`simulator.qwixx.rows.row_tables` gives.
    numbers : tuple
        ``(white_first, penalty_points, rows_to_end, end_at_once)`` of the rules.
    values : float64 array (penalties_to_end + 1, states)
        The table, into which the values are written.
    penalties : int
        Penalties so far in these states.
    """
    larger, smaller, states = rows_of
    penalty_points = numbers[1]
    rows, firsts = np.empty(ROWS, np.int64), np.empty(ROWS, np.int64)
    single = np.full((ROWS, NUMBERS + 1), -np.inf)
    best = np.full((2 * SIDES + 1, ROWS, NUMBERS + 1), -np.inf)
    sorted_values, sorted_crosses = np.empty(ROWS * NUMBERS), np.empty(ROWS * NUMBERS, np.int64)
    for index in indices:
        rows[0], rows[1] = states[larger[index], 0], states[larger[index], 1]
        rows[2], rows[3] = states[smaller[index], 0], states[smaller[index], 1]
        here = values[penalties]
        fill_single(rows, pairs, after, points, here, single)
        fill_best(rows, firsts, pairs, after, points, numbers, here, single, best)
        total = 0.0
        for white_sum in range(2, 2 * SIDES + 1):
            passing = values[penalties + 1, index] - penalty_points
            for row in range(ROWS):
                passing = max(passing, single[row, position_kernel(row, white_sum)])
            count = sort_crosses(best[white_sum], white_sum, passing, sorted_values, sorted_crosses)
            for white in range(max(1, white_sum - SIDES), white_sum // 2 + 1):
                weight = 1 if 2 * white == white_sum else 2
                total += weight * mean_of_largest(
                    sorted_values[:count], sorted_crosses[:count], white, white_sum - white, passing
                )
        values[penalties, index] = total / SIDES**2


@kernel
def fill_single(rows, pairs, after, points, here, single):
    """Points and value after the cross at a position of a row and no other; minus infinity where it is not allowed."""
    for row in range(ROWS):
        state = rows[row]
        for cross in range(1, NUMBERS + 1):
            single[row, cross] = -np.inf
            if after[state, cross] >= 0:
                rows[row] = after[state, cross]
                worth = value_kernel(here, pairs, rows[0], rows[1], rows[2], rows[3])
                single[row, cross] = points[state, cross] + worth
        rows[row] = state


@kernel
def fill_best(rows, firsts, pairs, after, points, numbers, here, single, best):
    """Points and value after a color cross with the best use of the whites beside it, or none.

    By white sum, row and position of the color cross; minus infinity where it is not allowed. Two crosses lead to the
    same state whichever of them is the white one and whichever is made first, so each two are looked at once.
    ``firsts`` is room for the first position of each row that may be crossed.
    """
    white_first, _, rows_to_end, end_at_once = numbers
    for white_sum in range(2, 2 * SIDES + 1):
        best[white_sum] = single
    for row in range(ROWS):
        firsts[row] = 1
        while firsts[row] <= NUMBERS and after[rows[row], firsts[row]] < 0:
            firsts[row] += 1
    closed = 0
    for row in range(ROWS):
        closed += rows[row] == CLOSED
    last_ends = end_at_once and closed + 1 >= rows_to_end  # whether one more lock leaves no second cross
    for row in range(ROWS):
        state = rows[row]
        for cross in range(firsts[row], NUMBERS + 1):
            middle = after[state, cross]
            if middle < 0:
                continue
            made = points[state, cross]
            number = number_kernel(row, cross)
            goes_on = not (last_ends and cross == NUMBERS)
            for further in range(cross + 1, NUMBERS + 1):  # in the same row
                if after[middle, further] >= 0:
                    rows[row] = after[middle, further]
                    worth = made + points[middle, further]
                    worth += value_kernel(here, pairs, rows[0], rows[1], rows[2], rows[3])
                    raise_to(best, number, row, further, worth)
                    if not white_first:
                        raise_to(best, number_kernel(row, further), row, cross, worth)
            rows[row] = middle
            for other in range(row + 1, ROWS):
                before = rows[other]
                for second in range(firsts[other], NUMBERS + 1):
                    if after[before, second] >= 0:
                        rows[other] = after[before, second]
                        worth = made + points[before, second]
                        worth += value_kernel(here, pairs, rows[0], rows[1], rows[2], rows[3])
                        other_goes_on = not (last_ends and second == NUMBERS)
                        if goes_on or (other_goes_on and not white_first):
                            raise_to(best, number, other, second, worth)
                        if other_goes_on or (goes_on and not white_first):
                            raise_to(best, number_kernel(other, second), row, cross, worth)
                rows[other] = before
        rows[row] = state


@inlined
def raise_to(best, white_sum, row, cross, worth):
    """Note a way to make a color cross, if it is better than those before."""
    best[white_sum, row, cross] = max(best[white_sum, row, cross], worth)


@kernel
def sort_crosses(best, white_sum, passing, sorted_values, sorted_crosses):
    """Sort the color crosses that are better than none, best first; returns how many.

    Only those whose number can be made with some whites of this sum. A cross is ``16 * row + number``.
    """
    count = 0
    lowest, highest = max(1, white_sum - SIDES) + 1, min(SIDES, white_sum - 1) + SIDES
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
    """Mean over the color dice of the best color cross that they allow with two whites, or ``passing`` if none is.

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
        if 1 <= one <= SIDES:
            bits = 1 << one
        if 1 <= other_one <= SIDES:
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
