"""Random games for the move-for-move test: strategies, sheets, rules, seeds."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from simulator.keer_op_keer.features import FEATURE_NAMES
from simulator.keer_op_keer.rules import COLUMNS, OFFICIAL, TIE_BREAKS, Rules
from simulator.keer_op_keer.sheet import Sheet, load_sheet, sheet_names
from simulator.keer_op_keer.table import Table
from simulator.outcomes import alone, rotations
from simulator.strategy import Scored, Strategy, Weights
from strategies import find_strategy, strategy_names

SHEETS = [load_sheet(name) for name in sheet_names()]
ODD = Sheet("odd", ("gybpogybpogybpo", "ybpogybpogybpog") * 3 + ("gybpogybpogybpG",))  # 105 blocks of one cell


class Setup(NamedTuple):
    """Everything that decides a block of games."""

    strategies: list[Strategy]
    sheets: list[Sheet]
    rules: Rules
    seed: int
    block: int

    @property
    def solo(self) -> bool:
        return len(self.strategies) == 1

    def table(self) -> Table:
        seating = alone(1) if self.solo else rotations(len(self.strategies))
        return Table(self.strategies, self.sheets, self.rules, self.seed, seating, solo=self.solo)


def random_setup(seed: int) -> Setup:
    """A setup decided by one number: 1 to 6 players, all kinds of strategies, official or house rules."""
    pick = random.Random(seed)
    players = pick.choice([1, 2, 2, 3, 4, 5, 6])
    return Setup(
        strategies=[random_strategy(pick, i) for i in range(players)],
        sheets=[ODD if pick.random() < 0.03 else pick.choice(SHEETS) for _ in range(players)],
        rules=random_rules(pick, short=players > 2 or pick.random() < 0.7),
        seed=pick.getrandbits(64),
        block=pick.randrange(10**9),
    )


def random_strategy(pick: random.Random, i: int) -> Strategy:
    """A shipped strategy, random weights (often of costly features, sometimes changing), or a scored function."""
    kind = pick.random()
    if kind < 0.4:
        return find_strategy(pick.choice(strategy_names()))
    if kind < 0.55:
        return Scored(f"scored {i}", "", pick.choice(SCORED), {"a": pick.choice([0.5, 1.0, 2.0])})
    names = pick.sample(FEATURE_NAMES, pick.randint(1, 5))
    weights: dict[str, float] = {name: pick.choice([-2.0, -0.5, 0.1, 0.3, 1.0, 2.5]) for name in names}
    if pick.random() < 0.6:
        weights = {"points": 1.0, "cells": 0.1} | weights
    slopes = {name: pick.choice([-0.02, 0.01, 0.05]) for name in names[:2]} if pick.random() < 0.3 else {}
    return Weights(f"weights {i}", "", weights, slopes)


def random_rules(pick: random.Random, *, short: bool) -> Rules:
    """Official rules (cut short), or any mixture of house rules."""
    limit = {"roll_limit": pick.randint(4, 20), "solo_rolls": pick.randint(4, 30)} if short else {}
    if pick.random() < 0.25:
        return Rules.from_changes(limit)
    choices: dict[str, Any] = {
        "connect_through_crosses": True,
        "start_columns": "".join(sorted(pick.sample(COLUMNS, pick.randint(1, 3)))),
        "joker_marks": pick.randint(0, 12),
        "mark_points": pick.randint(0, 3),
        "star_penalty": pick.randint(0, 4),
        "color_first": pick.randint(0, 9),
        "color_later": pick.randint(0, 9),
        "column_first": tuple(pick.randint(0, 9) for _ in COLUMNS),
        "column_later": tuple(pick.randint(0, 9) for _ in COLUMNS),
        "first_for_all": True,
        "shared_firsts": False,
        "colors_to_end": pick.randint(1, 3),
        "open_rolls": pick.randint(0, 8),
        "color_dice": pick.randint(1, 4),
        "number_dice": pick.randint(1, 4),
        "solo_color_dice": pick.randint(1, 3),
        "solo_number_dice": pick.randint(1, 3),
        "solo_ends_on_colors": True,
        "passive_see_active": True,
        "tie_break": pick.choice(TIE_BREAKS),
        "pass_penalty": pick.randint(0, 2),
        "color_weights": tuple(pick.randint(1, 4) for _ in range(6)),
        "number_weights": tuple(pick.randint(1, 4) for _ in range(6)),
    }
    assert choices.keys() | {"roll_limit", "solo_rolls"} == OFFICIAL.__dataclass_fields__.keys()
    return Rules.from_changes({k: v for k, v in choices.items() if pick.random() < 0.25} | limit)


def edges(view, move, a=1.0):
    return move.points * a + 0.25 * move.distance - 2.0 * move.jokers + 0.125 * move.cells


def watchful(view, move, a=1.0):
    value = move.points + 0.5 * a * move.stars - 0.25 * move.singles + 0.01 * move.luck + 0.125 * move.frontier
    for other in range(view.players - 1):
        value += 0.01 * move.number * view.other_color_left[other, move.color] * (1 - move.passing)
    return value - 0.5 * move.replies


SCORED = [edges, watchful]
