"""What a game is to everything above it: its name, its rules, what a strategy sees, and where its rooms are.

Every game is a package of the same rooms: ``rules.py``, ``features.py``, the packages ``referee`` and ``engine``,
``telling.py``, and ``game.py`` with its :class:`Game`. The heavy ones are loaded when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from simulator.drawing import Drawing
from simulator.rules import RuleSet
from simulator.sight import Sight
from simulator.strategy import Strategy
from simulator.watch import Watch

if TYPE_CHECKING:
    import numpy as np

    from simulator.recording import Recorder  # loads the compiler


class Sheet(Protocol):
    """A sheet, in a game that has several."""

    @property
    def name(self) -> str:
        """A shipped name, or the path of a file as the user gave it."""
        ...

    @property
    def lines(self) -> tuple[str, ...]:
        """What decides how it plays."""
        ...


class Sheets(NamedTuple):
    """How the sheets of a game are found.

    Parameters
    ----------
    names : callable
        Names of the shipped ones, the most usual first.
    load : callable
        The sheet of a name or file; raises :class:`KokSimError`.
    make : callable
        The sheet of a name and lines; raises :class:`KokSimError`.
    check : callable
        Findings about lines, each with ``playable`` and a text.
    note : callable
        What the user should know of a sheet that is played; empty if nothing.
    verify_end : callable
        Given the rules and the sheets at a table: raises :class:`RulesError` if the game cannot end on any of them.
    generate : callable, optional
        The first sheets of a seed, so many; raises :class:`KokSimError`. None if there is no generator.
    drawing : callable, optional
        The printed form of a sheet under rules; None if there is none.
    """

    names: Callable[[], list[str]]
    load: Callable[[str], Sheet]
    make: Callable[[str, tuple[str, ...]], Sheet]
    check: Callable[[str], Sequence[Any]]
    note: Callable[[Any], str]
    verify_end: Callable[[Any, Sequence[Any]], None]
    generate: Callable[[int, int], Iterator[Sheet]] | None = None
    drawing: Callable[[Any, Any], Drawing] | None = None


class Band(NamedTuple):
    """A rating of a solo score: ``low`` to ``high``, both inclusive (``None``: without end), and the printed stars."""

    low: int | None
    high: int | None
    stars: str
    name: str
    dutch: str

    @property
    def scores(self) -> str:
        """The range as text: ``below 0``, ``0``, ``1 to 4``, ``above 40``."""
        if self.low is None:
            return f"below {self.high + 1}" if self.high is not None else "all"
        if self.high is None:
            return f"above {self.low - 1}"
        return f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"


class Span(NamedTuple):
    """A piece of text and how it is painted: name of a color, empty for none; ``struck`` for what is crossed off."""

    text: str
    paint: str = ""
    struck: bool = False


Line = list[Span]


class Engine(Protocol):
    """The fast implementation: the package ``engine`` of a game. It also tells simulator/blocks.py how to play."""

    def build_sides(
        self, strategies: Sequence[Strategy], compiled: Sequence[Any], sheets: Sequence[Any], rules: Any
    ) -> Any:
        """What stays the same of each strategy, as an array of records, which ``compiled`` must outlive."""
        ...

    def build_setup(self, sides: np.ndarray, members: Sequence[int], rules: Any, *, solo: bool) -> np.ndarray:
        """What stays the same at a table of these members, shape (1,). ``sides`` must outlive it."""
        ...

    def new_game(self, sides: np.ndarray, members: Sequence[int], *, watched: bool = False) -> np.ndarray:
        """Room for a game in progress, shape (1,); ``watched``: what is watched is counted."""
        ...

    def log_shape(self, seats: int) -> tuple[int, int]:
        """Rolls of the longest game, and codes that a roll has."""
        ...


class Telling(Protocol):
    """A game in words and pictures: the module ``telling`` of a game."""

    def dice(self, entry: Mapping[str, Any]) -> Line:
        """The dice of a roll of a record."""
        ...

    def move(self, move: Mapping[str, Any]) -> str:
        """A move of a record, as what follows the name of a player."""
        ...

    def picture(self, record: Mapping[str, Any], seat: int, rolls: int, sheet: Any, rules: Any) -> list[Line]:
        """The sheet of a seat after so many rolls of a record; ``sheet`` is None in a game that has only one."""
        ...


class Solution(Protocol):
    """A solo game that is solved."""

    @property
    def value(self) -> float:
        """Expected points of the best play."""
        ...

    @property
    def positions(self) -> int:
        """How many positions it has values of."""
        ...

    @property
    def file(self) -> Path:
        """Where it is kept."""
        ...


class Solver(Protocol):
    """Exact values of a solo game: the module ``solver`` of a game that is solvable."""

    def cache_folder(self) -> Path:
        """Where solutions are kept for this user."""
        ...

    def solve(
        self,
        rules: Any,
        *,
        threads: int | None = None,
        on_progress: Callable[[int, int], None] | None = None,
        folder: Path | None = None,
    ) -> Solution:
        """Solve the solo game, go on with what was broken off, or load what is solved already."""
        ...


@dataclass(frozen=True, eq=False)
class Game:
    """A game.

    Parameters
    ----------
    name : str
        As it is typed: ``"keer-op-keer"``.
    title : str
        As it is written: ``"Keer op Keer"``.
    about : str
        Which game that is, in one line.
    package : str
        Name of its package.
    most_players : int
        At a table, 2 or more; all games have a solo mode as well.
    most_rolls : int
        A game that has not ended by then is stopped and counted as stopped.
    rules : type of RuleSet
        ``rules()`` are the official ones.
    sight : Sight
        What its strategies see.
    parts : tuple of str
        What a score is made of, as in the entry ``final`` of a record.
    watch : Watch
        What is watched of a game beside its scores.
    bands : tuple of Band
        Official ratings of solo scores, from the lowest; empty if there are none.
    sheets : Sheets, optional
        None for a game with one sheet only.
    duel : (str, str)
        The strongest of the shipped strategies and a plain one, whose match shows what skill is worth.
    entry_points : str
        Group of the entry points through which installed packages offer strategies.
    solvable : bool
        Whether it has a ``solver.py`` for its solo game.
    """

    name: str
    title: str
    about: str
    package: str
    most_players: int
    most_rolls: int
    rules: type[RuleSet]
    sight: Sight
    parts: tuple[str, ...]
    watch: Watch
    duel: tuple[str, str]
    entry_points: str
    bands: tuple[Band, ...] = ()
    sheets: Sheets | None = None
    solvable: bool = False

    @property
    def referee(self) -> Recorder:
        """Its plain implementation: plays, verifies and follows games; loads the compiler."""
        recorder: Recorder = self._room("referee").RECORDER
        return recorder

    @property
    def engine(self) -> Engine:
        """Its fast implementation; loads the compiler."""
        return cast(Engine, self._room("engine"))

    @property
    def telling(self) -> Telling:
        """How it is told."""
        return cast(Telling, self._room("telling"))

    @property
    def solver(self) -> Solver:
        """Exact values of its solo game, if it is solvable; loads the compiler."""
        return cast(Solver, self._room("solver"))

    def _room(self, name: str) -> Any:
        return import_module(f"simulator.{self.package}.{name}")
