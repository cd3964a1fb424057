"""Kernels: the crosses of a block that are legal, and the best of them, kept from roll to roll.

For a player whose value of a move is a sum over its cross, its color and its dice. What changed is marked as stale in
play.py; here it is found anew, for the colors on the table only.
"""

from __future__ import annotations

from simulator.bits import at, lowest_bit
from simulator.keer_op_keer.engine.constants import NO_MOVE
from simulator.keer_op_keer.engine.layout import OWN
from simulator.keer_op_keer.engine.tables import BASE_3, LANE, MASKS, N_COLORS, OF_SIZE, TOUCHING
from simulator.keer_op_keer.engine.worth import able_to_fill, before_value, color_values, cross_value
from simulator.keer_op_keer.rules import JOKER, MAX_NUMBER
from simulator.kernels import inlined, spliced
from simulator.lanes import larger, load, select, spread, store


@inlined
def in_block(block, word):
    """The cells of a block among those of its color: a mask."""
    return word >> block.shift & block.cells


@inlined
def legal_crosses(side, number, opened, reached):
    """The word of sets of cells of a block that may be crossed with the right number."""
    return side.placeable[at(number), at(opened)] & TOUCHING[at(reached)]


@inlined
def filling_crosses(side, seat, number, opened):
    """The word of sets of cells of a block, legal or not, that fill a column."""
    able = able_to_fill(seat.columns, side.columns[at(number), at(opened)])
    word = 0
    while able:
        shift = lowest_bit(able)
        able &= able - 1
        word |= side.crossing[at(number), at(shift >> 2), at(seat.columns >> shift & 15)]
    return word


@spliced
def refresh_block(side, seat, game, lens, color, number, sizes):
    """Find the best cross of every number in one block, of those in ``sizes``, a word of sets.

    If the weights allow it, the best is looked up by the state of the block (+40 % games a second), and only crosses
    that fill a column are weighed one by one. Then its mask is known as well, else left to :func:`find_cross` (+8 %).
    """
    block = side.blocks[at(number)]
    opened, reached = in_block(block, seat.open[at(color)]), in_block(block, seat.reach[at(color)])
    values, masks, wanted = spread(NO_MOVE), 0, sizes
    if seat.lenses[lens].tabled:
        state = block.first_state + BASE_3[at(opened)] + BASE_3[at(opened & reached)]
        values, masks = load(side.state_value[lens, at(state)]), side.state_masks[at(state)]
        wanted = filling_crosses(side, seat, number, opened)
    if wanted:
        masks = 0
        word = legal_crosses(side, number, opened, reached) & wanted
        before = before_value(side, seat, game, lens, number, opened)
        while word:
            mask = lowest_bit(word)
            word &= word - 1
            value = cross_value(side, seat, game, lens, number, mask, opened) - before
            values = larger(values, select(LANE[at(mask)], spread(value), spread(NO_MOVE)))
    store(seat.block_value[lens, at(number)], values)
    if lens == OWN:
        seat.block_masks[at(number)] = masks


@spliced
def refresh_color(side, seat, game, lens, color, sizes):
    """Bring the best crosses of one color up to date."""
    stale = seat.stale[lens, at(color)]
    if seat.lenses[lens].fresh:
        stale |= seat.open[at(color)] & seat.reach[at(color)]
    if stale == 0:
        return
    seat.stale[lens, at(color)] = 0
    while stale:
        number = side.sheet.block_of[at(color), at(lowest_bit(stale))]
        block = side.blocks[at(number)]
        stale &= ~(block.cells << block.shift)
        refresh_block(side, seat, game, lens, color, number, sizes)
    best = spread(NO_MOVE)
    for number in range(side.sheet.first_block[at(color)], side.sheet.first_block[at(color + 1)]):
        best = larger(best, load(seat.block_value[lens, at(number)]))
    values = color_values(side, seat, game, lens, color)
    store(seat.color_value[lens, at(color)], values)
    store(seat.color_best[lens, at(color)], best + values)


@inlined
def colors_within_reach(colors, marks):
    """The word of colors that can be had with the color faces on the table and the marks left."""
    every = (1 << N_COLORS) - 1
    return every if colors >> JOKER and marks > 0 else colors & every


@inlined
def sizes_within_reach(numbers, marks):
    """The word of sets of cells whose number can be had with the number faces on the table and the marks left."""
    sizes = 0
    for n in range(1, MAX_NUMBER + 1):
        sizes |= OF_SIZE[n] if numbers >> (n - 1) & 1 or (numbers >> JOKER and marks > 0) else 0
    return sizes


@inlined
def refresh(side, seat, game, lens):
    """Bring the best crosses of all colors up to date that can be had with the dice on the table.

    What will be found anew in the next roll is found for the numbers on the table alone (+20 % games a second).
    """
    sizes = sizes_within_reach(game.numbers_shown, seat.marks) if seat.lenses[lens].fresh else -1
    rest = colors_within_reach(game.colors_shown, seat.marks)
    while rest:
        color = lowest_bit(rest)
        rest &= rest - 1
        refresh_color(side, seat, game, lens, color, sizes)


@inlined
def find_cross(side, seat, game, color, n):
    """The first cross of a color and number, as block * 64 + mask, that has the best value; there must be one."""
    target = seat.color_best[OWN, at(color), at(n - 1)] - seat.color_value[OWN, at(color), at(n - 1)]
    first, end = side.sheet.first_block[at(color)], side.sheet.first_block[at(color + 1)]
    number = first
    for other in range(end - 1, first - 1, -1):
        if seat.block_value[OWN, at(other), at(n - 1)] == target:
            number = other
    mask = seat.block_masks[at(number)] >> 8 * (n - 1) & 63
    if mask:
        return number * MASKS + mask
    block = side.blocks[at(number)]
    opened, reached = in_block(block, seat.open[at(color)]), in_block(block, seat.reach[at(color)])
    target += before_value(side, seat, game, OWN, number, opened)
    word = legal_crosses(side, number, opened, reached) & OF_SIZE[at(n)]
    while word:
        mask = lowest_bit(word)
        if cross_value(side, seat, game, OWN, number, mask, opened) == target:
            break
        word &= word - 1
    return number * MASKS + mask
