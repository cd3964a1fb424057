"""Qwixx, as everything above the games knows it."""

from __future__ import annotations

from simulator.game import Game
from simulator.qwixx.features import SIGHT
from simulator.qwixx.rules import COLORS, MAX_PLAYERS, MAX_ROLLS, Rules
from simulator.qwixx.watching import WATCH

GAME = Game(
    name="qwixx",
    title="Qwixx",
    about="Qwixx: four rows of numbers, crossed from left to right; two white dice for all, four color dice for one",
    package="qwixx",
    most_players=MAX_PLAYERS,
    most_rolls=MAX_ROLLS,
    rules=Rules,
    sight=SIGHT,
    parts=(*COLORS, "penalties"),
    watch=WATCH,
    duel=("weights", "fewest-skips"),
    entry_points="kok_sim.strategies.qwixx",
    solvable=True,
)
