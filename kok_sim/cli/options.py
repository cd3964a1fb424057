"""Options that several commands have, in groups; a command takes a group as one argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from simulator.games import DEFAULT

StrategiesArgument = Annotated[
    list[str] | None, typer.Argument(metavar="STRATEGY", help="Names, or files of your own.", show_default=False)
]
SeedOption = Annotated[int, typer.Option(help="Decides all dice: the same seed gives the same games.")]
BoardOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME[,NAME...]",
        help="Board of all, or of each strategy: names or files.",
        show_default="the first of the game",
    ),
]
GameOption = Annotated[str, typer.Option(metavar="NAME", help="Which game is played: kok-sim games.")]
RunOption = Annotated[
    Path | None,
    typer.Option("--run", metavar="DIR", help="Keep the run in this folder, to go on after any end: kok-sim resume."),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar and no messages.")]


RulesOption = Annotated[
    list[str] | None,  # to see if it is given twice
    typer.Option(metavar="NAME|FILE", help="House rules: kok-sim rules list, or my.toml.", show_default="official"),
]
RuleOption = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="KEY=VALUE", help="One house rule more; may be given several times."),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="Threads; they never change the result.", show_default="all cores"),
]


@dataclass(frozen=True)
class Question:
    """What is played, and how often."""

    number: Annotated[
        str | None,
        typer.Option(
            "-n",
            "--number",
            metavar="N",
            help="Games at a table: 1000, 250k, 1e6; solo: of each strategy.",
            show_default="100k; 100M with a stopping rule",
        ),
    ] = None
    seed: SeedOption = 1
    game: GameOption = DEFAULT
    board: BoardOption = None
    rules: RulesOption = None
    rule: RuleOption = None
    until: Annotated[
        str | None,
        typer.Option(
            metavar="WIDTH",
            help="Stop once the 95 % intervals are ±WIDTH or less: 0.2% (win shares); solo: 0.05 (points).",
        ),
    ] = None
    independent: Annotated[
        bool, typer.Option("--independent", help="Separate dice for every game, to see what common dice are worth.")
    ] = False


@dataclass(frozen=True)
class Players:
    """Who plays the games; it never changes the result."""

    threads: ThreadsOption = None
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:8786, or local:4 for 4 processes."),
    ] = None
    chunk: Annotated[int | None, typer.Option(hidden=True, help="Blocks to a piece of work.")] = None


SoloOption = Annotated[bool, typer.Option("--solo", help="The solo game: each strategy plays alone.")]
OutOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Also write summary.json, results.csv and plots there.")
]
FormOption = Annotated[
    str, typer.Option("--format", metavar="FORM", help="What is printed: table, json, csv or markdown.")
]


@dataclass(frozen=True)
class Studied:
    """What is played in a study of rules, but for the rules."""

    number: Annotated[
        str, typer.Option("-n", "--number", metavar="N", help="Games at each setting: 1000, 250k, 1e6.")
    ] = "20k"
    seed: SeedOption = 1
    game: GameOption = DEFAULT
    board: BoardOption = None
    solo: SoloOption = False
    threads: ThreadsOption = None


@dataclass(frozen=True)
class Show:
    """Where a finding goes."""

    out: OutOption = None
    form: FormOption = "table"
    quiet: QuietOption = False


@dataclass(frozen=True)
class Output:
    """Where the result of a run goes."""

    out: OutOption = None
    form: FormOption = "table"
    games: Annotated[
        bool, typer.Option("--games", help="Also write games.parquet to --out: a row per game and seat.")
    ] = False
    records: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Also write the first games, move by move.")
    ] = None
    records_max: Annotated[
        int | None,
        typer.Option(metavar="K", min=1, help="Games to write to --records at most.", show_default="100"),
    ] = None
    quiet: QuietOption = False


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command of which every argument that is a group of options is spread into these options."""
    groups: dict[str, type[Any]] = {}
    spread: list[inspect.Parameter] = []
    hints = get_type_hints(command, include_extras=True)
    for parameter in inspect.signature(command).parameters.values():
        kind = hints[parameter.name]
        if is_dataclass(kind):
            assert isinstance(kind, type)
            groups[parameter.name] = kind
            inner = get_type_hints(kind, include_extras=True)
            spread += [_option(field.name, inner[field.name], field.default) for field in fields(kind)]
        else:
            spread.append(_option(parameter.name, kind, parameter.default))

    def call(**values: Any) -> None:
        for name, kind in groups.items():
            values[name] = kind(**{field.name: values.pop(field.name) for field in fields(kind)})
        command(**values)

    call.__doc__, call.__name__ = command.__doc__, command.__name__
    call.__signature__ = inspect.Signature(spread)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in spread}
    return call


def _option(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
