"""Every measure on small games worked out by hand."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.measures import Measure, Measured, feat_share, first_share, measures, skill
from simulator.experiments.plan import Plan
from simulator.experiments.sections import Sections, sum_up
from simulator.games import find_game
from simulator.keer_op_keer.rules import Rules
from simulator.outcomes import Outcomes
from simulator.strategy import Weights
from simulator.watch import ENDING, LEAD_CHANGES, LED_FROM
from tests.experiments.fakes import plan
from tests.experiments.watched import empty_watched, scored, share_wins

QWIXX = find_game("qwixx")


def qwixx_plan(*names: str, games: int = 4, solo: bool = False) -> Plan:
    strategies = tuple(Weights(name, "an idea", {"points": 1.0}) for name in names)
    return Plan(strategies, (), games, solo=solo, game="qwixx")


def values(made: Plan, out: Outcomes) -> dict[str, float | None]:
    """All measures of these outcomes."""
    whole = Measured(made, sum_up(made, 0, out)).whole
    return {measure.name: measure.value(whole) for measure in measures(made)}


def hand_made() -> tuple[Plan, Outcomes]:
    """Two deals of two games between a and b; a sits first in the first game of a deal, b in the second.

    ===== ==== ========== ===== ===================== ====================================
    deal  game scores     rolls winner                watched
    ===== ==== ========== ===== ===================== ====================================
    0     0    a 20, b 17 30    a                     full colors, 2 changes, led from 10
    0     1    b 10, a 10 20    both                  full colors, 0 changes, led from 20
    1     0    a 30, b 10 25    a                     the limit, 1 change, led from 5
    1     1    b 14, a 10 45    b                     safety limit, 5 changes, led from 13
    ===== ==== ========== ===== ===================== ====================================
    """
    made = plan("a", "b", games=4)
    out = scored(made, np.array([[[20, 17], [10, 10]], [[30, 10], [14, 10]]]))
    out.rolls[:] = [[30, 20], [25, 45]]
    out.facts[..., ENDING] = [[0, 0], [1, 2]]
    out.facts[..., LEAD_CHANGES] = [[2, 0], [1, 5]]
    out.facts[..., LED_FROM] = [[10, 20], [5, 13]]
    return made, out


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rolls", (30 + 20 + 25 + 45) / 4),
        ("ended_full_colors", 2 / 4),
        ("ended_roll_limit", 1 / 4),
        ("ended_safety_limit", 1 / 4),
        ("mean_score", (20 + 17 + 10 + 10 + 30 + 10 + 14 + 10) / 8),  # 121 / 8
        # squares: 400 + 289 + 100 + 100 + 900 + 100 + 196 + 100 = 2185
        ("sd_score", math.sqrt(2185 / 8 - (121 / 8) ** 2)),
        ("margin", (3 + 0 + 20 + 4) / 4),
        ("close", 2 / 4),  # by 3, and the tie; not the one by 4
        ("ties", 1 / 4),
        ("start_score_lead", ((20 - 17) + (10 - 10) + (30 - 10) + (14 - 10)) / 4),
        ("start_win_lead", (1 + 0.5 + 1 + 1) / 4 - 1 / 2),
        ("lead_changes", 8 / 4),
        ("led_from", (10 + 20 + 5 + 13) / (30 + 20 + 25 + 45)),
        ("win a", (1 + 0.5 + 1 + 0) / 4),
        ("win b", (0 + 0.5 + 0 + 1) / 4),
        ("score a", (20 + 10 + 30 + 10) / 4),
        ("score b", (17 + 10 + 10 + 14) / 4),
        # deals: 57 / 4 and 64 / 4, so a variance of (7 / 8)^2 about 121 / 8
        ("dice_variance", (7 / 8) ** 2 / (2185 / 8 - (121 / 8) ** 2)),
        # strategies: 70 / 4 and 51 / 4, so a variance of (19 / 8)^2
        ("strategy_variance", (19 / 8) ** 2 / (2185 / 8 - (121 / 8) ** 2)),
    ],
)
def test_worked_out_by_hand(name: str, expected: float) -> None:
    assert values(*hand_made())[name] == pytest.approx(expected, rel=1e-12)


def test_parts_are_those_of_a_player() -> None:
    made, out = hand_made()
    out.parts[:] = 0
    out.parts[0, 0, 0] = [1, 2, 3, -4, 0]
    out.parts[1, 1, 1] = [7, 0, 0, 0, -8]
    found = values(made, out)
    names = ("colors", "columns", "jokers", "stars", "passes")
    assert [found[f"from_{part}"] for part in names] == [8 / 8, 2 / 8, 3 / 8, -4 / 8, -8 / 8]


def test_counts_are_of_a_player_or_of_a_roll() -> None:
    """jokers, passes, cells and late of 8 players; hurt of 120 rolls."""
    made, out = hand_made()
    out.counts[0, 0, 0, :5] = [8, 3, 90, 1, 12]
    out.counts[1, 1, 1, :5] = [4, 0, 70, 2, 6]
    found = values(made, out)
    assert [found[name] for name in ("joker_dice", "passes", "cells", "firsts_lost", "dice_denied")] == [
        12 / 8,
        3 / 8,
        160 / 8,
        3 / 8,
        18 / 120,
    ]


def test_counts_of_the_other_game() -> None:
    made = qwixx_plan("a", "b")
    out = scored(made, np.array([[[20, 17], [10, 10]], [[30, 10], [14, 10]]]))
    out.counts[0, 0, 1, :5] = [8, 3, 30, 1, 2]
    out.counts[1, 0, 0, :5] = [4, 0, 10, 2, 6]
    found = values(made, out)
    assert [found[n] for n in ("idle", "penalties", "crosses", "skipped", "rows_lost")] == [
        12 / 8,
        3 / 8,
        40 / 8,
        3 / 8,
        1,
    ]


def test_feats() -> None:
    """a fills column B (bit 1) in three of its four games and is first in two; b fills it in one, and orange (19)."""
    made, out = hand_made()
    done, first = out.counts[..., 5], out.counts[..., 6]
    done[0, 0] = [0b10, 0]  # a, b
    first[0, 0] = [0b10, 0]
    done[0, 1] = [0b10 | 1 << 19, 0b10]  # b, a
    first[0, 1] = [0b10 | 1 << 19, 0]
    done[1, 0] = [0b10, 0]
    first[1, 0] = [0b10, 0]
    whole = Measured(made, sum_up(made, 0, out)).whole
    feats = made.played.watch.feats
    b, orange, a = feats.index("column B"), feats.index("orange"), feats.index("column A")
    assert [feat_share(feat)(whole) for feat in (b, orange, a)] == [4 / 8, 1 / 8, 0]
    assert [first_share(b, i)(whole) for i in (0, 1)] == [2 / 4, 1 / 4]
    assert [first_share(orange, i)(whole) for i in (0, 1)] == [0, 1 / 4]


def test_skill_is_the_win_share_of_the_first() -> None:
    made, out = hand_made()
    found = Measured(made, sum_up(made, 0, out))
    assert skill(made).value(found.whole) == 2.5 / 4
    assert "a" in skill(made).label
    assert skill(made).label.index("a") < skill(made).label.rindex("b")


def test_three_players() -> None:
    """One deal, three games: who starts, the margin to the second of three, a tie of two and one of three."""
    made = plan("a", "b", "c", games=3)
    found = values(made, scored(made, np.array([[[20, 16, 3], [9, 9, 1], [5, 5, 5]]])))
    assert found["margin"] == 4 / 3
    assert found["close"] == found["ties"] == 2 / 3
    assert found["start_score_lead"] == pytest.approx(((4 + 17) / 2 + (0 + 8) / 2 + 0) / 3)
    assert found["start_win_lead"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3 - 1 / 3)
    # a sits in the seats 1, 2, 3 of the games, b in 2, 3, 1, c in 3, 1, 2
    assert made.seating.tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert [found[f"score {name}"] for name in "abc"] == [(20 + 9 + 5) / 3, (16 + 1 + 5) / 3, (3 + 9 + 5) / 3]
    wins = [(1 + 1 / 2 + 1 / 3) / 3, (0 + 0 + 1 / 3) / 3, (0 + 1 / 2 + 1 / 3) / 3]
    assert [found[f"win {name}"] for name in "abc"] == pytest.approx(wins)


def test_a_game_that_a_tie_break_decides_is_close_but_no_tie() -> None:
    made = plan("a", "b", games=2)
    out = scored(made, np.array([[[9, 9], [9, 9]]]))
    out.shares[:] = [[[60, 0], [30, 30]]]
    found = values(made, out)
    assert (found["margin"], found["close"], found["ties"], found["start_win_lead"]) == (0, 1, 1 / 2, 1 / 4)


@pytest.mark.parametrize(
    ("scores", "low", "high"),
    [
        # Each score is spread evenly from half a point below to half a point above it.
        ([7], 6.5 + 0.05, 6.5 + 0.95),
        ([7] * 6, 6.5 + 0.05, 6.5 + 0.95),
        (list(range(1, 21)), 1.5, 19.5),  # the lowest of 20 are 5 % of them
        (list(range(1, 11)), 1.0, 10.0),  # half of the lowest of 10, half of the highest
        ([0] * 9 + [60], -0.5 + 0.5 / 9, 59.5 + 0.5),
        ([-3, -3, 5, 5], -3.5 + 0.2 / 2, 4.5 + 1.8 / 2),
    ],
)
def test_quantiles(scores: list[int], low: float, high: float) -> None:
    made = plan("a", games=len(scores), solo=True)
    found = values(made, scored(made, np.array(scores)[:, None, None]))
    assert found["low_5"] == pytest.approx(low)
    assert found["high_5"] == pytest.approx(high)


@given(st.lists(st.integers(-20, 60), min_size=1, max_size=40), st.integers(-9, 9))
def test_quantiles_move_with_the_scores(scores: list[int], by: int) -> None:
    made = plan("a", games=len(scores), solo=True)
    one, other = (values(made, scored(made, np.array(scores)[:, None, None] + shift)) for shift in (0, by))
    for name in ("low_5", "mean_score", "high_5"):
        assert other[name] == pytest.approx((one[name] or 0) + by)
    assert other["sd_score"] == pytest.approx(one["sd_score"], abs=1e-6)
    assert min(scores) - 0.5 <= (one["low_5"] or 0) <= (one["high_5"] or 0) <= max(scores) + 0.5


@given(st.lists(st.integers(-30, 30), min_size=2, max_size=12), st.integers(0, 20))
def test_scores_of_a_deal_and_a_strategy_alone_leave_nothing_unexplained(deals: list[int], lead: int) -> None:
    """Score = deal + lead of b: variances of deals and of strategies add up to all; b leads by ``lead``: lead^2 / 4."""
    made = plan("a", "b", games=2 * len(deals))
    scores = np.array(deals)[:, None, None] + lead * made.seating
    found = values(made, scored(made, scores))
    whole = np.var(deals) + lead**2 / 4
    if not whole:
        assert found["dice_variance"] is found["strategy_variance"] is None
        return
    assert found["dice_variance"] == pytest.approx(np.var(deals) / whole)
    assert found["strategy_variance"] == pytest.approx(lead**2 / 4 / whole)


@pytest.mark.parametrize("names", ["ab", "abc"])
def test_parts_of_the_variance_with_luck_besides(names: str) -> None:
    """Score = strategy + deal + luck of each player: the mean of n players in n games keeps 1 / n^2 of the luck.

    That part goes with the dice too, as the luck of all players comes from them.
    """
    n, blocks, rng = len(names), 20_000, np.random.default_rng(5)
    made = plan(*names, games=n * blocks)
    deal, luck, skills = 36.0, 64.0, np.array([0, 6, 9])[:n]
    shape = (blocks, *made.seating.shape)
    scores = 20 + skills[made.seating] + np.rint(rng.normal(0, 6, (blocks, 1, 1))) + np.rint(rng.normal(0, 8, shape))
    found = values(made, scored(made, scores.astype(int)))
    whole = deal + luck + 2 / 12 + np.var(skills)  # rounding adds 1/12 twice
    assert found["dice_variance"] == pytest.approx((deal + 1 / 12 + (luck + 1 / 12) / n**2) / whole, rel=0.02)
    assert found["strategy_variance"] == pytest.approx(np.var(skills) / whole, rel=0.05)


def test_solo_games_of_several_are_on_the_same_dice() -> None:
    """Deals 10, 20, 33, b always 2 more: of 6 scores."""
    made = plan("a", "b", games=3, solo=True)
    found = values(made, scored(made, np.array([[[10], [12]], [[20], [22]], [[33], [35]]])))
    whole = np.var([10, 12, 20, 22, 33, 35])
    assert found["dice_variance"] == pytest.approx(np.var([11, 21, 34]) / whole)
    assert found["strategy_variance"] == pytest.approx(1 / whole)
    assert (found["score a"], found["score b"]) == (21, 23)


WITH_OTHERS = {"margin", "close", "ties", "start_score_lead", "start_win_lead", "lead_changes", "led_from"}


@pytest.mark.parametrize(
    ("made", "missing"),
    [
        (plan("a", "b"), set()),
        (plan("a", "b", solo=True), WITH_OTHERS | {"firsts_lost", "dice_denied", "win a", "win b"}),
        (
            plan("a", solo=True),
            WITH_OTHERS
            | {
                "firsts_lost",
                "dice_denied",
                "win a",
                "win b",
                "score a",
                "score b",
                "dice_variance",
                "strategy_variance",
            },
        ),
    ],
)
def test_which_measures_there_are(made: Plan, missing: set[str]) -> None:
    names = [measure.name for measure in measures(made)]
    assert len(set(names)) == len(names)
    assert {measure.name for measure in measures(plan("a", "b"))} - set(names) == missing
    groups = list(dict.fromkeys(measure.group for measure in measures(made)))
    assert [m.group for m in measures(made)] == sorted((m.group for m in measures(made)), key=groups.index)


def test_all_that_a_game_counts_is_a_measure() -> None:
    for made in (plan("a", "b"), qwixx_plan("a", "b")):
        names = {measure.name for measure in measures(made)}
        watch = made.played.watch
        assert {count.name for count in watch.counts} <= names
        assert {f"from_{part}" for part in made.played.parts} <= names
        assert {f"ended_{ending.replace(' ', '_')}" for ending in watch.endings} <= names


@pytest.mark.parametrize("made", [plan("a", "b", "c"), plan("a", "b", solo=True), qwixx_plan("a", "b")])
def test_nothing_is_known_of_nothing(made: Plan) -> None:
    found = Measured(made, Sections.empty(made))
    for measure in measures(made):
        assert found.estimate(measure.value) == (None, None, None, None)
        assert found.minus(found, measure.value) == (None, None, None, None)
    assert feat_share(0)(found.whole) is None
    assert first_share(0, 0)(found.whole) is None
    assert found.whole.games == 0


@pytest.mark.parametrize("made", [plan("a", "b", games=2), plan("a", games=1, solo=True), qwixx_plan("a", "b")])
def test_one_block_says_nothing_of_chance(made: Plan) -> None:
    out = empty_watched(made, 1)
    out.scores[:] = 12
    out.rolls[:] = 30
    share_wins(out)
    found = Measured(made, sum_up(made, 0, out))
    assert found.estimate(measures(made)[0].value) == (30, None, None, None)
    for measure in measures(made):
        assert found.estimate(measure.value)[1:] == (None, None, None)


def words_of(measure: Measure) -> list[str]:
    return [words.format("3.0 ± 0.5", base="1.0", variant="2.0") for words in measure.words]


@pytest.mark.parametrize("made", [plan("a", "b"), plan("a", "b", solo=True), qwixx_plan("a", "b")])
def test_words_say_which_way(made: Plan) -> None:
    """The first text tells of more, the second of less; they differ, and each has the amount or both values."""
    up = {"more", "longer", "higher", "rises", "rise", "further", "later"}
    down = {"less", "fewer", "shorter", "lower", "falls", "fall", "earlier"}
    for measure in measures(made):
        more, less = (Counter(text.replace("3 points or less", "").split()) for text in words_of(measure))
        assert more != less
        assert set(more) & up, measure.name
        assert set(less) & down, measure.name
        assert not set(more) & down, measure.name
        for text in words_of(measure):
            assert "3.0 ± 0.5" in text or ("1.0" in text and "2.0" in text)
            assert ("0.5 %" in text) == measure.percent
            assert "*" not in text


@pytest.mark.parametrize("name", ["my{x}.toml", "{}", "a*b.toml", "{base}"])
def test_names_with_letters_that_mean_something_to_a_format(name: str) -> None:
    made = plan(name, "b")
    for measure in measures(made):
        if name in measure.label:
            assert all(name in text for text in words_of(measure)), measure.name
    assert all(name in text for text in words_of(skill(made)))


def test_scores_are_counted_from_the_lowest_possible_one() -> None:
    made = plan("a", games=4, solo=True, rules=Rules(star_penalty=9))
    found = values(made, scored(made, np.array([-800, -700, -700, 2])[:, None, None]))
    assert found["mean_score"] == -2198 / 4
    assert found["low_5"] == pytest.approx(-800.5 + 0.2)
