"""Measures of a game: what can be said of it besides who wins, for comparing rules and sheets.

A measure is a figure made of sums over blocks. Taken over all of them it is the value that is shown, taken over all but
one section it says how far chance may have moved that value. docs/methods.md explains each.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reports.numbers import PERCENT
from simulator.experiments.estimates import Estimate, sectioned
from simulator.experiments.plan import Plan
from simulator.experiments.sections import CLOSE, Sections, Variable, variables
from simulator.outcomes import WHOLE_SHARE, appearances

LENGTH, SCORES, CLOSENESS, SEATS, SKILL, DRAMA = "length", "scores", "closeness", "seats", "skill and luck", "drama"
PLAY, STRATEGIES = "play", "strategies"


class Sums:
    """Sums over some blocks of a plan."""

    def __init__(self, plan: Plan, values: dict[Variable, int], scores: np.ndarray, low: int) -> None:
        self.plan, self.scores, self.low = plan, scores, low
        self._values = values
        self.blocks, self.games = values["blocks", 0, 0], values["games", 0, 0]
        self.players = self.games * plan.seats

    def __call__(self, name: str, i: int = 0, feat: int = 0) -> int:
        """The sum of a variable, see :func:`simulator.experiments.sections.variables`."""
        return self._values[name, i, feat]

    def of_strategy(self, name: str, i: int, feat: int = 0) -> float:
        """Mean of a variable over the games of a strategy."""
        return self(name, i, feat) / (self.blocks * int(appearances(self.plan.seating)[i]))


Value = Callable[[Sums], float | None]


@dataclass(frozen=True)
class Measure:
    """A measure.

    Parameters
    ----------
    name : str
        As it is typed: ``"start_score_lead"``.
    label : str
        As it stands in a table.
    group : str
        Measures of a group stand together.
    value : callable
        From sums over blocks to the figure, None if they do not tell.
    words : (str, str)
        How it is told that the figure is larger, and smaller, with the amount in place of ``{}``, and the values for
        ``{base}`` and ``{variant}``.
    percent : bool
        Shown in per cent.
    """

    name: str
    label: str
    group: str
    value: Value
    words: tuple[str, str]
    percent: bool = False

    @property
    def scale(self) -> int:
        """By which values are multiplied when they are shown."""
        return PERCENT if self.percent else 1


def _either(text: str, more: str, less: str) -> tuple[str, str]:
    """Two sentences that differ in what stands for the last ``*``."""
    before, _, after = text.rpartition("*")
    return f"{before}{more}{after}", f"{before}{less}{after}"


def _escaped(label: str) -> str:
    """The name of a strategy, which may be that of a file, for a sentence with places for figures."""
    return label.replace("{", "{{").replace("}", "}}")


def _rises(what: str) -> tuple[str, str]:
    """How a change of something in per cent is told."""
    return _either(f"{what} * by {{}} % points", "rises", "falls")


def measures(plan: Plan) -> list[Measure]:
    """All measures of a plan, in order."""
    longer = _either("games are {} rolls *", "longer", "shorter")
    found = [Measure("rolls", "rolls", LENGTH, _mean("rolls"), longer), *_endings(plan), *_scores(), *_parts(plan)]
    if not plan.solo:
        found += _together(plan)
    if len(plan.strategies) > 1:
        found += _variance()
    if not plan.solo:
        found += _drama()
    return [*found, *_counts(plan), *_strategies(plan)]


def _mean(name: str, i: int = 0) -> Value:
    """Mean of a sum over the games."""
    return lambda sums: sums(name, i) / sums.games if sums.games else None


def _endings(plan: Plan) -> list[Measure]:
    return [
        Measure(
            f"ended_{ending.replace(' ', '_')}",
            f"ended by {ending}, %",
            LENGTH,
            _mean("ending", i),
            _rises(f"the share of games ended by {ending}"),
            percent=True,
        )
        for i, ending in enumerate(plan.played.watch.endings)
    ]


def _scores() -> list[Measure]:
    mean = _either("scores are {} points *", "higher", "lower")
    spread = _either("scores spread by {} points * (SD)", "more", "less")
    low = _either("the lowest 5 % of scores end {} points *", "higher", "lower")
    high = _either("the highest 5 % of scores begin {} points *", "higher", "lower")
    return [
        Measure("mean_score", "mean score", SCORES, _mean_score, mean),
        Measure("sd_score", "SD of a score", SCORES, _sd_score, spread),
        Measure("low_5", "lowest 5 % end at", SCORES, _quantile(0.05), low),
        Measure("high_5", "highest 5 % begin at", SCORES, _quantile(0.95), high),
    ]


def _mean_score(sums: Sums) -> float | None:
    return sums("points") / sums.players if sums.players else None


def _variance_of(sums: Sums) -> float:
    """Variance of the scores of all players."""
    return (sums.players * sums("squares") - sums("points") ** 2) / sums.players**2


def _sd_score(sums: Sums) -> float | None:
    return math.sqrt(_variance_of(sums)) if sums.players else None


def _quantile(share: float) -> Value:
    """The score below which this share of all scores lie, each spread evenly over half a point to both sides."""

    def value(sums: Sums) -> float | None:
        reached = np.cumsum(sums.scores)
        if not sums.players:
            return None
        wanted = share * int(reached[-1])
        place = int(np.searchsorted(reached, wanted))
        below = int(reached[place - 1]) if place else 0
        return sums.low + place - 0.5 + (wanted - below) / int(sums.scores[place])

    return value


def _parts(plan: Plan) -> list[Measure]:
    def mean(i: int) -> Value:
        return lambda sums: sums("part", i) / sums.players if sums.players else None

    found = []
    for i, part in enumerate(plan.played.parts):
        words = _either(f"points from {part} * by {{}}", "rise", "fall")
        found.append(Measure(f"from_{part}", f"from {part}", SCORES, mean(i), words))
    return found


def _together(plan: Plan) -> list[Measure]:
    """How close games of several players are, and what the seat is worth."""
    seats = plan.seats
    ahead = _either("winners are ahead of the second by {} points *", "more", "less")
    close = _rises(f"the share of games decided by {CLOSE} points or less")
    edge = _either("the starting player's edge * by {} points, from {base} to {variant}", "rises", "falls")
    starts = _rises("the starting player's win share")

    def lead(sums: Sums) -> float | None:
        return sums("start_lead") / (sums.games * (seats - 1)) if sums.games else None

    def share(sums: Sums) -> float | None:
        return sums("start_share") / (WHOLE_SHARE * sums.games) - 1 / seats if sums.games else None

    return [
        Measure("margin", "winner's lead over the second", CLOSENESS, _mean("margin"), ahead),
        Measure("close", f"decided by {CLOSE} points or less, %", CLOSENESS, _mean("close"), close, percent=True),
        Measure("ties", "ties, %", CLOSENESS, _mean("ties"), _rises("the share of ties"), percent=True),
        Measure("start_score_lead", "starting player's lead over the others", SEATS, lead, edge),
        Measure("start_win_lead", "starting player's win share above equal, %", SEATS, share, starts, percent=True),
    ]


def _drama() -> list[Measure]:
    """How the lead changes in the course of a game."""
    often = _either("the lead changes {} times *", "more often", "less often")
    late = _either("winners are behind for the last time {} % of the rolls *", "later", "earlier")

    def led(sums: Sums) -> float | None:
        return sums("led_from") / sums("rolls") if sums("rolls") else None

    return [
        Measure("lead_changes", "lead changes", DRAMA, _mean("lead_changes"), often),
        Measure("led_from", "winner last behind, % of the rolls", DRAMA, led, late, percent=True),
    ]


def _variance() -> list[Measure]:
    """What part of the variance of the scores goes with the dice, and what part with the strategy."""
    found = []
    for name, what, value in (("dice", "the dice", _dice_variance), ("strategy", "the strategy", _strategy_variance)):
        words = _rises(f"the part of the variance of scores that goes with {what}")
        label = f"score variance from {what}, %"
        found.append(Measure(f"{name}_variance", label, SKILL, value, words, percent=True))
    return found


def _dice_variance(sums: Sums) -> float | None:
    """Variance of the mean scores of deals, as a part of the variance of all scores."""
    if not sums.blocks or not _variance_of(sums):
        return None
    played = sums.players // sums.blocks
    mean = sums("points") / sums.players
    return (sums("block_squares") / (sums.blocks * played**2) - mean**2) / _variance_of(sums)


def _strategy_variance(sums: Sums) -> float | None:
    """Variance of the mean scores of strategies, as a part of the variance of all scores."""
    if not sums.blocks or not _variance_of(sums):
        return None
    means = [sums.of_strategy("score", i) for i in range(len(sums.plan.strategies))]
    return float(np.var(means)) / _variance_of(sums)


def _counts(plan: Plan) -> list[Measure]:
    def value(i: int, per_roll: bool) -> Value:
        def ratio(sums: Sums) -> float | None:
            whole = sums("rolls") if per_roll else sums.players
            return sums("count", i) / whole if whole else None

        return ratio

    return [
        Measure(
            count.name,
            f"{count.label}, % of the rolls" if count.per_roll else count.label,
            PLAY,
            value(i, count.per_roll),
            (count.more, count.less),
            percent=count.per_roll,
        )
        for i, count in enumerate(plan.played.watch.counts)
        if not (plan.solo and count.together)
    ]


def _strategies(plan: Plan) -> list[Measure]:
    if len(plan.strategies) == 1:
        return []
    found = []
    for i, label in enumerate(plan.labels):
        if not plan.solo:
            words = _either(f"{_escaped(label)} wins {{}} % points *", "more", "less")
            title = f"win share of {label}, %"
            found.append(Measure(f"win {label}", title, STRATEGIES, _win_share(i), words, percent=True))
        words = _either(f"{_escaped(label)} scores {{}} points *", "more", "less")
        found.append(Measure(f"score {label}", f"mean score of {label}", STRATEGIES, _strategy_score(i), words))
    return found


def _win_share(i: int) -> Value:
    return lambda sums: sums.of_strategy("share", i) / WHOLE_SHARE if sums.blocks else None


def _strategy_score(i: int) -> Value:
    return lambda sums: sums.of_strategy("score", i) if sums.blocks else None


def skill(duel: Plan) -> Measure:
    """Of a match of a strong strategy and a plain one: the win share of the first."""
    one, other = duel.labels
    words = _either(f"{_escaped(one)} wins {{}} % points * against {_escaped(other)}", "more", "less")
    return Measure("skill", f"win share of {one} against {other}, %", SKILL, _win_share(0), words, percent=True)


def feat_share(feat: int) -> Value:
    """Part of the players who do a feat."""

    def value(sums: Sums) -> float | None:
        done = sum(sums("done", i, feat) for i in range(len(sums.plan.strategies)))
        return done / sums.players if sums.players else None

    return value


def first_share(feat: int, i: int) -> Value:
    """Part of the games of a strategy in which it is the first to do a feat."""
    return lambda sums: sums.of_strategy("first", i, feat) if sums.blocks else None


class Measured:
    """The sums of a plan: over all blocks, and over all but those of each section.

    What a section says of a figure is told from what the figure is without it (jackknife: Busing, Meijer & van der
    Leeden 1999). Of a mean that is the mean of the section; of a standard deviation it is better than that of the
    section, which is 0 of a single score.
    """

    def __init__(self, plan: Plan, sections: Sections) -> None:
        self.plan = plan
        names = variables(plan)
        totals, scores = sections.sums.sum(axis=0), sections.scores.sum(axis=0)
        sums = [*(totals - sections.sums).tolist(), totals.tolist()]
        *self._rests, self.whole = (
            Sums(plan, dict(zip(names, values, strict=True)), counts, sections.low)
            for values, counts in zip(sums, [*(scores - sections.scores), scores], strict=True)
        )
        self.blocks = [self.whole.blocks - rest.blocks for rest in self._rests]
        """Blocks of each section."""

    def estimate(self, value: Value) -> Estimate:
        """A figure with its interval."""
        return sectioned(value(self.whole), self._parts(value), self.blocks)

    def minus(self, base: Measured, value: Value, signs: tuple[int, int] = (1, 1)) -> Estimate:
        """How much larger a figure is than in another plan on the same dice, with a paired interval.

        With ``signs`` both figures are multiplied by these first.
        """
        a, b = signs
        mine, theirs = ([value(m.whole), *m._parts(value)] for m in (self, base))
        whole, *parts = (_difference(_times(a, x), _times(b, y)) for x, y in zip(mine, theirs, strict=True))
        return sectioned(whole, parts, self.blocks)

    def _parts(self, value: Value) -> list[float | None]:
        """What each section says of a figure."""
        whole, all_blocks = value(self.whole), self.whole.blocks
        parts: list[float | None] = []
        for rest, blocks in zip(self._rests, self.blocks, strict=True):
            without = value(rest) if 0 < blocks < all_blocks else None
            left = _difference(whole, without)
            parts.append(None if whole is None or left is None else whole + (all_blocks - blocks) / blocks * left)
        return parts


def _times(sign: int, x: float | None) -> float | None:
    return None if x is None else sign * x


def _difference(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a - b
