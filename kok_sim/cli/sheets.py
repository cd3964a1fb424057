"""``kok-sim sheets``: list, show, check, generate, rate and print sheets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kok_sim.cli.options import (
    GameOption,
    QuietOption,
    RuleOption,
    RulesOption,
    SeedOption,
    Show,
    ThreadsOption,
    grouped,
)
from simulator.errors import SheetError
from simulator.games import DEFAULT, find_game

if TYPE_CHECKING:
    from simulator.game import Game, Sheets

app = typer.Typer(help="List, check, generate, rate and print sheets (boards).", rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A shipped sheet, or a file such as my.txt.")]


def _sheets(game: str) -> tuple[Game, Sheets]:
    """A game that has sheets, and how they are found."""
    found = find_game(game)
    if found.sheets is None:
        raise SheetError(f"{found.title} has only one sheet; there is nothing to choose")
    return found, found.sheets


@app.command("list")
def list_sheets(game: GameOption = DEFAULT) -> None:
    """Print the names of the shipped sheets."""
    print("\n".join(_sheets(game)[1].names()))


@app.command()
def show(name: Name, game: GameOption = DEFAULT) -> None:
    """Draw a sheet, and say where it departs from the official pattern."""
    from kok_sim.cli import draw

    played, sheets = _sheets(game)
    sheet = sheets.load(name)
    empty: dict[str, Any] = {"rolls": []}
    draw.console().print(draw.lines(played.telling.picture(empty, 0, 0, sheet, played.rules())), end="")
    for finding in sheets.check(name):
        print(f"note: {finding}")


@app.command()
def check(name: Name, game: GameOption = DEFAULT) -> None:
    """Check a sheet: errors mean that it cannot be played; departures from the official pattern are only noted."""
    findings = _sheets(game)[1].check(name)
    for finding in findings:
        print(f"{'departure' if finding.playable else 'error'}: {finding}")
    errors = sum(not finding.playable for finding in findings)
    if errors:
        raise SheetError(f"{name} cannot be played: {errors} error{'s' if errors > 1 else ''}")
    print(f"{name} can be played" + (", but departs from the official pattern" if findings else ""))


@app.command()
def generate(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Write the sheets there, a file each.", show_default=False)],
    seed: Annotated[int, typer.Option(help="Decides the sheets: the same seed gives the same ones.")] = 1,
    count: Annotated[int, typer.Option(metavar="N", help="How many; they begin with the same ones.")] = 1,
    game: GameOption = DEFAULT,
    quiet: QuietOption = False,
) -> None:
    """Make new sheets with the pattern of the official ones.

    Writes generated-SEED-1.txt, generated-SEED-2.txt, ... and prints their paths. They are boards like any other file.

    Example: kok-sim sheets generate --seed 7 --count 10 --out boards
    """
    from kok_sim.cli.progress import progress_bar
    from simulator.files import explained, made_folder, placed_text

    played, sheets = _sheets(game)
    if sheets.generate is None:
        raise SheetError(f"{played.title} has no generator of sheets")
    made = sheets.generate(seed, count)
    written: list[Path] = []
    try:
        with made_folder(out), progress_bar("generating", "sheets", quiet=quiet) as bar:
            for sheet in made:
                path = out / f"{sheet.name}.txt"
                with placed_text(path) as file, explained(path):
                    file.writelines(f"{line}\n" for line in sheet.lines)
                written.append(path)
                if bar:
                    bar(len(written), count)
    finally:  # not before: a bar takes what is printed for its own stream
        for path in written:
            print(path)


@app.command()
@grouped
def rate(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE", help="Shipped sheets, or files.", show_default="all that are shipped"),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Who plays; may be given several times.", show_default="those of the duel"),
    ] = None,
    number: Annotated[
        str, typer.Option("-n", "--number", metavar="N", help="Games of each kind on each sheet: 1000, 250k.")
    ] = "20k",
    seed: SeedOption = 1,
    game: GameOption = DEFAULT,
    rules: RulesOption = None,
    rule: RuleOption = None,
    threads: ThreadsOption = None,
    *,
    show: Show,
) -> None:
    """Compare sheets by what strategies score on them.

    They play on every sheet with the same dice: each alone, and all at one table. The hardest sheet comes first.

    Example: kok-sim sheets rate black red -n 5k
    """
    from kok_sim.cli.arguments import parse_count, parse_rules
    from kok_sim.cli.findings import deliver_finding, progress
    from kok_sim.studies import play_rating

    played, _ = _sheets(game)
    followed = parse_rules(played, rules, rule)
    with progress(show) as bar:
        found = play_rating(
            names or [], strategy or played.duel, parse_count(number),
            rules=followed, game=game, seed=seed, threads=threads, on_progress=bar,
        )  # fmt: skip
    deliver_finding(found, show)


@app.command("print")
def print_sheets(
    names: Annotated[list[str], typer.Argument(metavar="NAME|FILE", help="Shipped sheets, or files.")],
    out: Annotated[Path, typer.Option(metavar="FILE.pdf|FILE.svg", help="The file to write; SVG for one sheet.")],
    game: GameOption = DEFAULT,
    rules: RulesOption = None,
    rule: RuleOption = None,
) -> None:
    """Draw score sheets to play on with a pen, A5, a page for each; points and jokers are those of the rules."""
    from kok_sim.cli.arguments import parse_rules
    from reports.printing import print_drawings, verify_kind
    from simulator.files import check_file

    played, sheets = _sheets(game)
    if sheets.drawing is None:
        raise SheetError(f"the sheets of {played.title} cannot be printed")
    verify_kind(out, len(names))
    check_file(out)
    followed = parse_rules(played, rules, rule)
    print_drawings([sheets.drawing(sheets.load(name), followed) for name in names], out)
    print(f"written: {out}")
