"""The words say what the figures say: stronger, or not to be told apart."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from reports.sentences import notes, ranks, sentences
from reports.statistics import FEWEST_BLOCKS, figures
from simulator.experiments.result import Result
from simulator.experiments.tally import Tally
from tests.experiments.fakes import plan
from tests.reports.made import outcomes_of, random_result, result_of


def words(result: Result) -> str:
    """What is said about a result."""
    return " ".join(sentences(figures(result)))


def scored(means: tuple[int, ...], games: int, *, spread: int = 6, solo: bool = False, seed: int = 1) -> Result:
    """Result of strategies a, b, … with these mean scores."""
    made = plan(*"abcdef"[: len(means)], games=games, solo=solo)
    rng = np.random.default_rng(seed)
    scores = np.array(means)[made.seating] + rng.integers(-spread, spread + 1, (made.blocks, *made.seating.shape))
    return result_of(made, outcomes_of(made, scores))


def test_the_stronger_of_two_is_named_first() -> None:
    assert words(scored((20, 23), 4000)) == (
        "b wins 70.9 % of games against a (95 % interval 69.5 to 72.2 %): it is stronger, by 3.0 points a game (2.9 to "
        "3.2)."
    )
    assert words(scored((23, 20), 4000)).startswith("a wins ")


def test_two_that_cannot_be_told_apart() -> None:
    assert words(scored((20, 20), 400)) == (
        "a and b cannot be told apart after 400 games: a wins 50.0 % of them (95 % interval 45.4 to 54.6 %)."
    )


def test_wins_more_but_scores_less() -> None:
    made = plan("a", "b", games=400)
    rng = np.random.default_rng(1)
    wins = rng.random((200, 2, 1)) < 0.7  # wins small, loses big
    a = np.where(wins, 21, 10)
    scores = np.concatenate([a, np.full_like(a, 20)], axis=2)
    scores[:, 1] = scores[:, 1, ::-1]
    assert "it is stronger, although it scores 2." in words(result_of(made, outcomes_of(made, scores)))


def test_wins_more_but_scores_the_same() -> None:
    made = plan("a", "b", games=400)
    scores = np.array([[[21, 20], [20, 21]]] * 150 + [[[17, 20], [20, 17]]] * 50)
    assert words(result_of(made, outcomes_of(made, scores))).endswith(
        "it is stronger; their mean scores cannot be told apart."
    )


def test_against_itself() -> None:
    assert words(random_result(plan("a", "a", games=100))) == (
        "a and a (2) are one and the same strategy on the same sheet: whatever separates them here is chance alone."
    )


@pytest.mark.parametrize("blocks", range(1, 5))
def test_a_few_blocks_never_tell_strategies_apart(blocks: int) -> None:
    made = plan("a", "b", games=2 * blocks)
    scores = np.array([[[30, 20], [20, 30]]] * blocks)
    found = words(result_of(made, outcomes_of(made, scores)))
    assert found.startswith(f"a and b cannot be told apart after {2 * blocks} games: a wins 100.0 % of them")
    assert blocks < FEWEST_BLOCKS


def test_ranks_with_ties() -> None:
    result = scored((20, 24, 20, 16), 4000)
    assert ranks(figures(result)) == [(2, 3), (1, 1), (2, 3), (4, 4)]
    found = words(result)
    assert found.startswith("Ranked by win share after 4,000 games: 1. b (")
    assert ", 2.–3. " in found
    assert found.endswith("; those with overlapping ranks cannot be told apart.")


def test_ranks_without_ties() -> None:
    found = words(scored((20, 24, 16), 6000))
    places = [found.index(mark) for mark in ("1. b (", "2. a (", "3. c (")]
    assert places == sorted(places)
    assert found.endswith("; all differences hold together at 95 % confidence.")


def test_several_that_cannot_be_told_apart() -> None:
    found = words(scored((20, 20, 20), 60))
    assert found.endswith(" cannot be told apart by win share after 60 games.")


def test_three_equal_players_are_rarely_told_apart() -> None:
    """The intervals hold for all pairs at once: at most 5 % of such experiments find a difference (here of 100)."""
    found = sum(ranks(figures(scored((20,) * 4, 400, seed=seed))) != [(1, 4)] * 4 for seed in range(100))
    assert found <= 10


def test_one_solo_player() -> None:
    assert words(scored((20,), 500, solo=True)) == (
        "a scores 20.1 points a game (95 % interval 19.8 to 20.5); its most frequent rating is 'good' (21 to 24 "
        "points), in 32.6 % of 500 games."
    )
    assert words(scored((20,), 1, solo=True)).startswith("a scores 20.0 points a game; its most frequent rating")


def test_two_solo_players() -> None:
    assert words(scored((20, 23), 500, solo=True)) == (
        "b scores 2.7 points a game more than a on the same dice (95 % interval 2.3 to 3.2): it is stronger."
    )
    assert words(scored((20, 20), 50, solo=True)).startswith(
        "a and b cannot be told apart after 50 games each: on the same dice a scores "
    )


def test_several_solo_players() -> None:
    found = words(scored((20, 24, 16), 500, solo=True))
    assert found.startswith("Ranked by mean score after 500 games each: 1. b (24.")
    assert " points), 2. a (" in found


def test_nothing_played() -> None:
    made = plan("a", "b", games=10)
    empty = Result(
        made, Tally.empty(made.seating, 5, made.rules.score_range()), ("x",) * 5, 0.0, "1 thread", interrupted=True
    )
    assert words(empty) == "No games were played, so nothing was found."
    assert notes(empty) == ["Interrupted: the figures are of the first 0 of 10 games."]


def test_notes() -> None:
    assert notes(random_result(plan("a", "b", games=10))) == []
    assert notes(random_result(plan("a", "b", "c", games=10))) == [
        "10 games asked for, 12 planned: every deal of dice is played once for each of the 3 rotations of the seats."
    ]
    assert notes(random_result(plan("a", "b", games=2))) == [
        "One deal of dice says nothing about chance: play more games to see intervals."
    ]
    made = plan("a", "b", games=40)
    outcomes = outcomes_of(made, np.full((20, 2, 2), 9))
    outcomes.stopped[:2] = 1
    assert notes(result_of(made, outcomes)) == [
        "4 games (10.00 %) had not ended after 1,000 rolls; they were stopped and scored as they stood."
    ]
    longer = dataclasses.replace(result_of(made, outcomes_of(made, np.full((5, 2, 2), 9))), interrupted=True)
    assert notes(longer) == ["Interrupted: the figures are of the first 10 of 40 games."]
