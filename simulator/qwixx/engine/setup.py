"""From strategies and rules to the records that the kernels work on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.lanes import new_records
from simulator.memory import addresses_of
from simulator.qwixx import solver
from simulator.qwixx.engine.layout import GAME, SCORED, SETUP, SIDE, SOLVED, WEIGHED
from simulator.qwixx.engine.tables import LIKELIHOOD, SKIPPED
from simulator.qwixx.features import SIGHT
from simulator.qwixx.rows import OPEN_STATES, row_tables
from simulator.qwixx.rules import MAX_ROLLS, NUMBERS, Rules
from simulator.scoring import Compiled
from simulator.strategy import Solved, Strategy, Weights

OWN_FIELDS = ("white", "color", "rows", "last", "count", "closed", "score", "penalties")
"""Fields of a view that are shown only to a function that reads one of them."""
FIGURES = ("points", "die", "count", "likelihood", "lock", "ends", "skipped")
"""Fields of a move likewise."""


def log_shape(seats: int) -> tuple[int, int]:
    """Rolls of the longest game, and codes of a roll: of the white action of each seat, of the color action of the
    active player, and 1 if that came first."""
    return MAX_ROLLS, seats + 2


def new_game(_sides: np.ndarray, _members: Sequence[int], *, watched: bool = False) -> np.ndarray:
    """Room for a game in progress: ``layout.GAME``, shape (1,)."""
    game = new_records(GAME)
    game["watched"] = watched
    return game


def build_sides(
    strategies: Sequence[Strategy], compiled: Sequence[Compiled | None], _sheets: Sequence[object], rules: Rules
) -> np.ndarray:
    """All that the engine must know of each strategy: ``layout.SIDE``, shape (strategies,).

    ``compiled`` has each scored function, None for others. Raises :class:`PlanError` if the values of a solved
    strategy are not there.
    """
    sides = new_records(SIDE, len(strategies))
    for side, strategy, function in zip(sides, strategies, compiled, strict=True):
        if function is not None:
            fill_scored(side, function)
        elif isinstance(strategy, Solved):
            side["kind"] = SOLVED
            side["values"] = solver.solution_of(rules).values.ctypes.data
        else:
            assert isinstance(strategy, Weights)
            side["kind"] = WEIGHED
            for slope, vector in enumerate(SIGHT.weight_vectors(strategy)):
                fill_weights(side, slope, dict(zip(SIGHT.names, vector.tolist(), strict=True)), rules)
    return sides


def fill_scored(side: np.void, compiled: Compiled) -> None:
    """Write where a scored function is, and what it asks for."""
    asked = compiled.use.fields
    side["kind"], side["score"], side["writes"] = SCORED, compiled.function.address, compiled.use.writes
    side["asks_penalty"] = not asked.isdisjoint(("points", "penalty"))
    side["lucky"] = "luck" in asked
    side["asks_figures"] = not asked.isdisjoint(FIGURES)
    side["asks_gap"] = "color_gap" in asked
    side["asks_own"] = not asked.isdisjoint(OWN_FIELDS)
    side["asks_others"] = any(name.startswith("other_") for name in asked)


def fill_weights(side: np.void, slope: int, weights: dict[str, float], rules: Rules) -> None:
    """Multiply weights (``slope`` 0: those of the first roll, 1: their change per roll) into the tables of a side."""
    after, points = row_tables(rules)
    crossing = np.zeros(after.shape)
    for state, (last, count) in enumerate(OPEN_STATES):
        for position in (p for p in range(last + 1, NUMBERS + 1) if after[state, p] >= 0):
            figures = {
                "points": points[state, position],
                "crossing": 1,
                "count": count,
                "position": position,
                "likelihood": LIKELIHOOD[position],
                "lock": position == NUMBERS,
                "gap": position - last - 1,
                "skipped": SKIPPED[last, position],
            }
            crossing[state, position] = sum(weights[name] * figure for name, figure in figures.items())
    side["crossing"][slope] = crossing
    for name in ("passing", "ends", "luck"):
        side[name][slope] = weights[name]
    side["penalty"][slope] = weights["penalty"] - weights["points"] * rules.penalty_points
    side["asks_penalty"] |= side["penalty"][slope] != 0
    side["lucky"] |= weights["luck"] != 0
    side["sloped"] |= slope == 1 and any(weights.values())


def build_setup(sides: np.ndarray, members: Sequence[int], rules: Rules, *, solo: bool) -> np.ndarray:
    """What stays the same at a table of these members: ``layout.SETUP``, shape (1,). ``sides`` must outlive it."""
    setup = new_records(SETUP)
    for name in ("white_first", "penalty_points", "penalties_to_end", "rows_to_end", "end_at_once"):
        setup[name] = getattr(rules, name)
    setup["row_points"][0, 1:] = rules.row_points
    setup["after"][0], setup["points"][0] = row_tables(rules)
    setup["sides"][0, : len(members)] = addresses_of(sides, members)
    return setup
