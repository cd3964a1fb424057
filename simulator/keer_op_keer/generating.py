"""New sheets with the pattern of the official ones, drawn by chance from a seed.

In every column each color has one run of cells. It goes on with the block of the run in the column before if the two
lie side by side; else that block is ended and another begins. So a color is a row of blocks, of which only the last can
grow, and all that matters of the others is which sizes are used up.

A sheet is drawn column by column. The weight of a column is the product, over the colors, of the ways in which each
could be completed if the others were not in its way. Of the sheets drawn so about two in seven are completed, the
others are begun anew. Then the stars are drawn from column to column likewise.

There are some 10**26 layouts without stars. Not all are equally probable: the natural logarithm of the probability has
a standard deviation of 2. What can be counted on a sheet is much as on the official ones: neighbors of a color in a row
(48), connected sets of up to five cells of a block (310 on average, theirs 287 to 321), columns that a block of each
size takes. But theirs have up to eight cells of a color in a row, ours up to eleven, and of their columns 2.6 have a
run of three, of ours 3.7.

Ways are whole numbers, products and sums are taken in a fixed order, and of Python's generator only ``random()`` is
used, which is promised never to change for a seed. So a seed gives the same sheets on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, permutations, product
from random import Random
from typing import NamedTuple, TypeVar

from simulator.errors import PlanError
from simulator.keer_op_keer.rules import COLORS, COLUMNS, ROWS
from simulator.keer_op_keer.sheet import LETTERS, MAX_BLOCK, Sheet
from simulator.seeds import check_seed

MAX_SHEETS = 10_000
STARS = 3  # of each color, on blocks of different sizes
STAR_WEIGHTS = (0, 30, 1, 1, 2, 4, 12)
"""By size of block: of 15 stars 2.8, 1, 1.4, 2.1, 3.3, 4.5 are on sizes 1 to 6; officially 3.4, 1, 1, 1.6, 3.1, 4.9."""
RUNS_OF_LENGTH = {1: 10, 2: 4, 3: 1}  # a color's share of 15 columns
APART = 3  # runs in neighboring columns that are not side by side, to one that is

_ALL_SIZES = tuple(range(MAX_BLOCK + 1))  # and that of no cells
_T = TypeVar("_T")


class Run(NamedTuple):
    """Cells of one color in a column, from row ``top`` to the one before ``bottom``."""

    top: int
    bottom: int

    @property
    def length(self) -> int:
        """How many cells."""
        return self.bottom - self.top


class Chain(NamedTuple):
    """The blocks of one color in the columns so far.

    ``ended`` has the sizes of those that are ended, smallest first; ``size`` is that of the last one so far, ``run``
    what it has in the last column. All chains begin with a block of no cells, which ends before the first column.
    """

    ended: tuple[int, ...]
    size: int
    run: Run

    def continued(self, run: Run) -> Chain:
        """The chain with a run in the next column."""
        if run.top < self.run.bottom and self.run.top < run.bottom:
            return Chain(self.ended, self.size + run.length, run)
        return Chain(_sorted(self.ended, self.size), run.length, run)


class BlockName(NamedTuple):
    """What a block is known by: a color has one of each size."""

    color: int
    size: int


def generate(seed: int, count: int) -> Iterator[Sheet]:
    """The first sheets of a seed, ``generated-7-1``, ``generated-7-2``, …: each a matter of hundredths of a second.

    Parameters
    ----------
    seed : int
        0 to 2**64 - 1; a sheet depends on it and on its number alone, not on how many there are.
    count : int
        1 to 10,000.

    Raises
    ------
    PlanError
        If seed or count is out of range.
    """
    check_seed(seed)
    if type(count) is not int or not 1 <= count <= MAX_SHEETS:
        raise PlanError(f"the number of sheets must be a whole number from 1 to {MAX_SHEETS:,}; got {count!r}")
    return (_sheet(seed, number) for number in range(1, count + 1))


def _sheet(seed: int, number: int) -> Sheet:
    random = Random(f"{seed}-{number}")
    while True:
        columns = _draw_columns(random)
        stars = columns and _draw_stars(random, _blocks(columns))
        if columns and stars:
            return Sheet(f"generated-{seed}-{number}", _lines(random, columns, stars))


def _draw_columns(random: Random) -> list[list[Chain]] | None:
    """The chains of all colors, column by column; None if no column was left that could come next."""
    columns: list[list[Chain]] = []
    chains = [Chain((), 0, Run(0, 0))] * len(COLORS)
    for left in reversed(range(len(COLUMNS))):
        options = [[chain.continued(run) for run in _runs()] for chain in chains]
        g, y, b, p, o = ([float(_ways(left, chain.ended, chain.size)) for chain in color] for color in options)
        drawn = _draw(random, _columns(), [g[i] * y[j] * b[k] * p[m] * o[n] for i, j, k, m, n in _columns()])
        if drawn is None:
            return None
        chains = [color[run] for color, run in zip(options, drawn, strict=True)]
        columns.append(chains)
    return columns


@cache
def _ways(left: int, ended: tuple[int, ...], size: int) -> int:
    """In how many ways one color can be completed in the columns that are left, counted with their usual shares."""
    if size > MAX_BLOCK or len(set(ended)) < len(ended):
        return 0
    all_ended = _sorted(ended, size)
    if left == 0:
        return int(all_ended == _ALL_SIZES)
    return sum(
        share * (_ways(left - 1, ended, size + length) + APART * _ways(left - 1, all_ended, length))
        for length, share in RUNS_OF_LENGTH.items()
    )


def _sorted(ended: tuple[int, ...], size: int) -> tuple[int, ...]:
    return tuple(sorted((*ended, size)))


@cache
def _runs() -> list[Run]:
    """The 18 runs of one to three cells."""
    return [Run(top, top + length) for length in RUNS_OF_LENGTH for top in range(ROWS - length + 1)]


@cache
def _columns() -> list[tuple[int, ...]]:
    """The 1800 columns in which each color has one run: the number of its run, by color."""
    columns = []
    for lengths in product(RUNS_OF_LENGTH, repeat=len(COLORS)):
        if sum(lengths) == ROWS:
            ends = accumulate(lengths)
            runs = [_runs().index(Run(end - length, end)) for length, end in zip(lengths, ends, strict=True)]
            columns += list(permutations(runs))
    return columns


def _blocks(columns: Sequence[Sequence[Chain]]) -> list[list[BlockName]]:
    """The block of each color, column by column."""
    blocks: list[list[BlockName]] = []
    whole = columns[-1]  # where the blocks end
    for chains in reversed(columns):
        whole = [last if last.ended == chain.ended else chain for chain, last in zip(chains, whole, strict=True)]
        blocks.insert(0, [BlockName(color, chain.size) for color, chain in enumerate(whole)])
    return blocks


def _draw_stars(random: Random, columns: Sequence[Sequence[BlockName]]) -> list[BlockName] | None:
    """The block with a star of each column; None if in one of them no color could have a star any more."""
    stars: list[BlockName] = []
    for blocks in columns:
        left = [STARS - sum(star.color == block.color for star in stars) for block in blocks]
        weights = [n * STAR_WEIGHTS[block.size] * (block not in stars) for n, block in zip(left, blocks, strict=True)]
        drawn = _draw(random, blocks, weights)
        if drawn is None:
            return None
        stars.append(drawn)
    return stars


def _lines(random: Random, columns: Sequence[Sequence[Chain]], stars: Sequence[BlockName]) -> tuple[str, ...]:
    """The letters, top row first; the star of a column in any cell of its block there."""
    cells = [[""] * len(COLUMNS) for _ in range(ROWS)]
    for column, (chains, star) in enumerate(zip(columns, stars, strict=True)):
        for letter, chain in zip(LETTERS, chains, strict=True):
            for row in range(*chain.run):
                cells[row][column] = letter
        run = chains[star.color].run
        row = run.top + int(random.random() * run.length)
        cells[row][column] = cells[row][column].upper()
    return tuple("".join(row) for row in cells)


def _draw(random: Random, things: Sequence[_T], weights: Sequence[float]) -> _T | None:
    """One of the things, with a probability in proportion to its weight; None if all weights are zero."""
    *_, total = sums = list(accumulate(weights))
    point = random.random() * total
    return next((thing for thing, upto in zip(things, sums, strict=True) if point < upto), None)
