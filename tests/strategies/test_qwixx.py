"""The shipped strategies of Qwixx do what their names say, move for move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from scipy import stats

from simulator.outcomes import alone, rotations
from simulator.qwixx.game import GAME
from simulator.qwixx.rules import COLORS, OFFICIAL, position_of
from simulator.table import Table
from strategies import find_strategy, strategy_names

BLOCKS = 1000  # of two games
RECORDED = 60  # blocks whose moves are looked at


@cache
def table(*names: str) -> Table:
    """These at a table, or one alone."""
    strategies = [find_strategy(name, "qwixx") for name in names]
    solo = len(names) == 1
    return Table(GAME, strategies, [], OFFICIAL, 1, alone(1) if solo else rotations(len(names)), solo=solo)


@cache
def means(*names: str) -> dict[str, float]:
    """Mean of each part of the score, and of the score, of the first strategy."""
    played = table(*names)
    games = played.play(0, BLOCKS)
    mine = played.seating == 0
    parts = games.parts[:, mine].mean(axis=(0, 1))
    return {**dict(zip(GAME.parts, parts, strict=True)), "total": games.scores[:, mine].mean()}


class Move(NamedTuple):
    """A move of the first strategy, and what was known when it was made."""

    entry: dict[str, Any]
    gap: int | None  # numbers skipped; None for the pass
    active: bool
    crossed: bool  # something in this turn, before


def moves(*names: str) -> Iterator[Move]:
    """All moves of the first strategy in the recorded games."""
    played = table(*names)
    for block in range(RECORDED):
        for game, seating in enumerate(played.seating.tolist()):
            seat = seating.index(0)
            yield from moves_of(played.record(block, game), seat)


def moves_of(record: dict[str, Any], seat: int) -> Iterator[Move]:
    last = dict.fromkeys(COLORS, 0)
    for roll in record["rolls"]:
        crossed = False
        for entry in (entry for entry in roll["moves"] if entry["player"] == seat):
            gap = None
            if not entry["pass"]:
                row = entry["row"]
                position = position_of(COLORS.index(row), entry["number"])
                gap = position - last[row] - 1
            yield Move(entry, gap, roll["active"] == seat, crossed)
            if gap is not None:
                last[row], crossed = position, True


@pytest.mark.parametrize("most", [0, 1, 3])
def test_fewest_skips_never_skips_more_than_max(most: int) -> None:
    gaps = [move.gap for move in moves(f"fewest-skips:max={most}", "avoid-penalty") if move.gap is not None]
    assert len(gaps) > 300
    assert min(gaps) == 0
    assert max(gaps) == most


def test_fewest_skips_skips_more_only_to_avoid_a_penalty() -> None:
    found = [move for move in moves("fewest-skips:max=1,avoid=4", "random") if move.gap is not None]
    more = [move for move in found if move.gap is not None and move.gap > 1]
    assert {move.gap for move in more} == {2, 3, 4}
    assert all(move.active and not move.crossed for move in more)
    assert means("fewest-skips:max=1,avoid=4", "random")["penalties"] > means("fewest-skips", "random")["penalties"]


def test_fewest_skips_passes_only_if_all_else_skips_too_much() -> None:
    """It never passes when the white sum is the very next number of a row."""
    record = table("fewest-skips", "random").record(0, 0)
    last = dict.fromkeys(COLORS, 0)
    for roll in record["rolls"]:
        total = sum(roll["dice"]["white"])
        for entry in (entry for entry in roll["moves"] if entry["player"] == 0):
            if entry["pass"] and entry["action"] == "white":
                gaps = [position_of(row, total) - last[color] - 1 for row, color in enumerate(COLORS)]
                assert not any(0 <= gap <= 1 for gap in gaps)
            elif not entry["pass"]:
                last[entry["row"]] = position_of(COLORS.index(entry["row"]), entry["number"])


@pytest.mark.parametrize("others", [(), ("random",), ("avoid-penalty",)], ids=str)
def test_avoid_penalty_takes_fewer_penalties_than_fewest_skips(others: tuple[str, ...]) -> None:
    mine, theirs = means("avoid-penalty", *others), means("fewest-skips", *others)
    assert mine["penalties"] > theirs["penalties"] + 3  # points
    assert mine["total"] > theirs["total"]


def test_avoid_penalty_skips_many_only_in_need() -> None:
    found = [move for move in moves("avoid-penalty", "fewest-skips") if move.gap is not None]
    assert any(move.gap > 1 for move in found if move.gap is not None)
    for move in found:
        assert move.gap is not None
        assert move.gap <= (6 if move.active and not move.crossed else 1)


def test_all_score_more_than_random() -> None:
    names = [name for name in strategy_names("qwixx") if name not in ("random", "optimal")]
    for name in names:
        assert means(name)["total"] > means("random")["total"] + 20


def test_random_makes_every_move_as_often_as_any_other() -> None:
    """In the first roll a player may pass or cross the white sum in four rows; 2 and 12 end a row and may not lock."""
    played = table("random", "random")
    seen: Counter[str] = Counter()
    for block in range(250):
        for game in range(2):
            roll = played.record(block, game)["rolls"][0]
            if sum(roll["dice"]["white"]) in (2, 12):
                continue
            for entry in roll["moves"]:
                if entry["action"] == "white":
                    seen["pass" if entry["pass"] else entry["row"]] += 1
    assert set(seen) == {"pass", *COLORS}
    assert sum(seen.values()) > 900
    assert stats.chisquare(list(seen.values())).pvalue > 0.01


def test_random_does_not_mind_the_numbers_that_it_skips() -> None:
    gaps = [move.gap for move in moves("random", "random") if move.gap is not None]
    assert max(gaps) == 9
    assert means("random")["penalties"] < -19
