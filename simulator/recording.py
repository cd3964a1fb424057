"""Whole games as records: playing one, and replaying one that somebody else wrote down without trusting it.

The same for every game; a game's referee says what differs, in a :class:`Recorder` of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from simulator import dice
from simulator.errors import KokSimError, PlanError, RecordError, UnknownNameError
from simulator.records import FORMAT, VERSION, verify_form
from simulator.rules import RuleSet
from simulator.strategy import Strategy

Decide = Callable[[Any], Any]
"""Asked for the move of a choice."""


class Watched(NamedTuple):
    """What was watched of a game, see ``simulator/watch.py``.

    Parameters
    ----------
    facts : list of int
        In the order of ``FACTS``.
    counts : list of list of int
        For each seat the counts of the game's ``Watch`` in order, then the feats done, and those done first: bit i for
        feat i.
    """

    facts: list[int]
    counts: list[list[int]]


class GameInProgress(ABC):
    """A game in progress, as far as it is the same in every game.

    Parameters
    ----------
    rules : RuleSet
    seats, most : int
        Players at the table, and the most that there can be.
    seed, index : int
        The run and the game in it, which decide the dice and the luck; each in ``[0, 2**64)``.
    solo : bool
        The solo game, for one player.

    Attributes
    ----------
    players : list
        In seat order, filled by the game.
    roll : int
        Number of the roll, 1 for the first; 0 before it.
    leader : int or None
        Seat of the last player that was ahead of everybody else after a roll; None if nobody was yet.
    lead_changes : int
        How often that became another player.
    last_behind : list of int
        For each seat the last roll after which somebody else had more points; 0 if there was none.
    deal_key, luck_key : int
        Keys of the dice and of the luck, see simulator/dice.py.

    Raises
    ------
    PlanError
        For a number of players, seed or index that cannot be played.
    """

    rules: Any
    players: list[Any]

    def __init__(self, rules: RuleSet, seats: int, most: int, seed: int, index: int, *, solo: bool) -> None:
        if not 1 <= seats <= (1 if solo else most):
            raise PlanError(
                f"{'the solo game has 1 player' if solo else f'a game has 1 to {most} players'}; got {seats}"
            )
        for name, number in (("seed", seed), ("index", index)):
            if not 0 <= number <= dice.MASK:
                raise PlanError(f"{name} must be from 0 to 2**64 - 1; got {number}")
        self.rules, self.solo, self.roll = rules, solo, 0
        self.leader: int | None = None
        self.lead_changes = 0
        self.last_behind = [0] * seats
        self.deal_key = dice.game_key(seed, index // seats)
        self.luck_key = dice.game_key(seed, index)

    @property
    def active(self) -> int:
        """Seat of the player who rolled."""
        return (self.roll - 1) % len(self.players)

    @property
    def turn_order(self) -> list[int]:
        """Seats from the active player to the left."""
        seats = len(self.players)
        return [(self.active + i) % seats for i in range(seats)]

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether no roll follows."""

    @property
    @abstractmethod
    def is_stopped(self) -> bool:
        """Whether only the safety limit of rolls ended the game."""

    @property
    @abstractmethod
    def ending(self) -> int:
        """Why a game that is over has ended: number of the first reason that holds among the game's endings."""

    @abstractmethod
    def roll_dice(self) -> None:
        """Begin the next roll: the next player rolls all dice."""

    @abstractmethod
    def standing(self, seat: int) -> int:
        """Points that a player would have if the game ended now."""

    @abstractmethod
    def winners(self) -> list[int]:
        """Seats of the winners."""

    @property
    def standings(self) -> list[int]:
        """The standing of every seat."""
        return [self.standing(seat) for seat in range(len(self.players))]

    def end_roll(self) -> None:
        """When everything of the roll is settled: note who leads, and who is behind."""
        standings = self.standings
        best = max(standings)
        for seat, points in enumerate(standings):
            if points < best:
                self.last_behind[seat] = self.roll
        if standings.count(best) == 1:
            leader = standings.index(best)
            if self.leader is not None and leader != self.leader:
                self.lead_changes += 1
            self.leader = leader

    def facts(self) -> list[int]:
        """What is watched of every game, of a game that is over; in the order of ``FACTS``."""
        led_from = 1 + min(self.last_behind[seat] for seat in self.winners())
        return [self.ending, self.lead_changes, led_from]


class Reader:
    """Decides by what is written of a roll."""

    def __call__(self, choice: Any) -> Any:
        """The move of a choice; raises :class:`RecordError` for one that is illegal, or not written."""
        raise NotImplementedError

    def end(self, game: Any) -> None:
        """After the roll: raise :class:`RecordError` for what is written and was not asked for."""


class Recorder(ABC):
    """Plays games and writes them down; ``name`` is that of the game, ``rules`` the class of its rules."""

    name: str
    rules: type[RuleSet]

    # --- what differs from game to game ---

    @abstractmethod
    def begin(
        self, sheets: Sequence[Any], rules: Any, seats: int, seed: int, index: int, *, solo: bool
    ) -> GameInProgress:
        """A game at its start; raises :class:`PlanError`."""

    @abstractmethod
    def sheets_of(self, players: Sequence[Mapping[str, Any]]) -> list[Any]:
        """The sheets that the players of a record have, none in a game with one only; raises :class:`KokSimError`."""

    @abstractmethod
    def decider(self, strategies: Sequence[Strategy]) -> Decide:
        """How these strategies, in seat order, decide."""

    @abstractmethod
    def play_roll(self, game: Any, decide: Decide) -> list[dict[str, Any]]:
        """Play the roll on the table; gives the moves as they stand in a record."""

    @abstractmethod
    def dice(self, game: Any) -> dict[str, Any]:
        """The dice on the table as they stand in a record."""

    @abstractmethod
    def read_moves(self, where: str, moves: Sequence[Any], game: Any) -> Any:
        """The moves of a roll of a record, as a script has them; raises :class:`RecordError`."""

    @abstractmethod
    def reader(self, moves: Any) -> Reader:
        """Decides by a script's moves of a roll."""

    @abstractmethod
    def script(self, log: Sequence[Sequence[int]], sheets: Sequence[Any]) -> Sequence[Any]:
        """The moves that the codes of an engine's log stand for, roll by roll, as :meth:`play` takes them."""

    @abstractmethod
    def player(self, game: Any, seat: int) -> dict[str, Any]:
        """What a record says of a player besides the strategy."""

    @abstractmethod
    def final(self, game: Any, seat: int) -> dict[str, int]:
        """The parts of the final score."""

    @abstractmethod
    def counts(self, game: Any, seat: int) -> list[int]:
        """What is watched of a player in a game that is over, see :class:`Watched`."""

    def noting(self, decide: Decide) -> Decide:
        """Decides the same, and notes what is watched of choices themselves; nothing, unless a game says so."""
        return decide

    # --- what is the same ---

    def play(
        self,
        strategies: Sequence[Strategy],
        sheets: Sequence[Any],
        rules: Any,
        seed: int,
        index: int,
        *,
        solo: bool = False,
        script: Sequence[Any] | None = None,
    ) -> dict[str, Any]:
        """Play one game.

        Parameters
        ----------
        strategies, sheets : sequences of Strategy and Sheet
            In seat order of this game; no sheets in a game with one sheet only.
        rules : RuleSet
            Of this game.
        seed, index : int
            The run and the number of the game in it; the dice are those of deal ``index // seats``.
        solo : bool
            The solo game, for one player.
        script : sequence, optional
            The moves of each roll: these are checked and made, and the strategies are not asked.

        Returns
        -------
        dict
            The game record; ``stopped`` is there, and true, only if the safety limit of rolls ended the game.

        Raises
        ------
        PlanError
            For a number of players, strategies, or a seed that cannot be played.
        StrategyError
            If a scored function fails or gives something that is not a number.
        RecordError
            If the script makes an illegal move, ends before the game does, or goes on after it.
        """
        game = self.begin(sheets, rules, len(strategies), seed, index, solo=solo)
        rolls = self._rolls(game, self.decider(strategies) if script is None else None, script or ())
        return self._record(game, [strategy.name for strategy in strategies], seed, index, rolls)

    def watch(
        self,
        strategies: Sequence[Strategy],
        sheets: Sequence[Any],
        rules: Any,
        seed: int,
        index: int,
        *,
        solo: bool = False,
        script: Sequence[Any] | None = None,
    ) -> tuple[dict[str, Any], Watched]:
        """Play one game and watch it; takes and raises what :meth:`play` does.

        What is counted of choices (:meth:`noting`) stays 0 if there is a script, as nobody is asked then.

        Returns
        -------
        record, watched : dict, Watched
            The game record, the same that :meth:`play` gives, and what was watched.
        """
        game = self.begin(sheets, rules, len(strategies), seed, index, solo=solo)
        rolls = self._rolls(game, self.noting(self.decider(strategies)) if script is None else None, script or ())
        record = self._record(game, [strategy.name for strategy in strategies], seed, index, rolls)
        return record, self.watched(game)

    def watched(self, game: Any) -> Watched:
        """What was watched of a game that is over, however it was played or replayed."""
        return Watched(game.facts(), [self.counts(game, seat) for seat in range(len(game.players))])

    def verify(self, record: Mapping[str, Any]) -> None:
        """Replay a record against the dice and the rules; :class:`RecordError` names the first disagreement."""
        for _ in self.follow(record):
            pass

    def follow(self, record: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], Any]]:
        """Replay a record and check it on the way.

        Yields
        ------
        entry, game
            The entry of each roll, and the game in progress as it stands after it. It is always the same object. What
            is yielded has been checked; the end of the record is checked last.
        """
        verify_form(record)
        game = self._game_of(record)
        rolls: list[dict[str, Any]] = []
        for entry in record["rolls"]:
            if game.is_over:
                raise RecordError(f"the record goes on after roll {game.roll}, which ended the game")
            game.roll_dice()
            rolls.append(self._check_roll(entry, game))
            yield rolls[-1], game
        if not game.is_over:
            raise RecordError(f"the record ends after roll {game.roll}, but the game goes on")
        names = [player["strategy"] for player in record["players"]]
        right = self._record(game, names, record["seed"], record["index"], rolls)
        for given, wanted in zip(record["final"], right["final"], strict=False):
            compare(f"final, player {wanted['player']}", given, wanted)
        for key in right.keys() | record.keys():
            if record.get(key) != right.get(key):
                raise RecordError(f"{key} is {record.get(key)!r} where it must be {right.get(key)!r}")

    def _rolls(self, game: GameInProgress, decide: Decide | None, script: Sequence[Any]) -> list[dict[str, Any]]:
        """Play a game to its end, by the script if there is nobody to decide; gives its entries in the record."""
        rolls = []
        while not game.is_over:
            game.roll_dice()
            rolls.append(self._roll(game, decide) if decide else self._written(game, _scripted(script, game)))
        if len(script) > len(rolls):
            raise RecordError(f"the script goes on after roll {len(rolls)}, which ended the game")
        return rolls

    def _roll(self, game: GameInProgress, decide: Decide) -> dict[str, Any]:
        """Play the roll on the table; gives its entry in the record."""
        entry = {"roll": game.roll, "active": game.active, "dice": self.dice(game)}
        moves = self.play_roll(game, decide)
        game.end_roll()
        return {**entry, "moves": moves}

    def _written(self, game: GameInProgress, moves: Any) -> dict[str, Any]:
        """The same by what is written."""
        reader = self.reader(moves)
        entry = self._roll(game, reader)
        reader.end(game)
        return entry

    def _record(
        self, game: GameInProgress, names: Sequence[str], seed: int, index: int, rolls: list[dict[str, Any]]
    ) -> dict[str, Any]:
        finals = [self.final(game, seat) for seat in range(len(game.players))]
        record = {
            "format": FORMAT,
            "version": VERSION,
            "game": self.name,
            "mode": "solo" if game.solo else "multiplayer",
            "seed": seed,
            "index": index,
            "rules": game.rules.changes(),
            "players": [{"strategy": name, **self.player(game, seat)} for seat, name in enumerate(names)],
            "rolls": rolls,
            "final": [{"player": seat, **parts, "total": sum(parts.values())} for seat, parts in enumerate(finals)],
            "winners": game.winners(),
        }
        if game.is_stopped:
            record["stopped"] = True
        return record

    def _game_of(self, record: Mapping[str, Any]) -> GameInProgress:
        if record["game"] != self.name:
            raise RecordError(f"game is {record['game']!r} where it must be {self.name!r}")
        try:
            rules, players = self.rules.from_changes(record["rules"]), record["players"]
            seed, index, solo = record["seed"], record["index"], record["mode"] == "solo"
            game = self.begin(self.sheets_of(players), rules, len(players), seed, index, solo=solo)
        except KokSimError as error:
            raise RecordError(f"the record cannot be replayed: {error}") from error
        if record["rules"] != game.rules.changes():
            raise RecordError(f"rules is {record['rules']!r} where it must be {game.rules.changes()!r}")
        return game

    def _check_roll(self, entry: Mapping[str, Any], game: GameInProgress) -> dict[str, Any]:
        """Check the entry of the roll whose dice lie on the table; play it, and give the entry as it must be."""
        where = f"roll {game.roll}"
        compare(where, entry, {"roll": game.roll, "active": game.active, "dice": self.dice(game), "moves": ...})
        right = self._written(game, self.read_moves(where, entry["moves"], game))
        if len(entry["moves"]) != len(right["moves"]):
            raise RecordError(f"{where}: {len(entry['moves'])} moves where there must be {len(right['moves'])}")
        for given, wanted in zip(entry["moves"], right["moves"], strict=True):
            compare(f"{where}, player {wanted['player']}", given, wanted)
        return right


def _scripted(script: Sequence[Any], game: GameInProgress) -> Any:
    if len(script) < game.roll:
        raise RecordError(f"the script ends before roll {game.roll}, but the game goes on")
    return script[game.roll - 1]


def compare(where: str, given: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse the first field that is missing, unknown or wrong; a wanted value ``...`` may be anything."""
    for key in given:
        if key not in wanted:
            raise RecordError(f"{where}: {UnknownNameError('field', str(key), wanted)}")
    for key, value in wanted.items():
        if key not in given:
            raise RecordError(f"{where}: {key} is missing")
        if value is not ... and not _same(given[key], value):
            raise RecordError(f"{where}: {key} is {given[key]!r} where it must be {value!r}")


def _same(given: Any, wanted: Any) -> bool:
    """Equal, and of the same type all the way down (1 is neither true nor 1.0)."""
    if isinstance(wanted, dict):
        same_keys = isinstance(given, dict) and given.keys() == wanted.keys()
        return same_keys and all(_same(given[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return isinstance(given, list) and len(given) == len(wanted) and all(map(_same, given, wanted))
    return type(given) is type(wanted) and bool(given == wanted)
