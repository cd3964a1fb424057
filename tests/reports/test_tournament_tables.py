"""The tables of a tournament: the same figures in every format, in 100 columns, and answers where little is known."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from typing import Any

import numpy as np
import pytest

from reports.document import document
from reports.grids import Grid
from reports.html import as_html
from reports.layout import layout
from reports.plots import plots
from reports.standings import standings
from reports.statistics import Figures, figures, listed
from reports.tables import FORMATS, text
from reports.tournament import MOST_COLUMNS, MOST_WITH_ERRORS, tournament_grids
from simulator.experiments.estimates import Estimate
from simulator.experiments.plan import Plan
from simulator.experiments.result import Result
from simulator.experiments.tally import Tally
from tests.experiments.fakes import PARTS, plan
from tests.reports.made import common_luck, outcomes_of, random_result, result_of, winning

NAMES = ("cautious", "tidy", "blocker", "greedy", "rush-h")
ENTRY = re.compile(r"([+-]?[\d,.]+)(?: ± ([\d,.]+))?( =)?")


def lucky(made: Plan, means: tuple[int, ...] = (20, 24, 20, 21, 12), seed: int = 1) -> Result:
    """Result of strategies with these mean scores and some luck."""
    scores = common_luck(made, means[: len(made.strategies)], np.random.default_rng(seed))
    return result_of(made, outcomes_of(made, scores))


def cell(grid: Grid, row: str, column: str) -> str:
    """A cell by the names of its row and column."""
    (line,) = (line for line in grid.rows if line.label == row)
    return line.cells[grid.columns.index(column)]


def entry(told: str) -> tuple[float, float | None, bool]:
    """Value, half-width, and whether it is marked, of ``+1.2 ± 0.3 =``."""
    match = ENTRY.fullmatch(told)
    assert match is not None, told
    width = None if match[2] is None else float(match[2].replace(",", ""))
    return float(match[1].replace(",", "")), width, match[3] is not None


def reach(estimate: Estimate) -> float:
    """How far an interval reaches, on its longer side."""
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return max(estimate.value - estimate.low, estimate.high - estimate.value)


@pytest.fixture
def shown() -> Figures:
    """A tournament of four at tables of two."""
    return figures(lucky(plan(*"abcd", games=400, table=2)))


def test_the_matrix_of_win_shares(shown: Figures) -> None:
    _, grid, _ = tournament_grids(shown)
    assert grid.title == "win share, % ± 95 %"
    for (i, j), share in shown.met.items():
        value, width, open_ = entry(cell(grid, shown.labels[i], shown.labels[j]))
        assert value == pytest.approx(100 * (share.value or 0), abs=0.051)
        assert width == pytest.approx(100 * reach(share), abs=0.051)
        (pair,) = (pair for pair in shown.by("win_share") if {pair.first, pair.second} == {i, j})
        assert open_ == (pair.verdict == 0)
    assert [cell(grid, label, label) for label in shown.labels] == ["–"] * 4


def test_the_matrix_of_leads(shown: Figures) -> None:
    _, _, grid = tournament_grids(shown)
    assert grid.title == "lead, points ± 95 %"
    for pair in shown.by("mean_score"):
        first, second = shown.labels[pair.first], shown.labels[pair.second]
        value, width, open_ = entry(cell(grid, second, first))
        assert value == pytest.approx(pair.difference.value, abs=0.051)
        assert width == pytest.approx(reach(pair.difference), abs=0.051)
        assert open_ == (pair.verdict == 0)
        assert entry(cell(grid, first, second)) == (-value, width, open_)


def test_rows_and_columns_are_in_order_of_rank(shown: Figures) -> None:
    standing, *matrices = tournament_grids(shown)
    order = [row.label for row in standing.rows]
    ratings = {label: s["elo"].value or 0.0 for label, s in zip(shown.labels, shown.strategies, strict=True)}
    assert order == sorted(ratings, key=lambda label: -ratings[label])
    for grid in matrices:
        assert list(grid.columns) == [row.label for row in grid.rows] == order


def test_the_standings(shown: Figures) -> None:
    grid = tournament_grids(shown)[0]
    for label, measures in zip(shown.labels, shown.strategies, strict=True):
        value, width, _ = entry(cell(grid, label, "Elo rating ± 95 %"))
        assert value == pytest.approx(measures["elo"].value, abs=0.51)
        assert width == pytest.approx(reach(measures["elo"]), abs=0.51)
        share, mean = (float(cell(grid, label, name)) for name in ("win share, %", "mean score"))
        assert share == pytest.approx(100 * (measures["win_share"].value or 0), abs=0.051)
        assert mean == pytest.approx(measures["mean_score"].value, abs=0.051)
    values = [entry(cell(grid, row.label, "Elo rating ± 95 %"))[0] for row in grid.rows]
    leads = [entry(row.cells[4])[0] for row in grid.rows[:-1]]
    assert leads == pytest.approx(-np.diff(values), abs=1.01)
    assert grid.rows[-1].cells[4:] == ["–", "–"]
    assert all(row.cells[5] == "> 99.9" or 50 <= float(row.cells[5]) <= 99.9 for row in grid.rows[:-1])


def test_shares_that_are_always_the_same_can_be_told_by_hand() -> None:
    made = plan(*"abc", games=40, table=2)
    found = figures(result_of(made, outcomes_of(made, winning(made, min))))
    standing, shares, leads = tournament_grids(found)
    assert [row.label for row in standing.rows] == ["a", "b", "c"]
    assert [row.cells[2:4] for row in standing.rows] == [["100.0", "20.0"], ["50.0", "15.0"], ["0.0", "10.0"]]
    assert [[entry(told)[0] for told in row.cells if told != "–"] for row in shares.rows] == [
        [100, 100],
        [0, 100],
        [0, 0],
    ]
    assert [row.cells for row in leads.rows] == [
        ["–", "+10.0 ± 0.0", "+10.0 ± 0.0"],
        ["-10.0 ± 0.0", "–", "+10.0 ± 0.0"],
        ["-10.0 ± 0.0", "-10.0 ± 0.0", "–"],
    ]


@pytest.mark.parametrize("seats", [2, 3])
def test_a_focus_has_a_row_for_each_other_one(seats: int) -> None:
    found = figures(lucky(plan(*"abcd", games=400, table=seats, focus=True)))
    standing, grid = tournament_grids(found)
    assert grid.title == ("a against" if seats == 2 else "a at a table with")
    assert [row.label for row in grid.rows] == [row.label for row in standing.rows if row.label != "a"]
    for j, label in enumerate("bcd", start=1):
        share, width, _ = entry(cell(grid, label, "win share, % ± 95 %"))
        assert share == pytest.approx(100 * (found.met[0, j].value or 0), abs=0.051)
        assert width == pytest.approx(100 * reach(found.met[0, j]), abs=0.051)
        lead, _, open_ = entry(cell(grid, label, "lead, points ± 95 %"))
        (pair,) = (pair for pair in found.by("mean_score") if (pair.first, pair.second) == (0, j))
        assert lead == pytest.approx(-(pair.difference.value or 0), abs=0.051)
        assert open_ == (pair.verdict == 0)


def many(count: int, games: int = 40, **settings: Any) -> Result:
    """Result of so many strategies of which neighbors hardly differ."""
    made = plan(*(f"s{i}" for i in range(count)), games=games, table=2, **settings)
    return lucky(made, tuple(20 + i // 2 for i in range(count)))


def test_large_matrices_have_the_widest_interval_in_a_last_line() -> None:
    shown = figures(many(MOST_WITH_ERRORS + 1))
    _, shares, leads = tournament_grids(shown)
    assert "±" not in shares.title
    assert all("±" not in told for row in shares.rows for told in row.cells)
    widest = max(100 * reach(share) for share in shown.met.values())
    assert shares.rows[-1].label == f"95 %: up to ± {widest:.1f}"
    assert leads.rows[-1].label == f"95 %: up to ± {max(reach(p.difference) for p in shown.by('mean_score')):.1f}"
    assert set(shares.rows[-1].cells) == {""}
    for (i, j), share in shown.met.items():
        assert entry(cell(shares, f"s{i}", f"s{j}"))[0] == pytest.approx(100 * (share.value or 0), abs=0.051)


def test_matrices_are_left_out_where_nobody_could_read_them() -> None:
    assert len(tournament_grids(figures(many(MOST_COLUMNS)))) == 3
    assert len(tournament_grids(figures(many(MOST_COLUMNS + 1)))) == 1
    assert len(tournament_grids(figures(many(MOST_COLUMNS + 1, focus=True)))) == 2


def test_fifty_strategies_are_quick() -> None:
    result = many(50)
    begin = time.process_time()
    shown = figures(result)
    assert time.process_time() - begin < 2
    assert len(shown.by("win_share")) == 1225
    assert len(layout(result, "1").grids[0].rows) == 50
    assert len(text(result, version="1", width=100).splitlines()) < 250


@pytest.mark.parametrize("games", [1, 30, 40_000])
@pytest.mark.parametrize("names", [NAMES[:2], NAMES[:3], NAMES[:4], NAMES])
@pytest.mark.parametrize("focus", [False, True])
@pytest.mark.parametrize("means", [(20,) * 5, (50, 40, 30, 20, -30)])
def test_up_to_five_fit_100_columns(names: tuple[str, ...], games: int, focus: bool, means: tuple[int, ...]) -> None:
    """With equal strategies (marks everywhere) and with ones that lose everything (ratings of four digits)."""
    result = lucky(plan(*names, games=games, table=2, focus=focus), means)
    page = layout(result, "1")
    lines = text(result, version="1", width=100).splitlines()
    assert max(map(len, lines)) <= 100
    for grid in page.grids:
        for row in grid.rows:  # not broken over lines
            assert any(
                line.startswith(row.label) and line.split() == [row.label, *" ".join(row.cells).split()]
                for line in lines
            )


@pytest.mark.parametrize("table", [2, 3])
@pytest.mark.parametrize("games", [1, 90])
@pytest.mark.parametrize("focus", [False, True])
def test_json_and_csv_agree(table: int, games: int, focus: bool) -> None:
    result = lucky(plan(*"abcd", games=games, table=table, focus=focus))
    data = json.loads(text(result, version="1", form="json"))["results"]
    rows = {(r["subject"], r["measure"]): r for r in csv.DictReader(io.StringIO(text(result, version="1", form="csv")))}
    expected = {(s["label"], measure): s[measure] for s in data["strategies"] for measure in ("win_share", "elo")}
    expected |= {(f"{m['of']} with {m['with']}", "win_share"): m for m in data["met"]}
    expected |= {(f"{p['of']} minus {p['minus']}", p["measure"]): p for p in data["pairs"]}
    for key, figure in expected.items():
        for name in ("value", "se", "low", "high"):
            assert rows[key][name] == ("" if figure[name] is None else str(figure[name])), key
    assert {key for key in rows if " with " in key[0] or " minus " in key[0]} <= set(expected)
    assert len(rows) == len(listed(figures(result)))


def test_json_has_the_standings() -> None:
    made = plan(*"abc", games=200, table=2)
    rock = {(0, 1): 0, (1, 2): 1, (0, 2): 2}
    found = document(result_of(made, outcomes_of(made, winning(made, rock.__getitem__))), version="1")["results"]
    assert found["standings"] == {
        "order": ["a", "b", "c"],
        "superiority": [0.5, 0.5],
        "not_told_apart": [["a", "b", "c"]],
        "cycles": [["a", "b", "c"]],
    }
    assert [s["rank"] for s in found["strategies"]] == [[1, 3]] * 3
    assert [(m["of"], m["with"], m["value"]) for m in found["met"] if m["value"]] == [
        ("a", "b", 1),
        ("b", "c", 1),
        ("c", "a", 1),
    ]
    assert [(p["of"], p["minus"], p["verdict"]) for p in found["pairs"] if p["measure"] == "win_share"] == [
        ("b", "a", -1),
        ("c", "a", 1),
        ("c", "b", -1),
    ]


def test_the_table_and_markdown_show_the_same_cells() -> None:
    result = lucky(plan(*"abcd", games=400, table=2))
    pipes = [line for line in text(result, version="1", form="markdown").splitlines() if line.startswith("| ")]
    cells = [[told.strip() for told in line.split("|")[1:-1]] for line in pipes if "---" not in line]
    lines = [line.split() for line in text(result, version="1").splitlines()]
    assert len(cells) == 15
    for row in cells:
        assert " ".join(row).split() in lines
    page = layout(result, "1")
    assert cells == [
        line for grid in page.grids for line in ([grid.title, *grid.columns], *([r.label, *r.cells] for r in grid.rows))
    ]


def test_the_header_names_tables_and_dice() -> None:
    made = plan(*"abcd", games=10, table=3, independent=True)
    assert layout(random_result(made), "0.1").header == (
        "12 games at each of 4 tables of 3 in 4 blocks · independent dice · sheet black · official rules · seed 1 · "
        "kok-sim 0.1"
    )
    assert layout(random_result(plan(*"ab", games=2, table=2)), "0.1").header.startswith(
        "2 games at a table of 2 in 1 block · "
    )


def passing(made: Plan) -> Result:
    """The first strategy passes all the time; two of its kind never end."""
    scores = np.where(made.seating == 0, -30, 20)[None].repeat(made.blocks, axis=0)
    outcomes = outcomes_of(made, scores, 1000)
    outcomes.stopped[:] = 1
    return result_of(made, outcomes)


def nothing(made: Plan) -> Result:
    """Interrupted before the first block was done."""
    tally = Tally.empty(made.seating, len(PARTS), made.rules.score_range())
    return Result(made, tally, PARTS, 0.0, "1 thread", interrupted=True)


DEGENERATE = {
    "nothing played": nothing,
    "one block": lambda made: random_result(plan(*[s.name for s in made.strategies], games=1, table=made.table)),
    "all ties": lambda made: result_of(made, outcomes_of(made, np.full((made.blocks, *made.seating.shape), 7))),
    "always the same winner": lambda made: result_of(made, outcomes_of(made, winning(made, min))),
    "always passing": passing,
    "in turn": lambda made: result_of(made, outcomes_of(made, winning(made, lambda t: t[sum(t) % len(t)]))),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("case", DEGENERATE.values(), ids=DEGENERATE)
@pytest.mark.parametrize(
    ("names", "table", "focus"),
    [("ab", 2, False), ("abc", 2, False), ("abc", 3, False), ("abcd", 3, True), ("aaa", 2, False), ("aab", 2, False)],
)
def test_degenerate_tournaments_have_answers(case: Any, names: str, table: int, focus: bool) -> None:
    result = case(plan(*names, games=12 * table, table=table, focus=focus))
    for form in FORMATS:
        told = text(result, version="1", form=form)
        assert not re.search(r"\b(nan|inf|None)\b", told, re.IGNORECASE)
    assert "nan" not in as_html(result, "1")
    json.loads(text(result, version="1", form="json"))
    assert (list(plots(result)) == []) == (not result.tally.blocks)
    for _, _, estimate in listed(figures(result)):
        if None not in estimate:
            value, se, low, high = estimate
            assert low - 1e-9 <= value <= high + 1e-9  # type: ignore[operator]
            assert se >= 0  # type: ignore[operator]


def test_one_block_says_nothing_about_who_is_better() -> None:
    result = random_result(plan(*"abc", games=1, table=2))
    found = standings(figures(result))
    assert found.places == [(1, 3)] * 3
    assert found.superiority == [None, None]
    grid = layout(result, "1").grids[0]
    assert [row.cells[5] for row in grid.rows] == ["–"] * 3
    assert all("±" not in row.cells[1] for row in grid.rows)


def test_one_block_shows_leads_without_intervals() -> None:
    lines = text(random_result(plan(*"abc", games=1, table=2)), version="1").splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("lead, points"))
    assert all("±" not in line for line in lines[first + 2 : first + 5])


def test_nothing_played_shows_dashes() -> None:
    for focus in (False, True):
        page = layout(nothing(plan(*"abc", games=10, table=2, focus=focus)), "1")
        assert {told for grid in page.grids for row in grid.rows for told in row.cells} == {"–"}
