"""``kok-sim resume`` and ``kok-sim rerun``: go on with a run, and repeat one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from kok_sim.cli.options import Output, Players, QuietOption
from kok_sim.plans import plan_from
from simulator.errors import PlanError
from simulator.games import find_game

PlayedOption = Annotated[
    str | None,
    typer.Option("--game", metavar="NAME", help="Refuse a run of any other game.", show_default="whichever it is"),
]


def resume(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of --run.", show_default=False)],
    game: PlayedOption = None,
    *,
    players: Players,
    output: Output,
) -> None:
    """Go on with a run that was broken off.

    It was begun with --run DIR, and comes to the very same result as if nothing had happened. One that is done is only
    printed, or written to --out.

    Example: kok-sim resume night --out report
    """
    from dataclasses import replace

    from kok_sim import __version__
    from kok_sim.cli.deliver import deliver
    from simulator.experiments.folder import read_run

    run = read_run(folder, __version__)
    _verify_game(run["experiment"], game)
    keeps_games = run["keeps_games"]
    if output.out is not None:
        output = replace(output, games=output.games or keeps_games)
    deliver(plan_from(run["experiment"]), players, output, folder, keeps_games=keeps_games)


def rerun(
    summary: Annotated[Path, typer.Argument(metavar="summary.json", help="A result of --out.", show_default=False)],
    game: PlayedOption = None,
    *,
    players: Players,
    quiet: QuietOption = False,
) -> None:
    """Repeat a run from its own result.

    Says whether every figure is identical; the exit code is 0 if all are, else 1. A strategy in a Python file of your
    own is looked for where it was.

    Example: kok-sim rerun report/summary.json
    """
    from kok_sim.cli.deliver import opened
    from kok_sim.cli.progress import progress_bar
    from reports.document import differences, read_document, results
    from simulator.experiments.run import run

    found = read_document(summary)
    _verify_game(found["experiment"], game)
    plan = plan_from(found["experiment"])
    with (
        opened(plan, players, quiet=quiet) as (table, workers),
        progress_bar("playing", "games", len(plan.seating), quiet=quiet) as bar,
    ):
        blocks = found["results"]["blocks"]
        result = run(plan, workers=workers, chunk_blocks=players.chunk, on_progress=bar, table=table, blocks=blocks)
    if result.tally.blocks < blocks and result.interrupted:
        raise KeyboardInterrupt
    count, different = differences(found["results"], results(result))
    _tell(found["program"]["version"], count, different)


def _verify_game(experiment: Mapping[str, Any], game: str | None) -> None:
    """Raise for a run of another game than the one that is named."""
    if game is not None and experiment.get("game") != find_game(game).name:
        raise PlanError(f"this is a run of the game {experiment.get('game')!r}, not of {game!r}")


def _tell(version: str, count: int, different: list[str]) -> None:
    """Say what came out; exit code 1 if anything differs."""
    from kok_sim import __version__

    by = f"kok-sim {version}" if version == __version__ else f"kok-sim {version} (this is {__version__})"
    if not different:
        print(f"identical: all {count:,} figures are as {by} wrote them")
        return
    print(f"different: {len(different):,} of {count:,} figures are not as {by} wrote them")
    for line in different[:20]:
        print(f"  {line}")
    if len(different) > 20:
        print(f"  and {len(different) - 20:,} more")
    raise typer.Exit(1)
