"""What a report shows and in which order, as text: the same for the terminal and for markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reports.grids import Grid, Row
from reports.numbers import GAP, PERCENT, count, decimals, half_width, interval, number
from reports.sentences import games_at_tables, notes, sentences
from reports.statistics import Figures, figures
from reports.tournament import tournament_grids
from simulator.experiments.estimates import Estimate
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result

RATINGS = "share of games by {} rating, % (95 % interval)"
MOST_WITH_INTERVALS = 5  # strategies for which an interval fits one cell of a line of 100 columns


@dataclass(frozen=True)
class Layout:
    """A report in text.

    Parameters
    ----------
    header : str
        What was played.
    grids : list of Grid
    footer : list of str
        Figures of the games as a whole, and how fast they were played.
    sentences : list of str
        What was found.
    notes : list of str
    """

    header: str
    grids: list[Grid]
    footer: list[str]
    sentences: list[str]
    notes: list[str]


def layout(result: Result, version: str) -> Layout:
    """Lay out a result."""
    shown = figures(result)
    return Layout(
        header(result, version),
        _one_table(result, shown) if result.plan.table is None else tournament_grids(shown),
        _footer(result, shown),
        sentences(shown),
        [*notes(result), *result.notes],
    )


def _one_table(result: Result, shown: Figures) -> list[Grid]:
    """All strategies at one table, or alone: a column for each."""
    rows = [] if shown.solo else _wins(shown)
    rows += [*_scores(shown), *_parts(shown, result.parts), *_leads(shown)]
    names = [sheet.name for sheet in result.plan.sheets]
    if len(set(names)) > 1:
        rows.append(Row("sheet", names))
    grids = [Grid("", shown.labels, rows)]
    if shown.bands:
        grids.append(Grid(_ratings_title(shown), shown.labels, _ratings(shown)))
    return grids


def header(result: Result, version: str) -> str:
    """One line: games, sheets, rules, seed, version."""
    plan = result.plan
    if plan.table is not None:
        games = games_at_tables(plan, result.games)
    else:
        games = count(result.games, "solo game" if plan.solo else "game")
    if plan.solo and len(plan.strategies) > 1:
        games += " each"
    if not plan.solo:
        games += f" in {count(result.tally.blocks, 'block')}"
    dice = ["independent dice"] if plan.independent else []
    return " · ".join([games, *dice, sheets_told(plan), plan.rules.told(), f"seed {plan.seed}", f"kok-sim {version}"])


def sheets_told(plan: Plan) -> str:
    """The sheets; of a game with only one its name."""
    names = list(dict.fromkeys(sheet.name for sheet in plan.sheets))
    if not names:
        return plan.played.title
    return f"sheet {names[0]}" if len(names) == 1 else f"sheets {', '.join(names)}"


def _wins(shown: Figures) -> list[Row]:
    shares = [s["win_share"] for s in shown.strategies]
    digits = decimals([PERCENT * w for w in map(half_width, shares) if w])
    return [
        _row("win share, %", shares, lambda e: number(e.value, digits, scale=PERCENT)),
        *_interval(shares, digits, scale=PERCENT),
        _plain("won alone, %", shown, "outright", digits, scale=PERCENT),
        _plain("shared (tie), %", shown, "shared", digits, scale=PERCENT),
    ]


def _scores(shown: Figures) -> list[Row]:
    means = [s["mean_score"] for s in shown.strategies]
    digits = decimals([e.se for e in means])
    return [
        _row("mean score ± SE", means, lambda e: f"{number(e.value, digits)} ± {number(e.se, digits + 1)}"),
        _plain("SD of a game", shown, "sd_score", 1),
        Row("5 %, median, 95 %", [", ".join(_quantiles(s)) for s in shown.strategies], detail=True),
    ]


def _quantiles(measures: Mapping[str, Estimate]) -> list[str]:
    return [number(measures[name].value, 0) for name in ("p05", "median", "p95")]


def _leads(shown: Figures) -> list[Row]:
    """Paired differences to the first strategy."""
    if len(shown.labels) == 1:
        return []
    leads = [s.get("difference", Estimate(None)) for s in shown.strategies]
    digits = decimals(map(half_width, leads))
    return [
        _row("lead over first", leads, lambda e: number(e.value, digits, signed=True)),
        *_interval(leads, digits, signed=True),
    ]


def _parts(shown: Figures, parts: tuple[str, ...]) -> list[Row]:
    """Mean points by origin; what no strategy ever gained or lost is left out."""
    played = [part for part in parts if any(s[f"part {part}"].value for s in shown.strategies)]
    return [_plain(f"from {part}", shown, f"part {part}", 2) for part in played]


def _ratings_title(shown: Figures) -> str:
    if shown.proposed:
        return f"{RATINGS.format('proposed')}: equally often for {shown.labels[0]}"
    return RATINGS.format("official")


def _ratings(shown: Figures) -> list[Row]:
    widths = [PERCENT * w for bands in shown.bands for w in map(half_width, bands) if w]
    digits = decimals([max(widths)]) if widths else 1

    def cell(share: Estimate) -> str:
        return f"{number(share.value, digits, scale=PERCENT)} ({interval(share, digits, scale=PERCENT)})"

    return [
        Row(f"{band.scores}: {band.name}{_stars(band.stars)}", [cell(shares[i]) for shares in shown.bands])
        for i, band in enumerate(shown.bands_shown)
    ]


def _stars(stars: str) -> str:
    if not stars:
        return ""
    return f", {stars}" if stars == "bolt" else f", {stars} of 4 stars"


def _footer(result: Result, shown: Figures) -> list[str]:
    rolls, table = shown.table["rolls"], shown.table
    digits = decimals([rolls.se])
    error = "" if rolls.se is None else f" ± {number(rolls.se, digits + 1)} (SD {number(table['sd_rolls'].value, 1)})"
    parts = [f"rolls per game {number(rolls.value, digits)}{error}"]
    if not shown.solo:
        parts.append(f"ties {number(table['ties'].value, 2, scale=PERCENT)} %")
    if table.get("stopped", Estimate(0)).value:
        parts.append(f"stopped {number(table['stopped'].value, 2, scale=PERCENT)} %")
    speed = f"{number(result.rate, 0)} games/s on {result.players}"
    lines = [" · ".join([*parts, speed])]
    if not shown.solo:
        lines.append(_start(table["start_win_lead"], table["start_score_lead"]))
    return lines


def _start(share: Estimate, lead: Estimate) -> str:
    d, e = decimals([PERCENT * (half_width(share) or 0)]), decimals([half_width(lead)])
    bounds = "" if lead.low is None else f" ({interval(lead, e, signed=True)})"
    return (
        f"starting seat: win share {number(share.value, d, scale=PERCENT, signed=True)} % points "
        f"({interval(share, d, scale=PERCENT, signed=True)}), score {number(lead.value, e, signed=True)} points{bounds}"
    )


def _row(label: str, estimates: list[Estimate], cell: Callable[[Estimate], str], *, detail: bool = False) -> Row:
    return Row(label, [GAP if e.value is None else cell(e) for e in estimates], detail)


def _interval(estimates: list[Estimate], digits: int, *, scale: float = 1, signed: bool = False) -> list[Row]:
    """The bounds in one row, or in two where one would be too wide."""
    if len(estimates) <= MOST_WITH_INTERVALS:
        return [
            _row("95 % interval", estimates, lambda e: interval(e, digits, scale=scale, signed=signed), detail=True)
        ]
    return [
        _row("95 % from", estimates, lambda e: number(e.low, digits, scale=scale, signed=signed), detail=True),
        _row("95 % to", estimates, lambda e: number(e.high, digits, scale=scale, signed=signed), detail=True),
    ]


def _plain(label: str, shown: Figures, measure: str, digits: int, *, scale: float = 1) -> Row:
    return Row(label, [number(s[measure].value, digits, scale=scale) for s in shown.strategies], detail=True)
