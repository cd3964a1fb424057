"""How weights look to a kernel: tables per block and mask into which the features that do not change were multiplied.

The value of crossing mask m of block b, for a player whose open cells there are o, is the sum of

* ``cross[b, m]``: what depends on the cells alone (cells, stars, distance, …),
* ``after[b, o - m] - before[b, o]``: what depends on the open cells of the block (leftover, pieces, singles, finished),
* columns filled and columns advanced, and new frontier cells: counted by the kernel,

and, not depending on the cells, of what the color, the dice and luck add. All terms but luck are exact (see features.py),
so the parts may be added in any order. The tables are three-dimensional: first the value in roll 1, then its change per
roll.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.keer_op_keer.features import INDEX, REPLY_CELLS, weight_vectors
from simulator.keer_op_keer.engine.tables import CELLS, SheetTables
from simulator.keer_op_keer.rules import Rules
from simulator.strategy import Scored, Strategy, Weights

CACHED, FRESH, LISTED, SCORED = 0, 1, 2, 3
"""How the best move is found: best cross of each block kept until it changes; found anew in every roll; by listing every
move with its luck; by listing every move for a scored function."""

TERMS = ("column_points", "column_progress", "color_points", "color_progress", "frontier", "jokers", "passing", "luck",
         "replies")  # fmt: skip
"""Signed weights of what a kernel adds itself."""

LENS = np.dtype(
    [
        ("kind", np.int64),
        ("sloped", np.int64),  # 1 if a weight changes with the roll
        ("asks_replies", np.int64),  # 1 if it looks at what it leaves to the others
        *((name, np.float64) for name in TERMS),  # in roll 1
        *((f"{name}_slope", np.float64) for name in TERMS),  # change per roll
    ],
    align=True,
)
"""One record per strategy: how it looks at a move. (A scored function has an empty one.)"""


class Valuation(NamedTuple):
    """A lens and its tables ``cross``, ``after``, ``before``: float64 (2, blocks, 64)."""

    lens: np.ndarray
    cross: np.ndarray
    after: np.ndarray
    before: np.ndarray


REPLY = Weights("replies", "what a reply is worth", {"points": 1.0, "cells": REPLY_CELLS})
"""The yardstick of the feature ``replies``."""


def sees_replies(strategy: Strategy) -> bool:
    """Whether the strategy asks what it leaves to the others."""
    if isinstance(strategy, Scored):
        return strategy.sees_replies
    return any(weights[INDEX["replies"]] for weights in weight_vectors(strategy))


def value(strategy: Strategy, tables: SheetTables, rules: Rules) -> Valuation:
    """Multiply the weights of a strategy into the tables of its sheet."""
    blocks = len(tables.blocks)
    result = Valuation(np.zeros((), LENS), *(np.zeros((2, blocks, 64)) for _ in range(3)))
    result.lens["asks_replies"] = sees_replies(strategy)
    if isinstance(strategy, Scored):
        result.lens["kind"] = SCORED
        return result
    vectors = [_expand_points(vector, rules) for vector in weight_vectors(strategy)]
    for vector, suffix in zip(vectors, ("", "_slope"), strict=True):
        for name in TERMS:
            result.lens[name + suffix] = vector[INDEX[name]]
    sloped, uses_luck, uses_frontier = (
        any(vectors[1]),
        any(v[INDEX["luck"]] for v in vectors),
        any(v[INDEX["frontier"]] for v in vectors),
    )
    result.lens["sloped"] = sloped
    result.lens["kind"] = LISTED if uses_luck else FRESH if sloped or uses_frontier else CACHED
    for i, vector in enumerate(vectors):
        _fill(i, vector, tables, result)
    return result


def _expand_points(vector: np.ndarray, rules: Rules) -> np.ndarray:
    """The same weights without ``points``, which is a sum of other features."""
    vector = vector.copy()
    points = vector[INDEX["points"]]
    vector[INDEX["points"]] = 0.0
    vector[INDEX["column_points"]] += points
    vector[INDEX["color_points"]] += points
    vector[INDEX["stars"]] += points * rules.star_penalty
    vector[INDEX["jokers"]] -= points * rules.mark_points
    vector[INDEX["passing"]] -= points * rules.pass_penalty
    return vector


def _fill(i: int, vector: np.ndarray, tables: SheetTables, result: Valuation) -> None:
    weight = {name: vector[index] for name, index in INDEX.items()}
    result.cross[i] = (
        weight["cells"] * CELLS
        + weight["stars"] * tables.patterns["stars"]
        + weight["start_cells"] * tables.patterns["start_cells"]
        + weight["distance"] * tables.patterns["distance"]
    )
    result.before[i] = weight["pieces"] * tables.pieces + weight["singles"] * tables.singles
    result.after[i] = result.before[i] + weight["leftover"] * CELLS + weight["finished"] * (CELLS == 0)
