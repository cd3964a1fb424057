"""What the referee watches of a game, each on a game worked out by hand; then random games against their records.

The games are on the black sheet (capitals are stars), of which column O is needed, and H and the cells beside it::

      GH I      O
    1 yG b      y
    2 oo p      g
    3 Gp p      g
    4 bb g      b
    5 bb o      p
    6 yy Y      O
    7 yy y      o
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from simulator.keer_op_keer.game import GAME
from simulator.keer_op_keer.referee import PASS, Choice, Game, Move, play
from simulator.keer_op_keer.referee.recording import KeerOpKeerRecorder
from simulator.keer_op_keer.rules import COLORS, COLUMNS, MAX_ROLLS, Rules
from simulator.keer_op_keer.sheet import ALL_CELLS, Cell, Sheet, load_sheet
from simulator.keer_op_keer.watching import BY_COLORS, BY_ROLLS, STOPPED, WATCH
from simulator.recording import Watched
from simulator.strategy import Scored, Strategy, Weights
from simulator.watch import ENDING, FACTS, LEAD_CHANGES, LED_FROM
from tests.keer_op_keer.setups import random_setup

BLACK = load_sheet("black")
FACES = {name: face for face, name in enumerate((*COLORS, "joker"))}
NAMES = [*(count.name for count in WATCH.counts), "filled", "first"]
GREEN = "green green green / 1 1 1"
MIXED = "green joker joker / 1 1 joker"
ALL_BUT_O7, O7 = "O1 O2 O3 O4 O5 O6", "orange 1: O7"
O_FILLED = 1 << COLUMNS.index("O")
H_FILLED, GREEN_FILLED = 1 << COLUMNS.index("H"), 1 << len(COLUMNS)


def of_color(color: str, *, but: str) -> str:
    """All cells of a color but one."""
    return " ".join(str(c) for c in ALL_CELLS if BLACK.colors[c] == COLORS.index(color) and str(c) != but)


class Dealt(Game):
    """A game with these dice: "green pink / 1 2"; the last ones come again and again."""

    rolls: Sequence[str]

    def roll_dice(self) -> None:
        super().roll_dice()
        colors, numbers = self.rolls[min(self.roll, len(self.rolls)) - 1].split(" / ")
        self.color_faces = tuple(FACES[color] for color in colors.split())
        self.number_faces = tuple(5 if number == "joker" else int(number) - 1 for number in numbers.split())


class Dealer(KeerOpKeerRecorder):
    """Deals these dice, to players who have crossed these cells."""

    def __init__(self, rolls: Sequence[str], crossed: Sequence[str]) -> None:
        self.rolls, self.crossed = rolls, crossed

    def begin(self, sheets: Sequence[Sheet], rules: Rules, seats: int, seed: int, index: int, *, solo: bool) -> Game:
        game = Dealt(sheets, rules, seed, index, solo=solo)
        game.rolls = self.rolls
        for player, cells in zip(game.players, self.crossed, strict=False):
            player.cross([Cell.parse(cell) for cell in cells.split()])
        return game


def planned(plan: str) -> Scored:
    """Makes the first of the moves of a roll (``first or second, next roll, …``) that is legal; if none is, passes."""
    rolls = [[Move.parse(text) for text in roll.split(" or ")] for roll in plan.split(", ")]

    def score(view: Any, move: Any) -> float:
        cells = tuple(Cell(int(c), int(r)) for c, r in zip(move.column, move.row, strict=True) if c >= 0)
        this = Move(move.color, move.number, cells, bool(move.color_joker), bool(move.number_joker))
        wishes = [*rolls[view.roll - 1], PASS]
        return -float(wishes.index(this)) if this in wishes else -float(len(wishes))

    return Scored(plan, "", score)


def watch(
    *plans: str | Strategy,
    dice: Sequence[str] = (MIXED,),
    crossed: Sequence[str] = (),
    solo: bool = False,
    to_the_letter: bool = True,
    **changes: Any,
) -> Watched:
    """Watches a game of so many rolls as the first plan has; plans are followed to the letter."""
    strategies = [planned(plan) if isinstance(plan, str) else plan for plan in plans]
    limit = {"solo_rolls" if solo else "roll_limit": strategies[0].name.count(", ") + 1}
    dealer = Dealer(dice, crossed)
    game = strategies, [BLACK] * len(plans), Rules(**limit | changes), 1, 0
    record, watched = dealer.watch(*game, solo=solo)
    assert record == dealer.play(*game, solo=solo)  # watching changes nothing
    assert len(watched.facts) == len(FACTS)
    assert {len(counts) for counts in watched.counts} == {WATCH.width}
    if to_the_letter:
        made = [
            " ".join(roll["moves"][s].get("cells", ["pass"])) for roll in record["rolls"] for s in range(len(plans))
        ]
        meant = [plan.split(", ")[i].split(": ")[-1] for i in range(len(record["rolls"])) for plan in plans]
        assert made == meant
    return watched


def count(watched: Watched, name: str) -> list[int]:
    return [counts[NAMES.index(name)] for counts in watched.counts]


# The ending


def test_a_limit_of_rolls():
    assert watch("pass, pass", "pass, pass").facts[ENDING] == BY_ROLLS
    assert watch("pass, pass", solo=True).facts[ENDING] == BY_ROLLS


def test_full_colors_come_before_the_limit_that_is_reached_in_the_same_roll():
    almost = of_color("green", but="H1")
    for solo in (False, True):
        rules = {"colors_to_end": 1, "solo_ends_on_colors": True}
        assert watch("pass, green 1: H1", crossed=[almost], dice=[GREEN], solo=solo, **rules).facts[ENDING] == BY_COLORS


def test_full_colors_do_not_end_the_official_solo_game():
    full = of_color("green", but="") + " " + of_color("orange", but="")
    assert watch("pass, pass", crossed=[full], solo=True).facts[ENDING] == BY_ROLLS
    assert watch("pass, pass", crossed=[full]).facts[ENDING] == BY_COLORS


@pytest.mark.parametrize(("limit", "ending"), [(0, STOPPED), (MAX_ROLLS, BY_ROLLS)])
def test_the_safety_limit_is_another_ending_than_a_rule_that_says_the_same(limit, ending):
    nobody = [Weights("nobody", "", {})] * 2
    dealer = Dealer([GREEN], [])
    record, watched = dealer.watch(
        nobody, [BLACK] * 2, Rules(roll_limit=limit), 1, 0, script=[[PASS, PASS]] * MAX_ROLLS
    )
    assert watched == Watched([ending, 0, 1], [[0, MAX_ROLLS, 0, 0, 0, 0, 0]] * 2)
    assert record.get("stopped", False) == (ending == STOPPED)


# Who leads. A game starts at 8 marks - 2 * 15 stars = -22; H1 and G3 have stars, a joker costs 1 point.

FIRST, SECOND = "green 1: H1, pass, pink* 1: H3, pass", "pass, green 1: H1, pass, pink* 1: H3"
# after roll   1    2    3    4
# first      -20  -20  -21  -21
# second     -22  -20  -20  -21
# leads    first    -  sec.   -


def test_a_lead_changes_when_another_one_than_the_last_leader_leads():
    # The first to lead is no change, a tie neither. The tie at the end is not broken by marks: both have 7. Both win;
    # the first was behind after roll 3, the second after roll 1 and never again: from roll 2 on.
    watched = watch(FIRST, SECOND, open_rolls=9)
    assert (watched.facts[LEAD_CHANGES], watched.facts[LED_FROM]) == (1, 2)


def test_ties_in_between_do_not_matter():
    # In roll 5 the first crosses the star G3: -19 to -21. The lead was the second's and is the first's: a change,
    # though there was a tie between. The first alone wins, and was behind after roll 3.
    watched = watch(FIRST + ", green 1: G3", SECOND + ", pass", dice=[MIXED] * 4 + [GREEN], open_rolls=9)
    assert (watched.facts[LEAD_CHANGES], watched.facts[LED_FROM]) == (2, 4)
    # If it is the second that does so, it leads again as before: no further change. It was behind after roll 1 only.
    watched = watch(FIRST + ", pass", SECOND + ", green 1: G3", dice=[MIXED] * 4 + [GREEN], open_rolls=9)
    assert (watched.facts[LEAD_CHANGES], watched.facts[LED_FROM]) == (1, 2)


def test_a_winner_that_was_never_behind_led_from_the_first_roll():
    assert watch("green 1: H1, pass", "pass, pass").facts == [BY_ROLLS, 0, 1]
    assert watch("pass, pass", "pass, pass").facts == [BY_ROLLS, 0, 1]  # all are equal all the time


def test_a_tie_at_the_end_is_won_by_both_and_the_one_who_was_never_behind_counts():
    # After roll 1 the second has the star H1, -20 to -22; then the first has that of O6: -20 to -20, 8 marks each.
    plans = "pass, orange 2: O6 O7", "green 1: H1, pass"
    assert watch(*plans, crossed=["O5"], dice=[GREEN, "orange / 2"]).facts == [BY_ROLLS, 0, 1]


def test_points_announced_in_a_roll_count_after_it():
    # Both begin with the star O6, -20, and the second with H1, -18. Column O gives the first 5 points: -15 to -18.
    watched = watch(O7 + ", pass", "pass, pass", crossed=[ALL_BUT_O7, ALL_BUT_O7 + " H1"], dice=["orange / 1"])
    assert watched.facts == [BY_ROLLS, 0, 1]
    # So also in roll 2; but after roll 1 the second led.
    watched = watch("pass, " + O7, "pass, pass", crossed=[ALL_BUT_O7, ALL_BUT_O7 + " H1"], dice=["orange / 1"])
    assert watched.facts == [BY_ROLLS, 1, 2]


def test_penalties_for_passes_count_and_a_tie_break_decides_who_has_led():
    # Stars count for nothing, a pass costs 1: 8 to 7 after roll 1, 7 to 7 after roll 2. Marks are equal: both win.
    rules = {"pass_penalty": 1, "star_penalty": 0, "open_rolls": 9}
    plans = "green 1: H1, pass", "pass, green 1: H1"
    assert watch(*plans, dice=[GREEN], **rules).facts == [BY_ROLLS, 0, 1]
    # By the columns' tie-break the second alone wins: it has O, worth nothing. It was behind after roll 1.
    rules |= {"tie_break": "columns", "column_first": (0,) * 15}
    crossed = ["", "O1 O2 O3 O4 O5 O6 O7"]
    assert watch(*plans, dice=[GREEN], crossed=crossed, **rules).facts == [BY_ROLLS, 0, 2]


def test_alone_nobody_takes_the_lead():
    assert watch("green 1: H1, pass, pass", solo=True).facts == [BY_ROLLS, 0, 1]
    assert watch("green 1: H1, pass, pass").facts == [BY_ROLLS, 0, 1]


# Jokers, passes, cells


def test_jokers_passes_and_cells_are_counted():
    watched = watch("green* 1: H1, pink* 2*: H3 I3, pass", "pass, pass, pass")
    assert count(watched, "joker_dice") == [3, 0]
    assert count(watched, "passes") == [1, 3]
    assert count(watched, "cells") == [3, 0]
    assert watch("green* 1: H1, pass", solo=True).counts == [[1, 1, 1, 0, 0, 0, 0]]


# What is filled, first and late. Three players lack only O7 of column O. In roll 1, of seat 0, the seats 1 and 2 cross
# it; in roll 2 seat 0 does.

THREE = ("pass, " + O7, O7 + ", pass", O7 + ", pass")


def fill_o(*plans: str, **changes: Any) -> Watched:
    return watch(*plans, crossed=[ALL_BUT_O7] * 3, dice=["orange orange orange / 1 1 1"], **changes)


def test_all_who_fill_a_column_in_the_first_roll_are_first():
    watched = fill_o(*THREE)
    assert count(watched, "filled") == [O_FILLED] * 3
    assert count(watched, "first") == [0, O_FILLED, O_FILLED]
    assert count(watched, "firsts_lost") == [1, 0, 0]


def test_or_only_the_nearest_to_the_active_player():
    watched = fill_o(*THREE, shared_firsts=False)
    assert count(watched, "first") == [0, O_FILLED, 0]
    assert count(watched, "firsts_lost") == [1, 0, 1]


def test_nearest_in_turn_order_not_by_seat():
    # In roll 2 seat 1 is active: then comes seat 2, and seat 0 at last.
    watched = fill_o("pass, " + O7, "pass, pass", "pass, " + O7, shared_firsts=False)
    assert count(watched, "filled") == [O_FILLED, 0, O_FILLED]
    assert count(watched, "first") == [0, 0, O_FILLED]
    assert count(watched, "firsts_lost") == [1, 0, 0]


@pytest.mark.parametrize(("shared", "first"), [(True, [0, O_FILLED, O_FILLED]), (False, [0, O_FILLED, 0])])
def test_if_everyone_gets_the_first_value_nobody_is_late_but_who_was_first_is_still_told(shared, first):
    watched = fill_o(*THREE, first_for_all=True, shared_firsts=shared)
    assert count(watched, "first") == first
    assert count(watched, "firsts_lost") == [0, 0, 0]


def test_columns_and_colors_are_each_lost():
    # H1 fills both column H and green; the first does it in roll 1, the second in roll 2.
    almost = of_color("green", but="H1") + " H2 H3 H4 H5 H6 H7"
    watched = watch("green 1: H1, pass", "pass, green 1: H1", crossed=[almost, almost], dice=[GREEN])
    assert count(watched, "firsts_lost") == [0, 2]
    assert count(watched, "filled") == [H_FILLED | GREEN_FILLED] * 2
    assert count(watched, "first") == [H_FILLED | GREEN_FILLED, 0]


def test_alone_everything_is_filled_first():
    for shared in (True, False):
        watched = watch("pass, " + O7, crossed=[ALL_BUT_O7], dice=["orange / 1"], solo=True, shared_firsts=shared)
        assert watched.counts == [[0, 1, 7, 0, 0, O_FILLED, O_FILLED]]


# Dice that are missed. Roll 1 is of seat 0, and seat 1 comes next.

H1_OR_H3 = "green 1: H1 or pink 1: H3"
GREEN_AND_PINK = "green pink blue / 1 1 1"


def hurt(*plans: str | Strategy, dice: str = GREEN_AND_PINK, **changes: Any) -> list[int]:
    return count(watch(*plans, dice=[dice], to_the_letter=False, **{"open_rolls": 0} | changes), "dice_denied")


def test_a_die_that_was_wanted_hurts_the_next_player_and_only_that_one():
    assert hurt("green 1: H1", H1_OR_H3, H1_OR_H3) == [0, 1, 0]
    assert hurt("green 1: H1", "pink 1: H3", H1_OR_H3) == [0, 0, 0]


def test_it_hurts_too_if_nothing_else_can_be_done():
    assert hurt("green 1: H1", "green 1: H1") == [0, 1]


def test_a_die_that_was_not_wanted_does_not_hurt():
    assert hurt("green 1: H1", "pink 1: H3 or green 1: H1") == [0, 0]
    assert hurt("green 1: H1", "pass") == [0, 0]


def test_a_die_of_which_there_is_another_one_does_not_hurt():
    assert hurt("green 1: H1", H1_OR_H3, dice="green green pink / 1 1 1") == [0, 0]


def test_the_number_die_can_be_the_one_that_is_missed():
    assert hurt("pink 1: H3", "green 1: H1", dice="green pink blue / 1 2 3") == [0, 1]
    assert hurt("pink 1: H3", "green 1: H1", dice="green pink blue / 1 1 3") == [0, 0]


def test_to_pay_with_another_die_for_the_same_cells_is_another_move():
    plans = "green 1: H1", "green 1: H1 or green* 1: H1"
    assert hurt(*plans, dice="green joker blue / 1 1 1") == [0, 1]


def test_nothing_is_missed_if_nothing_was_taken():
    assert hurt("pass", H1_OR_H3) == [0, 0]
    assert hurt("green 1: H1", H1_OR_H3, open_rolls=1) == [0, 0]
    assert hurt("green 1: H1", solo=True) == [0]
    assert hurt("green 1: H1") == [0]


def test_every_roll_counts_for_who_comes_next_in_it():
    # There is one die of each kind, so that nothing is left if it is taken. Roll 1 is open: nobody misses anything.
    # Roll 2, of seat 1, which takes the dice: seat 2 wanted them. Roll 3, of seat 2, which passes. Roll 4, of seat 0:
    # seat 1 wanted them, and so did seat 2, which comes later. Roll 5, of seat 1: seat 2 wants nothing. Roll 6, of seat
    # 2: seat 0 wanted them. Roll 7, of seat 0: seat 1 wanted them again.
    h1, h3, h6, h7 = "green* 1: H1", "pink* 1: H3", "yellow* 1: H6", "yellow* 1: H7"
    first = f"{h1}, pass, {h7}, {h6}, pass, {h3}, {h3}"
    second = f"{h1}, {h6}, pass, {h7}, {h3}, pass, {h7}"
    third = f"{h1}, {h6}, pass, {h6}, pass, {h6}, pass"
    assert hurt(first, second, third, dice="joker / 1", open_rolls=1) == [1, 2, 1]


@pytest.mark.parametrize("see", [True, False])
def test_both_questions_are_asked_in_the_same_position(see):
    seen = []

    def watchful(view: Any, move: Any) -> float:
        if move.passing:
            seen.append((view.active, int(view.other_stars_left[0]), int(view.color_dice.sum()), int(view.marks)))
        return float(move.cells) * (1 + 0.5 * move.color_joker)

    looks = Scored("looks", "", watchful)
    found = hurt("green 1: H1", looks, dice="green joker joker / 1 1 1", passive_see_active=see)
    stars = 14 if see else 15
    # really, with two dice left, and as if there were three; then once more in the game that is not watched
    assert seen == [(0, stars, 2, 8), (0, stars, 3, 8), (0, stars, 2, 8)]
    assert found == [0, 0]


def test_a_game_by_a_script_is_watched_but_for_what_was_wanted():
    plans = ["green 1: H1, pass", "green 1: H1 or pink 1: H3, pass"]
    strategies, rules = [planned(plan) for plan in plans], Rules(roll_limit=2, open_rolls=0)
    dealer = Dealer([GREEN_AND_PINK], [])
    record, watched = dealer.watch(strategies, [BLACK] * 2, rules, 1, 0)
    moves = [[Move.parse("green 1: H1"), Move.parse("pink 1: H3")], [PASS, PASS]]
    again, told = dealer.watch(strategies, [BLACK] * 2, rules, 1, 0, script=moves)
    assert again == record
    assert count(watched, "dice_denied") == [0, 1]
    assert told == Watched(watched.facts, [[*c[:4], 0, *c[5:]] for c in watched.counts])
    *_, (_, game) = dealer.follow(record)
    assert dealer.watched(game) == told


def test_a_choice_is_noted_only_if_the_game_is_watched():
    game = Dealer([GREEN_AND_PINK], []).begin([BLACK] * 2, Rules(open_rolls=0), 2, 1, 0, solo=False)
    asked = []

    def decide(choice: Choice) -> Move:
        asked.append(choice.seat)
        return Move.parse("green 1: H1" if choice.is_active else "pass")

    game.roll_dice()
    GAME.referee.play_roll(game, decide)
    assert (asked, game.players[1].hurt) == ([0, 1], 0)


# Random games: everything again from the record alone


def points_by_roll(record: dict[str, Any], sheets: Sequence[Sheet], rules: Rules) -> list[list[int]]:
    """What every player has after each roll."""
    points = [rules.jokers * rules.mark_points - len(sheet.stars) * rules.star_penalty for sheet in sheets]
    found = []
    for roll in record["rolls"]:
        for seat, move in enumerate(roll["moves"]):
            if move["pass"]:
                points[seat] -= rules.pass_penalty
                continue
            stars = sum(Cell.parse(cell) in sheets[seat].stars for cell in move["cells"])
            points[seat] += sum(move["columns"].values()) + sum(move["colors"].values())
            points[seat] += stars * rules.star_penalty - jokers_of(move) * rules.mark_points
        found.append(list(points))
    assert points == [final["total"] for final in record["final"]]
    return found


def jokers_of(move: dict[str, Any]) -> int:
    return [move.get("color_die"), move.get("number_die")].count("joker")


def facts_of(points: list[list[int]], winners: list[int]) -> list[int]:
    """Lead changes, and from which roll on a winner led."""
    leaders = [row.index(max(row)) for row in points if row.count(max(row)) == 1]
    changes = sum(a != b for a, b in pairwise(leaders))
    behind = [max((i for i, row in enumerate(points, 1) if row[seat] < max(row)), default=0) for seat in winners]
    return [changes, min(behind) + 1]


def feats_of(record: dict[str, Any], rules: Rules) -> tuple[list[int], list[int]]:
    """What each filled, and was the first to fill."""
    seats = len(record["players"])
    filled, first = [0] * seats, [0] * seats
    for roll in record["rolls"]:
        before = now = sum({1 << bit for mask in filled for bit in range(20) if mask >> bit & 1})
        for seat in [*range(roll["active"], seats), *range(roll["active"])]:
            move = roll["moves"][seat]
            names = [*move.get("columns", ()), *move.get("colors", ())]
            mine = sum(1 << [*COLUMNS, *COLORS].index(name) for name in names)
            filled[seat] |= mine
            first[seat] |= mine & ~(before if rules.shared_firsts else now)
            now |= mine
    return filled, first


@pytest.mark.parametrize("start", range(0, 100, 10))
def test_random_games_agree_with_their_records(start):
    for number in range(start, start + 10):
        setup = random_setup(number)
        game = setup.strategies, setup.sheets, setup.rules, setup.seed, setup.block
        record, watched = GAME.referee.watch(*game, solo=setup.solo)
        if number % 10 == 0:
            assert record == play(*game, solo=setup.solo)
        rules, rolls = setup.rules, record["rolls"]
        moves = [[roll["moves"][seat] for roll in rolls] for seat in range(len(setup.sheets))]
        assert count(watched, "joker_dice") == [sum(map(jokers_of, mine)) for mine in moves]
        assert count(watched, "passes") == [sum(move["pass"] for move in mine) for mine in moves]
        assert count(watched, "cells") == [sum(move.get("number", 0) for move in mine) for mine in moves]
        filled, first = feats_of(record, rules)
        assert (count(watched, "filled"), count(watched, "first")) == (filled, first)
        nobody_late = setup.solo or rules.first_for_all
        late = [0 if nobody_late else (f & ~g).bit_count() for f, g in zip(filled, first, strict=True)]
        assert count(watched, "firsts_lost") == late
        assert watched.facts[1:] == facts_of(points_by_roll(record, setup.sheets, rules), record["winners"])
        ending = watched.facts[ENDING]
        assert (ending == STOPPED) == ("stopped" in record)
        assert (ending == BY_ROLLS) <= (len(rolls) == rules.last_roll(solo=setup.solo))
        full = max(sum(mask >> 15 & 1 << color > 0 for color in range(5)) for mask in filled)
        assert (ending == BY_COLORS) == (full >= rules.colors_to_end and rules.ends_on_colors(solo=setup.solo))
        for seat, times in enumerate(count(watched, "dice_denied")):
            taken = [r for r in rolls if r["roll"] > rules.open_rolls and not r["moves"][r["active"]]["pass"]]
            assert 0 <= times <= sum((r["active"] + 1) % len(moves) == seat for r in taken) * (len(moves) > 1)
