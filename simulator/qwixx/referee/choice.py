"""A player's choice and its legal moves, and the course of a turn: who is asked, when crosses are made.

Plain lists throughout, written to be read beside the rulebook. The fast engine is checked against this.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from simulator.choosing import SeatChoice
from simulator.qwixx.referee.game import Game
from simulator.qwixx.referee.position import PASS, Move, Player
from simulator.qwixx.rules import COLORS, position_of


@dataclass(frozen=True, eq=False)
class Choice(SeatChoice):
    """A player who has to choose, and whether among crosses of the white sum, color crosses, or both.

    It is about the position as it stands when its moves are asked for, so ask before anything is crossed.
    """

    game: Game
    seat: int
    white: bool
    color: bool

    @property
    def player(self) -> Player:
        """The player who chooses."""
        return self.game.players[self.seat]

    @property
    def action(self) -> int:
        """1 if white crosses can be chosen, 2 if only color crosses can."""
        return 1 if self.white else 2

    @property
    def crossed(self) -> bool:
        """Whether this player has crossed something in this turn."""
        return self.game.crossed[self.seat]

    def white_offers(self) -> list[Move]:
        """Crosses of the sum of the white dice, legal or not, in tie order."""
        return [Move(row, position_of(row, sum(self.game.white))) for row in range(len(COLORS))]

    def color_offers(self) -> list[Move]:
        """Crosses of a white die and a color die, legal or not, in tie order."""
        return [
            Move(row, position_of(row, face + self.game.color[row]), die)
            for row in range(len(COLORS))
            for die, face in enumerate(self.game.white, 1)
        ]

    def white_crosses(self) -> list[Move]:
        """Legal crosses of the sum of the white dice, in tie order."""
        return [move for move in self.white_offers() if self._is_legal(move)]

    def color_crosses(self) -> list[Move]:
        """Legal crosses of a white die and a color die, in tie order."""
        return [move for move in self.color_offers() if self._is_legal(move)]

    def _is_legal(self, move: Move) -> bool:
        return not self.game.closed[move.row] and self.player.may_cross(move.row, move.position)

    @property
    def means_penalty(self) -> bool:
        """Whether the pass means a penalty for certain, as far as can be seen."""
        if not self.is_active or self.crossed:
            return False
        return self.action == 2 or not self.color_crosses()

    def moves(self) -> list[Move]:
        """Every legal move in tie order, the pass first."""
        whites = self.white_crosses() if self.white else []
        colors = self.color_crosses() if self.color else []
        return [PASS, *whites, *colors]

    def objection(self, move: Move) -> str:
        """What forbids a move, as a clause; empty if it is legal.

        Found without :meth:`moves`, so that tests can hold the two against each other.
        """
        if move.is_pass:
            return ""
        if not (self.color if move.is_color else self.white):
            return f"{'color crosses' if move.is_color else 'crosses of the white sum'} cannot be chosen now"
        color, crosses = COLORS[move.row], self.player.rows[move.row]
        if self.game.closed[move.row]:
            return f"the {color} row is closed"
        if move.is_color:
            white, colored = self.game.white[move.die - 1], self.game.color[move.row]
            made, told = white + colored, f"white {white} and {color} {colored} make {white + colored}"
        else:
            made, told = sum(self.game.white), f"the white dice make {sum(self.game.white)}"
        if move.number != made:
            return told
        if any(position >= move.position for position in crosses):
            return "it is not to the right of the last cross of the row"
        needed = self.game.rules.crosses_to_lock
        if move.locks and len(crosses) < needed:
            return f"the last number needs {needed} crosses in the row where there are {len(crosses)}"
        return ""


class Made(NamedTuple):
    """A move that was made: by whom, in which action, and whether the player takes a penalty."""

    seat: int
    is_color: bool
    move: Move
    penalty: bool = False


def play_roll(game: Game, decide: Callable[[Choice], Move]) -> list[Made]:
    """Play the turn whose dice lie on the table; gives what was done, in the order in which it was done.

    ``decide`` is asked for every choice, also for one that has only the pass.
    """
    active, made = game.active, []
    first = PASS
    if not game.rules.white_first:  # the active player may take a color die before anybody crosses the white sum
        first = decide(Choice(game, active, white=True, color=True))
        if first.is_color:
            made.append(_act(game, active, first))
            game.close_rows()
            if game.ends_at_once:
                return made

    # The white dice: all choose at the same time, before anybody's cross.
    chosen = []
    for seat in range(len(game.players)):
        has_chosen = seat == active and not game.rules.white_first and not first.is_color
        chosen.append(first if has_chosen else decide(Choice(game, seat, white=True, color=False)))
    for seat, move in enumerate(chosen):
        game.make(seat, move)
        made.append(Made(seat, False, move))
    game.close_rows()
    if game.ends_at_once or first.is_color:
        return made

    # The color dice: the active player alone.
    made.append(_act(game, active, decide(Choice(game, active, white=False, color=True))))
    game.close_rows()
    return made


def _act(game: Game, seat: int, move: Move) -> Made:
    """The action of the color dice; a turn in which nothing was crossed ends with a penalty."""
    game.make(seat, move)
    penalty = not game.crossed[seat]
    game.players[seat].penalties += penalty
    return Made(seat, True, move, penalty)
