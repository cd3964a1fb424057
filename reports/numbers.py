"""How figures are written: as many decimals as their uncertainty deserves."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median

from simulator.experiments.estimates import Estimate

GAP = "–"
PERCENT = 100
MOST_DECIMALS = 3


def decimals(widths: Iterable[float | None], *, least: int = 1) -> int:
    """Decimals that show the first digit of the smallest of some uncertainties: ``least`` to 3."""
    known = [w for w in widths if w]
    return min(max(math.ceil(-math.log10(min(known))), least), MOST_DECIMALS) if known else least


def typical(estimates: Iterable[Estimate], scale: float = 1, *, least: int = 1) -> int:
    """Decimals for a typical one of several: a few that are known far better must not make the others unreadable."""
    widths = [scale * width for width in map(half_width, estimates) if width]
    return decimals([median(widths)] if widths else [], least=least)


def reach(estimate: Estimate) -> float | None:
    """What ``±`` shows: how far the interval reaches, on its longer side."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    return max(estimate.value - estimate.low, estimate.high - estimate.value)


def half_width(estimate: Estimate) -> float | None:
    """Half the width of the interval, if there is one."""
    return None if estimate.low is None or estimate.high is None else (estimate.high - estimate.low) / 2


def number(x: float | None, digits: int, *, scale: float = 1, signed: bool = False) -> str:
    """``12.3``, ``+12.3`` if signed, never ``-0.0``; a dash for what is not known."""
    if x is None:
        return GAP
    x = round(scale * x, digits) + 0.0
    return f"{x:+,.{digits}f}" if signed and x else f"{x:,.{digits}f}"


def with_error(estimate: Estimate, digits: int, *, scale: float = 1, signed: bool = False, error: bool = True) -> str:
    """A value and how far its interval reaches."""
    width = reach(estimate)
    told = number(estimate.value, digits, scale=scale, signed=signed)
    return told if width is None or not error else f"{told} ± {number(width, digits, scale=scale)}"


def interval(estimate: Estimate, digits: int, *, scale: float = 1, signed: bool = False) -> str:
    """``12.1 to 12.5``."""
    if estimate.low is None or estimate.high is None:
        return GAP
    return f"{number(estimate.low, digits, scale=scale, signed=signed)} to " + number(
        estimate.high, digits, scale=scale, signed=signed
    )


def count(n: int, noun: str) -> str:
    """``1 game``, ``1,000 games``."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def listing(items: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def ordinal(n: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th``, ``11th``."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def place_told(place: tuple[int, int]) -> str:
    """A place in a ranking, or the places that chance leaves open: ``2.``, ``2.–3.``."""
    low, high = place
    return f"{low}." if low == high else f"{low}.–{high}."
