"""The Python interface: small real experiments, and what they give."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from kok_sim import Experiment, __version__, compare, solo, tournament
from kok_sim.interface import resume
from reports.document import dumps
from reports.html import as_html
from reports.statistics import figures
from reports.tables import text
from simulator.errors import KokSimError, PlanError, UnknownNameError
from simulator.experiments.stopping import Sprt, Until
from strategies import find_strategy

NAMES = ("greedy", "cautious", "random")


@pytest.fixture(scope="module")
def played() -> Experiment:
    """A small tournament."""
    return tournament(*NAMES, games=200, threads=1)


@pytest.fixture(scope="module")
def compared() -> Experiment:
    """A small comparison."""
    return compare("greedy", "cautious", games=200, threads=1)


def test_the_summary(played: Experiment) -> None:
    table = played.summary
    assert table.index.tolist() == list(NAMES)
    assert table["win_share"]["cautious"] > table["win_share"]["random"]
    assert table["elo"].sum() == pytest.approx(0, abs=1e-6)
    assert (table["win_share_low"] <= table["win_share"]).all()


def test_scores_and_margins_have_all_games(played: Experiment, compared: Experiment) -> None:
    assert played.scores.sum().tolist() == [400, 400, 400]  # with each of two others
    assert played.margins.sum().tolist() == [200, 200]
    assert compared.scores.sum().tolist() == [200, 200]
    lead = (compared.margins.index.to_numpy() * compared.margins["cautious"]).sum() / 200
    assert lead == pytest.approx(compared.summary["difference"]["cautious"])


def test_pairs_and_win_shares(played: Experiment) -> None:
    pairs = played.pairs
    assert len(pairs) == 9
    row = pairs[(pairs["measure"] == "win_share") & (pairs["first"] == "greedy") & (pairs["second"] == "random")]
    shares = played.win_shares
    assert shares.loc["random", "greedy"] - shares.loc["greedy", "random"] == pytest.approx(row["difference"].item())
    assert row["verdict"].item() == -1


def test_what_it_shows_is_the_table_of_the_terminal(played: Experiment) -> None:
    assert repr(played) + "\n" == text(played.result, version=__version__)
    assert repr(played).startswith("200 games at each of 3 tables of 2 in 100 blocks · ")
    assert played._repr_html_() == as_html(played.result, __version__)


def test_sentences(played: Experiment, compared: Experiment) -> None:
    assert played.sentences[0].startswith("Ranked by rating after 200 games at each of 3 tables of 2: 1. cautious (")
    assert compared.sentences[0].startswith("cautious wins ")


def test_plots_by_name(played: Experiment, compared: Experiment) -> None:
    assert played.plots == ["ranking", "matrix", "scores"]
    assert compared.plots == ["win-shares", "scores", "margins"]
    for experiment in (played, compared):
        for name in experiment.plots:
            method = getattr(experiment, f"plot_{name.replace('-', '_')}")
            for figure in (experiment.plot(name), method()):
                assert isinstance(figure, Figure)
                assert __version__ in figure.get_supxlabel().replace("\n", " ")


def test_a_plot_that_there_is_not_offers_the_near_one(played: Experiment, compared: Experiment) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'ranking'"):
        played.plot("rankng")
    with pytest.raises(UnknownNameError, match="matrix"):
        compared.plot_matrix()
    with pytest.raises(UnknownNameError, match="ratings"):
        compared.plot_ratings()


def test_to_dict_is_the_document_that_is_saved(played: Experiment, tmp_path: Path) -> None:
    files = played.save(tmp_path / "new")
    names = ["results.csv", *(f"{name}.{kind}" for name in played.plots for kind in ("png", "svg")), "summary.json"]
    assert [path.name for path in files] == names
    assert all(path.is_file() for path in files)
    saved = json.loads((tmp_path / "new" / "summary.json").read_text(encoding="utf-8"))
    assert saved["run"].pop("files") == names
    assert saved == json.loads(dumps(played.to_dict()))
    rows = pd.read_csv(tmp_path / "new" / "results.csv").set_index(["subject", "measure"])["value"]
    assert rows["cautious", "elo"] == played.summary["elo"]["cautious"]


def test_the_same_seed_gives_the_same_for_any_threads(compared: Experiment) -> None:
    again = compare("greedy", "cautious", games=200, threads=2)
    other = compare("greedy", "cautious", games=200, seed=2, threads=1)
    assert again.to_dict()["results"] == compared.to_dict()["results"]
    assert other.to_dict()["results"] != compared.to_dict()["results"]


def test_a_comparison_is_a_tournament_of_two(compared: Experiment) -> None:
    alike = tournament("greedy", "cautious", games=200, threads=1)
    for measure in ("win_share", "mean_score", "mean_score_se", "p95"):
        assert alike.summary[measure].equals(compared.summary[measure])


def test_games_may_be_written_as_floats() -> None:
    assert compare("greedy", "random", games=1e2, threads=1).result.games == 100
    assert type(compare("greedy", "random", games=2e1, threads=1).result.plan.games) is int


@pytest.mark.parametrize("games", [10.5, 0, -1, 1e13, float("nan"), float("inf"), "many", True])
def test_impossible_games_are_told_in_one_line(games: object) -> None:
    for experiment in (compare, tournament):
        with pytest.raises(
            PlanError, match=r"^the number of games must be a whole number from 1 to 1e\+12; got "
        ) as told:
            experiment("greedy", "random", games=games)  # type: ignore[arg-type]
        assert "\n" not in str(told.value)


def test_solo() -> None:
    found = solo("greedy", games=50, threads=1)
    assert found.plots == ["scores", "ratings"]
    assert isinstance(found.plot_ratings(), Figure)
    assert found.margins.empty
    assert found.pairs.empty
    assert repr(found).startswith("50 solo games · ")


def test_proposed_bands(tmp_path: Path) -> None:
    found = solo("cautious", "tidy", games=200, bands="auto:7", folder=tmp_path / "run", threads=1)
    assert found.result.plan.levels == 7
    assert len(found.figures.bands_shown) == 7
    assert found.sentences[-1].startswith("The proposed levels above the lowest begin at ")
    assert "proposed rating" in repr(found)
    assert found.plot_ratings().get_suptitle() == "Proposed rating: equally often for cautious"
    assert resume(tmp_path / "run", threads=1).to_dict()["results"] == found.to_dict()["results"]
    assert solo("cautious", games=2, bands="auto", threads=1).result.plan.levels == 13
    assert solo("weights", games=2, game="qwixx", bands="auto", threads=1).result.plan.levels == 10
    for bands in ("auto:1", "seven", 7, None):
        with pytest.raises(PlanError, match=r"^bands must be official, auto, or auto:2 to auto:50; got "):
            solo("cautious", games=2, bands=bands)  # type: ignore[arg-type]


def test_larger_tables_and_a_focus() -> None:
    three = tournament(*NAMES, "tidy", table=3, focus="random", games=30, threads=1)
    assert three.summary.index.tolist() == ["random", "greedy", "cautious", "tidy"]
    assert len(three.result.plan.tables) == 3
    assert "random won no game: a rating that is only a bound." in three.sentences
    assert any(sentence.startswith("random is weaker than ") for sentence in three.sentences)
    with pytest.raises(UnknownNameError, match="did you mean 'random'"):
        tournament(*NAMES, focus="randm", games=30)


def test_stopping() -> None:
    found = compare("greedy", "cautious", until=0.2, threads=1)
    assert found.result.plan.stop == Until(0.2)
    assert found.result.plan.games == 10**8
    assert found.result.decision == "reached"
    tested = compare("greedy", "cautious", sprt=(0.1, 0.5), games=1000, threads=1)
    assert tested.result.plan.stop == Sprt(0.1, 0.5)
    assert tested.result.decision == "low"
    with pytest.raises(PlanError, match=r"^until and sprt are two ways to stop; give one of them$"):
        compare("greedy", "cautious", until=0.1, sprt=(0.4, 0.5))


def test_a_run_in_a_folder_is_gone_on_with(tmp_path: Path) -> None:
    first = solo("greedy", games=50, folder=tmp_path / "run", threads=1)
    again = resume(tmp_path / "run", threads=2)
    assert again.to_dict()["results"] == first.to_dict()["results"]


def test_independent_dice() -> None:
    found = compare("greedy", "cautious", games=100, independent=True, threads=1)
    assert "independent dice" in repr(found)
    assert found.result.games == 100


def test_strategies_may_be_objects(compared: Experiment) -> None:
    objects = compare(find_strategy("greedy"), find_strategy("cautious"), games=200, threads=1)
    assert objects.to_dict()["results"] == compared.to_dict()["results"]


@pytest.mark.parametrize("names", [("greedy",), ("greedy", "cautios"), ()])
def test_what_is_wrong_is_told_in_one_line(names: tuple[str, ...]) -> None:
    with pytest.raises(KokSimError) as told:
        compare(*names, games=10)
    assert "\n" not in str(told.value)


def test_figures_are_those_of_the_result(played: Experiment) -> None:
    assert played.figures == figures(played.result)
    assert np.array_equal(played.figures.signs("elo"), figures(played.result).signs("elo"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"until": "0.2%"}, "until must be a number, as 0.002; got '0.2%'"),
        ({"until": 0.5}, "the half-width of a win share must be less than 0.5; got 0.5"),
        ({"until": 0}, "the half-width to reach must be a number above 0; got 0.0"),
        ({"sprt": 0.5}, "sprt must be two shares, as (0.5, 0.52); got 0.5"),
        ({"sprt": (0.5,)}, "sprt must be two shares, as (0.5, 0.52); got (0.5,)"),
        ({"sprt": (0.6, 0.5)}, "the smaller first"),
        ({"sprt": (0.5, 0.6), "until": 0.1}, "give one of them"),
        ({"rules": "oficial"}, "unknown house rules 'oficial'; did you mean 'official'?"),
        ({"rules": {"joker": 3}}, "unknown rule 'joker'; did you mean 'jokers'?"),
        ({"rules": 3}, "rules must be a name, a file, a RuleSet, or a mapping of what differs; got 3"),
    ],
)
def test_wrong_settings_are_told_in_one_line(settings: dict[str, object], message: str) -> None:
    with pytest.raises(KokSimError) as error:
        compare("greedy", "cautious", games=10, **settings)  # type: ignore[arg-type]
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_no_strategy_is_told_in_one_line() -> None:
    with pytest.raises(PlanError, match=r"^a strategy must be a name, a file, or a Strategy; got 3$"):
        compare("greedy", 3)  # type: ignore[arg-type]
