"""Sums by section are exact: the same as adding up game by game, however the blocks are cut into pieces."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.experiments.plan import Plan
from simulator.experiments.sections import SECTIONS, Sections, Variable, sum_up, variables
from simulator.keer_op_keer.rules import Rules
from simulator.outcomes import Outcomes
from simulator.strategy import Weights
from simulator.watch import FACTS
from tests.experiments.fakes import plan
from tests.experiments.watched import part_of, random_watched, scored

NAMES = "abcdef"


def qwixx_plan(*names: str, games: int = 100, solo: bool = False) -> Plan:
    """A plan of the other game."""
    return Plan(tuple(Weights(name, "an idea", {"points": 1.0}) for name in names), (), games, solo=solo, game="qwixx")


def naive_sums(
    made: Plan, first_block: int, out: Outcomes
) -> tuple[dict[int, Counter[Variable]], dict[int, list[int]]]:
    """By section: the sum of every variable, and all scores; game by game and seat by seat."""
    sums: dict[int, Counter[Variable]] = {}
    scores: dict[int, list[int]] = {}
    watch = made.played.watch
    for b in range(len(out.rolls)):
        section = (first_block + b) % 50
        found, here = sums.setdefault(section, Counter()), scores.setdefault(section, [])
        found["blocks", 0, 0] += 1
        of_block = 0
        for g, row in enumerate(made.seating.tolist()):
            points, shares = out.scores[b, g].tolist(), out.shares[b, g].tolist()
            facts = dict(zip(FACTS, out.facts[b, g].tolist(), strict=True))
            found["games", 0, 0] += 1
            found["rolls", 0, 0] += int(out.rolls[b, g])
            found["ties", 0, 0] += 60 not in shares
            ranked = sorted(points, reverse=True)
            margin = ranked[0] - ranked[1] if len(ranked) > 1 else 0
            found["margin", 0, 0] += margin
            found["close", 0, 0] += margin <= 3
            found["start_share", 0, 0] += shares[0]
            found["start_lead", 0, 0] += sum(points[0] - other for other in points[1:])
            found["lead_changes", 0, 0] += facts["lead_changes"]
            found["led_from", 0, 0] += facts["led_from"]
            found["ending", facts["ending"], 0] += 1
            for seat, strategy in enumerate(row):
                here.append(points[seat])
                of_block += points[seat]
                found["points", 0, 0] += points[seat]
                found["squares", 0, 0] += points[seat] ** 2
                found["score", strategy, 0] += points[seat]
                found["share", strategy, 0] += shares[seat]
                for i, part in enumerate(out.parts[b, g, seat].tolist()):
                    found["part", i, 0] += part
                *counts, done, first = out.counts[b, g, seat].tolist()
                for i, count in enumerate(counts):
                    found["count", i, 0] += count
                for feat in range(len(watch.feats)):
                    found["done", strategy, feat] += done // 2**feat % 2
                    found["first", strategy, feat] += first // 2**feat % 2
        found["block_squares", 0, 0] += of_block**2
    return sums, scores


def same(found: Sections, other: Sections) -> bool:
    return (
        bool((found.sums == other.sums).all()) and bool((found.scores == other.scores).all()) and found.low == other.low
    )


plans = st.one_of(
    st.integers(2, 6).map(lambda n: plan(*NAMES[:n])),
    st.integers(1, 6).map(lambda n: plan(*NAMES[:n], solo=True)),
    st.integers(2, 5).map(lambda n: qwixx_plan(*NAMES[:n])),
    st.integers(1, 4).map(lambda n: qwixx_plan(*NAMES[:n], solo=True)),
    st.just(plan(*"abc", table=2)),
    st.just(plan(*"abcd", table=3, focus=True)),
)


@given(plans, st.integers(0, 2**32), st.integers(1, 70), st.integers(0, 10**9))
@settings(max_examples=40, deadline=None)
def test_same_as_adding_up_game_by_game(made: Plan, seed: int, blocks: int, first_block: int) -> None:
    out = random_watched(made, blocks, seed)
    found = sum_up(made, first_block, out)
    sums, scores = naive_sums(made, first_block, out)
    names = variables(made)
    assert len(set(names)) == len(names)
    assert all(set(of) <= set(names) for of in sums.values())  # nothing is left out
    for section in range(SECTIONS):
        expected = sums.get(section, Counter())
        assert dict(zip(names, found.sums[section].tolist(), strict=True)) == {name: expected[name] for name in names}
        counted = {found.low + int(i): int(found.scores[section, i]) for i in np.flatnonzero(found.scores[section])}
        assert counted == Counter(scores.get(section, []))


@given(plans, st.integers(0, 2**32), st.lists(st.integers(1, 30), min_size=1, max_size=6), st.randoms())
@settings(max_examples=30, deadline=None)
def test_pieces_in_any_order_make_the_whole(made: Plan, seed: int, sizes: list[int], random: object) -> None:
    out = random_watched(made, sum(sizes), seed)
    ends = np.cumsum(sizes).tolist()
    pieces = [sum_up(made, end - size, part_of(out, end - size, end)) for end, size in zip(ends, sizes, strict=True)]
    random.shuffle(pieces)  # type: ignore[attr-defined]
    merged = Sections.empty(made)
    for piece in pieces:
        merged = merged + piece
    assert same(merged, sum_up(made, 0, out))


@pytest.mark.parametrize("first_block", [0, 1, 49, 50, 123, 10**12])
def test_the_number_of_a_block_decides_its_section(first_block: int) -> None:
    made = plan("a", "b")
    found = sum_up(made, first_block, random_watched(made, 3))
    place = variables(made).index(("blocks", 0, 0))
    expected = [0] * 50
    for block in range(first_block, first_block + 3):
        expected[block % 50] += 1
    assert found.sums[:, place].tolist() == expected
    assert found.scores.sum(axis=1).tolist() == [4 * n for n in expected]


def test_nothing_is_the_zero_of_addition() -> None:
    made = plan("a", "b", "c")
    found = sum_up(made, 7, random_watched(made, 20))
    assert same(found + Sections.empty(made), found)
    assert not same(found + found, found)


def test_the_lowest_and_the_highest_score_have_a_place() -> None:
    made = plan("a", "b", rules=Rules(star_penalty=3, jokers=99, mark_points=99))
    low, high = made.rules.score_range()
    found = sum_up(made, 0, scored(made, np.array([[[low, high], [high, high]]])))
    assert np.flatnonzero(found.scores[0]).tolist() == [0, high - low]
    assert (found.scores[0, 0], found.scores[0, -1]) == (1, 3)


def test_sums_of_long_runs_do_not_overflow() -> None:
    """A hundred million merges of a chunk of the lowest scores that there can be, as numbers without a bound."""
    made = plan(*NAMES, rules=Rules(pass_penalty=99, star_penalty=99))
    low, _ = made.rules.score_range()
    chunk = sum_up(made, 0, scored(made, np.full((50, 6, 6), low)))
    many = 10**8
    merged = dataclasses.replace(chunk, sums=chunk.sums * many) + chunk
    names = variables(made)
    whole = dict(zip(names, merged.sums.sum(axis=0).tolist(), strict=True))
    assert whole["squares", 0, 0] == (many + 1) * 50 * 36 * low**2
    assert whole["block_squares", 0, 0] == (many + 1) * 50 * (36 * low) ** 2 > 2**63
    assert whole["points", 0, 0] == (many + 1) * 50 * 36 * low
