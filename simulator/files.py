"""Writing files: each whole or not at all, with one clear line where it cannot be done.

A file is written under a temporary name beside its place and renamed. After a failure neither the temporary file nor a
folder made for it is left, and a file that was there before stays as it was.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from simulator.errors import OutputError


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
