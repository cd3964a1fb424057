"""What an experiment is, before anything is played: frozen, checked, and complete enough to be repeated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.errors import PlanError, UnknownNameError
from simulator.keer_op_keer.rules import MAX_PLAYERS, OFFICIAL, Rules
from simulator.keer_op_keer.sheet import Sheet
from simulator.outcomes import alone, rotations
from simulator.strategy import Strategy

GAMES = ("keer-op-keer",)
MAX_GAMES = 10**12
MAX_SEED = 2**64 - 1
MAX_SOLO = 50


@dataclass(frozen=True)
class Plan:
    """Who plays what, how often. Checked on construction; raises :class:`PlanError` with one line.

    Parameters
    ----------
    strategies : tuple of Strategy
        At a shared table 2 to 6, each in every game; in the solo game 1 to 50, each alone on the same dice. The same
        strategy may be there twice.
    sheets : tuple of Sheet
        The sheet of each strategy.
    games : int
        Games wanted, 1 to 10**12; solo: games of each strategy. Whole blocks are played, so it may become a few more.
    seed : int
        0 to 2**64 - 1; decides all dice.
    rules : Rules
    solo : bool
    game : str
        Which game is played; one of ``GAMES``.
    """

    strategies: tuple[Strategy, ...]
    sheets: tuple[Sheet, ...]
    games: int
    seed: int = 1
    rules: Rules = OFFICIAL
    solo: bool = False
    game: str = "keer-op-keer"

    def __post_init__(self) -> None:
        if self.game not in GAMES:
            raise UnknownNameError("game", self.game, GAMES)
        self._verify_players()
        if type(self.games) is not int or not 1 <= self.games <= MAX_GAMES:
            raise PlanError(f"the number of games must be a whole number from 1 to {MAX_GAMES:.0e}; got {self.games!r}")
        if type(self.seed) is not int or not 0 <= self.seed <= MAX_SEED:
            raise PlanError(f"the seed must be a whole number from 0 to 2**64 - 1; got {self.seed!r}")

    def _verify_players(self) -> None:
        count = len(self.strategies)
        if self.solo and not 1 <= count <= MAX_SOLO:
            raise PlanError(f"a solo experiment needs 1 to {MAX_SOLO} strategies; got {count}")
        if not self.solo and not 2 <= count <= MAX_PLAYERS:
            raise PlanError(f"a shared table seats 2 to {MAX_PLAYERS} strategies; got {count}")
        if len(self.sheets) != count:
            raise PlanError(f"every strategy needs one sheet; got {len(self.sheets)} for {count} strategies")

    @property
    def mode(self) -> str:
        """``"multiplayer"`` or ``"solo"``, as in a game record."""
        return "solo" if self.solo else "multiplayer"

    @property
    def seats(self) -> int:
        """Players in a game."""
        return 1 if self.solo else len(self.strategies)

    @property
    def seating(self) -> np.ndarray:
        """Strategy numbers by game of a block and seat, shape (games, seats)."""
        return alone(len(self.strategies)) if self.solo else rotations(len(self.strategies))

    @property
    def blocks(self) -> int:
        """Blocks to be played: ``games / seats``, rounded up."""
        return -(-self.games // self.seats)

    @property
    def total_games(self) -> int:
        """``games`` after rounding up to whole blocks; solo: games of each strategy."""
        return self.blocks * self.seats

    @property
    def games_played(self) -> int:
        """All games that are played; more than ``total_games`` only in solo with several strategies."""
        return self.blocks * len(self.strategies)

    @property
    def labels(self) -> tuple[str, ...]:
        """A distinct name for each strategy: ``greedy``, ``greedy (2)``."""
        labels: list[str] = []
        for strategy in self.strategies:
            label, number = strategy.name, 1
            while label in labels:
                number += 1
                label = f"{strategy.name} ({number})"
            labels.append(label)
        return tuple(labels)

    def describe(self) -> dict[str, Any]:
        """All that is needed to repeat the run, as plain JSON data (but for the version of the program)."""
        return {
            "game": self.game,
            "mode": self.mode,
            "strategies": [
                {"label": label, "name": strategy.name, "settings": strategy.settings}
                for label, strategy in zip(self.labels, self.strategies, strict=True)
            ],
            "sheets": [{"name": sheet.name, "lines": list(sheet.lines)} for sheet in self.sheets],
            "rules": self.rules.changes(),
            "seed": self.seed,
            "games": self.total_games,
            "blocks": self.blocks,
        }
