"""Writing a report to a folder: every file whole or not at all.

An older report in the folder goes first, its ``summary.json`` before the files that it lists; the new summary comes
last. So where a summary is, all that it lists belongs to it. The same result gives the same bytes, but for the part
``run`` of the summary.
"""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from reports.document import dumps
from reports.report import Finding, drawn, report_of
from reports.tables import as_csv
from simulator.files import explained, made_folder, placed, placed_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUMMARY = "summary.json"
FIGURES = "results.csv"
GAMES_FILE = "games.parquet"
PLOTS = ("win-shares", "scores", "margins", "ratings", "ranking", "matrix", "feats", "sheets")
KINDS = ("png", "svg")
FILES = re.compile(
    rf"{re.escape(FIGURES)}|{re.escape(GAMES_FILE)}|({'|'.join(PLOTS)}|sweep-[a-z0-9_-]+)\.({'|'.join(KINDS)})"
)
"""Names of all that a summary may list."""
OURS = "kok-sim/"  # with which the format of every summary begins


def write_report(found: Finding, folder: Path, *, version: str, games: bool = False) -> list[Path]:
    """Write ``results.csv``, the plots as PNG and SVG, and ``summary.json``.

    Parameters
    ----------
    found : Result or another finding
    folder : Path
        Made if it does not exist; an older report in it is removed.
    version : str
        Version of the program.
    games : bool
        Whether :class:`reports.games.GamesFile` wrote the games to this folder; the summary then lists that file.

    Returns
    -------
    list of Path
        All files of the report.

    Raises
    ------
    OutputError
        If one of them cannot be written.
    """
    report = report_of(found, version)
    plots = report.plots()
    with made_folder(folder):
        remove_older(folder)
        written = [folder / GAMES_FILE] if games else []
        written.append(_write(folder / FIGURES, as_csv(found, version)))
        for name, plot in plots.items():
            figure = drawn(plot)
            written += [_save(figure, folder / f"{name}.{kind}") for kind in KINDS]
        names = [*(path.name for path in written), SUMMARY]
        written.append(_write(folder / SUMMARY, dumps(report.document(names)) + "\n"))
    return written


def remove_older(folder: Path) -> None:
    """Remove a report from its folder: its summary, then what that lists, as far as it is ours by its name."""
    summary = folder / SUMMARY
    if not summary.is_file():
        return
    listed = [folder / name for name in _listed(summary)]
    for path in (summary, *listed):
        if path.is_file():
            with explained(path):
                path.unlink()


def _listed(summary: Path) -> list[str]:
    """Names of files that a summary lists, as far as they are ours; none if the summary is not."""
    try:
        data = json.loads(summary.read_text(encoding="utf-8"))
        names = data["run"]["files"] if str(data["format"]).startswith(OURS) else []
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return []
    return [n for n in names if isinstance(n, str) and FILES.fullmatch(n)] if isinstance(names, list) else []


def _save(figure: Figure, path: Path) -> Path:
    """Save a plot in the format of its suffix, without a date and with fixed identifiers."""
    import matplotlib as mpl

    kind = path.suffix[1:]
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    fixed = mpl.rc_context({"svg.hashsalt": "kok-sim", "svg.fonttype": "none", "text.parse_math": False})
    with placed(path) as temporary, explained(path), fixed, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a name may have letters that the font has not
        figure.savefig(temporary, format=kind, metadata=metadata)
    return path


def _write(path: Path, text: str) -> Path:
    with placed_text(path) as file, explained(path):
        file.write(text)
    return path
