"""Kernels: the crosses that a roll offers, and what making one does."""

from __future__ import annotations

from simulator.bits import at, popcount
from simulator.kernels import inlined, kernel
from simulator.qwixx.engine.layout import CROSSES, N_ROWS
from simulator.qwixx.engine.tables import LAST_IN, LAST_OF
from simulator.qwixx.rows import CLOSED, position_kernel
from simulator.qwixx.rules import LOCK, NUMBERS


@inlined
def row_of_cross(cross):
    """Row of a cross that a roll offers, by its number."""
    return cross if cross < N_ROWS else (cross - N_ROWS) >> 1


@kernel
def offer_crosses(game):
    """Find the positions of the crosses that a roll offers."""
    for row in range(N_ROWS):
        game.positions[row] = position_kernel(row, game.white[0] + game.white[1])
        for die in range(2):
            game.positions[N_ROWS + 2 * row + die] = position_kernel(row, game.white[die] + game.color[row])


@kernel
def smallest_gap(setup, game, seat):
    """Fewest numbers that a color cross of this roll would skip; -1 if there is none."""
    fewest = -1
    for cross in range(N_ROWS, CROSSES):
        state, position = seat.states[at(row_of_cross(cross))], game.positions[cross]
        if setup.after[at(state), at(position)] >= 0:
            gap = position - LAST_IN[at(state)] - 1
            if fewest < 0 or gap < fewest:
                fewest = gap
    return fewest


@inlined
def last_cross(mask):
    """Position of the last cross of a row, 0 if it has none; the lock does not count."""
    return LAST_OF[at(mask & (len(LAST_OF) - 1))]


@inlined
def make_cross(setup, game, seat):
    """Make the cross that a player picked; a row that is closed by it stays open to the others in this action."""
    cross, position = (seat.pick - 1) // NUMBERS, (seat.pick - 1) % NUMBERS + 1
    row = row_of_cross(cross)
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
