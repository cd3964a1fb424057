"""A game of Qwixx in progress, as a person would run it: dice, closed rows, the end, the winners.

Plain lists throughout, written to be read beside the rulebook. The fast engine is checked against this.
"""

from __future__ import annotations

from simulator import dice
from simulator.qwixx.referee.position import Move, Player
from simulator.qwixx.rules import COLOR_STREAM, COLORS, MAX_PLAYERS, MAX_ROLLS, SIDES, WHITE_STREAM, Rules
from simulator.qwixx.watching import BY_PENALTIES, BY_ROWS, STOPPED
from simulator.recording import GameInProgress


class Game(GameInProgress):
    """A game in progress: the players, the roll, its dice, and which rows are closed.

    Parameters
    ----------
    seats : int
        Players at the table, one to five.
    rules : Rules
    seed, index, solo
        As of every :class:`GameInProgress`.

    Attributes
    ----------
    players : list of Player
        In seat order.
    white : list of int
        The two white dice of this roll, 1 to 6.
    color : list of int
        The four color dice of this roll, 1 to 6; those of closed rows count for nothing.
    closed : list of bool
        Whether each row is closed.
    crossed : list of bool
        Whether each player has crossed something in this turn. (Every roll is a turn.)
    """

    rules: Rules
    players: list[Player]

    def __init__(self, seats: int, rules: Rules, seed: int, index: int, *, solo: bool = False) -> None:
        super().__init__(rules, seats, MAX_PLAYERS, seed, index, solo=solo)
        self.players = [Player(rules) for _ in range(seats)]
        self.white: list[int] = []
        self.color: list[int] = []
        self.closed = [False] * len(COLORS)
        self.crossed = [False] * seats

    @property
    def rows_closed(self) -> int:
        """How many rows are closed."""
        return sum(self.closed)

    @property
    def enough_closed(self) -> bool:
        """Whether so many rows are closed that the game ends."""
        return self.rows_closed >= self.rules.rows_to_end

    @property
    def ends_at_once(self) -> bool:
        """Whether the game is over now, whatever is left of the turn."""
        return self.enough_closed and self.rules.end_at_once

    @property
    def has_ended(self) -> bool:
        """Whether the rules end the game with this turn."""
        return self.enough_closed or any(p.penalties >= self.rules.penalties_to_end for p in self.players)

    @property
    def is_over(self) -> bool:
        return self.has_ended or self.roll >= MAX_ROLLS

    @property
    def is_stopped(self) -> bool:
        """Whether only the safety limit of 1000 rolls ended the game."""
        return self.roll >= MAX_ROLLS and not self.has_ended

    @property
    def ending(self) -> int:
        if self.enough_closed:
            return BY_ROWS
        return BY_PENALTIES if self.has_ended else STOPPED

    def roll_dice(self) -> None:
        """Begin the next roll: the next player rolls all dice."""
        self.roll += 1
        self.white = self._faces(WHITE_STREAM, 2)
        self.color = self._faces(COLOR_STREAM, len(COLORS))
        self.crossed = [False] * len(self.players)

    def _faces(self, stream: int, count: int) -> list[int]:
        return [face + 1 for face in dice.draw(dice.roll_word(self.deal_key, self.roll, stream), SIDES, count)]

    def make(self, seat: int, move: Move) -> None:
        """Make a legal move of a player; the rows close when the action is over."""
        if not move.is_pass:
            self.players[seat].cross(move)
            self.crossed[seat] = True

    def close_rows(self) -> None:
        """End an action: the rows that somebody has locked are closed for everybody, and their dice leave the game."""
        for row in range(len(COLORS)):
            if any(player.has_locked(row) for player in self.players):
                self.closed[row] = True

    def end_roll(self) -> None:
        """When everything of the roll is settled: note also who crossed nothing."""
        super().end_roll()
        for player, crossed in zip(self.players, self.crossed, strict=True):
            player.idle += not crossed

    def standing(self, seat: int) -> int:
        return self.players[seat].score

    def winners(self) -> list[int]:
        """Seats of the winners: all with the highest total."""
        totals = self.standings
        return [seat for seat, total in enumerate(totals) if total == max(totals)]
