"""Kernels: what crossing a set of cells is worth, feature by feature."""

from __future__ import annotations

from simulator.bits import lowest_bit, popcount
from simulator.keer_op_keer.engine.constants import EVERY_COLUMN
from simulator.keer_op_keer.engine.tables import N_COLORS
from simulator.keer_op_keer.rules import ROWS
from simulator.kernels import inlined


@inlined
def zero_nibbles(word):
    """The lowest bit of every nibble (of 15, each below 8) that is zero."""
    word |= word >> 1
    word |= word >> 2
    return ~word & EVERY_COLUMN


@inlined
def filled_columns(seat, cells):
    """Columns, as lowest bits of nibbles, that crossing ``cells`` (per column, as nibbles) fills."""
    return zero_nibbles(seat.columns - cells) & ~zero_nibbles(seat.columns)


@inlined
def points_of_filling(game, filled):
    """Points for filling the columns of a nibble mask in this roll."""
    points = 0
    while filled:
        points += game.column_value[lowest_bit(filled) >> 2]
        filled &= filled - 1
    return points


@inlined
def column_progress(game, left, cells):
    """Over the columns of ``cells``: points still to be had times the growth of the square of the crossed cells."""
    progress = 0
    while cells:
        shift = lowest_bit(cells) & 60
        crossed, more = ROWS - (left >> shift & 15), cells >> shift & 15
        progress += game.column_value[shift >> 2] * more * (2 * crossed + more)
        cells &= ~(15 << shift)
    return progress


@inlined
def color_progress(side, seat, game, color, number):
    """Points still to be had for the color times the growth of the square of its crossed cells."""
    crossed = side.sheet.color_left[color] - seat.color_left[color]
    return game.color_value[color] * number * (2 * crossed + number)


@inlined
def new_frontier(seat, block, pattern, mask):
    """Open cells that come within reach."""
    found = 0
    for color in range(N_COLORS):
        fresh = pattern.halo[color] & seat.open[color] & ~seat.reach[color]
        if color == block.color:
            fresh &= ~(mask << block.shift)
        found += popcount(fresh)
    return found


@inlined
def cross_value(side, seat, game, lens, number, mask, opened):
    """Value of crossing ``mask`` of block ``number``, but for color, dice, luck and :func:`before_value`."""
    now = seat.lenses[lens]
    value = side.cross[lens, 0, number, mask] + side.after[lens, 0, number, opened & ~mask]
    if now.sloped:
        value += (game.roll - 1) * (side.cross[lens, 1, number, mask] + side.after[lens, 1, number, opened & ~mask])
    cells = side.columns[number, mask]
    filled = filled_columns(seat, cells)
    if filled:
        value += now.column_points * points_of_filling(game, filled)
    if now.column_progress != 0.0:
        value += now.column_progress * column_progress(game, seat.columns, cells)
    if now.frontier != 0.0:
        value += now.frontier * new_frontier(seat, side.blocks[number], side.patterns[number, mask], mask)
    return value


@inlined
def before_value(side, seat, game, lens, number, opened):
    """What the open cells of a block are worth before a cross."""
    value = side.before[lens, 0, number, opened]
    if seat.lenses[lens].sloped:
        value += (game.roll - 1) * side.before[lens, 1, number, opened]
    return value


@inlined
def color_value(side, seat, game, lens, color, number):
    """What the color and the number add to the value of a cross."""
    now, value = seat.lenses[lens], 0.0
    if seat.color_left[color] == number:
        value += now.color_points * game.color_value[color]
    if now.color_progress != 0.0:
        value += now.color_progress * color_progress(side, seat, game, color, number)
    return value
