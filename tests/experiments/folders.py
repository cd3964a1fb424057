"""Runs in run folders with a fake table: broken off and gone on with, or not broken off at all."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from reports.games import GamesFile, GamesParts
from simulator.experiments.folder import RunFolder
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.run import run
from tests.experiments.fakes import PARTS, FakeTable

MEANS = (27, 26, 24, 25)


class BrokenError(Exception):
    """Something that ends a run, and is neither a mistake of the user nor Ctrl-C."""


def unbroken(made: Plan, out: Path | None = None) -> Result:
    """A run that nothing breaks off; with its games."""
    with GamesFile(out, made, PARTS) if out is not None else contextlib.nullcontext() as games:
        return run(made, threads=1, table=FakeTable(made, MEANS), on_outcomes=games)


def go_on(
    made: Plan,
    place: Path,
    *,
    until: int | None = None,
    error: type[BaseException] = KeyboardInterrupt,
    out: Path | None = None,
    seconds: float = 0,
    **settings: Any,
) -> Result:
    """Play in a run folder up to a block, where it is broken off, or to the end; as the command line does it."""

    def press(done: int, _total: int) -> None:
        if until is not None and done >= until:
            raise error

    with RunFolder(place, made, "1", keeps_games=out is not None) as kept:
        parts = None
        if out is not None:
            parts = GamesParts(place / "games", made, PARTS, kept.tally.blocks if kept.tally else 0)
            kept.before_save.append(parts.save)
        table = FakeTable(made, MEANS, seconds=seconds)
        result = run(made, table=table, folder=kept, on_progress=press, on_outcomes=parts, **settings)
        if out is not None and parts is not None and not result.interrupted:
            with GamesFile(out, made, PARTS) as games:
                for rows in parts.tables():
                    games.add(rows)
    return result


def content(place: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}
