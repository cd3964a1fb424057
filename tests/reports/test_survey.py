"""What is said of sweeps over rules and of ratings of sheets: nearest settings, places, tables, plots."""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

from kok_sim.shown import StudyResult
from reports import survey_plots
from reports.files import FILES, write_report
from reports.html import as_html
from reports.measures import measures, skill
from reports.rating import Rating
from reports.survey import Column, Survey
from reports.sweep import Sweep, slug
from reports.tables import FORMATS, text
from simulator.experiments.plan import Plan
from simulator.experiments.study import Study
from simulator.keer_op_keer.rules import Rules
from tests.experiments.fakes import plan
from tests.experiments.watched import scored, study_of

SHOWN = ("rolls", "mean_score", "close")


def played(plans: Sequence[Plan], blocks: int, gains: Sequence[float], seeds: Sequence[int] | None = None) -> Study:
    """Games of which the mean score is 20 + a gain, and that have 30 + a gain rolls; the same luck unless seeded."""
    pairs = []
    for i, (made, gain) in enumerate(zip(plans, gains, strict=True)):
        rng = np.random.default_rng(seeds[i] if seeds else 1)
        scores = 20 + gain + made.seating + rng.integers(-8, 9, (blocks, *made.seating.shape))
        rolls = 30 + gain + rng.integers(-6, 7, (blocks, len(made.seating)))
        pairs.append((made, scored(made, scores.astype(int), rolls.astype(int))))
    return study_of(*pairs)


def columns(made: Plan, names: Sequence[str]) -> tuple[Column, ...]:
    known = {measure.name: Column(measure) for measure in measures(made)}
    return tuple(known[name] for name in names)


def sweep(
    gains: Sequence[float],
    blocks: int = 60,
    *,
    axes: dict[str, Sequence[object]] | None = None,
    seeds: Sequence[int] | None = None,
    shown: Sequence[str] = SHOWN,
    target: tuple[str, float] | None = None,
    base: int = 0,
    names: str = "ab",
    solo: bool = False,
) -> Sweep:
    """A sweep in which each setting has a gain."""
    axes = {"jokers": range(len(gains))} if axes is None else axes
    settings = [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]
    games = blocks * (1 if solo else len(names))
    plans = [plan(*names, games=games, solo=solo, rules=Rules().changed(setting)) for setting in settings]
    return Sweep(
        axes=tuple((name, tuple(map(str, values))) for name, values in axes.items()),
        studies=(played(plans, blocks, gains, seeds),),
        columns=columns(plans[0], shown),
        base=base,
        name="official rules",
        target=None if target is None else (list(shown).index(target[0]), target[1]),
    )


def rating(
    gains: dict[str, float], blocks: int = 60, *, names: str = "ab", seeds: Sequence[int] | None = None
) -> Rating:
    """A rating of sheets on which everybody scores 20 + a gain alone."""
    alone = [plan(*names, games=blocks, solo=True) for _ in gains]
    table = [plan(*names, games=2 * blocks) for _ in gains] if len(names) > 1 else []
    studies = [played(alone, blocks, list(gains.values()), seeds)]
    shown = [
        Column(dataclasses.replace(column.measure, label="solo mean score"))
        for column in columns(alone[0], ["mean_score"])
    ]
    if table:
        studies.append(played(table, blocks, [-gain for gain in gains.values()]))
        shown.append(Column(dataclasses.replace(columns(table[0], ["rolls"])[0].measure, label="table rolls"), 1))
    return Rating(axes=(("sheet", tuple(gains)),), studies=tuple(studies), columns=tuple(shown), base=0)


def mean_of(found: Survey, column: int) -> list[float]:
    return [estimate.value or 0.0 for estimate in found.estimates[column]]


# --- settings and figures ---


def test_settings_are_all_combinations_in_order() -> None:
    found = sweep([0] * 6, axes={"jokers": (1, 2), "star_penalty": (0, 5, 9)})
    assert found.settings == [("1", "0"), ("1", "5"), ("1", "9"), ("2", "0"), ("2", "5"), ("2", "9")]
    assert [found.label(i) for i in (1, 5)] == ["jokers=1, star_penalty=5", "jokers=2, star_penalty=9"]
    for i, setting in enumerate(found.settings):
        rules = found.studies[0].plans[i].rules
        assert (str(rules.jokers), str(rules.star_penalty)) == setting  # type: ignore[attr-defined]


def test_differences_are_paired() -> None:
    """The same luck: the difference of two settings is that of their gains, whatever the spread."""
    found = sweep([0, 3, -2])
    assert found.difference(0, 1, 0) == (pytest.approx(3), 0, None, None)
    assert found.difference(1, 2, 1) == (pytest.approx(-5), 0, None, None)
    assert found.estimates[0][1].se > 0.1  # type: ignore[operator]
    assert found.chance(0, 1, 0) == 2.0**-49  # the sign test: 50 sections that all say the same
    assert found.chance(0, 1, 1) == 1


@pytest.mark.parametrize(("blocks", "chance"), [(1, 1), (4, 1), (5, 1 / 16), (8, 1 / 128)])
def test_a_few_deals_never_tell_settings_apart(blocks: int, chance: float) -> None:
    assert sweep([0, 9], blocks).chance(0, 1, 0) == chance


def test_a_column_of_another_study_is_taken_of_that() -> None:
    found = rating({"black": 0, "red": 2})
    assert mean_of(found, 0)[1] - mean_of(found, 0)[0] == pytest.approx(2)
    assert mean_of(found, 1)[1] - mean_of(found, 1)[0] == pytest.approx(-2)


# --- sentences ---


def test_lowest_and_highest_are_named() -> None:
    found = sweep([3, -2, 0])
    rolls = mean_of(found, 0)
    lowest, highest = (rf"{x:.1f} ± \d\.\d" for x in (rolls[1], rolls[0]))
    assert re.fullmatch(rf"rolls: {lowest} to {highest}, with jokers=1 and jokers=0\.", found.sentences[0])
    assert re.fullmatch(r"mean score: .* with jokers=1 and jokers=0\.", found.sentences[1])
    assert found.sentences[2].startswith("close (decided by 3 points or less, %): no difference beyond chance, ")


def test_settings_that_were_picked_for_being_far_apart_must_be_so_beyond_that() -> None:
    """Of nine settings that are all the same, the lowest and the highest differ by two to three errors as a rule."""
    said = 0
    for seed in range(60):
        found = sweep([0] * 9, 30, seeds=range(1000 * seed, 1000 * seed + 9), shown=("rolls",))
        said += "no difference" not in found.sentences[0]
    assert said <= 7  # 5 % or fewer


def test_figures_that_are_not_known() -> None:
    """All scores alike have no variance whose parts could be told."""
    made = [plan("a", "b", games=40, rules=Rules(jokers=n)) for n in (1, 2)]
    study = study_of(*((p, scored(p, np.full((20, 2, 2), 9))) for p in made))
    found = Sweep(
        axes=(("jokers", ("1", "2")),), studies=(study,), columns=columns(made[0], ["dice_variance"]), base=0,
        name="official rules", target=(0, 50.0),
    )  # fmt: skip
    assert found.sentences == [
        "dice_variance is not known at any setting.",
        "dice_variance (score variance from the dice, %): not known.",
    ]
    assert found.nearest is None
    assert found.written(0, 0) == "–"


@pytest.mark.parametrize(
    ("gains", "wanted", "nearest"),
    [
        ([0, 3, -2], 33.2, 1),
        ([0, 3, -2], 100, 1),
        ([0, 3, -2], -5, 2),
        ([0, 4, 8], 36.1, 2),
        ([0, 4, 8], 35.9, 1),
        ([5, 5, 0], 35, 0),  # the first of several
    ],
)
def test_the_nearest_setting(gains: list[float], wanted: float, nearest: int) -> None:
    """Rolls are 30 + gain + the mean of the luck, which is the same everywhere."""
    luck = mean_of(sweep([0]), 0)[0] - 30
    found = sweep(gains, target=("rolls", wanted + luck))
    assert found.nearest == nearest
    away = 30 + gains[nearest] - wanted
    told = f"jokers={nearest} comes nearest to rolls = {wanted + luck:g}: {found.written(0, nearest)} ({away:+.1f})"
    assert found.sentences[0].startswith(told.replace("+0.0", "0.0").replace("-0.0", "0.0"))


def test_a_target_of_shares_is_in_per_cent() -> None:
    """Margins of 0 to 40 per setting: all games close, or a part of them."""
    made = [plan("a", "b", games=40, rules=Rules(jokers=n)) for n in (1, 2, 3)]
    scores = [np.full((20, 2, 2), 20) for _ in made]
    for near, values in zip((20, 10, 4), scores, strict=True):
        values[near:, :, 0] += 9  # so 100, 50 and 20 % are close
    study = study_of(*((p, scored(p, s)) for p, s in zip(made, scores, strict=True)))
    found = Sweep((("jokers", ("1", "2", "3")),), (study,), columns(made[0], ["close"]), 0, "official", (0, 45.0))
    assert found.nearest == 1
    assert "jokers=2 comes nearest to close = 45: 50.0 ± " in found.sentences[0]
    assert "(+5.0)" in found.sentences[0]
    data = json.loads(text(found, version="1", form="json"))
    assert data["experiment"]["target"] == {"measure": "close", "value": 45}
    assert [s["measures"]["close"]["value"] for s in data["results"]["settings"]] == [1, 0.5, 0.2]


def test_who_cannot_be_told_apart_from_the_nearest() -> None:
    same = sweep([0, 0, 9], seeds=(1, 2, 3), target=("rolls", 30))
    nearest = same.nearest
    assert nearest in (0, 1)
    assert f"; about as near are jokers={1 - nearest}" in same.sentences[0]  # type: ignore[operator]
    luck = mean_of(sweep([0]), 0)[0] - 30
    assert sweep([0, 30, -90], target=("rolls", 31 + luck)).sentences[0].endswith(").")
    assert sweep([1, 3, 9], target=("rolls", 30 + luck)).sentences[0].endswith("; all settings lie above.")
    few = sweep([0, 3, 9], 4, target=("rolls", 30)).sentences
    assert few == ["Too few deals of dice to tell settings apart: play more games."]


def test_settings_on_both_sides_of_the_target_are_as_near_if_they_are_as_far() -> None:
    """27 and 33 rolls with luck of their own: one is found nearer, but it is not told apart from the other."""
    sole = 0
    for seed in range(40):
        found = sweep([-3, 3], 200, seeds=(2 * seed, 2 * seed + 1), target=("rolls", 30))
        sole += "about as near" not in found.sentences[0]
    assert sole <= 6  # 5 % or so


def test_places_of_sheets() -> None:
    """The fewest points are the hardest; sheets with the same luck and gain cannot be told apart."""
    found = rating({"easy": 5, "hard": -4, "even": 0, "same": 0})
    assert [found.label(i) for i in found.rows()] == ["hard", "even", "same", "easy"]
    assert found.places == [(4, 4), (1, 1), (2, 3), (2, 3)]
    assert found.sentences[0] == "Hardest by mean solo score: hard."
    values = {found.label(i): found.written(0, i) for i in range(4)}
    assert found.sentences[1] == (
        f"From the hardest to the easiest: 1. hard ({values['hard']}), 2.–3. even ({values['even']}), 2.–3. same "
        f"({values['same']}), 4. easy ({values['easy']}); those with overlapping places cannot be told apart."
    )


def test_sheets_of_which_several_are_the_hardest() -> None:
    assert rating({"x": 0, "y": 3, "z": 0}).sentences[0] == (
        "Hardest by mean solo score: x and z, which cannot be told apart."
    )
    assert rating({"x": 0, "y": 0}).sentences[0] == "x and y cannot be told apart by the mean solo score."
    assert rating({"x": 0, "y": 9}, 4).sentences[0] == "x and y cannot be told apart by the mean solo score."
    assert rating({"x": 0, "y": 2}).sentences == [
        "Hardest by mean solo score: x.",
        f"From the hardest to the easiest: 1. x ({rating({'x': 0, 'y': 2}).written(0, 0)}), 2. y "
        f"({rating({'x': 0, 'y': 2}).written(0, 1)}).",
    ]


def test_one_sheet() -> None:
    found = rating({"red": 1})
    assert found.places == [(1, 1)]
    assert found.sentences == [f"The mean solo score on red is {found.written(0, 0)}."]


def test_equal_sheets_are_rarely_told_apart() -> None:
    """Holm: at most in 5 % of ratings there is any difference (here of 60)."""
    wrong = 0
    for seed in range(60):
        found = rating(dict.fromkeys("vwxyz", 0), 30, names="a", seeds=range(100 * seed, 100 * seed + 5))
        wrong += found.places != [(1, 5)] * 5
    assert wrong <= 7


@pytest.mark.parametrize("kind", ["sweep", "rating"])
def test_nothing_played(kind: str) -> None:
    some: Survey = sweep([0, 1], target=("rolls", 3)) if kind == "sweep" else rating({"x": 0, "y": 1})
    found = dataclasses.replace(some, studies=tuple(Study.unplayed(study.plans) for study in some.studies))
    assert found.sentences == ["No games were played, so nothing was found."]
    assert found.notes[0] == "Interrupted: the figures are of the first 0 games of each."
    for form in FORMATS:
        assert "nan" not in text(found, version="1", form=form).lower()
    assert found.report("1").plots() == {}


def test_a_table_that_was_not_played() -> None:
    """Ctrl-C in the solo games, or after them."""
    some = rating({"x": 0, "y": 1})
    found = dataclasses.replace(some, studies=(some.studies[0], Study.unplayed(some.studies[1].plans)))
    assert found.interrupted
    assert found.notes == ["Interrupted: a and b played only the first 0 games of each at a table."]
    assert found.sentences == some.sentences
    assert [found.written(1, i) for i in (0, 1)] == ["–", "–"]


def test_headers() -> None:
    assert sweep([0, 1]).header("0.1") == (
        "120 games at each of 2 settings on the same dice · a, b · sheet black · official rules · seed 1 · kok-sim 0.1"
    )
    assert sweep([0, 1], solo=True, shown=("rolls",)).header("0.1").startswith("60 solo games at each of 2 settings")
    assert rating({"x": 0, "y": 1}).header("0.1") == (
        "60 solo games of each strategy on each of 2 sheets · 120 games at a table · a, b · official rules · seed 1 · "
        "kok-sim 0.1"
    )
    assert "at a table" not in rating({"x": 0, "y": 1}, names="a").header("0.1")


def test_what_people_would_do_is_said_of_rules_only() -> None:
    assert any("adapt" in note for note in sweep([0, 1]).notes)
    assert rating({"x": 0, "y": 1}).notes == []


# --- all forms ---

FOUND: dict[str, Any] = {
    "sweep": lambda: sweep([0, 3, -2], target=("rolls", 30)),
    "two rules": lambda: sweep([0, 3, -2, 1, 4, 2], axes={"jokers": (1, 2), "star_penalty": (0, 5, 9)}, base=4),
    "solo": lambda: sweep([0, 1], solo=True, shown=("rolls", "mean_score")),
    "one block": lambda: sweep([0, 3, -2], 1, target=("rolls", 30)),
    "rating": lambda: rating({"x": 0, "y": 3, "z": -1}),
    "one sheet": lambda: rating({"x": 0}),
    "one strategy": lambda: rating({"x": 0, "y": 3}, names="a"),
    "one game": lambda: rating({"x": 0, "y": 3}, 1, names="a"),
}


@pytest.mark.parametrize("kind", FOUND)
def test_all_forms_hold_the_same_figures(kind: str) -> None:
    found: Survey = FOUND[kind]()
    data = json.loads(text(found, version="1.2.3", form="json"))
    assert data["format"] == f"kok-sim/{'sheets' if isinstance(found, Rating) else 'sweep'}"
    assert data["experiment"]["axes"] == {name: list(values) for name, values in found.axes}
    assert data["experiment"]["plans"] == [[p.describe() for p in study.plans] for study in found.studies]
    rows = list(csv.DictReader(io.StringIO(text(found, version="1.2.3", form="csv"))))
    figures = {(row["subject"], row["measure"]): row for row in rows}
    assert len(figures) == len(rows)
    base = found.label(found.base)
    for setting, entry in enumerate(data["results"]["settings"]):
        assert tuple(entry["setting"].values()) == found.settings[setting]
        label = found.label(setting)
        for name, figure in entry["measures"].items():
            agree(figures.pop((label, name)), figure)
            if setting != found.base:
                agree(figures.pop((f"{label} minus {base}", name)), figure["difference"])
    assert figures == {}
    markdown = text(found, version="1.2.3", form="markdown")
    pipes = [[c.strip() for c in line.split("|")[1:-1]] for line in markdown.splitlines() if line.startswith("| ")]
    assert [row[0] for row in pipes[2:]] == [found.label(i) for i in found.rows()]
    for row, setting in zip(pipes[2:], found.rows(), strict=True):
        assert row[1:] == [found.written(i, setting) for i in range(len(found.columns))]
        for cell, column, estimates in zip(row[1:], found.columns, found.estimates, strict=True):
            value = column.scale * (estimates[setting].value or 0)
            assert float(cell.split(" ± ")[0]) == pytest.approx(value, abs=0.0501)
    table = [" ".join(line.split()) for line in text(found, version="1.2.3").splitlines()]
    for row in pipes[:1] + pipes[2:]:
        assert " ".join(" ".join(row).split()) in table
    page = as_html(found, "1.2.3")
    for row in pipes[2:]:
        assert all(f">{cell}<" in page for cell in row[1:])
    for form in FORMATS:
        assert not re.search(r"\bnan\b|None\b|\binf\b", text(found, version="1", form=form))
    assert not re.search(r"\bnan\b|None\b", page)


def agree(row: dict[str, str], figure: dict[str, Any]) -> None:
    for part in ("value", "se", "low", "high"):
        assert row[part] == ("" if figure[part] is None else str(figure[part]))


@pytest.mark.parametrize("kind", FOUND)
@pytest.mark.filterwarnings("error")
def test_plots_are_drawn_and_their_files_are_known(kind: str) -> None:
    found: Survey = FOUND[kind]()
    drawn = found.report("1.2.3").plots()
    assert len(drawn) == (1 if isinstance(found, Rating) else len(found.columns))
    for name, make in drawn.items():
        figure = make()
        assert FILES.fullmatch(f"{name}.svg")
        assert figure.get_suptitle()
        assert "seed 1" in figure.get_supxlabel().replace("\n", " ")
        figure.canvas.draw()
    assert pyplot.get_fignums() == []


# --- plots ---


def test_a_line_shows_values_and_its_band() -> None:
    found = sweep([0, 3, -2], target=("rolls", 31.5), axes={"jokers": (2, 4, 9)})
    axes = survey_plots.line(found, 0, "1").axes[0]
    assert axes.lines[0].get_xdata().tolist() == [2, 4, 9]  # type: ignore[union-attr]
    assert axes.lines[0].get_ydata() == pytest.approx(mean_of(found, 0))
    (band,) = axes.collections
    edges = {tuple(np.round(point, 9)) for point in band.get_paths()[0].vertices}
    for x, estimate in zip((2, 4, 9), found.estimates[0], strict=True):
        assert {(x, round(estimate.low or 0, 9)), (x, round(estimate.high or 0, 9))} <= edges
    assert list(axes.lines[1].get_ydata()) == [31.5, 31.5]  # the target, on its own measure only
    assert len(survey_plots.line(found, 1, "1").axes[0].lines) == 1
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("jokers", "rolls")


def test_a_line_runs_from_left_to_right() -> None:
    found = sweep([0, 3, -2], axes={"jokers": (9, 2, 4)})
    axes = survey_plots.line(found, 0, "1").axes[0]
    low, middle, high = (mean_of(found, 0)[i] for i in (1, 2, 0))
    assert axes.lines[0].get_xdata().tolist() == [2, 4, 9]  # type: ignore[union-attr]
    assert axes.lines[0].get_ydata() == pytest.approx([low, middle, high])


def test_a_line_over_texts_keeps_their_order() -> None:
    found = sweep([0, 3, -2], axes={"tie_break": ("stars", "columns", "marks")})
    axes = survey_plots.line(found, 0, "1").axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["stars", "columns", "marks"]
    assert axes.lines[0].get_ydata() == pytest.approx(mean_of(found, 0))


def test_a_heat_map_has_every_value_in_its_cell() -> None:
    gains = [0, 3, -2, 11, 14, 9]
    found = sweep(gains, axes={"jokers": (1, 2), "star_penalty": (0, 5, 9)}, shown=("mean_score", "close"))
    axes = survey_plots.heat_map(found, 0, "1").axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("jokers", "star_penalty")
    across = [label.get_text() for label in axes.get_xticklabels()]
    down = [label.get_text() for label in axes.get_yticklabels()]
    assert (across, down) == (["1", "2"], ["0", "5", "9"])
    grid = axes.images[0].get_array()
    written = {text.get_position(): text.get_text() for text in axes.texts}
    for setting, (jokers, penalty) in enumerate(found.settings):
        x, y = across.index(jokers), down.index(penalty)
        value = mean_of(found, 0)[setting]
        assert grid[y, x] == pytest.approx(value)  # type: ignore[index]
        assert written.pop((x, y)) == f"{value:.{found.digits(0)}f}"
    assert written == {}
    bottom, top = axes.get_ylim()
    assert bottom < top  # larger values are further up
    assert mean_of(found, 0) == pytest.approx([mean_of(found, 0)[0] + gain for gain in gains])
    shares = survey_plots.heat_map(found, 1, "1").axes[0].images[0].get_array()
    assert shares[2, 1] == pytest.approx(100 * mean_of(found, 1)[5])  # type: ignore[index]


@pytest.mark.filterwarnings("error")
def test_a_heat_map_leaves_out_what_is_not_known() -> None:
    made = [plan("a", "b", games=40, rules=Rules(jokers=n, star_penalty=m)) for n in (1, 2) for m in (0, 1)]
    scores = [np.full((20, 2, 2), 9) for _ in made]
    axes_of = (("jokers", ("1", "2")), ("star_penalty", ("0", "1")))
    for known in (False, True):
        scores[3][:10] += 2 * known
        study = study_of(*((p, scored(p, s)) for p, s in zip(made, scores, strict=True)))
        found = Sweep(axes_of, (study,), columns(made[0], ["dice_variance"]), 0, "official rules")
        figure = survey_plots.heat_map(found, 0, "1")
        figure.canvas.draw()
        shown = {text.get_position(): float(text.get_text()) for text in figure.axes[0].texts}
        assert shown == ({(1, 1): 100} if known else {})


def test_points_show_values_and_intervals_the_hardest_on_top() -> None:
    found = rating({"easy": 5, "hard": -4, "even": 0})
    axes = found.report("1").plots()["sheets"]().axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["hard", "even", "easy"]
    points, _, bars = axes.containers[0].lines  # type: ignore[attr-defined]
    order = [found.estimates[0][i] for i in (1, 2, 0)]
    assert points.get_xdata() == pytest.approx([e.value for e in order])
    segments = bars[0].get_segments()
    assert [s[0][0] for s in segments] == pytest.approx([e.low for e in order])
    assert [s[1][0] for s in segments] == pytest.approx([e.high for e in order])
    bottom, top = axes.get_ylim()
    assert bottom > top


# --- files ---


@pytest.mark.parametrize("kind", ["sweep", "rating"])
def test_a_folder_of_files(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Figure, "savefig", lambda _, path, **__: Path(path).write_text("drawn"))
    found: Survey = FOUND[kind]()
    written = [path.name for path in write_report(found, tmp_path, version="1")]
    plots = {"sweep": ["sweep-rolls", "sweep-mean_score", "sweep-close"], "rating": ["sheets"]}[kind]
    assert written == ["results.csv", *(f"{n}.{k}" for n in plots for k in ("png", "svg")), "summary.json"]
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert summary["run"].pop("files") == written
    assert summary == json.loads(text(found, version="1", form="json"))
    write_report(sweep([0, 1], shown=("mean_score",)), tmp_path, version="1")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"results.csv", "summary.json", "sweep-mean_score.png", "sweep-mean_score.svg"}


@pytest.mark.parametrize(
    ("name", "expected"), [("win my.toml", "win-my-toml"), ("score ../Ä b:x=1", "score-b-x-1"), ("low_5", "low_5")]
)
def test_names_of_files(name: str, expected: str) -> None:
    assert slug(name) == expected
    assert FILES.fullmatch(f"sweep-{slug(name)}.png")


def test_every_measure_has_a_file_of_its_own() -> None:
    """Also strategies whose names differ in letters that no name of a file has."""
    made = [plan("my.a", "my a", games=20, rules=Rules(jokers=n)) for n in (1, 2)]
    shown = columns(made[0], ["score my.a", "score my a", "rolls"])
    found = Sweep((("jokers", ("1", "2")),), (played(made, 10, [0, 1]),), shown, 0, "official rules")
    drawn = found.plots("1")
    assert len(drawn) == 3
    assert all(FILES.fullmatch(f"{name}.png") for name in drawn)
    titles = [make().axes[0].get_ylabel() for make in drawn.values()]
    assert titles == ["mean score of my.a", "mean score of my a", "rolls"]


def test_the_skill_of_a_sweep_is_that_of_its_duels() -> None:
    made = [plan("a", "b", games=40, rules=Rules(jokers=n)) for n in (1, 2)]
    duels = [dataclasses.replace(p, strategies=p.strategies[::-1]) for p in made]
    wins = [
        scored(p, np.where(p.seating == winner, 20, 10)[None].repeat(20, axis=0))
        for p, winner in zip(duels, (0, 1), strict=True)
    ]
    studies = (played(made, 20, [0, 1]), study_of(*zip(duels, wins, strict=True)))
    found = Sweep((("jokers", ("1", "2")),), studies, (Column(skill(duels[0]), 1),), 0, "official", (0, 90.0))
    assert mean_of(found, 0) == [1, 0]
    assert found.nearest == 0
    assert "win share of b against a, %" in found.sentences[1]


def test_in_a_notebook() -> None:
    found = StudyResult(sweep([0, 3], target=("rolls", 30)))
    assert found.plots == ["sweep-rolls", "sweep-mean_score", "sweep-close"]
    table = found.table.set_index(["subject", "measure"])
    assert table.loc[("jokers=1 minus jokers=0", "rolls"), "value"] == pytest.approx(3)
    assert table["se"].dtype == "Float64"
