"""``kok-sim replay``: one game of a run, roll by roll."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kok_sim.cli.arguments import parse_rules
from kok_sim.cli.options import BoardOption, GameOption, RuleOption, RulesOption, SeedOption, StrategiesArgument
from kok_sim.plans import make_plan
from simulator.errors import PlanError
from simulator.games import DEFAULT, find_game

if TYPE_CHECKING:
    from simulator.experiments.plan import Plan


def replay(
    strategies: StrategiesArgument = None,
    seed: SeedOption = 1,
    index: Annotated[int, typer.Option(metavar="N", help="Which game of the run; 0 is the first.")] = 0,
    game: GameOption = DEFAULT,
    board: BoardOption = None,
    rules: RulesOption = None,
    rule: RuleOption = None,
    solo: Annotated[bool, typer.Option("--solo", help="A game of kok-sim solo; name one strategy.")] = False,
    draw: Annotated[
        int, typer.Option(metavar="N", help="Also draw all sheets after every N rolls; 0: only at the end.", min=0)
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the game record, one line of JSON.")] = False,
) -> None:
    """Tell one game of a run, roll by roll.

    Prints the dice, every move and what it fills, and at the end the sheets and the scores.

    Example: kok-sim replay greedy cautious --seed 1 --index 17
    """
    from simulator.experiments.plan import MAX_GAMES
    from simulator.strategy import Scored

    specs = strategies or []
    if game.isdecimal():
        raise PlanError(
            f"--game names the game that is played, such as qwixx; game {game} of the run is --index {game}"
        )
    played = parse_rules(find_game(game), rules, rule)
    plan = make_plan(specs, 1, seed=seed, game=game, board=board, solo=solo, rules=played)
    if solo and len(specs) > 1:
        raise PlanError(f"a solo game has one strategy; got {len(specs)}")
    if not 0 <= index < MAX_GAMES:
        raise PlanError(f"--index must be the number of a game of the run, from 0 to {MAX_GAMES - 1}; got {index}")
    order = plan.seating[index % plan.seats]
    sheets = [plan.sheets[number] for number in order] if plan.sheets else []
    if any(isinstance(strategy, Scored) for strategy in plan.strategies):  # play what the run played, machine code
        from simulator.experiments.run import open_table

        record = open_table(plan).record(*divmod(index, plan.seats))
    else:
        seated = [plan.strategies[number] for number in order]
        record = plan.played.referee.play(seated, sheets, plan.rules, seed, index, solo=solo)
    if as_json:
        print(json.dumps(record, ensure_ascii=False))
    else:
        _tell(record, plan, sheets, draw)


def _tell(record: dict[str, Any], plan: Plan, sheets: list[Any], every: int) -> None:
    """Print a game: its rolls, every sheet as it was at the end (and every so many rolls), and who won."""
    from kok_sim.cli import draw

    console, telling = draw.console(), plan.played.telling
    names = [f"player {seat + 1} ({player['strategy']})" for seat, player in enumerate(record["players"])]

    def picture(seat: int, rolls: int, title: str) -> None:
        console.print(f"\n{title}")
        drawing = telling.picture(record, seat, rolls, sheets[seat] if sheets else None, plan.rules)
        console.print(draw.lines(drawing), end="")

    for number, roll in enumerate(record["rolls"], start=1):
        dice = draw.line(telling.dice(roll))
        console.print(f"\nroll {roll['roll']}, {names[roll['active']]} rolls: ", dice, sep="")
        for move in roll["moves"]:
            console.print(f"  {names[move['player']]} {telling.move(move)}")
        if every and number % every == 0 and number < len(record["rolls"]):
            for seat, name in enumerate(names):
                picture(seat, number, f"{name} after roll {number}")
    for seat, (name, final) in enumerate(zip(names, record["final"], strict=True)):
        picture(seat, len(record["rolls"]), f"{name}, board {sheets[seat].name}" if sheets else name)
        parts = [f"{part} {points}" for part, points in final.items() if part not in ("player", "total")]
        console.print(f"{', '.join(parts)}: total {final['total']}")
    if record["mode"] != "solo":
        winners = " and ".join(names[seat] for seat in record["winners"])
        console.print(f"\nwon after {len(record['rolls'])} rolls by {winners}")
