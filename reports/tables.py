"""A finding as text: a table for the terminal, JSON, CSV, or markdown, all with the same figures."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable
from typing import TextIO

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from reports.document import dumps
from reports.grids import Grid
from reports.layout import Layout
from reports.report import Finding, report_of
from reports.statistics import rounded
from simulator.errors import UnknownNameError
from simulator.experiments.estimates import Estimate

UNBOUNDED = 10_000  # columns of what is not a terminal: nothing is wrapped or cut


def show(found: Finding, *, version: str, form: str = "table", file: TextIO | None = None) -> None:
    """Print a finding; in color and fitted to the window if ``file`` (standard output) is a terminal."""
    file = sys.stdout if file is None else file
    if form == "table" and file.isatty():
        Console(file=file, highlight=False).print(_table(report_of(found, version).layout()))
    else:
        file.write(text(found, version=version, form=form))


def text(found: Finding, *, version: str, form: str = "table", width: int | None = None) -> str:
    """A finding in one of :data:`FORMATS`, without colors; ``width`` (columns) is for the table."""
    if form not in _WRITERS:
        raise UnknownNameError("format", form, FORMATS)
    return _WRITERS[form](found, version, width)


def as_table(found: Finding, version: str, width: int | None = None) -> str:
    """The table as on a terminal, without colors."""
    file = io.StringIO()
    console = Console(file=file, width=width or UNBOUNDED, color_system=None, highlight=False, legacy_windows=False)
    console.print(_table(report_of(found, version).layout()))
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def as_json(found: Finding, version: str, _width: int | None = None) -> str:
    """Its document."""
    return dumps(report_of(found, version).document(None)) + "\n"


def as_csv(found: Finding, version: str, _width: int | None = None) -> str:
    """A line for each figure: subject, measure, value, se, low, high; shares from 0 to 1; unknown is empty."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["subject", "measure", *Estimate._fields])
    for subject, measure, estimate in report_of(found, version).rows():
        writer.writerow([subject, measure, *("" if x is None else rounded(x) for x in estimate)])
    return file.getvalue()


def as_markdown(found: Finding, version: str, _width: int | None = None) -> str:
    """Pipe tables between paragraphs."""
    page = report_of(found, version).layout()
    blocks = [page.header, *map(_pipes, page.grids), *page.footer]
    blocks += [f"**{_escape(sentence)}**" for sentence in page.sentences]
    blocks += [f"Note: {_escape(note)}" for note in page.notes]
    return "\n\n".join(blocks) + "\n"


_WRITERS: dict[str, Callable[[Finding, str, int | None], str]] = {
    "table": as_table,
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
}
FORMATS = tuple(_WRITERS)


def _table(page: Layout) -> RenderableType:
    """Header, table, footer, the sentence, and notes."""
    parts: list[RenderableType] = [Text(page.header), *map(_grid, page.grids)]
    parts += [Text(line, style="dim") for line in page.footer]
    parts += [Text(), *(Text(sentence, style="bold") for sentence in page.sentences)]
    parts += [Text(f"Note: {note}", style="yellow") for note in page.notes]
    return Group(*parts)


def _grid(grid: Grid) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, show_edge=False, collapse_padding=True)
    table.add_column(Text(grid.title, style="italic"), no_wrap=not grid.title, overflow="fold")
    for column in grid.columns:
        table.add_column(Text(column), justify="right", overflow="fold")
    for row in grid.rows:
        indent = "  " if row.detail else ""
        style = "" if row.detail or grid.title else "bold"
        table.add_row(Text(indent + row.label), *(Text(cell) for cell in row.cells), style=style)
    return table


def _pipes(grid: Grid) -> str:
    rows = [[row.label, *row.cells] for row in grid.rows]
    lines = [[grid.title, *grid.columns], ["---", *("---:" for _ in grid.columns)], *rows]
    return "\n".join(f"| {' | '.join(_escape(cell) for cell in line)} |" for line in lines)


def _escape(cell: str) -> str:
    return cell.replace("|", "\\|")
