"""The records that kernels work on: one for what stays the same during a run, one for a game in progress.

Two big records of nested arrays instead of many arrays: a kernel passes them on as plain pointers, without the
reference counts and seven-word descriptors of arrays (with which the engine was fifteen times slower). Everything is
``int64`` or ``float64``, so that signed and unsigned never mix.
"""

from __future__ import annotations

import numpy as np

from simulator.keer_op_keer.engine.tables import BLOCK, MASKS, MAX_BLOCKS, N_COLORS, N_COLUMNS, PATTERN, SHEET
from simulator.keer_op_keer.engine.valuation import LENS
from simulator.keer_op_keer.features import MOVE, VIEW
from simulator.keer_op_keer.rules import FACES, MAX_DICE, MAX_NUMBER, MAX_PLAYERS

OWN, REPLIES = 0, 1
"""The two lenses on a seat: its own strategy's, and what its replies are worth to the others."""

_I, _F = np.int64, np.float64
_PER_MASK = (MAX_BLOCKS, MASKS)
_PER_NUMBER = (2, MAX_NUMBER + 1, MAX_BLOCKS)
MAX_CROSSES = 256  # of one color and number: 20 in each of at most 10 blocks of six, or 62 single cells
MAX_SIDES = 9 * FACES

RULES = np.dtype(
    [
        *((name, _I) for name in (
            "solo", "open_rolls", "last_roll", "limited", "ends_on_colors", "colors_to_end", "first_for_all",
            "shared_firsts", "passive_see_active", "tie_break", "pass_penalty", "joker_marks", "mark_points",
            "star_penalty", "color_first", "color_later", "color_dice", "number_dice", "color_sides", "number_sides",
        )),
        ("column_first", _I, (N_COLUMNS,)),
        ("column_later", _I, (N_COLUMNS,)),
        ("color_faces", _I, (MAX_SIDES,)),
        ("number_faces", _I, (MAX_SIDES,)),
    ],
    align=True,
)  # fmt: skip
"""The rules as a kernel reads them."""

SIDE = np.dtype(
    [
        ("sheet", SHEET),
        ("blocks", BLOCK, (MAX_BLOCKS,)),
        ("patterns", PATTERN, _PER_MASK),
        ("placeable", _I, _PER_MASK),
        ("columns", _I, _PER_MASK),
        ("pieces", _I, _PER_MASK),
        ("singles", _I, _PER_MASK),
        ("views", VIEW, (1,)),  # what a scored function sees of its own empty sheet
        ("lenses", LENS, (2,)),  # how it looks at its own moves; how others look at its replies
        ("cross", _F, (2, 2, *_PER_MASK)),  # per lens: in roll 1, and its change per roll
        ("after", _F, (2, 2, *_PER_MASK)),
        ("before", _F, (2, 2, *_PER_MASK)),
    ],
    align=True,
)
"""A strategy on its sheet; see tables.py and valuation.py for the tables."""

SETUP = np.dtype([("rules", RULES), ("sides", SIDE, (MAX_PLAYERS,))], align=True)
"""All that stays the same during a run."""

SEAT = np.dtype(
    [
        ("strategy", _I),  # number of its side
        ("open", _I, (N_COLORS,)),
        ("reach", _I, (N_COLORS,)),  # cells in a start column or beside an own cross
        ("columns", _I),  # cells left per column, as nibbles
        ("columns_before", _I),  # the same before this roll
        ("color_left", _I, (N_COLORS,)),
        ("marks", _I),
        ("stars_left", _I),
        ("column_points", _I),
        ("color_points", _I),
        ("colors_full", _I),
        ("passes", _I),
        ("pick", _I),  # code of the move chosen in this roll
        ("lenses", LENS, (2,)),  # weights of the present roll
        ("stale", _I, (2, N_COLORS)),  # cells of blocks whose best crosses must be found anew, per lens
        ("block_value", _F, _PER_NUMBER),  # best cross of each number and block, per lens
        ("block_mask", _I, _PER_NUMBER),
    ],
    align=True,
)
"""One player in a game."""

GAME = np.dtype(
    [
        ("seats", _I),
        ("roll", _I),
        ("active", _I),
        ("color_dice", _I, (FACES,)),  # dice of each face to pick from
        ("number_dice", _I, (FACES,)),
        ("column_value", _I, (N_COLUMNS,)),  # what filling it in this roll gives
        ("color_value", _I, (N_COLORS,)),
        ("columns_claimed", _I),  # lowest bits of nibbles
        ("colors_claimed", _I),
        ("uses_views", _I),  # 1 if a strategy at the table is a scored function
        ("uses_replies", _I),  # 1 if one looks at what it leaves to the others
        ("crosses", _I, (MAX_NUMBER + 1, MAX_CROSSES)),  # scratch: legal crosses of a color, by number
        ("cross_count", _I, (MAX_NUMBER + 1,)),
        ("faces", _I, (MAX_DICE,)),  # scratch for a throw
        ("replies", _F, (FACES + 1, FACES + 1)),  # what taking two faces leaves to the others; [6, 6] for the pass
        ("reply", _F, (FACES, FACES)),  # scratch: one opponent's best reply with two faces
        ("players", SEAT, (MAX_PLAYERS,)),
        ("views", VIEW, (MAX_PLAYERS,)),
        ("moves", MOVE, (1,)),  # the move that a scored function is asked about; what it does not read is undefined
        ("view_copies", VIEW, (1,)),  # for functions that write into what they are given
        ("move_copies", MOVE, (1,)),
    ],
    align=True,
)
"""A game in progress, with working space; one per thread."""
