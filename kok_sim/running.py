"""Playing a plan with all that is kept of it: what the command line and the Python interface have in common."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.experiments.folder import RunFolder
    from simulator.experiments.plan import Plan
    from simulator.experiments.result import Result
    from simulator.experiments.workers import Workers
    from simulator.table import Table

GAMES_FOLDER = "games"  # of a run folder


def play(
    plan: Plan,
    table: Table,
    workers: Workers,
    *,
    folder: RunFolder | None = None,
    games: Path | None = None,
    chunk: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Play a plan, or go on with it.

    Parameters
    ----------
    plan, table, workers, chunk, on_progress
        As in :func:`simulator.experiments.run.run`.
    folder : RunFolder, optional
        Where the run is kept, entered already; with a row for each game if it keeps games.
    games : Path, optional
        A parquet file of all games, to be written. A folder must then keep games too.
    """
    from reports.games import GamesFile, GamesParts
    from simulator.experiments.run import run
    from simulator.files import made_folder

    with contextlib.ExitStack() as stack:
        file = parts = None
        if folder is not None and folder.keeps_games:
            played = 0 if folder.tally is None else folder.tally.blocks
            stack.enter_context(made_folder(folder.folder / GAMES_FOLDER))
            parts = GamesParts(folder.folder / GAMES_FOLDER, plan, table.parts, played)
            folder.before_save.append(parts.save)
        elif games is not None:
            file = stack.enter_context(GamesFile(games, plan, table.parts))
        result = run(
            plan,
            workers=workers,
            chunk_blocks=chunk,
            on_progress=on_progress,
            on_outcomes=parts or file,
            table=table,
            folder=folder,
        )
        if parts is not None and games is not None:
            with GamesFile(games, plan, table.parts) as file:
                for rows in parts.tables():
                    file.add(rows)
        return result
