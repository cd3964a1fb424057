"""A table to play at: strategies, sheets and rules made ready for a game's engine, or for its referee where that must.

This is the door through which experiments reach a game.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numba
import numpy as np

from simulator import blocks as loops
from simulator.blocks import FAILED
from simulator.errors import KokSimError, PlanError, StrategyError
from simulator.game import Game
from simulator.outcomes import WHOLE_SHARE, Outcomes
from simulator.rules import RuleSet
from simulator.scoring import Compiled, compile_score, reason_of
from simulator.strategy import Scored, Strategy

ENGINE_GAMES, REFEREE_GAMES = 2048, 8  # games in a chunk: 20 to 50 ms, of which counting takes 2 %
WORTH_A_GROUP, MOST_GAMES = 32, 16_384  # games in a chunk of many groups, because every group costs 30 µs


class Group(NamedTuple):
    """Strategies that meet in one game after another: their games in a block, and what the engine needs."""

    games: slice
    sides: np.ndarray  # layout.SIDE (strategies of the run,)
    members: list[int]
    setup: np.ndarray  # layout.SETUP (1,)
    seating: np.ndarray  # by place among the members


class Table:
    """Plays blocks of games.

    Parameters
    ----------
    game : Game
    strategies : sequence of Strategy
        Who plays.
    sheets : sequence of Sheet
        The sheet of each; empty in a game with one sheet only.
    rules : RuleSet
        Of this game.
    seed : int
        In ``[0, 2**64)``.
    seating : int array, shape (games, seats)
        Which strategy sits where in each game of a block; games of the same strategies lie side by side, one for each
        rotation of the seats. Game ``g`` of a block on deal ``d`` has the index ``d * seats + g % seats``.
    solo : bool
        The solo game; one seat.
    independent : bool
        Every game has a deal of dice of its own; else all games of block ``b`` are played on deal ``b``.
    watched : bool
        Outcomes tell what was watched of the games.

    Attributes
    ----------
    parts : tuple of str
        What a score is made of.
    score_range : tuple of int
        Bounds, inclusive, of what a score can be.
    chunk_blocks : int
        How many blocks make a sensible piece of work.
    notes : list of str
        What the user should know: sheets unlike the official ones, strategies that could not be compiled.
    """

    def __init__(
        self,
        game: Game,
        strategies: Sequence[Strategy],
        sheets: Sequence[Any],
        rules: RuleSet,
        seed: int,
        seating: np.ndarray,
        *,
        solo: bool = False,
        independent: bool = False,
        watched: bool = False,
    ) -> None:
        self._game, self._strategies, self._sheets, self._rules = game, strategies, sheets, rules
        self._seed, self._solo, self._independent = seed, solo, independent
        self.parts = game.parts
        self._watched = game.watch.width if watched else 0
        self.seating = np.ascontiguousarray(seating, dtype=np.int64)
        self.score_range = rules.score_range()
        self.notes = [note for sheet in dict.fromkeys(sheets) if game.sheets and (note := game.sheets.note(sheet))]
        self._compiled = self._compile()
        if self._compiled:
            self._groups = self._build_groups()
        games = ENGINE_GAMES if self._compiled else REFEREE_GAMES
        if self._compiled and len(self._groups) > 1:
            games = min(MOST_GAMES, max(games, WORTH_A_GROUP * len(self._groups)))
        self.chunk_blocks = max(1, games // len(seating))

    @property
    def compiled(self) -> bool:
        """Whether the engine plays; else the referee, because a strategy could not be compiled."""
        return bool(self._compiled)

    def _compile(self) -> list[Compiled | None]:
        """What is compiled of every strategy (None for weights), or nothing at all if one does not compile."""
        compiled: list[Compiled | None] = []
        if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
            raise PlanError("NUMBA_DISABLE_JIT is set, but the engine needs the compiler; unset it")
        for strategy in self._strategies:
            try:
                compiled.append(compile_score(strategy, self._game.sight) if isinstance(strategy, Scored) else None)
            except KokSimError:
                raise
            except Exception as error:  # numba fails with errors of many kinds: KeyError for a field that is not there
                self.notes.append(
                    f"{strategy.name} does not compile ({reason_of(error)}); it is played in plain Python, far slower"
                )
        return compiled if len(compiled) == len(self._strategies) else []

    def _build_groups(self) -> list[Group]:
        """Who meets in one game after another."""
        engine = self._game.engine
        sides = engine.build_sides(self._strategies, self._compiled, self._sheets, self._rules)
        groups, first = [], 0
        for _, rows in itertools.groupby(self.seating.tolist(), key=sorted):
            seating = np.array(list(rows), dtype=np.int64)
            members = sorted(seating[0].tolist())
            groups.append(
                Group(
                    games=slice(first, first + len(seating)),
                    sides=sides,
                    members=members,
                    setup=engine.build_setup(sides, members, self._rules, solo=self._solo),
                    seating=np.searchsorted(members, seating),
                )
            )
            first += len(seating)
        return groups

    def prepare(self) -> None:
        """Compile the engine, if this was never done on this machine, by playing a block."""
        if self._compiled:
            self.play(0, 1)

    def play(self, first_block: int, blocks: int) -> Outcomes:
        """Outcomes of ``blocks`` blocks from ``first_block`` on; may be called from several threads at once.

        Raises
        ------
        StrategyError
            If a scored function raises an error or gives something that is not a number.
        """
        games, seats = self.seating.shape
        out = Outcomes.empty(blocks, games, seats, len(self.parts), self._watched)
        if not self._compiled:
            for block in range(blocks):
                for game in range(games):
                    self._play_by_referee(first_block + block, game, out, block)
            return out
        for group in self._groups:
            arrays = [getattr(out, field.name)[:, group.games] for field in fields(out)]
            failed = loops.play_blocks(
                group.setup,
                self._game.engine.new_game(group.sides, group.members, watched=bool(self._watched)),
                group.seating,
                np.uint64(self._seed),
                self._deals(first_block, group.games.start),
                *arrays,
            )
            if failed >= 0:
                block, game = divmod(failed, len(group.seating))
                self._explain_failure(first_block + block, group.games.start + game)
        return out

    def _deals(self, block: int, game: int) -> np.ndarray:
        """The deal of a game of a block, and by how much it grows from block to block and from game to game."""
        games = len(self.seating)
        return np.array([block * games + game, games, 1] if self._independent else [block, 1, 0])

    def _explain_failure(self, block: int, game: int) -> None:
        """Play the game again in plain Python, which says what went wrong."""
        self._by_referee(block, game)
        names = ", ".join(self._strategies[i].name for i in self.seating[game])
        raise StrategyError(f"a scored function of {names} gave no number in game {self.index(block, game)}")

    def index(self, block: int, game: int) -> int:
        """Index in the run of a game of a block: what ``kok-sim replay --index`` takes."""
        seats: int = self.seating.shape[1]
        deal = int(self._deals(block, game)[0])
        return deal * seats + game % seats

    def record(self, block: int, game: int) -> dict[str, Any]:
        """The record of one game, as described in docs/records.md."""
        script = self.script(block, game) if self._compiled else None
        return self._by_referee(block, game, script)

    def script(self, block: int, game: int) -> Sequence[Any]:
        """The moves of one game as the engine plays it, as the referee takes them: roll by roll."""
        group = next(g for g in self._groups if g.games.start <= game < g.games.stop)
        engine = self._game.engine
        log = np.full(engine.log_shape(self.seating.shape[1]), FAILED, np.int64)
        end = loops.play_one(
            group.setup, engine.new_game(group.sides, group.members), group.seating,
            np.uint64(self._seed), int(self._deals(block, game)[0]), game - group.games.start, log,
        )  # fmt: skip
        if end == FAILED:
            self._explain_failure(block, game)
        return self._game.referee.script([row for row in log.tolist() if row[0] != FAILED], self._seated(game))

    def _seated(self, game: int) -> list[Any]:
        """The sheets of a game of a block, in seat order; none in a game with one sheet only."""
        return [self._sheets[s] for s in self.seating[game]] if self._sheets else []

    def _by_referee(self, block: int, game: int, script: Sequence[Any] | None = None) -> dict[str, Any]:
        return self._game.referee.play(*self._played(block, game), solo=self._solo, script=script)

    def _played(self, block: int, game: int) -> tuple[list[Strategy], list[Any], RuleSet, int, int]:
        """A game of a block, as the referee is told what to play."""
        strategies = [self._strategies[s] for s in self.seating[game]]
        return strategies, self._seated(game), self._rules, self._seed, self.index(block, game)

    def _play_by_referee(self, block: int, game: int, out: Outcomes, row: int) -> None:
        if self._watched:
            record, watched = self._game.referee.watch(*self._played(block, game), solo=self._solo)
            out.facts[row, game], out.counts[row, game] = watched
        else:
            record = self._by_referee(block, game)
        for seat, final in enumerate(record["final"]):
            out.scores[row, game, seat] = final["total"]
            out.parts[row, game, seat] = [final.get(part, 0) for part in self.parts]
        out.shares[row, game, record["winners"]] = WHOLE_SHARE // len(record["winners"])
        out.rolls[row, game] = len(record["rolls"])
        out.stopped[row, game] = bool(record.get("stopped"))
