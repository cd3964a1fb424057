"""``kok-sim solve``: the exact values of a solo game, and the strategy that plays by them."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from kok_sim.cli.arguments import parse_rules
from kok_sim.cli.options import QuietOption, RuleOption, RulesOption, ThreadsOption
from simulator.errors import UnknownNameError
from simulator.games import find_game, game_names

SOLO = "-solo"


def solve(
    what: Annotated[str, typer.Argument(metavar="GAME-solo", help="What is solved: qwixx-solo.", show_default=False)],
    rules: RulesOption = None,
    rule: RuleOption = None,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
) -> None:
    """Solve a solo game exactly.

    Finds the most points that can be expected from every position, keeps them in the cache folder of this machine, and
    prints the value of the game. Then the strategy "optimal" plays by them. What is broken off goes on next time; what
    is solved already is only told.

    Example: kok-sim solve qwixx-solo
    """
    from kok_sim.cli.progress import compile_notice, progress_bar

    names = [name + SOLO for name in game_names() if find_game(name).solvable]
    if what not in names:
        raise UnknownNameError("game to solve", what, names)
    game = find_game(what.removesuffix(SOLO))
    played = parse_rules(game, rules, rule)
    started = time.perf_counter()
    try:
        with compile_notice(quiet=quiet), progress_bar("solving", "positions", quiet=quiet) as bar:
            solution = game.solver.solve(played, threads=threads, on_progress=bar, folder=game.solver.cache_folder())
    except KeyboardInterrupt:
        if not quiet:
            print("what is solved so far is kept; go on with the same command", file=sys.stderr)
        raise
    seconds = time.perf_counter() - started
    print(f"{game.title}, solo, {played.told()}: {solution.value:.4f} points can be expected of the best play")
    size = solution.file.stat().st_size / 1e6
    print(f"{solution.positions:,} positions in {seconds:.1f} s; kept in {solution.file} ({size:.0f} MB)")
