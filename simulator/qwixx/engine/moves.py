"""Kernels: the codes of moves, and what making a cross does."""

from __future__ import annotations

import numpy as np

from simulator.bits import at, popcount
from simulator.kernels import inlined, kernel
from simulator.qwixx.engine.layout import N_ROWS
from simulator.qwixx.features import FIRST_COLOR_CODE
from simulator.qwixx.rows import CLOSED, OPEN_STATES, position_kernel
from simulator.qwixx.rules import LOCK, NUMBERS

LAST_OF = np.array([mask.bit_length() for mask in range(1 << NUMBERS)], np.int64)
"""Position of the last cross, by the mask of a row without its lock."""
LAST_IN = np.array([last for last, _ in OPEN_STATES], np.int64)
"""The same by the state of an open row."""


@inlined
def white_code(row, position):
    """Code of a white cross."""
    return NUMBERS * row + position


@inlined
def color_code(row, die, position):
    """Code of a color cross."""
    return FIRST_COLOR_CODE - 1 + NUMBERS * (2 * row + die) + position


@kernel
def smallest_gap(setup, game, seat):
    """Fewest numbers that a color cross of this roll would skip; -1 if there is none."""
    fewest = -1
    for row in range(N_ROWS):
        if seat.states[row] == CLOSED:
            continue
        for die in range(2):
            position = position_kernel(row, game.white[die] + game.color[row])
            if setup.after[at(seat.states[row]), at(position)] >= 0:
                gap = position - LAST_IN[at(seat.states[row])] - 1
                if fewest < 0 or gap < fewest:
                    fewest = gap
    return fewest


@inlined
def last_cross(mask):
    """Position of the last cross of a row, 0 if it has none; the lock does not count."""
    return LAST_OF[at(mask & (len(LAST_OF) - 1))]


@inlined
def row_of(code):
    """Row of a cross."""
    return (code - 1) // NUMBERS if code < FIRST_COLOR_CODE else (code - FIRST_COLOR_CODE) // (2 * NUMBERS)


@inlined
def position_in(code):
    """Position of a cross."""
    return (code - 1) % NUMBERS + 1


@inlined
def make_cross(setup, game, seat):
    """Make the cross that a player picked; a row that is closed by it stays open to the others in this action."""
    row, position = row_of(seat.pick), position_in(seat.pick)
    seat.rows[at(row)] |= 1 << (position - 1)
    seat.states[at(row)] = setup.after[at(seat.states[at(row)]), at(position)]
    if position == NUMBERS:
        seat.rows[at(row)] |= 1 << (LOCK - 1)
        game.closing |= 1 << row


@kernel
def close_rows(game):
    """At the end of an action, close for everybody the rows that were locked in it."""
    for row in range(N_ROWS):
        if game.closing >> row & 1:
            for p in range(game.seats):
                game.players[p].states[row] = CLOSED
    game.closed |= game.closing
    game.closing = 0


@inlined
def enough_closed(setup, game):
    """Whether so many rows are closed that the game ends."""
    return popcount(game.closed) >= setup.rows_to_end


@inlined
def row_score(setup, seat):
    """Points of all rows and penalties of a player so far."""
    score = -seat.penalties * setup.penalty_points
    for row in range(N_ROWS):
        score += setup.row_points[at(popcount(seat.rows[row]))]
    return score
