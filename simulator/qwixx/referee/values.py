"""How the strategy ``optimal`` rates moves: by the exact values of the solo game."""

from __future__ import annotations

import math
from collections.abc import Iterator

from simulator.qwixx.referee.choice import Choice
from simulator.qwixx.referee.position import Move
from simulator.qwixx.rows import row_state
from simulator.qwixx.rules import COLORS, LOCK, position_of
from simulator.qwixx.solver import solution_of, value


def rate_by_values(choice: Choice) -> Iterator[tuple[float, Move]]:
    """Every move with its points and those that the best play of the solo game makes from then on.

    Where the active player chooses among white crosses, what the color dice can add in this roll counts; and the other
    way round, if a color cross comes first.
    """
    for move in choice.moves():
        rows = _states(choice)
        if move.is_pass:
            seconds = choice.color_crosses() if choice.is_active and choice.white and not choice.crossed else []
            penalty = choice.is_active and not choice.crossed
            stay = _value(choice, rows, 1) - choice.game.rules.penalty_points if penalty else _value(choice, rows)
            yield max([stay, *(_second(choice, rows, second) for second in seconds)]), move
            continue
        rows = _after(rows, move)
        seconds = _seconds(choice, move) if choice.is_active and not choice.crossed else []
        follow = [_value(choice, rows), *(_second(choice, rows, second) for second in seconds)]
        yield choice.player.gain(move) + max(follow), move


Crosses = list[tuple[int, int]]
"""The last cross of each row, and its number of crosses; that of a closed row is beyond the last number."""


def _states(choice: Choice) -> Crosses:
    player = choice.player
    rows = range(len(COLORS))
    return [(LOCK, 0) if choice.game.closed[row] else (player.last(row), player.count(row)) for row in rows]


def _after(rows: Crosses, move: Move) -> Crosses:
    """The rows after a cross."""
    return [
        ((LOCK, 0) if move.locks else (move.position, count + 1)) if row == move.row else (last, count)
        for row, (last, count) in enumerate(rows)
    ]


def _seconds(choice: Choice, move: Move) -> list[Move]:
    """What can be crossed after a cross in the same turn."""
    rules = choice.game.rules
    if rules.end_at_once and move.locks and choice.game.rows_closed + 1 >= rules.rows_to_end:
        return []
    if not move.is_color:
        return _colors(choice)
    return _whites(choice) if choice.white else []


def _whites(choice: Choice) -> list[Move]:
    """All crosses of the white sum, legal or not."""
    return [Move(row, position_of(row, sum(choice.game.white))) for row in range(len(COLORS))]


def _colors(choice: Choice) -> list[Move]:
    """All crosses of a white die and a color die, legal or not."""
    game = choice.game
    dice = [(row, die, game.white[die - 1] + game.color[row]) for row in range(len(COLORS)) for die in (1, 2)]
    return [Move(row, position_of(row, number), die) for row, die, number in dice]


def _second(choice: Choice, rows: Crosses, move: Move) -> float:
    """Points of a second cross of this turn and of what follows; minus infinity if it is not legal."""
    rules, (last, count) = choice.game.rules, rows[move.row]
    if move.position <= last or (move.locks and count < rules.crosses_to_lock):
        return -math.inf
    gain = rules.points(count + 1 + move.locks) - rules.points(count)
    return gain + _value(choice, _after(rows, move))


def _value(choice: Choice, rows: Crosses, more_penalties: int = 0) -> float:
    """Points still to come in the solo game."""
    states = [row_state(last, count, closed=last == LOCK) for last, count in rows]
    return value(solution_of(choice.game.rules), states, choice.player.penalties + more_penalties)
