"""The application: its commands, and what it says without one."""

from __future__ import annotations

from typing import Annotated

import typer

from kok_sim import __version__
from kok_sim.cli import again, experiment, games, replay, rules, sheets, solve, strategies, sweep, variant
from kok_sim.cli.options import grouped

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (
    experiment.compare,
    experiment.solo,
    experiment.tournament,
    again.resume,
    again.rerun,
    variant.variant,
    sweep.sweep,
    replay.replay,
    games.games,
    solve.solve,
):
    app.command(command.__name__)(grouped(command))
app.add_typer(strategies.app, name="strategies")
app.add_typer(sheets.app, name="sheets")
app.add_typer(rules.app, name="rules")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"kok-sim {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Simulate Keer op Keer (Noch mal!, Encore!) and Qwixx: which way of playing is best?

    A strategy is a name (kok-sim strategies list), a name with parameters (greedy:jokers=0.5), or a file of your own
    (my.toml, my.py:name). A board is a name (kok-sim sheets list) or a file (my.txt), and so are house rules (kok-sim
    rules list, or my.toml). Another game is chosen with --game (kok-sim games).
    """
    if context.invoked_subcommand is None:
        print(context.get_help())
