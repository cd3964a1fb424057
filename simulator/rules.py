"""Rules as data: what the rule sets of all games have in common."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from simulator.errors import RulesError, UnknownNameError


@dataclass(frozen=True)
class RuleSet:
    """The switches of a game, each a field with its official value as default. Checked on construction.

    A game has a frozen subclass of its own; what it checks beyond types and ranges is in ``_verify``. A switch is a
    truth value, a whole number, a text, or a tuple of whole numbers.

    Raises
    ------
    RulesError
        For a value of the wrong type or out of range, with the key at fault.
    """

    ranges: ClassVar[Mapping[str, tuple[int, int]]] = {}
    """Lowest and highest value of each whole number, and of each entry of each tuple."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            _verify_type(field.name, field.default, getattr(self, field.name))
        for name, (low, high) in self.ranges.items():
            _verify_range(name, getattr(self, name), low, high)
        self._verify()

    def _verify(self) -> None:
        """Refuse what contradicts itself, and games that cannot end."""

    def changes(self) -> dict[str, Any]:
        """What differs from the official rules, with the keys of a rules file, in the order of the fields."""
        return {
            f.name: list(value) if isinstance(value := getattr(self, f.name), tuple) else value
            for f in dataclasses.fields(self)
            if getattr(self, f.name) != f.default
        }

    @classmethod
    def from_changes(cls, changes: Mapping[str, Any]) -> Self:
        """Rules from what differs.

        Raises
        ------
        RulesError
            For a value of the wrong type or out of range.
        UnknownNameError
            For a key that is no switch.
        """
        known = {f.name for f in dataclasses.fields(cls)}
        for key in changes:
            if key not in known:
                raise UnknownNameError("rule", key, known)
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in changes.items()}
        return cls(**values)

    def told(self) -> str:
        """In words: ``"official rules"``, or ``"rules joker_marks=6, shared_firsts=false"``."""
        return f"rules {', '.join(self.typed())}" if self.typed() else "official rules"

    def typed(self) -> list[str]:
        """What differs from the official rules, each as ``key=value`` as it is typed: ``"shared_firsts=false"``."""
        return [f"{key}={_typed(value)}" for key, value in self.changes().items()]

    def score_range(self) -> tuple[int, int]:
        """Bounds, inclusive, of what a score can be: for histograms."""
        raise NotImplementedError


def _typed(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _verify_type(name: str, default: object, value: object) -> None:
    if isinstance(default, tuple):
        if not isinstance(value, tuple) or len(value) != len(default) or any(type(v) is not int for v in value):
            raise RulesError(f"{name} must be {len(default)} whole numbers; got {value!r}")
    elif type(value) is not type(default):
        wanted = {bool: "true or false", int: "a whole number", str: "a text"}[type(default)]
        raise RulesError(f"{name} must be {wanted}; got {value!r}")


def _verify_range(name: str, value: int | tuple[int, ...], low: int, high: int) -> None:
    for number in value if isinstance(value, tuple) else (value,):
        if not low <= number <= high:
            raise RulesError(f"{name} must be from {low} to {high}; got {number}")
