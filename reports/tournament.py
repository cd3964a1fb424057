"""The tables of a tournament: the standings, and a row and a column for each strategy."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from reports.grids import Grid, Row
from reports.numbers import GAP, decimals, half_width, interval, number
from reports.standings import standings
from reports.statistics import Figures
from simulator.experiments.estimates import Estimate

PERCENT = 100
MOST_COLUMNS = 12  # strategies of which a matrix is still printed
OPEN = "="  # beside a difference that cannot be told from zero


def tournament_grids(shown: Figures) -> list[Grid]:
    """Standings, win shares and margins; matrices only where they can be read."""
    grids = [_standings(shown)]
    if len(shown.labels) <= MOST_COLUMNS:
        grids += [_shares(shown), _margins(shown)]
    return grids


def _standings(shown: Figures) -> Grid:
    columns = ("place", "rating (Elo)", "95 % interval", "win share, %", "mean score", "ahead of next", "better, %")
    if not shown.blocks:
        return Grid("", columns, [Row(label, [GAP] * len(columns)) for label in shown.labels])
    found = standings(shown)
    ratings, shares, scores = ([s[m] for s in shown.strategies] for m in ("elo", "win_share", "mean_score"))
    digits = [decimals(map(half_width, ratings), least=0), _digits(shares, PERCENT), _digits(scores)]
    finest = decimals(map(half_width, found.leads), least=0)
    leads = [f"{number(e.value, finest)} ({interval(e, finest)})" for e in found.leads]
    likelihoods = [number(x, 1, scale=PERCENT) for x in found.superiority]
    rows = []
    for i, lead, likelihood in zip(found.order, [*leads, GAP], [*likelihoods, GAP], strict=True):
        first, last = found.places[i]
        cells = [
            f"{first}." if first == last else f"{first}.–{last}.",
            number(ratings[i].value, digits[0], signed=True),
            interval(ratings[i], digits[0], signed=True),
            number(shares[i].value, digits[1], scale=PERCENT),
            number(scores[i].value, digits[2]),
            lead,
            likelihood,
        ]
        rows.append(Row(shown.labels[i], cells))
    return Grid("", columns, rows)


def _shares(shown: Figures) -> Grid:
    """Win share of the strategy of the row in games with that of the column."""
    digits = _digits(list(shown.met.values()), PERCENT)

    def cell(i: int, j: int) -> str:
        return _with_error(shown.met[i, j], digits, scale=PERCENT)

    return _matrix(shown, "win share, % ± 95 %", "win_share", cell)


def _margins(shown: Figures) -> Grid:
    """Mean score of the strategy of the row minus that of the column, where they meet."""
    leads = {(pair.second, pair.first): pair.difference for pair in shown.by("mean_score")}
    leads |= {(j, i): -lead for (i, j), lead in leads.items()}
    digits = _digits(list(leads.values()))

    def cell(i: int, j: int) -> str:
        return _with_error(leads[i, j], digits, signed=True)

    return _matrix(shown, "lead, points ± 95 %", "mean_score", cell)


def _matrix(shown: Figures, title: str, measure: str, cell: Callable[[int, int], str]) -> Grid:
    """A row and a column for each strategy, in order of rank; with a mark where the two cannot be told apart."""
    order = standings(shown).order if shown.blocks else list(range(len(shown.labels)))
    signs = shown.signs(measure)
    rows = []
    for i in order:
        cells = []
        for j in order:
            told = cell(i, j) if (i, j) in shown.met else GAP
            cells.append(told if signs[i, j] or told == GAP else f"{told} {OPEN}")
        rows.append(Row(shown.labels[i], cells))
    return Grid(title, tuple(shown.labels[j] for j in order), rows)


def _with_error(estimate: Estimate, digits: int, *, scale: float = 1, signed: bool = False) -> str:
    width = half_width(estimate)
    told = number(estimate.value, digits, scale=scale, signed=signed)
    return told if width is None else f"{told} ± {number(width, digits, scale=scale)}"


def _digits(estimates: list[Estimate], scale: float = 1) -> int:
    """Decimals for a typical one: a few that are known far better must not make the others unreadable."""
    widths = [scale * width for width in map(half_width, estimates) if width]
    return decimals([median(widths)] if widths else [])
