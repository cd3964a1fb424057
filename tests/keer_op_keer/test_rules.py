"""The rules as data: every range and type, unknown keys, and games that could not end."""

from __future__ import annotations

import dataclasses

import pytest

from simulator.errors import KokSimError, RulesError, UnknownNameError
from simulator.keer_op_keer.rules import OFFICIAL, TIE_BREAKS, Rules

FIELDS = {field.name: field.default for field in dataclasses.fields(Rules)}
WHOLE = [name for name, default in FIELDS.items() if type(default) is int]
LISTS = [name for name, default in FIELDS.items() if type(default) is tuple]
FLAGS = [name for name, default in FIELDS.items() if type(default) is bool]
RANGES = {switch.name: (switch.low, switch.high) for switch in Rules.switches() if switch.high}
TEXTS = [name for name, default in FIELDS.items() if type(default) is str]


def refusal(**changes: object) -> str:
    with pytest.raises(RulesError) as caught:
        Rules(**changes)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_defaults_are_the_official_rules():
    assert Rules() == OFFICIAL
    assert OFFICIAL.changes() == {}
    assert OFFICIAL.column_first == (5, 3, 3, 3, 2, 2, 2, 1, 2, 2, 2, 3, 3, 3, 5)
    assert OFFICIAL.column_later == (3, 2, 2, 2, 1, 1, 1, 0, 1, 1, 1, 2, 2, 2, 3)
    assert (OFFICIAL.color_first, OFFICIAL.color_later, OFFICIAL.colors_to_end) == (5, 3, 2)
    assert (OFFICIAL.jokers, OFFICIAL.mark_points, OFFICIAL.star_penalty, OFFICIAL.open_rolls) == (8, 1, 2, 3)
    assert (OFFICIAL.dice(solo=False), OFFICIAL.dice(solo=True), OFFICIAL.solo_rolls) == ((3, 3), (2, 2), 30)


def test_every_number_has_a_range():
    assert sorted(RANGES) == sorted(WHOLE + LISTS)


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_keep_to_their_range(name):
    low, high = RANGES[name]
    for right in (low, high):
        assert getattr(Rules(**{name: right}), name) == right
    for wrong in (low - 1, high + 1):
        assert f"{name} must be from {low} to {high}; got {wrong}" in refusal(**{name: wrong})


@pytest.mark.parametrize("name", LISTS)
def test_numbers_of_a_list_keep_to_their_range(name):
    low, high = RANGES[name]
    default = FIELDS[name]
    for at in range(len(default)):
        assert getattr(Rules(**{name: (*default[:at], high, *default[at + 1 :])}), name)[at] == high
        for wrong in (low - 1, high + 1):
            assert f"got {wrong}" in refusal(**{name: (*default[:at], wrong, *default[at + 1 :])})


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("wrong", [(), (1,), (1,) * 16, [1, 1, 1, 1, 1, 1], 1, "111111", None])
def test_lists_must_have_the_right_length_and_type(name, wrong):
    assert f"{name} must be {len(FIELDS[name])} whole numbers" in refusal(**{name: wrong})


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("wrong", [1.0, True, "1", None])
def test_lists_hold_whole_numbers_only(name, wrong):
    assert f"{name} must be" in refusal(**{name: (*FIELDS[name][:-1], wrong)})


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("wrong", [1.0, True, "1", None, (1,)])
def test_whole_numbers_are_whole_numbers(name, wrong):
    assert f"{name} must be a whole number" in refusal(**{name: wrong})


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("wrong", [1, 0, "true", None])
def test_flags_are_true_or_false(name, wrong):
    assert f"{name} must be true or false" in refusal(**{name: wrong})


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("wrong", [1, True, None, ("H",)])
def test_texts_are_texts(name, wrong):
    assert f"{name} must be a text" in refusal(**{name: wrong})


@pytest.mark.parametrize("wrong", ["", "P", "h", "HH", "GH ", "H,G"])
def test_start_columns_are_different_letters(wrong):
    assert "start_columns" in refusal(start_columns=wrong)


@pytest.mark.parametrize("columns", ["H", "GI", "ABCDEFGHIJKLMNO"])
def test_start_columns_may_be_several(columns):
    assert Rules(start_columns=columns).start_columns == columns


def test_tie_break_is_one_of_its_names():
    for name in TIE_BREAKS:
        assert Rules(tie_break=name).tie_break == name
    with pytest.raises(UnknownNameError, match="unknown tie_break 'mark'; did you mean 'marks'"):
        Rules(tie_break="mark")


@pytest.mark.parametrize("name", ["color_weights", "number_weights"])
def test_a_die_needs_a_face(name):
    assert f"{name}: at least one face" in refusal(**{name: (0,) * 6, "roll_limit": 30})


@pytest.mark.parametrize(
    "changes",
    [
        {"color_weights": (1, 0, 0, 0, 0, 0)},
        {"color_weights": (1, 0, 0, 0, 0, 1), "jokers": 0},
        {"color_weights": (1, 1, 0, 0, 0, 0), "colors_to_end": 3},
        {"color_weights": (0, 0, 0, 0, 0, 1), "jokers": 0},
        {"number_weights": (0, 1, 1, 1, 1, 0)},
        {"number_weights": (0, 1, 1, 1, 1, 1), "jokers": 0},
    ],
)
def test_a_game_that_cannot_end_is_refused_unless_rolls_are_limited(changes):
    message = refusal(**changes)
    assert "cannot end" in message
    assert "roll_limit" in message
    assert Rules(**changes, roll_limit=30).roll_limit == 30


@pytest.mark.parametrize(
    "changes",
    [
        {"color_weights": (1, 0, 0, 0, 0, 0), "colors_to_end": 1},
        {"color_weights": (1, 1, 0, 0, 0, 0)},
        {"number_weights": (1, 0, 0, 0, 0, 0)},
    ],
)
def test_odd_dice_that_can_end_the_game_are_allowed(changes):
    assert Rules(**changes).changes().keys() == changes.keys()


def test_an_unknown_key_is_refused_with_the_nearest():
    with pytest.raises(UnknownNameError, match="unknown rule 'star_penality'; did you mean 'star_penalty'"):
        Rules.from_changes({"star_penality": 3})
    with pytest.raises(KokSimError, match="known: "):
        Rules.from_changes({"xyzzy": 3})


def test_changes_round_trip():
    changes = {
        "connect_through_crosses": True,
        "start_columns": "GI",
        "column_first": [9] * 15,
        "roll_limit": 30,
        "number_weights": [2, 1, 1, 1, 1, 0],
    }
    rules = Rules.from_changes(changes)
    assert rules.column_first == (9,) * 15
    assert rules.changes() == changes
    assert Rules.from_changes(rules.changes()) == rules


def test_rules_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        OFFICIAL.jokers = 3


def test_the_last_roll():
    assert OFFICIAL.last_roll(solo=True) == 30
    assert OFFICIAL.last_roll(solo=False) == 1000
    assert Rules(roll_limit=30).last_roll(solo=False) == 30


def test_colors_end_the_solo_game_only_by_its_switch():
    assert OFFICIAL.ends_on_colors(solo=False)
    assert not OFFICIAL.ends_on_colors(solo=True)
    assert Rules(solo_ends_on_colors=True).ends_on_colors(solo=True)


def test_score_range_of_the_official_rules():
    # 41 points of columns, 5 x 5 of colors, 8 marks; a home-made sheet may have a star on each of its 105 cells
    assert OFFICIAL.score_range() == (-210, 41 + 25 + 8)


def test_jokers_may_bring_a_game_to_its_end():
    assert Rules(color_weights=(1, 0, 0, 0, 0, 1)).jokers == 8
    assert Rules(number_weights=(0, 1, 1, 1, 1, 1)).jokers == 8
