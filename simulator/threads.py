"""How many threads to use: as many as were asked for, or as there are cores."""

from __future__ import annotations

import os

from simulator.errors import PlanError

MAX_THREADS = 1024


def count_threads(wanted: int | None) -> int:
    """``wanted``, or as many as there are cores; :class:`PlanError` if it is not from 1 to 1024."""
    if wanted is None:
        return min(available_cores(), MAX_THREADS)
    if type(wanted) is not int or not 1 <= wanted <= MAX_THREADS:
        raise PlanError(f"the number of threads must be from 1 to {MAX_THREADS}; got {wanted!r}")
    return wanted


def available_cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
