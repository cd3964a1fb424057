"""Weights: what is refused, and that weighted sums are exact."""

from __future__ import annotations

import math

import pytest

from simulator.errors import StrategyError, UnknownNameError
from simulator.keer_op_keer.features import (
    FEATURE_NAMES,
    INDEX,
    REPLY_CELLS,
    SIGNS,
    weight_vectors,
)
from simulator.keer_op_keer.rules import COLUMNS, MAX_NUMBER, MAX_PLAYERS, MAX_ROLLS, ROWS, Rules
from simulator.keer_op_keer.sheet import MAX_BLOCK, MAX_OF_COLOR
from simulator.sight import MAX_CHANGE, MAX_WEIGHT, WEIGHT_STEP
from simulator.strategy import Weights


def test_no_weighted_sum_needs_more_bits_than_a_float_has() -> None:
    """The largest features that any rules and sheets allow, all at the largest weight in the last roll."""
    points = max(switch.high for switch in Rules.switches() if switch.high < MAX_ROLLS)
    columns_filled = MAX_NUMBER * points
    move = columns_filled + points + MAX_NUMBER * points + 2 * points + points  # columns, color, stars, marks, pass
    largest = dict.fromkeys(FEATURE_NAMES, MAX_BLOCK)
    largest |= {
        "points": move,
        "column_points": columns_filled,
        "color_points": points,
        "distance": MAX_NUMBER * len(COLUMNS),
        "column_progress": points * MAX_NUMBER * ROWS**2,
        "color_progress": points * (MAX_OF_COLOR**2 - (MAX_OF_COLOR - MAX_NUMBER) ** 2),
        "frontier": 4 * MAX_NUMBER,
        "replies": (MAX_PLAYERS - 1) * move,
    }
    weight = MAX_WEIGHT + (MAX_ROLLS - 1) * MAX_CHANGE
    assert weight * sum(largest.values()) / (WEIGHT_STEP * REPLY_CELLS) < 2**53


def test_weights_are_signed_and_rounded() -> None:
    weights, changes = weight_vectors(Weights("w", "", {"points": 0.1, "jokers": 3}, {"stars": -0.01}))
    assert weights[INDEX["points"]] == round(0.1 * 65536) / 65536
    assert weights[INDEX["jokers"]] == -3
    assert changes[INDEX["stars"]] == -round(0.01 * 65536) / 65536
    assert SIGNS[INDEX["jokers"]] == -1


@pytest.mark.parametrize("weight", [1000.001, -1001, math.nan, math.inf, True, "1"])
def test_weights_out_of_range_are_refused(weight: float) -> None:
    with pytest.raises(StrategyError, match=r"'w': weight of stars must be a number from -1000 to 1000; got"):
        weight_vectors(Weights("w", "", {"stars": weight}))


def test_changes_out_of_range_are_refused() -> None:
    with pytest.raises(StrategyError, match=r"change per roll of stars must be a number from -10 to 10; got 11"):
        weight_vectors(Weights("w", "", {}, {"stars": 11}))


def test_weights_that_would_vanish_are_refused() -> None:
    with pytest.raises(StrategyError, match="1e-06 for luck is less than half of the smallest step"):
        weight_vectors(Weights("w", "", {"luck": 1e-6}))
    weight_vectors(Weights("w", "", {"luck": 0.0, "stars": 1e-5}))


def test_unknown_features_are_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="'singels'; did you mean 'singles'"):
        weight_vectors(Weights("w", "", {"singels": 1}))
