"""``kok-sim sheets print``: what is written, and what is refused with one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.drawing import Drawing, Text
from simulator.keer_op_keer.sheet import load_sheet
from tests.cli.conftest import Cli


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_a_sheet_is_printed(cli: Cli, kind: str) -> None:
    assert cli(f"sheets print black --out mine.{kind}") == (0, f"written: mine.{kind}\n", "")
    first = Path(f"mine.{kind}").read_bytes()
    assert first.startswith(b"%PDF" if kind == "pdf" else b"<?xml")
    assert cli(f"sheets print black --out mine.{kind}").code == 0
    assert Path(f"mine.{kind}").read_bytes() == first
    assert [path.name for path in Path().iterdir()] == [f"mine.{kind}"]


def test_a_page_for_each(cli: Cli) -> None:
    assert cli("sheets print black red blue black --out all.pdf").code == 0
    assert Path("all.pdf").read_bytes().count(b"/MediaBox") == 4


def test_a_sheet_of_ones_own(cli: Cli) -> None:
    lines = "\n".join(load_sheet("black").lines).upper()
    for name in ("mine.txt", "$x$ 黒.txt"):
        Path(name).write_text(lines)
        assert cli(["sheets", "print", name, "--out", "mine.pdf"]) == (0, "written: mine.pdf\n", "")


def test_house_rules_are_printed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Drawing] = []

    def keep(drawings: list[Drawing], _: Path) -> None:
        seen.extend(drawings)

    monkeypatch.setattr("reports.printing.print_drawings", keep)
    Path("my.toml").write_text("[rules]\nstar_penalty = 7\n")
    assert cli("sheets print red --out a.pdf --rules my.toml --rule jokers=12 --rule first_for_all=true").code == 0
    (drawn,) = seen
    written = [shape.text for shape in drawn.shapes if isinstance(shape, Text)]
    assert written.count("!") == 12
    assert "stars × 7" in written
    assert "later" not in written
    assert written[-1] == "sheet red · rules jokers=12, star_penalty=7, first_for_all=true"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("blak --out a.pdf", "unknown sheet 'blak'; did you mean 'black'?"),
        ("black none.txt --out a.pdf", "cannot read sheet 'none.txt'"),
        ("bad.txt --out a.pdf", "sheet 'bad.txt' cannot be played"),
        ("--out a.pdf", "Missing argument 'NAME|FILE'"),
        ("black", "Missing option '--out'"),
        ("black --out", "'--out' requires an argument"),
        ("black --out=", "ends in .pdf or .svg; got '.'"),
        ("black --out a.png", "sheets are printed to a file that ends in .pdf or .svg; got 'a.png'"),
        ("black --out a", "ends in .pdf or .svg; got 'a'"),
        ("black red --out a.svg", "an SVG file holds one sheet; name one, or write a PDF with a page for each; got 2"),
        ("black --out none/a.pdf", "cannot write 'none/a.pdf': No such file or directory"),
        ("black --out bad.txt/a.pdf", "cannot write 'bad.txt/a.pdf'"),
        ("black --out /proc/a.pdf", "cannot write '/proc/a.pdf'"),
        ("black --out folder.pdf", "it is a folder"),
        ("black --out a.pdf --game qwixx", "Qwixx has only one sheet; there is nothing to choose"),
        ("black --out a.pdf --game qwix", "unknown game 'qwix'; did you mean 'qwixx'?"),
        ("black --out a.pdf --rules shrt", "unknown house rules 'shrt'; did you mean 'short'?"),
        ("black --out a.pdf --rule joker=3", "unknown rule 'joker'; did you mean 'jokers'?"),
        ("black --out a.pdf --rule jokers=100", "jokers must be from 0 to 99; got 100"),
    ],
)
def test_one_clear_line(cli: Cli, line: str, message: str) -> None:
    Path("bad.txt").write_text("gyb\n")
    Path("folder.pdf").mkdir()
    before = set(Path().rglob("*"))
    code, out, err = cli(f"sheets print {line}")
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err
    assert set(Path().rglob("*")) == before
