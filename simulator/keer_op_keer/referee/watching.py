"""What is counted of a player, see :data:`simulator.keer_op_keer.watching.WATCH`."""

from __future__ import annotations

from collections.abc import Callable, Set

from simulator.keer_op_keer.referee.choice import Choice, choice_for
from simulator.keer_op_keer.referee.position import Move, Player
from simulator.keer_op_keer.rules import COLUMNS
from simulator.keer_op_keer.sheet import ALL_CELLS


def counts(player: Player) -> list[int]:
    """The counts in order, then what this player filled, and what it was the first to fill."""
    jokers = player.rules.jokers - player.marks
    cells = len(ALL_CELLS) - len(player.open)
    filled = _feats(player.column_points.keys(), player.color_points.keys())
    first = _feats(player.column_firsts, player.color_firsts)
    return [jokers, player.passes, cells, player.late, player.hurt, filled, first]


def _feats(columns: Set[int], colors: Set[int]) -> int:
    """A bit for each column, then for each color."""
    return sum(1 << column for column in columns) + sum(1 << len(COLUMNS) + color for color in colors)


def noting(decide: Callable[[Choice], Move]) -> Callable[[Choice], Move]:
    """Decides the same, and notes when the next player would make another move if no dice had been taken."""

    def decide_and_note(choice: Choice) -> Move:
        move = decide(choice)
        game = choice.game
        dice_are_taken = len(choice.colors) < len(game.color_faces)
        if dice_are_taken and choice.seat == game.turn_order[1]:
            wanted = decide(choice_for(game, choice.seat))
            choice.player.hurt += wanted != move
        return move

    return decide_and_note
