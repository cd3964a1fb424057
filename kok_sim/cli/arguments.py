"""Reading what is typed: counts of games, strategies, boards; and the options that several commands have."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

import typer

from simulator.errors import PlanError

if TYPE_CHECKING:
    from simulator.keer_op_keer.sheet import Sheet
    from simulator.strategy import Strategy

StrategiesArgument = Annotated[
    list[str] | None, typer.Argument(metavar="STRATEGY", help="Names, or files of your own.", show_default=False)
]
SeedOption = Annotated[int, typer.Option(help="Decides all dice: the same seed gives the same games.")]
BoardOption = Annotated[
    str, typer.Option(metavar="NAME[,NAME...]", help="Board of all, or of each strategy: names or files.")
]

_SUFFIXES = {"k": 1000, "M": 1_000_000}


def parse_count(text: str) -> int:
    """Number of games written ``1000``, ``1_000_000``, ``250k``, ``2M`` or ``1e6``; `PlanError` for anything else."""
    from simulator.experiments.plan import MAX_GAMES

    factor = _SUFFIXES.get(text[-1:], 1)
    try:
        if "__" in text:
            raise ArithmeticError
        count = Decimal(text.strip() if factor == 1 else text[:-1].strip()) * factor
    except ArithmeticError:
        count = Decimal("nan")
    if not count.is_finite() or not 1 <= count <= MAX_GAMES or count != int(count):
        raise PlanError(f"-n must be a whole number of games from 1 to 1e12, such as 1000, 250k or 1e6; got {text!r}")
    return int(count)


def find_strategies(specs: list[str]) -> tuple[Strategy, ...]:
    """The strategies that the specifications name."""
    from strategies import find_strategy

    return tuple(find_strategy(spec) for spec in specs)


def find_boards(text: str, players: int) -> tuple[Sheet, ...]:
    """The sheet of each player, from one name for all or one for each, separated by commas."""
    from simulator.keer_op_keer.sheet import load_sheet

    names = text.split(",")
    if len(names) not in (1, players):
        raise PlanError(
            f"--board must name one board for all or one for each of {players} strategies; got {len(names)}"
        )
    boards = [load_sheet(name.strip()) for name in names]
    return tuple(boards * players if len(boards) == 1 else boards)
