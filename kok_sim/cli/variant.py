"""``kok-sim variant``: what house rules do to a game."""

from __future__ import annotations

from typing import Annotated

import typer

from kok_sim.cli.arguments import parse_count, parse_settings
from kok_sim.cli.options import RuleOption, Show, Studied
from simulator.games import find_game


def variant(
    rules: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE", help="The house rules: kok-sim rules list, or my.toml.", show_default=False
        ),
    ],
    strategies: Annotated[
        list[str] | None, typer.Argument(metavar="STRATEGY", help="Who plays, at one table.", show_default=False)
    ] = None,
    base: Annotated[str, typer.Option(metavar="NAME|FILE", help="The rules that they are compared with.")] = "official",
    rule: RuleOption = None,
    *,
    studied: Studied,
    show: Show,
) -> None:
    """Show what house rules do to a game.

    Plays them and the official rules (or those of --base) with the same strategies on the same dice. Says for every
    measure how much it changes: length, scores, closeness, the seat, skill and luck, drama, and more.

    Example: kok-sim variant timer-30 cautious tidy -n 20k
    """
    from kok_sim.cli.findings import deliver_finding, progress
    from kok_sim.studies import play_variant

    games, settings = parse_count(studied.number), parse_settings(find_game(studied.game).rules, rule or [])
    with progress(show) as bar:
        found = play_variant(
            rules, strategies or [], games, base=base, settings=settings, game=studied.game, seed=studied.seed,
            board=studied.board, solo=studied.solo, threads=studied.threads, on_progress=bar,
        )  # fmt: skip
    deliver_finding(found, show)
