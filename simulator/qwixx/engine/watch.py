"""What is watched of a game, see simulator/watch.py and watching.py: none of it changes the game."""

from __future__ import annotations

from simulator.bits import popcount
from simulator.blocks import note_leads
from simulator.kernels import kernel
from simulator.qwixx.engine.layout import N_ROWS
from simulator.qwixx.engine.moves import enough_closed, last_cross, row_score
from simulator.qwixx.rules import LOCK
from simulator.qwixx.watching import BY_PENALTIES, BY_ROWS, STOPPED

LOCK_BIT = 1 << (LOCK - 1)


@kernel
def note_roll(setup, game):
    """After a roll."""
    for p in range(game.seats):
        seat = game.players[p]
        seat.idle += seat.last_roll != game.roll
        seat.standing = row_score(setup, seat)
    note_leads(game)


@kernel
def watch_game(setup, game, counts):
    """See :func:`simulator.blocks.watch_game`."""
    ending = STOPPED
    for p in range(game.seats):
        seat = game.players[p]
        crosses = skipped = late = locked = 0
        for row in range(N_ROWS):
            crossed = seat.rows[row]
            crosses += popcount(crossed)
            skipped += last_cross(crossed) - popcount(crossed & ~LOCK_BIT)
            if crossed & LOCK_BIT:
                locked |= 1 << row
            elif crossed and game.closed >> row & 1:
                late += 1
        counts[p, 0] = seat.idle
        counts[p, 1] = seat.penalties
        counts[p, 2] = crosses
        counts[p, 3] = skipped
        counts[p, 4] = late
        counts[p, 5] = counts[p, 6] = locked
        if seat.penalties >= setup.penalties_to_end:
            ending = BY_PENALTIES
    return BY_ROWS if enough_closed(setup, game) else ending
