"""A game of Qwixx in words and pictures.

A crossed number shows ``x`` in its place, a lock that was crossed ``X``; numbers that were skipped or can no longer be
crossed stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.game import Line, Span
from simulator.qwixx.rules import COLORS, LOCK, NUMBERS, Rules, number_at, position_of


def dice(entry: Mapping[str, Any]) -> Line:
    """The dice of a roll: the white ones, then those of the rows that are still open."""
    faces = [(face, "white") for face in entry["dice"]["white"]]
    faces += [(entry["dice"][color], color) for color in COLORS if color in entry["dice"]]
    line: Line = []
    for face, paint in faces:
        line += [Span(" ")] if line else []
        line.append(Span(f" {face} ", paint))
    return line


def move(entry: Mapping[str, Any]) -> str:
    """A move: ``crosses red 7``, ``crosses blue 2 (white 1 + 1) and locks the row``, ``passes``."""
    if entry["pass"]:
        of_colors = " on the color dice" if entry["action"] == "color" else ""
        return f"passes{of_colors}" + (" and takes a penalty" if entry.get("penalty") else "")
    how = "" if entry["action"] == "white" else f" (white {entry['white']} + {entry['color']})"
    return f"crosses {entry['row']} {entry['number']}{how}" + (" and locks the row" if entry["locks"] else "")


def picture(record: Mapping[str, Any], seat: int, rolls: int, _sheet: None, rules: Rules) -> list[Line]:
    """The sheet of a seat after so many rolls of a record: its rows with their points, and its penalties."""
    crossed: list[set[int]] = [set() for _ in COLORS]
    penalties = 0
    for entry in (entry for roll in record["rolls"][:rolls] for entry in roll["moves"] if entry["player"] == seat):
        penalties += entry.get("penalty", False)
        if not entry["pass"]:
            row = COLORS.index(entry["row"])
            crossed[row].add(position_of(row, entry["number"]))
            crossed[row] |= {LOCK} if entry["locks"] else set()
    lines = [_row(row, positions, rules.points(len(positions))) for row, positions in enumerate(crossed)]
    points = -penalties * rules.penalty_points
    return [*lines, [Span(f"  penalties {'x' * penalties or 'none'} {points:>{33 - max(penalties, 4)}}")]]


def _row(row: int, crossed: set[int], points: int) -> Line:
    line: Line = [Span("  ")]
    for position in range(1, NUMBERS + 1):
        number, struck = number_at(row, position), position in crossed
        line.append(Span(f"{'x' if struck else number:>3}", COLORS[row], struck))
    locked = LOCK in crossed
    return [*line, Span("  X" if locked else "  o", COLORS[row], locked), Span(f" {points:>4}")]
