"""The records that kernels work on: a strategy, what stays the same at a table, and a game in progress.

A row of a player is a bit mask: position p is bit p - 1, the lock is bit 11. Beside it stands its state (see rows.py),
from which tables tell what can be crossed and what that is worth. All numbers that kernels compute with are ``int64``
or ``float64``.
"""

from __future__ import annotations

import numpy as np

from simulator.bits import at
from simulator.blocks import WATCHED, WATCHED_SEAT
from simulator.kernels import inlined
from simulator.lanes import in_lines
from simulator.memory import record_at
from simulator.qwixx.features import SIGHT
from simulator.qwixx.rows import POSITIONS, ROW_STATES
from simulator.qwixx.rules import COLORS, LOCK, MAX_PLAYERS

_I, _F = np.int64, np.float64
N_ROWS = len(COLORS)
CROSSES = 3 * N_ROWS
"""Crosses that a roll offers: number 0 to 3 the white sum in each row, 4 + 2 * row + die the color crosses. The code of
such a cross is ``11 * number + position``."""
COLOR_ACTION, COLOR_FIRST = 0, 1
"""Places behind the codes of the seats in a roll of a log."""
NOT_PLAYED = -2
"""In a log, in place of a move in an action that was not played."""
WEIGHED, SCORED, SOLVED = 0, 1, 2
"""How a strategy rates candidates."""

SIDE = in_lines(
    ("kind", _I),
    ("score", _I),  # address of its function
    ("sloped", _I),  # 1 if its weights change with the roll
    ("lucky", _I),  # 1 if it weighs luck, or its function reads it
    ("asks_penalty", _I),  # 1 if it must be told whether a pass means a penalty
    ("asks_figures", _I),  # 1 if its function reads figures of a move beyond a few
    ("asks_gap", _I),  # 1 if its function reads ``color_gap``
    ("asks_own", _I),  # 1 if its function reads dice, rows, score or penalties of its own
    ("asks_others", _I),  # 1 if its function reads what the others have
    ("writes", _I),  # 1 if its function may write into what it is given
    ("crossing", _F, (2, ROW_STATES, POSITIONS)),  # value of a legal cross in roll 1, and its change per roll
    ("passing", _F, (2,)),  # of the pass
    ("penalty", _F, (2,)),  # of a certain penalty
    ("ends", _F, (2,)),  # of closing the last row that the end needs
    ("luck", _F, (2,)),
    ("values", _I),  # address of the solver's values, float64 by penalties and state
)
"""A strategy."""

SETUP = in_lines(
    *((name, _I) for name in (
        "white_first", "penalty_points", "penalties_to_end", "rows_to_end", "end_at_once",
    )),
    ("row_points", _I, (LOCK + 1,)),  # points by number of crosses
    ("after", _I, (ROW_STATES, POSITIONS)),
    ("points", _I, (ROW_STATES, POSITIONS)),
    ("sides", _I, (MAX_PLAYERS,)),  # addresses
)  # fmt: skip
"""All that stays the same at a table."""

side_at = record_at(SIDE)


@inlined
def side_of(setup, number):
    """The side with this number at the table."""
    return side_at(setup.sides[at(number)])


SEAT = in_lines(
    ("strategy", _I),  # number of its side
    ("rows", _I, (N_ROWS,)),  # crosses, as masks
    ("states", _I, (N_ROWS,)),  # of its rows; closed for everybody if anybody closed them
    ("penalties", _I),
    ("pick", _I),  # code of the move chosen in this action
    ("last_roll", _I),  # in which it crossed something
    ("idle", _I),  # rolls in which it crossed nothing
    *WATCHED_SEAT,
)
"""One player in a game."""

GAME = in_lines(
    ("seats", _I),
    ("roll", _I),
    ("active", _I),
    ("white", _I, (2,)),  # faces of the dice
    ("color", _I, (N_ROWS,)),
    ("positions", _I, (CROSSES,)),  # of the crosses that this roll offers
    ("crossed", _I),  # 1 if the active player has crossed something in this turn
    ("colors_done", _I),  # 1 if the color dice of this turn are used up
    ("closed", _I),  # rows that are closed, as bits
    ("closing", _I),  # rows that are closed at the end of this action
    *WATCHED,
    ("asked", _I),  # 1 once somebody has been asked for the value of a move
    ("best", _F),  # value of the best move so far
    ("luck_word", _I),  # random bits of the present choice
    ("players", SEAT, (MAX_PLAYERS,)),
    ("views", SIGHT.view, (1,)),  # what a scored function is shown
    ("moves", SIGHT.move, (1,)),
)
"""A game in progress, with working space; one per thread."""
