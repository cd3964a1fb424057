"""``kok-sim solo --bands``: what is proposed, under house rules too, and that it is repeated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.cli.test_again import Keys, keys, one_line, played, results, summary  # noqa: F401 - keys is a fixture

OPTIONS = [
    ("cautious tidy --bands auto", 13),
    ("cautious --bands auto:7", 7),
    ("cautious tidy --bands auto:10 --rule jokers=12 --rule star_penalty=0", 10),
    ("weights random --game qwixx --bands auto", 10),
    ("weights --game qwixx --bands auto:2 --rule penalty_points=3", 2),
]


def best_deviation(counts: list[int], levels: int) -> float:
    """Least sum of squared deviations of shares from equal ones, of all ways to cut; plain and slow."""
    total = sum(counts)
    least = {0: 0.0}
    for _ in range(levels):
        least = {
            end: min(
                least[begin] + (sum(counts[begin:end]) / total - 1 / levels) ** 2 for begin in least if begin < end
            )
            for end in range(min(least) + 1, len(counts) + 1)
        }
    return least[len(counts)]


@pytest.mark.parametrize(("line", "levels"), OPTIONS)
def test_levels_are_as_equal_as_can_be(cli: Cli, line: str, levels: int) -> None:
    document = played(cli, f"solo {line} -n 2000")
    found, name = document["results"], line.split()[0]
    assert document["experiment"]["levels"] == levels
    assert len(found["ratings"]) == levels
    counts = {int(score): games for score, games in found["score_counts"][name].items()}
    shares = []
    for rating in found["ratings"]:
        low, high = (
            (-999 if rating["low"] is None else rating["low"]),
            (999 if rating["high"] is None else rating["high"]),
        )
        shares.append(sum(games for score, games in counts.items() if low <= score <= high) / 2000)
        assert rating["shares"][name]["value"] == pytest.approx(shares[-1])
    assert sum(shares) == pytest.approx(1)
    deviation = sum((share - 1 / levels) ** 2 for share in shares)
    assert deviation == pytest.approx(best_deviation([counts[score] for score in sorted(counts)], levels))
    begin = ", ".join(str(rating["low"]) for rating in found["ratings"][1:])
    least, most = (f"{100 * share:.1f}" for share in (min(shares), max(shares)))
    held = least if least == most else f"{least} to {most}"
    assert found["sentences"][-1] == (
        f"The proposed levels above the lowest begin at {begin} points; levels hold {held} % of the games of {name} "
        f"where {100 / levels:.1f} % would be equal."
    )


def test_official_bands_are_the_default(cli: Cli) -> None:
    plain, official = (
        results(cli(f"solo cautious -n 100 --format json -q{more}")) for more in ("", " --bands official")
    )
    assert plain == official
    assert "proposal" not in plain
    assert [rating["low"] for rating in plain["ratings"]][:3] == [None, 0, 1]


def test_only_the_ratings_are_others(cli: Cli) -> None:
    plain, proposed = (
        results(cli(f"solo cautious tidy -n 100 --format json -q{more}")) for more in ("", " --bands auto")
    )
    for found in (plain, proposed):
        found.pop("ratings")
    assert proposed.pop("proposal")["equal_for"] == "cautious"
    assert proposed.pop("sentences")[: len(plain["sentences"])] == plain.pop("sentences")
    assert proposed == plain


@pytest.mark.parametrize(("line", "_levels"), OPTIONS)
def test_a_rerun_is_identical(cli: Cli, line: str, _levels: int) -> None:
    played(cli, f"solo {line} -n 200")
    assert cli("rerun result.json").out.startswith("identical: all ")


def test_a_rerun_finds_another_proposal(cli: Cli) -> None:
    document = played(cli, "solo cautious --bands auto:7 -n 200")
    document["experiment"]["levels"] = 6
    Path("result.json").write_text(json.dumps(document))
    code, out, _ = cli("rerun result.json")
    assert code == 1
    assert "proposal levels: 6 now, 7 then" in out


def test_a_run_that_is_gone_on_with(cli: Cli, keys: Keys) -> None:  # noqa: F811
    line = "solo cautious tidy --bands auto:7 -n 100 --format json -q"
    whole = cli(line)
    keys.at = 10
    first = results(cli(f"{line} --run night --chunk 5"))
    assert (first["blocks"], len(first["ratings"])) == (10, 7)
    keys.at = None
    assert results(cli("resume night --format json -q")) == results(whole)
    assert "holds another run: levels 7, not 0" in one_line(cli(line.replace(" --bands auto:7", "") + " --run night"))


def test_what_is_written(cli: Cli) -> None:
    assert cli("solo weights --game qwixx --bands auto -n 200 --out out -q").code == 0
    assert {"ratings.png", "ratings.svg"} <= {path.name for path in Path("out").iterdir()}
    rows = Path("out/results.csv").read_text(encoding="utf-8").splitlines()
    assert len([row for row in rows if row.startswith("weights,proposed rating ")]) == 10
    experiment: dict[str, Any] = summary()["experiment"]
    assert experiment["levels"] == 10


@pytest.mark.parametrize(
    "bands",
    ["x", "Auto", "auto:", "auto:0", "auto:1", "auto:51", "auto:100", "auto:x", "auto:7.0", "auto:-3", "7", "auto:٣"],
)
def test_what_cannot_be_is_one_line(cli: Cli, bands: str) -> None:
    told = one_line(cli(["solo", "cautious", "-n", "10", "--bands", bands]))
    assert told == f"error: bands must be official, auto, or auto:2 to auto:50; got {bands!r}\n"


@pytest.mark.parametrize("line", ["compare greedy cautious", "tournament greedy cautious"])
def test_only_the_solo_game_has_it(cli: Cli, line: str) -> None:
    assert "No such option: --bands" in one_line(cli(f"{line} --bands auto -n 10"))
