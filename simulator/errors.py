"""Errors by cause, each one clear line: what was wrong, and what would be right.

Every error that a user's input can cause is a :class:`KokSimError`; the command line prints its message as it is and
exits with code 2. Anything else that escapes is a fault of ours.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class KokSimError(ValueError):
    """Base class: the message is one line that a user can act on."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The most similar of some names, whatever their capitals; empty if none is similar."""
    folded = {other.casefold(): other for other in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    return folded[near[0]] if near else ""


class UnknownNameError(KokSimError):
    """A name that is not in its list.

    Parameters
    ----------
    kind : str
        What the name should have named, as a noun: ``"strategy"``.
    name : str
        The name as it was given.
    known : iterable of str
        The names that would be right; the nearest one is offered, else all are listed.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = nearest(name, names)
        hint = f"did you mean {near!r}?" if near else f"known: {', '.join(names)}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class SheetError(KokSimError):
    """A sheet that cannot be read or played."""


class RulesError(KokSimError):
    """A rule set that is out of range, contradictory, or describes a game that cannot end."""


class StrategyError(KokSimError):
    """A strategy that cannot be loaded, or that misbehaved in a game."""


class RecordError(KokSimError):
    """A game record that is malformed, or does not agree with the rules."""


class PlanError(KokSimError):
    """An experiment that cannot be run as described."""


class OutputError(KokSimError):
    """A file or folder that cannot be written."""
