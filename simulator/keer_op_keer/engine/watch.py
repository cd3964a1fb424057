"""What is watched of a game, see simulator/watch.py and watching.py: none of it changes the game."""

from __future__ import annotations

from simulator.bits import lowest_bit
from simulator.blocks import note_leads
from simulator.keer_op_keer.engine.tables import N_COLORS, N_COLUMNS
from simulator.keer_op_keer.rules import COLUMNS, ROWS
from simulator.keer_op_keer.watching import BY_COLORS, BY_ROLLS, STOPPED
from simulator.kernels import kernel

ALL_CELLS = len(COLUMNS) * ROWS


@kernel
def note_filled(setup, game, seat, columns, color):
    """A player has filled columns (lowest bits of nibbles) and a color (-1 for none), not claimed yet."""
    rules = setup.rules
    while columns:
        shift = lowest_bit(columns)
        columns &= columns - 1
        note_feat(rules, seat, shift >> 2, game.columns_claimed >> shift & 1)
    if color >= 0:
        note_feat(rules, seat, N_COLUMNS + color, game.colors_claimed >> color & 1)


@kernel
def note_feat(rules, seat, feat, claimed):
    """A player has done a feat that somebody has claimed before, or nobody."""
    seat.done |= 1 << feat
    if not claimed:
        seat.first |= 1 << feat
    elif not (rules.solo or rules.first_for_all):
        seat.late += 1


@kernel
def note_roll(setup, game):
    """After a roll."""
    rules = setup.rules
    for p in range(game.seats):
        seat = game.players[p]
        seat.standing = seat.color_points + seat.column_points + seat.marks * rules.mark_points
        seat.standing -= seat.stars_left * rules.star_penalty + seat.passes * rules.pass_penalty
    note_leads(game)


@kernel
def watch_game(setup, game, counts):
    """See :func:`simulator.blocks.watch_game`."""
    rules = setup.rules
    ending = BY_ROLLS if rules.limited else STOPPED
    for p in range(game.seats):
        seat = game.players[p]
        left = 0
        for color in range(N_COLORS):
            left += seat.color_left[color]
        counts[p, 0] = rules.jokers - seat.marks
        counts[p, 1] = seat.passes
        counts[p, 2] = ALL_CELLS - left
        counts[p, 3] = seat.late
        counts[p, 4] = seat.hurt
        counts[p, 5] = seat.done
        counts[p, 6] = seat.first
        if rules.ends_on_colors and seat.colors_full >= rules.colors_to_end:
            ending = BY_COLORS
    return ending
