"""Game records: one game as a JSON object on one line; reading, writing, and checking the form.

The form is the same for every game. Whether a record agrees with the dice and the rules is for the game's referee.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from simulator import files
from simulator.errors import RecordError, UnknownNameError

FORMAT = "kok-sim/record"
VERSION = 1
MODES = ("multiplayer", "solo")
WORD = (1 << 64) - 1


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= WORD


def _is_list_of(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(type(item) is kind for item in value)


_FIELDS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "format": (f"{FORMAT!r}", lambda value: value == FORMAT),
    "version": (f"{VERSION}", lambda value: type(value) is int and value == VERSION),
    "game": ("the name of a game", lambda value: isinstance(value, str)),
    "mode": (" or ".join(map(repr, MODES)), lambda value: value in MODES),
    "seed": ("a whole number from 0 to 2**64 - 1", _is_count),
    "index": ("a whole number from 0 to 2**64 - 1", _is_count),
    "rules": ("an object", lambda value: isinstance(value, dict)),
    "players": ("a list of objects", _is_list_of(dict)),
    "rolls": ("a list of objects", _is_list_of(dict)),
    "final": ("a list of objects", _is_list_of(dict)),
    "winners": ("a list of seat numbers", _is_list_of(int)),
    "stopped": ("true", lambda value: value is True),
}
_PLAYER: dict[str, type] = {"strategy": str}
_ROLL: dict[str, type] = {"roll": int, "active": int, "dice": dict, "moves": list}
_MOVE: dict[str, type] = {"player": int, "pass": bool}
_FINAL: dict[str, type] = {"player": int, "total": int}
_NAMES = {str: "a text", int: "a whole number", dict: "an object", list: "a list", bool: "true or false"}


def verify_form(record: object) -> None:
    """Check that something has the form of a record; :class:`RecordError` names the field at fault."""
    if not isinstance(record, Mapping):
        raise RecordError("a record must be a JSON object")
    for key in record:
        if key not in _FIELDS:
            raise RecordError(str(UnknownNameError("field", str(key), _FIELDS)))
    for key, (wanted, is_right) in _FIELDS.items():
        if key not in record and key != "stopped":
            raise RecordError(f"{key} is missing")
        if key in record and not is_right(record[key]):
            raise RecordError(f"{key} is {_short(record[key])} where it must be {wanted}")
    if not record["players"]:
        raise RecordError("players is empty; a game has at least one")
    for number, player in enumerate(record["players"]):
        _verify_fields(f"player {number}", player, _PLAYER)
    for number, roll in enumerate(record["rolls"], 1):
        _verify_fields(f"roll {number}", roll, _ROLL)
        for seat, move in enumerate(roll["moves"]):
            _verify_fields(f"roll {number}, move {seat + 1}", move, _MOVE)
    for number, final in enumerate(record["final"]):
        _verify_fields(f"final of player {number}", final, _FINAL)
    _verify_seats(record)


def _verify_fields(where: str, entry: object, fields: Mapping[str, type]) -> None:
    if not isinstance(entry, dict):
        raise RecordError(f"{where} must be an object; got {_short(entry)}")
    for key, kind in fields.items():
        if key not in entry:
            raise RecordError(f"{where}: {key} is missing")
        if type(entry[key]) is not kind:
            raise RecordError(f"{where}: {key} must be {_NAMES[kind]}; got {_short(entry[key])}")


def _verify_seats(record: Mapping[str, Any]) -> None:
    players = len(record["players"])
    if len(record["final"]) != players:
        raise RecordError(f"final has {len(record['final'])} entries for {players} players")
    if not record["winners"] or any(not 0 <= seat < players for seat in record["winners"]):
        raise RecordError(f"winners is {_short(record['winners'])} where it must name seats from 0 to {players - 1}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class RecordWriter:
    """A file of records, written as they come; the file appears only when all went well.

    Use it in a ``with`` statement. If the block is left by an exception, nothing is left behind and a file that was
    there before stays as it was.

    Parameters
    ----------
    path : Path
        The file to write. Raises :class:`OutputError` if it cannot be.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.written = 0
        self._file: TextIO | None = None

    def __enter__(self) -> RecordWriter:
        self._placed = files.placed_text(self.path)
        self._file = self._placed.__enter__()
        return self

    def write(self, record: Mapping[str, Any]) -> None:
        """Add one record as one line."""
        if self._file is None:
            raise ValueError("a RecordWriter writes inside its with statement only")
        with files.explained(self.path):
            self._file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        self.written += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file = None
        self._placed.__exit__(kind, error, traceback)


def write_records(path: Path, records: Iterable[Mapping[str, Any]]) -> int:
    """Write records to a file, one a line, all or nothing; gives how many. Raises :class:`OutputError`."""
    with RecordWriter(path) as writer:
        for record in records:
            writer.write(record)
    return writer.written


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Read records one by one, skipping empty lines; :class:`RecordError` names the file and the line at fault."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _parse(f"{str(path)!r}, line {number}", line)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise RecordError(f"cannot read records {str(path)!r}: {reason}") from error


def _parse(where: str, line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
        verify_form(record)
    except RecordError as error:
        raise RecordError(f"{where}: {error}") from error
    except (ValueError, RecursionError) as error:  # not JSON, a number of too many digits, brackets too deep
        raise RecordError(f"{where}: not JSON: {error}") from error
    return dict(record)
