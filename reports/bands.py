"""By which bands solo scores are rated: the official ones of the game, or some that are proposed for this result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from simulator.experiments.result import Result
from simulator.game import Band


def bands_shown(result: Result) -> tuple[Band, ...]:
    """The bands of every table and plot of a result, from the lowest.

    Empty for tables of several players, for games without official bands if none are wanted, and if bands are to be
    proposed but nothing was played.
    """
    plan, tally = result.plan, result.tally
    if not plan.solo:
        return ()
    return proposed(tally.scores[0], tally.low, plan.levels, plan.played.bands) if plan.levels else plan.played.bands


def proposed(histogram: np.ndarray, low: int, levels: int, official: Sequence[Band]) -> tuple[Band, ...]:
    """Bands that are reached as nearly equally often as whole points allow, see :func:`cut`.

    Parameters
    ----------
    histogram : int64 array, shape (scores,)
        Games by score, from ``low`` on.
    low : int
        Score of the first of them, points.
    levels : int
        Bands wanted. There are fewer if there are fewer different scores, and none of no games.
    official : sequence of Band
        Names and stars if there are as many of them as bands; else the bands are ``level 1`` and so on, without stars.
    """
    reached = np.flatnonzero(histogram)
    if not len(reached):
        return ()
    levels = min(levels, len(reached))
    begins = [low + int(reached[place]) for place in cut(histogram[reached].tolist(), levels)]
    plain = [Band(None, None, "", f"level {i}", f"niveau {i}") for i in range(1, levels + 1)]
    named = official if len(official) == levels else plain
    ranges = zip([None, *begins], [*(begin - 1 for begin in begins), None], strict=True)
    return tuple(band._replace(low=least, high=most) for band, (least, most) in zip(named, ranges, strict=True))


def cut(counts: Sequence[int], levels: int) -> list[int]:
    """Where to cut so that levels hold as nearly the same number of games as can be.

    The sum of the squared deviations of all levels from equal shares is the least of all cuts. As the shares add up
    to 1, that is where the sum of the squared numbers of games is least, which is exact.

    Parameters
    ----------
    counts : sequence of int
        Games of each score that was reached, all above 0, from the lowest score.
    levels : int
        1 to ``len(counts)``.

    Returns
    -------
    list of int
        Places in ``counts`` at which the second level and all above it begin, rising. Of cuts that are equally good the
        one whose highest level begins lowest; then the next one below, and so on.
    """
    below = [0, *accumulate(counts)]
    least = [games**2 for games in below]  # of the first scores, so many, in as many levels as were gone through
    begins = [[0] * len(below)]  # of the highest of so many levels, by the number of scores that they hold
    for level in range(1, levels):
        begins.append([len(counts)] * (len(below) + 1))
        for end in range(len(counts), level, -1):  # downwards: what is read of ``least`` has one level less
            # One level more never begins lower, nor do fewer scores let it begin higher (Knuth 1971, Yao 1980).
            first, last = max(begins[-2][end], level), min(begins[-1][end + 1], end - 1)
            tried = ((least[begin] + (below[end] - below[begin]) ** 2, begin) for begin in range(first, last + 1))
            least[end], begins[-1][end] = min(tried)
    places = [len(counts)]
    for begin in reversed(begins[1:]):
        places.append(begin[places[-1]])
    return places[:0:-1]
