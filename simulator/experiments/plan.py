"""What an experiment is, before anything is played: frozen, checked, and complete enough to be repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from simulator.errors import PlanError
from simulator.experiments.stopping import Rule, Sprt, Until, rule_of
from simulator.game import Game, Sheet
from simulator.games import DEFAULT, find_game
from simulator.outcomes import alone, rotations
from simulator.rules import RuleSet
from simulator.seeds import check_seed
from simulator.strategy import Solved, Strategy

MAX_GAMES = 10**12
MAX_STRATEGIES = 50  # alone, or in a tournament
MAX_TABLES = 5000
LEVELS = range(2, 51)  # of a rating that may be proposed
MODES = ("multiplayer", "solo")


@dataclass(frozen=True)
class Plan:
    """Who plays what, how often. Checked on construction; raises a :class:`KokSimError` with one line.

    Parameters
    ----------
    strategies : tuple of Strategy
        At a shared table from 2 to as many as the game seats, each in every game; in a tournament 2 to 50, each with
        all others; in the solo game 1 to 50, each alone on the same dice. The same strategy may be there twice.
    sheets : tuple of Sheet
        The sheet of each strategy; empty for a game that has only one.
    games : int
        Games wanted at each table, 1 to 10**12; solo: games of each strategy. Whole blocks are played, so it may become
        a few more. With a stopping rule: the most that may be played.
    seed : int
        0 to 2**64 - 1; decides all dice.
    rules : RuleSet, optional
        Those of the game; the official ones if left out.
    solo : bool
    game : str
        Name of the game that is played, see :mod:`simulator.games`.
    table : int, optional
        A tournament: every group of so many strategies has a table, and all tables play the same dice. None:
        one table for all, or in the solo game one for each.
    focus : bool
        A tournament of the first strategy against the others: only tables at which it sits.
    independent : bool
        Every game gets separate dice. (To see what common dice are worth: else the games of a block have the same.)
    stop : Until or Sprt, optional
        When to stop before ``games`` are played.
    levels : int
        Solo: how many ratings to propose, 2 to 50, cut so that the first strategy reaches each equally often. 0: scores
        are rated by the official table of the game, if it has one.
    """

    strategies: tuple[Strategy, ...]
    sheets: tuple[Sheet, ...]
    games: int
    seed: int = 1
    rules: RuleSet = None  # type: ignore[assignment]  # the official ones once it is made
    solo: bool = False
    game: str = DEFAULT
    table: int | None = None
    focus: bool = False
    independent: bool = False
    stop: Rule | None = None
    levels: int = 0

    def __post_init__(self) -> None:
        if self.rules is None:
            object.__setattr__(self, "rules", self.played.rules())
        if not isinstance(self.rules, self.played.rules):
            raise PlanError(f"rules must be those of {self.played.title}; got {self.rules!r}")
        self._verify_players()
        if self.played.sheets is not None and not self.solo:
            self.played.sheets.verify_end(self.rules, self.sheets)
        if type(self.games) is not int or not 1 <= self.games <= MAX_GAMES:
            raise PlanError(f"the number of games must be a whole number from 1 to {MAX_GAMES:.0e}; got {self.games!r}")
        check_seed(self.seed)
        self._verify_levels()
        if isinstance(self.stop, Until) and not self.solo and self.stop.half_width >= 0.5:
            raise PlanError(f"the half-width of a win share must be less than 0.5; got {self.stop.half_width}")
        if isinstance(self.stop, Sprt) and (self.solo or self.table is not None):
            raise PlanError("a sequential test needs one table at which all strategies sit: use compare")
        if isinstance(self.stop, Sprt) and self.all_same:
            raise PlanError("a sequential test of a strategy against itself would hardly ever end; name another one")

    def _verify_players(self) -> None:
        count, most = len(self.strategies), self.played.most_players
        if self.solo and not 1 <= count <= MAX_STRATEGIES:
            raise PlanError(f"a solo experiment needs 1 to {MAX_STRATEGIES} strategies; got {count}")
        if self.table is not None:
            self._verify_tournament(self.table)
        elif self.focus:
            raise PlanError("only a tournament has a focus")
        elif not self.solo and not 2 <= count <= most:
            raise PlanError(f"a shared table seats 2 to {most} strategies; got {count}")
        if not self.played.solvable and any(isinstance(strategy, Solved) for strategy in self.strategies):
            raise PlanError(f"{self.played.title} has no solver whose values a strategy could play by")
        if self.played.sheets is None and self.sheets:
            raise PlanError(f"{self.played.title} has only one sheet; got {len(self.sheets)}")
        if self.played.sheets is not None and len(self.sheets) != count:
            raise PlanError(f"every strategy needs one sheet; got {len(self.sheets)} for {count} strategies")

    def _verify_levels(self) -> None:
        if type(self.levels) is not int or self.levels not in (0, *LEVELS):
            raise PlanError(
                f"the levels of a rating must be {LEVELS[0]} to {LEVELS[-1]}, or 0 for the official ones; "
                f"got {self.levels!r}"
            )
        if self.levels and not self.solo:
            raise PlanError("only scores of the solo game are rated, so only there can other levels be proposed")

    def _verify_tournament(self, table: int) -> None:
        count, most = len(self.strategies), self.played.most_players
        if self.solo:
            raise PlanError("a tournament is played at tables of two or more; there is none of the solo game")
        if type(table) is not int or not 2 <= table <= most:
            raise PlanError(f"a table of a tournament must seat 2 to {most} players; got {table!r}")
        if not table <= count <= MAX_STRATEGIES:
            raise PlanError(
                f"a tournament at tables of {table} needs {table} to {MAX_STRATEGIES} strategies; got {count}"
            )
        tables = comb(count - 1, table - 1) if self.focus else comb(count, table)
        if tables > MAX_TABLES:
            raise PlanError(
                f"{count} strategies at tables of {table} make {tables:,} tables, more than {MAX_TABLES:,}; "
                "name fewer strategies, or seat fewer at a table"
            )

    @property
    def played(self) -> Game:
        """The game that is played."""
        return find_game(self.game)

    @property
    def mode(self) -> str:
        """``"multiplayer"`` or ``"solo"``, as in a game record."""
        return MODES[self.solo]

    @property
    def seats(self) -> int:
        """Players in a game."""
        return 1 if self.solo else self.table or len(self.strategies)

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """Strategies at each table, by number; in the solo game each has one for itself."""
        groups = combinations(range(len(self.strategies)), self.seats)
        return [group for group in groups if 0 in group or not self.focus]

    @cached_property
    def seating(self) -> np.ndarray:
        """Strategy numbers by game of a block and seat, int64, shape (games, seats): the rotations of every table."""
        if self.solo:
            return alone(len(self.strategies))
        return np.concatenate([np.array(table)[rotations(self.seats)] for table in self.tables])

    @property
    def blocks(self) -> int:
        """Blocks to be played: ``games / seats``, rounded up."""
        return -(-self.games // self.seats)

    @property
    def total_games(self) -> int:
        """``games`` after rounding up to whole blocks: of each table; solo: of each strategy."""
        return self.blocks * self.seats

    @property
    def games_played(self) -> int:
        """All games that are played, at all tables."""
        return self.blocks * len(self.seating)

    @property
    def all_same(self) -> bool:
        """All strategies play the same: same settings, same sheet."""
        same_sheet = len({sheet.lines for sheet in self.sheets}) <= 1
        return same_sheet and all(strategy == self.strategies[0] for strategy in self.strategies)

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
            "table": self.table,
            "focus": self.focus,
            "independent": self.independent,
            "seed": self.seed,
            "games": self.games,
            "blocks": self.blocks,
            "stop": None if self.stop is None else self.stop.describe(),
            "levels": self.levels,
        }

    @classmethod
    def from_description(cls, description: object, strategies: Sequence[Strategy]) -> Plan:
        """The plan that :meth:`describe` described, played by ``strategies``.

        Raises
        ------
        KokSimError
            If the description is damaged: in one line, with the key at fault.
        """
        given = _Description(description)
        game = find_game(given.get("game", str))
        plan = cls(
            strategies=tuple(strategies),
            sheets=tuple(_sheet(game, _Description(sheet)) for sheet in given.get("sheets", list)),
            games=given.get("games", int),
            seed=given.get("seed", int),
            rules=game.rules.from_changes(given.get("rules", dict)),
            solo=given.get("mode", str) == "solo",
            game=game.name,
            table=given.get("table", int, type(None)),
            focus=given.get("focus", bool),
            independent=given.get("independent", bool),
            stop=rule_of(given.get("stop", dict, type(None))),
            levels=given.get("levels", int),
        )
        for key, value in plan.describe().items():
            if given.get(key, type(value)) != value:
                raise PlanError(f"the description of the experiment is damaged: {key} does not agree with the rest")
        return plan


class _Description:
    """A mapping whose keys are asked for with their types."""

    def __init__(self, data: object) -> None:
        if not isinstance(data, Mapping):
            raise PlanError(f"the description of an experiment must be an object; got {data!r}")
        self.data = data

    def get(self, key: str, *kinds: type) -> Any:
        if key not in self.data:
            raise PlanError(f"the description of the experiment is damaged: {key} is missing")
        if type(self.data[key]) not in kinds:
            raise PlanError(f"the description of the experiment is damaged: {key} is {self.data[key]!r}")
        return self.data[key]


def _sheet(game: Game, given: _Description) -> Sheet:
    if game.sheets is None:
        raise PlanError(f"the description of the experiment is damaged: {game.title} has only one sheet")
    try:
        return game.sheets.make(given.get("name", str), tuple(given.get("lines", list)))
    except (TypeError, AttributeError) as error:
        raise PlanError("the description of the experiment is damaged: lines of a sheet must be texts") from error
