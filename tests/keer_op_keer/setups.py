"""Random games for the move-for-move test: strategies, sheets, rules, seeds."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any

from simulator.keer_op_keer.features import FEATURE_NAMES
from simulator.keer_op_keer.rules import COLUMNS, OFFICIAL, ROWS, TIE_BREAKS, Rules
from simulator.keer_op_keer.sheet import ALL_CELLS, MAX_BLOCK, MAX_OF_COLOR, Cell, Sheet, load_sheet, sheet_names
from simulator.strategy import Scored, Strategy, Weights
from strategies import find_strategy, strategy_names
from tests.agreement import Setup

SHEETS = [load_sheet(name) for name in sheet_names()]


def odd_sheet(seed: int) -> Sheet:
    """A sheet of odd blocks of up to six cells, with as much green as there may be, and stars anywhere."""
    pick = random.Random(seed)
    colors: dict[Cell, str] = {}
    for cell in pick.sample(ALL_CELLS, len(ALL_CELLS)):
        letters = sorted("ybpo", key=lambda _: pick.random())
        if list(colors.values()).count("g") < MAX_OF_COLOR:
            letters.insert(0, "g")
        fitting = [letter for letter in letters if block_size(cell, letter, colors) <= MAX_BLOCK]
        colors[cell] = fitting[0]
    letters_of = {cell: letter.upper() if pick.random() < 0.15 else letter for cell, letter in colors.items()}
    lines = ("".join(letters_of[Cell(column, row)] for column in range(len(COLUMNS))) for row in range(ROWS))
    return Sheet(f"odd {seed}", tuple(lines))


def block_size(cell: Cell, letter: str, colors: dict[Cell, str]) -> int:
    """Size of the block that a cell would belong to if it had this color."""
    block, todo = {cell}, [cell]
    while todo:
        near = [c for c in todo.pop().neighbors() if colors.get(c) == letter and c not in block]
        block.update(near)
        todo += near
    return len(block)


SINGLE_CELLS = Sheet("single cells", ("gybpogybpogybpo", "ybpogybpogybpog") * 3 + ("bpogybpogybpogY",))
"""105 blocks, as many as there can be."""
_PAIRS = ("gggyyybbbpppooo", "yyybbbpppoooggg", "bbbpppooogggyyy")
SIXES = Sheet("sixes", (*(row for row in _PAIRS for _ in range(2)), "ooooooppPpppBbb"))
"""17 blocks of six and one of three: as many states of blocks as there can be."""
ODD = [SINGLE_CELLS, *(odd_sheet(seed) for seed in range(5)), SIXES]


def random_setup(seed: int) -> Setup:
    """A setup decided by one number: 1 to 6 players, all kinds of strategies, official or house rules."""
    pick = random.Random(seed)
    players = pick.choice([1, 2, 2, 3, 4, 5, 6])
    return Setup(
        strategies=[random_strategy(pick, i) for i in range(players)],
        sheets=[pick.choice(ODD if pick.random() < 0.06 else SHEETS) for _ in range(players)],
        rules=random_rules(pick, short=pick.random() < (0.7 if players < 3 else 0.93), solo=players == 1),
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
    sizes = [-2.0, -0.5, 0.1, 0.3, 1.0, 2.5] if pick.random() < 0.9 else [-1000.0, 1000.0, 999.9999]
    weights: dict[str, float] = {name: pick.choice(sizes) for name in names}
    if pick.random() < 0.6:
        weights = {"points": 1.0, "cells": 0.1} | weights
    slopes = {name: pick.choice([-0.02, 0.01, 0.05]) for name in names[:2]} if pick.random() < 0.3 else {}
    return Weights(f"weights {i}", "", weights, slopes)


def random_rules(pick: random.Random, *, short: bool, solo: bool) -> Rules:
    """Official rules (cut short), or any mixture of house rules."""
    limit = {"roll_limit": pick.randint(4, 20), "solo_rolls": pick.randint(4, 30)} if short else {}
    if pick.random() < 0.25:
        return Rules.from_changes(limit)
    most = 99 if pick.random() < 0.1 else 9
    start = sorted(pick.sample(COLUMNS, pick.choice([1, 1, 2, 3, 15])))
    choices: dict[str, Any] = {
        "connect_through_crosses": True,
        "start_columns": "".join(start),
        "jokers": pick.choice([0, 1, 2, 5, 12, 99]),
        "mark_points": pick.randint(0, 3),
        "star_penalty": pick.randint(0, most),
        "color_first": pick.randint(0, most),
        "color_later": pick.randint(0, most),
        "column_first": tuple(pick.randint(0, most) for _ in COLUMNS),
        "column_later": tuple(pick.randint(0, most) for _ in COLUMNS),
        "first_for_all": True,
        "shared_firsts": False,
        "colors_to_end": pick.choice([1, 1, 2, 3] if not short else [1, 2, 3, 4, 5]),
        "open_rolls": pick.randint(0, 8),
        "color_dice": pick.randint(1, 6),
        "number_dice": pick.randint(1, 6),
        "solo_color_dice": pick.randint(1, 6),
        "solo_number_dice": pick.randint(1, 6),
        "solo_ends_on_colors": True,
        "passive_see_active": True,
        "tie_break": pick.choice(TIE_BREAKS),
        "pass_penalty": pick.randint(0, 2),
        "color_weights": tuple(pick.randint(0 if short else 1, 9) for _ in range(6)),
        "number_weights": tuple(pick.randint(0 if short else 1, 9) for _ in range(6)),
    }
    if not any(choices["color_weights"]) or not any(choices["number_weights"]):
        choices["color_weights"] = choices["number_weights"] = (0, 0, 0, 0, 1, 1)
    assert choices.keys() | {"roll_limit", "solo_rolls"} == {field.name for field in fields(OFFICIAL)}
    changes = {k: v for k, v in choices.items() if pick.random() < 0.25} | limit
    if solo and "solo_ends_on_colors" in changes:  # which makes no difference before a color is full
        changes |= {"colors_to_end": pick.choice([1, 1, 2]), "solo_rolls": pick.randint(30, 90)}
    return Rules.from_changes(changes)


def edges(view, move, a=1.0):
    return move.points * a + 0.25 * move.distance - 2.0 * move.jokers + 0.125 * move.cells


def watchful(view, move, a=1.0):
    value = move.points + 0.5 * a * move.stars - 0.25 * move.singles + 0.01 * move.luck + 0.125 * move.frontier
    for other in range(view.players - 1):
        value += 0.01 * move.number * view.other_color_left[other, move.color] * (1 - move.passing)
    return value - 0.5 * move.replies


def scribbles(view, move, a=1.0):
    view.marks = move.number
    view.open[:] = 0
    move.stars = move.stars + 1
    return move.points + a * 0.125 * move.cells + 0.25 * view.marks + view.open[7, 3]


SCORED = [edges, watchful, scribbles]
