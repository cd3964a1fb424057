"""Kernels: how a player finds the best move in a position.

If the value of a move is a sum over its cross, its color and its dice, it is found from the best crosses of crosses.py.
Otherwise (scored functions; luck) every move is listed.
"""

from __future__ import annotations

from simulator.bits import at, lowest_bit
from simulator.blocks import FAILED, is_finite
from simulator.dice import LUCK_STREAM, luck_kernel, roll_word_kernel
from simulator.keer_op_keer.engine.constants import NO_MOVE
from simulator.keer_op_keer.engine.crosses import (
    colors_within_reach,
    find_cross,
    in_block,
    legal_crosses,
    refresh,
)
from simulator.keer_op_keer.engine.layout import OWN, REPLIES, side_of
from simulator.keer_op_keer.engine.sight import fill_cross, fill_dice, fill_pass, show_roll
from simulator.keer_op_keer.engine.tables import CELLS, MASKS, MAX_BLOCKS, N_COLORS, N_COLUMNS, OF_SIZE
from simulator.keer_op_keer.engine.valuation import BY_BLOCK, SCORED
from simulator.keer_op_keer.engine.worth import before_value, color_values, cross_value, fill_gains
from simulator.keer_op_keer.rules import FACES, JOKER, MAX_NUMBER
from simulator.kernels import inlined, kernel, spliced
from simulator.lanes import LANES, larger, largest, load, select, spread, store, where_equal
from simulator.memory import score_at


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


@inlined
def number_prices(numbers, marks, jokers):
    """What the better die of each number adds to the value of a cross, eight lanes; ``NO_MOVE`` without such a die."""
    joker = jokers if numbers >> JOKER and marks > 0 else NO_MOVE
    return larger(select(numbers, spread(0.0), spread(NO_MOVE)), spread(joker))


@inlined
def prices(colors, numbers, marks, jokers):
    """What the best dice of these faces add to the value of a cross: with a plain color die; with a joker for it."""
    joker = jokers if colors >> JOKER and marks > 0 else NO_MOVE
    return number_prices(numbers, marks, jokers), number_prices(numbers, marks - 1, jokers) + spread(joker)


@inlined
def values_of_color(seat, game, lens, colors, color, with_plain, with_joker):
    """Value of the best move of a color and each number, eight lanes, given the :func:`prices` of the dice."""
    if lens == OWN and seat.lenses[OWN].asks_replies:
        price = load(game.prices[color])
    else:
        plain = 0.0 if colors >> color & 1 else NO_MOVE
        price = larger(with_plain + spread(plain), with_joker)
    return load(seat.color_best[lens, color]) + price


@inlined
def best_value(seat, game, lens, colors, numbers):
    """Value of the best cross with dice of these faces; those by color and number in ``game.values``."""
    with_plain, with_joker = prices(colors, numbers, seat.marks, seat.lenses[lens].jokers)
    best = spread(NO_MOVE)
    for color in range(N_COLORS):
        values = values_of_color(seat, game, lens, colors, color, with_plain, with_joker)
        store(game.values[color], values)
        best = larger(best, values)
    return largest(best)


@spliced
def choose_by_block(side, seat, game):
    """Code of the best move of a player whose value of a move is a sum over cross, color and dice."""
    now, colors, numbers = seat.lenses[OWN], game.colors_shown, game.numbers_shown
    refresh(side, seat, game, OWN)
    if now.asks_replies:
        list_prices(seat, game)
    best = best_value(seat, game, OWN, colors, numbers)
    if best <= pass_value(seat, game):
        return 0
    found = 0
    for color in range(N_COLORS):
        found |= where_equal(load(game.values[color]), spread(best)) << LANES * color
    first = lowest_bit(found)
    color, n = first // LANES, first % LANES + 1
    ways = ways_to_take(colors, numbers, seat.marks, color, n)
    if now.jokers <= 0.0 and not now.asks_replies:
        dice = lowest_bit(ways)
    else:
        _, dice = best_dice(seat, game, color, n, ways)
    return code_of(find_cross(side, seat, game, color, n), dice)


@kernel
def list_prices(seat, game):
    """Fill ``game.prices`` for a player who looks at what the dice are worth to the others."""
    for color in range(N_COLORS):
        for n in range(1, MAX_NUMBER + 1):
            ways = ways_to_take(game.colors_shown, game.numbers_shown, seat.marks, color, n)
            price, _ = best_dice(seat, game, color, n, ways)
            game.prices[color, n - 1] = price


@inlined
def best_dice(seat, game, color, n, ways):
    """The best of some ways to take the dice: its price (``NO_MOVE`` if there is no way), and its bit."""
    best, bit = NO_MOVE, 0
    while ways:
        dice = lowest_bit(ways)
        ways &= ways - 1
        price = dice_value(seat, game, color, n, dice)
        if price > best:
            best, bit = price, dice
    return best, bit


@inlined
def score_of(side, game, now, view):
    """What a function gives for the move described in ``game.moves[0]``."""
    if now.writes:
        game.view_copies[0], game.move_copies[0] = view, game.moves[0]
        return score_at(side.score, game.view_copies[0], game.move_copies[0])
    return score_at(side.score, view, game.moves[0])


@inlined
def place_in_tie_order(color, n, number, mask, dice):
    """A number that is smaller for the move that is played if scores are equal; that of the pass is -1."""
    return (((color * LANES + n) * MAX_BLOCKS + number) * MASKS + mask) * 4 + dice


@kernel
def choose_by_list(rules, side, seat, game, view, luck_word):
    """Code of the best move of a player who must look at every single one; ``FAILED`` if its function fails.

    Crosses come block by block, so equal scores are told apart by their place in the order of ties.
    """
    now = seat.lenses[OWN]
    scored = now.kind == SCORED
    if scored:
        fill_pass(rules, game, luck_word)
        best = score_of(side, game, now, view)
    else:
        best = pass_value(seat, game) + now.luck * luck_kernel(luck_word, 0)
    if not is_finite(best):
        return FAILED
    code, best_place = 0, -1
    rest = colors_within_reach(game.colors_shown, seat.marks)
    while rest:
        color = lowest_bit(rest)
        rest &= rest - 1
        sizes = ways_by_number = 0
        for n in range(1, MAX_NUMBER + 1):
            ways = ways_to_take(game.colors_shown, game.numbers_shown, seat.marks, color, n)
            ways_by_number |= ways << 4 * n
            sizes |= OF_SIZE[at(n)] if ways else 0
        if not scored:
            store(seat.color_value[OWN, at(color)], color_values(side, seat, game, OWN, color))
        playable = seat.open[at(color)] & seat.reach[at(color)]
        while playable:
            number = side.sheet.block_of[at(color), at(lowest_bit(playable))]
            block = side.blocks[at(number)]
            playable &= ~(block.cells << block.shift)
            opened, reached = in_block(block, seat.open[at(color)]), in_block(block, seat.reach[at(color)])
            word = legal_crosses(side, number, opened, reached) & sizes
            while word:
                mask = lowest_bit(word)
                word &= word - 1
                n, value, points = CELLS[at(mask)], 0.0, 0
                if scored:
                    points = fill_cross(rules, side, seat, game, number, mask, opened)
                else:
                    value = cross_value(side, seat, game, OWN, number, mask, opened)
                    value -= before_value(side, seat, game, OWN, number, opened)
                    value += seat.color_value[OWN, at(color), at(n - 1)]
                ways = ways_by_number >> 4 * n & 15
                while ways:
                    dice = lowest_bit(ways)
                    ways &= ways - 1
                    candidate = code_of(number * MASKS + mask, dice)
                    if scored:
                        fill_dice(rules, game, now, points, dice, luck_word, candidate)
                        total = score_of(side, game, now, view)
                        if not is_finite(total):
                            return FAILED
                    else:
                        total = value + dice_value(seat, game, color, n, dice)
                        total += now.luck * luck_kernel(luck_word, candidate)
                    if total >= best:
                        place = place_in_tie_order(color, n, number, mask, dice)
                        if total > best or place < best_place:
                            best, code, best_place = total, candidate, place
    return code


@inlined
def shown_without(dice, shown, face):
    """The faces shown after one die of a face is taken."""
    return shown & ~(1 << face) if dice >> 4 * face & 15 == 1 else shown


@kernel
def weigh_replies(setup, game, p):
    """For each choice of the active player: what the best replies with the dice left over are worth to the others."""
    rules, replies = setup.rules, game.replies
    for color_face in range(FACES + 1):
        for number_face in range(FACES + 1):
            replies[color_face, number_face] = 0.0
    if p != game.active or game.roll <= rules.open_rolls:
        return
    for q in range(game.seats):
        if q == p:
            continue
        seat, passing = game.players[q], -float(rules.pass_penalty)
        refresh(side_of(setup, seat.strategy), seat, game, REPLIES)
        colors = game.colors_shown
        while colors:
            color_face = lowest_bit(colors)
            colors &= colors - 1
            colors_left = shown_without(game.color_dice, game.colors_shown, color_face)
            numbers = game.numbers_shown
            while numbers:
                number_face = lowest_bit(numbers)
                numbers &= numbers - 1
                numbers_left = shown_without(game.number_dice, game.numbers_shown, number_face)
                reply = best_value(seat, game, REPLIES, colors_left, numbers_left)
                replies[color_face, number_face] += max(reply, passing)
        replies[FACES, FACES] += max(best_value(seat, game, REPLIES, game.colors_shown, game.numbers_shown), passing)


@kernel
def weigh_anew(side, seat, game):
    """The weights of a player in this roll."""
    now, lens, after = seat.lenses[OWN], side.lenses[OWN], game.roll - 1
    now.column_points = lens.column_points + after * lens.column_points_slope
    now.column_progress = lens.column_progress + after * lens.column_progress_slope
    now.color_points = lens.color_points + after * lens.color_points_slope
    now.color_progress = lens.color_progress + after * lens.color_progress_slope
    now.frontier = lens.frontier + after * lens.frontier_slope
    now.jokers = lens.jokers + after * lens.jokers_slope
    now.passing = lens.passing + after * lens.passing_slope
    now.luck = lens.luck + after * lens.luck_slope
    now.replies = lens.replies + after * lens.replies_slope
    if now.column_progress != 0.0:
        for column in range(N_COLUMNS):
            fill_gains(seat, game, column)


@spliced
def choose(setup, game, p, luck_key):
    """Code of the move that player ``p`` makes with the dice of ``game``; ``FAILED`` if its function fails."""
    seat = game.players[p]
    side = side_of(setup, seat.strategy)
    now = seat.lenses[OWN]
    if now.sloped:
        weigh_anew(side, seat, game)
    if now.asks_replies:
        weigh_replies(setup, game, p)
    if now.kind == BY_BLOCK:
        return choose_by_block(side, seat, game)
    view = game.views[p]
    if now.kind == SCORED:
        show_roll(game, p)
    luck_word = roll_word_kernel(luck_key, game.roll, LUCK_STREAM + p)
    return choose_by_list(setup.rules, side, seat, game, view, luck_word)
