"""``kok-sim replay``: one game of a run, roll by roll."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kok_sim.cli.options import BoardOption, SeedOption, StrategiesArgument
from kok_sim.plans import make_plan
from simulator.errors import PlanError

if TYPE_CHECKING:
    from simulator.keer_op_keer.rules import Rules
    from simulator.keer_op_keer.sheet import Sheet


def replay(
    strategies: StrategiesArgument = None,
    seed: SeedOption = 1,
    game: Annotated[int, typer.Option(metavar="INDEX", help="Which game of the run; 0 is the first.")] = 0,
    board: BoardOption = "black",
    solo: Annotated[bool, typer.Option("--solo", help="A game of kok-sim solo; name one strategy.")] = False,
    draw: Annotated[
        int, typer.Option(metavar="N", help="Also draw all sheets after every N rolls; 0: only at the end.", min=0)
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the game record, one line of JSON.")] = False,
) -> None:
    """Tell one game of a run, roll by roll.

    Prints the dice, every move and what it fills, and at the end the sheets and the scores.

    Example: kok-sim replay greedy cautious --seed 1 --game 17
    """
    from simulator.experiments.plan import MAX_GAMES
    from simulator.keer_op_keer.referee import play
    from simulator.strategy import Scored

    specs = strategies or []
    plan = make_plan(specs, 1, seed=seed, board=board, solo=solo)
    if solo and len(specs) > 1:
        raise PlanError(f"a solo game has one strategy; got {len(specs)}")
    if not 0 <= game < MAX_GAMES:
        raise PlanError(f"--game must be the number of a game of the run, from 0 to {MAX_GAMES - 1}; got {game}")
    order = plan.seating[game % plan.seats]
    sheets = [plan.sheets[number] for number in order]
    if any(isinstance(strategy, Scored) for strategy in plan.strategies):  # play what the run played, machine code
        from simulator.experiments.run import open_table

        record = open_table(plan).record(*divmod(game, plan.seats))
    else:
        record = play([plan.strategies[number] for number in order], sheets, plan.rules, seed, game, solo=solo)
    if as_json:
        print(json.dumps(record, ensure_ascii=False))
    else:
        _tell(record, sheets, plan.rules, draw)


def _tell(record: dict[str, Any], sheets: list[Sheet], rules: Rules, every: int) -> None:
    """Print a game: its rolls, every sheet as it was at the end (and every so many rolls), and who won."""
    from kok_sim.cli import draw
    from simulator.keer_op_keer.sheet import Cell

    console = draw.console()
    names = [f"player {seat + 1} ({player['strategy']})" for seat, player in enumerate(record["players"])]
    crossed: list[set[Cell]] = [set() for _ in names]
    for roll in record["rolls"]:
        colors, numbers = roll["dice"]["colors"], roll["dice"]["numbers"]
        console.print(f"\nroll {roll['roll']}, {names[roll['active']]} rolls: ", draw.dice([*colors, *numbers]), sep="")
        for move in roll["moves"]:
            crossed[move["player"]].update(map(Cell.parse, move.get("cells", ())))
            console.print(f"  {names[move['player']]} {_move(move)}")
        if every and roll["roll"] % every == 0 and roll is not record["rolls"][-1]:
            for name, sheet, cells in zip(names, sheets, crossed, strict=True):
                console.print(f"\n{name} after roll {roll['roll']}")
                console.print(draw.sheet(sheet, rules, cells), end="")
    for name, sheet, cells, final in zip(names, sheets, crossed, record["final"], strict=True):
        console.print(f"\n{name}, board {sheet.name}")
        console.print(draw.sheet(sheet, rules, cells), end="")
        parts = [f"{part} {points}" for part, points in final.items() if part not in ("player", "total")]
        console.print(f"{', '.join(parts)}: total {final['total']}")
    if record["mode"] != "solo":
        winners = " and ".join(names[seat] for seat in record["winners"])
        console.print(f"\nwon after {len(record['rolls'])} rolls by {winners}")


def _move(move: dict[str, Any]) -> str:
    """A move in words: ``takes green and joker (as 3), crosses F3 G3 H1; fills column H (1)``."""
    if move["pass"]:
        told = "passes"
    else:
        color = move["color_die"] + (f" (as {move['color']})" if move["color_die"] == "joker" else "")
        number = str(move["number_die"]) + (f" (as {move['number']})" if move["number_die"] == "joker" else "")
        told = f"takes {color} and {number}, crosses {' '.join(move['cells'])}"
    filled = [f"column {column} ({points})" for column, points in move.get("columns", {}).items()]
    filled += [f"{color} ({points})" for color, points in move.get("colors", {}).items()]
    return told + (f"; fills {', '.join(filled)}" if filled else "")
