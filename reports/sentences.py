"""What was found, in words; and what the reader should know about how it was found.

Two strategies are called different only if the interval of their difference on the same dice excludes zero; with more
than two, an interval that holds for all pairs at once. Otherwise the words say that they cannot be told apart.
"""

from __future__ import annotations

from reports.numbers import count, decimals, half_width, interval, listing, number
from reports.statistics import Estimate, Figures, Pair
from simulator.experiments.result import Result
from simulator.keer_op_keer.ratings import BANDS
from simulator.keer_op_keer.rules import MAX_ROLLS

PERCENT = 100
FEWEST_BLOCKS = 5  # with fewer no difference is called one


def sentence(figures: Figures) -> str:
    """One sentence (or two) with what the result says."""
    n = len(figures.labels)
    if figures.blocks == 0:
        return "No games were played, so nothing was found."
    if n == 1:
        return _one(figures)
    if figures.same:
        return (
            f"{listing(list(figures.labels))} are one and the same strategy on the same sheet: "
            "whatever separates them here is chance alone."
        )
    return _two(figures) if n == 2 else _ranks(figures)


def notes(result: Result) -> list[str]:
    """Lines about interruption, rounding, and games that were stopped."""
    plan, tally = result.plan, result.tally
    lines = []
    if result.interrupted:
        planned = count(plan.total_games, "game")
        lines.append(f"Interrupted: the figures are of the first {result.games:,} of {planned}.")
    if plan.total_games != plan.games:
        lines.append(
            f"{count(plan.games, 'game')} asked for, {plan.total_games:,} planned: every deal of dice is played once "
            f"for each of the {plan.seats} rotations of the seats."
        )
    if tally.stopped:
        share = number(tally.stopped / tally.games, 2, scale=PERCENT)
        lines.append(
            f"{count(tally.stopped, 'game')} ({share} %) had not ended after {MAX_ROLLS:,} rolls; they were stopped "
            "and scored as they stood."
        )
    if tally.blocks == 1:
        lines.append("One deal of dice says nothing about chance: play more games to see intervals.")
    return lines


def ranks(figures: Figures) -> list[tuple[int, int]]:
    """Best and worst rank of each strategy that its differences to the others leave open."""
    better = [0] * len(figures.labels)
    worse = [0] * len(figures.labels)
    for pair in _deciding(figures):
        sign = verdict(pair.strict, figures.blocks)
        if sign:
            winner, loser = (pair.second, pair.first) if sign > 0 else (pair.first, pair.second)
            worse[winner] += 1
            better[loser] += 1
    return [(1 + above, len(better) - below) for above, below in zip(better, worse, strict=True)]


def verdict(difference: Estimate, blocks: int) -> int:
    """+1 or -1 if a difference is above or below zero beyond chance, 0 if that cannot be told."""
    if blocks < FEWEST_BLOCKS or difference.low is None or difference.high is None:
        return 0
    return int(difference.low > 0) - int(difference.high < 0)


def _deciding(figures: Figures) -> list[Pair]:
    """The pairs by whose difference strategies are ranked: win shares, in solo mean scores."""
    measure = "mean_score" if figures.solo else "win_share"
    return [pair for pair in figures.pairs if pair.measure == measure]


def _one(figures: Figures) -> str:
    mean = figures.strategies[0]["mean_score"]
    digits = decimals([half_width(mean)])
    shares = [band.value or 0.0 for band in figures.bands[0]]
    band = max(range(len(shares)), key=shares.__getitem__)
    within = f" (95 % interval {interval(mean, digits)})" if mean.low is not None else ""
    return (
        f"{figures.labels[0]} scores {number(mean.value, digits)} points a game{within}; its most frequent rating is "
        f"{BANDS[band].name!r} ({BANDS[band].scores} points), in {number(shares[band], 1, scale=PERCENT)} % of "
        f"{count(figures.games, 'game')}."
    )


def _two(figures: Figures) -> str:
    deciding = _deciding(figures)[0]
    points = next(pair for pair in figures.pairs if pair.measure == "mean_score").difference
    sign = verdict(deciding.difference, figures.blocks)
    first, second = (1, 0) if sign > 0 else (0, 1)
    lead = points if first == 1 else -points
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
        f"{_by_points(lead, figures.blocks)}."
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


def _by_points(lead: Estimate, blocks: int) -> str:
    digits = decimals([half_width(lead)])
    sign = verdict(lead, blocks)
    if sign > 0:
        return f", by {number(lead.value, digits)} points a game ({interval(lead, digits)})"
    if sign < 0:
        less = number((-lead).value, digits)
        return f", although it scores {less} points a game less ({interval(-lead, digits)})"
    return "; their mean scores cannot be told apart"


def _ranks(figures: Figures) -> str:
    measure, scale, unit = ("mean_score", 1, "points") if figures.solo else ("win_share", PERCENT, "%")
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
    ranked = ", ".join(f"{_place(places[i])} {entry}" for i, entry in zip(order, entries, strict=True))
    return f"Ranked by {what} after {games}: {ranked}; {rest}."


def _place(place: tuple[int, int]) -> str:
    low, high = place
    return f"{low}." if low == high else f"{low}.–{high}."
