"""Playing a plan for a command, and handing over the result: printed, and in files."""

from __future__ import annotations

import contextlib
import itertools
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kok_sim import __version__
from kok_sim.cli.options import Output, Players, Show
from kok_sim.plans import find_workers
from kok_sim.running import play
from simulator.errors import OutputError, UnknownNameError

if TYPE_CHECKING:
    from reports.report import Finding
    from simulator.experiments.folder import RunFolder
    from simulator.experiments.plan import Plan
    from simulator.experiments.result import Result
    from simulator.experiments.workers import Workers
    from simulator.table import Table

MOST_RECORDS = 100


def deliver(
    plan: Plan, players: Players, output: Output, folder: Path | None = None, *, keeps_games: bool = False
) -> None:
    """Play a plan, print what came out, and write what is wanted.

    The run is kept in ``folder``; with a row for each game if ``keeps_games``, or if these are wanted.
    """
    from reports import tables
    from simulator.experiments.folder import RunFolder
    from simulator.records import write_records

    verify(output)
    with opened(plan, players, quiet=output.quiet) as (table, workers):
        kept = None
        if folder is not None:
            kept = RunFolder(folder, plan, __version__, keeps_games=keeps_games or output.games)
        result = _play(plan, table, workers, players.chunk, output, kept)
    tables.show(result, version=__version__, form=output.form)
    write_out(result, output, games=output.games)
    if output.records is not None:
        most = output.records_max or MOST_RECORDS
        write_records(output.records, itertools.islice(_games(table, plan, result.tally.blocks), most))
    if result.interrupted:
        if folder is not None and not output.quiet:
            print(f"go on with: kok-sim resume {shlex.quote(str(folder))}", file=sys.stderr)
        raise KeyboardInterrupt  # now that all is printed and written, leave as after any Ctrl-C


def verify(output: Output) -> None:
    """Raise for what cannot be printed or written, before anything is played."""
    from simulator.files import check_file

    verify_place(output)
    if output.games and output.out is None:
        raise OutputError("--games writes games.parquet to a folder; name it with --out DIR")
    if output.records is not None:
        if output.records.suffix != ".jsonl":
            name = str(output.records)
            raise OutputError(f"--records writes JSON lines, to a file that ends in .jsonl; got {name!r}")
        check_file(output.records)
    elif output.records_max is not None:
        raise OutputError("--records-max limits the games of --records; name its file with --records FILE.jsonl")


def verify_place(show: Show | Output) -> None:
    """Raise for a form that there is not, or a folder that cannot be written."""
    from reports import tables
    from simulator.files import check_folder

    if show.form not in tables.FORMATS:
        raise UnknownNameError("format", show.form, tables.FORMATS)
    if show.out is not None:
        check_folder(show.out)


def write_out(found: Finding, show: Show | Output, *, games: bool = False) -> None:
    """Write the report of a finding to its folder, if it has one, and say so."""
    from reports.files import write_report

    if show.out is None:
        return
    written = write_report(found, show.out, version=__version__, games=games)
    if not show.quiet:
        print(f"written to {show.out}: {', '.join(path.name for path in written)}", file=sys.stderr)


@contextlib.contextmanager
def opened(plan: Plan, players: Players, *, quiet: bool) -> Iterator[tuple[Table, Workers]]:
    """In a ``with`` statement: the table of a plan, and those who play there."""
    from kok_sim.cli.progress import compile_notice
    from simulator.experiments.run import open_table

    with compile_notice(quiet=quiet):
        table = open_table(plan)
        if not (table.compiled or quiet):
            print("\n".join(f"note: {note}" for note in table.notes), file=sys.stderr)
        yield table, find_workers(plan, table, players.threads, players.cluster)


def _play(
    plan: Plan, table: Table, workers: Workers, chunk: int | None, output: Output, kept: RunFolder | None
) -> Result:
    """Play, with a bar."""
    from kok_sim.cli.progress import progress_bar
    from reports.files import GAMES_FILE

    games = output.out / GAMES_FILE if output.games and output.out is not None else None
    with contextlib.ExitStack() as stack:
        if kept is not None:
            stack.enter_context(kept)
            _tell(kept, plan, quiet=output.quiet)
        bar = stack.enter_context(progress_bar("playing", "games", len(plan.seating), quiet=output.quiet))
        return play(plan, table, workers, folder=kept, games=games, chunk=chunk, on_progress=bar)


def _tell(kept: RunFolder, plan: Plan, *, quiet: bool) -> None:
    """Say how far a run is that was begun before."""
    if kept.tally is None or quiet:
        return
    played = f"{kept.tally.blocks:,} blocks" if plan.stop else f"{kept.tally.blocks:,} of {plan.blocks:,} blocks"
    print(f"{kept.folder} holds {played}", file=sys.stderr)


def _games(table: Table, plan: Plan, blocks: int) -> Iterator[dict[str, Any]]:
    """Records of all games of the first blocks, in order."""
    for block in range(blocks):
        for game in range(len(plan.seating)):
            yield table.record(block, game)
