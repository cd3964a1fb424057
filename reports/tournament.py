"""The tables of a tournament: the standings, and who won how much against whom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reports.grids import Grid, Row
from reports.numbers import GAP, PERCENT, number, place_told, reach, typical, with_error
from reports.standings import standings
from reports.statistics import Figures
from simulator.experiments.estimates import Estimate

MOST_COLUMNS = 12  # strategies of which a matrix is still printed
MOST_WITH_ERRORS = 5  # strategies of which every entry of a matrix fits into 100 columns with its interval
OPEN = "="  # beside a difference that cannot be told from zero


def tournament_grids(shown: Figures) -> list[Grid]:
    """Standings; win shares and margins of the focus, or as matrices where they can be read."""
    shares, margins = _shares(shown), _margins(shown)
    if shown.plan.focus:
        return [_standings(shown), _against(shown, shares, margins)]
    if len(shown.labels) > MOST_COLUMNS:
        return [_standings(shown)]
    return [_standings(shown), _matrix(shown, shares), _matrix(shown, margins)]


@dataclass(frozen=True)
class _Entries:
    """What a matrix shows: estimates of (i, j), who of the two is better, and how they are written."""

    title: str
    signs: np.ndarray
    estimates: dict[tuple[int, int], Estimate]
    digits: int
    scale: float = 1
    signed: bool = False

    def cell(self, i: int, j: int, *, error: bool = True) -> str:
        """An estimate with its error; with a mark if it cannot be told which of the two is better."""
        if (i, j) not in self.estimates or self.estimates[i, j].value is None:
            return GAP
        told = with_error(self.estimates[i, j], self.digits, scale=self.scale, signed=self.signed, error=error)
        return told if self.signs[i, j] else f"{told} {OPEN}"

    def widest(self) -> list[str]:
        """The largest error, if there is any."""
        widths = [width for width in map(reach, self.estimates.values()) if width is not None]
        return [f"95 %: up to ± {number(max(widths), self.digits, scale=self.scale)}"] if widths else []


def _shares(shown: Figures) -> _Entries:
    """Win share of i in games with j."""
    digits = typical(shown.met.values(), PERCENT)
    return _Entries("win share, %", shown.signs("win_share"), shown.met, digits, scale=PERCENT)


def _margins(shown: Figures) -> _Entries:
    """Mean score of i minus that of j, where they meet."""
    leads = {(pair.second, pair.first): pair.difference for pair in shown.by("mean_score")}
    leads |= {(j, i): -lead for (i, j), lead in leads.items()}
    return _Entries("lead, points", shown.signs("mean_score"), leads, typical(leads.values()), signed=True)


def _standings(shown: Figures) -> Grid:
    columns = ("place", "Elo rating ± 95 %", "win share, %", "mean score", "ahead of next ± 95 %", "better, %")
    if not shown.blocks:
        return Grid("", columns, [Row(label, [GAP] * len(columns)) for label in shown.labels])
    found = standings(shown)
    ratings, shares, scores = ([s[m] for s in shown.strategies] for m in ("elo", "win_share", "mean_score"))
    whole, finer, points = typical(ratings, least=0), typical(shares, PERCENT), typical(scores)
    leads = [with_error(lead, typical(found.leads, least=0)) for lead in found.leads]
    likelihoods = [_likelihood(x) for x in found.superiority]
    rows = []
    for i, lead, likelihood in zip(found.order, [*leads, GAP], [*likelihoods, GAP], strict=True):
        cells = [
            place_told(found.places[i]),
            with_error(ratings[i], whole, signed=True),
            number(shares[i].value, finer, scale=PERCENT),
            number(scores[i].value, points),
            lead,
            likelihood,
        ]
        rows.append(Row(shown.labels[i], cells))
    return Grid("", columns, rows)


def _likelihood(chance: float | None) -> str:
    """In per cent; never 100, which nothing is."""
    return "> 99.9" if chance is not None and chance > 0.999 else number(chance, 1, scale=PERCENT)


def _against(shown: Figures, *entries: _Entries) -> Grid:
    """The first strategy against each other one: a row for each, a column for each kind of entry."""
    title = f"{shown.labels[0]} {'against' if shown.plan.seats == 2 else 'at a table with'}"
    columns = tuple(f"{kind.title} ± 95 %" for kind in entries)
    rows = [Row(shown.labels[j], [kind.cell(0, j) for kind in entries]) for j in _order(shown) if j]
    return Grid(title, columns, rows)


def _matrix(shown: Figures, entries: _Entries) -> Grid:
    """A row and a column for each strategy; every entry with its interval, or a last line with the widest."""
    order = _order(shown)
    error = len(order) <= MOST_WITH_ERRORS
    rows = [Row(shown.labels[i], [entries.cell(i, j, error=error) for j in order]) for i in order]
    if not error:
        rows += [Row(width, [""] * len(order)) for width in entries.widest()]
    title = f"{entries.title} ± 95 %" if error else entries.title
    return Grid(title, tuple(shown.labels[j] for j in order), rows)


def _order(shown: Figures) -> list[int]:
    """Strategies in order of rank."""
    return standings(shown).order if shown.blocks else list(range(len(shown.labels)))
