"""How the strategy ``optimal`` rates moves: by the exact values of the solo game."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from simulator.qwixx.referee.choice import Choice
from simulator.qwixx.referee.position import Move, Player
from simulator.qwixx.rows import row_state
from simulator.qwixx.rules import COLORS
from simulator.qwixx.solver import solution_of, value


def rate_by_values(choice: Choice) -> Iterator[tuple[float, Move]]:
    """Every move with its points and those that the best play of the solo game makes from then on.

    Where the active player chooses among white crosses, what the color dice can add in this roll counts; and the other
    way round, if a color cross comes first.
    """
    may_go_on = choice.is_active and not choice.crossed
    for move in choice.moves():
        if move.is_pass:
            penalty = choice.game.rules.penalty_points if may_go_on else 0
            worth = _value(choice, choice.player, penalties=int(may_go_on)) - penalty
            gain, player, seconds = 0, choice.player, choice.color_offers() if choice.white else []
        else:
            gain, player = choice.player.gain(move), _crossed(choice.player, move)
            worth, seconds = _value(choice, player), _seconds(choice, move)
        worths = [_second(choice, player, second) for second in seconds if _may_cross(choice, player, second)]
        yield gain + max([worth, *worths] if may_go_on else [worth]), move


def _seconds(choice: Choice, move: Move) -> list[Move]:
    """What the dice offer after a cross in the same turn, legal or not."""
    rules = choice.game.rules
    if rules.end_at_once and move.locks and choice.game.rows_closed + 1 >= rules.rows_to_end:
        return []
    if not move.is_color:
        return choice.color_offers()
    return choice.white_offers() if choice.white else []


def _crossed(player: Player, move: Move) -> Player:
    """The player after a cross."""
    after = copy.deepcopy(player)
    after.cross(move)
    return after


def _may_cross(choice: Choice, player: Player, move: Move) -> bool:
    return not choice.game.closed[move.row] and player.may_cross(move.row, move.position)


def _second(choice: Choice, player: Player, move: Move) -> float:
    """Points of a second cross of this turn and of what follows."""
    return player.gain(move) + _value(choice, _crossed(player, move))


def _value(choice: Choice, player: Player, penalties: int = 0) -> float:
    """Points still to come in the solo game, with so many more penalties."""
    states = []
    for row in range(len(COLORS)):
        closed = choice.game.closed[row] or player.has_locked(row)
        states.append(row_state(0, 0, closed=True) if closed else row_state(player.last(row), player.count(row)))
    return value(solution_of(choice.game.rules), states, player.penalties + penalties)
