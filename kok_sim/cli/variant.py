"""``kok-sim variant``: what house rules do to a game."""

from __future__ import annotations

from typing import Annotated

import typer

from kok_sim.cli.arguments import parse_count, parse_settings
from kok_sim.cli.options import BoardOption, GameOption, RuleOption, SeedOption, Show, SoloOption, ThreadsOption
from kok_sim.plans import GAMES
from simulator.games import DEFAULT, find_game


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
    number: Annotated[
        str, typer.Option("-n", "--number", metavar="N", help="Games of each rule set: 1000, 250k, 1e6.")
    ] = f"{GAMES // 1000}k",
    seed: SeedOption = 1,
    game: GameOption = DEFAULT,
    board: BoardOption = None,
    solo: SoloOption = False,
    threads: ThreadsOption = None,
    *,
    show: Show,
) -> None:
    """Show what house rules do to a game.

    Plays them and the official rules (or those of --base) with the same strategies on the same dice. Says for every
    measure how much it changes: length, scores, closeness, the seat, skill and luck, drama, and more.

    Example: kok-sim variant timer-30 cautious tidy -n 20k
    """
    from kok_sim.cli.findings import deliver_finding, progress
    from kok_sim.studies import play_variant

    games, settings = parse_count(number), parse_settings(find_game(game).rules, rule or [])
    with progress(show) as bar:
        found = play_variant(
            rules, strategies or [], games, base=base, settings=settings,
            game=game, seed=seed, board=board, solo=solo, threads=threads, on_progress=bar,
        )  # fmt: skip
    deliver_finding(found, show)
