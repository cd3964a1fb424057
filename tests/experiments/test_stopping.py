"""Runs stop when enough is known, at the same block whoever plays, and never between two looks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from reports.sentences import notes
from simulator.errors import KokSimError, PlanError, UnknownNameError
from simulator.experiments.estimates import share_interval
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.run import run
from simulator.experiments.stopping import LOOK, Rule, Sprt, Until, rule_of
from simulator.experiments.tally import Tally
from tests.experiments.fakes import FakeTable, plain, plan
from tests.reports.made import common_luck, outcomes_of, result_of, winning

APPROXIMATE = "Intervals after optional stopping are approximate: where to stop depended on the figures themselves."


def empty(made: Plan) -> Tally:
    """The tally before anything is played."""
    return Tally.empty(made.seating, 5, made.rules.score_range())


def scored(made: Plan, means: tuple[int, ...] = (20, 21, 22, 20)) -> tuple[Tally, np.ndarray]:
    """Tally and scores of some games with luck."""
    scores = common_luck(made, means[: len(made.strategies)], np.random.default_rng(1))
    return result_of(made, outcomes_of(made, scores)).tally, scores


def half_width(shares: np.ndarray) -> float:
    """Half the interval of some block shares."""
    mean = shares.mean()
    low, high = share_interval(mean, ((shares - mean) ** 2).sum(), len(shares))
    return (high - low) / 2


# Until


def test_at_one_table_the_widest_win_share_counts() -> None:
    made = plan(*"abc", games=90)
    tally, scores = scored(made)
    best = scores == scores.max(axis=2, keepdims=True)
    shares = np.take_along_axis(best / best.sum(axis=2, keepdims=True), np.argsort(made.seating, axis=1)[None], axis=2)
    widest = max(half_width(shares[:, :, i].mean(axis=1)) for i in range(3))
    assert Until(0.1).reached(tally, made.seating) == pytest.approx(widest)


@pytest.mark.parametrize(("seats", "focus"), [(2, False), (3, False), (2, True), (3, True)])
def test_in_a_tournament_the_widest_win_share_of_those_who_meet_counts(seats: int, focus: bool) -> None:
    """Not that of the first, who loses nearly always."""
    made = plan(*"abcd", games=30 * seats, table=seats, focus=focus)
    tally, scores = scored(made, (12, 21, 22, 20))
    best = scores == scores.max(axis=2, keepdims=True)
    shares = best / best.sum(axis=2, keepdims=True)
    widths = {}
    for i, j in permutations(range(4), 2):
        games = [(game, row.index(i)) for game, row in enumerate(made.seating.tolist()) if {i, j} <= set(row)]
        if games:
            widths[i, j] = half_width(np.mean([shares[:, game, seat] for game, seat in games], axis=0))
    assert len(widths) == (6 if (seats, focus) == (2, True) else 12)
    assert Until(0.1).reached(tally, made.seating) == pytest.approx(max(widths.values()))
    if len(widths) == 12:
        assert 0 not in max(widths, key=widths.__getitem__)


def test_in_the_solo_game_the_widest_mean_score_counts() -> None:
    made = plan(*"abc", games=50, solo=True)
    tally, scores = scored(made)
    widths = [stats.t.ppf(0.975, 49) * stats.sem(scores[:, i, 0]) for i in range(3)]
    assert Until(0.1).reached(tally, made.seating) == pytest.approx(max(widths))


@pytest.mark.parametrize("kind", [{}, {"table": 2}, {"solo": True}])
def test_until_says_go_on_before_anything_is_known(kind: dict[str, Any]) -> None:
    made = plan(*"abc", games=1, **kind)
    rule = Until(0.3)
    assert rule.reached(empty(made), made.seating) is None
    assert rule.decide(empty(made), made.seating) is None
    assert rule.progress(empty(made), made.seating) == 0
    tally, _ = scored(made)
    assert tally.blocks == 1
    assert rule.decide(tally, made.seating) is None


def test_until_decides_at_its_width_and_tells_how_far_it_is() -> None:
    made = plan("a", "b", games=400)
    tally, _ = scored(made)
    width = Until(0.1).reached(tally, made.seating)
    assert width is not None
    assert Until(width).decide(tally, made.seating) == "reached"
    assert Until(width * 0.999).decide(tally, made.seating) is None
    assert Until(width / 2).progress(tally, made.seating) == pytest.approx(1 / 4)
    assert Until(width * 2).progress(tally, made.seating) == 1


def test_scores_that_never_vary_are_known_at_once() -> None:
    made = plan("a", games=10, solo=True)
    tally = result_of(made, outcomes_of(made, np.full((10, 1, 1), 20))).tally
    assert Until(1e-9).reached(tally, made.seating) == 0
    assert Until(1e-9).decide(tally, made.seating) == "reached"
    assert Until(1e-9).progress(tally, made.seating) == 1


# Sprt


def won_or_lost(won: int, lost: int) -> tuple[Tally, np.ndarray]:
    """Blocks of which the first strategy wins both games, or none."""
    made = plan("a", "b", games=2 * (won + lost))
    scores = np.concatenate([winning(made, min)[:won], winning(made, max)[:lost]])
    return result_of(made, outcomes_of(made, scores)).tally, made.seating


@pytest.mark.parametrize(("won", "lost"), [(1, 1), (30, 20), (10, 90)])
def test_the_ratio_of_blocks_won_or_lost_is_that_of_coins(won: int, lost: int) -> None:
    tally, _ = won_or_lost(won, lost)
    expected = won * math.log(0.6 / 0.5) + lost * math.log(0.4 / 0.5)
    assert Sprt(0.5, 0.6).ratio(tally) == pytest.approx(expected)


def test_the_ratio_is_of_the_first_strategy_among_all() -> None:
    """Of three, the first wins one game of each block: a share of a third, for sure."""
    made = plan(*"abc", games=300)
    scores = np.where(np.arange(3) == 0, 20, 10)[None, None].repeat(3, axis=1).repeat(100, axis=0)
    tally = result_of(made, outcomes_of(made, scores)).tally  # the starting seat always wins
    assert Sprt(0.33, 0.5).decide(tally, made.seating) == "low"
    assert Sprt(0.2, 0.33).decide(tally, made.seating) == "high"


@pytest.mark.parametrize(("won", "lost", "decision"), [(40, 10, "high"), (10, 40, "low"), (5, 4, None)])
def test_sprt_decides_on_a_tally(won: int, lost: int, decision: str | None) -> None:
    tally, seating = won_or_lost(won, lost)
    rule = Sprt(0.4, 0.6)
    assert rule.decide(tally, seating) == decision
    assert rule.progress(tally, seating) == 1 if decision else 0 <= rule.progress(tally, seating) < 1


def test_sprt_says_go_on_before_anything_is_known() -> None:
    made = plan("a", "b")
    rule = Sprt(0.5, 0.52)
    assert rule.ratio(empty(made)) == 0
    assert rule.decide(empty(made), made.seating) is None
    assert rule.progress(empty(made), made.seating) == 0


def test_sprt_is_as_far_as_its_ratio_is_from_the_bound_on_that_side() -> None:
    for won, lost in ((3, 0), (0, 3), (4, 3)):
        tally, seating = won_or_lost(won, lost)
        rule = Sprt(0.4, 0.6)
        assert rule.progress(tally, seating) == pytest.approx(abs(rule.ratio(tally)) / math.log(19))


# In a run


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of blocks at which a rule was asked."""
    seen: list[int] = []
    decide = Until.decide

    def asked(rule: Until, tally: Tally, seating: np.ndarray) -> str | None:
        seen.append(tally.blocks)
        return decide(rule, tally, seating)

    monkeypatch.setattr(Until, "decide", asked)
    return seen


SETTINGS = [(1, 1), (1, 97), (2, 64), (2, None), (3, 1000), (5, 13)]


@pytest.mark.parametrize(
    ("names", "kind", "rule"),
    [
        ("ab", {}, Until(0.02)),
        ("ab", {"table": 2}, Until(0.02)),
        ("abc", {"table": 2}, Until(0.025)),
        ("ab", {"solo": True}, Until(0.35)),
        ("ab", {}, Sprt(0.48, 0.5)),
        ("abc", {}, Sprt(0.31, 0.335)),
    ],
)
def test_runs_stop_at_the_same_block_for_any_threads_and_chunks(names: str, kind: dict[str, Any], rule: Rule) -> None:
    made = plan(*names, games=20 * LOOK, stop=rule, **kind)
    results = [
        run(made, threads=threads, chunk_blocks=chunk, table=FakeTable(made, (20, 20, 20)))
        for threads, chunk in SETTINGS
    ]
    for result in results:
        assert plain(result.tally) == plain(results[0].tally)
        assert result.decision == results[0].decision is not None
        assert not result.interrupted
    blocks = results[0].tally.blocks
    assert blocks % LOOK == 0
    assert LOOK < blocks < made.blocks


@pytest.mark.parametrize("chunk", [1, 100, LOOK, 10_000])
def test_a_rule_looks_at_multiples_of_its_step_and_at_the_end_only(looks: list[int], chunk: int) -> None:
    made = plan("a", "b", games=2 * (3 * LOOK + 17), stop=Until(1e-6))
    result = run(made, threads=2, chunk_blocks=chunk, table=FakeTable(made, (20, 20)))
    assert looks == [LOOK, 2 * LOOK, 3 * LOOK, 3 * LOOK + 17]
    assert result.decision is None
    assert not result.interrupted
    assert result.tally.blocks == made.blocks


def test_a_short_run_is_looked_at_once_at_its_end(looks: list[int]) -> None:
    made = plan("a", "b", games=20, stop=Until(0.4))
    result = run(made, threads=1, chunk_blocks=3, table=FakeTable(made, (20, 20)))
    assert looks == [10]
    assert result.decision == "reached"


def test_the_first_blocks_of_a_run_are_not_its_end(looks: list[int]) -> None:
    made = plan("a", "b", games=20 * LOOK, stop=Until(0.4))
    result = run(made, threads=1, table=FakeTable(made, (20, 20)), blocks=LOOK - 1)
    assert looks == []
    assert result.tally.blocks == LOOK - 1
    assert (result.decision, result.interrupted) == (None, True)


def test_it_stops_at_the_first_look_at_which_the_width_is_reached() -> None:
    rule = Until(0.02)
    made = plan("a", "b", games=20 * LOOK, stop=rule)
    table = FakeTable(made, (20, 20))
    result = run(made, threads=2, table=table)
    longer = plan("a", "b", games=20 * LOOK)
    tally = empty(made)
    widths = []
    for look in range(result.tally.blocks // LOOK):
        tally = tally + result_of(made, table.play(look * LOOK, LOOK)).tally
        widths.append(rule.reached(tally, made.seating) or 1.0)
    assert [width <= 0.02 for width in widths] == [False] * (len(widths) - 1) + [True]
    assert plain(result.tally) == plain(run(longer, threads=1, table=table, blocks=result.tally.blocks).tally)


def test_progress_guesses_the_end_and_never_beyond_the_plan() -> None:
    made = plan("a", "b", games=40 * LOOK, stop=Until(0.012))
    seen: list[tuple[int, int]] = []
    result = run(
        made, threads=1, chunk_blocks=64, table=FakeTable(made, (20, 20)), on_progress=lambda *at: seen.append(at)
    )
    assert result.decision == "reached"
    assert all(done <= total <= made.blocks for done, total in seen)
    assert seen[-1] == (result.tally.blocks, result.tally.blocks)
    _, total = seen[len(seen) // 2]
    assert 0.7 < total / result.tally.blocks < 1.4


def test_a_run_without_a_rule_knows_its_end() -> None:
    made = plan("a", "b", games=200)
    seen: list[tuple[int, int]] = []
    result = run(
        made, threads=1, chunk_blocks=25, table=FakeTable(made, (20, 20)), on_progress=lambda *at: seen.append(at)
    )
    assert seen == [(25, 100), (50, 100), (75, 100), (100, 100)]
    assert result.decision is None


def test_an_interrupted_run_has_no_decision() -> None:
    made = plan("a", "b", games=20 * LOOK, stop=Until(0.01))

    def stop(done: int, _total: int) -> None:
        if done >= 100:
            raise KeyboardInterrupt

    result = run(made, threads=1, chunk_blocks=50, table=FakeTable(made, (20, 20)), on_progress=stop)
    assert (result.interrupted, result.decision, result.tally.blocks) == (True, None, 100)
    assert notes(result) == [
        "Interrupted: the figures are of the first 200 games.",
        "95 % intervals of win shares with half-widths of 1 % or less were not reached, looked at after every "
        f"{LOOK} blocks.",
        APPROXIMATE,
    ]


# What is told


def played(rule: Rule, won: int, lost: int, *, decision: str | None) -> Result:
    """A result of blocks won or lost."""
    made = plan("first", "other", games=2 * (won + lost), stop=rule)
    scores = np.concatenate([winning(made, min)[:won], winning(made, max)[:lost]])
    return result_of(made, outcomes_of(made, scores), decision=decision)


def test_words_of_a_width_that_was_reached_or_not() -> None:
    looked = f"looked at after every {LOOK} blocks."
    assert notes(played(Until(0.002), 9, 9, decision="reached")) == [
        f"95 % intervals of win shares with half-widths of 0.2 % or less were reached, {looked}",
        APPROXIMATE,
    ]
    assert notes(played(Until(0.002), 9, 9, decision=None))[0].endswith(f"were not reached, {looked}")
    made = plan("a", games=5, solo=True, stop=Until(0.05))
    alone = result_of(made, outcomes_of(made, np.full((5, 1, 1), 20)), decision="reached")
    assert notes(alone)[0].startswith(
        "95 % intervals of mean scores with half-widths of 0.05 points or less were reached"
    )


@pytest.mark.parametrize(("won", "lost", "taken", "other"), [(30, 10, "60 %", "52.5 %"), (10, 30, "52.5 %", "60 %")])
def test_words_of_a_decision(won: int, lost: int, taken: str, other: str) -> None:
    decision = "high" if won > lost else "low"
    rule = Sprt(0.525, 0.6)
    ratio = won * math.log(0.6 / 0.525) + lost * math.log(0.4 / 0.475)
    assert notes(played(rule, won, lost, decision=decision)) == [
        f"The sequential test takes the win share of first for {taken} rather than {other} (log likelihood ratio "
        f"{ratio:.2f}, bounds -2.94 and 2.94, looked at after every {LOOK} blocks); if one of the two is true, it "
        "takes it for the other in no more than about 5 % of runs.",
        APPROXIMATE,
    ]


def test_words_of_no_decision() -> None:
    assert notes(played(Sprt(0.5, 0.52), 2, 2, decision=None)) == [
        "The sequential test has not decided between win shares of 50 % and 52 % for first (log likelihood ratio 0.00, "
        f"bounds -2.94 and 2.94, looked at after every {LOOK} blocks).",
        APPROXIMATE,
    ]


def test_nothing_is_told_of_a_rule_before_anything_is_played() -> None:
    made = plan("a", "b", games=10, stop=Sprt(0.5, 0.6))
    assert notes(Result(made, empty(made), (), 0.0, "1 thread", interrupted=True)) == [
        "Interrupted: the figures are of the first 0 games."
    ]


# Descriptions


@pytest.mark.parametrize("rule", [Until(0.002), Until(3.5), Sprt(0.5, 0.52)])
def test_a_description_gives_the_rule_back(rule: Rule) -> None:
    assert rule_of(rule.describe()) == rule


def test_no_rule() -> None:
    assert rule_of(None) is None


def test_the_description_of_a_test_tells_its_errors() -> None:
    assert Sprt(0.5, 0.52).describe() == {"rule": "sprt", "low": 0.5, "high": 0.52, "alpha": 0.05, "beta": 0.05}
    assert Until(0.002).describe() == {"rule": "until", "half_width": 0.002}


@pytest.mark.parametrize(
    "damaged",
    [
        {},
        {"rule": None},
        {"rule": ["until"]},
        {"rule": {}},
        {"rule": "until"},
        {"rule": "until", "half_width": "wide"},
        {"rule": "until", "half_width": None},
        {"rule": "until", "half_width": 1},
        {"rule": "until", "half_width": -0.1},
        {"rule": "until", "half_width": 0.1, "more": 1},
        {"rule": "sprt", "low": 0.5},
        {"rule": "sprt", "low": 0.6, "high": 0.5},
        {"rule": "sprt", "low": [0.5], "high": 0.6},
        {"rule": "sprt", "half_width": 0.1},
    ],
)
def test_a_damaged_description_is_told_in_one_line(damaged: Mapping[str, Any]) -> None:
    with pytest.raises(KokSimError) as caught:
        rule_of(damaged)
    assert "\n" not in str(caught.value)


def test_an_unknown_rule_offers_the_near_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'until'"):
        rule_of({"rule": "untli", "half_width": 0.1})


@pytest.mark.parametrize("width", [0.0, -1.0, math.nan, math.inf, 1])
def test_impossible_widths(width: float) -> None:
    with pytest.raises(PlanError, match=r"^the half-width to reach must be a number above 0; got "):
        Until(width)


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.5), (0.6, 0.5), (0.0, 0.5), (0.5, 1.0), (math.nan, 0.5), (0, 1)])
def test_impossible_tests(low: float, high: float) -> None:
    with pytest.raises(PlanError, match=r"^a sequential test needs two win shares, the smaller first, between 0 and 1"):
        Sprt(low, high)


def test_a_width_that_is_never_reached_expects_all_blocks() -> None:
    made = plan("a", "b", games=2 * LOOK, stop=Until(1e-300))
    seen: list[tuple[int, int]] = []
    run(made, threads=1, table=FakeTable(made, (20, 21)), on_progress=lambda done, total: seen.append((done, total)))
    assert seen
    assert all(total == LOOK for _, total in seen)
