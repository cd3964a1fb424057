"""The same figures in every format, legible in 100 columns, plain where nobody watches."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from typing import Any

import pytest

from reports.document import dumps
from reports.layout import layout
from reports.numbers import count, decimals, interval, listing, number
from reports.tables import FORMATS, show, text
from simulator.errors import UnknownNameError
from simulator.experiments.estimates import Estimate
from simulator.experiments.result import Result
from simulator.keer_op_keer.rules import Rules
from tests.experiments.fakes import plan
from tests.reports.made import random_result

NAMES = ("greedy", "cautious", "save-jokers", "outward:pull=0.5,jokers=2", "rush-h", "greedy")


def table_of(result: Result) -> str:
    """The table, 100 columns wide."""
    return text(result, version="1.2.3", width=100)


def document_of(result: Result) -> dict[str, Any]:
    """What the JSON format holds."""
    found: dict[str, Any] = json.loads(text(result, version="1.2.3", form="json"))
    return found


def test_table_of_two() -> None:
    result = random_result(plan("greedy", "tidy", games=2000))
    assert table_of(result) == (
        "2,000 games in 1,000 blocks · sheet black · official rules · seed 1 · kok-sim 1.2.3\n"
        "                            greedy           tidy\n"
        "─────────────────────────────────────────────────\n"
        "win share, %                  42.7           57.3\n"
        "  95 % interval       40.6 to 44.8   55.2 to 59.4\n"
        "  won alone, %                39.1           53.7\n"
        "  shared (tie), %              7.2            7.2\n"
        "mean score ± SE      20.07 ± 0.087  21.06 ± 0.082\n"
        "  SD of a game                 3.8            3.7\n"
        "  5 %, median, 95 %     14, 20, 26     15, 21, 27\n"
        "  from columns               20.07          21.06\n"
        "lead over first                  –           +1.0\n"
        "  95 % interval                  –   +0.8 to +1.2\n"
        "rolls per game 39.0 ± 0.26 (SD 11.8) · ties 7.20 % · 4,000 games/s on 1 thread\n"
        "starting seat: win share -0.2 % points (-2.3 to +1.9), score +0.1 points (-0.1 to +0.3)\n"
        "\n"
        "tidy wins 57.3 % of games against greedy (95 % interval 55.2 to 59.4 %): it is stronger, by 1.0\n"
        "points a game (0.8 to 1.2).\n"
    )


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("games", [1, 100, 40_000])
def test_tables_fit_100_columns(players: int, games: int) -> None:
    made = plan(*NAMES[:players], games=games, rules=Rules(star_penalty=1, open_rolls=0, jokers=9))
    lines = table_of(random_result(made)).splitlines()
    assert max(map(len, lines)) <= 100
    for label in ("win share, %", "  won alone, %", "mean score ± SE", "lead over first"):
        assert sum(line.startswith(label) for line in lines) == 1  # not broken over lines
    assert all("…" not in line for line in lines)


def test_header_says_what_was_played() -> None:
    made = plan("a", "b", games=3, seed=9, boards="black,red", rules=Rules(open_rolls=0, column_later=(1,) * 15))
    assert layout(random_result(made), "0.1").header == (
        "4 games in 2 blocks · sheets black, red · rules column_later=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1, open_rolls=0 · "
        "seed 9 · kok-sim 0.1"
    )
    assert layout(random_result(plan("a", games=1, solo=True)), "0.1").header.startswith("1 solo game · sheet black · ")
    assert layout(random_result(plan("a", "b", games=5, solo=True)), "0.1").header.startswith("5 solo games each · ")


def test_sheets_are_shown_when_they_differ() -> None:
    assert "sheet " in table_of(random_result(plan("a", "b", boards="black,red"))).split("\n", 1)[1]
    assert "\nsheet " not in table_of(random_result(plan("a", "b")))


def test_solo_shows_the_thirteen_bands() -> None:
    lines = table_of(random_result(plan("a", "b", games=100, solo=True))).splitlines()
    bands = [line for line in lines if re.search(r"stars|bolt", line)]
    assert len(bands) == 13
    assert not any("win share" in line or "starting seat" in line for line in lines)


def test_what_was_not_played_is_left_out() -> None:
    assert "from passes" not in table_of(random_result(plan("a", "b")))


def test_one_block_shows_dashes() -> None:
    lines = table_of(random_result(plan("a", "b", games=2))).splitlines()
    assert next(line for line in lines if "mean score" in line).count("± –") == 2
    assert not any("nan" in line.lower() or "None" in line for line in lines)


@pytest.mark.parametrize("games", [1, 2, 100])
@pytest.mark.parametrize("solo", [False, True])
def test_all_formats_agree(games: int, solo: bool) -> None:
    result = random_result(plan("a", "b", "c", games=games, solo=solo))
    data = document_of(result)["results"]
    rows = list(csv.DictReader(io.StringIO(text(result, version="1", form="csv"))))
    figures = {(row["subject"], row["measure"]): row for row in rows}
    for strategy in data["strategies"]:
        for measure in set(strategy) - {"label", "rank", "parts"}:
            agree(figures[strategy["label"], measure], strategy[measure])
        for part, points in strategy["parts"].items():
            agree(figures[strategy["label"], f"part {part}"], points)
    for measure, figure in data["game"].items():
        agree(figures["game", measure], figure)
    for pair in data["pairs"]:
        agree(figures[f"{pair['of']} minus {pair['minus']}", pair["measure"]], pair)


def agree(row: dict[str, str], figure: Any) -> None:
    """A line of CSV and a figure of JSON hold the same."""
    figure = figure if isinstance(figure, dict) else {"value": figure}
    for name in ("value", "se", "low", "high"):
        known = figure.get(name)
        assert row[name] == ("" if known is None else str(known))


def test_table_and_markdown_show_the_figures_of_json() -> None:
    result = random_result(plan("a", "b", "c", games=900))
    lines = [line for line in table_of(result).splitlines() if re.search(r"\d", line)]
    pipes = [line for line in text(result, version="1.2.3", form="markdown").splitlines() if line.startswith("| ")]
    cells = {line.split("|")[1].strip(): [c.strip() for c in line.split("|")[2:-1]] for line in pipes[2:]}
    strategies = document_of(result)["results"]["strategies"]
    assert cells["win share, %"] == [f"{100 * s['win_share']['value']:.1f}" for s in strategies]
    means = [s["mean_score"] for s in strategies]
    assert cells["mean score ± SE"] == [f"{m['value']:.1f} ± {m['se']:.2f}" for m in means]
    assert cells["5 %, median, 95 %"] == [f"{s['p05']:.0f}, {s['median']:.0f}, {s['p95']:.0f}" for s in strategies]
    assert cells["lead over first"][1:] == [f"{s['difference']['value']:+.1f}" for s in strategies[1:]]
    for label in ("win share, %", "mean score ± SE", "lead over first"):
        row = next(line for line in lines if line.startswith(label))
        assert row.removeprefix(label).split() == " ".join(cells[label]).split()


def test_document_holds_the_plan_and_the_counts() -> None:
    made = plan("a", "b", games=50, seed=4)
    result = random_result(made, seed=2)
    data = document_of(result)
    assert (data["format"], data["version"]) == ("kok-sim/result", 1)
    assert data["program"] == {"name": "kok-sim", "version": "1.2.3"}
    assert data["experiment"] == made.describe()
    found = data["results"]
    assert sum(found["score_counts"]["a"].values()) == 50
    assert sum(found["margin_counts"]["b"].values()) == 50
    assert sum(found["roll_counts"].values()) == 50
    assert data["run"] == {"seconds": 0.5, "games_per_second": 100, "players": "1 thread", "notes": []}
    assert [s["rank"] for s in found["strategies"]] in ([[2, 2], [1, 1]], [[1, 2], [1, 2]])


def test_json_has_null_where_nothing_is_known() -> None:
    found = document_of(random_result(plan("a", "b", games=1)))["results"]
    assert found["strategies"][0]["mean_score"]["se"] is None
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"a": float("nan")})


def test_unknown_format_offers_the_near_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'markdown'"):
        text(random_result(plan("a", "b")), version="1", form="markdwon")
    assert FORMATS == ("table", "json", "csv", "markdown")


class Terminal(io.StringIO):
    """A text file that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_colors_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    result = random_result(plan("greedy", "tidy", games=2000))
    terminal, pipe = Terminal(), io.StringIO()
    show(result, version="1.2.3", file=terminal)
    show(result, version="1.2.3", file=pipe)
    assert "\x1b[" in terminal.getvalue()
    assert "\x1b[" not in pipe.getvalue()
    assert pipe.getvalue() == text(result, version="1.2.3")
    bare = re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue())
    assert [line.rstrip() for line in bare.splitlines()] == table_of(result).splitlines()


def test_pipes_get_whole_lines() -> None:
    made = plan(*NAMES, games=600)
    lines = text(random_result(made), version="1").splitlines()
    assert sum("outward:pull=0.5,jokers=2" in line for line in lines) == 2  # head of the column, and the sentence
    assert any(line.startswith("Ranked by win share after 600 games: ") and line.endswith(".") for line in lines)


@pytest.mark.parametrize("form", FORMATS)
def test_show_prints_each_format(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = random_result(plan("a", "b"))
    show(result, version="1", form=form)
    assert capsys.readouterr().out == text(result, version="1", form=form)


def test_importing_tables_is_cheap() -> None:
    heavy = "{'pandas', 'scipy', 'matplotlib', 'pyarrow', 'numba'}"
    code = f"import sys, reports.tables, reports.files; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_numbers() -> None:
    assert [decimals([w]) for w in (30, 1, 0.5, 0.1, 0.09, 0.002, 1e-9)] == [1, 1, 1, 1, 2, 3, 3]
    assert decimals([None, 0.0]) == 1
    assert [number(x, 1) for x in (1234.56, -0.04, 0, None)] == ["1,234.6", "0.0", "0.0", "–"]
    assert [number(x, 1, signed=True) for x in (1.26, -1.26, 0.01)] == ["+1.3", "-1.3", "0.0"]
    assert interval(Estimate(0.5, 0.1, 0.25, 0.75), 0, scale=100) == "25 to 75"
    assert interval(Estimate(0.5), 1) == "–"
    assert [count(1, "game"), count(2000, "game")] == ["1 game", "2,000 games"]
    assert [listing(["a"]), listing(["a", "b"]), listing(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
