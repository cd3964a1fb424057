"""Games of Qwixx as records: what is special about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from simulator.errors import RecordError
from simulator.qwixx.referee.choice import Choice, Made, play_roll
from simulator.qwixx.referee.choosing import decide, rater
from simulator.qwixx.referee.game import Game
from simulator.qwixx.referee.position import PASS, Move, move_of_code
from simulator.qwixx.referee.watching import counts
from simulator.qwixx.rules import COLORS, Rules, position_of
from simulator.recording import Decide, Reader, Recorder
from simulator.strategy import Strategy

NOT_PLAYED = -2
"""Stands in an engine's log for an action that was not played."""


class RollMoves(NamedTuple):
    """The moves that are written of a roll; None for an action that was not played.

    Parameters
    ----------
    white : tuple of Move or None
        Of the white action, in seat order.
    color : Move or None
        Of the active player's color action.
    color_first : bool
        Whether the color action came before the white one.
    """

    white: tuple[Move | None, ...]
    color: Move | None
    color_first: bool = False


Script = Sequence[RollMoves]
"""The moves of a game, roll by roll."""


class _Reader(Reader):
    """Decides by what is written of a roll, and notices what was not asked for."""

    def __init__(self, moves: RollMoves) -> None:
        self.moves = moves
        self.unread: set[int | str] = {seat for seat, move in enumerate(moves.white) if move is not None}
        self.unread |= {"color"} if moves.color is not None else set()

    def __call__(self, choice: Choice) -> Move:
        where = f"roll {choice.game.roll}"
        if len(self.moves.white) != len(choice.game.players):
            raise RecordError(f"{where}: {len(self.moves.white)} white moves for {len(choice.game.players)} players")
        if self.moves.color_first and choice.game.rules.white_first:
            raise RecordError(f"{where}: the color action comes first, which the rules do not allow")
        from_color = choice.action == 2 or (choice.color and self.moves.color_first)
        self.unread.discard("color" if from_color else choice.seat)
        move = self.moves.color if from_color else self.moves.white[choice.seat]
        where = f"{where}, player {choice.seat}"
        if move is None:
            raise RecordError(f"{where}: no move is written for the {'color' if from_color else 'white'} action")
        objection = self._misplaced(move, from_color=from_color) or choice.objection(move)
        if objection:
            raise RecordError(f"{where}: {str(move)!r} is not legal: {objection}")
        return move

    def _misplaced(self, move: Move, *, from_color: bool) -> str:
        """Why a move cannot be written of the action that it is written of; empty if it can."""
        if move.is_pass:
            return "only a cross can come first" if from_color and self.moves.color_first else ""
        if move.is_color == from_color:
            return ""
        return f"it is not a cross of the {'color' if from_color else 'white'} action"

    def end(self, game: Game) -> None:
        """Refuse what is written of an action that was not played."""
        for seat, move in enumerate(self.moves.white):
            if seat in self.unread:
                raise RecordError(f"roll {game.roll}, player {seat}: {str(move)!r} comes after the end of the game")
        if "color" in self.unread:
            told = f"{str(self.moves.color)!r} comes after the end of the game"
            raise RecordError(f"roll {game.roll}, player {game.active}: {told}")


class QwixxRecorder(Recorder):
    """See :class:`simulator.recording.Recorder`."""

    name = "qwixx"
    rules = Rules

    def begin(self, sheets: Sequence[Any], rules: Rules, seats: int, seed: int, index: int, *, solo: bool) -> Game:
        return Game(seats, rules, seed, index, solo=solo)

    def sheets_of(self, players: Sequence[Mapping[str, Any]]) -> list[Any]:
        return []

    def decider(self, strategies: Sequence[Strategy]) -> Decide:
        raters = [rater(strategy) for strategy in strategies]
        return lambda choice: decide(raters[choice.seat], choice)

    def play_roll(self, game: Game, decide: Decide) -> list[dict[str, Any]]:
        return [_move_entry(game, made) for made in play_roll(game, decide)]

    def dice(self, game: Game) -> dict[str, Any]:
        color = {color: game.color[row] for row, color in enumerate(COLORS) if not game.closed[row]}
        return {"white": list(game.white), **color}

    def read_moves(self, where: str, moves: Sequence[Any], game: Game) -> RollMoves:
        seats = len(game.players)
        if len(moves) > seats + 1:
            raise RecordError(f"{where}: {len(moves)} moves where there can be {seats + 1}")
        color_first = bool(moves) and moves[0].get("action") == "color"
        order = [(seat, "white") for seat in range(seats)]
        order.insert(0 if color_first else seats, (game.active, "color"))
        read = {
            (seat, action): _read_move(f"{where}, player {seat}", seat, action, entry, game)
            for (seat, action), entry in zip(order, moves, strict=False)
        }
        white = tuple(read.get((seat, "white")) for seat in range(seats))
        return RollMoves(white, read.get((game.active, "color")), color_first)

    def reader(self, moves: RollMoves) -> Reader:
        return _Reader(moves)

    def script(self, log: Sequence[Sequence[int]], sheets: Sequence[Any] = ()) -> Script:
        """The moves of an engine's log: of each roll the white codes of all seats, the color code, what came first.

        The last number is 1 if the color action came first, else 0. A code is -2 for an action that was not played.
        """
        found = []
        for *white, color, color_first in log:
            found.append(RollMoves(tuple(map(_logged, white)), _logged(color), bool(color_first)))
        return found

    def player(self, game: Game, seat: int) -> dict[str, Any]:
        return {}

    def final(self, game: Game, seat: int) -> dict[str, int]:
        return game.players[seat].parts()

    def counts(self, game: Game, seat: int) -> list[int]:
        return counts(game, seat)


def _logged(code: int) -> Move | None:
    return None if code == NOT_PLAYED else move_of_code(code)


RECORDER = QwixxRecorder()
play, follow, verify, script = RECORDER.play, RECORDER.follow, RECORDER.verify, RECORDER.script


def _move_entry(game: Game, made: Made) -> dict[str, Any]:
    seat, is_color, move, penalty = made
    entry = {"player": seat, "action": "color" if is_color else "white", "pass": move.is_pass}
    if move.is_pass:
        return {**entry, "penalty": penalty} if is_color else entry
    entry |= {"row": COLORS[move.row], "number": move.number}
    if is_color:
        entry |= {"white": game.white[move.die - 1], "color": game.color[move.row]}
    return {**entry, "locks": move.locks}


def _read_move(where: str, seat: int, action: str, entry: Mapping[str, Any], game: Game) -> Move:
    """The move of an entry; whether it is legal, and what else the entry says, is checked later."""
    for key, wanted in (("player", seat), ("action", action)):
        if entry.get(key) != wanted:
            raise RecordError(f"{where}: {key} is {entry.get(key)!r} where it must be {wanted!r}")
    if entry["pass"]:
        return PASS
    color, number = entry.get("row"), entry.get("number")
    if color not in COLORS:
        raise RecordError(f"{where}: row is {color!r} where it must be one of {', '.join(COLORS)}")
    if type(number) is not int or not 2 <= number <= 12:
        raise RecordError(f"{where}: number is {number!r} where it must be a whole number from 2 to 12")
    row, die = COLORS.index(color), 0
    if action == "color":
        white = entry.get("white")
        if type(white) is not int or white not in game.white:
            faces = " or ".join(map(str, sorted(set(game.white))))
            raise RecordError(f"{where}: white is {white!r} where it must be {faces}")
        die = 1 + game.white.index(white)
    return Move(row, position_of(row, number), die)
