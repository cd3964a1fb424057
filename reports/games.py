"""Every game of a run in a parquet file: a row for each game and seat, written while the games are played."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from reports.files import remove_older
from simulator.errors import OutputError
from simulator.experiments.plan import Plan
from simulator.files import explained, made_folder, placed
from simulator.outcomes import WHOLE_SHARE, Outcomes

ROW_GROUP = 2**17  # rows kept in memory before they are written


class GamesFile:
    """A parquet file with a row for each game and seat, written while the games are played.

    Use as a context manager and as the ``on_outcomes`` of a run. The file appears at its place when all went well (also
    after an interruption, with the games played so far), once an older report in its folder is removed; after an error
    nothing is left, and an older report stays.

    Columns: ``game`` (index in the run of its table, for ``kok-sim replay``), ``block``, ``table`` (number in
    ``plan.tables``), ``seat``, ``strategy``, ``sheet`` (if the game has several), ``score``, one for each part of the
    score, ``share`` (of the win), ``rolls``, ``stopped``.

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
        self.path, self.plan, self.parts = path, plan, parts
        self._waiting: list[Any] = []

    def __enter__(self) -> Self:
        self._opened = self._open()
        self._writer = self._opened.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.__exit__(kind, error, trace)

    @contextmanager
    def _open(self) -> Iterator[Any]:
        """The writer of the file, which gets its place at the end."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        with made_folder(self.path.parent), placed(self.path) as temporary:
            with explained(self.path):
                writer = pq.ParquetWriter(temporary, _schema(self.plan, self.parts), compression="zstd")
            try:
                yield writer
                if self._waiting:
                    self._put(pa.concat_tables(self._waiting))
            finally:
                with explained(self.path):
                    writer.close()
            remove_older(self.path.parent)

    def __call__(self, first_block: int, outcomes: Outcomes) -> None:
        """Take the outcomes of the next blocks."""
        self.add(_rows(self.plan, self.parts, first_block, outcomes))

    def add(self, rows: Any) -> None:
        """Take the next rows, an arrow table."""
        import pyarrow as pa

        self._waiting.append(rows)
        if sum(len(rows) for rows in self._waiting) >= ROW_GROUP:
            rows = pa.concat_tables(self._waiting)
            whole = len(rows) // ROW_GROUP * ROW_GROUP
            self._put(rows.slice(0, whole))
            self._waiting = [rows.slice(whole)]

    def _put(self, rows: Any) -> None:
        with explained(self.path):
            self._writer.write_table(rows, row_group_size=ROW_GROUP)


class GamesParts:
    """The rows of the games of a run that may be broken off: a parquet file for each time its tally is saved.

    Use as the ``on_outcomes`` of the run, and ``save`` before its tally is saved.

    Parameters
    ----------
    folder : Path
        Made if it does not exist. What is there of later blocks than were counted is removed.
    plan : Plan
    parts : sequence of str
        Names of the parts of a score.
    blocks : int
        Blocks that the tally of the run counts by now.

    Raises
    ------
    OutputError
        If the folder cannot be written, or does not hold the rows of these blocks.
    """

    def __init__(self, folder: Path, plan: Plan, parts: tuple[str, ...], blocks: int) -> None:
        self.folder, self.plan, self.parts = folder, plan, parts
        self._first, self._waiting = blocks, list[Any]()
        with made_folder(folder), explained(folder):
            for path in folder.glob(".[0-9]*.part"):
                path.unlink()
            for path in self._files():
                if int(path.stem) >= blocks:
                    path.unlink()
        there = sum(self._count(path) for path in self._files())
        if there != blocks * plan.seating.size:
            raise OutputError(
                f"{str(folder)!r} holds {there:,} rows of games where {blocks * plan.seating.size:,} were counted: "
                "begin the run anew in another folder"
            )

    def _files(self) -> list[Path]:
        """In the order of the blocks; each is named by its first."""
        return sorted(path for path in self.folder.glob("*.parquet") if path.stem.isdecimal())

    def _count(self, path: Path) -> int:
        import pyarrow.parquet as pq

        with _read(path):
            return int(pq.read_metadata(path).num_rows)

    def __call__(self, first_block: int, outcomes: Outcomes) -> None:
        """Take the outcomes of the next blocks."""
        self._waiting.append(_rows(self.plan, self.parts, first_block, outcomes))
        self._next = first_block + len(outcomes.rolls)

    def save(self) -> None:
        """Write what came since the last time."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self._waiting:
            return
        path = self.folder / f"{self._first:013d}.parquet"
        with placed(path) as temporary, explained(path), temporary.open("wb") as file:
            pq.write_table(pa.concat_tables(self._waiting), file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())
        self._first, self._waiting = self._next, []

    def tables(self) -> Iterator[Any]:
        """All rows saved, in order, as arrow tables."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        for path in self._files():
            with _read(path):
                rows = pq.ParquetFile(path).read(use_threads=False)  # read_table takes 50 MB more
            yield rows
            del rows
            pa.default_memory_pool().release_unused()  # or it keeps 50 MB


@contextmanager
def _read(path: Path) -> Iterator[None]:
    """Turn a failure to read the rows that a run keeps into one line."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())
        raise OutputError(f"cannot read {str(path)!r}: {reason}; begin the run anew in another folder") from error


def _schema(plan: Plan, parts: tuple[str, ...]) -> Any:
    """The columns of a file of games."""
    import pyarrow as pa

    name = pa.dictionary(pa.int8(), pa.string())
    columns = [("game", pa.int64()), ("block", pa.int64()), ("table", pa.int16()), ("seat", pa.int8())]
    columns += [("strategy", name), *([("sheet", name)] if plan.sheets else [])]
    columns += [("score", pa.int32()), *((part, pa.int32()) for part in parts)]
    columns += [("share", pa.float64()), ("rolls", pa.int32()), ("stopped", pa.bool_())]
    return pa.schema(columns)


def _rows(plan: Plan, parts: tuple[str, ...], first_block: int, outcomes: Outcomes) -> Any:
    """An arrow table of outcomes, in the order of blocks, games, seats."""
    import pyarrow as pa

    shape = outcomes.scores.shape
    blocks, games, seats = (a.ravel() for a in np.indices(shape))
    strategies = np.broadcast_to(plan.seating, shape).ravel()
    block = first_block + blocks
    deal = block * shape[1] + games if plan.independent else block
    values: dict[str, Any] = {
        "game": deal * shape[2] + games % shape[2],
        "block": block,
        "table": games // shape[2],
        "seat": seats,
        "strategy": _named(strategies, list(plan.labels)),
        "score": outcomes.scores.ravel(),
        **{part: outcomes.parts[..., i].ravel() for i, part in enumerate(parts)},
        "share": outcomes.shares.ravel() / WHOLE_SHARE,
        "rolls": np.repeat(outcomes.rolls.ravel(), shape[2]),
        "stopped": np.repeat(outcomes.stopped.ravel() != 0, shape[2]),
    }
    if plan.sheets:
        values["sheet"] = _named(strategies, [sheet.name for sheet in plan.sheets])
    schema = _schema(plan, parts)
    return pa.table([pa.array(values[field.name], field.type) for field in schema], schema=schema)


def _named(strategies: np.ndarray, names: list[str]) -> Any:
    """A column of names, each stored once."""
    import pyarrow as pa

    distinct = list(dict.fromkeys(names))
    codes = np.array([distinct.index(name) for name in names], dtype=np.int8)
    return pa.DictionaryArray.from_arrays(codes[strategies], distinct)
