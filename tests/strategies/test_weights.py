"""Strategies in TOML files: what is read, and what is said of a file that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.errors import KokSimError
from simulator.strategy import Weights
from strategies import find_strategy


def found(folder: Path, content: str | bytes) -> Weights:
    file = folder / "my.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    strategy = find_strategy(str(file))
    assert isinstance(strategy, Weights)
    return strategy


def test_all_keys(tmp_path: Path) -> None:
    strategy = found(tmp_path, 'idea = " A. "\ntext = """\nB.\n"""\n[weights]\ncells = 1\n[per_roll]\nstars = 0.5\n')
    assert strategy.idea == "A."
    assert strategy.text == "B."
    assert strategy.weights == {"cells": 1}
    assert strategy.per_roll == {"stars": 0.5}


def test_a_byte_order_mark_and_windows_lines_do_no_harm(tmp_path: Path) -> None:
    assert found(tmp_path, b'\xef\xbb\xbfidea = "A"\r\n[weights]\r\ncells = 1\r\n').weights == {"cells": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("idea = ", "not valid TOML: Invalid value (at end of document)"),
        ('idea = "a"\n[weights]\ncells = 1\ncells = 2\n', "not valid TOML: Cannot overwrite a value (at line 4"),
        (b"\xff\xfe", "not a text file in UTF-8"),
        ("[weights]\ncells = 1\n", "idea must say in one sentence"),
        ("idea = 3\n[weights]\ncells = 1\n", "idea must be a text in quotes; got 3"),
        ('idea = "a"\ntext = []\n[weights]\ncells = 1\n', "text must be a text in quotes; got []"),
        ('idea = "a"\n', "no weights"),
        ('idea = "a"\nweights = 3\n', "weights must be a table"),
        ('idea = "a"\n[weights]\ncells = "many"\n', "weight of cells must be a number from -1000 to 1000; got 'many'"),
        ('idea = "a"\n[weights]\ncells = true\n', "weight of cells must be a number"),
        ('idea = "a"\n[weights]\ncells = nan\n', "weight of cells must be a number"),
        ('idea = "a"\n[per_roll]\ncells = 1e4\n', "change per roll of cells must be a number from -10 to 10"),
        ('idea = "a"\n[weights]\ncell = 1\n', "'cell'; did you mean 'cells'?"),
        ('idea = "a"\n[wights]\ncells = 1\n', "'wights'; did you mean 'weights'?"),
    ],
)
def test_one_clear_line_that_names_the_file(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(KokSimError) as caught:
        found(tmp_path, content)
    assert message in str(caught.value)
    assert "my.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "my.toml").mkdir()
    with pytest.raises(KokSimError, match=r"cannot read strategy file .*: Is a directory"):
        find_strategy(str(tmp_path / "my.toml"))
