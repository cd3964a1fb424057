"""Rules as data, in what all games share: types, ranges, and what differs from the official rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from kok_sim.cli.arguments import parse_settings
from simulator.errors import KokSimError, RulesError, UnknownNameError
from simulator.games import find_game, game_names
from simulator.rules import RuleSet, switch


@dataclass(frozen=True)
class Toy(RuleSet):
    """Rules of a game that nobody plays: a switch of each kind."""

    quick: bool = switch(False, "A quick game.")
    lives: int = switch(3, "Lives of a player.", 1, 9)
    first: str = switch("oldest", "Who begins.", form="a name")
    prizes: tuple[int, ...] = switch((3, 2, 1), "Points of the first three.", 0, 5)
    dealer: str = switch("left", "Who deals next.", choices=("left", "right"))

    def _verify(self) -> None:
        if self.quick and self.lives > 5:
            raise RulesError("lives must be 5 or fewer if quick is true")


def test_official_rules_have_no_changes() -> None:
    assert Toy().changes() == {}
    assert Toy().told() == "official rules"
    assert Toy().typed() == []
    assert Toy(lives=3, prizes=(3, 2, 1)) == Toy.from_changes({}) == Toy()


def test_changes_are_in_the_order_of_the_fields_and_plain_data() -> None:
    rules = Toy(prizes=(5, 0, 1), first="tallest", quick=True)
    assert list(rules.changes().items()) == [("quick", True), ("first", "tallest"), ("prizes", [5, 0, 1])]
    assert rules.told() == "rules quick=true, first=tallest, prizes=5,0,1"


@pytest.mark.parametrize(
    "rules",
    [Toy(), Toy(quick=True), Toy(lives=9), Toy(first=""), Toy(prizes=(0, 0, 0)), Toy(True, 1, "x", (1, 2, 3))],
    ids=str,
)
def test_changes_and_what_is_typed_lead_back_to_the_rules(rules: Toy) -> None:
    assert Toy.from_changes(rules.changes()) == rules
    assert Toy.from_changes(parse_settings(Toy, rules.typed())) == rules


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"quick": 1}, "quick must be true or false; got 1"),
        ({"quick": "true"}, "quick must be true or false; got 'true'"),
        ({"lives": True}, "lives must be a whole number; got True"),
        ({"lives": 2.0}, "lives must be a whole number; got 2.0"),
        ({"lives": None}, "lives must be a whole number; got None"),
        ({"lives": 0}, "lives must be from 1 to 9; got 0"),
        ({"lives": 10}, "lives must be from 1 to 9; got 10"),
        ({"first": 3}, "first must be a text; got 3"),
        ({"prizes": (3, 2)}, "prizes must be 3 whole numbers; got [3, 2]"),
        ({"prizes": 3}, "prizes must be 3 whole numbers; got 3"),
        ({"prizes": (3, 2, "1")}, "prizes must be 3 whole numbers; got [3, 2, '1']"),
        ({"prizes": (3, 2, True)}, "prizes must be 3 whole numbers; got [3, 2, True]"),
        ({"prizes": (3, 6, 1)}, "prizes must be from 0 to 5; got 6"),
        ({"dealer": 1}, "dealer must be a text; got 1"),
        ({"quick": True, "lives": 6}, "lives must be 5 or fewer if quick is true"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        Toy(**values)
    assert str(caught.value) == message
    with pytest.raises(RulesError):
        Toy.from_changes({key: list(value) if isinstance(value, tuple) else value for key, value in values.items()})


def test_unknown_keys_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown rule 'live'; did you mean 'lives'"):
        Toy.from_changes({"live": 3})
    with pytest.raises(NotImplementedError):
        Toy().score_range()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lives=99999999999999999999", "lives must be from 1 to 9; got 99999999999999999999"),
        ("lives=1.5", "lives must be a whole number; got '1.5'"),
        ("lives=", "lives must be a whole number; got ''"),
        ("lives", "--rule must be a key and a value, such as quick=VALUE; got 'lives'"),
        ("=3", "--rule must be a key and a value, such as quick=VALUE; got '=3'"),
        ("quick=yes", "quick must be true or false; got 'yes'"),
        ("prizes=3,,1", "prizes must be 3 whole numbers with commas; got ''"),
        ("prizes=3,1", "prizes must be 3 whole numbers; got [3, 1]"),
        ("lifes=3", "unknown rule 'lifes'; did you mean 'lives'?"),
    ],
)
def test_wrong_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(KokSimError) as caught:
        Toy.from_changes(parse_settings(Toy, [text]))
    assert str(caught.value) == message


def test_a_text_may_have_spaces_but_no_twin() -> None:
    assert Toy.from_changes(parse_settings(Toy, [" lives = 4", "prizes= 1, 2 ,3"])) == Toy(lives=4, prizes=(1, 2, 3))
    with pytest.raises(RulesError, match="--rule lives is given twice"):
        Toy.from_changes(parse_settings(Toy, ["lives=4", "lives=4"]))


@pytest.mark.parametrize("game", game_names())
def test_every_number_of_every_game_has_a_range_that_holds_its_official_value(game: str) -> None:
    kind = find_game(game).rules
    for found in kind.switches():
        value, ranged = found.official, not isinstance(found.official, bool | str)
        assert (found.low < found.high) == ranged
        for number in value if isinstance(value, tuple) else (value,) if ranged else ():
            assert found.low <= number <= found.high
        assert found.about.endswith(".")
        assert "\n" not in found.about
    low, high = kind().score_range()
    assert low <= 0 < high
