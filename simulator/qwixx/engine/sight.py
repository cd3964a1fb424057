"""Kernels: what a scored function is shown of a choice and of each candidate, see features.py."""

from __future__ import annotations

import numpy as np

from simulator.bits import at, popcount
from simulator.dice import luck_kernel
from simulator.kernels import inlined, kernel
from simulator.qwixx.engine.layout import N_ROWS
from simulator.qwixx.engine.moves import last_cross, row_score, smallest_gap
from simulator.qwixx.engine.tables import LAST_IN, LIKELIHOOD, SKIPPED
from simulator.qwixx.features import FIRST_COLOR_CODE
from simulator.qwixx.rows import number_kernel
from simulator.qwixx.rules import MAX_PLAYERS, NUMBERS


@inlined
def show_choice(setup, game, side, p, action):
    """Fill the view of a choice; what the function does not read may be left as it was."""
    view, seat = game.views[0], game.players[at(p)]
    active = p == game.active
    view.roll, view.players, view.active, view.action = game.roll, game.seats, active, action
    view.crossed = active and game.crossed
    if side.asks_own:
        show_own(setup, game, seat)
    if side.asks_gap:
        view.color_gap = smallest_gap(setup, game, seat) if active and action == 1 and not game.colors_done else -1
    if side.asks_others:
        for i in range(MAX_PLAYERS - 1):
            show_other(setup, game, p, i)


@kernel
def show_own(setup, game, seat):
    """The dice, and what the player has."""
    view = game.views[0]
    view.white[0], view.white[1] = game.white[0], game.white[1]
    for row in range(N_ROWS):
        closed = game.closed >> row & 1
        view.closed[row] = closed
        view.color[row] = 0 if closed else game.color[row]
        mask = seat.rows[row]
        view.rows[row], view.last[row], view.count[row] = mask, last_cross(mask), popcount(mask)
    view.score, view.penalties = row_score(setup, seat), seat.penalties


@kernel
def show_other(setup, game, p, i):
    """What an opponent has; zeros where there is none."""
    view = game.views[0]
    if i + 1 >= game.seats:
        view.other_score[i] = view.other_penalties[i] = 0
        for row in range(N_ROWS):
            view.other_rows[i, row] = view.other_last[i, row] = view.other_count[i, row] = 0
        return
    other = game.players[at((p + 1 + i) % game.seats)]
    view.other_score[i], view.other_penalties[i] = row_score(setup, other), other.penalties
    for row in range(N_ROWS):
        mask = other.rows[row]
        view.other_rows[i, row], view.other_last[i, row] = mask, last_cross(mask)
        view.other_count[i, row] = popcount(mask)


@inlined
def luck_of(game, candidate):
    """The random number of a candidate."""
    return luck_kernel(np.uint64(game.luck_word), candidate)


@inlined
def show_pass(setup, game, side, penalty, candidate):
    """Fill the record of the pass."""
    move = game.moves[0]
    move.row, move.number, move.die = -1, 0, 0
    move.crossing = move.count = move.position = move.likelihood = move.lock = move.ends = move.gap = move.skipped = 0
    move.passing, move.penalty = 1, penalty
    move.points = -setup.penalty_points if penalty else 0
    if side.lucky:
        move.luck = luck_of(game, candidate)


@inlined
def show_cross(setup, game, side, seat, row, position, code):
    """Fill the record of a cross."""
    move, state = game.moves[0], seat.states[at(row)]
    last = LAST_IN[at(state)]
    move.row, move.position = row, position
    move.number = number_kernel(row, position)
    move.crossing, move.passing, move.penalty = 1, 0, 0
    move.gap = position - last - 1
    if side.asks_figures:
        move.die = 0 if code < FIRST_COLOR_CODE else 1 + (code - FIRST_COLOR_CODE) // NUMBERS % 2
        move.points = setup.points[at(state), at(position)]
        move.count, move.likelihood = popcount(seat.rows[at(row)]), LIKELIHOOD[at(position)]
        move.lock, move.ends = position == NUMBERS, ends_game(setup, game, position)
        move.skipped = SKIPPED[at(last), at(position)]
    if side.lucky:
        move.luck = luck_of(game, code)


@inlined
def ends_game(setup, game, position):
    """Whether a cross closes the last row that the end of the game needs."""
    return position == NUMBERS and popcount(game.closed) + 1 >= setup.rows_to_end
