"""Whole games as records: playing one, and replaying one that somebody else wrote down without trusting it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from simulator.errors import KokSimError, PlanError, RecordError, UnknownNameError
from simulator.keer_op_keer.referee.choice import Choice, play_roll
from simulator.keer_op_keer.referee.choosing import best, rater
from simulator.keer_op_keer.referee.game import Completed, Game
from simulator.keer_op_keer.referee.position import PASS, Move
from simulator.keer_op_keer.rules import COLORS, COLUMNS, JOKER, Rules
from simulator.keer_op_keer.sheet import Sheet, load_sheet
from simulator.records import FORMAT, VERSION, verify_form
from simulator.strategy import Strategy

GAME = "keer-op-keer"
Script = Sequence[Sequence[Move]]
"""The moves of a game: for each roll the moves of all seats, in seat order."""


def play(
    strategies: Sequence[Strategy],
    sheets: Sequence[Sheet],
    rules: Rules,
    seed: int,
    index: int,
    *,
    solo: bool = False,
    script: Script | None = None,
) -> dict[str, Any]:
    """Play one game.

    Parameters
    ----------
    strategies, sheets : sequences of Strategy and Sheet
        In seat order of this game.
    rules : Rules
    seed, index : int
        The run and the number of the game in it; the dice are those of deal ``index // seats``.
    solo : bool
        The solo game, for one player.
    script : sequence of sequences of Move, optional
        For each roll the moves of all seats: these are checked and made, and the strategies are not asked.

    Returns
    -------
    dict
        The game record; ``stopped`` is there, and true, only if the safety limit of 1000 rolls ended the game.

    Raises
    ------
    PlanError
        For a number of players, strategies, or a seed that cannot be played.
    StrategyError
        If a scored function fails or gives something that is not a number.
    RecordError
        If the script makes an illegal move, ends before the game does, or goes on after it.
    """
    if len(strategies) != len(sheets):
        raise PlanError(f"{len(strategies)} strategies but {len(sheets)} sheets; each player needs one of both")
    game = Game(sheets, rules, seed, index, solo=solo)
    raters = [rater(strategy) for strategy in strategies] if script is None else []

    def decide(choice: Choice) -> Move:
        return best(raters[choice.seat](choice))

    rolls = []
    while not game.is_over:
        game.roll_dice()
        rolls.append(_play_roll(game, decide if script is None else _reader(_scripted(script, game))))
    if script is not None and len(script) > len(rolls):
        raise RecordError(f"the script goes on after roll {len(rolls)}, which ended the game")
    names = [strategy.name for strategy in strategies]
    return _record(game, names, seed, index, rolls)


def _scripted(script: Script, game: Game) -> Sequence[Move]:
    if len(script) < game.roll:
        raise RecordError(f"the script ends before roll {game.roll}, but the game goes on")
    moves = script[game.roll - 1]
    if len(moves) != len(game.players):
        raise RecordError(f"roll {game.roll}: {len(moves)} moves for {len(game.players)} players")
    return moves


def _reader(moves: Sequence[Move]) -> Callable[[Choice], Move]:
    """Decide by what is written, after checking that it is legal."""

    def decide(choice: Choice) -> Move:
        move = moves[choice.seat]
        objection = choice.objection(move)
        if objection:
            raise RecordError(f"roll {choice.game.roll}, player {choice.seat}: {str(move)!r} is not legal: {objection}")
        return move

    return decide


def _play_roll(game: Game, decide: Callable[[Choice], Move]) -> dict[str, Any]:
    """Play the roll on the table; gives its entry in the record."""
    moves, completed = play_roll(game, decide)
    entries = [_move_entry(seat, move, completed[seat]) for seat, move in enumerate(moves)]
    return {"roll": game.roll, "active": game.active, "dice": _dice_entry(game), "moves": entries}


def _dice_entry(game: Game) -> dict[str, list[Any]]:
    return {
        "colors": ["joker" if face == JOKER else COLORS[face] for face in game.color_faces],
        "numbers": ["joker" if face == JOKER else face + 1 for face in game.number_faces],
    }


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


def _record(game: Game, names: Sequence[str], seed: int, index: int, rolls: list[dict[str, Any]]) -> dict[str, Any]:
    players = [{"strategy": name, "board": player.sheet.name} for name, player in zip(names, game.players, strict=True)]
    record = {
        "format": FORMAT,
        "version": VERSION,
        "game": GAME,
        "mode": "solo" if game.solo else "multiplayer",
        "seed": seed,
        "index": index,
        "rules": game.rules.changes(),
        "players": players,
        "rolls": rolls,
        "final": [_final_entry(game, seat) for seat in range(len(game.players))],
        "winners": game.winners(),
    }
    if game.is_stopped:
        record["stopped"] = True
    return record


def _final_entry(game: Game, seat: int) -> dict[str, int]:
    parts = game.players[seat].parts()
    if not game.rules.pass_penalty:
        del parts["passes"]
    return {"player": seat, **parts, "total": sum(parts.values())}


def verify(record: Mapping[str, Any]) -> None:
    """Replay a record against the dice and the rules; :class:`RecordError` names the first disagreement."""
    for _ in follow(record):
        pass


def follow(record: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], Game]]:
    """Replay a record and check it on the way.

    Yields
    ------
    entry, game : dict, Game
        The entry of each roll, and the game as it stands after it (``game.players[seat].open`` and so on). The game
        is always the same object. What is yielded has been checked; the end of the record is checked last.
    """
    verify_form(record)
    game = _game_of(record)
    rolls: list[dict[str, Any]] = []
    for entry in record["rolls"]:
        if game.is_over:
            raise RecordError(f"the record goes on after roll {game.roll}, which ended the game")
        game.roll_dice()
        rolls.append(_check_roll(entry, game))
        yield rolls[-1], game
    if not game.is_over:
        raise RecordError(f"the record ends after roll {game.roll}, but the game goes on")
    names = [player["strategy"] for player in record["players"]]
    right = _record(game, names, record["seed"], record["index"], rolls)
    for given, wanted in zip(record["final"], right["final"], strict=False):
        _compare(f"final, player {wanted['player']}", given, wanted)
    for key in right.keys() | record.keys():
        if record.get(key) != right.get(key):
            raise RecordError(f"{key} is {record.get(key)!r} where it must be {right.get(key)!r}")


def _game_of(record: Mapping[str, Any]) -> Game:
    """The game at its start, as the head of a record describes it."""
    if record["game"] != GAME:
        raise RecordError(f"game is {record['game']!r} where it must be {GAME!r}")
    try:
        rules = Rules.from_changes(record["rules"])
        sheets = [load_sheet(player["board"]) for player in record["players"]]
        game = Game(sheets, rules, record["seed"], record["index"], solo=record["mode"] == "solo")
    except KokSimError as error:
        raise RecordError(f"the record cannot be replayed: {error}") from error
    if record["rules"] != rules.changes():
        raise RecordError(f"rules is {record['rules']!r} where it must be {rules.changes()!r}")
    return game


def _check_roll(entry: Mapping[str, Any], game: Game) -> dict[str, Any]:
    """Check the entry of the roll whose dice lie on the table; play it, and give the entry as it must be."""
    where = f"roll {game.roll}"
    _compare(where, entry, {"roll": game.roll, "active": game.active, "dice": _dice_entry(game), "moves": ...})
    if len(entry["moves"]) != len(game.players):
        raise RecordError(f"{where}: {len(entry['moves'])} moves for {len(game.players)} players")
    moves = [_read_move(f"{where}, player {seat}", seat, move) for seat, move in enumerate(entry["moves"])]
    right = _play_roll(game, _reader(moves))
    for seat, move in enumerate(entry["moves"]):
        _compare(f"{where}, player {seat}", move, right["moves"][seat])
    return right


def _compare(where: str, given: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
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
