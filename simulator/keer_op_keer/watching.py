"""What is watched of Keer op Keer."""

from __future__ import annotations

from simulator.keer_op_keer.rules import COLORS, COLUMNS
from simulator.watch import Count, Watch

BY_COLORS, BY_ROLLS, STOPPED = range(3)

WATCH = Watch(
    endings=("full colors", "the limit of rolls", "the safety limit"),
    counts=(
        Count(
            "jokers",
            "joker dice taken",
            "Exclamation marks struck by a player.",
            "players take {} more joker dice",
            "players take {} fewer joker dice",
        ),
        Count(
            "passes",
            "passes",
            "Passes of a player.",
            "players pass {} times more often",
            "players pass {} times less often",
        ),
        Count(
            "cells",
            "cells crossed",
            "Cells that a player has crossed at the end.",
            "players cross {} more cells",
            "players cross {} fewer cells",
        ),
        Count(
            "late",
            "first values lost",
            "Columns and colors that a player filled for the later value, because somebody else was first.",
            "players lose {} more first values to others",
            "players lose {} fewer first values to others",
            together=True,
        ),
        Count(
            "hurt",
            "die taken that was wanted",
            "Rolls in which the player after the active one would have made another move if all dice had still been "
            "there.",
            "taken dice hurt the next player in {} more of the rolls",
            "taken dice hurt the next player in {} fewer of the rolls",
            per_roll=True,
            together=True,
        ),
    ),
    feats=(*(f"column {column}" for column in COLUMNS), *COLORS),
    done="filled",
)
