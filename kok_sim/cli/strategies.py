"""``kok-sim strategies``: which there are, what they do, and what one of your own can see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from kok_sim.cli.columns import print_columns
from kok_sim.cli.options import GameOption
from simulator.errors import KokSimError
from simulator.games import DEFAULT, find_game

if TYPE_CHECKING:
    from simulator.sight import Sight

app = typer.Typer(help="List and explain strategies.", rich_markup_mode=None)


@app.command("list")
def list_strategies(game: GameOption = DEFAULT) -> None:
    """Print all shipped and installed strategies with their ideas."""
    from strategies.registry import SHIPPED, rows

    lines = []
    for row in rows(game).values():
        try:
            idea = row.load().idea
        except KokSimError as error:
            idea = f"error: {error}"
        lines.append((row.name, idea if row.origin == SHIPPED else f"{idea} (from {row.origin})"))
    print_columns(lines)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="STRATEGY", help="A name, or a file of your own, with parameters.")],
    game: GameOption = DEFAULT,
) -> None:
    """Print what a strategy does, its parameters and its weights."""
    from simulator.strategy import Solved, Weights
    from strategies import find_strategy

    strategy = find_strategy(name, game)
    print(strategy.name)
    print(strategy.idea)
    if strategy.text:
        print(f"\n{strategy.text}")
    print()
    if isinstance(strategy, Weights):
        _print_weights(find_game(game).sight, strategy.weights, strategy.per_roll)
    elif isinstance(strategy, Solved):
        print("exact values of positions: kok-sim solve")
    elif strategy.parameters:
        print("parameters")
        print_columns([(f"  {key}", f"{value:g}") for key, value in strategy.parameters.items()])
    else:
        print("no parameters")


@app.command()
def fields(game: GameOption = DEFAULT) -> None:
    """Print what a strategy of your own can see: the features that weights weigh, and the fields of view and move."""
    sight = find_game(game).sight
    print("features of a move, for weights (the weight of a cost is subtracted)")
    print_columns([(f"  {f.name}", "gain" if f.sign > 0 else "cost", f.meaning) for f in sight.features])
    for title, table in (("view", sight.view_fields), ("move", sight.move_fields)):
        print(f"\nfields of {title}, for a function with @strategy")
        print_columns([(f"  {title}.{key}{list(shape) or ''}", meaning) for key, shape, meaning in table])


def _print_weights(sight: Sight, weights: Mapping[str, float], per_roll: Mapping[str, float]) -> None:
    print("weights (each is a parameter, and so is any other feature; see kok-sim strategies fields)")
    lines = []
    for feature in sight.features:
        if feature.name in weights or feature.name in per_roll:
            change = per_roll.get(feature.name, 0)
            value = f"{weights.get(feature.name, 0):g}" + (f" {change:+g} per roll" if change else "")
            lines.append((f"  {feature.name}", value, "gain" if feature.sign > 0 else "cost", feature.meaning))
    print_columns(lines)
