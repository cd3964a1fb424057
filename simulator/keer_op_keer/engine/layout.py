"""The records that kernels work on: one for what stays the same during a run, one for a game in progress.

Two big records of nested arrays instead of many arrays: a kernel passes them on as plain pointers, without the
reference counts and seven-word descriptors of arrays (with which the engine was fifteen times slower). All numbers that
kernels compute with are ``int64`` or ``float64``, so that signed and unsigned never mix.
"""

from __future__ import annotations

import numpy as np

from simulator.bits import at
from simulator.blocks import WATCHED, WATCHED_SEAT
from simulator.keer_op_keer.engine.tables import (
    BLOCK,
    MASKS,
    MAX_BLOCKS,
    MAX_STATES,
    N_COLORS,
    N_COLUMNS,
    PATTERN,
    SHEET,
)
from simulator.keer_op_keer.engine.valuation import LENS
from simulator.keer_op_keer.features import MOVE, VIEW
from simulator.keer_op_keer.rules import FACES, MAX_PLAYERS, ROWS
from simulator.kernels import inlined
from simulator.lanes import LANES, in_lines
from simulator.memory import record_at

_I, _F = np.int64, np.float64
OWN, REPLIES = _I(0), _I(1)
"""The two lenses on a seat: its own strategy's, and what its replies are worth to the others. (As plain numbers they
would make numba compile every kernel that takes a lens twice.)"""

_PER_MASK = (MAX_BLOCKS, MASKS)
MAX_SIDES = 9 * FACES

RULES = np.dtype(
    [
        *((name, _I) for name in (
            "solo", "open_rolls", "last_roll", "limited", "ends_on_colors", "colors_to_end", "first_for_all",
            "shared_firsts", "passive_see_active", "tie_break", "pass_penalty", "jokers", "mark_points",
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

SIDE = in_lines(
    ("sheet", SHEET),
    ("blocks", BLOCK, (MAX_BLOCKS,)),
    ("patterns", PATTERN, _PER_MASK),
    ("halos", _I, (*_PER_MASK, LANES)),
    ("placeable", _I, _PER_MASK),
    ("columns", _I, _PER_MASK),
    ("steps", _I, _PER_MASK),
    ("crossing", _I, (MAX_BLOCKS, N_COLUMNS, ROWS + 1)),
    ("pieces", _I, _PER_MASK),
    ("singles", _I, _PER_MASK),
    ("views", VIEW, (1,)),  # what a scored function sees of its own empty sheet
    ("score", _I),  # its address
    ("lenses", LENS, (2,)),  # how it looks at its own moves; how others look at its replies
    ("cross", _F, (2, 2, *_PER_MASK)),  # per lens: in roll 1, and its change per roll
    ("after", _F, (2, 2, *_PER_MASK)),
    ("before", _F, (2, 2, *_PER_MASK)),
    ("state_value", _F, (2, MAX_STATES, LANES)),  # per lens: the best cross of each number in a state
    ("state_masks", _I, (MAX_STATES,)),  # and the masks of the player's own
)
"""A strategy on its sheet; see tables.py and valuation.py for the tables."""

SETUP = in_lines(("rules", RULES), ("sides", _I, (MAX_PLAYERS,)))
"""All that stays the same during a run: the rules, and where in memory the side of everybody at this table is. (Sides
are large, and a strategy has one for all tables of a tournament.)"""


side_at = record_at(SIDE)


@inlined
def side_of(setup, number):
    """The side with this number at the table."""
    return side_at(setup.sides[at(number)])


SEAT = in_lines(
    ("strategy", _I),  # number of its side
    ("open", _I, (LANES,)),
    ("reach", _I, (LANES,)),  # cells in a start column or beside an own cross
    ("columns", _I),  # cells left per column, as nibbles
    ("filled", _I),  # columns filled in this roll: lowest bits of nibbles
    ("color_left", _I, (N_COLORS,)),
    ("marks", _I),
    ("stars_left", _I),
    ("column_points", _I),
    ("color_points", _I),
    ("colors_full", _I),
    ("passes", _I),
    ("pick", _I),  # code of the move chosen in this roll
    *WATCHED_SEAT,
    ("late", _I),  # columns and colors filled for the later value
    ("hurt", _I),  # rolls in which a die was missing that this player wanted
    ("done", _I),  # columns and colors filled, as bits
    ("first", _I),  # those that nobody had filled before
    ("lenses", LENS, (2,)),  # weights of the present roll
    ("gains", _F, (N_COLUMNS, LANES)),  # what crossing so many cells of a column adds to the value, by its own lens
    ("stale", _I, (2, LANES)),  # per lens: cells of blocks whose best crosses must be found anew
    ("block_value", _F, (2, MAX_BLOCKS, LANES)),  # best cross of each block: number n in lane n - 1
    ("block_masks", _I, (MAX_BLOCKS,)),  # their masks by the player's own lens, from bit 8 * (n - 1) on; 0: not known
    ("color_value", _F, (2, N_COLORS, LANES)),  # what the color adds
    ("color_best", _F, (2, N_COLORS, LANES)),  # the best of a color, with what the color adds
)
"""One player in a game."""

GAME = in_lines(
    ("seats", _I),
    ("roll", _I),
    ("active", _I),
    ("color_dice", _I),  # dice of each face to pick from: nibbles
    ("number_dice", _I),
    ("colors_shown", _I),  # the faces that there are: bits 0 to 5
    ("numbers_shown", _I),
    ("column_value", _I, (N_COLUMNS,)),  # what filling it in this roll gives
    ("color_value", _I, (N_COLORS,)),
    ("columns_claimed", _I),  # lowest bits of nibbles
    ("colors_claimed", _I),
    ("shows_sheets", _I),  # 1 if a scored function looks at the sheets, so that the views must show them
    ("uses_replies", _I),  # 1 if one looks at what it leaves to the others
    *WATCHED,
    ("completed", _I),  # not 0 if somebody filled a column or a color in this roll
    ("replies", _F, (FACES + 1, FACES + 1)),  # what taking two faces leaves to the others; [6, 6] for the pass
    ("values", _F, (N_COLORS, LANES)),  # scratch: of the best moves, by color and number
    ("prices", _F, (N_COLORS, LANES)),  # scratch: what dice add to the value of a cross, by color and number
    ("players", SEAT, (MAX_PLAYERS,)),
    ("views", VIEW, (MAX_PLAYERS,)),
    ("moves", MOVE, (1,)),  # the move that a scored function is asked about; what it does not read is undefined
    ("view_copies", VIEW, (1,)),  # for functions that write into what they are given
    ("move_copies", MOVE, (1,)),
)
"""A game in progress, with working space; one per thread."""
