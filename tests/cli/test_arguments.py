"""How counts and boards are typed."""

from __future__ import annotations

import pytest

from kok_sim.cli.arguments import parse_count
from kok_sim.plans import find_boards
from simulator.errors import PlanError, UnknownNameError
from simulator.keer_op_keer.game import GAME


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1", 1),
        ("1000", 1000),
        ("1_000_000", 1_000_000),
        ("1e6", 1_000_000),
        ("1E6", 1_000_000),
        ("2.5e3", 2500),
        ("250k", 250_000),
        ("0.5k", 500),
        ("2M", 2_000_000),
        ("1.5M", 1_500_000),
        ("1000.0", 1000),
    ],
)
def test_counts(text: str, count: int) -> None:
    assert parse_count(text) == count


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-1",
        "-1e6",
        "abc",
        "",
        "k",
        "M",
        "1.5",
        "0.0001k",
        "nan",
        "inf",
        "-inf",
        "1e13",
        "1e999999999",
        "1,000",
        "1__0",
    ],
)
def test_other_counts_are_refused(text: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_count(text)
    right = "-n must be a whole number of games from 1 to 1e12, such as 1000, 250k or 1e6"
    assert str(caught.value) == f"{right}; got {text!r}"


def test_one_board_is_for_all() -> None:
    assert [board.name for board in find_boards(GAME, "red", 3)] == ["red"] * 3


def test_or_one_for_each() -> None:
    assert [board.name for board in find_boards(GAME, "red, black", 2)] == ["red", "black"]


def test_other_numbers_of_boards_are_refused() -> None:
    with pytest.raises(PlanError, match="the board must be one for all or one for each of 3 strategies; got 2"):
        find_boards(GAME, "red,black", 3)


def test_unknown_boards_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown sheet 'blak'; did you mean 'black'"):
        find_boards(GAME, "blak", 2)
