"""The documentation is true: its examples work, and it leaves out nothing that it promises to list."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from simulator.keer_op_keer.features import FEATURES, MOVE_FIELDS, VIEW_FIELDS
from simulator.keer_op_keer.rules import OFFICIAL, Rules
from simulator.keer_op_keer.sheet import load_sheet
from simulator.strategy import Scored, Weights
from strategies import find_strategy
from tests.agreement import Setup, same_game
from tests.docs import examples

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
STRATEGIES = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")


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


def test_the_page_on_python_is_true() -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    failed, tried = doctest.testfile(str(ROOT / "docs" / "notebooks.md"), module_relative=False, optionflags=flags)
    assert tried > 15
    assert failed == 0


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


@pytest.mark.parametrize("field", [*VIEW_FIELDS, *MOVE_FIELDS], ids=lambda field: field[0])
def test_every_field_of_a_view_and_a_move_is_documented(field: tuple[str, tuple[int, ...], str]) -> None:
    name, shape, meaning = field
    size = " × ".join(map(str, shape)) or "number"
    assert f"| `{name}` | {size} | {meaning.replace('``', '`')} |" in STRATEGIES


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_every_feature_is_documented(feature: object) -> None:
    name, sign, meaning = feature
    assert f"| `{name}` | {'gain' if sign > 0 else 'cost'} | {meaning.replace('``', '`')} |" in STRATEGIES


def test_examples_are_found() -> None:
    text = "```console\n$ kok-sim a\none\ntwo\n$ kok-sim b\n```\n```python\n# f.py\nx = 1\n```\n```python\ny = 2\n```\n"
    assert list(examples.commands(text)) == [
        examples.Command("kok-sim a", "one\ntwo\n"),
        examples.Command("kok-sim b", ""),
    ]
    assert examples.files(text) == {"f.py": "# f.py\nx = 1\n"}


def test_speeds_do_not_matter_to_the_comparison_but_all_else_does() -> None:
    assert examples.comparable("a · 12,345 games/s on 2 threads\n") == examples.comparable("a · 9 games/s on 1 thread")
    assert examples.comparable("mean 1.0") != examples.comparable("mean 1.1")
