"""Eight numbers side by side against numpy, number by number."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from simulator.lanes import (
    LANES,
    LINE,
    counted,
    in_lines,
    larger,
    largest,
    load,
    new_records,
    number_at,
    select,
    spread,
    store,
    where_equal,
)

FLOATS = np.array([3.5, -np.inf, 0.0, -7.25, np.inf, 1e300, -1e-300, 2.0])
OTHERS = np.array([3.5, -np.inf, -1.0, 8.0, 5.0, 1e300, 1e-300, -2.0])
WORDS = np.array([0, 1, -1, 2**62, -(2**62), 0b1010, 12345, 7])
MASKS = np.array([5, 3, 2**40, 2**62 - 1, -1, 0b0110, 0, 15])


def test_float_lanes_match_numpy():
    @numba.njit
    def work(a, b, sums, products, maxima, upward):
        store(sums, load(a) + load(b))
        store(products, load(a) * spread(2.0))
        store(maxima, larger(load(a), load(b)))
        store(upward, counted())
        return largest(load(a)), largest(load(b)), where_equal(load(a), load(b))

    sums, products, maxima, upward = (np.zeros(LANES) for _ in range(4))
    others = np.where(np.isinf(OTHERS), -np.inf, OTHERS)
    top, other_top, equal = work(FLOATS, others, sums, products, maxima, upward)
    assert sums.tolist() == (FLOATS + others).tolist()
    assert products.tolist() == (FLOATS * 2).tolist()
    assert maxima.tolist() == np.maximum(FLOATS, others).tolist()
    assert upward.tolist() == list(range(1, LANES + 1))
    assert (top, other_top) == (FLOATS.max(), others.max())
    assert equal == sum(1 << i for i in range(LANES) if FLOATS[i] == others[i]) != 0


@pytest.mark.parametrize("place", range(LANES))
def test_the_largest_is_found_in_every_lane(place):
    @numba.njit
    def work(row):
        return largest(load(row))

    row = np.full(LANES, -np.inf)
    row[place] = -3.0
    assert work(row) == -3.0


def test_word_lanes_match_numpy():
    @numba.njit
    def work(a, b, both, either, neither, sums):
        store(both, load(a) & load(b))
        store(either, load(a) | load(b))
        store(neither, ~load(a))
        store(sums, load(a) + spread(3))

    both, either, neither, sums = (np.zeros(LANES, np.int64) for _ in range(4))
    work(WORDS, MASKS, both, either, neither, sums)
    assert both.tolist() == (WORDS & MASKS).tolist()
    assert either.tolist() == (WORDS | MASKS).tolist()
    assert neither.tolist() == (~WORDS).tolist()
    assert sums.tolist() == (WORDS + 3).tolist()


@pytest.mark.parametrize("bits", [0, 1, 0b10000000, 0b10101010, 0xFF, 0x100, -1])
def test_select_takes_lane_i_by_bit_i(bits):
    @numba.njit
    def work(bits, a, b, out):
        store(out, select(bits, load(a), load(b)))

    out = np.zeros(LANES)
    work(bits, FLOATS, OTHERS, out)
    assert out.tolist() == [(FLOATS if bits >> i & 1 else OTHERS)[i] for i in range(LANES)]


def test_number_at_counts_through_the_rows():
    @numba.njit
    def work(rows, index):
        return number_at(rows, index)

    rows = np.arange(3 * LANES, dtype=np.float64).reshape(3, LANES)
    assert [work(rows, i) for i in range(3 * LANES)] == rows.ravel().tolist()


WRONG = {
    "sum of different types": lambda a, b: largest(load(a) + load(b)),
    "choice of different types": lambda a, b: largest(select(1, load(a), load(b))),
    "comparison of words": lambda a, b: where_equal(load(b), load(b)),
    "a row with gaps": lambda a, b: largest(load(a[::2])),
    "several rows": lambda a, b: largest(load(a.reshape(2, 4))),
    "words into floats": lambda a, b: store(a, load(b)),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_right_does_not_compile(name):
    with pytest.raises(numba.TypingError):
        numba.njit(WRONG[name])(FLOATS, WORDS)


def test_records_and_their_rows_begin_at_lines_of_the_cache():
    inner = in_lines(("one", np.int64), ("row", np.float64, (LANES,)))
    outer = in_lines(("few", np.int64, (3,)), ("inner", inner, (2,)), ("rows", np.int64, (5, LANES)))
    assert outer.itemsize % LINE == inner.itemsize % LINE == 0
    for record in (new_records(outer) for _ in range(5)):
        assert not record.tobytes().strip(b"\0")
        assert record.ctypes.data % LINE == 0
        for row in (record[0]["inner"][1]["row"], record[0]["rows"][3]):
            assert row.ctypes.data % LINE == 0
