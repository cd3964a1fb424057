"""Who meets whom on which dice: tournaments and independent games are games of ordinary runs."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from simulator.experiments.plan import Plan
from simulator.experiments.run import open_table
from simulator.keer_op_keer import referee
from simulator.keer_op_keer.game import GAME
from simulator.keer_op_keer.sheet import load_sheet, sheet_names
from simulator.outcomes import Outcomes
from simulator.strategy import Scored, Strategy
from simulator.table import Table
from strategies import find_strategy

SHEETS = [load_sheet(name) for name in sheet_names()]


def near_a_column(view: Any, move: Any, column: float = 3.0) -> float:
    """A scored function that looks at its own sheet."""
    return move.points + 0.1 * move.cells - 0.01 * view.column_left[int(column)] * move.cells  # type: ignore[no-any-return]


STRATEGIES: list[Strategy] = [
    find_strategy("greedy"),
    find_strategy("cautious"),
    find_strategy("random"),
    find_strategy("blocker"),
    *(Scored(f"near {column}", "", near_a_column, {"column": float(column)}) for column in range(5)),
]


def plan(strategies: list[int], **settings: Any) -> Plan:
    """A plan of some of the strategies, each on the sheet that it always has."""
    sheets = tuple(SHEETS[s % len(SHEETS)] for s in strategies)
    return Plan(tuple(STRATEGIES[s] for s in strategies), sheets, 10, 9, **settings)


def assert_same_games(outcomes: Outcomes, games: slice | list[int], expected: Outcomes, of: slice | list[int]) -> None:
    for name in outcomes.__dataclass_fields__:
        assert (getattr(outcomes, name)[:, games] == getattr(expected, name)[:, of]).all(), name


@pytest.mark.parametrize("seats", [2, 3])
def test_every_table_of_a_tournament_plays_what_it_would_play_alone(seats: int) -> None:
    """Nine strategies: more than there are players, and more scored functions than one group can hold."""
    everybody = list(range(len(STRATEGIES)))
    table = open_table(plan(everybody, table=seats))
    assert table.compiled
    outcomes = table.play(5, 3)
    assert outcomes.scores.shape == (3, seats * len(list(combinations(everybody, seats))), seats)
    for number, group in enumerate(combinations(everybody, seats)):
        alone = open_table(plan(list(group))).play(5, 3)
        assert_same_games(outcomes, slice(number * seats, (number + 1) * seats), alone, slice(None))


def test_games_of_a_tournament_are_played_by_the_referee_move_for_move() -> None:
    made = plan(list(range(len(STRATEGIES))), table=3)
    table = open_table(made)
    for block, game in ((0, 0), (3, 100), (8, len(made.seating) - 1)):
        order = made.seating[game]
        expected = referee.play(
            [made.strategies[s] for s in order],
            [made.sheets[s] for s in order],
            made.rules,
            made.seed,
            block * 3 + game % 3,
        )
        assert table.record(block, game) == expected


def test_a_focus_plays_the_tables_of_the_first() -> None:
    everybody = list(range(len(STRATEGIES)))
    focused, whole = (open_table(plan(everybody, table=2, focus=focus)).play(0, 4) for focus in (True, False))
    assert_same_games(focused, slice(None), whole, slice(0, 2 * (len(everybody) - 1)))


def by_deal(made: Plan) -> tuple[Table, Table]:
    """The table of a plan, and that of the same plan with independent games."""
    common = Table(GAME, made.strategies, made.sheets, made.rules, made.seed, made.seating, solo=made.solo)
    own = Table(
        GAME, made.strategies, made.sheets, made.rules, made.seed, made.seating, solo=made.solo, independent=True
    )
    return common, own


@pytest.mark.parametrize(
    "made",
    [plan([0, 1]), plan([2, 3, 4]), plan([0, 2, 5], solo=True), plan([0, 1, 2, 3], table=2)],
    ids=["two", "three", "solo", "tournament"],
)
def test_independent_games_are_one_game_of_each_deal(made: Plan) -> None:
    common, own = by_deal(made)
    games, seats = made.seating.shape
    outcomes, all_deals = own.play(2, 3), common.play(2 * games, 3 * games)
    for block in range(3):
        for game in range(games):
            deal = block * games + game
            assert (outcomes.scores[block, game] == all_deals.scores[deal, game]).all()
            assert (outcomes.parts[block, game] == all_deals.parts[deal, game]).all()
            assert own.index(2 + block, game) == (2 * games + deal) * seats + game % seats
    order = made.seating[1]
    record = referee.play(
        [made.strategies[s] for s in order],
        [made.sheets[s] for s in order],
        made.rules,
        made.seed,
        own.index(2, 1),
        solo=made.solo,
    )
    assert own.record(2, 1) == record
    assert [final["total"] for final in record["final"]] == outcomes.scores[0, 1].tolist()


def test_deals_of_independent_games_are_all_different() -> None:
    made = plan([0, 1, 2])
    _, own = by_deal(made)
    indexes = [own.index(block, game) // made.seats for block in range(20) for game in range(3)]
    assert sorted(indexes) == list(range(60))


def test_the_tables_of_a_side_are_kept_once() -> None:
    table = open_table(plan(list(range(len(STRATEGIES))), table=2))
    assert len(table._groups) == 36
    assert len({group.sides.ctypes.data for group in table._groups}) == 1
    for group in table._groups:
        addresses = group.setup["sides"][0, :2].astype(np.int64)
        offsets = addresses - group.sides.ctypes.data
        assert (offsets == np.array(group.members) * group.sides.itemsize).all()
