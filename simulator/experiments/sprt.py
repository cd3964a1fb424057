"""A sequential test of a win share: play blocks until one of two values of the share is far likelier than the other.

The win share of a strategy over the games of a block lies between 0 and 1; with two players it is one of 0, 1/4, 1/2,
3/4, 1. "low" says that its mean over all blocks is ``low``, "high" that it is ``high``. Neither says how the shares are
distributed, so each is given the distribution with its mean that makes the blocks likeliest, and the log of the ratio
of the two likelihoods is followed until it leaves the bounds of Wald's test. (Generalized sequential probability ratio
test: Li, Liu & Ying 2014; for pairs of games: M. Van den Bergh, "A practical introduction to the GSPRT", and
``LLRcalc.py`` of fishtest.)

The likeliest distribution is sought among *all* those on [0, 1]. It gives weight to values that were observed, and
perhaps to 0 or 1, never to another. So the ratio is that of the multinomial wherever both 0 and 1 were observed, and it
has a meaning and a finite value wherever they were not: after a single block, or if all blocks were won. (Fishtest puts
0.001 block into each empty count instead; this is the limit of adding ever less.)

Error rates and numbers of blocks are checked by simulation, see ``tests/experiments/test_sprt.py``. With a look every
64 blocks, and the first after 64, neither error was more frequent than the 5 % asked for; rarer looks and hypotheses
farther apart make both rarer. Only where all but a few blocks in a thousand were equal, or every single block was
looked at, did 5 % become up to 5.7 %: the spread is then known from some twenty blocks when the test ends.

If the true share lies between the two, the test takes longest. It does not end at all while both stay equally likely,
as with strategies that share every win and values symmetric about a half: who plays must limit the number of blocks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np

Verdict = Literal["low", "high"]

_STEPS = 200  # never needed: 60,000 sets of random counts up to 1e9 took at most 50
_PRECISION = 1e-12  # of a log likelihood, absolute


def log_likelihood_ratio(values: np.ndarray, counts: np.ndarray, low: float, high: float) -> float:
    """Log of how much likelier the blocks are under "high" than under "low"; 0 of no blocks.

    Parameters
    ----------
    values : float array, shape (v,)
        Win shares that a block can have, 0 to 1, each once. Those without blocks may be left out.
    counts : int array, shape (v,)
        Blocks with each.
    low, high : float
        The two mean win shares, 0 < low < high < 1.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    if not 0 < low < high < 1:
        raise ValueError(f"the shares must be 0 < low < high < 1; got {low} and {high}")
    observed = [(value, count) for value, count in zip(values.tolist(), counts.tolist(), strict=True) if count]
    if not all(0 <= value <= 1 and count > 0 for value, count in observed):
        raise ValueError("block shares must be from 0 to 1, and counts not negative")
    return _distance(observed, low) - _distance(observed, high)


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Log likelihood ratios at which the test ends, lower and upper (Wald 1945).

    Parameters
    ----------
    alpha, beta : float
        Chances of "high" when the share is low, and of "low" when it is high; each above 0, together below 1.
    """
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise ValueError(f"the error rates must be above 0 and together below 1; got {alpha} and {beta}")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def decide(llr: float, alpha: float, beta: float) -> Verdict | None:
    """What a log likelihood ratio says: the share is taken for low, for high, or (``None``) more blocks are needed."""
    lower, upper = bounds(alpha, beta)
    if llr <= lower:
        return "low"
    return "high" if llr >= upper else None


def _distance(observed: list[tuple[float, int]], share: float) -> float:
    """How much less likely the blocks are under the best distribution with this mean than under the best of all.

    With c blocks of win share v, the largest sum of ``c * log(1 + x * (v - share))`` over x from -1 / (1 - share) to
    1 / share: the dual of the largest likelihood under a constraint on the mean (Owen 1988; on [0, 1]: Honda & Takemura
    2010). Each value has the weight ``c / blocks / (1 + x * (v - share))``. Only at an end of x these do not add up to
    1; the rest is the weight of 1 (at the first end) or 0 (at the last), without a block there.
    """
    blocks = sum(count for _, count in observed)
    lost = sum(count for value, count in observed if value == 0)
    won = sum(count for value, count in observed if value == 1)
    if not blocks:
        return 0.0
    deviations = [(value - share, count) for value, count in observed]
    # No weight is above 1, which keeps x off the poles that observed zeros and ones make of the two ends.
    x = _peak(deviations, (won / blocks - 1) / (1 - share), (1 - lost / blocks) / share)
    return sum(count * math.log1p(x * deviation) for deviation, count in deviations)


def _peak(deviations: list[tuple[float, int]], first: float, last: float) -> float:
    """Where from ``first`` < 0 to ``last`` > 0 that sum is largest: by Newton's method, kept between halving bounds."""
    slope, bend = _derivatives(deviations, 0.0)
    if slope == 0:
        return 0.0
    end = last if slope > 0 else first
    if slope * _derivatives(deviations, end)[0] >= 0:
        return end
    first, last = (0.0, end) if slope > 0 else (end, 0.0)
    x = 0.0
    for _ in range(_STEPS):
        step = slope / bend
        x += step
        if slope * step < _PRECISION:  # twice what is left to be gained
            break
        if not first < x < last:
            x = (first + last) / 2
        slope, bend = _derivatives(deviations, x)
        first, last = (x, last) if slope > 0 else (first, x)
    return x


def _derivatives(deviations: list[tuple[float, int]], x: float) -> tuple[float, float]:
    """The first derivative by x of the sum in :func:`_distance`, and minus the second, which is never negative."""
    slope = bend = 0.0
    for deviation, count in deviations:
        part = deviation / (1 + x * deviation)
        weighted = count * part
        slope += weighted
        bend += weighted * part
    return slope, bend
