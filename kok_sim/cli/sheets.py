"""``kok-sim sheets``: list, show and check sheets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simulator.errors import SheetError

app = typer.Typer(help="List, show and check sheets (boards).", rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A shipped sheet, or a file such as my.txt.")]


@app.command("list")
def list_sheets() -> None:
    """Print the names of the shipped sheets."""
    from simulator.keer_op_keer.sheet import sheet_names

    print("\n".join(sheet_names()))


@app.command()
def show(name: Name) -> None:
    """Draw a sheet with its stars (*) and the points of its columns, for the first to fill one and for later ones."""
    from kok_sim.cli import draw
    from simulator.keer_op_keer.rules import OFFICIAL
    from simulator.keer_op_keer.sheet import load_sheet

    sheet = load_sheet(name)
    draw.console().print(draw.sheet(sheet, OFFICIAL), end="")
    for finding in sheet.departures:
        print(f"note: {finding}")


@app.command()
def check(name: Name) -> None:
    """Check a sheet: errors mean that it cannot be played; departures from the official pattern are only noted."""
    from simulator.keer_op_keer.sheet import check as check_lines
    from simulator.keer_op_keer.sheet import load_sheet, read_lines

    lines = read_lines(Path(name)) if Path(name).is_file() else load_sheet(name).lines
    findings = check_lines(lines)
    for finding in findings:
        print(f"{'departure' if finding.playable else 'error'}: {finding}")
    errors = sum(not finding.playable for finding in findings)
    if errors:
        raise SheetError(f"{name} cannot be played: {errors} error{'s' if errors > 1 else ''}")
    print(f"{name} can be played" + (", but departs from the official pattern" if findings else ""))
