"""Kernels: what a scored function sees, kept up to date while a game goes on. The fields are defined in features.py."""

from __future__ import annotations

from simulator.bits import at, lowest_bit
from simulator.dice import luck_kernel
from simulator.keer_op_keer.engine.layout import OWN, side_of
from simulator.keer_op_keer.engine.tables import CELLS, N_COLORS, N_COLUMNS
from simulator.keer_op_keer.engine.worth import (
    color_progress,
    column_progress,
    filled_columns,
    new_frontier,
    points_of_filling,
)
from simulator.keer_op_keer.rules import FACES, JOKER, MAX_NUMBER, ROWS
from simulator.kernels import kernel, spliced


@kernel
def start_view(setup, game, p):
    """A view of empty sheets."""
    seats = game.seats
    game.views[p] = side_of(setup, game.players[p].strategy).views[0]
    view = game.views[p]
    for slot in range(seats - 1):
        other = side_of(setup, game.players[(p + 1 + slot) % seats].strategy).views[0]
        for column in range(N_COLUMNS):
            view.other_column_left[slot, column] = other.column_left[column]
            for row in range(ROWS):
                view.other_open[slot, column, row] = other.open[column, row]
        for color in range(N_COLORS):
            view.other_color_left[slot, color] = other.color_left[color]


@kernel
def full_colors(seat):
    """Colors without open cells, announced or (with ``passive_see_active``) just filled."""
    count = 0
    for color in range(N_COLORS):
        count += seat.color_left[color] == 0
    return count


@spliced
def show_roll(game, p):
    """Bring the figures of a view up to date that :func:`show_cross` and :func:`show_claims` do not keep so."""
    view, seat, seats = game.views[p], game.players[p], game.seats
    view.roll, view.players, view.active = game.roll, seats, p == game.active
    view.marks, view.stars_left, view.colors_full = seat.marks, seat.stars_left, full_colors(seat)
    view.score = seat.column_points + seat.color_points
    for face in range(FACES):
        view.color_dice[face] = game.color_dice >> 4 * face & 15
        view.number_dice[face] = game.number_dice >> 4 * face & 15
    for slot in range(seats - 1):
        other = game.players[(p + 1 + slot) % seats]
        view.other_marks[slot], view.other_stars_left[slot] = other.marks, other.stars_left
        view.other_score[slot] = other.column_points + other.color_points
        view.other_colors_full[slot] = full_colors(other)


@kernel
def show_cross(side, game, p, number, mask):
    """Enter the crosses of player ``p`` in every view."""
    block, own = side.blocks[number], game.views[p]
    while mask:
        bit = lowest_bit(mask)
        mask &= mask - 1
        column, row = block.column[bit], block.row[bit]
        own.open[column, row] = 0
        own.column_left[column] -= 1
        own.color_left[block.color] -= 1
        if column > 0:
            own.reach[column - 1, row] = 1
        if column < N_COLUMNS - 1:
            own.reach[column + 1, row] = 1
        if row > 0:
            own.reach[column, row - 1] = 1
        if row < ROWS - 1:
            own.reach[column, row + 1] = 1
        for q in range(game.seats):
            if q != p:
                slot = (p - q - 1) % game.seats
                view = game.views[q]
                view.other_open[slot, column, row] = 0
                view.other_column_left[slot, column] -= 1
                view.other_color_left[slot, block.color] -= 1


@kernel
def show_claims(game):
    """Enter in every view what is claimed and what it still gives."""
    for p in range(game.seats):
        view = game.views[p]
        for column in range(N_COLUMNS):
            view.column_unclaimed[column] = 1 - (game.columns_claimed >> 4 * column & 1)
            view.column_value[column] = game.column_value[column]
        for color in range(N_COLORS):
            view.color_unclaimed[color] = 1 - (game.colors_claimed >> color & 1)
            view.color_value[color] = game.color_value[color]


@spliced
def fill_pass(rules, game, luck_word):
    """Describe the pass in ``game.moves[0]``."""
    move = game.moves[0]
    move.color, move.number, move.color_joker, move.number_joker, move.jokers = -1, 0, 0, 0, 0
    for i in range(MAX_NUMBER):
        move.column[i] = move.row[i] = -1
    move.points, move.passing = -rules.pass_penalty, 1
    move.column_points = move.color_points = move.stars = move.cells = move.start_cells = move.distance = 0
    move.column_progress = move.color_progress = move.finished = move.frontier = 0
    move.leftover = move.singles = move.pieces = 0
    move.luck = luck_kernel(luck_word, 0)
    move.replies = game.replies[FACES, FACES]


@spliced
def fill_cross(rules, side, seat, game, number, mask, opened):
    """Describe in ``game.moves[0]`` all of a move but what its dice decide, and costly fields that nobody asks for.

    Gives its points before jokers are paid.
    """
    lens, move = seat.lenses[OWN], game.moves[0]
    block, pattern = side.blocks[at(number)], side.patterns[at(number), at(mask)]
    cells, left, n = side.columns[at(number), at(mask)], opened & ~mask, CELLS[at(mask)]
    color = block.color
    move.color, move.number, move.cells, move.passing = color, n, n, 0
    move.column_points = points_of_filling(game, filled_columns(seat, cells))
    move.color_points = game.color_value[at(color)] if seat.color_left[at(color)] == n else 0
    move.stars, move.start_cells, move.distance = pattern.stars, pattern.start_cells, pattern.distance
    move.finished, move.leftover = left == 0, CELLS[at(left)]
    if lens.asks_progress:
        move.column_progress = column_progress(game, seat.columns, cells)
        move.color_progress = color_progress(side, seat, game, color, n)
    if lens.asks_shape:
        move.frontier = new_frontier(seat, block, side.halos[at(number), at(mask)], mask)
        move.singles = side.singles[at(number), at(left)] - side.singles[at(number), at(opened)]
        move.pieces = side.pieces[at(number), at(left)] - side.pieces[at(number), at(opened)]
    if lens.asks_cells:
        fill_coordinates(block, mask, move)
    return move.column_points + move.color_points + rules.star_penalty * move.stars


@kernel
def fill_coordinates(block, mask, move):
    """Columns and rows of the cells of a mask, then -1."""
    i = 0
    while mask:
        bit = lowest_bit(mask)
        mask &= mask - 1
        move.column[i], move.row[i] = block.column[bit], block.row[bit]
        i += 1
    while i < MAX_NUMBER:
        move.column[i] = move.row[i] = -1
        i += 1


@spliced
def fill_dice(rules, game, lens, points, dice, luck_word, code):
    """Add to ``game.moves[0]`` what its dice (bit 0: color joker, bit 1: number joker) decide.

    ``points`` are those before jokers are paid.
    """
    move = game.moves[0]
    color_joker, number_joker = dice & 1, dice >> 1
    jokers = color_joker + number_joker
    move.color_joker, move.number_joker, move.jokers = color_joker, number_joker, jokers
    move.points = points - rules.mark_points * jokers
    if lens.asks_luck:
        move.luck = luck_kernel(luck_word, code)
    if lens.asks_replies:
        move.replies = game.replies[JOKER if color_joker else move.color, JOKER if number_joker else move.number - 1]
