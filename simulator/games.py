"""The games that there are, by name."""

from __future__ import annotations

from importlib import import_module

from simulator.errors import UnknownNameError
from simulator.game import Game

PACKAGES = {"keer-op-keer": "keer_op_keer", "qwixx": "qwixx"}
DEFAULT = "keer-op-keer"


def game_names() -> list[str]:
    """Names of all games."""
    return list(PACKAGES)


def find_game(name: str) -> Game:
    """The game of that name; :class:`UnknownNameError` with the nearest one if there is none."""
    if name not in PACKAGES:
        raise UnknownNameError("game", str(name), PACKAGES)
    game: Game = import_module(f"simulator.{PACKAGES[name]}.game").GAME
    return game
