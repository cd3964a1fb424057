"""Measures of a game at several settings on the same dice: what sweeps over rules and ratings of sheets share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reports.changes import chance, measured
from reports.document import bounds, study_document
from reports.grids import Grid, Row
from reports.layout import Layout
from reports.measures import Measure, Measured
from reports.numbers import decimals, half_width, with_error
from reports.report import Report
from reports.statistics import FEWEST_BLOCKS
from reports.studies import speed_told, study_notes
from simulator.experiments.estimates import Estimate
from simulator.experiments.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Column:
    """A measure that is shown of every setting.

    Parameters
    ----------
    measure : Measure
    study : int
        Number of the study whose plans it is taken of.
    """

    measure: Measure
    study: int = 0

    @property
    def scale(self) -> int:
        """By which values are multiplied when they are shown."""
        return self.measure.scale


@dataclass(frozen=True)
class Survey(ABC):
    """Several settings, and measures of each.

    Parameters
    ----------
    axes : tuple of (str, tuple)
        What is set, and the values it has: ``("jokers", (0, 2, 4))``. The settings are all combinations, in order.
    studies : tuple of Study
        Each has a plan for every setting.
    columns : tuple of Column
    base : int
        Number of the setting with which the others are compared.
    """

    axes: tuple[tuple[str, tuple[str, ...]], ...]
    studies: tuple[Study, ...]
    columns: tuple[Column, ...]
    base: int

    kind = ""  # of the document

    @property
    def interrupted(self) -> bool:
        """Whether it ended before all games were played."""
        return any(study.interrupted for study in self.studies)

    @cached_property
    def settings(self) -> list[tuple[str, ...]]:
        """The values of every setting, in order."""
        found: list[tuple[str, ...]] = [()]
        for _, values in self.axes:
            found = [(*setting, value) for setting in found for value in values]
        return found

    @cached_property
    def _measured(self) -> list[list[Measured]]:
        return [measured(study) for study in self.studies]

    @cached_property
    def estimates(self) -> list[list[Estimate]]:
        """Of each column the measure at every setting."""
        return [[m.estimate(c.measure.value) for m in self._measured[c.study]] for c in self.columns]

    def difference(self, column: int, setting: int, base: int) -> Estimate:
        """By how much a measure is larger at a setting than at another, with a paired interval."""
        shown = self.columns[column]
        found = self._measured[shown.study]
        return found[setting].minus(found[base], shown.measure.value)

    def chance(self, column: int, setting: int, base: int) -> float:
        """p value of no difference of a measure between two settings, by itself; 1 if there are too few blocks."""
        found = self._measured[self.columns[column].study]
        if found[base].whole.blocks < FEWEST_BLOCKS:
            return 1.0
        return chance(self.difference(column, setting, base), found[base])

    def written(self, column: int, setting: int) -> str:
        """A measure at a setting, as ``39.7 ± 0.1``."""
        scale = self.columns[column].scale
        return with_error(self.estimates[column][setting], self.digits(column), scale=scale)

    def digits(self, column: int) -> int:
        """Decimals that a column deserves: those of its least certain setting."""
        widths = [self.columns[column].scale * (half_width(e) or 0.0) for e in self.estimates[column]]
        return decimals([max(widths, default=0.0)])

    # --- what differs ---

    @abstractmethod
    def header(self, version: str) -> str:
        """One line: what was played."""

    @property
    @abstractmethod
    def sentences(self) -> list[str]:
        """What was found, in words."""

    @property
    def notes(self) -> list[str]:
        """What the reader should know."""
        return study_notes(self.studies)

    def label(self, setting: int) -> str:
        """A setting as it stands in a table."""
        return ", ".join(self.settings[setting])

    def title(self, column: Column) -> str:
        """A measure as it stands above a column."""
        return column.measure.label

    def rows(self) -> Sequence[int]:
        """Numbers of the settings in the order of the table."""
        return range(len(self.settings))

    def experiment(self) -> dict[str, Any]:
        """What is written of the experiment besides its plans."""
        return {}

    @abstractmethod
    def plots(self, version: str) -> dict[str, Callable[[], Figure]]:
        """Pictures by name."""

    # --- the report ---

    def report(self, version: str) -> Report:
        """All forms of it."""
        return Report(
            lambda: self._layout(version),
            lambda files: self._document(version, files),
            self._figures,
            lambda: self.plots(version) if self.studies[0].blocks else {},
        )

    def _layout(self, version: str) -> Layout:
        title = " ".join(name for name, _ in self.axes)
        columns = tuple(map(self.title, self.columns))
        rows = [
            Row(self.label(setting), [self.written(i, setting) for i in range(len(columns))]) for setting in self.rows()
        ]
        footer = [speed_told(self.studies)]
        return Layout(self.header(version), [Grid(title, columns, rows)], footer, self.sentences, self.notes)

    def _figures(self) -> list[tuple[str, str, Estimate]]:
        found = []
        for setting in self.rows():
            for i, column in enumerate(self.columns):
                found.append((self.label(setting), column.measure.name, self.estimates[i][setting]))
                if setting != self.base:
                    subject = f"{self.label(setting)} minus {self.label(self.base)}"
                    found.append((subject, column.measure.name, self.difference(i, setting, self.base)))
        return found

    def _document(self, version: str, files: list[str] | None) -> dict[str, Any]:
        plans = [[plan.describe() for plan in study.plans] for study in self.studies]
        names = [name for name, _ in self.axes]
        experiment = {"axes": {name: list(values) for name, values in self.axes}, "plans": plans, **self.experiment()}
        settings = [
            {
                "setting": dict(zip(names, values, strict=True)),
                "measures": {
                    column.measure.name: {
                        **bounds(self.estimates[i][setting]),
                        "difference": bounds(self.difference(i, setting, self.base)),
                    }
                    for i, column in enumerate(self.columns)
                },
            }
            for setting, values in enumerate(self.settings)
        ]
        main = self.studies[0]
        found = {
            "blocks": main.blocks,
            "games": main.blocks * main.plans[0].seats,
            "interrupted": self.interrupted,
            "sentences": self.sentences,
            "notes": self.notes,
            "compared_with": dict(zip(names, self.settings[self.base], strict=True)),
            "settings": settings,
        }
        return study_document(self.kind, version, experiment, found, self.studies, files)
