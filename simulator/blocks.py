"""Playing whole blocks of games in machine code: the loop that is the same for every game.

What differs is how one game is played and scored: a game's engine says so with :func:`teach`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from simulator.dice import game_key_kernel
from simulator.kernels import inlined, kernel
from simulator.outcomes import WHOLE_SHARE

FAILED = -1
"""In place of a move or of a result: a scored function failed, or gave NaN or infinity. In a log: of a roll that was
never reached."""


def play_game(setup: Any, game: Any, seating: Any, deal_key: Any, luck_key: Any, log: Any) -> int:
    """Play one game; gives 1 if it had to be stopped, else 0, or :data:`FAILED`. For kernels only.

    ``seating`` int64 (seats,): who sits where; ``deal_key``, ``luck_key`` uint64. ``log`` int64 (rolls, codes), or
    without rows, takes the moves of every roll.
    """
    raise NotImplementedError


def score_game(setup: Any, game: Any, scores: Any, ranks: Any, parts: Any) -> int:
    """Score a game that has ended: fills int64 (seats,), (seats,), (seats, parts); gives its rolls. For kernels only.

    ``ranks`` decide between equal scores; more is better, equal ranks share the win.
    """
    raise NotImplementedError


def teach(setup_type: Any, play: Any, score: Any) -> None:
    """Say how a game is played and scored, two kernels like those above, by numba's type of its setup."""

    @overload(play_game)
    def overload_play(setup, game, seating, deal_key, luck_key, log):
        if setup != setup_type:
            return None
        return lambda setup, game, seating, deal_key, luck_key, log: play(setup, game, seating, deal_key, luck_key, log)

    @overload(score_game)
    def overload_score(setup, game, scores, ranks, parts):
        if setup != setup_type:
            return None
        return lambda setup, game, scores, ranks, parts: score(setup, game, scores, ranks, parts)


@inlined
def is_finite(value):
    """Whether a number is neither infinite nor NaN."""
    return value - value == 0.0


@inlined
def split_win(scores, ranks):
    """In place of the ranks put the shares of the win, in sixtieths."""
    best = 0
    for p in range(1, len(scores)):
        if scores[p] > scores[best] or (scores[p] == scores[best] and ranks[p] > ranks[best]):
            best = p
    score, rank, winners = scores[best], ranks[best], 0
    for p in range(len(scores)):
        winners += scores[p] == score and ranks[p] == rank
    for p in range(len(scores)):
        ranks[p] = WHOLE_SHARE // winners if scores[p] == score and ranks[p] == rank else 0


@kernel
def play_blocks(setups, games, seating, seed, deals, scores, shares, parts, rolls, stopped):
    """Play blocks and fill the arrays of :class:`simulator.outcomes.Outcomes`.

    ``setups`` and ``games`` are the game's own records (1,), ``seating`` int64 (games, seats), ``deals`` int64 (3,):
    the deal of the first game, and by how much it grows from block to block and from game to game. Gives -1, or, if a
    scored function failed, the number of the game among those to be played.
    """
    setup, game = setups[0], games[0]
    no_log = np.zeros((0, 0), np.int64)
    for block in range(scores.shape[0]):
        for g in range(seating.shape[0]):
            deal_key, luck_key = keys(seating, seed, deals[0] + block * deals[1] + g * deals[2], g)
            end = play_game(setup, game, seating[g], deal_key, luck_key, no_log)
            if end == FAILED:
                return block * seating.shape[0] + g
            rolls[block, g] = score_game(setup, game, scores[block, g], shares[block, g], parts[block, g])
            split_win(scores[block, g], shares[block, g])
            stopped[block, g] = end
    return -1


@kernel
def play_one(setups, games, seating, seed, deal, g, log):
    """Play one game and write the codes of every roll into ``log``; the result of :func:`play_game`."""
    deal_key, luck_key = keys(seating, seed, deal, g)
    return play_game(setups[0], games[0], seating[g], deal_key, luck_key, log)


@kernel
def keys(seating, seed, deal, g):
    """Keys of the dice and of the luck of game ``g`` on a deal: two ``uint64``."""
    seats = seating.shape[1]
    return game_key_kernel(seed, deal), game_key_kernel(seed, deal * seats + g % seats)
