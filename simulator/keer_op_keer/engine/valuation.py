"""How weights look to a kernel: tables per block and mask into which the features that do not change were multiplied.

The value of crossing mask m of block b, for a player whose open cells there are o, is the sum of

* ``cross[b, m]``: what depends on the cells alone (cells, stars, distance, …),
* ``after[b, o - m] - before[b, o]``: what depends on the open cells of the block (leftover, pieces, singles, finished),
* columns filled and columns advanced, and new frontier cells: counted by the kernel,

and, not depending on the cells, of what the color, the dice and luck add. All terms but luck are exact (see
features.py), so the parts may be added in any order. The first axis of these tables: the value in roll 1, its change
per roll. Weights that do not change are also multiplied into tables by the state of a block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.keer_op_keer.engine.constants import NO_MOVE
from simulator.keer_op_keer.engine.tables import (
    CELLS,
    MASKS,
    OPEN_IN_STATE,
    REACHED_IN_STATE,
    TOUCHING,
    SheetTables,
)
from simulator.keer_op_keer.features import INDEX, REPLY_CELLS, SIGHT, VIEW, weight_vectors
from simulator.keer_op_keer.rules import MAX_NUMBER, Rules
from simulator.lanes import LANES
from simulator.scoring import Use
from simulator.strategy import Scored, Strategy, Weights

BY_BLOCK, LISTED, SCORED = 0, 1, 2
"""How the best move is found: from the best cross of each block; or every move is listed, for its luck; or for a scored
function."""

TERMS = ("column_points", "column_progress", "color_points", "color_progress", "frontier", "jokers", "passing", "luck",
         "replies")  # fmt: skip
"""Signed weights of what a kernel adds itself."""

SHOWN_ANYHOW = ("roll", "players", "active", "color_dice", "number_dice", "marks", "score", "stars_left", "colors_full",
                "other_marks", "other_score", "other_stars_left", "other_colors_full")  # fmt: skip
"""Fields of a view that are brought up to date in every roll; the others show the sheets."""

ASKED = {
    "replies": ("replies",),
    "luck": ("luck",),
    "cells": ("column", "row"),
    "progress": ("column_progress", "color_progress"),
    "shape": ("frontier", "singles", "pieces"),
    "sheets": tuple(name for name in VIEW.names or () if name not in SHOWN_ANYHOW),
}
"""Fields of moves and views that are worked out for a scored function only if it reads one of their group (``sheets``:
+10 % games a second); else undefined."""

LENS = np.dtype(
    [
        ("kind", np.int64),
        ("fresh", np.int64),  # 1 if the best crosses of the blocks are found anew in every roll
        ("tabled", np.int64),  # 1 if they are looked up, but those that fill a column
        ("writes", np.int64),  # 1 if it is a function that may write into what it is given
        ("sloped", np.int64),  # 1 if a weight changes with the roll
        *((f"asks_{name}", np.int64) for name in ASKED),  # 1 if it looks at these fields of a move or a view
        *((name, np.float64) for name in TERMS),  # in roll 1
        *((f"{name}_slope", np.float64) for name in TERMS),  # change per roll
    ],
    align=True,
)
"""One record per strategy: how it looks at a move. (That of a scored function has no weights.)"""


class Valuation(NamedTuple):
    """A lens and its tables.

    ``cross``, ``after``, ``before`` float64 (2, blocks, 64). ``state_value`` float64 (states, 8): the value of the best
    cross of number n in each state of each block, in lane n - 1, but for columns; ``state_masks`` int64 (states,): its
    mask, the least of equal ones, from bit 8 * (n - 1) on. No states if the lens is not ``tabled``.
    """

    lens: np.ndarray
    cross: np.ndarray
    after: np.ndarray
    before: np.ndarray
    state_value: np.ndarray
    state_masks: np.ndarray


_NOT_OF_CROSSES = ("passing", "luck", "jokers", "replies")

REPLY = Weights("replies", "what a reply is worth", {"points": 1.0, "cells": REPLY_CELLS})
"""The yardstick of the feature ``replies``."""


def value(strategy: Strategy, use: Use | None, tables: SheetTables, rules: Rules) -> Valuation:
    """Multiply the weights of a strategy into the tables of its sheet; ``use`` is that of a scored function."""
    blocks = len(tables.blocks)
    by_mask = [np.zeros((2, blocks, MASKS)) for _ in range(3)]
    result = Valuation(np.zeros((), LENS), *by_mask, np.zeros((0, LANES)), np.zeros(0, np.int64))
    if isinstance(strategy, Scored):
        asked = use.fields if use else SIGHT.fields
        result.lens["kind"] = SCORED
        result.lens["writes"] = use is None or use.writes
    else:
        assert isinstance(strategy, Weights)
        asked = frozenset(name for name, i in INDEX.items() if any(v[i] for v in weight_vectors(strategy)))
    for group, fields in ASKED.items():
        result.lens[f"asks_{group}"] = not asked.isdisjoint(fields)
    if not isinstance(strategy, Weights):
        return result
    vectors = [_expand_points(vector, rules) for vector in weight_vectors(strategy)]
    for vector, suffix in zip(vectors, ("", "_slope"), strict=True):
        for name in TERMS:
            result.lens[name + suffix] = vector[INDEX[name]]
    result.lens["sloped"] = any(vectors[1])
    result.lens["kind"] = LISTED if "luck" in asked else BY_BLOCK
    changing = any(vectors[1][i] for name, i in INDEX.items() if name not in _NOT_OF_CROSSES)
    result.lens["fresh"] = changing or "frontier" in asked
    for i, vector in enumerate(vectors):
        _fill(i, vector, tables, result)
    constant = asked.isdisjoint(("luck", "frontier", "column_progress")) and not changing
    if constant and result.lens["column_points"] >= 0:  # else to fill a column could make the best cross a bad one
        result.lens["tabled"] = 1
        result = result._replace(**_by_state(result, tables))
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


def _by_state(valuation: Valuation, tables: SheetTables) -> dict[str, np.ndarray]:
    """The tables by state."""
    last = tables.blocks[-1]
    every = int(last["first_state"]) + 3 ** int(CELLS[last["cells"]])
    values, masks = np.full((every, LANES), NO_MOVE), np.zeros(every, np.int64)
    for index, block in enumerate(tables.blocks):
        count = 3 ** int(CELLS[block["cells"]])
        opened, reached = OPEN_IN_STATE[:count], REACHED_IN_STATE[:count]
        legal = tables.placeable[index, opened] & TOUCHING[reached]
        for n in range(1, MAX_NUMBER + 1):
            sets = np.flatnonzero((n == CELLS) & (np.arange(MASKS) & ~block["cells"] == 0))
            if len(sets) == 0:
                continue
            worth = valuation.cross[0, index, sets] + valuation.after[0, index, opened[:, None] & ~sets]
            worth = np.where(legal[:, None] >> sets & 1, worth - valuation.before[0, index, opened, None], NO_MOVE)
            states = slice(int(block["first_state"]), int(block["first_state"]) + count)
            best = worth.argmax(axis=1)  # the first of equal ones
            values[states, n - 1] = worth[np.arange(count), best]
            masks[states] |= sets[best] << 8 * (n - 1)
    return {"state_value": values, "state_masks": masks}


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
