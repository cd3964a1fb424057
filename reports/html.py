"""A finding as a piece of HTML, for notebooks: the same tables and sentences as in the terminal."""

from __future__ import annotations

from html import escape

from reports.grids import Grid
from reports.report import Finding, report_of


def as_html(found: Finding, version: str) -> str:
    """Header, tables, footer, sentences and notes in a ``div``; colors are left to the page."""
    page = report_of(found, version).layout()
    parts = [_paragraph(page.header), *map(_table, page.grids), *map(_paragraph, page.footer)]
    parts += [f"<p><strong>{escape(sentence)}</strong></p>" for sentence in page.sentences]
    parts += [_paragraph(f"Note: {note}") for note in page.notes]
    return "<div>\n" + "\n".join(parts) + "\n</div>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _table(grid: Grid) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in (grid.title, *grid.columns))
    rows = []
    for row in grid.rows:
        label = f"&emsp;{escape(row.label)}" if row.detail else escape(row.label)
        cells = "".join(f'<td style="text-align: right">{escape(cell)}</td>' for cell in row.cells)
        rows.append(f'<tr><th style="text-align: left">{label}</th>{cells}</tr>')
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody>\n</table>"
