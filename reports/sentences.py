"""What was found, in words; and what the reader should know about how it was found.

Two strategies are called different only if their difference on the same dice is beyond chance: with p below 0.05, after
Holm's correction for all pairs that are compared. Otherwise the words say that they cannot be told apart.
"""

from __future__ import annotations

from itertools import combinations

from reports import ranking
from reports.numbers import (
    PERCENT,
    count,
    decimals,
    half_width,
    interval,
    listing,
    number,
    ordinal,
    place_told,
    typical,
)
from reports.standings import Standings, standings
from reports.statistics import Figures
from reports.tournament import MOST_COLUMNS, OPEN
from simulator.experiments import sprt
from simulator.experiments.estimates import Estimate
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.stopping import ERROR, LOOK, Sprt, Until

MOST_CYCLES = 5  # that are named one by one


def sentences(figures: Figures) -> list[str]:
    """What the result says, the most important first."""
    if figures.blocks == 0:
        return ["No games were played, so nothing was found."]
    return [*_found(figures), *(_proposal(figures) if figures.proposed else [])]


def _found(figures: Figures) -> list[str]:
    n = len(figures.labels)
    if n == 1:
        return [_one(figures)]
    if figures.same:
        one = "one and the same strategy" + (" on the same sheet" if figures.plan.sheets else "")
        return [f"{listing(list(figures.labels))} are {one}: whatever separates them here is chance alone."]
    if figures.plan.table is not None:
        return _tournament(figures, standings(figures))
    return [_two(figures) if n == 2 else _ranks(figures)]


def notes(result: Result) -> list[str]:
    """Lines about interruption, stopping, rounding, and games that were stopped."""
    plan, tally = result.plan, result.tally
    lines = []
    if result.interrupted:
        games = count(result.games, "game") if plan.stop else f"{result.games:,} of {count(plan.total_games, 'game')}"
        lines.append(f"Interrupted: the figures are of the first {games}.")
    lines += _stopping(result)
    if plan.total_games != plan.games and plan.stop is None:
        lines.append(
            f"{count(plan.games, 'game')} asked for, {plan.total_games:,} planned: every deal of dice is played once "
            f"for each of the {plan.seats} rotations of the seats."
        )
    if plan.independent:
        lines.append(
            "Every game had its own dice. Compare with common dice: docs/methods.md says what these are worth."
        )
    if tally.stopped:
        share = number(tally.stopped / tally.games, 2, scale=PERCENT)
        lines.append(
            f"{count(tally.stopped, 'game')} ({share} %) had not ended after {plan.played.most_rolls:,} rolls; they "
            "were stopped and scored as they stood."
        )
    if tally.blocks == 1:
        lines.append("One deal of dice says nothing about chance: play more games to see intervals.")
    return lines


def _stopping(result: Result) -> list[str]:
    """What became of the stopping rule, and what it does to the intervals."""
    plan, rule = result.plan, result.plan.stop
    if rule is None or result.tally.blocks == 0:
        return []
    looks = f"looked at after every {LOOK} blocks"
    if isinstance(rule, Until):
        what = "mean scores" if plan.solo else "win shares"
        wanted = f"{rule.half_width:g} points" if plan.solo else f"{PERCENT * rule.half_width:g} %"
        reached = "reached" if result.decision else "not reached"
        told = f"95 % intervals of {what} with half-widths of {wanted} or less were {reached}, {looks}."
    else:
        told = _tested(result, rule, looks)
    return [
        told,
        "Intervals after optional stopping are approximate: where to stop depended on the figures themselves.",
    ]


def _tested(result: Result, rule: Sprt, looks: str) -> str:
    first = result.plan.labels[0]
    low, high = (f"{PERCENT * share:g} %" for share in (rule.low, rule.high))
    found, lower, upper = (number(x, 2) for x in (rule.ratio(result.tally), *sprt.bounds(ERROR, ERROR)))
    ratio = f"log likelihood ratio {found}, bounds {lower} and {upper}, {looks}"
    if result.decision is None:
        return f"The sequential test has not decided between win shares of {low} and {high} for {first} ({ratio})."
    taken, other = (high, low) if result.decision == "high" else (low, high)
    return (
        f"The sequential test takes the win share of {first} for {taken} rather than {other} ({ratio}); if one of the "
        f"two is true, it takes it for the other in no more than about {PERCENT * ERROR:g} % of runs."
    )


def ranks(figures: Figures) -> list[tuple[int, int]]:
    """Best and worst rank of each strategy that its differences to the others leave open."""
    return ranking.rank_ranges(figures.signs(_measure(figures)))


def _measure(figures: Figures) -> str:
    """By what strategies are ranked."""
    if figures.plan.table is not None:
        return "elo"
    return "mean_score" if figures.solo else "win_share"


def _tournament(figures: Figures, found: Standings) -> list[str]:
    """Ranking, what cannot be told apart, and what is not transitive."""
    ratings = [figures.strategies[i]["elo"] for i in found.order]
    digits = typical(ratings, least=0)
    ranked = [
        f"{place_told(found.places[i])} {figures.labels[i]} ({number(rating.value, digits, signed=True)})"
        for i, rating in zip(found.order, ratings, strict=True)
    ]
    lines = [f"Ranked by rating after {games_at_tables(figures.plan, figures.games)}: {', '.join(ranked)}."]
    lines += _bounds(figures)
    if figures.plan.focus:
        lines.append(_focus(figures))
    for group in found.groups:
        first, last = (found.order.index(i) + 1 for i in (group[0], group[-1]))
        names = listing([figures.labels[i] for i in group])
        places = f"{ordinal(first)} to {ordinal(last)}"
        lines.append(f"{places} ({names}) cannot be told apart at n = {figures.games:,} games a table.")
    open_pairs = {(pair.first, pair.second) for pair in figures.by("elo") if not pair.verdict}
    if open_pairs - {pair for group in found.groups for pair in combinations(sorted(group), 2)}:
        lines.append("Others whose places overlap cannot be told apart either.")
    for a, b, c in ([figures.labels[i] for i in cycle] for cycle in found.cycles[:MOST_CYCLES]):
        lines.append(f"Not transitive: {a} beats {b}, {b} beats {c}, and {c} beats {a}.")
    if len(found.cycles) > MOST_CYCLES:
        more = count(len(found.cycles) - MOST_CYCLES, "more triple")
        lines.append(f"Not transitive either: {more}, see cycles in the JSON format.")
    pairs, met = len(figures.by("elo")), len(figures.by("win_share"))
    marked = "" if len(figures.labels) > MOST_COLUMNS and not figures.plan.focus else f"; others are marked with {OPEN}"
    lines.append(
        f"A difference counts as found if p < {ERROR:g} after Holm's correction, in each table by itself, for "
        f"{count(pairs, 'pair')}{f' of ratings and {met} who met' if met != pairs else ''}{marked}."
    )
    return lines


def games_at_tables(plan: Plan, games: int) -> str:
    """``1,000 games at each of 6 tables of 2``."""
    tables = len(plan.tables)
    where = "a table" if tables == 1 else f"each of {tables:,} tables"
    return f"{count(games, 'game')} at {where} of {plan.seats}"


def _bounds(figures: Figures) -> list[str]:
    """Ratings that are no more than bounds."""
    lines = []
    for share, word in ((1.0, "won every game"), (0.0, "won no game")):
        names = [n for n, s in zip(figures.labels, figures.strategies, strict=True) if s["win_share"].value == share]
        if names:
            lines.append(f"{listing(names)} {word}: a rating that is only a bound.")
    return lines


def _focus(figures: Figures) -> str:
    """The first strategy against each other one."""
    name, found = figures.labels[0], figures.signs("win_share")[0]
    words = {1: "stronger than", -1: "weaker than", 0: "not to be told apart from"}
    parts = []
    for sign, word in words.items():
        others = [label for label, s in zip(figures.labels[1:], found[1:].tolist(), strict=True) if s == sign]
        if others:
            parts.append(f"{word} {listing(others)}")
    return f"{name} is {'; '.join(parts)}, each where they meet."


def _proposal(figures: Figures) -> list[str]:
    """Where proposed levels begin, and how equal they are for the first strategy."""
    label, bands, wanted = figures.labels[0], figures.bands_shown, figures.plan.levels
    if len(bands) == 1:
        return [f"All games of {label} have the same score: there is nothing to cut into levels."]
    begins = ", ".join(str(band.low) for band in bands[1:])
    shares = [share.value or 0.0 for share in figures.bands[0]]
    least, most, equal = (number(x, 1, scale=PERCENT) for x in (min(shares), max(shares), 1 / len(bands)))
    held = least if least == most else f"{least} to {most}"
    lines = [
        f"The proposed levels above the lowest begin at {begins} points; levels hold {held} % of the games of {label} "
        f"where {equal} % would be equal."
    ]
    if len(bands) < wanted:
        lines.append(f"{label} reached only {len(bands)} different scores: there are as many levels, not {wanted}.")
    return lines


def _one(figures: Figures) -> str:
    mean = figures.strategies[0]["mean_score"]
    digits = decimals([half_width(mean)])
    within = f" (95 % interval {interval(mean, digits)})" if mean.low is not None else ""
    told = f"{figures.labels[0]} scores {number(mean.value, digits)} points a game{within}"
    if not figures.bands or figures.proposed:  # of levels that are equally frequent none is the most frequent
        return f"{told} in {count(figures.games, 'game')}."
    shares = [share.value or 0.0 for share in figures.bands[0]]
    most = max(range(len(shares)), key=shares.__getitem__)
    band = figures.bands_shown[most]
    return (
        f"{told}; its most frequent rating is {band.name!r} ({band.scores} points), in "
        f"{number(shares[most], 1, scale=PERCENT)} % of {count(figures.games, 'game')}."
    )


def _two(figures: Figures) -> str:
    (deciding,), (points,) = figures.by(_measure(figures)), figures.by("mean_score")
    sign = deciding.verdict
    first, second = (1, 0) if sign > 0 else (0, 1)
    lead = points.difference if first == 1 else -points.difference
    if figures.solo:
        return _two_alone(figures, first, second, lead, certain=sign != 0)
    share = figures.strategies[first]["win_share"]
    digits = decimals([PERCENT * (half_width(share) or 0)])
    within = f"95 % interval {interval(share, digits, scale=PERCENT)} %"
    a, b = figures.labels[first], figures.labels[second]
    if not sign:
        return (
            f"{a} and {b} cannot be told apart after {count(figures.games, 'game')}: {a} wins "
            f"{number(share.value, digits, scale=PERCENT)} % of them ({within})."
        )
    return (
        f"{a} wins {number(share.value, digits, scale=PERCENT)} % of games against {b} ({within}): it is stronger"
        f"{_by_points(lead, points.verdict * (1 if first == 1 else -1))}."
    )


def _two_alone(figures: Figures, first: int, second: int, lead: Estimate, *, certain: bool) -> str:
    a, b = figures.labels[first], figures.labels[second]
    digits = decimals([half_width(lead)])
    if certain:
        return (
            f"{a} scores {number(lead.value, digits)} points a game more than {b} on the same dice "
            f"(95 % interval {interval(lead, digits)}): it is stronger."
        )
    within = f" (95 % interval {interval(lead, digits, signed=True)})" if lead.low is not None else ""
    return (
        f"{a} and {b} cannot be told apart after {count(figures.games, 'game')} each: on the same dice {a} scores "
        f"{number(lead.value, digits, signed=True)} points a game compared with {b}{within}."
    )


def _by_points(lead: Estimate, sign: int) -> str:
    digits = decimals([half_width(lead)])
    if sign > 0:
        return f", by {number(lead.value, digits)} points a game ({interval(lead, digits)})"
    if sign < 0:
        less = number((-lead).value, digits)
        return f", although it scores {less} points a game less ({interval(-lead, digits)})"
    return "; their mean scores cannot be told apart"


def _ranks(figures: Figures) -> str:
    measure = _measure(figures)
    scale, unit = (1, "points") if figures.solo else (PERCENT, "%")
    places = ranks(figures)
    values = [s[measure] for s in figures.strategies]
    digits = decimals([scale * w for w in map(half_width, values) if w])
    order = sorted(range(len(values)), key=lambda i: (sum(places[i]), -(values[i].value or 0)))
    written = [f"{number(value.value, digits, scale=scale)} {unit}" for value in values]
    entries = [f"{figures.labels[i]} ({written[i]})" for i in order]
    what = "mean score" if figures.solo else "win share"
    games = count(figures.games, "game") + (" each" if figures.solo else "")
    if all(place == (1, len(places)) for place in places):
        return f"{listing(entries)} cannot be told apart by {what} after {games}."
    shared = any(low != high for low, high in places)
    rest = (
        "those with overlapping ranks cannot be told apart"
        if shared
        else "all differences hold together at 95 % confidence"
    )
    ranked = ", ".join(f"{place_told(places[i])} {entry}" for i, entry in zip(order, entries, strict=True))
    return f"Ranked by {what} after {games}: {ranked}; {rest}."
