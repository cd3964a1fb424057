"""A run that survives: its plan and its tally so far in a folder, from which it can be gone on with after any end.

    run.json    what is played: made once
    tally.json  the counts of all chunks finished so far, in order from the first block; replaced as a whole
    lock        held by the process that plays

Chunks are counted in order, so the tally of the first blocks is all that there is to keep of them; what was under way
when a process was killed is played again.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from simulator.errors import PlanError
from simulator.experiments.plan import Plan
from simulator.experiments.tally import Tally, tally_from_plain
from simulator.files import explained, made_folder, placed_text

FORMAT, VERSION = "kok-sim/run", 1
RUN, TALLY, LOCK = "run.json", "tally.json", "lock"
INTERVAL = 1.0  # seconds between two saves


def read_run(folder: Path) -> dict[str, Any]:
    """What ``run.json`` of a run folder says, checked for its form only.

    Raises
    ------
    PlanError
        If the folder holds no run, or its file is damaged.
    """
    path = folder / RUN
    if not path.is_file():
        raise PlanError(f"{str(folder)!r} holds no run ({RUN} is missing); begin one with --run {folder}")
    data = _read(path)
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise PlanError(f"{str(path)!r} is not of the form {FORMAT!r}, version {VERSION}")
    for key, kind in {"program": str, "experiment": dict, "keeps_games": bool}.items():
        if type(data.get(key)) is not kind:
            raise PlanError(f"{str(path)!r} is damaged: {key} is {data.get(key)!r}")
    return data


class RunFolder:
    """A folder that keeps a run, in a ``with`` statement; it is locked meanwhile.

    Parameters
    ----------
    folder : Path
        Made if it does not exist.
    plan : Plan
        What is played; a run that is there already must have the same plan.
    program : str
        Version of the program; a run that is there already must be of the same.
    keeps_games : bool
        Whether every game is kept as well, by whoever adds to ``before_save``; again, as in the run that is there.

    Attributes
    ----------
    tally : Tally or None
        Counts of what was played before; None if there is none.
    seconds : float
        Time spent on it.
    before_save : list of callable
        Called before the tally is saved: a chance to save what belongs to the same blocks.

    Raises
    ------
    PlanError
        On entry, if another process plays there, or another run is there, or its files are damaged.
    OutputError
        If it cannot be written.
    """

    def __init__(self, folder: Path, plan: Plan, program: str, *, keeps_games: bool = False) -> None:
        from filelock import FileLock

        self.folder, self.keeps_games, self._plan = folder, keeps_games, plan
        self._run = {
            "format": FORMAT,
            "version": VERSION,
            "program": program,
            "experiment": plan.describe(),
            "keeps_games": keeps_games,
        }
        self._lock = FileLock(folder / LOCK, timeout=0)
        self.tally: Tally | None = None
        self.seconds = 0.0
        self.before_save: list[Callable[[], None]] = []
        self._saved_at = time.monotonic()

    def __enter__(self) -> Self:
        from filelock import Timeout

        with made_folder(self.folder):
            try:
                with explained(self.folder / LOCK):
                    self._lock.acquire()
            except Timeout:
                raise PlanError(
                    f"{str(self.folder)!r} is in use: another kok-sim plays the run that it holds"
                ) from None
            try:
                self._begin()
            except BaseException:
                self._release()
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def _release(self) -> None:
        self._lock.release()

    def _begin(self) -> None:
        """Take up the run that is there, or write down a new one."""
        for left in self.folder.glob(".*.part"):  # by a process that was killed
            with explained(left):
                left.unlink(missing_ok=True)
        if not (self.folder / RUN).exists():
            if (self.folder / TALLY).exists():
                raise PlanError(f"{str(self.folder)!r} has a {TALLY} but no {RUN}; name another folder")
            _write(self.folder / RUN, self._run)
            return
        _verify_same(self.folder, read_run(self.folder), self._run)
        path = self.folder / TALLY
        if path.exists():
            data = _read(path)
            try:
                self.seconds = float(data["seconds"])
                self.tally = tally_from_plain(data["tally"], self._plan.seating)
            except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
                raise PlanError(f"{str(path)!r} is damaged: {error!r}; remove it to begin anew") from error

    def keep(self, tally: Tally, seconds: float) -> None:
        """Take note of what was counted; it is saved about once a second."""
        if time.monotonic() - self._saved_at >= INTERVAL:
            self.save(tally, seconds)

    def save(self, tally: Tally, seconds: float) -> None:
        """Save what was counted."""
        for prepare in self.before_save:
            prepare()
        _write(self.folder / TALLY, {"seconds": round(seconds, 3), "tally": tally.to_plain()})
        self.tally, self.seconds = tally, seconds
        self._saved_at = time.monotonic()


def _verify_same(folder: Path, there: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raise :class:`PlanError` with the first thing in which the run that is there differs from the one wanted."""
    if there["program"] != wanted["program"]:
        raise PlanError(
            f"{str(folder)!r} was made by kok-sim {there['program']}, and this is {wanted['program']}: "
            "finish it with that version, or begin anew in another folder"
        )
    for key, value in wanted["experiment"].items():
        found = there["experiment"].get(key)
        if found != value:
            raise PlanError(
                f"{str(folder)!r} holds another run: its {key} {_told(found)}, not {_told(value)}; "
                f"go on with it by kok-sim resume {folder}, or name another folder"
            )
    if there["keeps_games"] != wanted["keeps_games"]:
        raise PlanError(
            f"the run in {str(folder)!r} was begun {'with' if there['keeps_games'] else 'without'} --games; "
            "go on with it in the same way, or name another folder"
        )


def _told(value: object) -> str:
    """A value of a plan in few words: strategies and sheets by their names."""
    if isinstance(value, list) and all(isinstance(item, dict) and "name" in item for item in value):
        return f"are {', '.join(str(item['name']) for item in value)}"
    return f"is {json.dumps(value, ensure_ascii=False)}"


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise PlanError(f"cannot read {str(path)!r}: {error}") from error
    if not isinstance(data, dict):
        raise PlanError(f"{str(path)!r} is damaged: it must hold an object")
    return data


def _write(path: Path, data: dict[str, Any]) -> None:
    """Write JSON, on the disk before it gets its name."""
    with placed_text(path) as file, explained(path):
        json.dump(data, file, ensure_ascii=False, allow_nan=False)
        file.flush()
        os.fsync(file.fileno())
