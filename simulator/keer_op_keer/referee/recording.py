"""Games of Keer op Keer as records: what is special about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.errors import PlanError, RecordError
from simulator.keer_op_keer.referee.choice import Choice, play_roll
from simulator.keer_op_keer.referee.choosing import best, rater
from simulator.keer_op_keer.referee.game import Completed, Game
from simulator.keer_op_keer.referee.position import PASS, Move, move_of_code
from simulator.keer_op_keer.referee.watching import counts, noting
from simulator.keer_op_keer.rules import COLORS, COLUMNS, JOKER, Rules
from simulator.keer_op_keer.sheet import Sheet, load_sheet
from simulator.recording import Decide, Reader, Recorder
from simulator.strategy import Strategy

Script = Sequence[Sequence[Move]]
"""The moves of a game: for each roll the moves of all seats, in seat order."""


class _Reader(Reader):
    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves = moves

    def __call__(self, choice: Choice) -> Move:
        roll, players = choice.game.roll, len(choice.game.players)
        if len(self.moves) != players:
            raise RecordError(f"roll {roll}: {len(self.moves)} moves for {players} players")
        move = self.moves[choice.seat]
        objection = choice.objection(move)
        if objection:
            raise RecordError(f"roll {roll}, player {choice.seat}: {str(move)!r} is not legal: {objection}")
        return move


class KeerOpKeerRecorder(Recorder):
    """See :class:`simulator.recording.Recorder`."""

    name = "keer-op-keer"
    rules = Rules

    def begin(self, sheets: Sequence[Sheet], rules: Rules, seats: int, seed: int, index: int, *, solo: bool) -> Game:
        if seats != len(sheets):
            raise PlanError(f"{seats} strategies but {len(sheets)} sheets; each player needs one of both")
        return Game(sheets, rules, seed, index, solo=solo)

    def sheets_of(self, players: Sequence[Mapping[str, Any]]) -> list[Sheet]:
        for number, player in enumerate(players):
            if "board" not in player:
                raise RecordError(f"player {number}: board is missing")
            if not isinstance(player["board"], str):
                raise RecordError(f"player {number}: board must be a text; got {player['board']!r}")
        return [load_sheet(player["board"]) for player in players]

    def decider(self, strategies: Sequence[Strategy]) -> Decide:
        raters = [rater(strategy) for strategy in strategies]
        return lambda choice: best(raters[choice.seat](choice))

    def play_roll(self, game: Game, decide: Decide) -> list[dict[str, Any]]:
        moves, completed = play_roll(game, decide)
        return [_move_entry(seat, move, completed[seat]) for seat, move in enumerate(moves)]

    def dice(self, game: Game) -> dict[str, Any]:
        return {
            "colors": ["joker" if face == JOKER else COLORS[face] for face in game.color_faces],
            "numbers": ["joker" if face == JOKER else face + 1 for face in game.number_faces],
        }

    def read_moves(self, where: str, moves: Sequence[Any], game: Game) -> list[Move]:
        return [_read_move(f"{where}, player {seat}", seat, move) for seat, move in enumerate(moves)]

    def reader(self, moves: Sequence[Move]) -> Reader:
        return _Reader(moves)

    def script(self, log: Sequence[Sequence[int]], sheets: Sequence[Sheet]) -> Script:
        """The moves of an engine's log: for each roll the codes of all seats."""
        return [[move_of_code(code, sheet) for code, sheet in zip(row, sheets, strict=True)] for row in log]

    def player(self, game: Game, seat: int) -> dict[str, Any]:
        return {"board": game.players[seat].sheet.name}

    def final(self, game: Game, seat: int) -> dict[str, int]:
        parts = game.players[seat].parts()
        if not game.rules.pass_penalty:
            del parts["passes"]
        return parts

    def counts(self, game: Game, seat: int) -> list[int]:
        return counts(game.players[seat])

    def noting(self, decide: Decide) -> Decide:
        return noting(decide)


RECORDER = KeerOpKeerRecorder()
play, follow, verify, script = RECORDER.play, RECORDER.follow, RECORDER.verify, RECORDER.script


def _move_entry(seat: int, move: Move, completed: Completed) -> dict[str, Any]:
    if move.is_pass:
        return {"player": seat, "pass": True}
    return {
        "player": seat,
        "pass": False,
        "color_die": "joker" if move.color_joker else COLORS[move.color],
        "number_die": "joker" if move.number_joker else move.number,
        "color": COLORS[move.color],
        "number": move.number,
        "cells": [str(cell) for cell in move.cells],
        "columns": {COLUMNS[column]: points for column, points in completed.columns.items()},
        "colors": {COLORS[color]: points for color, points in completed.colors.items()},
    }


def _read_move(where: str, seat: int, entry: Mapping[str, Any]) -> Move:
    """The move of an entry; whether it is legal, and what it completed, is checked later."""
    if entry["player"] != seat:
        raise RecordError(f"{where}: player is {entry['player']!r} where it must be {seat}")
    if entry["pass"]:
        return PASS
    color, number, cells = entry.get("color"), entry.get("number"), entry.get("cells")
    if color not in COLORS:
        raise RecordError(f"{where}: color is {color!r} where it must be one of {', '.join(COLORS)}")
    if type(number) is not int or not isinstance(cells, list) or not all(isinstance(cell, str) for cell in cells):
        raise RecordError(f"{where}: number must be a whole number and cells a list of names like 'H3'")
    joker = {"color_die": False, "number_die": False}
    for key, plain in (("color_die", color), ("number_die", number)):
        if entry.get(key) not in ("joker", plain):
            raise RecordError(f"{where}: {key} is {entry.get(key)!r} where it must be {plain!r} or 'joker'")
        joker[key] = entry[key] == "joker"
    try:
        move = Move.of(color, number, cells, joker["color_die"], joker["number_die"])
    except RecordError as error:
        raise RecordError(f"{where}: {error}") from error
    return move
