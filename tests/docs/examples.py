"""Examples in Markdown files: what they say is typed, and what they say comes out.

A fenced block ``console`` holds commands after ``$ `` and their output; a block ``python`` or ``toml`` that starts with
a comment naming a file (``# my.py``) is a file that the commands may use.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\w+\.\w+)\n")
_SPEED = re.compile(r"[\d,]+ games/s on \d+ threads?")
_KEPT = re.compile(r"in [\d.]+ s; kept in .+")


@dataclass(frozen=True)
class Command:
    """A command and the output that the documentation shows; empty if it shows none."""

    line: str
    output: str


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Language and content of each fenced block of a Markdown text."""
    for match in _BLOCK.finditer(text):
        yield match.group(1), match.group(2)


def files(text: str) -> dict[str, str]:
    """Files that the documentation tells the reader to write, by name."""
    named = [(_FILE.match(content), content) for language, content in blocks(text) if language in ("python", "toml")]
    return {match.group(1): content for match, content in named if match}


def commands(text: str) -> Iterator[Command]:
    """Commands of a Markdown text, in order."""
    for language, content in blocks(text):
        if language == "console":
            for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                line, _, output = part.partition("\n")
                yield Command(line, output)


def run(command: Command, folder: Path) -> str:
    """Output of a ``kok-sim`` command; ``RuntimeError`` if it is another command, or fails."""
    words = shlex.split(command.line)
    if words[0] != "kok-sim":
        raise RuntimeError(f"only kok-sim is run in the documentation; got {command.line!r}")
    done = subprocess.run(
        [sys.executable, "-m", "kok_sim", *words[1:]], cwd=folder, capture_output=True, text=True, timeout=1200
    )
    if done.returncode:
        raise RuntimeError(f"{command.line}: exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def comparable(output: str) -> list[str]:
    """Lines of an output without what may differ: speed and folders of the machine, white space at the end."""
    lines = output.strip("\n").splitlines()
    return [_KEPT.sub("in # s; kept in #", _SPEED.sub("# games/s", line)).rstrip() for line in lines]
