"""How games ended: the arrays that a game fills and a tally counts, the same for every game.

A *block* is the statistical unit of an experiment: a few games on the same dice, one for each rotation of the seats, so
that the luck of the seat cancels. A *seating* says which strategy sits where in each game of a block.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.watch import FACTS

WHOLE_SHARE = 60  # a win, in sixtieths, so that it can be split by 2 to 6 exactly


@dataclass(frozen=True)
class Outcomes:
    """Outcomes of consecutive blocks, all ``int64``, in seat order.

    Parameters
    ----------
    scores : array, shape (blocks, games, seats)
        Final points.
    shares : array, shape (blocks, games, seats)
        Shares of the win in sixtieths; they add up to 60 in every game.
    parts : array, shape (blocks, games, seats, parts)
        What the score is made of; they add up to ``scores``. The game names the parts.
    rolls : array, shape (blocks, games)
        Length of the game in rolls.
    stopped : array, shape (blocks, games)
        1 for a game that was stopped because it did not end.
    facts : array, shape (blocks, games, facts)
        If the games were watched, by :data:`simulator.watch.FACTS`; else no facts.
    counts : array, shape (blocks, games, seats, width)
        If they were watched, see :class:`simulator.watch.Watch`; else of width 0.
    """

    scores: np.ndarray
    shares: np.ndarray
    parts: np.ndarray
    rolls: np.ndarray
    stopped: np.ndarray
    facts: np.ndarray
    counts: np.ndarray

    @classmethod
    def empty(cls, blocks: int, games: int, seats: int, parts: int, watched: int = 0) -> Outcomes:
        """Outcomes to be filled; ``watched`` is the width of what is watched of a player, 0 if nothing is."""
        return cls(
            np.zeros((blocks, games, seats), np.int64),
            np.zeros((blocks, games, seats), np.int64),
            np.zeros((blocks, games, seats, parts), np.int64),
            np.zeros((blocks, games), np.int64),
            np.zeros((blocks, games), np.int64),
            np.zeros((blocks, games, len(FACTS) if watched else 0), np.int64),
            np.zeros((blocks, games, seats, watched), np.int64),
        )


def rotations(strategies: int) -> np.ndarray:
    """Seating in which all strategies share a table, once for each rotation: shape (games, seats), strategy numbers."""
    seats = np.arange(strategies)
    return (seats[None, :] - seats[:, None]) % strategies


def alone(strategies: int) -> np.ndarray:
    """Seating in which every strategy plays alone on the same dice: shape (games, 1)."""
    return np.arange(strategies)[:, None]


def appearances(seating: np.ndarray) -> np.ndarray:
    """Games of a block in which each strategy plays: int64, shape (strategies,)."""
    return np.bincount(seating.ravel())


def meetings(seating: np.ndarray) -> np.ndarray:
    """Games of a block in which two strategies sit at one table: int64, shape (strategies, strategies)."""
    plays = np.zeros((len(seating), int(seating.max()) + 1), np.int64)
    np.put_along_axis(plays, seating, 1, axis=1)
    met: np.ndarray = plays.T @ plays
    return met
