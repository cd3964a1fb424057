"""What the compiler tells of scored functions, and that the engine gives them neither too little nor too much."""

from __future__ import annotations

import sys
import types
from typing import Any

import numba
import numpy as np
import pytest
from numba.extending import overload

from simulator.errors import StrategyError, UnknownNameError
from simulator.keer_op_keer.features import SIGHT
from simulator.keer_op_keer.rules import OFFICIAL, Rules
from simulator.keer_op_keer.sheet import load_sheet
from simulator.scoring import compile_score
from simulator.strategy import Scored, Weights
from tests.agreement import Setup, same_game

BLACK = load_sheet("black")
GREEDY = Weights("greedy", "", {"points": 1.0, "cells": 0.1})


@numba.njit
def shape(move):
    return move.frontier - move["singles"]


package = types.ModuleType("package")
package.helpers = types.ModuleType("package.helpers")  # type: ignore[attr-defined]
package.helpers.shape = shape  # type: ignore[attr-defined]
sys.modules.update({"package": package, "package.helpers": package.helpers})  # type: ignore[dict-item,attr-defined]


def plain(view, move):
    return move.points + 0.125 * move.cells


def by_helper(view, move):
    return move.points + shape(move)


def by_module(view, move):
    return move.points + package.helpers.shape(move)


def by_closure():
    hidden = shape

    def score(view, move):
        return move.points + hidden(move)

    return score


def by_alias(view, move):
    other = move
    return other.points + other.luck + view.marks


@pytest.mark.parametrize(
    ("function", "fields"),
    [
        (plain, {"points", "cells"}),
        (by_helper, {"points", "frontier", "singles"}),
        (by_module, {"points", "frontier", "singles"}),
        (by_closure(), {"points", "frontier", "singles"}),
        (by_alias, {"points", "luck", "marks"}),
    ],
)
def test_the_fields_that_a_function_reads_are_found_wherever_it_reads_them(function: Any, fields: set[str]) -> None:
    strategy = Scored("mine", "", function)
    assert compile_score(strategy, SIGHT).use == (fields, False, False)
    same_game(Setup([strategy, GREEDY], [BLACK] * 2, Rules(roll_limit=12), 3, 0), 0)


def test_a_function_loaded_from_a_cache_is_taken_to_read_everything() -> None:
    @numba.njit
    def helper(move):
        return move.frontier

    strategy = Scored("mine", "", lambda view, move: helper(move))
    compile_score(strategy, SIGHT)
    for result in helper.overloads.values():
        helper.overloads[result.signature.args] = result._replace(type_annotation="a text")
    again = Scored("again", "", lambda view, move: helper(move) + 1)
    assert compile_score(again, SIGHT).use[:2] == (SIGHT.fields, True)


def spends(view, move):
    left = view.column_left
    for i in range(move.number):
        left[move.column[i]] -= 1
    return move.points - left[7] * 0.25 + 0.125 * move.cells


def sorts(view, move):
    view.color_left.sort()
    return move.points + 0.125 * move.cells * view.color_left[0]


def overwrites(view, move):
    view.open[:] = 0
    move.points = move.points + view.marks
    return move.points + 0.125 * move.cells


def counts_down(view, move):
    left = view.column_left
    left -= 1
    return move.points + 0.125 * move.cells + 0.25 * left[3] * move.distance


def doubles_rows(view, move):
    for row in view.open:
        row *= 2
    return move.points + 0.125 * move.cells * view.open[7, 2]


def adds_into(view, move):
    here = view.open
    np.add(here, 1, here)
    return move.points + 0.125 * move.cells * view.open[7, 2]


@pytest.mark.parametrize("function", [spends, sorts, overwrites, counts_down, doubles_rows, adds_into])
def test_a_function_that_writes_into_its_arguments_does_not_change_the_game(function: Any) -> None:
    strategy = Scored("writes", "", function)
    assert compile_score(strategy, SIGHT).use.writes
    same_game(Setup([strategy, strategy], [BLACK] * 2, Rules(roll_limit=15), 3, 0), 1)
    same_game(Setup([strategy], [BLACK], OFFICIAL, 3, 0), 0)


def test_local_arrays_may_be_written() -> None:
    def score(view, move):
        counts = np.zeros(5)
        counts[move.color] = move.number
        again = counts
        again[0] += 1
        return counts.sum() + move.points

    strategy = Scored("counts", "", score)
    assert not compile_score(strategy, SIGHT).use.writes


def test_arrays_that_are_only_read_are_not_copied() -> None:
    def score(view, move):
        own = np.zeros(15)
        own += view.column_left
        own[3] = np.sum(np.minimum(view.column_left, 3)) + len(view.color_left) + view.open.sum()
        own[4] = np.count_nonzero(np.where(view.column_left > 2, 1, 0)) + np.sort(view.color_left)[0]
        return own.sum() + move.points

    strategy = Scored("reads", "", score)
    assert not compile_score(strategy, SIGHT).use.writes
    same_game(Setup([strategy, GREEDY], [BLACK] * 2, Rules(roll_limit=10), 3, 0), 0)


def test_part_of_the_view_is_not_taken_for_an_array_of_its_own() -> None:
    def score(view, move):
        left = np.zeros(3, np.int64)
        left[0] = 1
        left = view.column_left[5:8]
        left[2] = 0
        return move.points + view.column_left[7] * move.cells

    strategy = Scored("a part", "", score)
    assert compile_score(strategy, SIGHT).use.writes
    same_game(Setup([strategy, GREEDY], [BLACK] * 2, Rules(roll_limit=10), 3, 0), 0)


def sum_of_open(view):
    return view.open.sum()


@overload(sum_of_open)
def _overload_sum_of_open(view):
    return lambda view: view.open.sum()


def test_a_record_given_to_an_extension_may_be_read_and_written_there() -> None:
    def score(view, move):
        return move.points + move.cells * (sum_of_open(view) % 3)

    strategy = Scored("extension", "", score)
    assert compile_score(strategy, SIGHT).use[:2] == (SIGHT.fields, True)
    same_game(Setup([strategy, GREEDY], [BLACK] * 2, Rules(roll_limit=10), 3, 0), 0)


def draws_of_numpy(view, move):
    return np.random.random()


def draws_in_a_helper():
    import random

    @numba.njit
    def helper():
        return random.random()

    return lambda view, move: helper()


@pytest.mark.parametrize("function", [draws_of_numpy, draws_in_a_helper()])
def test_random_numbers_of_its_own_are_refused(function: Any) -> None:
    with pytest.raises(StrategyError, match=r"'dicey' draws random numbers of its own.*use move\.luck"):
        compile_score(Scored("dicey", "", function), SIGHT)


def weighed(view, move, first=1.0, second=0.125):
    return first * move.points + second * move.cells


def test_parameters_are_bound_by_name() -> None:
    for parameters in ({"second": 0.125, "first": 2.0}, {"first": 2.0}, {"second": 4.0}):
        setup = Setup([Scored("weighed", "", weighed, parameters)], [BLACK], Rules(solo_rolls=12), 3, 0)
        assert not setup.table().notes
        same_game(setup, 0)


def test_a_parameter_that_the_function_does_not_have_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="'secnd'; did you mean 'second'"):
        compile_score(Scored("weighed", "", weighed, {"secnd": 1.0}), SIGHT)
