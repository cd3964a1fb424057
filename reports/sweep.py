"""One or two house rules over a range of values, as a report: a row for each setting, and plots."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from reports.changes import chance
from reports.layout import sheets_told
from reports.numbers import count, listing, number
from reports.ranking import holm
from reports.statistics import FEWEST_BLOCKS, SIGNIFICANT, rounded
from reports.studies import ADAPT
from reports.survey import Column, Survey

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Sweep(Survey):
    """A survey over the values of rules.

    Parameters
    ----------
    name : str
        Of the rules in which these are changed.
    target : (int, float), optional
        A column, and the value that it should have, as shown: per cent where it is shown in per cent.
    """

    name: str = ""
    target: tuple[int, float] | None = None

    kind = "sweep"

    def label(self, setting: int) -> str:
        """``jokers=4, star_penalty=2``."""
        return ", ".join(f"{name}={value}" for (name, _), value in zip(self.axes, self.settings[setting], strict=True))

    def title(self, column: Column) -> str:
        """The name of a measure, as it is typed: labels would be too long for a row of them."""
        return column.measure.name + (", %" if column.measure.percent else "")

    def header(self, version: str) -> str:
        """One line: what was played."""
        main, plan = self.studies[0], self.studies[0].plans[0]
        games = count(main.blocks * plan.seats, "solo game" if plan.solo else "game")
        played = f"{games} at each of {len(self.settings)} settings on the same dice"
        who = ", ".join(plan.labels)
        return " · ".join([played, who, sheets_told(plan), self.name, f"seed {plan.seed}", f"kok-sim {version}"])

    @property
    def sentences(self) -> list[str]:
        """The setting that comes nearest to the target; of each measure the lowest and the highest."""
        if not self.studies[0].blocks:
            return ["No games were played, so nothing was found."]
        if self.studies[0].blocks < FEWEST_BLOCKS:
            return ["Too few deals of dice to tell settings apart: play more games."]
        lines = [self._target_told()] if self.target is not None else []
        return lines + [self._range_told(column) for column in range(len(self.columns))]

    def _range_told(self, column: int) -> str:
        values = [estimate.value for estimate in self.estimates[column]]
        known = [setting for setting, value in enumerate(values) if value is not None]
        measure = self.columns[column].measure
        told = measure.label == measure.name.replace("_", " ")
        name = measure.label if told else f"{measure.name} ({measure.label})"
        if not known:
            return f"{name}: not known."
        low, high = (pick(known, key=lambda setting: values[setting] or 0.0) for pick in (min, max))
        ends = f"{self.written(column, low)} to {self.written(column, high)}"
        searched = max(math.comb(len(known), 2), 1) * len(self.columns)  # to pick these two (Bonferroni)
        if searched * self.chance(column, low, high) >= SIGNIFICANT:
            return f"{name}: no difference beyond chance, {ends}."
        return f"{name}: {ends}, with {self.label(low)} and {self.label(high)}."

    @property
    def nearest(self) -> int | None:
        """Number of the setting that comes nearest to the target, if there is one and anything is known."""
        if self.target is None:
            return None
        column, wanted = self.target
        scale = self.columns[column].scale
        away = {
            setting: abs(scale * estimate.value - wanted)
            for setting, estimate in enumerate(self.estimates[column])
            if estimate.value is not None
        }
        return min(away, key=lambda setting: away[setting]) if away else None

    def _target_told(self) -> str:
        assert self.target is not None
        column, wanted = self.target
        nearest, name = self.nearest, self.columns[column].measure.name
        if nearest is None:
            return f"{name} is not known at any setting."
        told = (
            f"{self.label(nearest)} comes nearest to {name} = {wanted:g}: {self.written(column, nearest)} "
            f"({number(self._away(column, nearest, wanted), self.digits(column), signed=True)})"
        )
        others = [setting for setting in range(len(self.settings)) if setting != nearest]
        chances = holm([self._chance_of_distances(column, setting, nearest, wanted) for setting in others]).tolist()
        same = [self.label(other) for other, p in zip(others, chances, strict=True) if p >= SIGNIFICANT]
        beyond = {self._away(column, setting, wanted) > 0 for setting in (nearest, *others)}
        told += f"; about as near are {listing(same)}" if same else ""
        if len(beyond) == 1:
            told += f"; all settings lie {'above' if beyond.pop() else 'below'}"
        return f"{told}."

    def _chance_of_distances(self, column: int, setting: int, nearest: int, wanted: float) -> float:
        """p value of two settings being as far from the target, each on the side on which it was found."""
        shown, found = self.columns[column], self._measured[self.columns[column].study]
        if found[nearest].whole.blocks < FEWEST_BLOCKS or self.estimates[column][setting].value is None:
            return 1.0
        a, b = (1 if self._away(column, at, wanted) >= 0 else -1 for at in (setting, nearest))
        difference = found[setting].minus(found[nearest], shown.measure.value, (a, b))
        moved = None if difference.value is None else difference.value - (a - b) * wanted / shown.scale
        return chance(difference._replace(value=moved), found[nearest])

    def _away(self, column: int, setting: int, wanted: float) -> float:
        return self.columns[column].scale * (self.estimates[column][setting].value or 0.0) - wanted

    @property
    def notes(self) -> list[str]:
        """What the reader should know."""
        return [*super().notes, ADAPT]

    def experiment(self) -> dict[str, Any]:
        """The base, and the target."""
        target = None
        if self.target is not None:
            column, wanted = self.target
            target = {"measure": self.columns[column].measure.name, "value": rounded(wanted)}
        return {"rules": self.name, "target": target}

    def plots(self, version: str) -> dict[str, Callable[[], Figure]]:
        """A line with its band, or a heat map, for each measure."""
        from reports import survey_plots

        draw = survey_plots.heat_map if len(self.axes) == 2 else survey_plots.line
        names: list[str] = []
        for i, column in enumerate(self.columns):
            name = f"sweep-{slug(column.measure.name)}"
            names.append(f"{name}-{i + 1}" if name in names else name)
        return {name: partial(draw, self, i, version) for i, name in enumerate(names)}


def slug(name: str) -> str:
    """A name for a file: ``"win my.toml"`` becomes ``"win-my-toml"``."""
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-")
