"""Rules as data: what the rule sets of all games have in common."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from simulator.errors import RulesError, UnknownNameError


class Switch(NamedTuple):
    """One rule that can be changed.

    Parameters
    ----------
    name : str
        As it is typed: ``"star_penalty"``.
    official : bool, int, str or tuple of int
        Its value in the official rules; every other value is of the same type, tuples of the same length too.
    about : str
        What it means, in one sentence.
    low, high : int
        Lowest and highest value of a whole number, and of each entry of a tuple.
    choices : tuple of str
        The texts that there are, if they can be listed.
    form : str
        What a text must be, if they cannot.
    """

    name: str
    official: Any
    about: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    form: str = ""

    @property
    def allowed(self) -> str:
        """What it may be: ``"true or false"``, ``"0 to 99"``, ``"15 numbers, each 0 to 99"``, ``"one of a, b"``."""
        if isinstance(self.official, bool):
            return "true or false"
        if isinstance(self.official, tuple):
            return f"{len(self.official)} numbers, each {self.low} to {self.high}"
        if isinstance(self.official, int):
            return f"{self.low} to {self.high}"
        return self.form or f"one of {', '.join(self.choices)}"

    def verify(self, value: object) -> None:
        """Raise :class:`RulesError` for a value of the wrong type or out of range, with the name at fault."""
        if type(value) is not type(self.official) or (isinstance(value, tuple) and not self._has_form(value)):
            raise RulesError(f"{self.name} must be {self._kind}; got {_shown(value)}")
        if isinstance(value, str) and self.choices and value not in self.choices:
            raise UnknownNameError(self.name, value, self.choices)
        if type(value) is int or isinstance(value, tuple):
            for number in value if isinstance(value, tuple) else (value,):
                if not self.low <= number <= self.high:
                    raise RulesError(f"{self.name} must be from {self.low} to {self.high}; got {number}")

    @property
    def _kind(self) -> str:
        if isinstance(self.official, tuple):
            return f"{len(self.official)} whole numbers"
        return {bool: "true or false", int: "a whole number", str: "a text"}[type(self.official)]

    def _has_form(self, value: Sequence[object]) -> bool:
        return len(value) == len(self.official) and all(type(number) is int for number in value)


def switch(
    official: Any, about: str, low: int = 0, high: int = 0, choices: tuple[str, ...] = (), form: str = ""
) -> Any:
    """A field of a :class:`RuleSet`; see :class:`Switch`."""
    described = {"about": about, "low": low, "high": high, "choices": choices, "form": form}
    return dataclasses.field(default=official, metadata=described)


@dataclass(frozen=True)
class RuleSet:
    """The switches of a game, each a field made by :func:`switch`. Checked on construction.

    A game has a frozen subclass of its own; what it checks beyond types and ranges is in ``_verify``.

    Raises
    ------
    RulesError, UnknownNameError
        For a value of the wrong type or out of range, or a text that is none of the choices, with the key at fault.
    """

    def __post_init__(self) -> None:
        for found in self.switches():
            found.verify(getattr(self, found.name))
        self._verify()

    def _verify(self) -> None:
        """Refuse what contradicts itself, and games that cannot end."""

    @classmethod
    def switches(cls) -> list[Switch]:
        """All switches, in order."""
        return [Switch(field.name, field.default, **field.metadata) for field in dataclasses.fields(cls)]

    def changes(self) -> dict[str, Any]:
        """What differs from the official rules, with the keys of a rules file, in the order of the fields."""
        return {
            s.name: list(value) if isinstance(value := getattr(self, s.name), tuple) else value
            for s in self.switches()
            if getattr(self, s.name) != s.official
        }

    @classmethod
    def from_changes(cls, changes: Mapping[str, Any]) -> Self:
        """Rules from what differs from the official ones.

        Raises
        ------
        RulesError
            For a value of the wrong type or out of range.
        UnknownNameError
            For a key that is no switch.
        """
        return cls().changed(changes)

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """These rules with some switches set anew; raises as :meth:`from_changes` does."""
        known = [s.name for s in self.switches()]
        for key in changes:
            if key not in known:
                raise UnknownNameError("rule", key, known)
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in changes.items()}
        return dataclasses.replace(self, **values)

    def told(self) -> str:
        """In words: ``"official rules"``, or ``"rules jokers=6, shared_firsts=false"``."""
        return f"rules {', '.join(self.typed())}" if self.typed() else "official rules"

    def typed(self) -> list[str]:
        """What differs from the official rules, each as ``key=value`` as it is typed: ``"shared_firsts=false"``."""
        return [f"{key}={typed(value)}" for key, value in self.changes().items()]

    def score_range(self) -> tuple[int, int]:
        """Bounds, inclusive, of what a score can be: for histograms."""
        raise NotImplementedError


def typed(value: object) -> str:
    """The value of a switch as it is typed: ``"false"``, ``"5,3,3"``."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _shown(value: object) -> str:
    """A value for an error, as a rules file has it."""
    return repr(list(value) if isinstance(value, tuple) else value)
