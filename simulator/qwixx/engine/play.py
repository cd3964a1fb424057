"""The fast twin of the referee: plays games over bit masks, without Python objects. Kernels allocate nothing."""

from __future__ import annotations

import numba

from simulator.bits import at, popcount
from simulator.blocks import FAILED, note_start, teach
from simulator.dice import draw_kernel, roll_word_kernel
from simulator.kernels import inlined, kernel
from simulator.qwixx.engine.choice import OF_BOTH, OF_COLORS, OF_WHITES, choose
from simulator.qwixx.engine.layout import COLOR_ACTION, COLOR_FIRST, N_ROWS, NOT_PLAYED, SETUP
from simulator.qwixx.engine.moves import close_rows, enough_closed, make_cross, offer_crosses
from simulator.qwixx.engine.watch import note_roll, watch_game
from simulator.qwixx.features import FIRST_COLOR_CODE
from simulator.qwixx.rules import COLOR_STREAM, MAX_ROLLS, SIDES, WHITE_STREAM


@kernel
def throw(game, deal_key):
    """Throw the dice of the present roll."""
    word = roll_word_kernel(deal_key, game.roll, WHITE_STREAM)
    for i in range(2):
        face, word = draw_kernel(word, SIDES)
        game.white[i] = face + 1
    word = roll_word_kernel(deal_key, game.roll, COLOR_STREAM)
    for row in range(N_ROWS):
        face, word = draw_kernel(word, SIDES)
        game.color[row] = face + 1
    offer_crosses(game)


@inlined
def note(game, log, place, code):
    """Write a code into the log, if there is one; ``place`` is a seat, or counted on behind the seats."""
    if len(log):
        log[game.roll - 1, place] = code


@kernel
def pick(setup, game, p, stage, luck_key):
    """Let player ``p`` choose; false if the function fails."""
    seat = game.players[at(p)]
    seat.pick = choose(setup, game, p, stage, luck_key)
    return seat.pick != FAILED


@inlined
def act(setup, game, seat, active):
    """Make the cross that a player picked, if it is one."""
    if seat.pick > 0:
        make_cross(setup, game, seat)
        seat.last_roll = game.roll
        if active:
            game.crossed = 1


@kernel
def play_whites(setup, game, chosen, luck_key, log):
    """The action of the white dice; ``chosen``: the active player has picked already. False if a function failed."""
    for p in range(game.seats):
        if not (chosen and p == game.active) and not pick(setup, game, p, OF_WHITES, luck_key):
            return False
        note(game, log, p, game.players[at(p)].pick)
    for p in range(game.seats):
        act(setup, game, game.players[at(p)], p == game.active)
    if game.closing:
        close_rows(game)
    return True


@kernel
def play_colors(setup, game, luck_key, log):
    """The action of the color dice; false if a function failed."""
    if not pick(setup, game, game.active, OF_COLORS, luck_key):
        return False
    finish_colors(setup, game, log)
    return True


@kernel
def finish_colors(setup, game, log):
    """Make the color cross that the active player picked."""
    seat = game.players[at(game.active)]
    note(game, log, game.seats + COLOR_ACTION, seat.pick)
    act(setup, game, seat, True)
    game.colors_done = 1
    if game.closing:
        close_rows(game)


@kernel
def play_turn(setup, game, luck_key, log):
    """All actions of a roll; false if a function failed."""
    game.crossed = game.colors_done = 0
    chosen = False
    if not setup.white_first:
        if not pick(setup, game, game.active, OF_BOTH, luck_key):
            return False
        chosen = game.players[at(game.active)].pick < FIRST_COLOR_CODE
        if not chosen:
            finish_colors(setup, game, log)
            if setup.end_at_once and enough_closed(setup, game):
                return True
    if not play_whites(setup, game, chosen, luck_key, log):
        return False
    note(game, log, game.seats + COLOR_FIRST, game.colors_done)
    if setup.end_at_once and enough_closed(setup, game):
        return True
    if not game.colors_done and not play_colors(setup, game, luck_key, log):
        return False
    if not game.crossed:
        game.players[at(game.active)].penalties += 1
    return True


@kernel
def play_game(setup, game, seating, deal_key, luck_key, log):
    """See :func:`simulator.blocks.play_game`."""
    game.seats, game.closed, game.closing = len(seating), 0, 0
    note_start(game)
    for p in range(game.seats):
        seat = game.players[at(p)]
        seat.strategy, seat.penalties, seat.idle, seat.last_roll = seating[p], 0, 0, 0
        for row in range(N_ROWS):
            seat.rows[row] = seat.states[row] = 0
    for roll in range(1, MAX_ROLLS + 1):
        game.roll, game.active = roll, (roll - 1) % game.seats
        if len(log):
            log[roll - 1] = NOT_PLAYED
            log[roll - 1, game.seats + COLOR_FIRST] = 1
        throw(game, deal_key)
        if not play_turn(setup, game, luck_key, log):
            return FAILED
        if game.watched:
            note_roll(setup, game)
        if enough_closed(setup, game) or game.players[at(game.active)].penalties >= setup.penalties_to_end:
            return 0
    return 1


@kernel
def score_game(setup, game, scores, ranks, parts):
    """See :func:`simulator.blocks.score_game`."""
    for p in range(game.seats):
        seat = game.players[at(p)]
        total = parts[p, N_ROWS] = -seat.penalties * setup.penalty_points
        for row in range(N_ROWS):
            parts[p, row] = setup.row_points[at(popcount(seat.rows[row]))]
            total += parts[p, row]
        scores[p], ranks[p] = total, 0
    return game.roll


teach(numba.from_dtype(SETUP), play_game, score_game, watch_game)
