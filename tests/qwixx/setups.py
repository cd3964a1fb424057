"""Random games of Qwixx for the move-for-move test: strategies, rules, seeds."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any

from simulator.qwixx.features import SIGHT
from simulator.qwixx.game import GAME
from simulator.qwixx.rules import OFFICIAL, Rules
from simulator.strategy import Scored, Strategy, Weights
from strategies import find_strategy, strategy_names
from tests.agreement import Setup


def by_all_fields(view, move, a=1.0):  # type: ignore[no-untyped-def]
    """Depends on every field of the view and the move, each in its own way."""
    value = a * (3 * move.points - move.gap) + 0.5 * move.luck - 2 * move.penalty
    value += 0.25 * move.count + 0.125 * move.position + move.lock - 0.5 * move.ends - 0.0625 * move.skipped
    value += 0.03125 * move.likelihood + 0.5 * (move.row == view.roll % 4) + 0.25 * (move.number == view.white[0])
    value += 0.125 * (move.die == view.action) + move.crossing * (view.active - view.crossed) - move.passing * 0.5
    for row in range(4):
        if row == move.row:
            value += 0.0625 * (view.color[row] + view.last[row] - view.count[row]) + view.closed[row]
            value += (view.rows[row] & 7) * 0.015625
            for other in range(4):
                value += 0.03125 * (view.other_last[other, row] - view.other_count[other, row])
                value += (view.other_rows[other, row] >> 3 & 3) * 0.0078125
    for other in range(4):
        value += move.points * 0.0009765625 * (view.score - view.other_score[other])
        value += 0.0625 * move.crossing * (view.penalties - view.other_penalties[other])
    return value + 0.25 * move.crossing * view.color_gap + 0.001953125 * view.players * move.position


def writes(view, move, a=1.0):  # type: ignore[no-untyped-def]
    """Changes what it is given, which must not matter."""
    view.last[0] += 3
    view.color_gap -= 1
    move.gap += view.last[1]
    return a * move.points - move.gap + view.color_gap


def few_fields(view, move, a=1.0):  # type: ignore[no-untyped-def]
    """Reads little, so little is shown."""
    return a * move.crossing - move.gap * (2 - view.active)


SCORED = (by_all_fields, writes, few_fields)


def random_setup(seed: int) -> Setup:
    """A setup decided by one number: 1 to 5 players, all kinds of strategies, official or house rules."""
    pick = random.Random(seed)
    players = pick.choice([1, 2, 2, 3, 4, 5])
    strategies = [random_strategy(pick, i) for i in range(players)]
    return Setup(strategies, [], random_rules(pick), pick.getrandbits(64), pick.randrange(10**9), GAME)


def random_strategy(pick: random.Random, i: int) -> Strategy:
    """A shipped strategy (but the solved one), random weights (sometimes changing), or a scored function."""
    kind = pick.random()
    if kind < 0.3:
        return find_strategy(pick.choice([name for name in strategy_names("qwixx") if name != "optimal"]), "qwixx")
    if kind < 0.6:
        return Scored(f"scored {i}", "", pick.choice(SCORED), {"a": pick.choice([0.5, 1.0, 2.0])})
    names = pick.sample(SIGHT.names, pick.randint(1, 6))
    sizes = [-2.0, -0.5, 0.1, 0.3, 1.0, 2.5] if pick.random() < 0.9 else [-1000.0, 1000.0, 999.9999]
    weights: dict[str, float] = {name: pick.choice(sizes) for name in names}
    if pick.random() < 0.6:
        weights = {"points": 1.0, "gap": 1.5} | weights
    slopes = {name: pick.choice([-0.2, 0.1, 0.05]) for name in names[:2]} if pick.random() < 0.3 else {}
    return Weights(f"weights {i}", "", weights, slopes)


def random_rules(pick: random.Random) -> Rules:
    """Official rules, or any mixture of house rules."""
    if pick.random() < 0.25:
        return OFFICIAL
    choices: dict[str, Any] = {
        "white_first": False,
        "penalty_points": pick.choice([0, 1, 5, 20]),
        "penalties_to_end": pick.randint(1, 6),
        "crosses_to_lock": pick.choice([0, 2, 3, 4, 6, 10]),
        "rows_to_end": pick.choice([1, 3, 4]),
        "row_points": tuple(pick.randint(0, 30) for _ in range(12)),
        "end_at_once": False,
    }
    assert choices.keys() == {field.name for field in fields(OFFICIAL)}
    return Rules(**{key: value for key, value in choices.items() if pick.random() < 0.5})
