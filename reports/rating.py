"""Sheets compared by what strategies score on them, as a report: alone and at a table, the hardest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from reports.numbers import count, listing, place_told
from reports.ranking import holm, rank_ranges
from reports.statistics import SIGNIFICANT
from reports.survey import Survey

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOLO_SCORE = 0  # the column by which sheets are ranked


@dataclass(frozen=True)
class Rating(Survey):
    """A survey over sheets; the first study is that of the solo game."""

    kind = "sheets"

    def header(self, version: str) -> str:
        """One line: what was played."""
        main, plan = self.studies[0], self.studies[0].plans[0]
        solo = f"{count(main.blocks, 'solo game')} of each strategy on each of {count(len(self.settings), 'sheet')}"
        games = [f"{count(s.blocks * s.plans[0].seats, 'game')} at a table" for s in self.studies[1:]]
        who = ", ".join(plan.labels)
        return " · ".join([solo, *games, who, plan.rules.told(), f"seed {plan.seed}", f"kok-sim {version}"])

    def rows(self) -> Sequence[int]:
        """The hardest first."""
        values = [estimate.value or 0.0 for estimate in self.estimates[SOLO_SCORE]]
        return sorted(range(len(values)), key=lambda setting: values[setting])

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Best and worst place of each sheet, 1 for the hardest, as far as chance leaves it open."""
        n = len(self.settings)
        couples = list(combinations(range(n), 2))
        chances = holm([self.chance(SOLO_SCORE, j, i) for i, j in couples]).tolist() if couples else []
        values, signs = [estimate.value or 0.0 for estimate in self.estimates[SOLO_SCORE]], np.zeros((n, n), np.int64)
        for (i, j), p in zip(couples, chances, strict=True):
            if p < SIGNIFICANT:
                signs[i, j] = 1 if values[i] < values[j] else -1
                signs[j, i] = -signs[i, j]
        return rank_ranges(signs)

    @property
    def sentences(self) -> list[str]:
        """The sheets from the hardest to the easiest, and who cannot be told apart."""
        if not self.studies[0].blocks:
            return ["No games were played, so nothing was found."]
        places, order = self.places, self.rows()
        named = [f"{place_told(places[i])} {self.label(i)} ({self.written(SOLO_SCORE, i)})" for i in order]
        if len(order) == 1:
            return [f"The mean solo score on {self.label(0)} is {self.written(SOLO_SCORE, 0)}."]
        hardest = [self.label(i) for i in order if places[i][0] == 1]
        if len(hardest) == len(order):
            first = f"{listing(hardest)} cannot be told apart by the mean solo score."
        elif len(hardest) > 1:
            first = f"Hardest by mean solo score: {listing(hardest)}, which cannot be told apart."
        else:
            first = f"Hardest by mean solo score: {hardest[0]}."
        rest = (
            "; those with overlapping places cannot be told apart" if any(low != high for low, high in places) else ""
        )
        return [first, f"From the hardest to the easiest: {', '.join(named)}{rest}."]

    def plots(self, version: str) -> dict[str, Callable[[], Figure]]:
        """Mean solo score on each sheet."""
        from reports import survey_plots

        return {"sheets": lambda: survey_plots.points(self, SOLO_SCORE, version, "Mean solo score with 95 % interval")}
