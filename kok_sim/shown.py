"""What came out of an experiment or a study, as an object: it shows itself in a notebook, draws, and saves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kok_sim import __version__

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from reports.report import Finding, Report
    from reports.survey import Survey
    from reports.variant import Variant


class Shown:
    """A finding as tables, text and plots. In a notebook it shows itself.

    Parameters
    ----------
    found : Result, Variant or Survey
    """

    def __init__(self, found: Finding) -> None:
        self._found = found

    @property
    def _report(self) -> Report:
        from reports.report import report_of

        return report_of(self._found, __version__)

    def to_dict(self) -> dict[str, Any]:
        """The document of ``summary.json``."""
        return self._report.document(None)

    def save(self, folder: str | Path) -> list[Path]:
        """Write ``summary.json``, ``results.csv`` and the plots to a folder; gives the files."""
        from reports.files import write_report

        return write_report(self._found, Path(folder), version=__version__)

    def plot(self, name: str) -> Figure:
        """One of :attr:`plots` by its name."""
        from reports.report import drawn
        from simulator.errors import UnknownNameError

        plots = self._report.plots()
        if name not in plots:
            raise UnknownNameError("plot", name, plots)
        return drawn(plots[name])

    @property
    def plots(self) -> list[str]:
        """Names of the plots that there are."""
        return list(self._report.plots())

    def __repr__(self) -> str:
        """The table of the terminal."""
        from reports.tables import text

        return text(self._found, version=__version__).rstrip("\n")

    def _repr_html_(self) -> str:
        """The same for a notebook."""
        from reports.html import as_html

        return as_html(self._found, __version__)


class StudyResult(Shown):
    """What came out of a study of rules or sheets.

    Parameters
    ----------
    found : Variant or Survey

    Attributes
    ----------
    found : Variant or Survey
        All figures.
    """

    def __init__(self, found: Variant | Survey) -> None:
        super().__init__(found)
        self.found = found

    @property
    def sentences(self) -> list[str]:
        """What was found, in words."""
        return self.found.sentences

    @property
    def table(self) -> pd.DataFrame:
        """A row for each figure: subject, measure, value, se, low, high; shares from 0 to 1, NA where not known."""
        import pandas as pd

        rows = [(subject, measure, *estimate) for subject, measure, estimate in self._report.rows()]
        figures = ["value", "se", "low", "high"]
        found = pd.DataFrame(rows, columns=["subject", "measure", *figures])
        return found.astype(dict.fromkeys(figures, "Float64"))
