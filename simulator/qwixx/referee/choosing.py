"""How a strategy chooses: every figure of ``features.py`` from plain lists, and the best of the legal moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from simulator import dice
from simulator.choosing import call_score, new_record
from simulator.qwixx.features import PASS_OF_COLORS, SIGHT
from simulator.qwixx.referee.choice import Choice
from simulator.qwixx.referee.position import PASS, Move, Player
from simulator.qwixx.referee.values import rate_by_values
from simulator.qwixx.rules import COLORS, number_at, ways
from simulator.strategy import Scored, Solved, Strategy, Weights


class Rated(NamedTuple):
    """A legal move and its score."""

    score: float
    move: Move


Rater = Callable[[Choice], Iterator[Rated]]
"""Gives every legal move with its score, in tie order."""


def choose(strategy: Strategy, choice: Choice) -> Move:
    """The move that a strategy makes; :class:`StrategyError` if it misbehaves."""
    return decide(rater(strategy), choice)


def decide(rate: Rater, choice: Choice) -> Move:
    """The move that a rater makes; who can only pass is not asked."""
    return best(rate(choice)) if len(choice.moves()) > 1 else PASS


def best(rated: Iterable[Rated]) -> Move:
    """The move with the highest score; of equals the first."""
    return max(rated, key=lambda candidate: candidate.score).move


def rater(strategy: Strategy) -> Rater:
    """The function that rates moves for a strategy; for a whole game make it once."""
    if isinstance(strategy, Weights):
        return _weights_rater(strategy)
    if isinstance(strategy, Solved):
        return lambda choice: (Rated(*rated) for rated in rate_by_values(choice))
    return _scored_rater(strategy)


def _skipped(choice: Choice, move: Move) -> list[int]:
    """Numbers between the last cross of the row, or its left end, and the number of a cross."""
    return [number_at(move.row, position) for position in range(choice.player.last(move.row) + 1, move.position)]


def _ends(choice: Choice, move: Move) -> int:
    return int(move.locks and choice.game.rows_closed + 1 >= choice.game.rules.rows_to_end)


CROSS_FIGURES: dict[str, Callable[[Choice, Move], int]] = {
    "points": lambda choice, move: choice.player.gain(move),
    "crossing": lambda choice, move: 1,
    "count": lambda choice, move: choice.player.count(move.row),
    "position": lambda choice, move: move.position,
    "likelihood": lambda choice, move: ways(move.number),
    "lock": lambda choice, move: int(move.locks),
    "ends": _ends,
    "gap": lambda choice, move: len(_skipped(choice, move)),
    "skipped": lambda choice, move: sum(ways(number) for number in _skipped(choice, move)),
}
"""Each figure of a cross that can be other than 0, but ``luck``."""

PASS_FIGURES: dict[str, Callable[[Choice], int]] = {
    "points": lambda choice: -choice.game.rules.penalty_points if choice.means_penalty else 0,
    "passing": lambda choice: 1,
    "penalty": lambda choice: int(choice.means_penalty),
}
"""Each figure of the pass that can be other than 0, but ``luck``."""


def figure(choice: Choice, move: Move, name: str) -> float:
    """One figure of a legal move."""
    if name == "luck":
        return luck(choice, move)
    if move.is_pass:
        return PASS_FIGURES[name](choice) if name in PASS_FIGURES else 0
    return CROSS_FIGURES[name](choice, move) if name in CROSS_FIGURES else 0


def luck(choice: Choice, move: Move) -> float:
    """The random number of a candidate, numbered by its code; the pass of the color dice has a number of its own."""
    candidate = PASS_OF_COLORS if move.is_pass and choice.action == 2 else move.code
    return dice.luck(choice.luck_word, candidate)


def figures(choice: Choice, move: Move, names: Collection[str] = SIGHT.names) -> dict[str, float]:
    """The named figures of a legal move, all figures if none are named."""
    return {name: figure(choice, move, name) for name in names}


def _weights_rater(strategy: Weights) -> Rater:
    base, per_roll = SIGHT.weight_vectors(strategy)

    def rate(choice: Choice) -> Iterator[Rated]:
        vector = (base + per_roll * (choice.game.roll - 1)).tolist()
        weights = {name: weight for name, weight in zip(SIGHT.names, vector, strict=True) if weight}
        lucky = weights.pop("luck", 0.0)
        for move in choice.moves():
            score = sum(weight * figure(choice, move, name) for name, weight in weights.items())
            yield Rated(score + lucky * luck(choice, move) if lucky else score, move)

    return rate


def _scored_rater(strategy: Scored) -> Rater:
    def rate(choice: Choice) -> Iterator[Rated]:
        moves = choice.moves()
        view = view_record(choice)
        for move, row in zip(moves, move_records(choice, moves), strict=True):
            yield Rated(call_score(strategy, view, row, partial(str, move)), move)

    return rate


def view_record(choice: Choice) -> Any:
    """What a scored function sees of a position: one record of ``SIGHT.view`` with attribute access."""
    game, player = choice.game, choice.player
    values = {
        "roll": game.roll,
        "players": len(game.players),
        "active": choice.is_active,
        "action": choice.action,
        "crossed": choice.crossed,
        "white": game.white,
        "color": [0 if closed else face for face, closed in zip(game.color, game.closed, strict=True)],
        "color_gap": color_gap(choice),
        "rows": masks(player),
        "last": [player.last(row) for row in range(len(COLORS))],
        "count": [player.count(row) for row in range(len(COLORS))],
        "closed": game.closed,
        "score": player.score,
        "penalties": player.penalties,
    }
    view = new_record(SIGHT.view)
    for name, value in values.items():
        view[name] = value
    for i, seat in enumerate(choice.others):
        other = game.players[seat]
        view["other_rows"][i] = masks(other)
        view["other_last"][i] = [other.last(row) for row in range(len(COLORS))]
        view["other_count"][i] = [other.count(row) for row in range(len(COLORS))]
        view["other_score"][i] = other.score
        view["other_penalties"][i] = other.penalties
    return view


def color_gap(choice: Choice) -> int:
    """Fewest numbers that a color cross of this roll would skip, while the active player can look forward to one."""
    if choice.action == 2 or not choice.is_active or choice.crossed:  # crossed before the white dice: with a color die
        return -1
    return min((len(_skipped(choice, move)) for move in choice.color_crosses()), default=-1)


def masks(player: Player) -> list[int]:
    """The crosses of each row as a bit mask: position p is bit p - 1, the lock is bit 11."""
    return [sum(1 << (position - 1) for position in crosses) for crosses in player.rows]


def move_records(choice: Choice, moves: Sequence[Move]) -> Any:
    """What a scored function sees of moves: an array of ``SIGHT.move`` with attribute access."""
    rows = [(move.row, move.number, move.die, *figures(choice, move).values()) for move in moves]
    return np.array(rows, dtype=SIGHT.move).view(np.recarray)
