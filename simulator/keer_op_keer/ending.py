"""Whether a game can end on a sheet: what the dice show must suffice to fill enough colors.

The rules alone cannot tell: cells are crossed beside others, and the colors that are shown need not hang together.
"""

from __future__ import annotations

from collections.abc import Sequence

from simulator.errors import RulesError
from simulator.keer_op_keer.rules import COLORS, COLUMNS, JOKER, Rules
from simulator.keer_op_keer.sheet import Sheet


def verify_end(rules: Rules, sheets: Sequence[Sheet]) -> None:
    """Raise :class:`RulesError` if on none of the sheets enough colors can ever be filled, and no roll limit ends it.

    Where jokers can be paid for, they may cross a color that no die shows; then nothing is refused.
    """
    if rules.roll_limit or (rules.jokers and rules.color_weights[JOKER]):
        return
    most = max(fillable(rules, sheet) for sheet in sheets)
    if most < rules.colors_to_end:
        names = ", ".join(dict.fromkeys(sheet.name for sheet in sheets))
        raise RulesError(
            f"color_weights show too few colors to get through sheet {names}: {most} can be filled, but colors_to_end "
            f"is {rules.colors_to_end}, so the game cannot end; raise the weights or set a roll_limit"
        )


def fillable(rules: Rules, sheet: Sheet) -> int:
    """Colors that can be filled without jokers, in as many rolls as it takes."""
    shown = {cell for cell, color in sheet.colors.items() if rules.color_weights[color]}
    reached = {cell for cell in shown if COLUMNS[cell.column] in rules.start_columns}
    latest = reached
    while latest:
        latest = {neighbor for cell in latest for neighbor in cell.neighbors()} & shown - reached
        reached = reached | latest
    hidden = {color for cell, color in sheet.colors.items() if cell not in reached}
    return len(COLORS) - len(hidden)
