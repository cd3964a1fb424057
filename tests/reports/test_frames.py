"""Tables of pandas hold the figures of the report, and NA where nothing is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reports import frames
from reports.statistics import Figures, figures, rounded
from simulator.errors import PlanError
from simulator.experiments.result import Result
from simulator.experiments.tally import Tally
from tests.experiments.fakes import PARTS, plan
from tests.reports.made import random_result

KINDS = [({}), ({"table": 2}), ({"table": 2, "focus": True}), ({"solo": True})]


@pytest.fixture(params=KINDS, ids=["one table", "tournament", "focus", "solo"])
def result(request: pytest.FixtureRequest) -> Result:
    """A result of three strategies."""
    return random_result(plan("a", "b", "c", games=90, **request.param))


@pytest.fixture
def shown(result: Result) -> Figures:
    """Its figures."""
    return figures(result)


def nothing(**kind: object) -> Result:
    """A result of a run in which nothing was played."""
    made = plan("a", "b", "c", **kind)  # type: ignore[arg-type]
    return Result(made, Tally.empty(made.seating, 5, made.rules.score_range()), PARTS, 0.0, "1 thread")


def test_the_summary_has_every_figure_of_every_strategy(shown: Figures) -> None:
    table = frames.summary(shown)
    assert table.index.name == "strategy"
    assert table.index.tolist() == ["a", "b", "c"]
    assert set(table.dtypes) == {pd.Float64Dtype()}
    for label, measures in zip(shown.labels, shown.strategies, strict=True):
        for measure, estimate in measures.items():
            name = measure.replace(" ", "_")
            for suffix, value in zip(("", "_se", "_low", "_high"), estimate, strict=True):
                if value is not None:
                    assert table.loc[label, name + suffix] == rounded(value)
                elif name + suffix in table:
                    assert table.loc[label, name + suffix] is pd.NA


def test_the_summary_leaves_out_what_nobody_has(shown: Figures) -> None:
    table = frames.summary(shown)
    assert not table.isna().all().any()
    assert {"mean_score", "mean_score_low", "sd_score", "part_columns"} <= set(table.columns)
    assert "sd_score_se" not in table
    assert ("win_share" in table) != shown.solo
    assert ("elo" in table) == (shown.plan.table is not None)
    if "difference" in table:
        assert table["difference"].isna().tolist() == [True, False, False]


def test_scores_are_the_histograms(result: Result) -> None:
    table = frames.scores(result)
    assert table.index.name == "score"
    assert table.columns.tolist() == ["a", "b", "c"]
    assert set(table.dtypes) == {np.dtype(np.int64)}
    for i, label in enumerate(table.columns):
        counts = dict(zip(range(result.tally.low, result.tally.high + 1), result.tally.scores[i].tolist(), strict=True))
        assert {score: games for score, games in counts.items() if games} == table[label][table[label] > 0].to_dict()
    assert table.iloc[0].any()  # from the lowest
    assert table.iloc[-1].any()  # to the highest
    assert (np.diff(table.index) == 1).all()
    means = (table.index.to_numpy()[:, None] * table).sum() / table.sum()
    assert means.to_numpy() == pytest.approx([s["mean_score"].value for s in figures(result).strategies])


def test_margins_are_the_leads_over_the_first(result: Result) -> None:
    table = frames.margins(result)
    assert table.index.name == "lead"
    assert table.columns.tolist() == ["b", "c"]
    means = (table.index.to_numpy()[:, None] * table).sum() / table.sum()
    leads = [pair.difference.value for pair in figures(result).by("mean_score") if pair.first == 0]
    assert means.to_numpy() == pytest.approx(leads)


def test_pairs_have_a_row_for_each_pair_and_measure(shown: Figures) -> None:
    table = frames.pairs(shown)
    assert len(table) == len(shown.pairs)
    numbers = ["difference", "se", "low", "high", "low_all_pairs", "high_all_pairs", "p_value"]
    assert table.columns.tolist() == ["first", "second", "measure", *numbers, "verdict"]
    assert {str(table[name].dtype) for name in numbers} == {"Float64"}
    assert table["verdict"].dtype == np.int64
    for row, pair in zip(table.itertuples(index=False), shown.pairs, strict=True):
        assert (row.first, row.second) == (shown.labels[pair.first], shown.labels[pair.second])
        assert (row.measure, row.verdict) == (pair.measure, pair.verdict)
        expected = [*pair.difference, *pair.strict[2:], pair.p_value]
        assert [getattr(row, name) for name in numbers] == [rounded(x) for x in expected]


def test_win_shares_are_a_matrix() -> None:
    shown = figures(random_result(plan("a", "b", "c", games=90, table=2, focus=True)))
    table = frames.win_shares(shown)
    assert table.index.tolist() == table.columns.tolist() == ["a", "b", "c"]
    for i, row in enumerate("abc"):
        for j, column in enumerate("abc"):
            share = table.loc[row, column]
            assert share == rounded(shown.met[i, j].value) if (i, j) in shown.met else share is pd.NA
    assert table.isna().sum().sum() == 5  # the diagonal, and b with c
    assert table.loc["a", "b"] + table.loc["b", "a"] == pytest.approx(1)


def test_only_a_tournament_has_win_shares_of_pairs() -> None:
    with pytest.raises(PlanError, match=r"^win shares of pairs are those of a tournament; see summary and pairs$"):
        frames.win_shares(figures(random_result(plan("a", "b"))))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_played_gives_tables_of_nothing(kind: dict[str, object]) -> None:
    empty = nothing(**kind)
    shown = figures(empty)
    assert frames.summary(shown).isna().all().all()
    assert len(frames.summary(shown)) == 3
    assert frames.scores(empty).shape == (0, 3)
    assert frames.margins(empty).shape == (0, 2)
    assert shown.plan.table is None or frames.win_shares(shown).isna().all().all()
    pairs = frames.pairs(shown)
    assert pairs["difference"].isna().all()
    assert (pairs["verdict"] == 0).all()
    assert len(pairs) == len(shown.pairs)


@pytest.mark.filterwarnings("error")
def test_one_block_has_na_for_errors() -> None:
    shown = figures(random_result(plan("a", "b", games=2)))
    table = frames.summary(shown)
    assert table[["mean_score_se", "mean_score_low", "win_share_se"]].isna().all().all()
    assert "sd_score_se" not in table
    assert table["win_share_high"].notna().all()
    pairs = frames.pairs(shown).set_index("measure")
    assert pairs.loc["mean_score", "se"] is pd.NA
    assert pairs.loc["win_share", "low"] < pairs.loc["win_share", "high"]


def test_one_solo_strategy() -> None:
    result = random_result(plan("a", games=20, solo=True))
    assert frames.margins(result).shape == (0, 0)
    assert frames.pairs(figures(result)).empty
    assert frames.summary(figures(result)).index.tolist() == ["a"]
