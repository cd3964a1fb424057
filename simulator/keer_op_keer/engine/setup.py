"""From strategies, sheets and rules to the records that the kernels work on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from simulator.keer_op_keer.engine.layout import GAME, OWN, REPLIES, SETUP, SIDE
from simulator.keer_op_keer.engine.tables import sheet_tables
from simulator.keer_op_keer.engine.valuation import REPLY, Valuation, value
from simulator.keer_op_keer.rules import COLUMNS, JOKER, MAX_ROLLS, TIE_BREAKS, Rules
from simulator.keer_op_keer.sheet import Sheet
from simulator.lanes import new_records
from simulator.memory import addresses_of
from simulator.scoring import Compiled
from simulator.strategy import Strategy


def new_game(sides: np.ndarray, members: Sequence[int], *, watched: bool = False) -> np.ndarray:
    """Room for a game in progress of these members: ``layout.GAME``, shape (1,)."""
    game = new_records(GAME)
    game["watched"] = watched
    lenses = sides["lenses"][members, OWN]
    game["shows_sheets"] = lenses["asks_sheets"].any()
    game["uses_replies"] = lenses["asks_replies"].any()
    return game


def log_shape(seats: int) -> tuple[int, int]:
    """Rolls of the longest game, and codes that a roll has: one for each seat."""
    return MAX_ROLLS, seats


def build_sides(
    strategies: Sequence[Strategy], compiled: Sequence[Compiled | None], sheets: Sequence[Sheet], rules: Rules
) -> np.ndarray:
    """All tables of the engine for each of these strategies on its sheet: ``layout.SIDE``, shape (strategies,).

    ``compiled`` has each scored function, None for weights.
    """
    sides = new_records(SIDE, len(strategies))
    for side, strategy, function, sheet in zip(sides, strategies, compiled, sheets, strict=True):
        tables = sheet_tables(sheet, rules)
        side["sheet"] = tables.sheet
        for name in ("blocks", "patterns", "halos", "placeable", "columns", "steps", "crossing", "pieces", "singles"):
            side[name][: len(tables.blocks)] = getattr(tables, name)
        fill_view(side["views"][0], sheet, rules)
        fill_lens(side, OWN, value(strategy, function.use if function else None, tables, rules))
        side["score"] = function.function.address if function else 0
    if sides["lenses"][:, OWN]["asks_replies"].any():
        for side, sheet in zip(sides, sheets, strict=True):
            fill_lens(side, REPLIES, value(REPLY, None, sheet_tables(sheet, rules), rules))
    return sides


def build_setup(sides: np.ndarray, members: Sequence[int], rules: Rules, *, solo: bool) -> np.ndarray:
    """What stays the same at a table of these members: ``layout.SETUP``, shape (1,). ``sides`` must outlive it."""
    setup = new_records(SETUP)
    fill_rules(setup[0]["rules"], rules, solo=solo)
    setup["sides"][0, : len(members)] = addresses_of(sides, members)
    return setup


def fill_lens(side: np.void, lens: np.int64, valuation: Valuation) -> None:
    """Write how a lens looks at moves, with its tables."""
    side["lenses"][lens] = valuation.lens
    for name in ("cross", "after", "before"):
        table = getattr(valuation, name)
        side[name][lens, :, : table.shape[1]] = table
    side["state_value"][lens, : len(valuation.state_value)] = valuation.state_value
    if lens == OWN:
        side["state_masks"][: len(valuation.state_masks)] = valuation.state_masks


def fill_rules(fields: np.void, rules: Rules, *, solo: bool) -> None:
    """Write the rules as the engine reads them, a ``layout.RULES``."""
    known = fields.dtype.names or ()
    for field in dataclasses.fields(rules):
        if field.name in known and field.name != "tie_break":
            fields[field.name] = getattr(rules, field.name)
    fields["solo"] = solo
    fields["tie_break"] = TIE_BREAKS.index(rules.tie_break)
    fields["color_dice"], fields["number_dice"] = rules.dice(solo=solo)
    fields["last_roll"] = rules.last_roll(solo=solo)
    fields["limited"] = rules.is_limited(solo=solo)
    fields["ends_on_colors"] = rules.ends_on_colors(solo=solo)
    for kind, weights in (("color", rules.color_weights), ("number", rules.number_weights)):
        faces = [face for face in range(JOKER + 1) for _ in range(weights[face])]
        fields[f"{kind}_sides"] = len(faces)
        fields[f"{kind}_faces"][: len(faces)] = faces


def fill_view(view: np.void, sheet: Sheet, rules: Rules) -> None:
    """What a scored function sees of its own sheet before the first roll."""
    for cell, color in sheet.colors.items():
        view["open"][cell] = 1
        view["color"][cell] = color
        view["color_left"][color] += 1
        view["column_left"][cell.column] += 1
        view["star"][cell] = cell in sheet.stars
    for letter in rules.start_columns:
        view["reach"][COLUMNS.index(letter)] = 1
    view["column_value"], view["color_value"] = rules.column_first, rules.color_first
    view["column_unclaimed"], view["color_unclaimed"] = 1, 1
