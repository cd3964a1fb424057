"""A table to play at: strategies, sheets and rules made ready for the engine, or for the referee where one of them must be.

This is the door through which experiments reach the game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core.errors import NumbaError

from simulator.errors import StrategyError
from simulator.keer_op_keer import referee
from simulator.keer_op_keer.engine import play as engine
from simulator.keer_op_keer.engine.kernel import NOT_A_NUMBER, SCORE_SIGNATURE
from simulator.keer_op_keer.engine.layout import GAME, OWN, REPLIES, RULES, SETUP
from simulator.keer_op_keer.engine.tables import sheet_tables
from simulator.keer_op_keer.referee import PASS, Move
from simulator.keer_op_keer.rules import COLUMNS, JOKER, MAX_PLAYERS, MAX_ROLLS, TIE_BREAKS, Rules
from simulator.keer_op_keer.sheet import Sheet
from simulator.keer_op_keer.engine.valuation import REPLY, SCORED, value
from simulator.outcomes import WHOLE_SHARE, Outcomes
from simulator.strategy import Scored, Strategy

PARTS = ("colors", "columns", "jokers", "stars", "passes")
ENGINE_GAMES, REFEREE_GAMES = 8192, 8  # games in a chunk


class Group(NamedTuple):
    """Strategies that sit at one table: their part of the games of a block, and what the engine needs."""

    games: slice
    setup: np.ndarray  # layout.SETUP (1,)
    functions: tuple[Any, ...]
    seating: np.ndarray


class Table:
    """Plays blocks of games.

    Parameters
    ----------
    strategies, sheets : sequences of Strategy and Sheet
        Who plays, each on a sheet of its own.
    rules : Rules
    seed : int
        In ``[0, 2**64)``.
    seating : int array, shape (games, seats)
        Which strategy sits where in each game of a block. Game ``g`` of block ``b`` has the index
        ``b * seats + g % seats`` in the run; all games of a block have the same dice.
    solo : bool
        The solo game; one seat.

    Attributes
    ----------
    parts : tuple of str
        What a score is made of.
    score_range : tuple of int
        Bounds, inclusive, of what a score can be.
    chunk_blocks : int
        How many blocks make a sensible piece of work.
    notes : list of str
        What the user should know: strategies that could not be compiled.
    """

    parts = PARTS

    def __init__(
        self,
        strategies: Sequence[Strategy],
        sheets: Sequence[Sheet],
        rules: Rules,
        seed: int,
        seating: np.ndarray,
        *,
        solo: bool = False,
    ) -> None:
        self._strategies, self._sheets, self._rules, self._seed, self._solo = strategies, sheets, rules, seed, solo
        self._seating = np.ascontiguousarray(seating, dtype=np.int64)
        self.score_range = rules.score_range()
        self.notes: list[str] = []
        self._functions = self._compile()
        if self._functions:
            self._groups = self._build_groups()
        games = ENGINE_GAMES if self._functions else REFEREE_GAMES
        self.chunk_blocks = max(1, games // len(seating))

    def _compile(self) -> tuple[Any, ...]:
        """A compiled function for every strategy (a dummy where there is none), or nothing if one does not compile."""
        functions = []
        for strategy in self._strategies:
            try:
                functions.append(compile_score(strategy) if isinstance(strategy, Scored) else unused_score())
            except NumbaError as error:
                self.notes.append(
                    f"{strategy.name} does not compile ({reason_of(error)}); it is played in plain Python, far slower"
                )
        return () if self.notes else tuple(functions)

    def _build_groups(self) -> list[Group]:
        """Who meets at one table: all strategies, or each alone."""
        strategies = range(len(self._strategies))
        groups = [[s] for s in strategies] if self._solo else [list(strategies)]
        return [
            Group(
                games=slice(members[0], members[0] + 1) if self._solo else slice(None),
                setup=build_setup(
                    [self._strategies[s] for s in members], [self._sheets[s] for s in members], self._rules,
                    solo=self._solo,
                ),
                functions=fill_up([self._functions[s] for s in members]),
                seating=np.zeros((1, 1), np.int64) if self._solo else self._seating,
            )
            for members in groups
        ]  # fmt: skip

    def play(self, first_block: int, blocks: int) -> Outcomes:
        """Outcomes of ``blocks`` blocks from ``first_block`` on; may be called from several threads at once.

        Raises
        ------
        StrategyError
            If a scored function raises an error or gives something that is not a number.
        """
        games, seats = self._seating.shape
        out = Outcomes.empty(blocks, games, seats, len(PARTS))
        if not self._functions:
            for block in range(blocks):
                for game in range(games):
                    self._play_by_referee(first_block + block, game, out, block)
            return out
        for group in self._groups:
            arrays = [a[:, group.games] for a in (out.scores, out.shares, out.parts, out.rolls, out.stopped)]
            failed = engine.play_blocks(
                group.setup, new_game(group), group.functions, group.seating, np.uint64(self._seed), first_block, *arrays
            )
            if failed >= 0:
                block, game = divmod(failed, len(group.seating))
                self._explain_failure(first_block + block, game + (group.games.start or 0))
        return out

    def _explain_failure(self, block: int, game: int) -> None:
        """Play the game again in plain Python, which says what went wrong."""
        self._by_referee(block, game)
        names = ", ".join(self._strategies[i].name for i in self._seating[game])
        raise StrategyError(f"a scored function of {names} gave no number in game {self.index(block, game)}")

    def index(self, block: int, game: int) -> int:
        """Index in the run of a game of a block."""
        seats = self._seating.shape[1]
        return block * seats + game % seats

    def record(self, block: int, game: int) -> dict[str, Any]:
        """The record of one game, as described in docs/records.md."""
        script = self.script(block, game) if self._functions else None
        return self._by_referee(block, game, script)

    def script(self, block: int, game: int) -> list[list[Move]]:
        """The moves of one game as the engine plays it: per roll, per seat."""
        seating = self._seating[game]
        group = self._groups[game if self._solo else 0]
        log = np.full((MAX_ROLLS, len(seating)), NOT_A_NUMBER, np.int64)
        end = engine.play_one(
            group.setup, new_game(group), group.functions, group.seating, np.uint64(self._seed), block,
            0 if self._solo else game, log,
        )  # fmt: skip
        if end == NOT_A_NUMBER:
            self._explain_failure(block, game)
        rolls = [row for row in log.tolist() if row[0] != NOT_A_NUMBER]
        return [[move_of_code(code, self._sheets[s]) for code, s in zip(row, seating, strict=True)] for row in rolls]

    def _by_referee(self, block: int, game: int, script: list[list[Move]] | None = None) -> dict[str, Any]:
        seating = self._seating[game]
        return referee.play(
            [self._strategies[s] for s in seating],
            [self._sheets[s] for s in seating],
            self._rules,
            self._seed,
            self.index(block, game),
            solo=self._solo,
            script=script,
        )

    def _play_by_referee(self, block: int, game: int, out: Outcomes, row: int) -> None:
        record = self._by_referee(block, game)
        for seat, final in enumerate(record["final"]):
            out.scores[row, game, seat] = final["total"]
            out.parts[row, game, seat] = [final.get(part, 0) for part in PARTS]
        out.shares[row, game, record["winners"]] = WHOLE_SHARE // len(record["winners"])
        out.rolls[row, game] = len(record["rolls"])
        out.stopped[row, game] = bool(record.get("stopped"))


def new_game(group: Group) -> np.ndarray:
    """Room for a game in progress: ``layout.GAME``, shape (1,)."""
    game = np.zeros(1, GAME)
    lenses = group.setup[0]["sides"]["lenses"]["kind"]
    game["uses_views"] = (lenses == SCORED).any()
    return game


def fill_up(functions: list[Any]) -> tuple[Any, ...]:
    """Six functions, as many as the engine takes."""
    return (*functions, *[unused_score()] * (MAX_PLAYERS - len(functions)))


def move_of_code(code: int, sheet: Sheet) -> Move:
    """The move of an engine's code."""
    if code == 0:
        return PASS
    number, mask = (code - 1) >> 8, (code - 1) >> 2 & 63
    block = sheet.blocks[number]
    cells = tuple(cell for i, cell in enumerate(block.cells) if mask >> i & 1)
    return Move(block.color, len(cells), cells, bool((code - 1) & 2), bool((code - 1) & 1))


def build_setup(strategies: Sequence[Strategy], sheets: Sequence[Sheet], rules: Rules, *, solo: bool) -> np.ndarray:
    """All tables of the engine for these strategies on these sheets: ``layout.SETUP``, shape (1,)."""
    setup = np.zeros(1, SETUP)
    fill_rules(setup[0]["rules"], rules, solo=solo)
    for side, strategy, sheet in zip(setup[0]["sides"], strategies, sheets, strict=False):
        tables = sheet_tables(sheet, rules)
        side["sheet"] = tables.sheet
        for name in ("blocks", "patterns", "placeable", "columns", "pieces", "singles"):
            side[name][: len(tables.blocks)] = getattr(tables, name)
        fill_view(side["views"][0], sheet, rules)
        for lens, weights in ((OWN, strategy), (REPLIES, REPLY)):
            valuation = value(weights, tables, rules)
            side["lenses"][lens] = valuation.lens
            for name in ("cross", "after", "before"):
                side[name][lens, :, : len(tables.blocks)] = getattr(valuation, name)
    return setup


def fill_rules(fields: np.void, rules: Rules, *, solo: bool) -> None:
    """Write the rules as the engine reads them, a ``layout.RULES``."""
    for field in dataclasses.fields(rules):
        if field.name in RULES.names and field.name != "tie_break":
            fields[field.name] = getattr(rules, field.name)
    fields["solo"] = solo
    fields["tie_break"] = TIE_BREAKS.index(rules.tie_break)
    fields["color_dice"], fields["number_dice"] = rules.dice(solo=solo)
    fields["last_roll"] = rules.last_roll(solo=solo)
    fields["limited"] = solo or rules.roll_limit > 0
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


# --- scored functions ------------------------------------------------------------------------------------------------


def compile_score(strategy: Scored) -> Any:
    """The function of a strategy with its parameters filled in, as machine code that the engine can call.

    Whatever goes wrong inside gives NaN, which the engine notices. Raises ``NumbaError`` if it does not compile.
    """
    function = strategy.function
    defaults = tuple(float(value) for value in strategy.parameters.values())
    bound = FunctionType(function.__code__, function.__globals__, function.__name__, defaults, function.__closure__)
    inner = numba.njit(error_model="numpy", boundscheck=True)(bound)

    def score(view, move):  # type: ignore[no-untyped-def]
        try:
            return float(inner(view, move))
        except Exception:  # the only class that numba can catch
            return np.nan

    return numba.cfunc(SCORE_SIGNATURE, error_model="numpy")(score)


@cache
def unused_score() -> Any:
    """Stands where a strategy has no function; never called."""
    return numba.cfunc(SCORE_SIGNATURE)(lambda view, move: 0.0)


def reason_of(error: NumbaError) -> str:
    """The line of numba's long message that says most."""
    lines = [line.strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in", "During", "File", "^"))]
    return lines[0][:120] if lines else type(error).__name__
