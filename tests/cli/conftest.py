"""Calling the command line as a shell would, but without a new process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from kok_sim.cli import run


class Answer(NamedTuple):
    """What a command left: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


Cli = Callable[..., Answer]


@pytest.fixture
def no_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """``--out`` writes no plots, which take most of the time of a short run."""
    monkeypatch.setattr("reports.plots.plots", lambda _: {})


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs ``kok-sim`` with a command line, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(line: str | list[str]) -> Answer:
        code = run(line.split() if isinstance(line, str) else line)
        return Answer(code, *capsys.readouterr())

    return call
