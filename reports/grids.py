"""The tables of which a report consists, as text in rows and columns, whatever they are drawn with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A line of a table: what it shows, and a cell for each strategy; details are set below a main line."""

    label: str
    cells: list[str]
    detail: bool = False


@dataclass(frozen=True)
class Grid:
    """A table: its title, may be empty; the names of its columns; its rows."""

    title: str
    columns: tuple[str, ...]
    rows: list[Row]
