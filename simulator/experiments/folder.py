"""A run that survives: its plan and its tally so far in a folder, from which it can be resumed after any end.

    run.json    what is played: made once
    tally.json  the counts of all chunks finished so far, in order from the first block; replaced as a whole
    lock        held by the process that plays

Chunks are counted in order, so the tally of the first blocks is all that there is to keep of them; what was under way
when a process was killed is played again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeGuard

from simulator.errors import PlanError
from simulator.experiments.plan import Plan
from simulator.experiments.tally import Tally, tally_from_plain
from simulator.files import explained, made_folder, placed_text, read_json

FORMAT, VERSION = "kok-sim/run", 1
RUN, TALLY, LOCK = "run.json", "tally.json", "lock"
INTERVAL = 1.0  # seconds between two saves


def read_run(folder: Path, program: str | None = None) -> dict[str, Any]:
    """What ``run.json`` of a run folder says, checked for its form only.

    Parameters
    ----------
    folder : Path
    program : str, optional
        Version of the program that must have made it; any if left out.

    Raises
    ------
    PlanError
        If the folder holds no run or one of another version, or its file is damaged.
    """
    path = folder / RUN
    with contextlib.suppress(OSError):  # a name that cannot be looked for is none
        if not path.is_file():
            raise PlanError(f"{str(folder)!r} holds no run ({RUN} is missing); begin one with --run {_quoted(folder)}")
    data = read_json(path)
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise PlanError(f"{str(path)!r} is not of the form {FORMAT!r}, version {VERSION}")
    for key, kind in {"program": str, "experiment": dict, "keeps_games": bool}.items():
        if type(data.get(key)) is not kind:
            raise PlanError(f"{str(path)!r} is damaged: {key} is {data.get(key)!r}")
    if program is not None and data["program"] != program:
        raise PlanError(
            f"{str(folder)!r} was made by kok-sim {data['program']}, and this is {program}: "
            "finish it with that version, or begin anew in another folder"
        )
    return data


class RunFolder:
    """A folder that keeps a run, in a ``with`` statement; it is locked meanwhile.

    A new run needs a folder that is new or empty. If it fails before anything was counted, nothing of it is left.

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
        self.folder, self.keeps_games, self._plan = folder, keeps_games, plan
        self._run = {
            "format": FORMAT,
            "version": VERSION,
            "program": program,
            "experiment": plan.describe(),
            "keeps_games": keeps_games,
        }
        self.tally: Tally | None = None
        self.seconds = 0.0
        self.before_save: list[Callable[[], None]] = []
        self._saved_at = time.monotonic()
        self._entered = contextlib.ExitStack()

    def __enter__(self) -> Self:
        self._is_there()  # before anything is touched
        with contextlib.ExitStack() as stack:
            stack.enter_context(made_folder(self.folder))
            stack.enter_context(self._locked())
            stack.enter_context(self._begun())
            self._entered = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered.__exit__(kind, error, trace)

    def _is_there(self) -> bool:
        """Whether the run is there already; raises if it is another one, or the folder holds something else."""
        with explained(self.folder):
            if (self.folder / RUN).exists():
                _verify_same(self.folder, self._run)
                return True
            names = sorted(path.name for path in self.folder.iterdir()) if self.folder.is_dir() else []
        others = [name for name in names if name != LOCK and not name.startswith(".")]
        if others:
            more = f" and {len(others) - 1} more" if len(others) > 1 else ""
            raise PlanError(
                f"{str(self.folder)!r} holds no run but other things ({others[0]}{more}); "
                "name a folder that is new or empty"
            )
        return False

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        lock = FileLock(self.folder / LOCK, timeout=0)
        with explained(self.folder / LOCK):
            try:
                lock.acquire()
            except Timeout:
                raise PlanError(
                    f"{str(self.folder)!r} is in use: another kok-sim plays the run that it holds"
                ) from None
        try:
            yield
        finally:
            lock.release()

    @contextlib.contextmanager
    def _begun(self) -> Iterator[None]:
        """Take up the run that is there, or write down a new one, which goes if it fails before anything is counted."""
        for path in (path for name in (RUN, TALLY) for path in self.folder.glob(f".{name}.*.part")):
            with explained(path):  # by a process that was killed
                path.unlink(missing_ok=True)
        there = self._is_there()
        try:
            if there:
                self._read_tally()
            else:
                _write(self.folder / RUN, self._run)
            yield
        except Exception:
            with contextlib.suppress(OSError):
                if not there and {path.name for path in self.folder.iterdir()} <= {RUN, LOCK}:
                    (self.folder / RUN).unlink(missing_ok=True)
                    (self.folder / LOCK).unlink()
            raise

    def _read_tally(self) -> None:
        """Take up the tally, if there is one."""
        path = self.folder / TALLY
        if not path.exists():
            return
        try:
            data = read_json(path)
            if data["check"] != self._check(data):
                raise PlanError(f"{str(path)!r} is damaged, or of another run: its checksum does not agree")
            self.tally, self.seconds = tally_from_plain(data["tally"], self._plan.seating), float(data["seconds"])
        except (AttributeError, LookupError, MemoryError, OverflowError, TypeError, ValueError) as error:
            reason = str(error) if isinstance(error, PlanError) else f"{str(path)!r} is damaged"
            raise PlanError(f"{reason}; remove it to begin the run anew") from error

    def _check(self, data: dict[str, Any]) -> str:
        """What shows that a tally is as it was written, and belongs to the plan."""
        parts = [self._run["experiment"], data.get("seconds"), data.get("tally")]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def keep(self, tally: Tally, seconds: float) -> None:
        """Take note of what was counted; it is saved about once a second."""
        if time.monotonic() - self._saved_at >= INTERVAL:
            self.save(tally, seconds)

    def save(self, tally: Tally, seconds: float) -> None:
        """Save what was counted."""
        for prepare in self.before_save:
            prepare()
        data = {"seconds": round(seconds, 3), "tally": tally.to_plain()}
        _write(self.folder / TALLY, {**data, "check": self._check(data)})
        self.tally, self.seconds = tally, seconds
        self._saved_at = time.monotonic()


def _verify_same(folder: Path, wanted: dict[str, Any]) -> None:
    """Raise :class:`PlanError` with the first thing in which the run that is there differs from the one wanted."""
    there = read_run(folder, wanted["program"])
    for key, value in wanted["experiment"].items():
        found = there["experiment"].get(key)
        if found != value:
            raise PlanError(
                f"{str(folder)!r} holds another run: {_difference(key, found, value)}; "
                f"go on with it by kok-sim resume {_quoted(folder)}, or name another folder"
            )
    if there["keeps_games"] != wanted["keeps_games"]:
        raise PlanError(
            f"the run in {str(folder)!r} was begun {'with' if there['keeps_games'] else 'without'} --games; "
            "go on with it in the same way, or name another folder"
        )


def _difference(key: str, there: object, wanted: object) -> str:
    """In few words how two values of a plan differ: strategies and sheets by their names, if these do."""
    if not (_are_named(there) and _are_named(wanted)):
        return f"{key} {_told(there)}, not {_told(wanted)}"
    old, new = ([item["name"] for item in items] for items in (there, wanted))
    if old != new:
        return f"{key} {', '.join(old)}, not {', '.join(new)}"
    for before, now in zip(there, wanted, strict=True):
        for inner, value in now.items():
            if before.get(inner) != value:
                return f"{now['name']} had {inner} {_told(before.get(inner))}, not {_told(value)}"
    return f"{key} differ"


def _are_named(value: object) -> TypeGuard[list[dict[str, Any]]]:
    items = value if isinstance(value, list) else [None]
    return all(isinstance(item, dict) and isinstance(item.get("name"), str) for item in items)


def _told(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _quoted(folder: Path) -> str:
    """As it must be typed."""
    return shlex.quote(str(folder))


def _write(path: Path, data: dict[str, Any]) -> None:
    """Write JSON, on the disk before it gets its name."""
    with placed_text(path) as file, explained(path):
        json.dump(data, file, allow_nan=False)
        file.flush()
        os.fsync(file.fileno())
