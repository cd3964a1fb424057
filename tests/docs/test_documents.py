"""The documentation is true: its examples work, and it leaves out nothing that it promises to list."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest

from simulator.games import find_game, game_names
from simulator.keer_op_keer.rules import OFFICIAL, Rules
from simulator.keer_op_keer.sheet import load_sheet
from simulator.qwixx.rules import Rules as QwixxRules
from simulator.rules import Switch, typed
from simulator.sight import Feature, Field
from simulator.strategy import Scored, Weights
from strategies import find_strategy
from strategies.registry import SHIPPED, rows
from tests.agreement import Setup, same_game
from tests.docs import examples

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
QWIXX = (ROOT / "docs" / "qwixx.md").read_text(encoding="utf-8")
PAGES = {"keer-op-keer": (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8"), "qwixx": QWIXX}
"""Of each game the page that lists what its strategies see."""


@pytest.fixture
def readme_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in examples.files(README).items():
        (tmp_path / name).write_text(content, encoding="utf-8")


@pytest.mark.usefixtures("readme_files")
def test_the_scored_function_of_the_readme_is_compiled_and_plays_by_the_rules() -> None:
    strategy = find_strategy("my.py:edges:bonus=0.6")
    assert isinstance(strategy, Scored)
    assert strategy.idea == "Points now, cells far from H, and jokers only when they pay."
    black = load_sheet("black")
    setup = Setup([strategy, find_strategy("greedy")], [black, black], OFFICIAL, 1, 0)
    assert not setup.table().notes
    same_game(setup, 0)


@pytest.mark.usefixtures("readme_files")
def test_the_weights_of_the_readme_play_by_the_rules() -> None:
    strategy = find_strategy("mine.toml")
    assert isinstance(strategy, Weights)
    same_game(Setup([strategy], [load_sheet("red")], Rules(), 1, 0), 0)


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = [text for language, text in examples.blocks(README) if language == "python" and "to_csv" in text]
    exec(code, {})
    assert "greedy,cautious,win_share,0.8" in (tmp_path / "pairs.csv").read_text(encoding="utf-8")
    assert (tmp_path / "scores.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("page", "least"), [("notebooks.md", 18), ("qwixx.md", 9)])
def test_the_python_of_the_pages_is_true(page: str, least: int) -> None:
    failed, tried = doctest.testfile(
        str(ROOT / "docs" / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert tried >= least
    assert failed == 0


def test_the_scored_function_for_qwixx_is_compiled_and_plays_by_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in examples.files(QWIXX).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    strategies = [find_strategy("careful.py", "qwixx"), find_strategy("weights", "qwixx")]
    setup = Setup(strategies, [], QwixxRules(), 1, 0, find_game("qwixx"))
    assert not setup.table().notes
    same_game(setup, 0)


def test_the_record_of_qwixx_is_that_of_its_game() -> None:
    (text,) = [content for language, content in examples.blocks(QWIXX) if language == "json"]
    record, game = json.loads(text), find_game("qwixx")
    game.referee.verify(record)
    players = [find_strategy(player["strategy"], "qwixx") for player in record["players"]]
    rules = QwixxRules.from_changes(record["rules"])
    assert record == game.referee.play(players, [], rules, record["seed"], record["index"])


def test_every_strategy_of_qwixx_is_listed() -> None:
    for row in rows("qwixx").values():
        assert row.origin != SHIPPED or f"| `{row.name}` | {row.load().idea} |" in QWIXX


@pytest.mark.parametrize("switch", QwixxRules.switches(), ids=lambda switch: switch.name)
def test_every_house_rule_of_qwixx_is_documented(switch: Switch) -> None:
    row = re.search(rf"^\| `{switch.name}` \| .+ \| (.+) \| (.+) \|$", QWIXX, re.MULTILINE)
    assert row is not None
    assert row.group(1) == switch.allowed
    assert row.group(2) == typed(switch.official)


def test_the_readme_shows_a_result_within_its_first_thirty_lines() -> None:
    top = "\n".join(README.splitlines()[:30])
    for part in ("make demo", "make test", "$ kok-sim compare greedy cautious -n 1e6", "95 % interval", "![Score"):
        assert part in top


DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKS = [(d, link) for d in DOCUMENTS for link in re.findall(r"\]\(((?!http)[^)]+)\)", d.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("document", "link"), LINKS, ids=[f"{d.name}:{link}" for d, link in LINKS])
def test_links_lead_somewhere(document: Path, link: str) -> None:
    name, _, anchor = link.partition("#")
    target = document.parent / name if name else document
    assert target.exists()
    titles = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
    assert not anchor or anchor in [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles]


SIGHTS = {name: find_game(name).sight for name in game_names()}


@pytest.mark.parametrize(
    ("game", "field"),
    [(name, field) for name, sight in SIGHTS.items() for field in (*sight.view_fields, *sight.move_fields)],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_every_field_of_a_view_and_a_move_is_documented(game: str, field: Field) -> None:
    name, shape, meaning = field
    size = " × ".join(map(str, shape)) or "number"
    assert f"| `{name}` | {size} | {meaning.replace('``', '`')} |" in PAGES[game]


@pytest.mark.parametrize(
    ("game", "feature"),
    [(name, feature) for name, sight in SIGHTS.items() for feature in sight.features],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_every_feature_is_documented(game: str, feature: Feature) -> None:
    name, sign, meaning = feature
    assert f"| `{name}` | {'gain' if sign > 0 else 'cost'} | {meaning.replace('``', '`')} |" in PAGES[game]


def test_examples_are_found() -> None:
    text = "```console\n$ kok-sim a\none\ntwo\n$ kok-sim b\n```\n```python\n# f.py\nx = 1\n```\n```python\ny = 2\n```\n"
    assert list(examples.commands(text)) == [
        examples.Command("kok-sim a", "one\ntwo\n"),
        examples.Command("kok-sim b", ""),
    ]
    assert examples.files(text) == {"f.py": "# f.py\nx = 1\n"}


def test_speeds_and_folders_do_not_matter_to_the_comparison_but_all_else_does() -> None:
    assert examples.comparable("a · 12,345 games/s on 2 threads\n") == examples.comparable("a · 9 games/s on 1 thread")
    assert examples.comparable("9 positions in 0.5 s; kept in a") == examples.comparable(
        "9 positions in 1.0 s; kept in b"
    )
    assert examples.comparable("mean 1.0") != examples.comparable("mean 1.1")
