"""Keer op Keer, as everything above the games knows it."""

from __future__ import annotations

from simulator.game import Game, Sheets
from simulator.keer_op_keer.ending import verify_end
from simulator.keer_op_keer.features import SIGHT
from simulator.keer_op_keer.generating import generate
from simulator.keer_op_keer.printing import drawing
from simulator.keer_op_keer.ratings import BANDS
from simulator.keer_op_keer.rules import MAX_PLAYERS, MAX_ROLLS, Rules
from simulator.keer_op_keer.sheet import Sheet, check_named, departures_note, load_sheet, sheet_names
from simulator.keer_op_keer.watching import WATCH

GAME = Game(
    name="keer-op-keer",
    title="Keer op Keer",
    about="Keer op Keer (Noch mal!, Encore!): color dice and number dice, blocks of cells, jokers",
    package="keer_op_keer",
    most_players=MAX_PLAYERS,
    most_rolls=MAX_ROLLS,
    rules=Rules,
    sight=SIGHT,
    parts=("colors", "columns", "jokers", "stars", "passes"),
    watch=WATCH,
    duel=("cautious", "greedy"),
    entry_points="kok_sim.strategies",
    bands=BANDS,
    sheets=Sheets(sheet_names, load_sheet, Sheet, check_named, departures_note, verify_end, generate, drawing),
)
