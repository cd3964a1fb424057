"""Sheets: cells and blocks, everything a check can find, and reading a user's file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import SheetError, UnknownNameError
from simulator.keer_op_keer.sheet import ALL_CELLS, Cell, Sheet, check, load_sheet, read_lines, sheet_names

OFFICIAL = ("black", "blue", "green", "orange", "purple", "red", "yellow")
BLACK = load_sheet("black")


def changed(**cells: str) -> tuple[str, ...]:
    """The black sheet with other letters in some cells."""
    rows = [list(line) for line in BLACK.lines]
    for name, letter in cells.items():
        cell = Cell.parse(name)
        rows[cell.row][cell.column] = letter
    return tuple("".join(row) for row in rows)


def findings(lines: tuple[str, ...]) -> list[str]:
    return [str(finding) for finding in check(lines)]


def error(lines: tuple[str, ...]) -> str:
    """The one error of a sheet that cannot be played."""
    found = check(lines)
    assert found
    assert not any(finding.playable for finding in found)
    with pytest.raises(SheetError) as caught:
        Sheet("mine", lines)
    assert str(caught.value) == f"sheet 'mine' cannot be played: {found[0]}"
    return str(found[0])


def departures(lines: tuple[str, ...]) -> list[str]:
    """Departures of a sheet that can be played."""
    found = check(lines)
    assert all(finding.playable for finding in found)
    assert Sheet("mine", lines).departures == found
    return [str(finding) for finding in found]


def test_the_shipped_sheets_are_the_seven_official_ones():
    assert sorted(sheet_names()) == sorted(OFFICIAL)
    assert sheet_names()[0] == "black"


@pytest.mark.parametrize("name", OFFICIAL)
def test_official_sheets_have_no_findings(name):
    sheet = load_sheet(name)
    assert sheet.name == name
    assert check(sheet.lines) == []
    assert len(sheet.blocks) == 30
    assert Counter(sheet.colors.values()) == dict.fromkeys(range(5), 21)
    assert len(sheet.stars) == 15


def test_official_sheets_differ():
    assert len({load_sheet(name).lines for name in OFFICIAL}) == 7


# Cells and blocks


def test_cells_are_named_and_ordered_by_column_then_row():
    assert [str(cell) for cell in ALL_CELLS[:8]] == ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "B1"]
    assert list(ALL_CELLS) == sorted(ALL_CELLS)
    assert all(Cell.parse(str(cell)) == cell for cell in ALL_CELLS)


@pytest.mark.parametrize("text", ["", "A", "A0", "A8", "P1", "a1", "A11", "1A", "A²", "A٣", " A1", "H3\n"])
def test_other_texts_are_not_cells(text):
    with pytest.raises(SheetError, match="is not a cell; cells are A1 to O7"):
        Cell.parse(text)


def test_neighbors_share_a_side():
    assert set(map(str, Cell.parse("A1").neighbors())) == {"B1", "A2"}
    assert set(map(str, Cell.parse("H3").neighbors())) == {"G3", "I3", "H2", "H4"}
    assert all(cell in other.neighbors() for cell in ALL_CELLS for other in cell.neighbors())


def test_blocks_come_color_by_color_and_in_sheet_order():
    assert [" ".join(map(str, block.cells)) for block in BLACK.blocks[:6]] == [
        "A1 B1 B2 B3 C1",
        "D2 D3 D4 E3 F3 G3",
        "H1",
        "I4 J4",
        "K7 L7 M7",
        "N2 N3 O2 O3",
    ]
    assert list(BLACK.blocks) == sorted(BLACK.blocks, key=lambda block: (block.color, block.cells[0]))


def test_stars_are_the_capitals():
    assert {str(cell) for cell in BLACK.stars if cell.column < 3} == {"A3", "B6", "C2"}


# Errors: cannot be played


@pytest.mark.parametrize("count", [0, 1, 6, 8])
def test_seven_lines(count):
    lines = (BLACK.lines * 2)[:count]
    assert error(lines) == f"sheet: it has {count} of 7 lines"


@pytest.mark.parametrize(("line", "length"), [("", 0), ("gyb", 3), ("g" * 14, 14), ("g" * 16, 16)])
def test_a_ragged_line_is_named(line, length):
    lines = (*BLACK.lines[:3], line, *BLACK.lines[4:])
    assert error(lines) == f"line 4: it has {length} of 15 letters"


@pytest.mark.parametrize("letter", ["x", "X", "1", " ", "é", "."])
def test_a_wrong_letter_is_named(letter):
    what = f"H3: {letter!r} is not a color; letters are g y b p o, upper case with a star"
    assert error(changed(H3=letter)) == what


def test_all_wrong_letters_are_named():
    assert [text[:2] for text in findings(changed(A1="x", O7="?"))] == ["A1", "O7"]


def test_a_block_of_more_than_six_is_an_error():
    # J1 joins blue K1 K2 J1 J2 I1 with nothing: make F2 green so that D2 D3 D4 E3 F3 G3 grows to seven
    message = error(changed(F2="g"))
    assert message == "D2: block of 7 green cells; blocks of up to 6 can be played"


def test_a_missing_color_is_an_error():
    lines = tuple("ygypobgypobgypo"[i:] + "ygypobgypobgypo"[:i] for i in range(7))
    without = tuple(line.replace("g", "y").replace("G", "Y") for line in lines)
    assert any("no green cells; every color needs at least one" in text for text in findings(without))
    error(without)


# Departures: can be played, with a note


def test_color_counts():
    assert departures(changed(H1="O"))[0] == "A1: 20 green cells; official sheets have 21"
    assert "A2: 22 orange cells; official sheets have 21" in departures(changed(H1="O"))


def test_block_sizes():
    found = departures(changed(H1="O"))
    assert "A1: no green block of 1" in found
    # H1 joins the orange pair G2 H2 to a second block of three
    assert "G2: one of 2 orange blocks of 3; official sheets have one" in found


def test_number_of_stars_on_a_color():
    assert "M7: 2 stars on green; official sheets have three" in departures(changed(H1="g"))
    assert "M7: 4 stars on green; official sheets have three" in departures(changed(A1="G"))


def test_stars_of_a_color_on_different_block_sizes():
    # green stars G3 (block of 6), H1 (1), M7 (3): move H1's to F3
    found = departures(changed(H1="g", F3="G"))
    assert "M7: stars on green (F3, G3, M7) share a block size; official sheets use three" in found


def test_one_star_in_a_column():
    found = departures(changed(H1="g", F3="G"))
    assert "H1: 0 stars in column H; official sheets have one" in found
    assert "F4: 2 stars in column F; official sheets have one" in found


def test_each_color_is_one_run_in_a_column():
    # column H: g o p b b y y; the last becomes green
    assert "H7: a second run of green in column H" in departures(changed(H7="g"))


def test_all_colors_in_a_column():
    assert "H1: no green in column H; official columns have all" in departures(changed(H1="O"))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("gybpoGYBPO", min_size=15, max_size=15), min_size=7, max_size=7).map(tuple))
def test_any_sheet_of_letters_is_either_refused_or_played(lines):
    found = check(lines)
    if all(finding.playable for finding in found):
        sheet = Sheet("any", lines)
        assert sorted(cell for block in sheet.blocks for cell in block.cells) == list(ALL_CELLS)
        assert all(len(block.cells) <= 6 for block in sheet.blocks)
    else:
        assert not any(finding.playable for finding in found)
        with pytest.raises(SheetError):
            Sheet("any", lines)


# Names and files


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(UnknownNameError, match="unknown sheet 'blak'; did you mean 'black'"):
        load_sheet("blak")
    with pytest.raises(UnknownNameError, match="known: black, blue"):
        load_sheet("xyzzy")


def write(folder: Path, content: bytes) -> str:
    path = folder / "mine.txt"
    path.write_bytes(content)
    return str(path)


TEXT = "\n".join(BLACK.lines)


@pytest.mark.parametrize(
    "content",
    [
        TEXT,
        TEXT + "\n",
        TEXT + "\n\n  \n\t\n",
        TEXT.replace("\n", "\r\n") + "\r\n",
        "\ufeff" + TEXT + "\n",
        TEXT.replace("\n", "  \n"),
    ],
    ids=["bare", "newline", "blank lines", "CRLF", "BOM", "trailing spaces"],
)
def test_a_users_file(tmp_path, content):
    name = write(tmp_path, content.encode())
    sheet = load_sheet(name)
    assert sheet.name == name
    assert sheet.lines == BLACK.lines
    assert read_lines(Path(name)) == BLACK.lines


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it has 0 of 7 lines"),
        (b"\xff\xfe\x00\x80", "it is not a text file"),
        (b"\x00" * 30, "cannot be played"),
        (TEXT.replace("g", "z").encode(), "'z' is not a color"),
    ],
    ids=["empty", "binary", "zeros", "wrong letters"],
)
def test_a_file_that_is_no_sheet(tmp_path, content, message):
    name = write(tmp_path, content)
    with pytest.raises(SheetError) as caught:
        load_sheet(name)
    assert message in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path):
    for name, reason in ((tmp_path / "none.txt", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(SheetError, match=reason):
            load_sheet(str(name))


def test_a_file_name_needs_a_slash_or_txt(tmp_path, monkeypatch):
    write(tmp_path, TEXT.encode())
    monkeypatch.chdir(tmp_path)
    assert load_sheet("mine.txt").lines == BLACK.lines
    assert load_sheet("./mine.txt").lines == BLACK.lines
    with pytest.raises(UnknownNameError):
        load_sheet("mine")
