"""Every shipped strategy does what its name says: measured against the others, each at a table with ``greedy``.

All meet the same dice, and all that is compared is the same in every run of the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from simulator.keer_op_keer.game import GAME
from simulator.keer_op_keer.rules import OFFICIAL, ROWS
from simulator.keer_op_keer.sheet import Cell, load_sheet
from simulator.outcomes import WHOLE_SHARE, alone, rotations
from simulator.table import Table
from strategies import find_strategy, strategy_names

BOARD = load_sheet("black")
BLOCKS = 2000  # of two games
RECORDED = 20  # blocks whose moves are looked at
EARLY = 15  # rolls that count as the beginning
COLUMN_H = {Cell(7, row) for row in range(ROWS)}
MARKS = OFFICIAL.jokers * OFFICIAL.mark_points


@dataclass(frozen=True)
class Play:
    """How a strategy played against ``greedy``: means over all games, or over the recorded ones."""

    win_share: float
    score: float
    other_score: float
    rolls: float
    parts: dict[str, float]
    fewest_marks: int
    h_full: float
    distance: float
    singles: float
    singles_made: int


@cache
def play(name: str) -> Play:
    table = Table(GAME, (find_strategy(name), find_strategy("greedy")), (BOARD, BOARD), OFFICIAL, 1, rotations(2))
    games = table.play(0, BLOCKS)
    seats = np.array([0, 1])  # of the strategy in the two games of a block
    scores, parts = games.scores[:, [0, 1], seats], games.parts[:, [0, 1], seats]
    recorded = [(table.record(block, game), int(seats[game])) for block in range(RECORDED) for game in (0, 1)]
    moves = [list(own_moves(record, seat)) for record, seat in recorded]
    return Play(
        win_share=games.shares[:, [0, 1], seats].mean() / WHOLE_SHARE,
        score=scores.mean(),
        other_score=games.scores[:, [0, 1], 1 - seats].mean(),
        rolls=games.rolls.mean(),
        parts=dict(zip(table.parts, parts.mean(axis=(0, 1)), strict=True)),
        fewest_marks=parts[..., table.parts.index("jokers")].min(),
        h_full=float(np.mean([h_full(game) for game in moves])),
        distance=float(np.mean([distance(game) for game in moves])),
        singles=float(np.mean([len(singles(crossed(game))) for game in moves])),
        singles_made=sum(map(singles_made, moves)),
    )


Moves = list[tuple[int, list[Cell]]]


def own_moves(record: dict[str, Any], seat: int) -> Iterator[tuple[int, list[Cell]]]:
    """Roll and cells of every move of a seat, passes included."""
    for roll in record["rolls"]:
        yield roll["roll"], [Cell.parse(cell) for cell in roll["moves"][seat].get("cells", ())]


def crossed(game: Moves) -> set[Cell]:
    return {cell for _, cells in game for cell in cells}


def h_full(game: Moves) -> int:
    """The roll in which column H was full; one after the last if never."""
    left = set(COLUMN_H)
    for roll, cells in game:
        left -= set(cells)
        if not left:
            return roll
    return game[-1][0] + 1


def distance(game: Moves) -> float:
    """Mean distance from column H of the cells crossed early."""
    return float(np.mean([abs(cell.column - 7) for roll, cells in game if roll <= EARLY for cell in cells] or [0]))


def singles(done: set[Cell]) -> set[Cell]:
    """Open cells without an open neighbor in their block."""
    found = set()
    for block in BOARD.blocks:
        left = set(block.cells) - done
        found |= {cell for cell in left if not left & set(cell.neighbors())}
    return found


def singles_made(game: Moves) -> int:
    """How often a move left more single cells than there were."""
    done: set[Cell] = set()
    made = 0
    for _, cells in game:
        made += len(singles(done | set(cells))) > len(singles(done) - set(cells))
        done |= set(cells)
    return made


def most(figure: str) -> str:
    """The strategy with the largest figure."""
    return max(strategy_names(), key=lambda name: value(name, figure))


def least(figure: str) -> str:
    return min(strategy_names(), key=lambda name: value(name, figure))


def value(name: str, figure: str) -> float:
    return float(play(name).parts[figure] if figure in play(name).parts else getattr(play(name), figure))


def test_random_is_the_worst() -> None:
    assert least("score") == "random"
    assert value("random", "win_share") < 0.01


def test_greedy_beats_random_and_is_even_with_itself() -> None:
    assert value("greedy", "win_share") == pytest.approx(0.5)
    assert value("random", "other_score") > 30


def test_cautious_keeps_jokers_leaves_less_and_builds_columns() -> None:
    assert value("cautious", "win_share") > 0.85
    assert value("cautious", "jokers") > 4 > 1 > value("greedy", "jokers")
    assert value("cautious", "singles") < value("greedy", "singles") - 1
    assert value("cautious", "columns") > value("greedy", "columns") + 1


def test_save_jokers_ends_with_all_marks() -> None:
    assert play("save-jokers").fewest_marks == MARKS
    assert most("jokers") == "save-jokers"


def test_rush_h_fills_column_h_first() -> None:
    assert least("h_full") == "rush-h"
    assert value("rush-h", "h_full") < 10


def test_outward_goes_farthest_from_h_early() -> None:
    assert most("distance") == "outward"
    assert value("outward", "distance") > value("greedy", "distance") + 0.4


def test_columns_gets_the_most_for_columns() -> None:
    assert most("columns") == "columns"


def test_colors_gets_the_most_for_colors_and_ends_the_game_soonest() -> None:
    assert most("colors") == "colors"
    assert least("rolls") == "colors"


def test_stars_leaves_the_fewest_stars() -> None:
    assert most("stars") == "stars"
    assert value("stars", "stars") > -0.2


def test_tidy_never_leaves_a_single_cell() -> None:
    assert play("tidy").singles_made == 0
    assert least("singles") == "tidy"
    assert value("greedy", "singles_made") > 50


def test_blocker_leaves_less_to_the_other_than_greedy_does() -> None:
    assert value("blocker", "other_score") < value("greedy", "other_score")
    assert value("blocker", "win_share") > 0.5


def test_the_solo_game_ranks_them_as_a_player_would() -> None:
    names = ("cautious", "greedy", "random")
    table = Table(GAME, [find_strategy(n) for n in names], (BOARD,) * 3, OFFICIAL, 1, alone(3), solo=True)
    scores = table.play(0, BLOCKS).scores[:, :, 0].mean(axis=0)
    assert scores[0] > scores[1] + 2 > scores[2] + 20
