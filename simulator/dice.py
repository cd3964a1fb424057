"""The dice of (seed, game, roll): a counter-based generator, the same in Python and in a kernel.

Nothing here has a state. ``roll_word(game_key(seed, game), roll, stream)`` is a pure function, so any game of any run
can be played again alone, and every strategy of a run meets the same dice, whatever the threads, chunks or machine.

The mixing function is the finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014). A key is one output of a SplitMix64 stream that starts at the mixed seed; the words of a game
are a second stream, with another odd increment, that starts at its key. A die takes the upper half of
``word * sides`` and leaves the lower half for the next one (Lemire 2019), which is exact to ``sides**dice / 2**64``.

The kernels carry the suffix ``_kernel``; the plain functions are their independent twins over Python integers.
"""

from __future__ import annotations

import numpy as np

from simulator.bits import multiply_high
from simulator.kernels import kernel

LUCK_STREAM = 8  # plus the seat; those below are for the game's dice

MASK = (1 << 64) - 1
GAME_STEP = 0x9E3779B97F4A7C15
ROLL_STEP = 0xD1B54A32D192ED03
STREAMS_PER_ROLL = 16
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB


def mix(word: int) -> int:
    """SplitMix64 finaliser: a bijection of the 64-bit integers in which every input bit reaches every output bit."""
    word = ((word ^ (word >> 30)) * _MIX_1) & MASK
    word = ((word ^ (word >> 27)) * _MIX_2) & MASK
    return word ^ (word >> 31)


def game_key(seed: int, game: int) -> int:
    """Key of all that is random in one game: 64 bits from ``seed`` and ``game``, each in ``[0, 2**64)``."""
    return mix((mix((seed + GAME_STEP) & MASK) + game * GAME_STEP) & MASK)


def roll_word(key: int, roll: int, stream: int) -> int:
    """64 random bits of roll ``roll`` (1, 2, …) in one of 16 streams: some for dice, one for the luck of each seat."""
    return mix((key + (roll * STREAMS_PER_ROLL + stream) * ROLL_STEP) & MASK)


def draw(word: int, sides: int, dice: int) -> list[int]:
    """``dice`` independent numbers in ``[0, sides)`` from one word."""
    drawn = []
    for _ in range(dice):
        product = word * sides
        drawn.append(product >> 64)
        word = product & MASK
    return drawn


def luck(word: int, candidate: int) -> float:
    """A number in ``[0, 1)`` with 53 random bits for candidate move ``candidate`` (0, 1, …) of a luck word."""
    return float(mix((word + candidate * GAME_STEP) & MASK) >> 11) * 2.0**-53


_U_MIX_1, _U_MIX_2 = np.uint64(_MIX_1), np.uint64(_MIX_2)
_U_GAME_STEP, _U_ROLL_STEP = np.uint64(GAME_STEP), np.uint64(ROLL_STEP)
_U11, _U27, _U30, _U31 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31)


@kernel
def mix_kernel(word):
    """Twin of :func:`mix` over ``uint64``."""
    word = (word ^ (word >> _U30)) * _U_MIX_1
    word = (word ^ (word >> _U27)) * _U_MIX_2
    return word ^ (word >> _U31)


@kernel
def game_key_kernel(seed, game):
    """Twin of :func:`game_key`: ``seed`` as ``uint64``, ``game`` as any non-negative integer; gives ``uint64``."""
    return mix_kernel(mix_kernel(np.uint64(seed) + _U_GAME_STEP) + np.uint64(game) * _U_GAME_STEP)


@kernel
def roll_word_kernel(key, roll, stream):
    """Twin of :func:`roll_word`: ``key`` as ``uint64``; gives ``uint64``."""
    return mix_kernel(key + np.uint64(roll * STREAMS_PER_ROLL + stream) * _U_ROLL_STEP)


@kernel
def draw_kernel(word, sides):
    """One step of :func:`draw`: the number drawn from a ``uint64`` word, and the word for the next one."""
    sides = np.uint64(sides)
    return np.int64(multiply_high(word, sides)), word * sides


@kernel
def luck_kernel(word, candidate):
    """Twin of :func:`luck`: ``word`` as ``uint64``; gives ``float64``."""
    return np.float64(mix_kernel(word + np.uint64(candidate) * _U_GAME_STEP) >> _U11) * 2.0**-53
