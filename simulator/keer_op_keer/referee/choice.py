"""A player's choice in a roll: which dice there are to pick from, which moves are legal, what is left to the others.

Plain sets and lists throughout, written to be read beside the rulebook. The fast engine is checked against this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from simulator.choosing import SeatChoice
from simulator.keer_op_keer.features import REPLY_CELLS
from simulator.keer_op_keer.referee.game import Completed, Game
from simulator.keer_op_keer.referee.patterns import Pattern
from simulator.keer_op_keer.referee.position import PASS, Move, Player, move_of
from simulator.keer_op_keer.rules import COLORS, JOKER, MAX_NUMBER

Way = tuple[int, int]
"""How a color and number are paid for: (1 if the color die is a joker, 1 if the number die is)."""


def payable(colors: Sequence[int], numbers: Sequence[int], marks: int) -> Iterator[tuple[int, int, list[Way]]]:
    """Every color and number that these dice faces and marks give, and the ways to pay for them, in tie order."""
    for color in range(len(COLORS)):
        color_ways = [joker for joker in (0, 1) if (JOKER if joker else color) in colors]
        for number in range(1, MAX_NUMBER + 1) if color_ways else ():
            number_ways = [joker for joker in (0, 1) if (JOKER if joker else number - 1) in numbers]
            ways = [(c, n) for n in number_ways for c in color_ways if c + n <= marks]
            if ways:
                yield color, number, ways


class Option(NamedTuple):
    """A color and a number that can be taken, the ways to pay for them, and what can be crossed."""

    color: int
    number: int
    ways: list[Way]
    patterns: list[Pattern]


@dataclass(frozen=True, eq=False)
class Choice(SeatChoice):
    """A player who has to choose: the game, the seat, and the dice to pick from (faces 0 to 5, in rolled order)."""

    game: Game
    seat: int
    colors: tuple[int, ...]
    numbers: tuple[int, ...]
    _replies: dict[tuple[int, int], float] = field(default_factory=dict)
    _best_crosses: dict[tuple[int, int, int], float] = field(default_factory=dict)

    @property
    def player(self) -> Player:
        """The player who chooses."""
        return self.game.players[self.seat]

    def options(self) -> Iterator[Option]:
        """Colors and numbers that can be taken, with what can be crossed, in tie order; the pass comes before."""
        for color, number, ways in payable(self.colors, self.numbers, self.player.marks):
            yield Option(color, number, ways, self.player.legal(color, number))

    def moves(self) -> list[Move]:
        """Every legal move in tie order, the pass first."""
        found = [PASS]
        for option in self.options():
            found += [move_of(pattern, *way) for pattern in option.patterns for way in option.ways]
        return found

    def objection(self, move: Move) -> str:
        """What forbids a move, as a clause; empty if it is legal."""
        if move.is_pass:
            return ""
        if move.color_face not in self.colors:
            return f"no {'joker' if move.color_joker else COLORS[move.color]} color die can be picked"
        if move.number_face not in self.numbers:
            return f"no {'joker' if move.number_joker else move.number} number die can be picked"
        if move.jokers > self.player.marks:
            return f"it costs {move.jokers} joker marks where {self.player.marks} are left"
        return self.player.objection(move)

    def left_after(self, color_face: int, number_face: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The dice that are left when one color die and one number die of these faces are taken."""
        colors, numbers = list(self.colors), list(self.numbers)
        colors.remove(color_face)
        numbers.remove(number_face)
        return tuple(colors), tuple(numbers)

    def replies(self, color_face: int = -1, number_face: int = -1) -> float:
        """What the dice left after taking these faces (or after a pass) are worth to the others together."""
        if not self.is_active or self.game.is_open_roll:
            return 0.0
        taken = (color_face, number_face)
        if taken not in self._replies:
            colors, numbers = (self.colors, self.numbers) if color_face < 0 else self.left_after(*taken)
            self._replies[taken] = sum(self._best_reply(seat, colors, numbers) for seat in self.others)
        return self._replies[taken]

    def _best_reply(self, seat: int, colors: tuple[int, ...], numbers: tuple[int, ...]) -> float:
        rules, player = self.game.rules, self.game.players[seat]
        best = -float(rules.pass_penalty)
        for color, number, ways in payable(colors, numbers, player.marks):
            cost = rules.mark_points * min(color_joker + number_joker for color_joker, number_joker in ways)
            best = max(best, self._best_cross(seat, color, number) - cost)
        return best

    def _best_cross(self, seat: int, color: int, number: int) -> float:
        """Most points plus 1/8 per cell that crossing this color and number gives; -inf if it cannot be done."""
        key = (seat, color, number)
        if key not in self._best_crosses:
            legal = self.game.players[seat].legal(color, number)
            points = [self.game.points(seat, pattern) for pattern in legal]
            self._best_crosses[key] = max(points) + REPLY_CELLS * number if points else -float("inf")
        return self._best_crosses[key]


def choice_for(game: Game, seat: int, taken: Move | None = None) -> Choice:
    """What the player of a seat has to choose from; passive players need the active player's move as ``taken``."""
    everything = Choice(game, seat, game.color_faces, game.number_faces)
    if seat == game.active or game.is_open_roll or taken is None or taken.is_pass:
        return everything
    return Choice(game, seat, *everything.left_after(taken.color_face, taken.number_face))


def play_roll(game: Game, decide: Callable[[Choice], Move]) -> tuple[list[Move], list[Completed]]:
    """Play the roll whose dice lie on the table; ``decide`` is asked for each player, the active one first.

    Returns
    -------
    moves, completed : list of Move, list of Completed
        In seat order: what each player did, and what it completed.
    """
    moves = [PASS] * len(game.players)
    moves[game.active] = taken = decide(choice_for(game, game.active))
    if game.rules.passive_see_active:
        game.players[game.active].make(taken)
    for seat in game.turn_order[1:]:
        moves[seat] = decide(choice_for(game, seat, taken))
    for seat, player in enumerate(game.players):
        if seat != game.active or not game.rules.passive_see_active:
            player.make(moves[seat])
    return moves, game.announce()
