"""A report: everything that is shown of a finding, in whatever form it is written.

Tables, JSON, CSV, Markdown, HTML and the files of ``--out`` are made of a :class:`Report`, so a new kind of finding
only has to say what is in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from simulator.experiments.estimates import Estimate
from simulator.experiments.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reports.layout import Layout


@dataclass(frozen=True)
class Report:
    """What is shown of a finding; each part is made when it is asked for.

    Parameters
    ----------
    layout : callable
        The text: header, tables, sentences, notes.
    document : callable
        JSON data, given the names of the files that are written beside it (None: none are).
    rows : callable
        All figures: (subject, measure, estimate).
    plots : callable
        Pictures by name, each made when it is called.
    """

    layout: Callable[[], Layout]
    document: Callable[[list[str] | None], dict[str, Any]]
    rows: Callable[[], list[tuple[str, str, Estimate]]]
    plots: Callable[[], dict[str, Callable[[], Figure]]]


class Reported(Protocol):
    """A finding that says itself what its report is."""

    def report(self, version: str) -> Report:
        """The report, by this version of the program."""
        ...


Finding = Result | Reported


def drawn(make: Callable[[], Figure]) -> Figure:
    """A picture of :attr:`Report.plots`, in which names are taken literally: ``$`` begins no formula."""
    import matplotlib as mpl

    with mpl.rc_context({"text.parse_math": False}):
        return make()


def report_of(found: Finding, version: str) -> Report:
    """The report of a finding, by this version of the program."""
    return _of_result(found, version) if isinstance(found, Result) else found.report(version)


def _of_result(result: Result, version: str) -> Report:
    from reports.document import document
    from reports.layout import layout
    from reports.statistics import figures, listed

    def pictures() -> dict[str, Callable[[], Figure]]:
        from reports import plots

        return {name: partial(plot, result, version) for name, plot in plots.plots(result).items()}

    return Report(
        lambda: layout(result, version),
        lambda files: document(result, version=version, files=files),
        lambda: listed(figures(result)),
        pictures,
    )
