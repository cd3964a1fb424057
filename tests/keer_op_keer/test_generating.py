"""Generated sheets: all have the official pattern, by two checks; they hang on seed and number alone, and they vary."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby, islice

import pytest

from simulator.errors import PlanError
from simulator.keer_op_keer import generating
from simulator.keer_op_keer.generating import MAX_SHEETS, generate
from simulator.keer_op_keer.sheet import check, load_sheet, sheet_names

SEEDS = (0, 1, 7, 2**64 - 1)

Lines = tuple[str, ...]
Place = tuple[int, int]


@pytest.fixture(scope="module")
def sheets() -> list[Lines]:
    """The first sheets of a few seeds."""
    return [sheet.lines for seed in SEEDS for sheet in generate(seed, 20)]


def block_around(lines: Lines, row: int, column: int) -> frozenset[Place]:
    """Row and column of all cells that hang together with one, and have its color."""
    found: set[Place] = set()

    def fill(row: int, column: int, letter: str) -> None:
        inside = 0 <= row < 7 and 0 <= column < 15
        if inside and (row, column) not in found and lines[row][column].lower() == letter:
            found.add((row, column))
            for beside in ((row, column + 1), (row, column - 1), (row + 1, column), (row - 1, column)):
                fill(*beside, letter)

    fill(row, column, lines[row][column].lower())
    return frozenset(found)


def blocks(lines: Lines) -> set[frozenset[Place]]:
    return {block_around(lines, row, column) for row in range(7) for column in range(15)}


def has_the_pattern(lines: Lines) -> bool:
    """Whether a sheet is like the official ones: counted here once more, without the code of the package."""
    assert [len(line) for line in lines] == [15] * 7
    by_color: dict[str, list[int]] = {letter: [] for letter in "gybpo"}
    starred: dict[str, list[int]] = {letter: [] for letter in "gybpo"}
    for block in blocks(lines):
        letters = [lines[row][column] for row, column in block]
        by_color[letters[0].lower()].append(len(block))
        starred[letters[0].lower()] += [len(block) for letter in letters if letter.isupper()]
    columns = ["".join(column) for column in zip(*lines, strict=True)]
    runs = [[letter for letter, _ in groupby(column.lower())] for column in columns]
    return (
        all(sorted(sizes) == [1, 2, 3, 4, 5, 6] for sizes in by_color.values())
        and all(len(sizes) == len(set(sizes)) == 3 for sizes in starred.values())
        and all(sorted(found) == sorted("gybpo") for found in runs)
        and all(sum(letter.isupper() for letter in column) == 1 for column in columns)
    )


def moves(lines: Lines) -> int:
    """Connected sets of one to five cells of a block: the crosses that can be made in one move."""
    connected = 0
    for block in blocks(lines):
        for size in range(1, 6):
            for cells in combinations(block, size):
                reached, before = {cells[0]}, 0
                while len(reached) > before:
                    before = len(reached)
                    reached |= {c for c in cells if any(abs(c[0] - r) + abs(c[1] - k) == 1 for r, k in reached)}
                connected += len(reached) == size
    return connected


def test_every_sheet_has_the_official_pattern(sheets: list[Lines]) -> None:
    for lines in sheets:
        assert check(lines) == []
        assert has_the_pattern(lines)


def test_the_check_made_here_knows_the_pattern() -> None:
    black = load_sheet("black").lines
    assert all(has_the_pattern(load_sheet(name).lines) for name in sheet_names())
    assert not has_the_pattern((black[0].lower(), *black[1:]))  # stars are missing
    assert not has_the_pattern(("y" + black[0][1:], *black[1:]))  # one more yellow cell
    assert not has_the_pattern(tuple(line[5:] + line[:5] for line in black))  # blocks are cut
    assert not has_the_pattern((*black[:2], black[3], black[2], *black[4:]))  # a color has two runs


def test_a_sheet_hangs_on_seed_and_number_alone() -> None:
    few, many = list(generate(7, 3)), list(generate(7, 6))
    assert [sheet.name for sheet in few] == ["generated-7-1", "generated-7-2", "generated-7-3"]
    assert many[:3] == few == list(islice(generate(7, MAX_SHEETS), 3))


def test_sheets_vary(sheets: list[Lines]) -> None:
    assert len(set(sheets)) == len(sheets)
    for first in range(0, len(sheets), 20):
        twenty = sheets[first : first + 20]
        for row in range(7):
            for column in range(15):
                assert len({lines[row][column].lower() for lines in twenty}) >= 2


def test_no_color_and_no_row_is_preferred(sheets: list[Lines]) -> None:
    """Over 80 sheets every color has about a fifth of each row, and so it is with stars: a seventh in each row."""
    for row in range(7):
        cells = Counter(letter for lines in sheets for letter in lines[row].lower())
        assert all(0.15 < cells[color] / (15 * len(sheets)) < 0.25 for color in "gybpo")
        stars = sum(letter.isupper() for lines in sheets for letter in lines[row])
        assert 1.5 < stars / len(sheets) < 2.8


def test_colors_change_places_from_column_to_column(sheets: list[Lines]) -> None:
    """The official sheets have 12 or 13 different orders of the colors in 15 columns."""
    for lines in sheets:
        orders = {"".join(dict.fromkeys("".join(column).lower())) for column in zip(*lines, strict=True)}
        assert len(orders) >= 7


def test_they_play_like_the_official_ones(sheets: list[Lines]) -> None:
    """Means of what makes blocks easy to cross: possible moves, and neighbors of a color in a row."""

    def beside(lines: Lines) -> int:
        return sum(a == b for line in lines for a, b in zip(line.lower(), line.lower()[1:], strict=False))

    official = [load_sheet(name).lines for name in sheet_names()]
    for figure, margin in ((moves, 12), (beside, 2)):
        theirs = sum(map(figure, official)) / len(official)
        assert sum(map(figure, sheets)) / len(sheets) == pytest.approx(theirs, abs=margin)


def test_stars_are_drawn_for_every_layout() -> None:
    """No layout is given up because of its stars but by chance: a few draws find some for each."""
    random = generating.Random(5)
    layouts = [found for _ in range(100) if (found := generating._draw_columns(random))]
    assert len(layouts) > 10
    for layout in layouts:
        of_columns = generating._blocks(layout)
        assert any(generating._draw_stars(random, of_columns) for _ in range(50))


def test_what_comes_to_a_dead_end_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = list(generate(3, 1))
    draw_columns, draw_stars = generating._draw_columns, generating._draw_stars
    ends: Counter[str] = Counter()

    def columns(random: generating.Random) -> list[list[generating.Chain]] | None:
        found = draw_columns(random)
        ends["columns"] += found is None
        return found

    def stars(random: generating.Random, blocks: list[list[generating.BlockName]]) -> list[generating.BlockName] | None:
        ends["stars"] += 1
        return draw_stars(random, blocks) if ends["stars"] > 2 else None

    monkeypatch.setattr(generating, "_draw_columns", columns)
    monkeypatch.setattr(generating, "_draw_stars", stars)
    found = list(generate(3, 1))
    assert has_the_pattern(found[0].lines)
    assert found != wanted
    assert ends["stars"] == 3
    assert ends["columns"] > 0


def test_nothing_is_drawn_of_nothing() -> None:
    random = generating.Random(1)
    assert generating._draw(random, "abc", [0, 0, 0]) is None
    assert {generating._draw(random, "abc", [0, 2.5, 0]) for _ in range(100)} == {"b"}
    drawn = Counter(generating._draw(random, "abc", [1, 0, 3]) for _ in range(4000))
    assert drawn["b"] == 0
    assert 2850 < drawn["c"] < 3150


def test_there_are_1800_columns() -> None:
    columns = generating._columns()
    assert len(set(columns)) == len(columns) == 1800
    for column in columns:
        rows = sorted(row for run in column for row in range(*generating._runs()[run]))
        assert rows == list(range(7))


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, None])
def test_seeds_out_of_range(seed: object) -> None:
    with pytest.raises(PlanError, match=r"^the seed must be a whole number from 0 to 2\*\*64 - 1; got "):
        generate(seed, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, -1, 10_001, 1.0, "1", True])
def test_counts_out_of_range(count: object) -> None:
    with pytest.raises(PlanError, match=r"^the number of sheets must be a whole number from 1 to 10,000; got "):
        generate(1, count)  # type: ignore[arg-type]
