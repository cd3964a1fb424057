"""Writing files: each whole or not at all, with one clear line where it cannot be done; and reading JSON likewise.

A file is written under a temporary name beside its place and renamed. After a failure neither the temporary file nor a
folder made for it is left, and a file that was there before stays as it was.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from simulator.errors import KokSimError, OutputError, PlanError

DEEPEST = 50  # levels of a JSON or TOML file; ours have 6


@contextmanager
def placed(path: Path) -> Iterator[Path]:
    """In a ``with`` statement: the temporary name to write to; the file gets its place when the block ends well.

    Raises
    ------
    OutputError
        If something is at that place that is no file, or the file cannot be put there.
    """
    with explained(path):
        path = path.resolve()  # what a link leads to is replaced, not the link
    _verify_place(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        with explained(path):
            temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextmanager
def placed_text(path: Path) -> Iterator[TextIO]:
    """In a ``with`` statement: a text file (UTF-8, lines end as they are written) that is :func:`placed` at its end."""
    with placed(path) as temporary:
        with explained(path):
            file = temporary.open("w", encoding="utf-8", newline="\n")
        try:
            yield file
        finally:
            with explained(path):
                file.close()


@contextmanager
def made_folder(folder: Path) -> Iterator[None]:
    """In a ``with`` statement: make a folder; if the block fails, remove what was made of it, as far as it is empty.

    Raises
    ------
    OutputError
        If it cannot be made or written to.
    """
    check_folder(folder)
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        with suppress(OSError):  # one that is not empty stays, and so do those around it
            for place in missing:
                place.rmdir()
        raise


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn a failure of the system while ``path`` is written into one line, an :class:`OutputError`."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


def read_text(path: Path, what: str, failure: type[KokSimError]) -> str:
    """The text of a file in UTF-8; ``failure`` with one line that says ``what`` it should have been, if it has none."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise failure(f"cannot read {what} {str(path)!r}: {reason}") from error


def read_json(path: Path) -> Any:
    """What a JSON file holds.

    Raises
    ------
    PlanError
        If it cannot be read, is no such file, or is nested deeper than any of ours.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PlanError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{str(path)!r} is not JSON: {error}") from error
    if is_too_deep(data):
        raise PlanError(f"{str(path)!r} is damaged: it is nested more than {DEEPEST} levels deep")
    return data


def is_too_deep(data: Any) -> bool:
    """Whether objects and lists are nested in each other more than ``DEEPEST`` levels deep."""
    level = [data]
    for _ in range(DEEPEST):
        holders = [value for value in level if isinstance(value, dict | list)]
        level = [inner for value in holders for inner in (value.values() if isinstance(value, dict) else value)]
    return bool(level)


def check_file(path: Path) -> None:
    """Raise :class:`OutputError` if a file cannot be written to ``path``. Leaves no trace."""
    _verify_place(path)
    with explained(path), tempfile.TemporaryFile(dir=path.parent):
        pass


def check_folder(folder: Path) -> None:
    """Raise :class:`OutputError` if files cannot be written to a folder, which need not exist yet. Leaves no trace."""
    try:
        place = folder
        while not place.exists() and place != place.parent:
            place = place.parent
        if not place.is_dir():
            raise OutputError(f"cannot write to {str(folder)!r}: {str(place)!r} is not a folder")
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise OutputError(f"cannot write to {str(folder)!r}: {error.strerror or error}") from error


def _verify_place(path: Path) -> None:
    """Only a file may be replaced: neither a folder nor a device."""
    with explained(path):
        if path.exists() and not path.is_file():
            what = "a folder" if path.is_dir() else "not an ordinary file"
            raise OutputError(f"cannot write {str(path)!r}: it is {what}")
