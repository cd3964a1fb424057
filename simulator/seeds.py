"""Seeds: the whole number that decides all chance of a run."""

from __future__ import annotations

from simulator.errors import PlanError

MAX_SEED = 2**64 - 1


def check_seed(seed: object) -> None:
    """Raise :class:`PlanError` if it is not a whole number from 0 to 2**64 - 1."""
    if type(seed) is not int or not 0 <= seed <= MAX_SEED:
        raise PlanError(f"the seed must be a whole number from 0 to 2**64 - 1; got {seed!r}")
