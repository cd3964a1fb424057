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
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs ``kok-sim`` with a command line, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(line: str) -> Answer:
        code = run(line.split())
        return Answer(code, *capsys.readouterr())

    return call
