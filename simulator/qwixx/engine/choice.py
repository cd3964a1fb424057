"""Kernels: how a player chooses: each legal cross is rated by weights, by a function, or by exact values."""

from __future__ import annotations

import numpy as np

from simulator.bits import at
from simulator.blocks import FAILED, is_finite
from simulator.dice import LUCK_STREAM, roll_word_kernel
from simulator.kernels import inlined, kernel
from simulator.memory import float_at, score_at
from simulator.qwixx.engine.layout import CROSSES, N_ROWS, SCORED, SOLVED, side_of
from simulator.qwixx.engine.moves import row_of_cross, smallest_gap
from simulator.qwixx.engine.sight import ends_game, luck_of, show_choice, show_cross, show_pass
from simulator.qwixx.features import PASS_OF_COLORS
from simulator.qwixx.rules import NUMBERS
from simulator.qwixx.solver import PAIRS, STATES
from simulator.qwixx.solver_kernels import index_kernel

OF_WHITES, OF_COLORS, OF_BOTH = np.int64(1), np.int64(2), np.int64(3)
"""What can be chosen from. (As plain numbers they would make numba compile every kernel that takes one thrice.)"""
THEN_NONE, THEN_COLORS, THEN_WHITES = np.int64(0), np.int64(1), np.int64(2)
"""What can be crossed in this turn after a first cross."""


@kernel
def choose(setup, game, p, stage, luck_key):
    """Code of the move that player ``p`` makes; ``FAILED`` if the function fails."""
    seat = game.players[at(p)]
    side = side_of(setup, seat.strategy)
    if side.kind == SOLVED:
        return best_by_values(setup, game, side, p, stage)
    game.asked, game.best, game.luck_word = 0, 0.0, 0
    if side.lucky:
        game.luck_word = np.int64(roll_word_kernel(luck_key, game.roll, LUCK_STREAM + p))
    code = 0
    for cross in range(0 if stage & OF_WHITES else N_ROWS, CROSSES if stage & OF_COLORS else N_ROWS):
        row, position = row_of_cross(cross), game.positions[cross]
        if setup.after[at(seat.states[at(row)]), at(position)] < 0:
            continue
        if not game.asked:  # first of all the pass
            game.asked = 1
            game.best = pass_value(setup, game, side, p, stage)
            if not is_finite(game.best):
                return FAILED
        candidate = NUMBERS * cross + position
        if side.kind == SCORED:
            if side.writes:
                show_choice(setup, game, side, p, action_of(stage))
            show_cross(setup, game, side, seat, row, position, candidate)
            value = score_at(side.score, game.views[0], game.moves[0])
            if not is_finite(value):
                return FAILED
        else:
            value = cross_value(setup, game, side, seat, row, position, candidate)
        if value > game.best:
            game.best, code = value, candidate
    return code


@inlined
def action_of(stage):
    """Number of the action as a function is told: 2 if only color crosses can be chosen."""
    return 2 if stage == OF_COLORS else 1


@inlined
def pass_value(setup, game, side, p, stage):
    """Value of the pass; shows a function the choice as well."""
    penalty = means_penalty(setup, game, p, stage) if side.asks_penalty else 0
    candidate = PASS_OF_COLORS if stage == OF_COLORS else 0
    if side.kind == SCORED:
        show_choice(setup, game, side, p, action_of(stage))
        show_pass(setup, game, side, penalty, candidate)
        return score_at(side.score, game.views[0], game.moves[0])
    value = now(game, side.passing)
    if penalty:
        value += now(game, side.penalty)
    if side.lucky:
        value += now(game, side.luck) * luck_of(game, candidate)
    return value


@inlined
def cross_value(setup, game, side, seat, row, position, cross):
    """Value of a cross by weights."""
    state = seat.states[at(row)]
    value = side.crossing[0, at(state), at(position)]
    if side.sloped:
        value += (game.roll - 1) * side.crossing[1, at(state), at(position)]
    if ends_game(setup, game, position):
        value += now(game, side.ends)
    if side.lucky:
        value += now(game, side.luck) * luck_of(game, cross)
    return value


@inlined
def now(game, weight):
    """A weight in the present roll, from its value in the first and its change per roll."""
    return weight[0] + (game.roll - 1) * weight[1]


@kernel
def means_penalty(setup, game, p, stage):
    """1 if a pass means a penalty for certain: nothing is crossed, and no color cross is left to make."""
    if p != game.active or game.crossed or game.colors_done:
        return 0
    return int(stage == OF_COLORS or smallest_gap(setup, game, game.players[at(p)]) < 0)


# --- exact values of the solo game -----------------------------------------------------------------------------------


@inlined
def value_of(side, seat, penalties):
    """Expected points still to come, with the rows as they are and so many penalties."""
    states = seat.states
    index = index_kernel(PAIRS, states[0], states[1], states[2], states[3])
    return float_at(side.values + 8 * (penalties * STATES + index))


@kernel
def best_by_values(setup, game, side, p, stage):
    """Code of the candidate with the most points now and in the best play of the solo game from then on.

    Where the active player chooses among white crosses, what the color dice can add in this roll counts; and the other
    way round, if color crosses came first.
    """
    seat = game.players[at(p)]
    mine = p == game.active and not game.colors_done
    crossed = p == game.active and game.crossed
    best = value_of(side, seat, seat.penalties)
    if mine and not crossed:
        best = value_of(side, seat, seat.penalties + 1) - setup.penalty_points
    if mine and stage & OF_WHITES:
        best = max(best, best_second(setup, game, side, seat, THEN_COLORS))
    code = 0
    for cross in range(0 if stage & OF_WHITES else N_ROWS, CROSSES if stage & OF_COLORS else N_ROWS):
        then = THEN_NONE
        if mine and stage & OF_WHITES:
            then = THEN_COLORS if cross < N_ROWS else THEN_WHITES
        value = crossed_value(setup, game, side, seat, cross, then)
        if value > best:
            best, code = value, NUMBERS * cross + game.positions[cross]
    return code


@kernel
def crossed_value(setup, game, side, seat, cross, then):
    """Points of a cross and of the best that can follow it; minus infinity if it is not legal."""
    row, position = row_of_cross(cross), game.positions[at(cross)]
    state = seat.states[at(row)]
    after = setup.after[at(state), at(position)]
    if after < 0:
        return -np.inf
    seat.states[at(row)] = after
    follow = value_of(side, seat, seat.penalties)
    if then != THEN_NONE and not (setup.end_at_once and ends_game(setup, game, position)):
        follow = max(follow, best_second(setup, game, side, seat, then))
    seat.states[at(row)] = state
    return setup.points[at(state), at(position)] + follow


@kernel
def best_second(setup, game, side, seat, then):
    """Most points of a second cross of this turn, and of what follows it; minus infinity if there is none."""
    best = -np.inf
    for cross in range(N_ROWS if then == THEN_COLORS else 0, CROSSES if then == THEN_COLORS else N_ROWS):
        row, position = row_of_cross(cross), game.positions[cross]
        state = seat.states[at(row)]
        after = setup.after[at(state), at(position)]
        if after >= 0:
            seat.states[at(row)] = after
            best = max(best, setup.points[at(state), at(position)] + value_of(side, seat, seat.penalties))
            seat.states[at(row)] = state
    return best
