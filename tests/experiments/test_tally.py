"""Tallies are exact, and the sum of the parts is the whole."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.experiments.tally import Pair, Tally, block_products, count
from simulator.outcomes import WHOLE_SHARE, Outcomes, alone, rotations
from tests.experiments.fakes import plain
from tests.experiments.naive import naive_count

RANGE = (-30, 40)


def random_outcomes(seed: int, blocks: int, seating: np.ndarray, score_range: tuple[int, int] = RANGE) -> Outcomes:
    """Any outcomes that obey the contract."""
    rng = np.random.default_rng(seed)
    games, seats = seating.shape
    out = Outcomes.empty(blocks, games, seats, 3)
    out.scores[:] = rng.integers(score_range[0], score_range[1] + 1, out.scores.shape)
    out.parts[:] = rng.integers(-9, 9, out.parts.shape)
    out.rolls[:] = rng.integers(1, 40, out.rolls.shape)
    out.stopped[:] = rng.integers(0, 2, out.stopped.shape)
    best = out.scores == out.scores.max(axis=2, keepdims=True)
    out.shares[:] = best * WHOLE_SHARE // best.sum(axis=2, keepdims=True)
    return out


def counter(histogram: np.ndarray, low: int) -> Counter[int]:
    """Histogram as a counter by value."""
    return Counter({low + int(i): int(histogram[i]) for i in np.flatnonzero(histogram)})


def tables(strategies: int, seats: int, *, focus: bool = False) -> np.ndarray:
    """Seating of a tournament, game by game."""
    games = []
    for table in combinations(range(strategies), seats):
        if not focus or 0 in table:
            games += [[table[(seat - game) % seats] for seat in range(seats)] for game in range(seats)]
    return np.array(games)


sizes = st.integers(2, 4).flatmap(lambda seats: st.tuples(st.integers(seats, 6), st.just(seats), st.booleans()))
tournaments = sizes.map(lambda size: tables(size[0], size[1], focus=size[2]))
seatings = st.one_of(st.integers(2, 6).map(rotations), st.integers(1, 6).map(alone), tournaments)


@given(st.integers(0, 2**32), st.integers(0, 12), seatings)
@settings(max_examples=60, deadline=None)
def test_same_as_counting_game_by_game(seed: int, blocks: int, seating: np.ndarray) -> None:
    outcomes = random_outcomes(seed, blocks, seating)
    tally, naive = count(outcomes, seating, RANGE), naive_count(outcomes, seating)
    low, high = RANGE
    assert (tally.blocks, tally.games) == (blocks, blocks * len(seating))
    assert (tally.ties, tally.stopped) == (naive.ties, naive.stopped)
    assert [counter(h, low) for h in tally.scores] == naive.scores
    assert [counter(h, low - high) for h in tally.margins] == naive.margins
    assert counter(tally.rolls, 0) == naive.rolls
    for i in range(tally.strategies):
        assert tally.outright[i] == naive.outright[i]
        assert tally.shared[i] == naive.shared[i]
        assert tally.parts[i].tolist() == [naive.parts.get((i, p), 0) for p in range(3)]
    if blocks:
        sums = np.array(naive.block_sums)
        assert tally.sums.tolist() == sums.sum(axis=0).tolist()
        assert tally.products.tolist() == (sums.T @ sums).tolist()
    else:
        assert plain(tally) == plain(Tally.empty(seating, 3, RANGE))


@given(st.integers(0, 2**32), st.integers(1, 12), tournaments)
@settings(max_examples=60, deadline=None)
def test_pairs_are_counted_block_by_block(seed: int, blocks: int, seating: np.ndarray) -> None:
    outcomes = random_outcomes(seed, blocks, seating)
    tally, naive = count(outcomes, seating, RANGE), naive_count(outcomes, seating)
    strategies, seats = tally.strategies, seating.shape[1]
    if seats == strategies:
        assert tally.pair_sums.shape == tally.pair_squares.shape == (3, 0, 0)
        assert counter(tally.block_wins, 0) == naive.block_wins
        assert len(tally.block_wins) == 60 * seats + 1
        return
    assert len(tally.block_wins) == 0
    for measure, name in ((Pair.SHARE, "share"), (Pair.SHARE_LEAD, "share lead"), (Pair.SCORE_LEAD, "score lead")):
        for i, j in product(range(strategies), repeat=2):
            values = [pairs[name, i, j] for pairs in naive.pairs]
            assert tally.pair_sums[measure, i, j] == sum(values)
            assert tally.pair_squares[measure, i, j] == sum(value**2 for value in values)


@given(st.integers(0, 2**32), st.lists(st.integers(0, 7), min_size=1, max_size=6), seatings, st.randoms())
@settings(max_examples=60, deadline=None)
def test_sum_of_the_pieces_is_the_whole_in_any_order(
    seed: int, cuts: list[int], seating: np.ndarray, order: random.Random
) -> None:
    blocks = sum(cuts)
    outcomes = random_outcomes(seed, blocks, seating)
    whole = count(outcomes, seating, RANGE)
    pieces, first = [], 0
    for size in cuts:
        part = Outcomes(*(getattr(outcomes, name)[first : first + size] for name in outcomes.__dataclass_fields__))
        pieces.append(count(part, seating, RANGE))
        first += size
    order.shuffle(pieces)
    total = Tally.empty(seating, 3, RANGE)
    for piece in pieces:
        total = total + piece
    assert plain(total) == plain(whole)


def test_block_sums_against_numpy() -> None:
    seating = rotations(3)
    outcomes = random_outcomes(5, 500, seating)
    tally = count(outcomes, seating, RANGE)
    place = {variable: i for i, variable in enumerate(Tally.variables(3))}
    seat = np.argsort(seating, axis=1)  # of each strategy, by game
    scores = np.stack([sum(outcomes.scores[:, g, seat[g, i]] for g in range(3)) for i in range(3)])
    n = tally.blocks
    for i in range(3):
        for j in range(3):
            a, b = place["score", i], place["score", j]
            cov = (n * tally.products[a, b] - tally.sums[a] * tally.sums[b]) / (n * (n - 1))
            assert cov == pytest.approx(np.cov(scores)[i, j])


def test_no_overflow_of_sums_of_squares() -> None:
    seating, extreme = rotations(6), (-110_000, 12_000)
    outcomes = random_outcomes(1, 30, seating, extreme)
    tally = count(outcomes, seating, extreme)
    grown = tally
    for _ in range(40):  # 2**40 times as much: beyond 1e12 games
        grown = grown + grown
    assert grown.games > 10**12
    assert grown.products.tolist() == [[2**40 * x for x in row] for row in tally.products.tolist()]
    assert max(map(max, grown.products.tolist())) > 2**63
    assert (grown.scores == 2**40 * tally.scores).all()
    assert (grown.parts == 2**40 * tally.parts).all()


def test_no_overflow_within_a_chunk() -> None:
    assert block_products(np.array([[2**33, 3], [2**33, -1]])).tolist() == [[2**67, 2**34], [2**34, 10]]


def test_scores_beyond_the_bounds_are_refused() -> None:
    seating = rotations(2)
    with pytest.raises(ValueError, match="beyond the bounds"):
        count(random_outcomes(1, 50, seating), seating, (0, 40))


def test_tallies_of_different_experiments_do_not_mix() -> None:
    with pytest.raises(ValueError, match="different experiments"):
        Tally.empty(rotations(2), 5, (0, 9)) + Tally.empty(rotations(3), 5, (0, 9))
