"""What is watched of Qwixx."""

from __future__ import annotations

from simulator.qwixx.rules import COLORS
from simulator.watch import Count, Watch

BY_ROWS, BY_PENALTIES, STOPPED = range(3)

WATCH = Watch(
    endings=("closed rows", "penalties", "safety limit"),
    counts=(
        Count(
            "idle",
            "rolls without a cross",
            "Rolls in which a player crossed nothing.",
            "players cross nothing in {} more rolls",
            "players cross nothing in {} fewer rolls",
        ),
        Count(
            "penalties",
            "penalties",
            "Penalties of a player.",
            "players take {} more penalties",
            "players take {} fewer penalties",
        ),
        Count(
            "crosses",
            "crosses",
            "Crosses of a player at the end, locks included.",
            "players make {} more crosses",
            "players make {} fewer crosses",
        ),
        Count(
            "skipped",
            "numbers skipped",
            "Numbers without a cross to the left of the last cross in a row of a player.",
            "players skip {} more numbers",
            "players skip {} fewer numbers",
        ),
        Count(
            "rows_lost",
            "rows closed by others",
            "Rows in which a player had crosses when somebody else closed them.",
            "others close {} more rows in which one has crosses",
            "others close {} fewer rows in which one has crosses",
            together=True,
        ),
    ),
    feats=tuple(f"row {color}" for color in COLORS),
    done="locked",
)
