"""The games that there are, by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from simulator.errors import PlanError, UnknownNameError

if TYPE_CHECKING:
    from simulator.game import Game

PACKAGES = {"keer-op-keer": "keer_op_keer", "qwixx": "qwixx"}
DEFAULT = "keer-op-keer"


def game_names() -> list[str]:
    """Names of all games."""
    return list(PACKAGES)


def find_game(name: str) -> Game:
    """The game of that name.

    Raises
    ------
    UnknownNameError
        If there is none, with the nearest one.
    PlanError
        If it is no name.
    """
    if not isinstance(name, str):
        raise PlanError(f"a game must be a name, such as {DEFAULT!r}; got {type(name).__name__}")
    if name not in PACKAGES:
        raise UnknownNameError("game", name, PACKAGES)
    game: Game = import_module(f"simulator.{PACKAGES[name]}.game").GAME
    return game
