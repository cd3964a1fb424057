"""Kernels: how a player finds the best move in a position.

If the value of a move is a sum over its cross, its color and its dice, the best cross of each block and number is kept
from roll to roll and found anew only where something changed. Otherwise (scored functions; luck) every move is listed.
"""

from __future__ import annotations

from simulator.bits import lowest_bit
from simulator.dice import LUCK_STREAM, luck_kernel, roll_word_kernel
from simulator.keer_op_keer.engine.constants import NO_MOVE, NOT_A_NUMBER
from simulator.keer_op_keer.engine.layout import OWN, REPLIES
from simulator.keer_op_keer.engine.sight import fill_cross, fill_dice, fill_pass, show_roll
from simulator.keer_op_keer.engine.tables import CELLS, MASKS, N_COLORS, OF_SIZE, TOUCHING
from simulator.keer_op_keer.engine.valuation import CACHED, FRESH, SCORED
from simulator.keer_op_keer.engine.worth import before_value, color_value, cross_value
from simulator.keer_op_keer.rules import FACES, JOKER, MAX_NUMBER
from simulator.kernels import inlined, kernel


@inlined
def open_cells(seat, block):
    """The mask of open cells of a block."""
    return seat.open[block.color] >> block.shift & block.cells


@inlined
def legal_crosses(side, seat, number):
    """The word of sets of cells of a block that may be crossed with the right number."""
    block = side.blocks[number]
    reach = seat.reach[block.color] >> block.shift & block.cells
    return side.placeable[number, open_cells(seat, block)] & TOUCHING[reach]


@inlined
def refresh_block(side, seat, game, lens, number):
    """Find the best cross of every size in one block."""
    opened = open_cells(seat, side.blocks[number])
    for n in range(1, MAX_NUMBER + 1):
        seat.block_value[lens, n, number] = NO_MOVE
    word = legal_crosses(side, seat, number)
    if word == 0:
        return
    before = before_value(side, seat, game, lens, number, opened)
    while word:
        mask = lowest_bit(word)
        word &= word - 1
        value = cross_value(side, seat, game, lens, number, mask, opened) - before
        n = CELLS[mask]
        if value > seat.block_value[lens, n, number]:
            seat.block_value[lens, n, number] = value
            seat.block_mask[lens, n, number] = mask


@kernel
def refresh_color(side, seat, game, lens, color):
    """Bring the best crosses of one color up to date."""
    stale = seat.stale[lens, color]
    if seat.lenses[lens].kind != CACHED:
        stale |= seat.open[color]
    if stale == 0:
        return
    seat.stale[lens, color] = 0
    while stale:
        number = side.sheet.block_of[color, lowest_bit(stale)]
        block = side.blocks[number]
        stale &= ~(block.cells << block.shift)
        refresh_block(side, seat, game, lens, number)


@inlined
def best_cross(side, seat, lens, color, n):
    """Value (``NO_MOVE`` if there is none) of the best cross of a color and number; the cross: block * 64 + mask."""
    best, holder = NO_MOVE, 0
    for number in range(side.sheet.first_block[color], side.sheet.first_block[color + 1]):
        value = seat.block_value[lens, n, number]
        if value > best:
            best, holder = value, number
    return best, holder * MASKS + seat.block_mask[lens, n, holder]


@inlined
def faces_shown(dice):
    """The word of faces (bits 0 to 5) that lie on the table."""
    word = 0
    for face in range(FACES):
        word |= (dice[face] > 0) << face
    return word


@inlined
def colors_within_reach(colors, marks):
    """The word of colors that can be had with the color faces on the table and the marks left."""
    every = (1 << N_COLORS) - 1
    return every if colors >> JOKER and marks > 0 else colors & every


@inlined
def ways_to_take(colors, numbers, marks, color, n):
    """The dice that give a color and a number, as bits: both plain, color joker, number joker, both jokers.

    ``colors`` and ``numbers`` are words of faces on the table, ``marks`` the marks left to pay for jokers.
    """
    color_plain, color_joker = colors >> color & 1, colors >> JOKER & (marks > 0)
    number_plain, number_joker = numbers >> (n - 1) & 1, numbers >> JOKER & (marks > 0)
    one_joker = (color_joker & number_plain) << 1 | (color_plain & number_joker) << 2
    two_jokers = (color_joker & number_joker & (marks > 1)) << 3
    return color_plain & number_plain | one_joker | two_jokers


@inlined
def dice_value(seat, game, color, n, dice):
    """What the dice taken (a bit of ``ways_to_take``) add to the value of a cross."""
    now = seat.lenses[OWN]
    value = now.jokers * ((dice & 1) + (dice >> 1))
    if now.asks_replies:
        color_face = JOKER if dice & 1 else color
        number_face = JOKER if dice >> 1 else n - 1
        value += now.replies * game.replies[color_face, number_face]
    return value


@inlined
def pass_value(seat, game):
    """Value of the pass, but for luck."""
    now = seat.lenses[OWN]
    value = now.passing
    if now.asks_replies:
        value += now.replies * game.replies[FACES, FACES]
    return value


@inlined
def code_of(cross, dice):
    """Code of a move from its cross (block * 64 + mask) and dice (a bit of ``ways_to_take``)."""
    return 1 + cross * 4 + 2 * (dice & 1) + (dice >> 1)


@kernel
def choose_by_block(side, seat, game):
    """Code of the best move of a player whose value of a move is a sum over cross, color and dice."""
    now = seat.lenses[OWN]
    best, code = pass_value(seat, game), 0
    first_way_is_best = now.jokers <= 0.0 and not now.asks_replies
    colors, numbers = faces_shown(game.color_dice), faces_shown(game.number_dice)
    rest = colors_within_reach(colors, seat.marks)
    while rest:
        color = lowest_bit(rest)
        rest &= rest - 1
        refresh_color(side, seat, game, OWN, color)
        for n in range(1, MAX_NUMBER + 1):
            ways = ways_to_take(colors, numbers, seat.marks, color, n)
            if ways == 0:
                continue
            if first_way_is_best:
                ways &= -ways
            cross_worth, cross = best_cross(side, seat, OWN, color, n)
            cross_worth += color_value(side, seat, game, OWN, color, n)
            while ways:
                dice = lowest_bit(ways)
                ways &= ways - 1
                value = cross_worth + dice_value(seat, game, color, n, dice)
                if value > best:
                    best, code = value, code_of(cross, dice)
    return code


@kernel
def sort_crosses(side, seat, game, color, sizes):
    """Enter the legal crosses of a color, by their number of cells, into ``game.crosses`` and ``game.cross_count``.

    Only those in ``sizes``, a word of sets of cells, are wanted.
    """
    for n in range(1, MAX_NUMBER + 1):
        game.cross_count[n] = 0
    for number in range(side.sheet.first_block[color], side.sheet.first_block[color + 1]):
        word = legal_crosses(side, seat, number) & sizes
        while word:
            mask = lowest_bit(word)
            word &= word - 1
            n = CELLS[mask]
            game.crosses[n, game.cross_count[n]] = number * MASKS + mask
            game.cross_count[n] += 1


@inlined
def is_finite(value):
    """Whether a number is neither infinite nor NaN."""
    return value - value == 0.0


@inlined
def score_of(game, now, view, score):
    """What a function gives for the move described in ``game.moves[0]``."""
    if now.writes:
        game.move_copies[0] = game.moves[0]
        return score(view, game.move_copies[0])
    return score(view, game.moves[0])


@kernel
def choose_by_list(rules, side, seat, game, view, score, luck_word):
    """Code of the best move of a player who must look at every single one; ``NOT_A_NUMBER`` if its function fails."""
    now = seat.lenses[OWN]
    scored = now.kind == SCORED
    if scored:
        fill_pass(rules, game, luck_word)
        best = score_of(game, now, view, score)
    else:
        best = pass_value(seat, game) + now.luck * luck_kernel(luck_word, 0)
    if not is_finite(best):
        return NOT_A_NUMBER
    code = 0
    colors, numbers = faces_shown(game.color_dice), faces_shown(game.number_dice)
    rest = colors_within_reach(colors, seat.marks)
    while rest:
        color = lowest_bit(rest)
        rest &= rest - 1
        sizes = 0
        for n in range(1, MAX_NUMBER + 1):
            sizes |= OF_SIZE[n] if ways_to_take(colors, numbers, seat.marks, color, n) else 0
        sort_crosses(side, seat, game, color, sizes)
        for n in range(1, MAX_NUMBER + 1):
            all_ways = ways_to_take(colors, numbers, seat.marks, color, n)
            for i in range(game.cross_count[n]):
                cross, value = game.crosses[n, i], 0.0
                number, mask = cross // MASKS, cross % MASKS
                opened = open_cells(seat, side.blocks[number])
                if scored:
                    fill_cross(side, seat, game, number, mask, opened)
                else:
                    value = cross_value(side, seat, game, OWN, number, mask, opened)
                    value -= before_value(side, seat, game, OWN, number, opened)
                    value += color_value(side, seat, game, OWN, color, n)
                ways = all_ways
                while ways:
                    dice = lowest_bit(ways)
                    ways &= ways - 1
                    candidate = code_of(cross, dice)
                    if scored:
                        fill_dice(rules, game, now, dice, luck_word, candidate)
                        total = score_of(game, now, view, score)
                        if not is_finite(total):
                            return NOT_A_NUMBER
                    else:
                        total = value + dice_value(seat, game, color, n, dice)
                        total += now.luck * luck_kernel(luck_word, candidate)
                    if total > best:
                        best, code = total, candidate
    return code


@kernel
def weigh_replies(setup, game, p):
    """For each choice of the active player: what the best replies with the dice left over are worth to the others."""
    rules = setup.rules
    for color_face in range(FACES + 1):
        for number_face in range(FACES + 1):
            game.replies[color_face, number_face] = 0.0
    if p != game.active or game.roll <= rules.open_rolls:
        return
    for q in range(game.seats):
        if q == p:
            continue
        best_replies(setup.sides[game.players[q].strategy], game.players[q], game)
        for color_face in range(FACES):
            for number_face in range(FACES):
                if game.color_dice[color_face] and game.number_dice[number_face]:
                    game.color_dice[color_face] -= 1
                    game.number_dice[number_face] -= 1
                    game.replies[color_face, number_face] += best_of_dice(game, -rules.pass_penalty)
                    game.color_dice[color_face] += 1
                    game.number_dice[number_face] += 1
        game.replies[FACES, FACES] += best_of_dice(game, -rules.pass_penalty)


@kernel
def best_of_dice(game, passing):
    """The best entry of ``game.reply`` over the dice there are, or the pass."""
    best = float(passing)
    for color_face in range(FACES):
        for number_face in range(FACES):
            if game.color_dice[color_face] and game.number_dice[number_face]:
                best = max(best, game.reply[color_face, number_face])
    return best


@kernel
def best_replies(side, seat, game):
    """Fill ``game.reply``: what any pair of faces is worth to the player on ``seat``, jokers paid."""
    reply, mark = game.reply, seat.lenses[REPLIES].jokers
    for color_face in range(FACES):
        for number_face in range(FACES):
            reply[color_face, number_face] = NO_MOVE
    for color in range(N_COLORS):
        if game.color_dice[color] == 0 and game.color_dice[JOKER] == 0:
            continue
        refresh_color(side, seat, game, REPLIES, color)
        for n in range(1, MAX_NUMBER + 1):
            value, _ = best_cross(side, seat, REPLIES, color, n)
            if value == NO_MOVE:
                continue
            value += color_value(side, seat, game, REPLIES, color, n)
            reply[color, n - 1] = value
            if seat.marks >= 1:
                reply[JOKER, n - 1] = max(reply[JOKER, n - 1], value + mark)
                reply[color, JOKER] = max(reply[color, JOKER], value + mark)
            if seat.marks >= 2:
                reply[JOKER, JOKER] = max(reply[JOKER, JOKER], value + 2 * mark)


@kernel
def weigh_anew(lens, now, roll):
    """The weights of a lens in this roll."""
    after = roll - 1
    now.column_points = lens.column_points + after * lens.column_points_slope
    now.column_progress = lens.column_progress + after * lens.column_progress_slope
    now.color_points = lens.color_points + after * lens.color_points_slope
    now.color_progress = lens.color_progress + after * lens.color_progress_slope
    now.frontier = lens.frontier + after * lens.frontier_slope
    now.jokers = lens.jokers + after * lens.jokers_slope
    now.passing = lens.passing + after * lens.passing_slope
    now.luck = lens.luck + after * lens.luck_slope
    now.replies = lens.replies + after * lens.replies_slope


@kernel
def choose(setup, game, functions, p, luck_key):
    """Code of the move that player ``p`` makes with the dice of ``game``; ``NOT_A_NUMBER`` if its function fails."""
    seat = game.players[p]
    side = setup.sides[seat.strategy]
    now = seat.lenses[OWN]
    if now.sloped:
        weigh_anew(side.lenses[OWN], now, game.roll)
    if now.asks_replies:
        weigh_replies(setup, game, p)
    if now.kind <= FRESH:
        return choose_by_block(side, seat, game)
    view = game.views[p]
    if now.kind == SCORED:
        show_roll(game, p)
        if now.writes:
            game.view_copies[0] = view
            view = game.view_copies[0]
    luck_word = roll_word_kernel(luck_key, game.roll, LUCK_STREAM + p)
    return choose_by_list(setup.rules, side, seat, game, view, functions[seat.strategy], luck_word)
