"""What house rules change, measure by measure: the figures of two rule sets on the same dice, and their difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports import ranking
from reports.measures import DRAMA, SKILL, Measure, Measured, Value, feat_share, first_share, measures, skill
from reports.numbers import decimals, half_width, number
from reports.statistics import FEWEST_BLOCKS, SIGNIFICANT
from simulator.experiments.estimates import Estimate
from simulator.experiments.study import Study


@dataclass(frozen=True)
class Change:
    """A measure under two rule sets.

    Parameters
    ----------
    measure : Measure
    base, variant : Estimate
        Its value under either, each with its own interval.
    difference : Estimate
        The second minus the first, with a paired interval: both played the same dice.
    p_value : float
        Of no difference, adjusted for all measures (Holm).
    verdict : int
        +1 or -1 if the difference is above or below zero beyond chance, 0 if that cannot be told.
    """

    measure: Measure
    base: Estimate
    variant: Estimate
    difference: Estimate
    p_value: float
    verdict: int

    @property
    def scale(self) -> int:
        """By which values are multiplied when they are shown."""
        return self.measure.scale

    @property
    def digits(self) -> int:
        """Decimals that values and difference deserve."""
        widths = [half_width(estimate) for estimate in (self.difference, self.base, self.variant)]
        return decimals([self.scale * next(filter(None, widths), 0.0)])

    @property
    def told(self) -> str:
        """The change in words: ``"games are 6.2 ± 0.1 rolls shorter"``."""
        words = self.measure.words[self.verdict < 0]
        size = number(abs(self.difference.value or 0.0), self.digits, scale=self.scale)
        width = half_width(self.difference)
        amount = f"{size} ± {number(width, self.digits, scale=self.scale)}" if width else size
        base, variant = (number(e.value, self.digits, scale=self.scale) for e in (self.base, self.variant))
        return words.format(amount, base=base, variant=variant)


@dataclass(frozen=True)
class Feat:
    """A feat (a column, a color, a row) under two rule sets.

    Parameters
    ----------
    name : str
    done : Change
        Part of the players who do it.
    first : tuple of (Estimate, Estimate)
        For each strategy the part of its games in which it was the first to do it, under either rule set.
    """

    name: str
    done: Change
    first: tuple[tuple[Estimate, Estimate], ...]


def changes(study: Study, duel: Study | None) -> list[Change]:
    """All measures of two plans, the base and the variant; of a duel under both the win share of its first strategy."""
    base, variant = measured(study)
    pairs = [(measure, base, variant) for measure in measures(study.plans[0])]
    if duel is not None:
        place = next(i for i, (measure, *_) in enumerate(pairs) if measure.group in (SKILL, DRAMA))
        before, after = measured(duel)
        pairs.insert(place, (skill(duel.plans[0]), before, after))
    return _judged(pairs)


def feats(study: Study) -> list[Feat]:
    """All feats under the rules of two plans."""
    base, variant = measured(study)
    watch, strategies = study.plans[0].played.watch, range(len(study.plans[0].strategies))
    shares = [
        (Measure(name, name, "", feat_share(i), ("", ""), percent=True), base, variant)
        for i, name in enumerate(watch.feats)
    ]

    def first(feat: int, i: int) -> tuple[Estimate, Estimate]:
        value: Value = first_share(feat, i)
        return base.estimate(value), variant.estimate(value)

    return [
        Feat(change.measure.name, change, tuple(first(feat, i) for i in strategies))
        for feat, change in enumerate(_judged(shares))
    ]


def measured(study: Study) -> list[Measured]:
    """The sums of each plan of a study."""
    return [Measured(plan, sections) for plan, sections in zip(study.plans, study.sections, strict=True)]


def _judged(pairs: Sequence[tuple[Measure, Measured, Measured]]) -> list[Change]:
    """Changes with p values adjusted for there being so many, and verdicts."""
    differences = [variant.minus(base, measure.value) for measure, base, variant in pairs]
    chances = [chance(difference, base) for difference, (_, base, _) in zip(differences, pairs, strict=True)]
    found = []
    for (measure, base, variant), difference, p in zip(pairs, differences, ranking.holm(chances).tolist(), strict=True):
        sure = base.whole.blocks >= FEWEST_BLOCKS and p < SIGNIFICANT
        value = difference.value or 0.0
        verdict = (value > 0) - (value < 0) if sure else 0
        estimates = base.estimate(measure.value), variant.estimate(measure.value)
        found.append(Change(measure, *estimates, difference, p, verdict))
    return found


def chance(difference: Estimate, base: Measured) -> float:
    """Two-sided p value of no difference, by Student's t over the sections; 1 if nothing is known.

    If all sections differ alike, it is that of the sign test.
    """
    if not difference.value or difference.se is None:
        return 1.0
    sections = sum(blocks > 0 for blocks in base.blocks)
    if difference.se == 0:
        return 2.0 ** (1 - sections)
    return ranking.p_value(difference.value, difference.se, sections - 1)
