"""Who is where: order, places, groups that cannot be told apart, triples that beat each other; and the words for it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from reports.sentences import MOST_CYCLES, games_at_tables, notes, ranks, sentences
from reports.standings import standings
from reports.statistics import Figures, figures
from simulator.experiments.result import Result
from simulator.experiments.tally import Tally
from tests.experiments.fakes import PARTS, plan
from tests.reports.made import common_luck, outcomes_of, random_result, result_of, winning

HOLM = (
    "A difference counts as found if p < 0.05 after Holm's correction, in each table by itself, for {}; "
    "others are marked with =."
)


def beaten(table: tuple[int, ...], by: dict[int, set[int]]) -> int:
    """Who beats the other of a pair, by what each beats."""
    return next(i for i in table if set(table) - {i} <= by[i])


def circle(count: int, steps: Sequence[int]) -> dict[int, set[int]]:
    """Each of a circle beats those so many steps on."""
    return {i: {(i + step) % count for step in steps} for i in range(count)}


def fixed(names: str, by: dict[int, set[int]], blocks: int = 40, *, focus: bool = False) -> Figures:
    """Figures of pairs that always end in the same way."""
    made = plan(*names, games=2 * blocks, table=2, focus=focus)
    return figures(result_of(made, outcomes_of(made, winning(made, lambda table: beaten(table, by)))))


def lucky(means: Sequence[int], games: int, *, table: int = 2, focus: bool = False, seed: int = 1) -> Figures:
    """Figures of strategies a, b, … with these mean scores and some luck."""
    made = plan(*"abcdefgh"[: len(means)], games=games, table=table, focus=focus)
    return figures(result_of(made, outcomes_of(made, common_luck(made, means, np.random.default_rng(seed)))))


ROCK_PAPER_SCISSORS = circle(3, [1])


def test_a_clear_order() -> None:
    shown = fixed("abcd", {2: {0, 1, 3}, 0: {1, 3}, 3: {1}, 1: set()})
    found = standings(shown)
    assert found.order == [2, 0, 3, 1]
    assert [found.places[i] for i in found.order] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert found.groups == []
    assert found.cycles == []
    assert all((lead.low or 0) > 0 for lead in found.leads)
    assert all(chance > 0.999 for chance in found.superiority)


def test_leads_are_the_differences_of_ratings_between_neighbors() -> None:
    shown = lucky((20, 23, 21, 24, 20), 200)
    found = standings(shown)
    ratings = [shown.strategies[i]["elo"].value or 0.0 for i in found.order]
    assert ratings == sorted(ratings, reverse=True)
    assert [lead.value for lead in found.leads] == pytest.approx([a - b for a, b in pairwise(ratings)])
    differences = {(pair.second, pair.first): pair.difference for pair in shown.by("elo")}
    for (better, worse), lead in zip(pairwise(found.order), found.leads, strict=True):
        mine = differences[better, worse] if (better, worse) in differences else -differences[worse, better]
        assert lead == mine


def test_superiority_is_the_normal_probability_of_the_lead() -> None:
    found = standings(lucky((20, 21, 20, 20), 60))
    for lead, chance in zip(found.leads, found.superiority, strict=True):
        assert lead.value is not None
        assert lead.se is not None
        assert chance == pytest.approx(stats.norm.cdf(lead.value / lead.se))
        assert 0.5 <= chance <= 1


def test_two_at_the_top_that_cannot_be_told_apart() -> None:
    shown = lucky((20, 30, 30, 10), 1000)
    found = standings(shown)
    assert set(found.order[:2]) == {1, 2}
    assert [found.places[i] for i in range(4)] == [(3, 3), (1, 2), (1, 2), (4, 4)]
    assert ranks(shown) == found.places
    assert found.groups == [found.order[:2]]
    names = " and ".join(shown.labels[i] for i in found.order[:2])
    assert sentences(shown)[1] == f"1st to 2nd ({names}) cannot be told apart at n = 1,000 games a table."


def test_groups_may_overlap() -> None:
    """The best and the last differ, the one in the middle differs from neither."""
    shown = lucky((20, 21, 22), 100)
    found = standings(shown)
    assert found.order == [2, 1, 0]
    assert found.groups == [[2, 1], [1, 0]]
    assert found.places == [(2, 3), (1, 3), (1, 2)]
    assert sentences(shown)[1:3] == [
        "1st to 2nd (c and b) cannot be told apart at n = 100 games a table.",
        "2nd to 3rd (b and a) cannot be told apart at n = 100 games a table.",
    ]


def test_all_equal_are_one_group() -> None:
    shown = lucky((20, 20, 20, 20), 100)
    found = standings(shown)
    assert found.groups == [found.order]
    assert found.places == [(1, 4)] * 4
    assert "1st to 4th (" in sentences(shown)[1]


def test_rock_paper_scissors() -> None:
    shown = fixed("abc", ROCK_PAPER_SCISSORS)
    found = standings(shown)
    assert found.cycles == [(0, 1, 2)]
    assert [measures["elo"].value for measures in shown.strategies] == pytest.approx([0, 0, 0])
    assert found.groups == [[0, 1, 2]]
    assert found.superiority == [0.5, 0.5]
    assert sentences(shown) == [
        "Ranked by rating after 80 games at each of 3 tables of 2: 1.–3. a (0), 1.–3. b (0), 1.–3. c (0).",
        "1st to 3rd (a, b and c) cannot be told apart at n = 80 games a table.",
        "Not transitive: a beats b, b beats c, and c beats a.",
        HOLM.format("3 pairs"),
    ]


def test_the_cycle_names_who_beats_whom() -> None:
    assert standings(fixed("abc", circle(3, [2]))).cycles == [(0, 2, 1)]
    shown = fixed("abcd", {0: {1, 3}, 1: {2, 3}, 2: {0, 3}, 3: set()})
    assert "Not transitive: a beats b, b beats c, and c beats a." in sentences(shown)


def test_a_cycle_that_may_be_luck_is_none() -> None:
    shown = fixed("abc", ROCK_PAPER_SCISSORS, blocks=4)
    assert standings(shown).cycles == []
    assert not any("transitive" in line for line in sentences(shown))


def test_of_many_cycles_a_few_are_named_and_the_rest_counted() -> None:
    """Seven of which each beats three, so that for any two somebody beats both (Paley): 14 of 35 triples are cyclic."""
    shown = fixed("abcdefg", circle(7, [1, 2, 4]))
    assert len(standings(shown).cycles) == 14
    lines = [line for line in sentences(shown) if "transitive" in line]
    assert len(lines) == MOST_CYCLES + 1
    assert lines[-1] == "Not transitive either: 9 more triples, see cycles in the JSON format."


def test_cycles_at_larger_tables_are_of_those_who_meet_there() -> None:
    """With d at the table a does better than b, b than c, and c than a; without it they share the win."""
    made = plan(*"abcd", games=120, table=3)
    winner = {(0, 1, 2): -1, (0, 1, 3): 0, (1, 2, 3): 1, (0, 2, 3): 2}
    shown = figures(result_of(made, outcomes_of(made, winning(made, winner.__getitem__))))
    assert standings(shown).cycles == [(0, 1, 2)]
    assert standings(shown).order[3] == 3


def test_the_focus_is_compared_with_each_other() -> None:
    shown = lucky((20, 30, 20, 10, 11), 400, focus=True)
    assert shown.plan.labels[0] == "a"
    assert sentences(shown)[1] == (
        "a is stronger than d and e; weaker than b; not to be told apart from c, each where they meet."
    )
    assert HOLM.format("10 pairs of ratings and 4 who met") in sentences(shown)


def test_a_focus_that_beats_all() -> None:
    shown = fixed("abc", {0: {1, 2}, 1: {2}, 2: set()}, focus=True)
    assert "a is stronger than b and c, each where they meet." in sentences(shown)


def test_others_are_rated_through_the_focus() -> None:
    """They never met, and yet the one that loses less to the focus is ranked above the other."""
    shown = lucky((30, 28, 20, 10), 2000, focus=True)
    found = standings(shown)
    assert found.order == [0, 1, 2, 3]
    assert found.groups == []
    assert (1, 2) not in shown.met


def test_words_of_a_clear_order() -> None:
    shown = lucky((20, 30), 1000)
    values = [measures["elo"].value or 0.0 for measures in shown.strategies]
    assert sentences(shown) == [
        f"Ranked by rating after 1,000 games at a table of 2: 1. b ({values[1]:+.0f}), 2. a ({values[0]:+.0f}).",
        HOLM.format("1 pair"),
    ]


@pytest.mark.parametrize(
    ("names", "table", "words"),
    [
        ("abcd", 2, "100 games at each of 6 tables of 2"),
        ("abcd", 3, "102 games at each of 4 tables of 3"),
        ("abc", 3, "102 games at a table of 3"),
    ],
)
def test_games_of_a_tournament(names: str, table: int, words: str) -> None:
    shown = figures(random_result(plan(*names, games=100, table=table)))
    assert games_at_tables(shown.plan, shown.games) == words


def test_one_strategy_several_times_is_chance_alone() -> None:
    shown = figures(random_result(plan("a", "a", "a", games=100, table=2)))
    assert sentences(shown) == [
        "a, a (2) and a (3) are one and the same strategy on the same sheet: "
        "whatever separates them here is chance alone."
    ]


def test_nothing_played() -> None:
    made = plan(*"abc", games=10, table=2)
    empty = Result(
        made, Tally.empty(made.seating, 5, made.rules.score_range()), PARTS, 0.0, "1 thread", interrupted=True
    )
    assert sentences(figures(empty)) == ["No games were played, so nothing was found."]
    assert notes(empty) == ["Interrupted: the figures are of the first 0 of 10 games."]


def test_rounding_to_whole_blocks_is_told_with_the_seats_of_a_table() -> None:
    assert notes(random_result(plan(*"abcd", games=10, table=3))) == [
        "10 games asked for, 12 planned: every deal of dice is played once for each of the 3 rotations of the seats."
    ]


def test_one_block_tells_nobody_apart() -> None:
    shown = lucky((0, 10, 20, 30), 2)
    found = standings(shown)
    assert found.order == [3, 2, 1, 0]
    assert found.places == [(1, 4)] * 4
    assert found.superiority == [None] * 3
