"""Writing a report to a folder: every file whole or not at all.

A file is written under a temporary name beside its place and renamed. ``summary.json`` comes last, so where it is, the
rest is too. The same result gives the same bytes, but for the part ``run`` of the summary.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from reports.document import document, dumps
from reports.tables import as_csv
from simulator.errors import OutputError
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.outcomes import WHOLE_SHARE, Outcomes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES_FILE = "games.parquet"
ROW_GROUP = 2**18  # rows kept in memory before they are written


def check_writable(folder: Path) -> None:
    """Raise :class:`OutputError` if files cannot be written to a folder, which need not exist yet. Leaves no trace."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        raise OutputError(f"cannot write to {str(folder)!r}: {str(place)!r} is not a folder")
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise OutputError(f"cannot write to {str(folder)!r}: {error.strerror}") from error


def write_report(result: Result, folder: Path, *, version: str, games: bool = False) -> list[Path]:
    """Write ``results.csv``, the plots as PNG and SVG, and ``summary.json``.

    Parameters
    ----------
    result : Result
    folder : Path
        Made if it does not exist; files of the same names are replaced.
    version : str
        Version of the program.
    games : bool
        Whether :class:`GamesFile` wrote the games to this folder during the run; the summary then lists that file.

    Returns
    -------
    list of Path
        All files of the report.

    Raises
    ------
    OutputError
        If one of them cannot be written.
    """
    from reports.plots import plots

    written = [folder / GAMES_FILE] if games else []
    written.append(_write(folder / "results.csv", as_csv(result)))
    for name, plot in plots(result).items():
        figure = plot(result, version)
        written += [_save(figure, folder / f"{name}.{kind}") for kind in ("png", "svg")]
    summary = folder / "summary.json"
    names = [path.name for path in (*written, summary)]
    written.append(_write(summary, dumps(document(result, version=version, files=names)) + "\n"))
    return written


class GamesFile:
    """A parquet file with a row for each game and seat, written while the games are played.

    Use as a context manager and as the ``on_outcomes`` of a run. The file appears at its place when all went well (also
    after an interruption, with the games played so far); after an error nothing is left.

    Columns: ``game`` (index in the run), ``block``, ``seat``, ``strategy``, ``sheet``, ``score``, one for each part of
    the score, ``share`` (of the win), ``rolls``, ``stopped``.

    Parameters
    ----------
    path : Path
    plan : Plan
    parts : sequence of str
        Names of the parts of a score.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """

    def __init__(self, path: Path, plan: Plan, parts: tuple[str, ...]) -> None:
        import pyarrow as pa

        self.path, self.plan, self.parts = path, plan, parts
        name = pa.dictionary(pa.int8(), pa.string())
        columns = [("game", pa.int64()), ("block", pa.int64()), ("seat", pa.int8()), ("strategy", name)]
        columns += [("sheet", name), ("score", pa.int32()), *((part, pa.int32()) for part in parts)]
        columns += [("share", pa.float64()), ("rolls", pa.int32()), ("stopped", pa.bool_())]
        self.schema = pa.schema(columns)
        self._waiting: list[Any] = []

    def __enter__(self) -> Self:
        import pyarrow.parquet as pq

        self._temporary = _temporary(self.path)
        with _explained(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._writer = pq.ParquetWriter(self._temporary, self.schema, compression="zstd")
        return self

    def __call__(self, first_block: int, outcomes: Outcomes) -> None:
        """Take the outcomes of the next blocks."""
        import pyarrow as pa

        self._waiting.append(self._rows(first_block, outcomes))
        if sum(len(rows) for rows in self._waiting) >= ROW_GROUP:
            rows = pa.concat_tables(self._waiting)
            whole = len(rows) // ROW_GROUP * ROW_GROUP
            self._put(rows.slice(0, whole))
            self._waiting = [rows.slice(whole)]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        import pyarrow as pa

        try:
            if kind is None and self._waiting:
                self._put(pa.concat_tables(self._waiting))
            with _explained(self.path):
                self._writer.close()
                if kind is None:
                    self._temporary.replace(self.path)
        finally:
            self._temporary.unlink(missing_ok=True)

    def _put(self, rows: Any) -> None:
        with _explained(self.path):
            self._writer.write_table(rows, row_group_size=ROW_GROUP)

    def _rows(self, first_block: int, outcomes: Outcomes) -> Any:
        """A table of the outcomes, in the order of blocks, games, seats."""
        import pyarrow as pa

        shape = outcomes.scores.shape
        blocks, games, seats = (a.ravel() for a in np.indices(shape))
        strategies = np.broadcast_to(self.plan.seating, shape).ravel()
        block = first_block + blocks
        labels = [sheet.name for sheet in self.plan.sheets]
        values: dict[str, Any] = {
            "game": block * shape[2] + games % shape[2],
            "block": block,
            "seat": seats,
            "strategy": _named(strategies, list(self.plan.labels)),
            "sheet": _named(strategies, labels),
            "score": outcomes.scores.ravel(),
            **{part: outcomes.parts[..., i].ravel() for i, part in enumerate(self.parts)},
            "share": outcomes.shares.ravel() / WHOLE_SHARE,
            "rolls": np.repeat(outcomes.rolls.ravel(), shape[2]),
            "stopped": np.repeat(outcomes.stopped.ravel() != 0, shape[2]),
        }
        return pa.table([pa.array(values[field.name], field.type) for field in self.schema], schema=self.schema)


def _named(strategies: np.ndarray, names: list[str]) -> Any:
    """A column of names, each stored once."""
    import pyarrow as pa

    distinct = list(dict.fromkeys(names))
    codes = np.array([distinct.index(name) for name in names], dtype=np.int8)
    return pa.DictionaryArray.from_arrays(codes[strategies], distinct)


def _save(figure: Figure, path: Path) -> Path:
    """Save a plot in the format of its suffix, without a date and with fixed identifiers."""
    import matplotlib as mpl

    kind = path.suffix[1:]
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with mpl.rc_context({"svg.hashsalt": "kok-sim", "svg.fonttype": "none"}):
        return _place(path, lambda temporary: figure.savefig(temporary, format=kind, metadata=metadata))


def _write(path: Path, text: str) -> Path:
    return _place(path, lambda temporary: temporary.write_text(text, encoding="utf-8", newline="\n"))


def _place(path: Path, write: Callable[[Path], Any]) -> Path:
    """Let ``write`` make a file under a temporary name, then put it in its place."""
    temporary = _temporary(path)
    try:
        with _explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write(temporary)
            temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return path


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn a failure of the system into one line."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
