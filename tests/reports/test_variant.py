"""What is said of house rules: verdicts, sentences, and the same figures in every form."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure
from scipy import stats

from kok_sim.shown import StudyResult
from reports.changes import Change
from reports.files import FILES, write_report
from reports.html import as_html
from reports.measures import Measure
from reports.ranking import holm
from reports.tables import FORMATS, text
from reports.variant import Variant
from simulator.experiments.estimates import Estimate
from simulator.experiments.plan import Plan
from simulator.experiments.study import Study
from simulator.keer_op_keer.rules import OFFICIAL, Rules
from simulator.outcomes import Outcomes
from tests.experiments.fakes import plan
from tests.experiments.watched import fill_watched, scored, study_of
from tests.reports.test_measures import qwixx_plan

OTHER = Rules(jokers=6)


def outcomes(made: Plan, blocks: int, seed: int, gain: int = 0, rolls: int = 0, lead: int = 0) -> Outcomes:
    """Normal luck; everybody gains some points, the first seat some more, and games are longer by some rolls."""
    rng = np.random.default_rng(seed)
    scores = 20 + gain + made.seating + rng.integers(-8, 9, (blocks, *made.seating.shape))
    if not made.solo:
        scores[:, :, 0] += lead
    out = scored(made, scores, 30 + rolls + rng.integers(-6, 7, (blocks, len(made.seating))))
    fill_watched(out, made, np.random.default_rng(seed + 1))
    return out


def made_up(blocks: int = 200, *, solo: bool = False, qwixx: bool = False, names: str = "ab", **change: int) -> Variant:
    """Two rule sets; the second changes some things."""
    if qwixx:
        plans = [qwixx_plan(*names, games=blocks * (1 if solo else len(names)), solo=solo)] * 2
        plans[1] = dataclasses.replace(plans[1], rules=plans[1].played.rules.from_changes({"penalty_points": 3}))
    else:
        games = blocks * (1 if solo else len(names))
        plans = [plan(*names, games=games, solo=solo, rules=rules) for rules in (OFFICIAL, OTHER)]
    out = [outcomes(plans[0], blocks, 1), outcomes(plans[1], blocks, 1, **change)]
    study = study_of(*zip(plans, out, strict=True))
    duel = None
    if not solo:
        duels = [
            dataclasses.replace(p, strategies=p.strategies[:2], sheets=p.sheets[:2], games=2 * blocks) for p in plans
        ]
        duel = study_of(*((p, outcomes(p, blocks, 5 + i)) for i, p in enumerate(duels)))
    return Variant(("official", "mine"), study, duel)


def by_name(found: Variant) -> dict[str, Change]:
    return {change.measure.name: change for change in found.changes}


# --- verdicts ---


def test_the_difference_is_the_variant_minus_the_base() -> None:
    found = by_name(made_up(gain=3, rolls=-4))
    for name, difference in (("mean_score", 3.0), ("rolls", -4.0)):
        change = found[name]
        assert change.variant.value == pytest.approx((change.base.value or 0) + difference)
        assert change.difference.value == pytest.approx(difference)
        assert change.difference.se == pytest.approx(0, abs=1e-9)  # the same luck: nothing but the change
        assert change.base.se > 0.01  # type: ignore[operator]
        assert change.verdict == np.sign(difference)


def test_p_values_are_those_of_holm_over_all_measures() -> None:
    """By Student's t on 49 degrees of freedom, the measure of the duel among them."""
    found = made_up(lead=1)
    raw = []
    for change in found.changes:
        value, se = change.difference.value, change.difference.se
        assert value is not None
        assert se is not None
        raw.append((2 * float(stats.t.sf(abs(value / se), 49)) if se else 2.0**-49) if value else 1.0)
    assert [change.p_value for change in found.changes] == pytest.approx(holm(raw).tolist())
    assert {change.verdict != 0 for change in found.changes} == {True, False}
    for change in found.changes:
        sign = np.sign(change.difference.value or 0)
        assert change.verdict == (sign if change.p_value < 0.05 else 0)


def test_what_would_count_by_itself_may_not_count_among_many() -> None:
    """Of equal rules 5 % of the measures differ by themselves; after Holm there is any such in 5 % of studies."""
    alone = wrong = measured = 0
    for seed in range(60):
        made = plan("a", "b", games=120)
        out = [outcomes(made, 60, 1000 * seed + i) for i in (1, 2)]
        changes = Variant(("official", "mine"), study_of((made, out[0]), (made, out[1]))).changes
        wrong += any(change.verdict for change in changes)
        measured += len(changes)
        alone += sum(_excludes_0(change.difference) for change in changes)
    assert 0.02 < alone / measured < 0.08
    assert wrong <= 7


def _excludes_0(estimate: Estimate) -> bool:
    if estimate.low is None or estimate.high is None:
        return False
    return not estimate.low <= 0 <= estimate.high


@pytest.mark.parametrize(("blocks", "verdict"), [(1, 0), (2, 0), (4, 0), (5, 0), (60, 1)])
def test_a_few_deals_never_tell_rules_apart(blocks: int, verdict: int) -> None:
    assert by_name(made_up(blocks, gain=9))["mean_score"].verdict == verdict


# --- sentences ---


def change_of(
    measure: tuple[str, str], base: float, variant: float, half: float | None, *, percent: bool = False
) -> Change:
    difference = variant - base
    bounds = (None, None, None) if half is None else (half / 2, difference - half, difference + half)
    made = Measure("m", "a measure", "a topic", lambda _: None, measure, percent=percent)
    sign = (difference > 0) - (difference < 0)
    return Change(made, Estimate(base), Estimate(variant), Estimate(difference, *bounds), 0.001, sign)


LONGER = ("games are {} rolls longer", "games are {} rolls shorter")
EDGE = ("the edge rises from {base} to {variant} points", "the edge falls from {base} to {variant} points")
TIES = ("ties rise by {} % points", "ties fall by {} % points")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (change_of(LONGER, 36.2, 30.0, 0.12), "games are 6.2 ± 0.1 rolls shorter"),
        (change_of(LONGER, 30.0, 36.25, 0.02), "games are 6.25 ± 0.02 rolls longer"),
        (change_of(LONGER, 30.0, 1036.25, 5.0), "games are 1,006.2 ± 5.0 rolls longer"),
        (change_of(LONGER, 30.0, 36.0, None), "games are 6.0 rolls longer"),
        (change_of(LONGER, 30.0, 25.0, 0.0), "games are 5.0 rolls shorter"),
        (change_of(EDGE, 1.9, 0.4, 0.1), "the edge falls from 1.9 to 0.4 points"),
        (change_of(EDGE, -1.9, 0.4, 0.1), "the edge rises from -1.9 to 0.4 points"),
        (change_of(TIES, 0.05, 0.0625, 0.0005, percent=True), "ties rise by 1.25 ± 0.05 % points"),
        (change_of(TIES, 0.5, 0.3, 0.01, percent=True), "ties fall by 20.0 ± 1.0 % points"),
    ],
)
def test_a_change_in_words(change: Change, told: str) -> None:
    assert change.told == told


def test_sentences_stand_by_topic() -> None:
    found = made_up(gain=3, rolls=-4, lead=5)
    lines = found.sentences
    assert lines[0].startswith("Length: games are 4.0 rolls shorter")
    assert any(line.startswith("Scores: scores are ") and " points higher" in line for line in lines)
    seats = next(line for line in lines if line.startswith("Seats: "))
    before, after = (by_name(found)["start_score_lead"].base.value, by_name(found)["start_score_lead"].variant.value)
    edge = re.search(
        r"the starting player's edge rises by [\d.]+(?: ± [\d.]+)? points, from (-?[\d.]+) to (-?[\d.]+)", seats
    )
    assert edge is not None
    assert [float(x) for x in edge.groups()] == pytest.approx([before, after], abs=0.05)
    assert "the starting player's win share rises by" in seats
    topics = [line.split(":")[0] for line in lines]
    assert len(set(topics)) == len(topics)


def test_what_did_not_change_is_named_too() -> None:
    """All measures are in a sentence of their own, or among those without a difference, or they are 0 under both."""
    found = made_up(lead=5)
    last = next(line for line in found.sentences if line.startswith("No difference beyond chance: "))
    same = last.removeprefix("No difference beyond chance: ").rstrip(".").split(", ")
    assert "rolls" in same
    zero = {c.measure.name for c in found.changes if c.base.value == c.variant.value == 0}
    assert zero == {"from_colors", "from_jokers", "from_stars", "from_passes"}  # all points are from columns here
    rest = [c for c in found.changes if not c.verdict and c.measure.name not in zero]
    assert same == [c.measure.label.split(", %")[0] for c in rest]


def test_feats_are_told_by_which_way_they_went() -> None:
    found = made_up(60)
    assert not any("often filled" in line for line in found.sentences)
    made, other = found.study.plans
    out = [scored(p, np.full((60, 2, 2), 20)) for p in (made, other)]
    out[0].counts[::2, :, :, 5] = 0b101  # columns A and C in half of the games
    out[1].counts[1::3, :, :, 5] = 0b001
    out[1].counts[:, :, :, 5] |= 0b1000  # column D always
    assert Variant(("official", "mine"), study_of((made, out[0]), (other, out[1]))).sentences[-1] == (
        "More often filled: column D; less often filled: column C."
    )
    out[1].counts[..., 5] = (1 << 20) - 1
    assert Variant(("official", "mine"), study_of((made, out[0]), (other, out[1]))).sentences[-1] == (
        "More often filled: all 20."
    )


def test_feats_are_told_with_who_was_first() -> None:
    """a is the first to fill column B in its first game of each deal: in half of its games."""
    made, other = made_up(20).study.plans
    out = [scored(p, np.full((20, 2, 2), 20)) for p in (made, other)]
    for counts in (out[0].counts, out[1].counts):
        counts[:, 0, 0, 5:] = 0b10
    out[1].counts[:, 1, 0, 5:] = 0b10  # and b in its first one under the variant
    found = Variant(("official", "mine"), study_of((made, out[0]), (other, out[1])))
    feat = next(feat for feat in found.feats if feat.name == "column B")
    assert [[e.value for e in both] for both in feat.first] == [[0.5, 0.5], [0, 0.5]]
    assert (feat.done.base.value, feat.done.variant.value) == (0.25, 0.5)
    row = next(line for line in text(found, version="1").splitlines() if "column B" in line)
    assert squeezed(row) == "column B 25.0 50.0 +25.0 – 50.0 → 50.0 0.0 → 50.0"


def test_rules_that_change_nothing() -> None:
    made, other = (plan("a", "b", games=100, rules=rules) for rules in (OFFICIAL, OTHER))
    found = Variant(("official", "mine"), study_of((made, outcomes(made, 50, 1)), (other, outcomes(other, 50, 1))))
    assert found.sentences == ["Nothing changed in any game: on these dice both rule sets come to the same."]
    few = Variant(("official", "mine"), study_of((made, outcomes(made, 4, 1)), (other, outcomes(other, 4, 2))))
    assert few.sentences == ["Too few deals of dice to tell what changes: play more games."]


def test_nothing_played() -> None:
    made, other = (plan("a", "b", games=100, rules=rules) for rules in (OFFICIAL, OTHER))
    found = Variant(("official", "mine"), Study.unplayed([made, other]), Study.unplayed([made, other]))
    assert found.sentences == ["No games were played, so nothing was found."]
    assert found.interrupted
    assert found.notes[0] == "Interrupted: the figures are of the first 0 games of each."
    for form in FORMATS:
        assert "nan" not in text(found, version="1", form=form).lower()
    assert found.report("1").plots() == {}


def test_notes() -> None:
    adapt = "The strategies play as they always do; what people who adapt to the rules would make of them may differ."
    found = made_up(50)
    count = len(found.changes)
    holms = (
        f"A difference counts as found if p < 0.05 after Holm's correction for {count} measures (and for the 20 that "
        "are filled by themselves)."
    )
    few = "Fewer than 200 deals: intervals of the lowest and highest 5 % are too narrow."
    assert found.notes == [few, holms, adapt]
    assert made_up(200).notes == [holms, adapt]
    assert "One deal of dice says nothing about chance: play more games to see intervals." in made_up(1).notes
    cut = dataclasses.replace(found.study, blocks=30, notes=("my.py:f does not compile",))
    assert Variant(found.names, cut, found.duel).notes == [
        "Interrupted: the figures are of the first 60 games of each.",
        "my.py:f does not compile",
        few,
        holms,
        adapt,
    ]
    assert found.duel is not None
    short = Variant(found.names, found.study, dataclasses.replace(found.duel, blocks=7))
    assert short.interrupted
    assert short.notes[0] == "Interrupted: a and b played only the first 14 games of each at a table."
    odd = [plan("a", "b", games=99, rules=rules) for rules in (OFFICIAL, OTHER)]
    rounded = Variant(("a", "b"), study_of(*((p, outcomes(p, 50, 1)) for p in odd)))
    assert rounded.notes[0].startswith("99 games asked for, 100 planned: ")


def test_the_duel_stands_before_luck_and_is_its_own_match() -> None:
    found = made_up()
    names = list(by_name(found))
    assert names.index("skill") == names.index("dice_variance") - 1
    assert found.duel is not None
    for i, estimate in enumerate((by_name(found)["skill"].base, by_name(found)["skill"].variant)):
        made = found.duel.plans[i]
        shares = outcomes(made, made.blocks, 5 + i).shares
        assert estimate.value == pytest.approx((shares[:, 0, 0] + shares[:, 1, 1]).mean() / 120)
    assert "skill" not in by_name(made_up(solo=True))


# --- all forms ---

SHAPES: list[dict[str, Any]] = [
    {},
    {"names": "abc"},
    {"solo": True},
    {"solo": True, "names": "a"},
    {"qwixx": True},
    {"qwixx": True, "solo": True},
    {"blocks": 1},
    {"blocks": 2},
    {"blocks": 3, "solo": True, "names": "a"},
]


@pytest.mark.parametrize("shape", SHAPES)
def test_all_forms_hold_the_same_figures(shape: dict[str, Any]) -> None:
    found = made_up(**{"blocks": 60, "gain": 2, **shape})
    done = found.study.plans[0].played.watch.done
    data = json.loads(text(found, version="1.2.3", form="json"))
    assert data["results"]["feats_are"] == done
    assert data["format"] == "kok-sim/variant"
    assert data["experiment"]["names"] == ["official", "mine"]
    assert data["experiment"]["base"] == found.study.plans[0].describe()
    assert data["experiment"]["variant"] == found.study.plans[1].describe()
    rows = list(csv.DictReader(io.StringIO(text(found, version="1.2.3", form="csv"))))
    figures = {(row["subject"], row["measure"]): row for row in rows}
    assert len(figures) == len(rows)
    results = data["results"]
    for name, entry in [
        *results["measures"].items(),
        *((f"{done} {feat}", entry) for feat, entry in results["feats"].items()),
    ]:
        for subject, key in (("official", "base"), ("mine", "variant"), ("mine minus official", "difference")):
            row = figures.pop((subject, name))
            for part, known in entry[key].items():
                assert row[part] == ("" if known is None else str(known)), (name, part)
    for feat, entry in results["feats"].items():
        for label, both in entry["first"].items():
            for subject, key in (("official", "base"), ("mine", "variant")):
                assert float(figures.pop((subject, f"first {feat} {label}"))["value"]) == both[key]
    assert figures == {}
    shown = cells_of_table(text(found, version="1.2.3"))
    pipes = [line for line in text(found, version="1.2.3", form="markdown").splitlines() if line.startswith("| ")]
    assert [line for line in shown if line] == [squeezed(line.replace("|", " ")) for line in pipes if "---" not in line]
    page = as_html(found, "1.2.3")
    for change in found.changes:
        value = change.scale * (change.variant.value or 0)
        assert f">{value + 0.0:,.{change.digits}f}<".replace(">-0.0<", ">0.0<") in page
    for form in FORMATS:
        assert not re.search(r"\bnan\b|None\b|\binf\b", text(found, version="1", form=form))
    assert not re.search(r"\bnan\b|None\b", page)


def squeezed(line: str) -> str:
    return " ".join(line.split())


def cells_of_table(table: str) -> list[str]:
    """Rows of the tables, without the lines between them and what stands around them."""
    lines = table.splitlines()
    last = next(i for i, line in enumerate(lines) if " in all" in line)
    return [squeezed(line) for line in lines[1:last] if "─" not in line]


def test_the_table_shows_the_figures() -> None:
    found = made_up(60, gain=2)
    change = by_name(found)["win a"]
    base, variant = 100 * (change.base.value or 0), 100 * (change.variant.value or 0)
    row = next(squeezed(line) for line in text(found, version="1").splitlines() if "win share of a, %" in line)
    d = change.digits
    assert row == f"win share of a, % {base:.{d}f} {variant:.{d}f} 0.0 –"  # who wins does not change
    mean = by_name(found)["mean_score"]
    row = next(squeezed(line) for line in text(found, version="1").splitlines() if "mean score " in line)
    assert row.startswith(f"mean score {mean.base.value:.{mean.digits}f} {mean.variant.value:.{mean.digits}f} +2.0")


def test_the_header_says_what_was_played() -> None:
    assert made_up(50).header("0.1") == (
        "100 games of each rule set on the same dice · a, b · sheet black · official: official rules · mine: rules "
        "jokers=6 · seed 1 · kok-sim 0.1"
    )
    assert made_up(50, solo=True, names="a").header("0.1").startswith("50 solo games of each rule set on the same dice")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.filterwarnings("error")
def test_plots_are_drawn_and_their_files_are_known(shape: dict[str, Any]) -> None:
    found = made_up(**{"blocks": 30, **shape})
    drawn = found.report("1.2.3").plots()
    assert list(drawn) == ["scores", "feats"]
    for name, make in drawn.items():
        figure = make()
        assert FILES.fullmatch(f"{name}.png")
        assert figure.get_suptitle()
        assert "seed 1" in figure.get_supxlabel().replace("\n", " ")
        assert len(figure.axes[0].get_legend_handles_labels()[1]) == 2
        figure.canvas.draw()
    assert pyplot.get_fignums() == []


def test_plots_show_the_figures() -> None:
    found = made_up(60, gain=3)
    scores, feats = (make() for make in found.report("1").plots().values())
    for i, patch in enumerate(scores.axes[0].patches):
        heights, edges, _ = patch.get_data()  # type: ignore[attr-defined]
        counts = found.study.sections[i].scores.sum(axis=0)
        first = int(np.flatnonzero(counts)[0])
        assert edges[0] == found.study.sections[i].low + first - 0.5
        assert heights == pytest.approx(100 * counts[first : first + len(heights)] / counts.sum())
    labels = scores.axes[0].get_legend_handles_labels()[1]
    means = [by_name(found)["mean_score"].base.value, by_name(found)["mean_score"].variant.value]
    assert labels == [f"{name} (mean {mean:.1f})" for name, mean in zip(found.names, means, strict=True)]
    bars = [[bar.get_height() for bar in group] for group in feats.axes[0].containers if hasattr(group, "patches")]
    assert bars[0] == pytest.approx([100 * (feat.done.base.value or 0) for feat in found.feats])
    assert bars[1] == pytest.approx([100 * (feat.done.variant.value or 0) for feat in found.feats])
    assert [t.get_text() for t in feats.axes[0].get_xticklabels()] == [feat.name for feat in found.feats]


def test_a_folder_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Figure, "savefig", lambda _, path, **__: Path(path).write_text("drawn"))
    found = made_up(30)
    written = [path.name for path in write_report(found, tmp_path, version="1")]
    assert written == ["results.csv", "scores.png", "scores.svg", "feats.png", "feats.svg", "summary.json"]
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert summary["run"].pop("files") == written
    assert summary == json.loads(text(found, version="1", form="json"))
    write_report(made_up(30, solo=True), tmp_path, version="1")  # takes the older ones away
    assert {path.name for path in tmp_path.iterdir()} == set(written)


def test_in_a_notebook() -> None:
    found = StudyResult(made_up(30, gain=2))
    assert found.plots == ["scores", "feats"]
    table = found.table.set_index(["subject", "measure"])
    assert table.loc[("mine minus official", "mean_score"), "value"] == pytest.approx(2)
    assert repr(found).startswith("60 games of each rule set")
    assert found.sentences == found.found.sentences
