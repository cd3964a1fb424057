"""What a strategy sees: the features of a move, and the two records that a scored function is given.

This file is the definition; the referee computes every figure from plain sets, the engine from bitboards, and tests
hold them equal. All figures describe the position before the crosses of this roll are made (with the house rule
``passive_see_active``: after the active player's).

**Ties.** Of moves with equal scores the first in this order is played: pass; then by color (green, yellow, blue, pink,
orange), number, block (in sheet order of its first cell), cells (the set whose last cell comes first in sheet order,
then the last but one, …), dice (both plain, color joker, number joker, both jokers).
"""

from __future__ import annotations

from simulator.keer_op_keer.rules import COLORS, COLUMNS, FACES, MAX_NUMBER, MAX_PLAYERS, ROWS
from simulator.sight import Feature, Field, Sight

REPLY_CELLS = 0.125  # worth of a cell in the feature ``replies``

FEATURES = (
    Feature("points", +1, "change of the own score if the game ended now: columns, colors, stars, marks, pass penalty"),
    Feature("column_points", +1, "points of the columns it fills"),
    Feature("color_points", +1, "points of the color it fills"),
    Feature("stars", +1, "stars it crosses"),
    Feature("cells", +1, "cells it crosses"),
    Feature("start_cells", +1, "cells it crosses in a start column (officially H)"),
    Feature("distance", +1, "columns between each of its cells and the nearest start column, added up"),
    Feature("column_progress", +1, "over its columns: points still to be had for the column, times the growth of the "
            "square of its crossed cells"),
    Feature("color_progress", +1, "points still to be had for its color, times the growth of the square of its "
            "crossed cells"),
    Feature("finished", +1, "1 if it crosses the last cell of its block"),
    Feature("frontier", +1, "open cells that come within reach: beside its crosses and not reachable before"),
    Feature("passing", +1, "1 for the pass"),
    Feature("luck", +1, "a random number from 0 to 1, new for every move"),
    Feature("jokers", -1, "joker dice taken (what their marks are worth is already in ``points``)"),
    Feature("leftover", -1, "open cells it leaves in its block"),
    Feature("singles", -1, "growth in the number of open cells of its block without an open neighbor in it"),
    Feature("pieces", -1, "growth in the number of pieces into which the open cells of its block fall"),
    Feature("replies", -1, "what the dice left over are worth to the others: for each opponent the best of points "
            "plus 1/8 per cell over all replies and the pass, added up; 0 for passive players, in open rolls, solo"),
)  # fmt: skip

_MAX_OTHERS = MAX_PLAYERS - 1
_C, _R, _K = len(COLUMNS), ROWS, len(COLORS)

VIEW_FIELDS: tuple[Field, ...] = (
    ("roll", (), "number of the roll, 1 for the first"),
    ("players", (), "players at the table; 1 in the solo game"),
    ("active", (), "1 if this player rolled the dice (always in the solo game)"),
    ("color_dice", (FACES,), "dice of each color face to pick from: green, yellow, blue, pink, orange, joker"),
    ("number_dice", (FACES,), "dice of each number face to pick from: 1 to 5, joker"),
    ("marks", (), "own joker marks left"),
    ("score", (), "own points so far for columns and colors"),
    ("stars_left", (), "own open stars"),
    ("colors_full", (), "own full colors, that is, without open cells"),
    ("column_left", (_C,), "own open cells of each column, A to O"),
    ("color_left", (_K,), "own open cells of each color"),
    ("open", (_C, _R), "1 for each own open cell, by column and row from the top"),
    ("reach", (_C, _R), "1 for each cell, crossed or not, in a start column or beside an own cross"),
    ("color", (_C, _R), "color of each cell of the own sheet, 0 to 4"),
    ("star", (_C, _R), "1 for each cell with a star on the own sheet"),
    ("column_value", (_C,), "points that filling the column in this roll gives"),
    ("color_value", (_K,), "points that filling the color in this roll gives"),
    ("column_unclaimed", (_C,), "1 if nobody has filled the column in an earlier roll"),
    ("color_unclaimed", (_K,), "1 if nobody has filled the color in an earlier roll"),
    ("other_marks", (_MAX_OTHERS,), "joker marks left of each opponent, the next in turn first; 0 where there is none"),
    ("other_score", (_MAX_OTHERS,), "points so far of each opponent for columns and colors"),
    ("other_stars_left", (_MAX_OTHERS,), "open stars of each opponent"),
    ("other_colors_full", (_MAX_OTHERS,), "full colors of each opponent"),
    ("other_column_left", (_MAX_OTHERS, _C), "open cells of each column of each opponent"),
    ("other_color_left", (_MAX_OTHERS, _K), "open cells of each color of each opponent"),
    ("other_open", (_MAX_OTHERS, _C, _R), "1 for each open cell of each opponent, by column and row"),
)
"""Fields of a view (name, shape, meaning); all ``int64``."""

MOVE_FIELDS: tuple[Field, ...] = (
    ("color", (), "color of the cells, 0 to 4; -1 for the pass"),
    ("number", (), "number of cells, 1 to 5; 0 for the pass"),
    ("color_joker", (), "1 if the color die taken is a joker"),
    ("number_joker", (), "1 if the number die taken is a joker"),
    ("column", (MAX_NUMBER,), "column of each cell, 0 to 14, in sheet order; -1 beyond the last"),
    ("row", (MAX_NUMBER,), "row of each cell, 0 to 6 from the top, in the same order; -1 beyond the last"),
    *((f.name, (), f.meaning) for f in FEATURES),
)
"""Fields of a move (name, shape, meaning); all ``int64`` but ``luck`` and ``replies``, which are ``float64``."""

SIGHT = Sight(FEATURES, VIEW_FIELDS, MOVE_FIELDS, floats=("luck", "replies"))
FEATURE_NAMES, INDEX, SIGNS = SIGHT.names, SIGHT.index, SIGHT.signs
VIEW, MOVE = SIGHT.view, SIGHT.move
weight_vectors = SIGHT.weight_vectors
