"""Who is stronger: ratings of a tournament, and what may be said of its pairs. Functions of arrays alone.

A tournament of n strategies has T tables of k seats. Every table plays the same deals; a *block* is one deal, played at
every table ``games`` times. Blocks are independent, games of a block are not: not even at different tables, as they
share their dice. All errors therefore come from the totals of blocks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.experiments.estimates import CONFIDENCE, Estimate, t_quantile

ELO = 400 / math.log(10)  # points of a strength of 1, so that 400 points are odds of 10 to 1 (Elo 1978)
PRECISION = 1e-13  # of strengths, relative
ROUNDING = 1e-13  # part of two sums of squares that may remain of the sum of squares of a difference of 0

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Strengths:
    """Strengths of the strategies of a tournament.

    Parameters
    ----------
    theta : array of float, shape (n,)
        Strengths; they add up to 0.
    covariance : array of float, shape (n, n)
        Of their errors.
    blocks : int
        Blocks played. They are also the degrees of freedom of the errors: with the drawn block one more is counted.
    """

    theta: Floats
    covariance: Floats
    blocks: int

    def elo(self, confidence: float = CONFIDENCE) -> tuple[Estimate, ...]:
        """Elo rating of each strategy, with mean 0, and its interval by Student's t distribution."""
        variances = self.covariance.diagonal().tolist()
        return tuple(
            self._estimate(float(value), variance, confidence)
            for value, variance in zip(self.theta, variances, strict=True)
        )

    def difference(self, i: int, j: int, confidence: float = CONFIDENCE) -> Estimate:
        """Elo rating of strategy i minus that of j, and its interval.

        All are 0, not nearly 0, for strategies that won the same in every block.
        """
        own = float(self.covariance[i, i] + self.covariance[j, j])
        variance = own - 2 * float(self.covariance[i, j])
        return self._estimate(float(self.theta[i] - self.theta[j]), variance, confidence)

    def _estimate(self, value: float, variance: float, confidence: float) -> Estimate:
        se = ELO * math.sqrt(max(variance, 0.0))
        half = t_quantile(self.blocks, confidence) * se
        return Estimate(ELO * value, se, ELO * value - half, ELO * value + half)


def bradley_terry(
    tables: npt.ArrayLike, games: int, blocks: int, sums: npt.ArrayLike, products: npt.ArrayLike
) -> Strengths:
    """Strengths by maximum likelihood: i wins at a table with chance exp(theta_i) / sum over the table of exp(theta_j).

    That is the model of Bradley and Terry (1952) for pairs, of Luce (1959) for larger tables. With W the games that
    each strategy won in a block, the log-likelihood of a block is
    ``W @ theta - games * sum over the tables of log(sum over the table of exp(theta_j))``.

    One *drawn block*, in which every game is shared by all at its table, is added to those played. Strengths and
    errors are then finite, and errors not 0, even if a strategy wins or loses everything. (The error is 0 of one that
    wins its equal part of every block.) It pulls strengths together, by something of the order of 1 / ``blocks``.

    Errors are those of the sandwich H⁻¹SH⁻¹ (Huber 1967) over blocks (Liang and Zeger 1986): H is the Hessian where
    strengths add up to 0; S is the sum of ``(W - mean)(W - mean)ᵀ`` over the N = ``blocks`` + 1 blocks, times
    N / (N - 1). They hold for any dependence within a block. They also hold if no strengths explain the results, as
    when three strategies beat each other in turn; theta then is what comes closest.

    Parameters
    ----------
    tables : array of int, shape (T, k)
        Strategies at each table: every group of k of them, or every one with the first strategy. (So two that won the
        same in every block are equal.)
    games : int
        Games of a block at each table.
    blocks : int
        Blocks played.
    sums : array, shape (n,)
        Sum of W over the blocks; a shared win counts in parts. Any unit will do, such as sixtieths of a win, if
        ``games`` is in the same. Integers, also Python's in an array of objects, are used exactly.
    products : array, shape (n, n)
        Sum of W Wᵀ over the blocks, in the square of that unit.

    Raises
    ------
    ValueError
        No blocks.
    """
    places, wins = np.asarray(tables), _exact(sums)
    if blocks < 1:
        raise ValueError(f"strengths need at least one block, not {blocks}")
    shares, errors, twins = _with_drawn_block(places, games, blocks, wins, _exact(products))
    theta, hessian = _fit(places, shares)
    bread = np.linalg.inv(hessian)
    covariance = bread @ errors @ bread
    theta, covariance = theta[twins], covariance[np.ix_(twins, twins)]
    return Strengths(theta - theta.mean(), (covariance + covariance.T) / 2, blocks)


def _exact(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Integers as Python's, which do not overflow."""
    array = np.asarray(values)
    return array.astype(object) if array.dtype.kind in "iu" else array


def _with_drawn_block(
    tables: npt.NDArray[np.int_], games: int, blocks: int, sums: npt.NDArray[Any], products: npt.NDArray[Any]
) -> tuple[Floats, Floats, npt.NDArray[np.intp]]:
    """What the blocks say when the drawn block is one of them; exact up to the last division.

    Everything is multiplied by the seats, to stay in integers, and totals are counted from those of the drawn block,
    which so adds nothing but itself to the number of blocks.

    Returns
    -------
    shares : array of float, shape (n,)
        Mean wins, where every table plays one game.
    errors : array of float, shape (n, n)
        Covariance matrix of their errors.
    twins : array of int, shape (n,)
        First strategy that won the same in every block as this one.
    """
    seats, number = tables.shape[1], blocks + 1
    drawn = games * np.bincount(tables.ravel(), minlength=len(sums)).astype(object)
    total = seats * sums - blocks * drawn
    cross = seats * np.outer(sums, drawn)
    squares = seats**2 * products - cross - cross.T + blocks * np.outer(drawn, drawn)
    spread = (number * squares - np.outer(total, total)) / blocks
    own = squares.diagonal()[:, None] + squares.diagonal()
    same = own - 2 * squares <= ROUNDING * own
    unit = seats * games * number
    shares = (seats * sums + drawn) / unit
    return shares.astype(float), (spread / unit**2).astype(float), same.astype(bool).argmax(axis=1)


def _fit(tables: npt.NDArray[np.int_], shares: Floats) -> tuple[Floats, Floats]:
    """Strengths with which every strategy is expected to win its share, and the Hessian there; shapes (n,), (n, n).

    These are the equations of maximum likelihood. Solved as such, not as a minimum: values of the likelihood, which
    the minimizers of scipy compare, have too few digits near it and would leave gradients of up to 1e-5.
    """
    from scipy.optimize import root

    n = len(shares)
    entries = (tables[:, :, None] * n + tables[:, None, :]).ravel()

    def surplus(theta: Floats) -> tuple[Floats, Floats]:
        expected, hessian = _moments(theta, tables, entries)
        return expected - shares, hessian

    found = root(surplus, np.zeros(n), jac=True, method="lm", tol=PRECISION)
    if not found.success:
        raise ArithmeticError(f"no strengths: {found.message}")
    theta: Floats = found.x
    return theta, surplus(theta)[1]


def _moments(theta: Floats, tables: npt.NDArray[np.int_], entries: npt.NDArray[np.int_]) -> tuple[Floats, Floats]:
    """Expected wins of a game at every table, shape (n,), and their derivatives, shape (n, n).

    Derivatives have a constant added that makes them regular and leaves them as they are where strengths add up to 0.
    ``entries`` are the places in the matrix of all pairs of each table.
    """
    n = len(theta)
    strengths = theta[tables]
    odds = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    chances = odds / odds.sum(axis=1, keepdims=True)
    expected = np.bincount(tables.ravel(), chances.ravel(), n).astype(float)
    pairs = chances[:, :, None] * chances[:, None, :]
    derivatives = np.diag(expected) - np.bincount(entries, pairs.ravel(), n * n).reshape(n, n)
    return expected, derivatives + derivatives.trace() / n**2


def superiority(difference: float, se: float) -> float:
    """Likelihood of superiority, from 0 to 1: Φ(difference / se), as in the testing of chess engines ("LOS").

    It is the posterior chance of being stronger if nothing was known before. 0.5 for a difference of 0, also if that
    is certain.
    """
    from scipy.special import ndtr

    return float(ndtr(_in_errors(difference, se)))


def p_value(difference: float, se: float, degrees: float) -> float:
    """Chance of a difference at least this large, either way, if there is none; by Student's t distribution.

    ``degrees`` of freedom are the blocks behind a difference of ratings. Without difference the chance is 1.
    """
    from scipy.special import stdtr

    return float(2 * stdtr(degrees, -abs(_in_errors(difference, se))))


def _in_errors(difference: float, se: float) -> float:
    """A difference in standard errors: 0 of nothing, else infinite if it is certain."""
    if se > 0:
        return difference / se
    return math.copysign(math.inf, difference) if difference else 0.0


def holm(p: npt.ArrayLike) -> Floats:
    """P-values adjusted for being several (Holm 1979), in the order given, shape (m,).

    If those below 0.05 are called significant, the chance that any of them is so by luck is at most 5 %, however the
    p-values depend on each other.
    """
    values = np.asarray(p, dtype=float)
    order = np.argsort(values)
    stepped = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted


def tie_groups(different: npt.ArrayLike) -> list[tuple[int, int]]:
    """Runs of ranks in which no two strategies can be told apart, none within another: (first, last), from 0.

    Runs may overlap: a may be as good as b, and b as good as c, but a better than c. Runs of one are left out.

    Parameters
    ----------
    different : array of bool, shape (n, n)
        Which can be told apart, symmetric; strategies in order of rank.
    """
    matrix = np.asarray(different, dtype=bool)
    n = len(matrix)
    firsts = [0]  # for each last rank, the first of the longest run that ends there
    for last in range(1, n):
        others = np.flatnonzero(matrix[last, :last]).tolist()
        firsts.append(max(firsts[-1], others[-1] + 1 if others else 0))
    ends = [last for last in range(n) if last == n - 1 or firsts[last + 1] > firsts[last]]
    return [(firsts[last], last) for last in ends if firsts[last] < last]


def rank_ranges(sign: npt.ArrayLike) -> list[tuple[int, int]]:
    """Best and worst rank, from 1, that the differences leave open to each strategy.

    Parameters
    ----------
    sign : array of int, shape (n, n)
        1 where the strategy of the row is significantly better than that of the column, -1 where worse, else 0.
    """
    matrix = np.asarray(sign)
    best = 1 + (matrix < 0).sum(axis=1)
    worst = len(matrix) - (matrix > 0).sum(axis=1)
    return list(zip(best.tolist(), worst.tolist(), strict=True))


def cycles(beats: npt.ArrayLike) -> list[tuple[int, int, int]]:
    """Triples in which i beats j, j beats k and k beats i: each once, in order, i the smallest of the three.

    Parameters
    ----------
    beats : array of bool, shape (n, n)
        Whether the strategy of the row beats that of the column.
    """
    matrix = np.asarray(beats, dtype=bool)
    later = np.triu(np.ones_like(matrix), 1)
    found = (matrix & later)[:, :, None] & matrix[None, :, :] & (matrix.T & later)[:, None, :]
    return [(i, j, k) for i, j, k in np.argwhere(found).tolist()]
