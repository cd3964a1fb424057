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
from simulator.watch import ENDING, LEAD_CHANGES, LED_FROM

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


def watch_game(setup: Any, game: Any, counts: Any) -> int:
    """Tell what was watched of a game that has ended: fill int64 (seats, width), give the ending. Only for kernels."""
    raise NotImplementedError


def teach(setup_type: Any, play: Any, score: Any, watch: Any) -> None:
    """Say how a game is played, scored and watched, kernels like those above, by numba's type of its setup."""

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

    @overload(watch_game)
    def overload_watch(setup, game, counts):
        if setup != setup_type:
            return None
        return lambda setup, game, counts: watch(setup, game, counts)


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


WATCHED = (("watched", np.int64), ("leader", np.int64), ("lead_changes", np.int64))
"""Fields that a game in progress has, so that leads can be watched: 1 if it is watched; the last one who led, -1 for
nobody; how often that changed."""
WATCHED_SEAT = (("standing", np.int64), ("behind", np.int64))
"""Fields that each of its players has: the points if the game ended now; the last roll after which anyone had more."""


@kernel
def note_start(game):
    """Nobody has led in a game that begins."""
    game.leader, game.lead_changes = -1, 0
    for p in range(game.seats):
        game.players[p].behind = 0


@kernel
def note_leads(game):
    """After a roll of a game that is watched, once every ``standing`` is known."""
    best, leader = game.players[0].standing, 0
    for p in range(1, game.seats):
        if game.players[p].standing > best:
            best, leader = game.players[p].standing, p
    leaders = 0
    for p in range(game.seats):
        if game.players[p].standing == best:
            leaders += 1
        else:
            game.players[p].behind = game.roll
    if leaders == 1:
        game.lead_changes += game.leader not in (-1, leader)
        game.leader = leader


@kernel
def watch_leads(game, shares, facts):
    """Fill in the facts about leads of a game that has ended."""
    facts[LEAD_CHANGES] = game.lead_changes
    facts[LED_FROM] = game.roll
    for p in range(game.seats):
        if shares[p]:
            facts[LED_FROM] = min(facts[LED_FROM], game.players[p].behind + 1)


@kernel
def play_blocks(setups, games, seating, seed, deals, scores, shares, parts, rolls, stopped, facts, counts):
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
            if game.watched:
                facts[block, g, ENDING] = watch_game(setup, game, counts[block, g])
                watch_leads(game, shares[block, g], facts[block, g])
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
