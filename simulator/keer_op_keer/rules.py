"""The rules of Keer op Keer as data: every switch that a house rule can set; the defaults are the official game.

Sources of the defaults: the publisher's German rulebook of 2016, a Dutch rules text, photographs of the printed sheet.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.errors import RulesError
from simulator.rules import RuleSet, switch

COLUMNS = "ABCDEFGHIJKLMNO"
ROWS = 7
COLORS = ("green", "yellow", "blue", "pink", "orange")
JOKER = 5  # the sixth face of every die, as an index
FACES = 6
MAX_NUMBER = 5
MAX_PLAYERS = 6
MAX_DICE = 6
MAX_ROLLS = 1000  # a game that has not ended by then is stopped and counted as stopped
COLOR_STREAM, NUMBER_STREAM = 0, 1  # of the dice, see simulator/dice.py
TIE_BREAKS = ("marks", "columns", "stars", "shared")


@dataclass(frozen=True)
class Rules(RuleSet):
    """One rule set. Checked on construction; raises :class:`RulesError` with the key at fault."""

    connect_through_crosses: bool = switch(
        False, "The crosses of a move may also be connected through old crosses of the same block."
    )
    start_columns: str = switch(
        "H", "Columns in which a cell may be crossed without contact.", form="one or more different letters from A to O"
    )
    jokers: int = switch(8, "Exclamation marks of a player: how many joker dice can be paid for.", 0, 99)
    mark_points: int = switch(1, "Points for each unused exclamation mark.", 0, 99)
    star_penalty: int = switch(2, "Points lost for each star that is still open at the end.", 0, 99)
    color_first: int = switch(
        5, "Points for a full color in the first roll in which anyone fills it; solo: always.", 0, 99
    )
    color_later: int = switch(3, "Points for a full color afterwards.", 0, 99)
    column_first: tuple[int, ...] = switch(
        (5, 3, 3, 3, 2, 2, 2, 1, 2, 2, 2, 3, 3, 3, 5),
        "Points for a full column A to O in the first roll in which anyone fills it; solo: always.",
        0,
        99,
    )
    column_later: tuple[int, ...] = switch(
        (3, 2, 2, 2, 1, 1, 1, 0, 1, 1, 1, 2, 2, 2, 3), "Points for a full column A to O afterwards.", 0, 99
    )
    first_for_all: bool = switch(False, "Everyone gets the first value, whenever they fill a column or color.")
    shared_firsts: bool = switch(
        True,
        "All who fill a column or color in the first such roll get the first value; if not, only the one who "
        "is nearest to the active player, in turn order from the active player.",
    )
    colors_to_end: int = switch(
        2, "The game ends after the roll in which someone has filled this many colors.", 1, len(COLORS)
    )
    open_rolls: int = switch(3, "In this many rolls at the start everyone picks from all dice.", 0, MAX_ROLLS)
    roll_limit: int = switch(
        0, "A game of several players ends after this many rolls at the latest (0: no limit).", 0, MAX_ROLLS
    )
    color_dice: int = switch(3, "Color dice rolled.", 1, MAX_DICE)
    number_dice: int = switch(3, "Number dice rolled.", 1, MAX_DICE)
    solo_color_dice: int = switch(2, "Color dice rolled in the solo game.", 1, MAX_DICE)
    solo_number_dice: int = switch(2, "Number dice rolled in the solo game.", 1, MAX_DICE)
    solo_rolls: int = switch(30, "Length of the solo game in rolls.", 1, MAX_ROLLS)
    solo_ends_on_colors: bool = switch(False, "The solo game also ends when colors_to_end colors are full.")
    passive_see_active: bool = switch(
        False,
        "The active player's crosses are made before the others pick (full columns and colors are still "
        "announced together at the end of the roll).",
    )
    tie_break: str = switch(
        "marks",
        "Who wins on equal points: most unused marks, most full columns, fewest open stars, or nobody "
        "(shared). Who are still equal share the win.",
        choices=TIE_BREAKS,
    )
    pass_penalty: int = switch(0, "Points lost for each pass.", 0, 99)
    color_weights: tuple[int, ...] = switch(
        (1, 1, 1, 1, 1, 1), "Weights of the faces of a color die: green, yellow, blue, pink, orange, joker.", 0, 9
    )
    number_weights: tuple[int, ...] = switch(
        (1, 1, 1, 1, 1, 1), "Weights of the faces of a number die: 1, 2, 3, 4, 5, joker.", 0, 9
    )

    def _verify(self) -> None:
        _verify_start_columns(self.start_columns)
        for name in ("color_weights", "number_weights"):
            if not any(getattr(self, name)):
                raise RulesError(f"{name}: at least one face needs a weight above 0")
        self._verify_ends()

    def _verify_ends(self) -> None:
        """Refuse a game without a roll limit that no play can bring to its end; jokers that can be paid for may."""
        if self.roll_limit:
            return
        fillable = sum(w > 0 for w in self.color_weights[:JOKER])
        if fillable < self.colors_to_end and not (self.jokers and self.color_weights[JOKER]):
            raise RulesError(
                f"color_weights show only {fillable} of the colors but colors_to_end is {self.colors_to_end}: "
                "the game cannot end; raise the weights or set a roll_limit"
            )
        if not self.number_weights[0] and not (self.jokers and self.number_weights[JOKER]):
            raise RulesError(
                "number_weights never show a 1, so blocks of one cell stay open and the game cannot end; "
                "give 1 a weight or set a roll_limit"
            )

    def dice(self, *, solo: bool) -> tuple[int, int]:
        """Numbers of color dice and number dice rolled."""
        return (self.solo_color_dice, self.solo_number_dice) if solo else (self.color_dice, self.number_dice)

    def last_roll(self, *, solo: bool) -> int:
        """The roll after which the game is over at the latest."""
        return self.solo_rolls if solo else self.roll_limit or MAX_ROLLS

    def is_limited(self, *, solo: bool) -> bool:
        """Whether the rules themselves end the game after a number of rolls."""
        return solo or self.roll_limit > 0

    def ends_on_colors(self, *, solo: bool) -> bool:
        """Whether ``colors_to_end`` full colors end the game."""
        return self.solo_ends_on_colors if solo else True

    def score_range(self) -> tuple[int, int]:
        """Bounds, inclusive, of what a score can be: for histograms."""
        low = -len(COLUMNS) * ROWS * self.star_penalty - MAX_ROLLS * self.pass_penalty
        columns = sum(max(pair) for pair in zip(self.column_first, self.column_later, strict=True))
        high = columns + len(COLORS) * max(self.color_first, self.color_later) + self.jokers * self.mark_points
        return low, high


def _verify_start_columns(columns: str) -> None:
    if not columns or any(c not in COLUMNS for c in columns) or len(set(columns)) != len(columns):
        raise RulesError(f"start_columns must be one or more different letters from A to O; got {columns!r}")


OFFICIAL = Rules()
