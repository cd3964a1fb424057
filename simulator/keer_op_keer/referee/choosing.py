"""How a strategy chooses: every figure of ``features.py``, computed from plain sets, and the best of the legal moves.

A figure is made of a part that the crossed pattern decides and a part that the dice taken decide; the pass has its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from simulator import dice
from simulator.choosing import call_score, new_record
from simulator.keer_op_keer.features import FEATURE_NAMES, MOVE, VIEW, weight_vectors
from simulator.keer_op_keer.referee.choice import Choice, Option
from simulator.keer_op_keer.referee.patterns import Pattern, pieces, singles
from simulator.keer_op_keer.referee.position import PASS, Move, move_of
from simulator.keer_op_keer.rules import COLORS, COLUMNS, FACES, JOKER, MAX_NUMBER, ROWS
from simulator.keer_op_keer.sheet import Cell
from simulator.strategy import Scored, Strategy, Weights


class Rated(NamedTuple):
    """A legal move and its score; ``pattern`` is None for the pass."""

    score: float
    pattern: Pattern | None
    color_joker: int = 0
    number_joker: int = 0

    @property
    def move(self) -> Move:
        """The move it stands for."""
        return PASS if self.pattern is None else move_of(self.pattern, self.color_joker, self.number_joker)


Rater = Callable[[Choice], Iterator[Rated]]
"""Gives every legal move with its score, in tie order."""


def choose(strategy: Strategy, choice: Choice) -> Move:
    """The move that a strategy makes; :class:`StrategyError` if it misbehaves."""
    return best(rater(strategy)(choice))


def best(rated: Iterable[Rated]) -> Move:
    """The move with the highest score; of equals the first."""
    return max(rated, key=lambda candidate: candidate.score).move


def rater(strategy: Strategy) -> Rater:
    """The function that rates moves for a strategy; for a whole game make it once."""
    if isinstance(strategy, Weights):
        return _weights_rater(strategy)
    assert isinstance(strategy, Scored)
    return _scored_rater(strategy)


def faces(taken: Pattern | Option, color_joker: int, number_joker: int) -> tuple[int, int]:
    """The faces of the color die and the number die that are taken for a color and number."""
    return JOKER if color_joker else taken.color, JOKER if number_joker else taken.number - 1


def distance(choice: Choice, column: int) -> int:
    """Columns from a column to the nearest start column."""
    return min(abs(column - COLUMNS.index(start)) for start in choice.game.rules.start_columns)


def open_in_block(choice: Choice, pattern: Pattern) -> frozenset[Cell]:
    """Open cells of the block of a pattern."""
    return pattern.block_cells & choice.player.open


def _start_cells(choice: Choice, pattern: Pattern) -> int:
    return sum(cells for column, cells in pattern.columns if COLUMNS[column] in choice.game.rules.start_columns)


def _column_progress(choice: Choice, pattern: Pattern) -> int:
    progress = 0
    for column, cells in pattern.columns:
        crossed = ROWS - choice.player.column_left[column]
        progress += choice.game.column_value(column) * ((crossed + cells) ** 2 - crossed**2)
    return progress


def _color_progress(choice: Choice, pattern: Pattern) -> int:
    crossed = choice.player.color_total[pattern.color] - choice.player.color_left[pattern.color]
    return choice.game.color_value(pattern.color) * ((crossed + pattern.number) ** 2 - crossed**2)


def _frontier(choice: Choice, pattern: Pattern) -> int:
    return len((pattern.beside & choice.player.open) - choice.player.reach)


def _leftover(choice: Choice, pattern: Pattern) -> int:
    return len(open_in_block(choice, pattern)) - pattern.number


def _growth(count: Callable[[frozenset[Cell]], int], choice: Choice, pattern: Pattern) -> int:
    before = open_in_block(choice, pattern)
    return count(before - pattern.cell_set) - count(before)


PATTERN_FIGURES: dict[str, Callable[[Choice, Pattern], int]] = {
    "points": lambda choice, pattern: choice.game.points(choice.seat, pattern),
    "column_points": lambda choice, pattern: choice.game.column_points(choice.seat, pattern),
    "color_points": lambda choice, pattern: choice.game.color_points(choice.seat, pattern),
    "stars": lambda choice, pattern: pattern.stars,
    "cells": lambda choice, pattern: pattern.number,
    "start_cells": _start_cells,
    "distance": lambda choice, pattern: sum(distance(choice, column) * n for column, n in pattern.columns),
    "column_progress": _column_progress,
    "color_progress": _color_progress,
    "finished": lambda choice, pattern: int(_leftover(choice, pattern) == 0),
    "frontier": _frontier,
    "leftover": _leftover,
    "singles": lambda choice, pattern: _growth(singles, choice, pattern),
    "pieces": lambda choice, pattern: _growth(lambda cells: len(pieces(cells)), choice, pattern),
}
"""What crossing a pattern adds to each figure."""

DICE_FIGURES: dict[str, Callable[[Choice, int, int], float]] = {
    "points": lambda choice, *taken: -choice.game.rules.mark_points * taken.count(JOKER),
    "jokers": lambda choice, *taken: taken.count(JOKER),
    "replies": lambda choice, *taken: choice.replies(*taken),
}
"""What taking dice of a color face and a number face adds to each figure."""

PASS_FIGURES: dict[str, Callable[[Choice], float]] = {
    "points": lambda choice: -choice.game.rules.pass_penalty,
    "passing": lambda choice: 1,
    "replies": lambda choice: choice.replies(),
}
"""Each figure of the pass that is not 0."""


def luck(choice: Choice, pattern: Pattern | None, color_joker: int = 0, number_joker: int = 0) -> float:
    """The random number of a candidate: 0 for the pass, else numbered by block, cells and joker dice."""
    candidate = 0
    if pattern is not None:
        candidate = 1 + (pattern.block * 64 + pattern.mask) * 4 + 2 * color_joker + number_joker
    return dice.luck(choice.luck_word, candidate)


def figures(choice: Choice, rated: Sequence[Rated], names: Collection[str] = FEATURE_NAMES) -> list[dict[str, float]]:
    """The named figures of each of the legal moves, all figures if none are named."""
    of_pattern = [name for name in names if name in PATTERN_FIGURES]
    of_dice = [name for name in names if name in DICE_FIGURES]
    crosses: dict[Pattern, dict[str, float]] = {}
    found = []
    for candidate in rated:
        pattern = candidate.pattern
        row = dict.fromkeys(names, 0.0)
        if pattern is None:
            row |= {name: PASS_FIGURES[name](choice) for name in names if name in PASS_FIGURES}
        else:
            if pattern not in crosses:
                crosses[pattern] = {name: PATTERN_FIGURES[name](choice, pattern) for name in of_pattern}
            row |= crosses[pattern]
            for name in of_dice:
                row[name] += DICE_FIGURES[name](choice, *faces(pattern, *candidate[2:]))
        if "luck" in names:
            row["luck"] = luck(choice, *candidate[1:])
        found.append(row)
    return found


def candidates(choice: Choice) -> list[Rated]:
    """Every legal move with score 0, in tie order."""
    found = [Rated(0.0, None)]
    for option in choice.options():
        found += [Rated(0.0, pattern, *way) for pattern in option.patterns for way in option.ways]
    return found


def _weights_rater(strategy: Weights) -> Rater:
    base, per_roll = weight_vectors(strategy)

    def rate(choice: Choice) -> Iterator[Rated]:
        vector = (base + per_roll * (choice.game.roll - 1)).tolist()
        weights = {name: weight for name, weight in zip(FEATURE_NAMES, vector, strict=True) if weight}
        lucky = weights.pop("luck", 0.0)
        of_pattern = [(weight, PATTERN_FIGURES[name]) for name, weight in weights.items() if name in PATTERN_FIGURES]
        of_dice = [(weight, DICE_FIGURES[name]) for name, weight in weights.items() if name in DICE_FIGURES]

        score = sum(weight * PASS_FIGURES[name](choice) for name, weight in weights.items() if name in PASS_FIGURES)
        yield Rated(score + lucky * luck(choice, None) if lucky else score, None)
        for option in choice.options():
            costs = []
            for way in option.ways:
                taken = faces(option, *way)
                costs.append(sum(weight * figure(choice, *taken) for weight, figure in of_dice))
            for pattern in option.patterns:
                crosses = sum(weight * figure(choice, pattern) for weight, figure in of_pattern)
                for way, cost in zip(option.ways, costs, strict=True):
                    score = crosses + cost
                    yield Rated(score + lucky * luck(choice, pattern, *way) if lucky else score, pattern, *way)

    return rate


def _scored_rater(strategy: Scored) -> Rater:
    def rate(choice: Choice) -> Iterator[Rated]:
        rated = candidates(choice)
        view = view_record(choice)
        for candidate, row in zip(rated, move_records(rated, figures(choice, rated)), strict=True):
            yield candidate._replace(score=call_score(strategy, view, row, partial(_told, candidate)))

    return rate


def _told(candidate: Rated) -> str:
    return str(candidate.move)


def view_record(choice: Choice) -> Any:
    """What a scored function sees of a position: one record of ``VIEW`` with attribute access."""
    game, player = choice.game, choice.player
    values = {
        "roll": game.roll,
        "players": len(game.players),
        "active": choice.is_active,
        "color_dice": [choice.colors.count(face) for face in range(FACES)],
        "number_dice": [choice.numbers.count(face) for face in range(FACES)],
        "marks": player.marks,
        "score": player.points_so_far,
        "stars_left": player.stars_left,
        "colors_full": player.colors_full,
        "column_left": player.column_left,
        "color_left": player.color_left,
        "open": _grid(player.open),
        "reach": _grid(player.reach),
        "color": np.array(list(player.sheet.colors.values())).reshape(len(COLUMNS), ROWS),
        "star": _grid(player.sheet.stars),
        "column_value": [game.column_value(column) for column in range(len(COLUMNS))],
        "color_value": [game.color_value(color) for color in range(len(COLORS))],
        "column_unclaimed": [column not in game.columns_claimed for column in range(len(COLUMNS))],
        "color_unclaimed": [color not in game.colors_claimed for color in range(len(COLORS))],
    }
    view = new_record(VIEW)
    for name, value in values.items():
        view[name] = value
    for i, seat in enumerate(choice.others):
        other = game.players[seat]
        view["other_marks"][i] = other.marks
        view["other_score"][i] = other.points_so_far
        view["other_stars_left"][i] = other.stars_left
        view["other_colors_full"][i] = other.colors_full
        view["other_column_left"][i] = other.column_left
        view["other_color_left"][i] = other.color_left
        view["other_open"][i] = _grid(other.open)
    return view


def _grid(cells: Collection[Cell]) -> list[list[int]]:
    """1 for each of the cells, by column and row."""
    return [[int(Cell(column, row) in cells) for row in range(ROWS)] for column in range(len(COLUMNS))]


def move_records(rated: Sequence[Rated], found: Sequence[dict[str, float]]) -> Any:
    """What a scored function sees of moves: an array of ``MOVE`` with attribute access; figures not found are NaN."""
    rows = []
    for candidate, row in zip(rated, found, strict=True):
        move = candidate.move
        fill = [-1] * (MAX_NUMBER - move.number)
        columns, lines = [cell.column for cell in move.cells], [cell.row for cell in move.cells]
        values = [row.get(name, math.nan) for name in FEATURE_NAMES]
        rows.append((move.color, move.number, *candidate[2:], columns + fill, lines + fill, *values))
    return np.array(rows, dtype=MOVE).view(np.recarray)
