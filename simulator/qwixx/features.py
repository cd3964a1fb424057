"""What a strategy of Qwixx sees: the features of a move, and the two records that a scored function is given.

This file is the definition; the referee computes every figure from plain lists, the engine from bit masks, and tests
hold them equal. See :mod:`simulator.sight` for how weights are kept exact.

**A choice.** In the action of the white dice every player chooses at the same time, before anybody's cross of this
action is made; then the active player chooses in the action of the color dice, after all white crosses. (With the house
rule ``white_first = false`` the active player chooses among white and color crosses first.) Who can only pass is not
asked.

**Candidates.** The pass; a cross of the white sum in each row where it is legal; a cross of a white die plus a color
die in each row where it is legal, for each of the two white dice (also if both give the same number).

**Ties.** Of moves with equal scores the first in this order is played: pass; white crosses by row (red, yellow, green,
blue); color crosses by row, of each row first that with the first white die.

**Codes.** A move is one number, its *code*: 0 for the pass, ``1 + 11 * row + (position - 1)`` for a white cross,
``45 + 11 * (2 * row + die) + (position - 1)`` for a color cross with white die 0 or 1. Its random number (``luck``) is
number *code* of the luck of this roll and seat; that of the pass of a choice among color crosses alone is number 133.
"""

from __future__ import annotations

from simulator.qwixx.rules import COLORS, MAX_PLAYERS
from simulator.sight import Feature, Field, Sight

FIRST_COLOR_CODE = 45
PASS_OF_COLORS = 133

FEATURES = (
    Feature("points", +1, "change of the own score: points of the row, or of a penalty that is certain"),
    Feature("crossing", +1, "1 for a cross"),
    Feature("count", +1, "crosses that the row has before"),
    Feature("position", +1, "position of the number in its row, 1 to 11 from the left"),
    Feature("likelihood", +1, "in how many of 36 throws two dice show the number, 1 to 6"),
    Feature("lock", +1, "1 if it locks the row"),
    Feature("ends", +1, "1 if it closes the last row that the end of the game needs, as far as can be seen"),
    Feature("passing", +1, "1 for the pass"),
    Feature("luck", +1, "a random number from 0 to 1, new for every move"),
    Feature("gap", -1, "numbers that it skips, between the last cross of the row (or its left end) and the number"),
    Feature("skipped", -1, "likelihoods of these numbers, added up"),
    Feature("penalty", -1, "1 for a pass that means a penalty for certain: nothing is crossed in this turn, and there "
            "is no color cross left to make, as far as can be seen"),
)  # fmt: skip

_ROWS, _MAX_OTHERS = len(COLORS), MAX_PLAYERS - 1

VIEW_FIELDS: tuple[Field, ...] = (
    ("roll", (), "number of the roll, 1 for the first"),
    ("players", (), "players at the table; 1 in the solo game"),
    ("active", (), "1 if this player rolled the dice (always in the solo game)"),
    ("action", (), "1 if white crosses can be chosen, 2 if only color crosses can"),
    ("crossed", (), "1 if this player has crossed something in this turn"),
    ("white", (2,), "the white dice, 1 to 6"),
    ("color", (_ROWS,), "the color dice, 1 to 6: red, yellow, green, blue; 0 for one whose row is closed"),
    ("color_gap", (), "fewest numbers that a color cross of this roll would skip; -1 if there is none, for passive "
     "players, after an own color cross, and where only color crosses can be chosen"),
    ("rows", (_ROWS,), "own crosses of each row as a bit mask: position p is bit p - 1, the lock is bit 11"),
    ("last", (_ROWS,), "position of the last number of each row that is crossed, 1 to 11; 0 if there is none"),
    ("count", (_ROWS,), "own crosses of each row, the lock included"),
    ("closed", (_ROWS,), "1 for each row that is closed"),
    ("score", (), "own points so far, of rows and penalties"),
    ("penalties", (), "own penalties so far"),
    ("other_rows", (_MAX_OTHERS, _ROWS), "crosses of each opponent, the next in turn first; 0 where there is none"),
    ("other_last", (_MAX_OTHERS, _ROWS), "position of the last cross of each row of each opponent"),
    ("other_count", (_MAX_OTHERS, _ROWS), "crosses of each row of each opponent"),
    ("other_score", (_MAX_OTHERS,), "points so far of each opponent"),
    ("other_penalties", (_MAX_OTHERS,), "penalties so far of each opponent"),
)  # fmt: skip
"""Fields of a view (name, shape, meaning); all ``int64``."""

MOVE_FIELDS: tuple[Field, ...] = (
    ("row", (), "row of the cross, 0 to 3; -1 for the pass"),
    ("number", (), "number crossed, 2 to 12; 0 for the pass"),
    ("die", (), "0 for a white cross and the pass, 1 or 2 for a color cross with the first or second white die"),
    *((f.name, (), f.meaning) for f in FEATURES),
)
"""Fields of a move (name, shape, meaning); all ``int64`` but ``luck``, which is ``float64``."""

SIGHT = Sight(FEATURES, VIEW_FIELDS, MOVE_FIELDS)
