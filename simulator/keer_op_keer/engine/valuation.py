"""How weights look to a kernel: tables per block and mask into which the features that do not change were multiplied.

The value of crossing mask m of block b, for a player whose open cells there are o, is the sum of

* ``cross[b, m]``: what depends on the cells alone (cells, stars, distance, …),
* ``after[b, o - m] - before[b, o]``: what depends on the open cells of the block (leftover, pieces, singles, finished),
* columns filled and columns advanced, and new frontier cells: counted by the kernel,

and, not depending on the cells, of what the color, the dice and luck add. All terms but luck are exact (see
features.py), so the parts may be added in any order. The first axis of a table: the value in roll 1, its change per
roll.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.keer_op_keer.engine.scoring import ALL_FIELDS, Use
from simulator.keer_op_keer.engine.tables import CELLS, SheetTables
from simulator.keer_op_keer.features import INDEX, REPLY_CELLS, weight_vectors
from simulator.keer_op_keer.rules import Rules
from simulator.strategy import Scored, Strategy, Weights

CACHED, FRESH, LISTED, SCORED = 0, 1, 2, 3
"""How the best move is found: the best cross of each block is kept until it changes; or found anew in every roll; or
every move is listed, for its luck; or for a scored function."""

TERMS = ("column_points", "column_progress", "color_points", "color_progress", "frontier", "jokers", "passing", "luck",
         "replies")  # fmt: skip
"""Signed weights of what a kernel adds itself."""

ASKED = {
    "replies": ("replies",),
    "luck": ("luck",),
    "cells": ("column", "row"),
    "progress": ("column_progress", "color_progress"),
    "shape": ("frontier", "singles", "pieces"),
}
"""Fields of a move that are worked out for a scored function only if it reads one of their group; else undefined."""

LENS = np.dtype(
    [
        ("kind", np.int64),
        ("writes", np.int64),  # 1 if it is a function that may write into what it is given
        ("sloped", np.int64),  # 1 if a weight changes with the roll
        *((f"asks_{name}", np.int64) for name in ASKED),  # 1 if it looks at these fields of a move
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


def value(strategy: Strategy, use: Use | None, tables: SheetTables, rules: Rules) -> Valuation:
    """Multiply the weights of a strategy into the tables of its sheet; ``use`` is that of a scored function."""
    blocks = len(tables.blocks)
    result = Valuation(np.zeros((), LENS), *(np.zeros((2, blocks, 64)) for _ in range(3)))
    if isinstance(strategy, Scored):
        asked = use.fields if use else ALL_FIELDS
        result.lens["kind"] = SCORED
        result.lens["writes"] = use is None or use.writes
    else:
        asked = frozenset(name for name, i in INDEX.items() if any(v[i] for v in weight_vectors(strategy)))
    for group, fields in ASKED.items():
        result.lens[f"asks_{group}"] = not asked.isdisjoint(fields)
    if isinstance(strategy, Scored):
        return result
    vectors = [_expand_points(vector, rules) for vector in weight_vectors(strategy)]
    for vector, suffix in zip(vectors, ("", "_slope"), strict=True):
        for name in TERMS:
            result.lens[name + suffix] = vector[INDEX[name]]
    result.lens["sloped"] = any(vectors[1])
    fresh = any(vectors[1]) or "frontier" in asked
    result.lens["kind"] = LISTED if "luck" in asked else FRESH if fresh else CACHED
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
