"""A game of Keer op Keer in progress, as a person would run it: dice, who was first, the end, the winner.

Plain sets and lists throughout, written to be read beside the rulebook. The fast engine is checked against this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import NamedTuple

from simulator import dice
from simulator.keer_op_keer.referee.patterns import Pattern
from simulator.keer_op_keer.referee.position import Player
from simulator.keer_op_keer.rules import (
    COLOR_STREAM,
    COLORS,
    COLUMNS,
    FACES,
    MAX_PLAYERS,
    MAX_ROLLS,
    NUMBER_STREAM,
    Rules,
)
from simulator.keer_op_keer.sheet import Sheet
from simulator.keer_op_keer.watching import BY_COLORS, BY_ROLLS, STOPPED
from simulator.recording import GameInProgress


class Completed(NamedTuple):
    """What one player completed in a roll: points for each full column and color."""

    columns: dict[int, int]
    colors: dict[int, int]


class Game(GameInProgress):
    """A game in progress: the players, the roll, its dice, and what was filled first.

    Parameters
    ----------
    sheets : sequence of Sheet
        The sheet of each seat; one to six.
    rules : Rules
    seed, index, solo
        As of every :class:`GameInProgress`.

    Attributes
    ----------
    players : list of Player
        In seat order.
    color_faces, number_faces : tuple of int
        Faces 0 to 5 of the dice of this roll, as rolled.
    columns_claimed, colors_claimed : set of int
        Columns and colors that somebody filled in an earlier roll.
    """

    rules: Rules
    players: list[Player]

    def __init__(self, sheets: Sequence[Sheet], rules: Rules, seed: int, index: int, *, solo: bool = False) -> None:
        super().__init__(rules, len(sheets), MAX_PLAYERS, seed, index, solo=solo)
        self.players = [Player(sheet, rules) for sheet in sheets]
        self.color_faces: tuple[int, ...] = ()
        self.number_faces: tuple[int, ...] = ()
        self.columns_claimed: set[int] = set()
        self.colors_claimed: set[int] = set()

    @property
    def is_open_roll(self) -> bool:
        """Whether everyone picks from all dice, whatever the active player takes."""
        return self.roll <= self.rules.open_rolls

    @property
    def ended_on_colors(self) -> bool:
        enough = any(p.colors_full >= self.rules.colors_to_end for p in self.players)
        return enough and self.rules.ends_on_colors(solo=self.solo)

    @property
    def is_over(self) -> bool:
        return self.ended_on_colors or self.roll >= self.rules.last_roll(solo=self.solo)

    @property
    def is_stopped(self) -> bool:
        """Whether only the safety limit of 1000 rolls ended the game."""
        limited = self.solo or self.rules.roll_limit > 0
        return self.roll >= MAX_ROLLS and not limited and not self.ended_on_colors

    @property
    def ending(self) -> int:
        if self.ended_on_colors:
            return BY_COLORS
        return STOPPED if self.is_stopped else BY_ROLLS

    def roll_dice(self) -> None:
        """Begin the next roll: the next player rolls all dice."""
        self.roll += 1
        color_dice, number_dice = self.rules.dice(solo=self.solo)
        self.color_faces = self._faces(COLOR_STREAM, self.rules.color_weights, color_dice)
        self.number_faces = self._faces(NUMBER_STREAM, self.rules.number_weights, number_dice)

    def _faces(self, stream: int, weights: tuple[int, ...], count: int) -> tuple[int, ...]:
        sides = [face for face in range(FACES) for _ in range(weights[face])]
        drawn = dice.draw(dice.roll_word(self.deal_key, self.roll, stream), len(sides), count)
        return tuple(sides[side] for side in drawn)

    def announce(self) -> list[Completed]:
        """Give the points for what was filled in this roll; in seat order."""
        completed = [Completed({}, {}) for _ in self.players]
        columns_before, colors_before = frozenset(self.columns_claimed), frozenset(self.colors_claimed)
        for seat in self.turn_order:
            player = self.players[seat]
            for column in range(len(COLUMNS)):
                if player.column_left[column] == 0 and column not in player.column_points:
                    if self._is_first(column, columns_before, self.columns_claimed):
                        player.column_firsts.add(column)
                    fresh = self._gets_first(column, columns_before, self.columns_claimed)
                    player.late += not fresh
                    values = self.rules.column_first if fresh else self.rules.column_later
                    player.column_points[column] = completed[seat].columns[column] = values[column]
                    self.columns_claimed.add(column)
            for color in range(len(COLORS)):
                if player.color_left[color] == 0 and color not in player.color_points:
                    if self._is_first(color, colors_before, self.colors_claimed):
                        player.color_firsts.add(color)
                    fresh = self._gets_first(color, colors_before, self.colors_claimed)
                    player.late += not fresh
                    value = self.rules.color_first if fresh else self.rules.color_later
                    player.color_points[color] = completed[seat].colors[color] = value
                    self.colors_claimed.add(color)
        return completed

    def _is_first(self, what: int, claimed_before: Set[int], claimed_now: Set[int]) -> bool:
        """Whether who fills a column or color now is the first, or one of the first."""
        return what not in (claimed_before if self.rules.shared_firsts else claimed_now)

    def _gets_first(self, what: int, claimed_before: Set[int], claimed_now: Set[int]) -> bool:
        """Whether it gives the first value."""
        return self.solo or self.rules.first_for_all or self._is_first(what, claimed_before, claimed_now)

    def column_value(self, column: int) -> int:
        """Points that filling a column in this roll gives (as far as can be known while choosing)."""
        fresh = self._gets_first(column, self.columns_claimed, self.columns_claimed)
        return (self.rules.column_first if fresh else self.rules.column_later)[column]

    def color_value(self, color: int) -> int:
        """Points that filling a color in this roll gives (as far as can be known while choosing)."""
        fresh = self._gets_first(color, self.colors_claimed, self.colors_claimed)
        return self.rules.color_first if fresh else self.rules.color_later

    def column_points(self, seat: int, pattern: Pattern) -> int:
        """Points of the columns that a player fills by crossing a pattern now."""
        left = self.players[seat].column_left
        return sum(self.column_value(column) for column, cells in pattern.columns if left[column] == cells)

    def color_points(self, seat: int, pattern: Pattern) -> int:
        """Points of the color that a player fills by crossing a pattern now."""
        left = self.players[seat].color_left[pattern.color]
        return self.color_value(pattern.color) if left == pattern.number else 0

    def points(self, seat: int, pattern: Pattern) -> int:
        """Points that a player gains by crossing a pattern now, before joker dice are paid for."""
        stars = pattern.stars * self.rules.star_penalty
        return self.column_points(seat, pattern) + self.color_points(seat, pattern) + stars

    def standing(self, seat: int) -> int:
        return sum(self.players[seat].parts().values())

    def winners(self) -> list[int]:
        """Seats of the winners, after the tie-break of the rules."""
        totals = self.standings
        best = [seat for seat, total in enumerate(totals) if total == max(totals)]
        tie_breaks: dict[str, Callable[[Player], int]] = {
            "marks": lambda player: player.marks,
            "columns": lambda player: len(player.column_points),
            "stars": lambda player: -player.stars_left,
            "shared": lambda player: 0,
        }
        worth = {seat: tie_breaks[self.rules.tie_break](self.players[seat]) for seat in best}
        return [seat for seat in best if worth[seat] == max(worth.values())]
