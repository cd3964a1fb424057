"""Rules under which nobody can fill enough colors of a sheet are refused; what can end is played."""

from __future__ import annotations

from typing import Any

import pytest

import kok_sim
from simulator.errors import RulesError
from simulator.keer_op_keer.ending import fillable, verify_end
from simulator.keer_op_keer.rules import COLUMNS, OFFICIAL, Rules
from simulator.keer_op_keer.sheet import Sheet, load_sheet, sheet_names

ROWS = range(1, 8)
GREEN_ONLY: dict[str, Any] = {"color_weights": (1, 0, 0, 0, 0, 0), "colors_to_end": 1}
GREEN_AND_YELLOW: dict[str, Any] = {"color_weights": (1, 1, 0, 0, 0, 0)}


@pytest.mark.parametrize("name", sheet_names())
def test_shipped_sheets(name: str) -> None:
    sheet = load_sheet(name)
    assert fillable(OFFICIAL, sheet) == 5
    for changes in (GREEN_ONLY, GREEN_AND_YELLOW):
        assert fillable(Rules(**changes), sheet) == 0
        with pytest.raises(RulesError, match=f"sheet {name}: 0 can be filled, but colors_to_end is"):
            verify_end(Rules(**changes), [sheet])
    everywhere = Rules(**GREEN_ONLY, start_columns=COLUMNS)
    assert fillable(everywhere, sheet) == 1
    verify_end(everywhere, [sheet])


def test_worked_out_by_hand() -> None:
    few = {"H1": "g", "H2": "g", "G2": "g", "H4": "y", "G4": "b", "F4": "y"}  # all else is orange and pink in turn
    rows = ["".join(few.get(f"{column}{row}", "op"[(row + i) % 2]) for i, column in enumerate(COLUMNS)) for row in ROWS]
    sheet = Sheet("hand", tuple(rows))

    def count(weights: tuple[int, ...], start_columns: str = "H") -> int:
        return fillable(Rules(color_weights=(*weights, 0), colors_to_end=1, start_columns=start_columns), sheet)

    assert count((1, 0, 0, 0, 0)) == 1
    assert count((0, 1, 0, 0, 0)) == 0  # G4 is blue, so nothing leads to F4
    assert count((0, 1, 1, 0, 0)) == 2
    assert count((9, 1, 1, 0, 0)) == 3
    assert count((0, 0, 1, 0, 0)) == 0
    assert count((0, 0, 1, 0, 0), "GH") == 1
    assert count((0, 1, 0, 0, 0), "FH") == 1


@pytest.mark.parametrize(
    "changes", [{"roll_limit": 9}, {"color_weights": (1, 1, 0, 0, 0, 1)}, {"color_weights": (1, 1, 1, 1, 0, 0)}]
)
def test_what_can_end_is_let_through(changes: dict[str, Any]) -> None:
    verify_end(Rules(**{**GREEN_AND_YELLOW, **changes}), [load_sheet("black")])


def test_jokers_that_cannot_be_paid_for_lead_nowhere() -> None:
    with pytest.raises(RulesError):
        verify_end(Rules(color_weights=(1, 1, 0, 0, 0, 1), jokers=0), [load_sheet("black")])


def test_one_sheet_that_can_be_filled_is_enough() -> None:
    rules = Rules(color_weights=(0, 0, 1, 1, 1, 0))
    assert [fillable(rules, load_sheet(name)) for name in ("black", "green")] == [3, 0]
    verify_end(rules, [load_sheet("black"), load_sheet("green")])
    with pytest.raises(RulesError) as caught:
        verify_end(rules, [load_sheet("green"), load_sheet("green")])
    assert str(caught.value) == (
        "color_weights show too few colors to get through sheet green: 0 can be filled, but colors_to_end is 2, so the "
        "game cannot end; raise the weights or set a roll_limit"
    )


def test_the_plan_asks_unless_it_is_a_solo_game() -> None:
    with pytest.raises(RulesError, match="color_weights show too few colors"):
        kok_sim.compare("greedy", "random", games=2, rules=GREEN_AND_YELLOW)
    assert kok_sim.solo("greedy", games=2, rules=GREEN_AND_YELLOW, threads=1).result.plan.solo
