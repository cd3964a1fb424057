"""Proposed bands: the best cut there is, and the same bands wherever a result is shown."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from reports import plots
from reports.bands import bands_shown, cut, proposed
from reports.document import document
from reports.html import as_html
from reports.plots import MOST_NAMED
from reports.sentences import sentences
from reports.statistics import figures
from reports.tables import FORMATS, text
from simulator.experiments.estimates import wilson
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.tally import Tally
from simulator.keer_op_keer.ratings import BANDS
from tests.experiments.fakes import plan
from tests.reports.made import outcomes_of, random_result, result_of


def squares(counts: Sequence[int], places: Sequence[int]) -> int:
    """Sum of the squared numbers of games of the levels."""
    ends = zip((0, *places), (*places, len(counts)), strict=True)
    return sum(sum(counts[first:last]) ** 2 for first, last in ends)


def alone(*scores: Sequence[int], levels: int, **kind: Any) -> Result:
    """A solo result in which each strategy (a, b, …) had these scores."""
    made = plan(*"abcdef"[: len(scores)], games=len(scores[0]), solo=True, levels=levels, **kind)
    return result_of(made, outcomes_of(made, np.array(scores).T[:, :, None]))


class TestCut:
    """Where levels begin."""

    @pytest.mark.parametrize(
        ("counts", "levels", "places"),
        [
            ([5], 1, []),
            ([5, 3, 1], 1, []),
            ([2, 2, 2, 2], 2, [2]),
            ([2, 2, 2, 2], 4, [1, 2, 3]),
            ([1, 1, 1, 1, 4], 2, [4]),  # 4 and 4
            ([6, 1, 1, 1, 3], 2, [1]),  # 6 and 6
            ([6, 1, 1, 1, 3], 3, [1, 4]),  # 6, 3 and 3; a greedy cut at a third (4 games) begins with 6 as well
            ([3, 3, 3, 3, 8], 3, [2, 4]),  # 6, 6 and 8: equal would be 6.67
            ([1, 9, 1, 9, 1], 3, [1, 3]),  # 1, 10 and 10; 10, 1 and 10 is as good, but the second level begins higher
            ([1, 1, 1], 2, [1]),  # 1 and 2 is as good as 2 and 1: the higher level begins as low as it can
            (
                [2, 1, 2, 1, 2],
                3,
                [1, 3],
            ),  # 2, 3 and 3; so good are 3, 2 and 3, and 3, 3 and 2, whose highest level begins higher
        ],
    )
    def test_by_hand(self, counts: list[int], levels: int, places: list[int]) -> None:
        assert cut(counts, levels) == places

    def test_no_greedy_cut(self) -> None:
        """Levels filled one after another up to a third, 4 games, would hold 5, 5 and 2."""
        counts = [3, 2, 3, 2, 2]
        assert squares(counts, [2, 4]) == 54
        assert cut(counts, 3) == [1, 3]  # 3, 5 and 4
        assert squares(counts, [1, 3]) == 50

    @pytest.mark.parametrize("most", [1, 2, 3, 50, 10**12])
    def test_against_all_cuts(self, most: int) -> None:
        """With few different counts there are many ties: the highest level begins lowest, then the one below."""
        rng = random.Random(most)
        for _ in range(300):
            counts = [rng.randint(1, most) for _ in range(rng.randint(1, 9))]
            levels = rng.randint(1, len(counts))
            cuts = combinations(range(1, len(counts)), levels - 1)
            best = min((squares(counts, places), places[::-1]) for places in cuts)
            assert cut(counts, levels) == list(best[1][::-1]), (counts, levels)

    def test_many_scores_and_levels(self) -> None:
        """No boundary of the best cut can be moved for the better."""
        counts = np.random.default_rng(5).integers(1, 1000, 400).tolist()
        places = cut(counts, 50)
        assert places == sorted(set(places))
        for i, place in enumerate(places):
            for moved in (place - 1, place + 1):
                assert squares(counts, [*places[:i], moved, *places[i + 1 :]]) >= squares(counts, places)


class TestProposed:
    """Bands of a histogram."""

    def test_levels_begin_at_scores_that_were_reached(self) -> None:
        bands = proposed(np.array([0, 3, 0, 0, 3, 0, 3, 0]), -2, 3, ())
        assert [(band.low, band.high) for band in bands] == [(None, 1), (2, 3), (4, None)]
        assert [band.scores for band in bands] == ["below 2", "2 to 3", "above 3"]
        assert [band.name for band in bands] == ["level 1", "level 2", "level 3"]
        assert {band.stars for band in bands} == {""}

    def test_every_score_is_in_one_band(self) -> None:
        rng = np.random.default_rng(3)
        for levels in (2, 7, 13, 50):
            bands = proposed(rng.integers(0, 5, 80), -10, levels, BANDS)
            assert len(bands) == levels
            assert (bands[0].low, bands[-1].high) == (None, None)
            for band, above in pairwise(bands):
                assert band.high is not None
                assert above.low == band.high + 1

    def test_names_and_stars_are_official_if_there_are_as_many(self) -> None:
        bands = proposed(np.ones(26, np.int64), 0, 13, BANDS)
        assert [band[2:] for band in bands] == [band[2:] for band in BANDS]
        assert [band.low for band in bands] == [None, *range(2, 26, 2)]
        assert {band.stars for band in proposed(np.ones(26, np.int64), 0, 12, BANDS)} == {""}

    def test_fewer_scores_than_levels(self) -> None:
        bands = proposed(np.array([1, 0, 9, 1]), 5, 13, BANDS)
        assert [band.scores for band in bands] == ["below 7", "7", "above 7"]
        assert [band.name for band in bands] == ["level 1", "level 2", "level 3"]

    def test_one_score_and_none(self) -> None:
        assert [band.scores for band in proposed(np.array([0, 9]), 5, 13, BANDS)] == ["all"]
        assert proposed(np.zeros(9, np.int64), 5, 13, BANDS) == ()


class TestShown:
    """A result shows one and the same bands everywhere."""

    def test_official_bands_if_no_others_are_wanted(self) -> None:
        assert bands_shown(random_result(plan("a", solo=True))) == BANDS
        assert bands_shown(random_result(plan("a", "b"))) == ()

    def test_the_first_strategy_decides(self) -> None:
        low, high = [1, 1, 2, 2, 3, 3], [7, 8, 9, 3, 1, 2]
        found = figures(alone(low, high, levels=3))
        assert [band.scores for band in found.bands_shown] == ["below 2", "2", "above 2"]
        assert [list(shares) for shares in found.bands] == [
            [wilson(2, 6), wilson(2, 6), wilson(2, 6)],
            [wilson(1, 6), wilson(1, 6), wilson(4, 6)],
        ]
        other = figures(alone(high, low, levels=3))
        assert [band.low for band in other.bands_shown] == [None, 3, 8]

    def test_sentences(self) -> None:
        (_, told) = sentences(figures(alone([1, 1, 2, 4, 4, 4, 6, 9], levels=3)))
        assert told == (
            "The proposed levels above the lowest begin at 4, 6 points; levels hold 25.0 to 37.5 % of the games of a "
            "where 33.3 % would be equal."
        )
        found = sentences(figures(alone([1, 1, 3, 3], [9, 9, 9, 1], levels=13)))
        assert found[1:] == [
            "The proposed levels above the lowest begin at 3 points; levels hold 50.0 % of the games of a where 50.0 % "
            "would be equal.",
            "a reached only 2 different scores: there are as many levels, not 13.",
        ]
        (_, told) = sentences(figures(alone([4, 4, 4], levels=7)))
        assert told == "All games of a have the same score: there is nothing to cut into levels."

    def test_no_level_is_called_the_most_frequent(self) -> None:
        assert "most frequent" in sentences(figures(random_result(plan("a", solo=True))))[0]
        assert "most frequent" not in " ".join(sentences(figures(random_result(plan("a", solo=True, levels=4)))))

    def test_one_strategy_twice_has_the_proposal_too(self) -> None:
        told = sentences(figures(random_result(plan("a", "a", solo=True, levels=4))))
        assert len(told) == 2
        assert told[1].startswith("The proposed levels above the lowest begin at ")

    @pytest.mark.parametrize("form", ["table", "markdown"])
    @pytest.mark.parametrize("levels", [7, 13])
    def test_texts(self, form: str, levels: int) -> None:
        result = random_result(plan("a", "b", games=300, solo=True, levels=levels))
        found = text(result, version="1", form=form)
        for band in figures(result).bands_shown:
            assert f"{band.scores}: {band.name}" in found
        assert ("of 4 stars" in found) == (levels == 13)

    @pytest.mark.parametrize("form", FORMATS)
    def test_no_form_calls_it_official(self, form: str) -> None:
        result = random_result(plan("a", "b", games=300, solo=True, levels=7))
        assert "official rating" not in text(result, version="1", form=form)

    def test_titles_say_that_it_is_a_proposal(self) -> None:
        result = random_result(plan("a", "b", games=300, solo=True, levels=7))
        title = "share of games by proposed rating, % (95 % interval): equally often for a"
        assert title in text(result, version="1")
        assert title in text(result, version="1", form="markdown")
        assert title in as_html(result, "1")
        assert plots.ratings(result, "1").get_suptitle() == "Proposed rating: equally often for a"

    def test_data_say_that_it_is_a_proposal(self) -> None:
        result = random_result(plan("a", "b", games=300, solo=True, levels=7))
        bands = figures(result).bands_shown
        found = document(result, version="1")
        assert found["experiment"]["levels"] == 7
        begin = [band.low for band in bands[1:]]
        assert found["results"]["proposal"] == {"equal_for": "a", "levels": 7, "begin": begin}
        assert [rating["low"] for rating in found["results"]["ratings"]] == [None, *begin]
        rows = list(csv.DictReader(io.StringIO(text(result, version="1", form="csv"))))
        rated = [row["measure"] for row in rows if row["subject"] == "b" and "rating" in row["measure"]]
        assert rated == [f"proposed rating {band.scores}" for band in bands]
        assert "proposal" not in document(random_result(plan("a", solo=True)), version="1")["results"]

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize("levels", [2, MOST_NAMED, MOST_NAMED + 1, 50])
    def test_the_plot(self, levels: int) -> None:
        result = random_result(plan("a", "b", games=900, solo=True, levels=levels), spread=40)
        figure = plots.ratings(result, "1")
        figure.canvas.draw()
        labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
        bands = figures(result).bands_shown
        assert len(labels) == len(bands) == levels
        for label, band in zip(labels, bands, strict=True):
            assert label == (f"{band.name}\n({band.scores})" if levels <= MOST_NAMED else band.scores)

    def test_nothing_was_played(self) -> None:
        made = plan("a", games=10, solo=True, levels=7)
        nothing = Result(made, Tally.empty(made.seating, 5, made.rules.score_range()), (), 0.0, "1 thread")
        assert bands_shown(nothing) == ()
        assert plots.plots(nothing) == {}

    def test_a_game_without_official_bands(self) -> None:
        without = Plan(plan("a", solo=True).strategies, (), 6, solo=True, game="qwixx", levels=3)
        result = result_of(without, outcomes_of(without, np.array([3, 3, 5, 6, 8, 9])[:, None, None]))
        assert [band.scores for band in bands_shown(result)] == ["below 5", "5 to 7", "above 7"]
        assert list(plots.plots(result)) == ["scores", "ratings"]
        assert "5 to 7: level 2" in text(result, version="1")
