"""What house rules do to a game, as a report: tables by topic, plain sentences, JSON, plots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from reports.changes import Change, Feat, changes, feats
from reports.document import bounds, study_document
from reports.grids import Grid, Row
from reports.layout import Layout, sheets_told
from reports.numbers import PERCENT, count, interval, listing, number
from reports.report import Report
from reports.statistics import FEWEST_BLOCKS, rounded
from reports.studies import ADAPT, speed_told, study_notes
from simulator.experiments.estimates import Estimate
from simulator.experiments.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure


FEW_BLOCKS = 200  # with fewer the intervals of quantiles are too narrow


@dataclass(frozen=True)
class Variant:
    """Two rule sets, played by the same strategies on the same dice.

    Parameters
    ----------
    names : (str, str)
        Of the base, and of the variant.
    study : Study
        Two plans that differ in their rules: the base, and the variant.
    duel : Study, optional
        The match of the game's duel under both.
    """

    names: tuple[str, str]
    study: Study
    duel: Study | None = None

    @cached_property
    def changes(self) -> list[Change]:
        """All measures."""
        return changes(self.study, self.duel)

    @cached_property
    def feats(self) -> list[Feat]:
        """All feats."""
        return feats(self.study)

    @property
    def _studies(self) -> list[Study]:
        return [self.study, *([self.duel] if self.duel else [])]

    @property
    def interrupted(self) -> bool:
        """Whether it ended before all games were played."""
        return any(study.interrupted for study in self._studies)

    @property
    def sentences(self) -> list[str]:
        """What changed, in words, topic by topic; and what did not."""
        if not self.study.blocks:
            return ["No games were played, so nothing was found."]
        if self.study.blocks < FEWEST_BLOCKS:
            return ["Too few deals of dice to tell what changes: play more games."]
        if all(change.difference.value == change.difference.se == 0 for change in self.changes):
            return ["Nothing changed in any game: on these dice both rule sets come to the same."]
        found = [change for change in self.changes if change.verdict]
        lines = [
            f"{_capital(group)}: {'; '.join(change.told for change in several)}."
            for group, several in groupby(found, key=lambda change: change.measure.group)
        ]
        same = [change for change in self.changes if not change.verdict and not _is_nothing(change)]
        if same:
            labels = [change.measure.label.split(", %")[0] for change in same]
            lines.append(f"No difference beyond chance: {', '.join(labels)}.")
        return lines + self._feats_told()

    def _feats_told(self) -> list[str]:
        done = self.study.plans[0].played.watch.done
        parts = []
        for sign, word in ((1, "more"), (-1, "less")):
            names = [feat.name for feat in self.feats if feat.done.verdict == sign]
            told = f"all {len(names)}" if len(names) == len(self.feats) > 1 else listing(names or [""])
            parts += [f"{word} often {done}: {told}"] if names else []
        return [f"{_capital('; '.join(parts))}."] if parts else []

    @property
    def notes(self) -> list[str]:
        """What the reader should know."""
        plan, lines = self.study.plans[0], study_notes(self._studies)
        if 1 < self.study.blocks < FEW_BLOCKS:
            lines.append(f"Fewer than {FEW_BLOCKS} deals: intervals of the lowest and highest 5 % are too narrow.")
        if len(self.changes) > 1:
            lines.append(
                f"A difference counts as found if p < 0.05 after Holm's correction for {len(self.changes)} measures "
                f"(and for the {len(self.feats)} that are {plan.played.watch.done} by themselves)."
            )
        return [*lines, ADAPT]

    def report(self, version: str) -> Report:
        """All forms of it."""
        return Report(
            lambda: self._layout(version),
            lambda files: self._document(version, files),
            self._rows,
            lambda: self._plots(version),
        )

    def _layout(self, version: str) -> Layout:
        columns = (*self.names, "difference", "95 % interval")
        rows = []
        for group, several in groupby(self.changes, key=lambda change: change.measure.group):
            rows += [Row(group, [""] * len(columns)), *map(_row, several)]
        grids = [Grid("", columns, rows), self._feat_grid()]
        return Layout(self.header(version), grids, [speed_told(self._studies)], self.sentences, self.notes)

    def header(self, version: str) -> str:
        """One line: what was played."""
        plan, study = self.study.plans[0], self.study
        games = count(study.blocks * plan.seats, "solo game" if plan.solo else "game")
        played = f"{games} of each rule set on the same dice"
        rules = [f"{name}: {p.rules.told()}" for name, p in zip(self.names, study.plans, strict=True)]
        parts = [played, ", ".join(plan.labels), sheets_told(plan), *rules, f"seed {plan.seed}", f"kok-sim {version}"]
        return " · ".join(parts)

    def _feat_grid(self) -> Grid:
        """Who fills what, and who is first."""
        plan = self.study.plans[0]
        columns = [*self.names, "difference", "95 % interval"]
        with_first = len(plan.labels) > 1 and not plan.solo
        columns += [f"first: {label}" for label in plan.labels] if with_first else []
        rows = []
        for feat in self.feats:
            cells = list(_row(feat.done).cells)
            if with_first:
                cells += [f"{_percent(base)} → {_percent(variant)}" for base, variant in feat.first]
            rows.append(Row(feat.name, cells))
        return Grid(f"{plan.played.watch.done} by a player, %", tuple(columns), rows)

    def _rows(self) -> list[tuple[str, str, Estimate]]:
        subjects = (*self.names, f"{self.names[1]} minus {self.names[0]}")
        done = self.study.plans[0].played.watch.done
        rows = []
        for change, name in [
            *((change, change.measure.name) for change in self.changes),
            *((feat.done, f"{done} {feat.name}") for feat in self.feats),
        ]:
            estimates = (change.base, change.variant, change.difference)
            rows += [(subject, name, estimate) for subject, estimate in zip(subjects, estimates, strict=True)]
        for i, label in enumerate(self.study.plans[0].labels):
            for feat in self.feats:
                rows += [
                    (name, f"first {feat.name} {label}", e) for name, e in zip(self.names, feat.first[i], strict=True)
                ]
        return rows

    def _document(self, version: str, files: list[str] | None) -> dict[str, Any]:
        plan, labels = self.study.plans[0], self.study.plans[0].labels
        experiment = {
            "names": list(self.names),
            "base": plan.describe(),
            "variant": self.study.plans[1].describe(),
            "duel": list(self.duel.plans[0].labels) if self.duel else None,
        }
        done = {
            feat.name: {
                **_plain(feat.done),
                "first": {
                    label: {"base": rounded(base.value), "variant": rounded(variant.value)}
                    for label, (base, variant) in zip(labels, feat.first, strict=True)
                },
            }
            for feat in self.feats
        }
        found = {
            "blocks": self.study.blocks,
            "games": self.study.blocks * plan.seats,
            "interrupted": self.interrupted,
            "sentences": self.sentences,
            "notes": self.notes,
            "measures": {change.measure.name: _plain(change) for change in self.changes},
            "feats_are": plan.played.watch.done,
            "feats": done,
        }
        return study_document("variant", version, experiment, found, self._studies, files)

    def _plots(self, version: str) -> dict[str, Callable[[], Figure]]:
        from reports import variant_plots

        if not self.study.blocks:
            return {}
        return {
            "scores": lambda: variant_plots.scores(self, version),
            "feats": lambda: variant_plots.feats(self, version),
        }


def _is_nothing(change: Change) -> bool:
    """Whether something never happened under either rule set, or is not known."""
    return change.base.value is None or change.base.value == change.variant.value == 0


def _row(change: Change) -> Row:
    digits, scale = change.digits, change.scale
    values = [number(e.value, digits, scale=scale) for e in (change.base, change.variant)]
    difference = number(change.difference.value, digits, scale=scale, signed=True)
    return Row(
        change.measure.label,
        [*values, difference, interval(change.difference, digits, scale=scale, signed=True)],
        detail=True,
    )


def _percent(estimate: Estimate) -> str:
    return number(estimate.value, 1, scale=PERCENT)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _plain(change: Change) -> dict[str, Any]:
    """A change as JSON data."""
    return {
        "label": change.measure.label,
        **{key: bounds(getattr(change, key)) for key in ("base", "variant", "difference")},
        "p_value": rounded(change.p_value),
        "verdict": change.verdict,
    }
