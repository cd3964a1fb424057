"""What the referee watches of a game, each on a game worked out by hand; then random games against their records.

Positions of the numbers::

    red, yellow  2  3  4  5  6  7  8  9 10 11 12  lock
    green, blue 12 11 10  9  8  7  6  5  4  3  2  lock
                 1  2  3  4  5  6  7  8  9 10 11    12
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from simulator.qwixx.game import GAME
from simulator.qwixx.referee import PASS, Game, Move, RollMoves, play
from simulator.qwixx.referee.recording import QwixxRecorder
from simulator.qwixx.rules import COLORS, MAX_ROLLS, OFFICIAL, Rules, position_of
from simulator.qwixx.watching import BY_PENALTIES, BY_ROWS, STOPPED, WATCH
from simulator.recording import Watched
from simulator.strategy import Scored, Weights
from simulator.watch import ENDING, FACTS, LEAD_CHANGES, LED_FROM
from tests.qwixx.setups import random_setup

NOBODY = Weights("nobody", "", {})
NAMES = [*(count.name for count in WATCH.counts), "locked", "first"]
RED, YELLOW, GREEN, BLUE = (1 << row for row in range(4))
RED_FIVE, BLUE_FIVE, RED_LOCKED = "red 2 3 4 5 6", "blue 12 11 10 9 8", "red 2 3 4 5 6 12"
SEVEN, TWELVE, TWO = "1 6 / 1 1 1 1", "6 6 / 1 1 1 1", "1 1 / 1 1 1 1"


class Dealt(Game):
    """A game with these dice: ``1 6 / 1 2 3 4``, white and color; the last ones come again and again."""

    rolls: Sequence[str]

    def roll_dice(self) -> None:
        super().roll_dice()
        white, color = self.rolls[min(self.roll, len(self.rolls)) - 1].split(" / ")
        self.white, self.color = [int(face) for face in white.split()], [int(face) for face in color.split()]


class Dealer(QwixxRecorder):
    """Deals these dice, to players who have these crosses (``red 2 3, blue 12``) and penalties."""

    def __init__(self, rolls: Sequence[str], crossed: Sequence[str], penalties: Sequence[int]) -> None:
        self.rolls, self.crossed, self.penalties = rolls, crossed, penalties

    def begin(self, sheets: Sequence[Any], rules: Rules, seats: int, seed: int, index: int, *, solo: bool) -> Game:
        game = Dealt(seats, rules, seed, index, solo=solo)
        game.rolls = self.rolls
        for player, text in zip(game.players, self.crossed, strict=False):
            for row in text.split(", ") if text else ():
                color, *numbers = row.split()
                for number in numbers:
                    player.cross(Move.parse(f"{color} {number}"))
        for player, penalties in zip(game.players, self.penalties, strict=False):
            player.penalties = penalties
        game.close_rows()
        return game


def written(roll: str) -> RollMoves:
    """Moves of a roll, ``-`` for an action that is not played.

    ``red 7, pass + blue 5 (1)`` are the white actions in seat order and then the color action; in
    ``blue 5 (1) & red 7, pass`` the color action comes first.
    """
    if " & " in roll:
        color, white = roll.split(" & ")
        return RollMoves(tuple(map(one, white.split(", "))), one(color), color_first=True)
    white, color = roll.split(" + ")
    return RollMoves(tuple(map(one, white.split(", "))), one(color))


def one(text: str) -> Move | None:
    return None if text == "-" else Move.parse(text)


def watch(
    *rolls: str,
    dice: Sequence[str],
    crossed: Sequence[str] = (),
    penalties: Sequence[int] = (),
    solo: bool = False,
    **changes: Any,
) -> Watched:
    """Watches a game of these moves, which must end with the last of them."""
    script = [written(roll) for roll in rolls]
    seats = len(script[0].white)
    dealer = Dealer(dice, crossed, penalties)
    game = [NOBODY] * seats, [], Rules(**changes), 1, 0
    record, watched = dealer.watch(*game, solo=solo, script=script)
    assert record == dealer.play(*game, solo=solo, script=script)  # watching changes nothing
    assert len(watched.facts) == len(FACTS)
    assert {len(counts) for counts in watched.counts} == {WATCH.width}
    return watched


def count(watched: Watched, name: str) -> list[int]:
    return [counts[NAMES.index(name)] for counts in watched.counts]


# The ending


def test_closed_rows_end_a_game():
    watched = watch("red 12, pass + pass", dice=[TWELVE], crossed=[RED_FIVE], rows_to_end=1, end_at_once=False)
    assert watched.facts[ENDING] == BY_ROWS


def test_a_penalty_ends_a_game():
    assert watch("pass, pass + pass", dice=[SEVEN], penalties=[3]).facts[ENDING] == BY_PENALTIES


def test_closed_rows_come_before_a_penalty_of_the_same_roll():
    # The passive player locks red, the turn is played to its end, and the active player takes the fourth penalty.
    watched = watch(
        "pass, red 12 + pass", dice=[TWELVE], crossed=["", RED_FIVE], penalties=[3], rows_to_end=1, end_at_once=False
    )
    assert (watched.facts[ENDING], count(watched, "penalties")) == (BY_ROWS, [4, 0])


def test_the_safety_limit():
    # No moves make a game so long; so let the last roll come, in which something is crossed.
    game = Dealt(1, OFFICIAL, 1, 0)
    game.rolls = [SEVEN]
    game.roll = MAX_ROLLS - 1
    game.roll_dice()
    QwixxRecorder().play_roll(game, lambda choice: Move.parse("red 7") if choice.white else PASS)
    assert (game.is_over, game.ending) == (True, STOPPED)
    game.players[0].penalties = 4
    assert game.ending == BY_PENALTIES


# Who leads. Crosses of a row give 1, 3, 6, … points, a penalty costs 5.


def test_a_lead_changes_when_another_one_than_the_last_leader_leads():
    # Roll 1, of seat 0: 1 to 0, so 0 leads. Roll 2, of seat 1: 1 to 1, a tie. Roll 3, of seat 0, who crosses nothing:
    # -4 to 1, so 1 leads, the first change. Roll 4, of seat 1, who crosses nothing: -4 to -4. Roll 5, of seat 0: a
    # second red cross, 3 - 5 = -2 to -4, so 0 leads, the second change. Roll 6: the second penalty of seat 1, the end.
    watched = watch(
        "red 2, pass + pass",
        "pass, red 2 + pass",
        "pass, pass + pass",
        "pass, pass + pass",
        "red 7, pass + pass",
        "pass, pass + pass",
        dice=[TWO, TWO, SEVEN],
        penalties_to_end=2,
    )
    assert watched.facts == [BY_PENALTIES, 2, 4]  # the winner, seat 0, was behind after roll 3 for the last time
    assert count(watched, "penalties") == [1, 2]


def test_to_lead_again_after_a_tie_is_no_change():
    # 1 to 0, 1 to 1, and 3 to 1 by a second red cross; then a penalty of seat 1.
    watched = watch(
        "red 2, pass + pass",
        "pass, red 2 + pass",
        "red 7, pass + pass",
        "pass, pass + pass",
        dice=[TWO, TWO, SEVEN],
        penalties_to_end=1,
    )
    assert watched.facts == [BY_PENALTIES, 0, 1]


def test_penalties_count_in_the_roll_in_which_they_are_taken():
    # Both have a red 2, and seat 0 a yellow 2: 2 to 1, and with its penalty -3 to 1, so that only seat 1 ever leads.
    watched = watch("pass, pass + pass", dice=[SEVEN], crossed=["red 2, yellow 2", "red 2"], penalties_to_end=1)
    assert watched.facts == [BY_PENALTIES, 0, 1]


def test_of_several_winners_the_one_who_led_longer_counts():
    # 1 to 0 to -15 after roll 1, then 1 to 1, and the third player's last penalty. The first was never behind.
    watched = watch(
        "red 2, pass, pass + pass",
        "pass, red 2, pass + pass",
        "pass, pass, pass + pass",
        dice=[TWO],
        penalties=[0, 0, 3],
    )
    assert watched.facts == [BY_PENALTIES, 0, 1]


def test_a_winner_who_was_behind():
    # After roll 1 five red crosses and a yellow one, 15 + 1, to seven yellow ones, 28; then with the lock 28 + 1 to 28.
    # Roll 2 is of seat 1, who is spared a penalty, as the game ends at once.
    watched = watch(
        "yellow 2, pass + pass",
        "red 12, pass + -",
        dice=[TWO, TWELVE],
        crossed=["red 2 3 4 5 6", "yellow 3 4 5 6 7 8 9"],
        rows_to_end=1,
    )
    assert watched.facts == [BY_ROWS, 1, 2]


def test_alone_nobody_takes_the_lead():
    for solo in (False, True):
        watched = watch("red 2 + pass", "pass + pass", dice=[TWO], penalties_to_end=1, solo=solo)
        assert watched.facts == [BY_PENALTIES, 0, 1]
        assert watched.counts == [[1, 1, 1, 0, 0, 0, 0]]


# Rolls without a cross


def test_a_roll_without_a_cross_is_idle_for_active_and_passive_players():
    # Roll 1: the seats 0 and 2 cross the white sum. Roll 2, of seat 1, who takes a color die; seat 2 crosses the sum.
    # Roll 3, of seat 2: nobody crosses anything, which is a penalty for seat 2.
    watched = watch(
        "red 7, pass, blue 7 + pass",
        "pass, pass, red 7 + red 2 (1)",
        "pass, pass, pass + pass",
        dice=[SEVEN],
        penalties_to_end=1,
    )
    assert count(watched, "idle") == [2, 2, 1]
    assert count(watched, "penalties") == [0, 0, 1]
    assert count(watched, "crosses") == [1, 1, 2]


def test_two_crosses_are_one_roll():
    watched = watch("red 2 + yellow 2 (1)", "pass + pass", dice=[TWO], penalties_to_end=1)
    assert (count(watched, "idle"), count(watched, "crosses")) == ([1], [2])


def test_who_does_not_get_to_choose_is_idle_too():
    # Seat 0 locks red with a color die before the white action, and with that the game is over.
    watched = watch(
        "red 12 (1) & -, -",
        dice=["6 6 / 6 1 1 1"],
        crossed=[RED_FIVE, RED_FIVE],
        rows_to_end=1,
        white_first=False,
    )
    assert count(watched, "idle") == [0, 1]


def test_a_game_that_ends_at_once_spares_the_penalty_but_the_roll_is_idle():
    watched = watch("pass, red 12 + -", dice=[TWELVE], crossed=["", RED_FIVE], rows_to_end=1)
    assert (count(watched, "idle"), count(watched, "penalties")) == ([1, 0], [0, 0])


# Crosses and what is skipped


def test_numbers_to_the_left_of_the_last_cross_are_skipped():
    # red 4 and 7 are the positions 3 and 6: 2, 3, 5, 6 are skipped. blue 11 is position 2: 12 is skipped.
    watched = watch("pass + pass", dice=[SEVEN], crossed=["red 4 7, blue 11"], penalties_to_end=1)
    assert (count(watched, "skipped"), count(watched, "crosses")) == ([5], [3])


def test_the_lock_is_a_cross_but_no_number():
    # red 2 to 6 and 12, position 11: 7 to 11 are skipped. The lock is the seventh cross.
    watched = watch("red 12 + -", dice=[TWELVE], crossed=[RED_FIVE], rows_to_end=1)
    assert (count(watched, "skipped"), count(watched, "crosses")) == ([5], [7])


def test_nothing_is_skipped_in_an_empty_row_or_a_full_one():
    full = "green 12 11 10 9 8 7 6 5 4 3"
    watched = watch("green 2 + -", dice=[TWO], crossed=[full], rows_to_end=1)
    assert (count(watched, "skipped"), count(watched, "crosses")) == ([0], [12])


def test_the_last_number_alone_skips_ten():
    watched = watch("blue 2 + -", dice=[TWO], crosses_to_lock=0, rows_to_end=1)
    assert (count(watched, "skipped"), count(watched, "crosses")) == ([10], [2])


# Rows that are closed: by oneself, by another one, by both


def test_rows_that_others_close():
    # Seat 0 locks red. Seat 1 has a red cross, seat 2 has none; blue is not closed.
    crossed = [RED_FIVE, "red 2, blue 9", "blue 9"]
    watched = watch("red 12, pass, pass + -", dice=[TWELVE], crossed=crossed, rows_to_end=1)
    assert count(watched, "rows_lost") == [0, 1, 0]
    assert count(watched, "locked") == [RED, 0, 0]
    assert count(watched, "first") == [RED, 0, 0]


def test_all_who_lock_in_the_same_action_have_the_lock():
    watched = watch(
        "red 12, red 12, yellow 12 + -", dice=[TWELVE], crossed=[RED_FIVE, RED_FIVE, "red 2, yellow 2 3 4 5 6"]
    )
    # Red and yellow are closed, which ends the game. Seat 2 is late in red; only seat 2 has crosses in yellow.
    assert watched.facts[ENDING] == BY_ROWS
    assert count(watched, "locked") == count(watched, "first") == [RED, RED, YELLOW]
    assert count(watched, "rows_lost") == [0, 0, 1]


def test_a_cross_of_the_roll_in_which_another_one_closes_the_row_is_late_too():
    # Seat 1 crosses red 11, the white sum; then seat 0 locks red with the color die, 6 + 6.
    watched = watch("pass, red 11 + red 12 (2)", dice=["5 6 / 6 1 1 1"], crossed=[RED_FIVE], rows_to_end=1)
    assert count(watched, "rows_lost") == [0, 1]


def test_a_row_that_is_closed_and_another_that_stays_open():
    # Red was closed before, by seat 1. Seat 0 has crosses in it, and in green, which stays open to the end.
    watched = watch("pass, pass + pass", dice=[SEVEN], crossed=["red 2 3, green 9", RED_LOCKED], penalties_to_end=1)
    assert count(watched, "rows_lost") == [1, 0]
    assert count(watched, "locked") == [0, RED]


def test_the_bit_of_every_row():
    for row, bit in enumerate((RED, YELLOW, GREEN, BLUE)):
        five = " ".join(str(number) for number in ((2, 3, 4, 5, 6) if row < 2 else (12, 11, 10, 9, 8)))
        last = 12 if row < 2 else 2
        watched = watch(
            f"{COLORS[row]} {last} + -",
            dice=[TWELVE if row < 2 else TWO],
            crossed=[f"{COLORS[row]} {five}"],
            rows_to_end=1,
        )
        assert count(watched, "locked") == count(watched, "first") == [bit]


# Asked and replayed


def test_a_game_in_which_strategies_are_asked_is_watched():
    # The first crosses red in order, the second nothing, in a game that ends with its first penalty, in roll 2.
    red = Scored("red", "", lambda view, move: float(move.row == 0))
    dealer = Dealer([TWO, SEVEN], [], [])
    record, watched = dealer.watch([red, NOBODY], [], Rules(penalties_to_end=1), 1, 0)
    # Roll 1, dice 1 1 and red 1: red 2, and no second one at the same place. Roll 2: red 7, skipping 3 to 6.
    assert watched == Watched([BY_PENALTIES, 0, 1], [[0, 0, 2, 4, 0, 0, 0], [2, 1, 0, 0, 0, 0, 0]])
    *_, (_, game) = dealer.follow(record)
    assert dealer.watched(game) == watched


# Random games: everything again from the record alone


def points_by_roll(record: dict[str, Any], rules: Rules) -> list[list[int]]:
    """What every player has after each roll."""
    seats = range(len(record["players"]))
    crosses = [dict.fromkeys(COLORS, 0) for _ in seats]
    penalties = [0 for _ in seats]
    found = []
    for roll in record["rolls"]:
        for move in roll["moves"]:
            penalties[move["player"]] += move.get("penalty", False)
            if not move["pass"]:
                crosses[move["player"]][move["row"]] += 1 + move["locks"]
        found.append([sum(map(rules.points, crosses[s].values())) - penalties[s] * rules.penalty_points for s in seats])
    assert found[-1] == [final["total"] for final in record["final"]]
    return found


def facts_of(points: list[list[int]], winners: list[int]) -> list[int]:
    """Lead changes, and from which roll on a winner led."""
    leaders = [row.index(max(row)) for row in points if row.count(max(row)) == 1]
    changes = sum(a != b for a, b in pairwise(leaders))
    behind = [max((i for i, row in enumerate(points, 1) if row[seat] < max(row)), default=0) for seat in winners]
    return [changes, min(behind) + 1]


def counts_of(record: dict[str, Any], seat: int) -> list[int]:
    """Everything that is counted of a player."""
    moves = [move for roll in record["rolls"] for move in roll["moves"]]
    closed = {move["row"] for move in moves if move.get("locks")}
    mine = [move for move in moves if move["player"] == seat]
    crosses = [move for move in mine if not move["pass"]]
    locks = {move["row"] for move in crosses if move["locks"]}
    busy = sum(any(m["player"] == seat and not m["pass"] for m in roll["moves"]) for roll in record["rolls"])
    skipped = 0
    for row, color in enumerate(COLORS):
        positions = [position_of(row, move["number"]) for move in crosses if move["row"] == color]
        skipped += len(set(range(1, max(positions, default=0))) - set(positions))
    locked = sum(1 << COLORS.index(color) for color in locks)
    return [
        len(record["rolls"]) - busy,
        sum(move.get("penalty", False) for move in mine),
        len(crosses) + len(locks),
        skipped,
        len({move["row"] for move in crosses} & closed - locks),
        locked,
        locked,
    ]


@pytest.mark.parametrize("start", range(0, 100, 20))
def test_random_games_agree_with_their_records(start):
    for number in range(start, start + 20):
        setup = random_setup(number)
        game = setup.strategies, [], setup.rules, setup.seed, setup.block
        record, watched = GAME.referee.watch(*game, solo=setup.solo)
        if number % 10 == 0:
            assert record == play(*game, solo=setup.solo)
        assert watched.counts == [counts_of(record, seat) for seat in range(len(setup.strategies))]
        points = points_by_roll(record, setup.rules)
        assert watched.facts[LEAD_CHANGES : LED_FROM + 1] == facts_of(points, record["winners"])
        closed = {move["row"] for roll in record["rolls"] for move in roll["moves"] if move.get("locks")}
        most = max(count(watched, "penalties"))
        assert (watched.facts[ENDING] == BY_ROWS) == (len(closed) >= setup.rules.rows_to_end)
        assert (watched.facts[ENDING] == STOPPED) == ("stopped" in record)
        assert watched.facts[ENDING] != BY_PENALTIES or most == setup.rules.penalties_to_end
