"""Run every command of README.md and docs/ and compare what it prints with what the documentation shows."""

from __future__ import annotations

import difflib
import sys
import tempfile
from pathlib import Path

from tests.docs import examples

ROOT = Path(__file__).parents[2]


def check(document: Path) -> int:
    """Number of commands of one document whose output differs."""
    text, wrong = document.read_text(encoding="utf-8"), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, content in examples.files(text).items():
            (folder / file).write_text(content, encoding="utf-8")
        for command in examples.commands(text):
            shown, found = examples.comparable(command.output), examples.comparable(examples.run(command, folder))
            same = not shown or shown == found
            print(f"{'ok' if same else 'DIFFERS'}: {document.relative_to(ROOT)}: {command.line}", flush=True)
            if not same:
                print("\n".join(difflib.unified_diff(shown, found, "documentation", "output", lineterm="")))
                wrong += 1
    return wrong


if __name__ == "__main__":
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    sys.exit(1 if sum(check(document) for document in documents) else 0)
