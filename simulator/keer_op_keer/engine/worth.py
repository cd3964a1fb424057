"""Kernels: what crossing a set of cells is worth, feature by feature."""

from __future__ import annotations

from simulator.bits import at, lowest_bit, popcount
from simulator.keer_op_keer.engine.constants import EVERY_COLUMN
from simulator.keer_op_keer.engine.layout import OWN
from simulator.keer_op_keer.engine.tables import N_COLORS
from simulator.keer_op_keer.rules import MAX_NUMBER, ROWS
from simulator.kernels import inlined
from simulator.lanes import counted, number_at, select, spread, store


@inlined
def zero_nibbles(word):
    """The lowest bit of every nibble (of 15, each below 8) that is zero."""
    word |= word >> 1
    word |= word >> 2
    return ~word & EVERY_COLUMN


@inlined
def able_to_fill(left, cells):
    """Columns, as lowest bits of nibbles, that are not full and of which no more is ``left`` than is in ``cells``."""
    return ((cells | EVERY_COLUMN << 3) - left) >> 3 & EVERY_COLUMN & ~zero_nibbles(left)


@inlined
def filled_columns(seat, cells):
    """Columns, as lowest bits of nibbles, that crossing ``cells`` (per column, as nibbles) fills."""
    return zero_nibbles(seat.columns - cells) & ~zero_nibbles(seat.columns)


@inlined
def points_of_filling(game, filled):
    """Points for filling the columns of a nibble mask in this roll."""
    points = 0
    while filled:
        points += game.column_value[at(lowest_bit(filled) >> 2)]
        filled &= filled - 1
    return points


@inlined
def column_progress(game, left, cells):
    """Over the columns of ``cells``: points still to be had times the growth of the square of the crossed cells."""
    progress = 0
    while cells:
        shift = lowest_bit(cells) & 60
        crossed, more = ROWS - (left >> shift & 15), cells >> shift & 15
        progress += game.column_value[at(shift >> 2)] * more * (2 * crossed + more)
        cells &= ~(15 << shift)
    return progress


@inlined
def color_progress(side, seat, game, color, number):
    """Points still to be had for the color times the growth of the square of its crossed cells."""
    crossed = side.sheet.color_left[at(color)] - seat.color_left[at(color)]
    return game.color_value[at(color)] * number * (2 * crossed + number)


@inlined
def new_frontier(seat, block, halo, mask):
    """Open cells that come within reach."""
    found = 0
    for color in range(N_COLORS):
        fresh = halo[color] & seat.open[color] & ~seat.reach[color]
        if color == block.color:
            fresh &= ~(mask << block.shift)
        found += popcount(fresh)
    return found


@inlined
def fill_gains(seat, game, column):
    """Note what crossing 0, 1, … 7 cells of a column adds to the value of a move, for a player who looks at progress.

    The same as :func:`column_progress` and :func:`points_of_filling`, for all numbers of cells at once.
    """
    now, left, points = seat.lenses[OWN], seat.columns >> 4 * column & 15, float(game.column_value[at(column)])
    cells = counted() + spread(-1.0)
    growth = cells * (spread(2.0 * (ROWS - left)) + cells)
    filling = select((1 << left) & ~1, spread(now.column_points * points), spread(0.0))
    store(seat.gains[at(column)], spread(now.column_progress * points) * growth + filling)


@inlined
def sum_of_gains(gains, steps):
    """What up to five steps in columns add. Three terms always, zeros or not: a loop over those that there are is
    mispredicted by the processor too often (+9 % games a second)."""
    total = number_at(gains, steps & 127) + number_at(gains, steps >> 7 & 127) + number_at(gains, steps >> 14 & 127)
    if steps >> 21:
        total += number_at(gains, steps >> 21 & 127) + number_at(gains, steps >> 28 & 127)
    return total


@inlined
def cross_value(side, seat, game, lens, number, mask, opened):
    """Value of crossing ``mask`` of block ``number``, but for color, dice, luck and :func:`before_value`."""
    now = seat.lenses[lens]
    value = side.cross[lens, 0, at(number), at(mask)] + side.after[lens, 0, at(number), at(opened & ~mask)]
    if now.sloped:
        value += (game.roll - 1) * (
            side.cross[lens, 1, at(number), at(mask)] + side.after[lens, 1, at(number), at(opened & ~mask)]
        )
    if lens == OWN and now.column_progress != 0.0:
        value += sum_of_gains(seat.gains, side.steps[at(number), at(mask)])
    else:
        filled = filled_columns(seat, side.columns[at(number), at(mask)])
        if filled:
            value += now.column_points * points_of_filling(game, filled)
    if now.frontier != 0.0:
        value += now.frontier * new_frontier(seat, side.blocks[at(number)], side.halos[at(number), at(mask)], mask)
    return value


@inlined
def before_value(side, seat, game, lens, number, opened):
    """What the open cells of a block are worth before a cross."""
    value = side.before[lens, 0, at(number), at(opened)]
    if seat.lenses[lens].sloped:
        value += (game.roll - 1) * side.before[lens, 1, at(number), at(opened)]
    return value


@inlined
def color_values(side, seat, game, lens, color):
    """What the color adds to the value of a cross of number n, in lane n - 1: eight ``float64``.

    Progress is that of :func:`color_progress`, for all numbers at once.
    """
    now, left, gain = seat.lenses[lens], seat.color_left[at(color)], float(game.color_value[at(color)])
    filling = (1 << left) >> 1 if left <= MAX_NUMBER else 0
    values = select(filling, spread(now.color_points * gain), spread(0.0))
    if now.color_progress != 0.0:
        crossed = float(side.sheet.color_left[at(color)] - left)
        growth = counted() * (spread(2.0 * crossed) + counted())
        values = values + spread(now.color_progress * gain) * growth
    return values
