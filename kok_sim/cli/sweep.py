"""``kok-sim sweep``: one or two house rules over a range of values."""

from __future__ import annotations

from typing import Annotated

import typer

from kok_sim.cli.arguments import one_name, parse_count, parse_sweep, parse_target
from kok_sim.cli.options import RulesOption, Show, StrategiesArgument, Studied
from simulator.games import find_game


def sweep(
    strategies: StrategiesArgument = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            metavar="KEY=VALUES",
            help="One or two rules over values: jokers=0:12:2, star_penalty=1,2,3.",
        ),
    ] = None,
    rules: RulesOption = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="What is shown; may be given several times. Names: kok-sim variant --format csv.",
            show_default="a few",
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option(metavar="MEASURE=VALUE", help="Name the setting that comes nearest: rolls=30.")
    ] = None,
    *,
    studied: Studied,
    show: Show,
) -> None:
    """Try one or two house rules over a range of values.

    Plays every setting with the same strategies on the same dice. Prints a row for each, and draws a line with its band
    for each measure, or a heat map for two rules (--out). A --rule with one value holds at all settings.

    Example: kok-sim sweep --rule jokers=0:12:4 cautious tidy -n 5k
    """
    from kok_sim.cli.findings import deliver_finding, progress
    from kok_sim.studies import play_sweep

    fixed, swept = parse_sweep(find_game(studied.game).rules, rule or [])
    wanted = None if target is None else parse_target(target)
    with progress(show) as bar:
        found = play_sweep(
            swept, strategies or [], parse_count(studied.number), rules=one_name(rules), settings=fixed,
            measures=measure or [], target=wanted, game=studied.game, seed=studied.seed, board=studied.board,
            solo=studied.solo, threads=studied.threads, on_progress=bar,
        )  # fmt: skip
    deliver_finding(found, show)
