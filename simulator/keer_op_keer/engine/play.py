"""The fast twin of the referee: plays games over bitboards, without Python objects.

From top to bottom: what a move does to the sheets, one roll, one game. How a move is chosen is in choice.py, what the
records hold in layout.py. Kernels allocate nothing during a game.
"""

from __future__ import annotations

import numba

from simulator.bits import at, lowest_bit, popcount
from simulator.blocks import FAILED, note_start, teach
from simulator.dice import draw_kernel, roll_word_kernel
from simulator.keer_op_keer.engine.choice import choose, shown_without
from simulator.keer_op_keer.engine.constants import NO_MOVE
from simulator.keer_op_keer.engine.layout import OWN, REPLIES, SETUP, side_of
from simulator.keer_op_keer.engine.sight import show_claims, show_cross, start_view
from simulator.keer_op_keer.engine.tables import CELLS, N_COLORS, N_COLUMNS
from simulator.keer_op_keer.engine.watch import note_filled, note_roll, watch_game
from simulator.keer_op_keer.engine.worth import fill_gains, filled_columns, points_of_filling, zero_nibbles
from simulator.keer_op_keer.rules import COLOR_STREAM, JOKER, MAX_ROLLS, NUMBER_STREAM, TIE_BREAKS
from simulator.kernels import inlined, kernel, spliced
from simulator.lanes import load, select, spread, store

BY_MARKS, BY_COLUMNS, BY_STARS = (TIE_BREAKS.index(name) for name in ("marks", "columns", "stars"))


# --- what a move does ------------------------------------------------------------------------------------------------


@inlined
def spoil(game, seat, cells):
    """Make stale the blocks of these cells (eight lanes), for every lens that is in use."""
    store(seat.stale[OWN], load(seat.stale[OWN]) | cells)
    if game.uses_replies:
        store(seat.stale[REPLIES], load(seat.stale[REPLIES]) | cells)


@inlined
def spoil_column(side, game, seat, column, left):
    """Make stale the blocks that could fill a column with ``left`` open cells; all its blocks, if progress counts."""
    n = left
    if seat.lenses[OWN].column_progress != 0.0:
        n = 1
        fill_gains(seat, game, column)
    spoil(game, seat, load(side.sheet.filling[at(column), at(n)]) & load(seat.open) & load(seat.reach))


@kernel
def make_cross(setup, game, p):
    """Cross the cells that player ``p`` picked, and strike the marks."""
    seat = game.players[at(p)]
    seat.filled = 0
    if seat.pick == 0:
        seat.passes += 1
        return
    code = seat.pick - 1
    number, mask = code >> 8, code >> 2 & 63
    side = side_of(setup, seat.strategy)
    block = side.blocks[at(number)]
    lane, nowhere = 1 << block.color, spread(0)
    halo, reach = load(side.halos[at(number), at(mask)]), load(seat.reach)
    opened = load(seat.open) & ~select(lane, spread(mask << block.shift), nowhere)
    store(seat.open, opened)
    store(seat.reach, reach | halo)
    spoil(game, seat, halo & opened & ~reach | select(lane, spread(block.cells << block.shift), nowhere))
    cells = side.columns[at(number), at(mask)]
    seat.filled = filled_columns(seat, cells)
    seat.columns -= cells
    while cells:
        shift = lowest_bit(cells) & 60
        cells &= ~(15 << shift)
        left = seat.columns >> shift & 15
        if left:
            spoil_column(side, game, seat, shift >> 2, left)
    seat.color_left[at(block.color)] -= CELLS[at(mask)]
    game.completed |= seat.filled | (seat.color_left[at(block.color)] == 0)
    seat.marks -= (code >> 1 & 1) + (code & 1)
    seat.stars_left -= side.patterns[at(number), at(mask)].stars
    if game.shows_sheets:
        show_cross(side, game, p, number, mask)


@spliced
def settle(setup, game):
    """Announce the full columns and colors of a roll, in turn order from the active player."""
    columns_new, colors_new = 0, 0
    game.completed = 0
    for turn in range(game.seats):
        seat = game.players[(game.active + turn) % game.seats]
        if seat.pick == 0:
            continue
        filled = seat.filled
        color = side_of(setup, seat.strategy).blocks[(seat.pick - 1) >> 8].color
        if game.watched:
            note_filled(setup, game, seat, filled, color if seat.color_left[color] == 0 else -1)
        if filled:
            seat.column_points += points_of_filling(game, filled)
            columns_new |= filled
        if seat.color_left[color] == 0:
            seat.color_points += game.color_value[color]
            seat.colors_full += 1
            colors_new |= 1 << color
        if not setup.rules.shared_firsts:
            claim(setup, game, columns_new, colors_new)
    if columns_new or colors_new:
        claim(setup, game, columns_new, colors_new)


@kernel
def claim(setup, game, columns, colors):
    """From now on these columns (nibbles) and colors (bits) give their later value."""
    rules = setup.rules
    columns &= ~game.columns_claimed
    colors &= ~game.colors_claimed
    game.columns_claimed |= columns
    game.colors_claimed |= colors
    if not (rules.solo or rules.first_for_all):
        while columns:
            column = lowest_bit(columns) >> 2
            columns &= columns - 1
            game.column_value[column] = rules.column_later[column]
            for p in range(game.seats):
                seat = game.players[p]
                left = seat.columns >> 4 * column & 15
                if left:
                    spoil_column(side_of(setup, seat.strategy), game, seat, column, left)
        for color in range(N_COLORS):
            if colors >> color & 1:
                game.color_value[color] = rules.color_later
                for p in range(game.seats):
                    seat = game.players[p]
                    spoil(game, seat, select(1 << color, load(seat.open) & load(seat.reach), spread(0)))
    if game.shows_sheets:
        show_claims(game)


# --- one roll --------------------------------------------------------------------------------------------------------


@inlined
def throw_dice(word, count, sides, faces):
    """Dice thrown of each face, as nibbles, and the faces shown, as bits. ``faces``: what is on each side of a die."""
    dice = shown = 0
    for _ in range(count):
        side, word = draw_kernel(word, sides)
        face = faces[at(side)]
        dice += 1 << 4 * face
        shown |= 1 << face
    return dice, shown


@spliced
def throw(rules, game, deal_key):
    """All dice of the present roll."""
    colors = roll_word_kernel(deal_key, game.roll, COLOR_STREAM)
    numbers = roll_word_kernel(deal_key, game.roll, NUMBER_STREAM)
    game.color_dice, game.colors_shown = throw_dice(colors, rules.color_dice, rules.color_sides, rules.color_faces)
    game.number_dice, game.numbers_shown = throw_dice(
        numbers, rules.number_dice, rules.number_sides, rules.number_faces
    )


@kernel
def choose_from_all(setup, game, p, deal_key, luck_key):
    """Code of the move that player ``p`` would make if no dice had been taken; those left stay as they are."""
    color_dice, number_dice = game.color_dice, game.number_dice
    colors_shown, numbers_shown = game.colors_shown, game.numbers_shown
    throw(setup.rules, game, deal_key)
    code = choose(setup, game, p, luck_key)
    game.color_dice, game.number_dice = color_dice, number_dice
    game.colors_shown, game.numbers_shown = colors_shown, numbers_shown
    return code


@spliced
def take_dice(setup, game, seat):
    """Remove the dice of the active player's move."""
    if seat.pick == 0:
        return
    code = seat.pick - 1
    number, mask = code >> 8, code >> 2 & 63
    color_face = JOKER if code & 2 else side_of(setup, seat.strategy).blocks[number].color
    number_face = JOKER if code & 1 else CELLS[mask] - 1
    game.colors_shown = shown_without(game.color_dice, game.colors_shown, color_face)
    game.numbers_shown = shown_without(game.number_dice, game.numbers_shown, number_face)
    game.color_dice -= 1 << 4 * color_face
    game.number_dice -= 1 << 4 * number_face


@spliced
def play_roll(setup, game, deal_key, luck_key):
    """One roll for everybody; false if a scored function failed."""
    rules = setup.rules
    throw(rules, game, deal_key)
    p = game.active
    for turn in range(game.seats):
        seat = game.players[at(p)]
        seat.pick = choose(setup, game, p, luck_key)
        if seat.pick == FAILED:
            return False
        if game.watched and turn == 1 and game.roll > rules.open_rolls:
            wish = choose_from_all(setup, game, p, deal_key, luck_key)
            if wish == FAILED:
                return False
            seat.hurt += wish != seat.pick
        if p == game.active:
            if game.roll > rules.open_rolls:
                take_dice(setup, game, seat)
            if rules.passive_see_active:
                make_cross(setup, game, p)
        p = p + 1 if p + 1 < game.seats else 0
    for p in range(game.seats):
        if p != game.active or not rules.passive_see_active:
            make_cross(setup, game, p)
    if game.completed:
        settle(setup, game)
    return True


# --- one game --------------------------------------------------------------------------------------------------------


@kernel
def start_game(setup, game, seating):
    """Empty sheets for everybody; ``seating`` int64 (seats,): who sits where."""
    rules = setup.rules
    game.seats = len(seating)
    game.completed = 0
    game.columns_claimed = game.colors_claimed = 0
    note_start(game)
    for column in range(N_COLUMNS):
        game.column_value[column] = rules.column_first[column]
    for color in range(N_COLORS):
        game.color_value[color] = rules.color_first
    for p in range(game.seats):
        start_seat(setup, game, game.players[p], seating[p])
    if game.shows_sheets:
        for p in range(game.seats):
            start_view(setup, game, p)


@kernel
def start_seat(setup, game, seat, strategy):
    """An empty sheet, all marks, and no cross yet in any block but those of the start columns."""
    side = side_of(setup, strategy)
    sheet = side.sheet
    seat.strategy = strategy
    seat.columns, seat.stars_left, seat.marks = sheet.columns, sheet.stars, setup.rules.jokers
    seat.column_points = seat.color_points = seat.colors_full = seat.passes = 0
    seat.late = seat.hurt = seat.done = seat.first = 0
    store(seat.open, load(sheet.open))
    store(seat.reach, load(sheet.start))
    for color in range(N_COLORS):
        seat.color_left[color] = sheet.color_left[color]
    for lens in range(2):
        seat.lenses[lens] = side.lenses[lens]
        store(seat.stale[lens], load(sheet.start))
        for color in range(N_COLORS):
            store(seat.color_best[lens, color], spread(NO_MOVE))
        for number in range(sheet.first_block[N_COLORS]):
            store(seat.block_value[lens, number], spread(NO_MOVE))
    if seat.lenses[OWN].column_progress != 0.0:
        for column in range(N_COLUMNS):
            fill_gains(seat, game, column)


@kernel
def play_game(setup, game, seating, deal_key, luck_key, log):
    """One game; gives 1 if it had to be stopped, else 0, or ``FAILED``. ``log`` int64 (rolls, seats) or empty."""
    rules = setup.rules
    start_game(setup, game, seating)
    for roll in range(1, rules.last_roll + 1):
        game.roll, game.active = roll, (roll - 1) % game.seats
        if not play_roll(setup, game, deal_key, luck_key):
            return FAILED
        if game.watched:
            note_roll(setup, game)
        ended = False
        for p in range(game.seats):
            ended |= game.players[p].colors_full >= rules.colors_to_end
            if len(log):
                log[roll - 1, p] = game.players[p].pick
        if ended and rules.ends_on_colors:
            return 0
    return int(rules.last_roll == MAX_ROLLS and not rules.limited)


@kernel
def score_game(setup, game, scores, ranks, parts):
    """See :func:`simulator.blocks.score_game`."""
    rules = setup.rules
    for p in range(game.seats):
        seat = game.players[p]
        parts[p, 0] = seat.color_points
        parts[p, 1] = seat.column_points
        parts[p, 2] = seat.marks * rules.mark_points
        parts[p, 3] = -seat.stars_left * rules.star_penalty
        parts[p, 4] = -seat.passes * rules.pass_penalty
        scores[p] = parts[p, 0] + parts[p, 1] + parts[p, 2] + parts[p, 3] + parts[p, 4]
        ranks[p] = tie_rank(rules, seat)
    return game.roll


@kernel
def tie_rank(rules, seat):
    """What decides between equal scores; more is better."""
    if rules.tie_break == BY_MARKS:
        return seat.marks
    if rules.tie_break == BY_COLUMNS:
        return popcount(zero_nibbles(seat.columns))
    if rules.tie_break == BY_STARS:
        return -seat.stars_left
    return 0


teach(numba.from_dtype(SETUP), play_game, score_game, watch_game)
