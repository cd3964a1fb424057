"""``kok-sim compare`` and ``kok-sim solo``: play many games and print what came out."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kok_sim import __version__
from kok_sim.cli.arguments import (
    BoardOption,
    SeedOption,
    StrategiesArgument,
    find_boards,
    find_strategies,
    parse_count,
)
from simulator.errors import OutputError, UnknownNameError

if TYPE_CHECKING:
    from simulator.experiments.plan import Plan
    from simulator.experiments.result import Result
    from simulator.keer_op_keer.table import Table

MOST_RECORDS = 100
COMPARE = """Let strategies play each other.

All 2 to 6 strategies sit at one table in every game. All dice are played once for each rotation of the seats. The same
strategy may be named twice.

Example: kok-sim compare greedy cautious -n 1e6
"""
SOLO = """Let strategies play the solo game.

Each strategy plays alone, all with the same dice.

Example: kok-sim solo greedy cautious -n 1e6
"""


def command(*, solo: bool) -> Callable[..., None]:
    """The command for the solo game, or for a shared table: they have the same options."""

    def experiment(
        strategies: StrategiesArgument = None,
        number: Annotated[
            str, typer.Option("-n", "--number", metavar="N", help="Games: 1000, 250k, 1e6; solo: of each strategy.")
        ] = "100k",
        seed: SeedOption = 1,
        board: BoardOption = "black",
        threads: Annotated[
            int | None,
            typer.Option(metavar="N", help="Threads; they never change the result.", show_default="all cores"),
        ] = None,
        chunk: Annotated[int | None, typer.Option(hidden=True, help="Blocks to a piece of work.")] = None,
        out: Annotated[
            Path | None, typer.Option(metavar="DIR", help="Also write summary.json, results.csv and plots there.")
        ] = None,
        form: Annotated[
            str, typer.Option("--format", metavar="FORM", help="What is printed: table, json, csv or markdown.")
        ] = "table",
        games: Annotated[
            bool, typer.Option("--games", help="Also write games.parquet to --out: a row per game and seat.")
        ] = False,
        records: Annotated[
            Path | None, typer.Option(metavar="FILE.jsonl", help="Also write the first games, move by move.")
        ] = None,
        records_max: Annotated[
            int | None,
            typer.Option(metavar="K", min=1, help="Games to write to --records at most.", show_default="100"),
        ] = None,
        quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar and no messages.")] = False,
    ) -> None:
        from kok_sim.cli.progress import compile_notice
        from reports import tables
        from reports.files import write_report
        from simulator.experiments.plan import Plan
        from simulator.experiments.run import open_table
        from simulator.files import check_file, check_folder
        from simulator.records import write_records

        specs = strategies or []
        count = parse_count(number)
        plan = Plan(find_strategies(specs), find_boards(board, len(specs)), count, seed, solo=solo)
        if form not in tables.FORMATS:
            raise UnknownNameError("format", form, tables.FORMATS)
        if games and out is None:
            raise OutputError("--games writes games.parquet to a folder; name it with --out DIR")
        if out is not None:
            check_folder(out)
        if records is not None:
            if records.suffix != ".jsonl":
                raise OutputError(f"--records writes JSON lines, to a file that ends in .jsonl; got {str(records)!r}")
            check_file(records)
        elif records_max is not None:
            raise OutputError("--records-max limits the games of --records; name its file with --records FILE.jsonl")
        with compile_notice(quiet=quiet):
            table = open_table(plan)
            if not (table.compiled or quiet):
                print("\n".join(f"note: {note}" for note in table.notes), file=sys.stderr)
            result = _play(plan, table, threads, chunk, out if games else None, quiet)
        tables.show(result, version=__version__, form=form)
        if out is not None:
            written = write_report(result, out, version=__version__, games=games)
            if not quiet:
                print(f"written to {out}: {', '.join(path.name for path in written)}", file=sys.stderr)
        if records is not None:
            write_records(
                records, itertools.islice(_games(table, plan, result.tally.blocks), records_max or MOST_RECORDS)
            )
        if result.interrupted:
            raise KeyboardInterrupt  # now that all is printed and written, leave as after any Ctrl-C

    return experiment


def _play(
    plan: Plan, table: Table, threads: int | None, chunk: int | None, games_folder: Path | None, quiet: bool
) -> Result:
    """Play, with a bar, and write a row for each game to ``games_folder``."""
    from kok_sim.cli.progress import progress_bar
    from reports.files import GAMES_FILE, GamesFile
    from simulator.experiments.run import run

    with contextlib.ExitStack() as stack:
        rows = None
        if games_folder is not None:
            rows = stack.enter_context(GamesFile(games_folder / GAMES_FILE, plan, table.parts))
        on_progress = stack.enter_context(progress_bar(plan.games_played, quiet=quiet))
        return run(plan, threads=threads, chunk_blocks=chunk, on_progress=on_progress, on_outcomes=rows, table=table)


def _games(table: Table, plan: Plan, blocks: int) -> Iterator[dict[str, Any]]:
    """Records of all games of the first blocks, in order."""
    for block in range(blocks):
        for game in range(len(plan.seating)):
            yield table.record(block, game)
