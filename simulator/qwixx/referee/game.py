"""A game of Qwixx in progress, as a person would run it: dice, closed rows, the end, the winners.

Plain lists throughout, written to be read beside the rulebook. The fast engine is checked against this.
"""

from __future__ import annotations

from simulator import dice
from simulator.errors import PlanError
from simulator.qwixx.referee.position import Move, Player
from simulator.qwixx.rules import COLOR_STREAM, COLORS, MAX_PLAYERS, MAX_ROLLS, SIDES, WHITE_STREAM, Rules


class Game:
    """A game in progress: the players, the roll, its dice, and which rows are closed.

    Parameters
    ----------
    seats : int
        Players at the table, one to five.
    rules : Rules
    seed, index : int
        The run and the game in it, which decide the dice and the luck; each in ``[0, 2**64)``.
    solo : bool
        The solo game, for one player.

    Attributes
    ----------
    players : list of Player
        In seat order.
    roll : int
        Number of the roll, 1 for the first; 0 before it. Every roll is a turn of the game.
    white : list of int
        The two white dice of this roll, 1 to 6.
    color : list of int
        The four color dice of this roll, 1 to 6; those of closed rows count for nothing.
    closed : list of bool
        Whether each row is closed.
    crossed : list of bool
        Whether each player has crossed something in this turn.

    Raises
    ------
    PlanError
        For a number of players, seed or index that cannot be played.
    """

    def __init__(self, seats: int, rules: Rules, seed: int, index: int, *, solo: bool = False) -> None:
        if not 1 <= seats <= (1 if solo else MAX_PLAYERS):
            allowed = "the solo game has 1 player" if solo else f"a game has 1 to {MAX_PLAYERS} players"
            raise PlanError(f"{allowed}; got {seats}")
        for name, number in (("seed", seed), ("index", index)):
            if not 0 <= number <= dice.MASK:
                raise PlanError(f"{name} must be from 0 to 2**64 - 1; got {number}")
        self.rules = rules
        self.solo = solo
        self.deal_key = dice.game_key(seed, index // seats)
        self.luck_key = dice.game_key(seed, index)
        self.players = [Player(rules) for _ in range(seats)]
        self.roll = 0
        self.white: list[int] = []
        self.color: list[int] = []
        self.closed = [False] * len(COLORS)
        self.crossed = [False] * seats

    @property
    def active(self) -> int:
        """Seat of the player who rolled."""
        return (self.roll - 1) % len(self.players)

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

    def winners(self) -> list[int]:
        """Seats of the winners: all with the highest total."""
        totals = [player.score for player in self.players]
        return [seat for seat, total in enumerate(totals) if total == max(totals)]
