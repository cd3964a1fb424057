"""What is counted of a player, see :data:`simulator.qwixx.watching.WATCH`."""

from __future__ import annotations

from simulator.qwixx.referee.game import Game
from simulator.qwixx.referee.position import Player
from simulator.qwixx.rules import COLORS

ROWS = range(len(COLORS))


def counts(game: Game, seat: int) -> list[int]:
    """The counts in order, then the rows that this player locked, twice: who locks a row is the first to do so."""
    player = game.players[seat]
    crosses = sum(player.count(row) for row in ROWS)
    skipped = sum(_skipped(player, row) for row in ROWS)
    late = sum(game.closed[row] and player.count(row) > 0 and not player.has_locked(row) for row in ROWS)
    locked = sum(1 << row for row in ROWS if player.has_locked(row))
    return [player.idle, player.penalties, crosses, skipped, late, locked, locked]


def _skipped(player: Player, row: int) -> int:
    """Numbers of a row without a cross to the left of the last that is crossed; the lock is no number."""
    return player.last(row) - (player.count(row) - player.has_locked(row))
