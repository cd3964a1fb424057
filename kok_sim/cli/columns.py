"""Printing lines of texts, column below column."""

from __future__ import annotations

from collections.abc import Sequence


def print_columns(lines: Sequence[Sequence[str]]) -> None:
    """Print lines of texts, column below column."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(map(str.ljust, line, widths)).rstrip().replace("``", ""))
