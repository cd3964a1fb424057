"""Records of any game changed on purpose, and what must be said of them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from simulator.errors import RecordError

Tampering = Callable[[dict[str, Any]], Any]
Verify = Callable[[Any], None]
ANY_VALUE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 13),
    st.text("gH1 red7", max_size=3),
    *map(st.just, ([], {}, [[1]], {"a": 1})),
)


def change(*path: Any, to: Any) -> Tampering:
    """Another value at a place, which must not be the one that is there."""

    def tamper(record: dict[str, Any]) -> None:
        *way, last = path
        part: Any = record
        for step in way:
            part = part[step]
        if isinstance(part, list) or last in part:
            assert part[last] != to or type(part[last]) is not type(to)
        part[last] = to

    return tamper


def swap_rolls(record: dict[str, Any]) -> None:
    """Two rolls in each other's places."""
    rolls = record["rolls"]
    rolls[4], rolls[6] = rolls[6], rolls[4]


def verify_refuses(verify: Verify, record: dict[str, Any], tamper: Tampering, complaint: str = "") -> None:
    """A copy of a record that was tampered with is refused in one line, which holds the complaint."""
    record = copy.deepcopy(record)
    tamper(record)
    with pytest.raises(RecordError) as caught:
        verify(record)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def any_change(data: st.DataObject) -> Tampering:
    """Any one value of the first rolls replaced by any other (so that the record ends too early in any case)."""

    def tamper(record: dict[str, Any]) -> None:
        record["rolls"] = record["rolls"][:4]
        part: Any = record
        while True:
            key = data.draw(st.sampled_from(list(part) if isinstance(part, dict) else list(range(len(part)))))
            if isinstance(part[key], dict | list) and part[key] and data.draw(st.booleans()):
                part = part[key]
                continue
            part[key] = data.draw(ANY_VALUE)
            return

    return tamper
