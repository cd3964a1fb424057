"""What is watched of Keer op Keer."""

from __future__ import annotations

from simulator.keer_op_keer.rules import COLORS, COLUMNS
from simulator.watch import Count, Watch

BY_COLORS, BY_ROLLS, STOPPED = range(3)

WATCH = Watch(
    endings=("full colors", "roll limit", "safety limit"),
    counts=(
        Count(
            "joker_dice",
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
            "firsts_lost",
            "first values lost",
            "Columns and colors that a player filled for the later value, because somebody else was first.",
            "players lose {} more first values to others",
            "players lose {} fewer first values to others",
            together=True,
        ),
        Count(
            "dice_denied",
            "taken die was wanted",
            "Rolls in which the player after the active one would have moved otherwise if no dice had been taken.",
            "the share of rolls in which a taken die changes the next player's move rises by {} % points",
            "the share of rolls in which a taken die changes the next player's move falls by {} % points",
            per_roll=True,
            together=True,
        ),
    ),
    feats=(*(f"column {column}" for column in COLUMNS), *COLORS),
    done="filled",
)
