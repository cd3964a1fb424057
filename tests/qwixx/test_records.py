"""Records of Qwixx: their form, conservation in random games, scripts, and tampering, which must be refused."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import dice
from simulator.errors import RecordError
from simulator.qwixx import telling
from simulator.qwixx.features import SIGHT
from simulator.qwixx.game import GAME
from simulator.qwixx.referee import PASS, Game, Move, RollMoves, follow, play, script, verify
from simulator.qwixx.rules import COLORS, LOCK, NUMBERS, OFFICIAL, Rules, position_of
from simulator.strategy import Weights
from tests.tampering import Tampering, any_change, change, swap_rolls, verify_refuses

RANDOM = Weights("random", "any move", {"luck": 1})
CAREFUL = Weights("careful", "skips little", {"points": 1, "gap": 1, "lock": 5, "penalty": 2})
EAGER = Weights("eager", "crosses all it can", {"crossing": 1, "gap": 0.2, "luck": 0.5})
STRATEGIES = (CAREFUL, EAGER, RANDOM)
COLOR_FIRST = Rules(white_first=False)


def game(seats: int = 2, rules: Rules = OFFICIAL, seed: int = 7, index: int = 0, *, solo: bool = False) -> Any:
    return play([STRATEGIES[seat % 3] for seat in range(seats)], [], rules, seed, index, solo=solo)


def find(wanted: Callable[[dict[str, Any]], bool], rules: Rules, seats: int = 2) -> dict[str, Any]:
    """The first game with a roll like that."""
    records = (game(seats, rules, index=seats * number) for number in range(3000))
    return next(record for record in records if any(map(wanted, record["rolls"])))


RECORD = game(seed=13)
FIRST = find(lambda roll: roll["moves"][0]["action"] == "color", COLOR_FIRST)  # a color cross that came first
SHORT = find(lambda roll: all(move["action"] == "white" for move in roll["moves"]), OFFICIAL)  # ended by white crosses


def entries(record: dict[str, Any], **wanted: Any) -> list[tuple[int, int]]:
    """Places (roll, move; from 0) of the entries with these values."""
    return [
        (i, j)
        for i, roll in enumerate(record["rolls"])
        for j, move in enumerate(roll["moves"])
        if all(move.get(key) == value for key, value in wanted.items())
    ]


# The form


def test_a_record_has_the_documented_form():
    keys = ["format", "version", "game", "mode", "seed", "index", "rules", "players", "rolls", "final", "winners"]
    assert list(RECORD) == keys
    assert {key: RECORD[key] for key in keys[:8]} == {
        "format": "kok-sim/record",
        "version": 1,
        "game": "qwixx",
        "mode": "multiplayer",
        "seed": 13,
        "index": 0,
        "rules": {},
        "players": [{"strategy": "careful"}, {"strategy": "eager"}],
    }
    assert all(list(roll) == ["roll", "active", "dice", "moves"] for roll in RECORD["rolls"])
    assert [(roll["roll"], roll["active"]) for roll in RECORD["rolls"][:3]] == [(1, 0), (2, 1), (3, 0)]
    for roll in RECORD["rolls"]:
        actions = [(move["player"], move["action"]) for move in roll["moves"]]
        assert actions[:2] == [(0, "white"), (1, "white")]
        assert actions[2:] in ([(roll["active"], "color")], [])
    assert all(list(final) == ["player", *GAME.parts, "total"] for final in RECORD["final"])


def test_the_entries_of_moves():
    forms = {
        ("white", True): ["player", "action", "pass"],
        ("white", False): ["player", "action", "pass", "row", "number", "locks"],
        ("color", True): ["player", "action", "pass", "penalty"],
        ("color", False): ["player", "action", "pass", "row", "number", "white", "color", "locks"],
    }
    seen = set()
    for record in (RECORD, FIRST, SHORT):
        for roll in record["rolls"]:
            for move in roll["moves"]:
                kind = (move["action"], move["pass"])
                seen.add(kind)
                assert list(move) == forms[kind]
                if kind == ("color", False):
                    assert move["white"] + move["color"] == move["number"]
                    assert move["white"] in roll["dice"]["white"]
                    assert move["color"] == roll["dice"][move["row"]]
                elif kind == ("white", False):
                    assert move["number"] == sum(roll["dice"]["white"])
    assert seen == set(forms)


def test_a_small_game_written_out():
    """Nobody ever crosses anything: four penalties of the only player."""
    record = play([Weights("nobody", "", {})], [], OFFICIAL, 3, 5, solo=True)
    key = dice.game_key(3, 5)
    for number, roll in enumerate(record["rolls"], 1):
        white = [face + 1 for face in dice.draw(dice.roll_word(key, number, 0), 6, 2)]
        colors = [face + 1 for face in dice.draw(dice.roll_word(key, number, 1), 6, 4)]
        assert roll == {
            "roll": number,
            "active": 0,
            "dice": {"white": white, **dict(zip(COLORS, colors, strict=True))},
            "moves": [
                {"player": 0, "action": "white", "pass": True},
                {"player": 0, "action": "color", "pass": True, "penalty": True},
            ],
        }
    assert len(record["rolls"]) == 4
    parts = {"red": 0, "yellow": 0, "green": 0, "blue": 0, "penalties": -20}
    assert record["final"] == [{"player": 0, **parts, "total": -20}]
    assert (record["mode"], record["winners"], "stopped" in record) == ("solo", [0], False)
    verify(record)


def test_the_dice_of_closed_rows_are_left_out_from_the_next_roll_on():
    record = find(lambda roll: len(roll["dice"]) == 4, OFFICIAL)
    closed: set[str] = set()
    for roll in record["rolls"]:
        assert list(roll["dice"]) == ["white", *(color for color in COLORS if color not in closed)]
        closed |= {move["row"] for move in roll["moves"] if move.get("locks")}
    assert closed


def test_a_game_that_ends_in_the_white_action_has_no_color_entry():
    last = SHORT["rolls"][-1]
    assert [move["action"] for move in last["moves"]] == ["white", "white"]
    assert any(move.get("locks") for move in last["moves"])


def test_a_color_cross_that_came_first_is_written_first():
    i, _ = next(place for place in entries(FIRST, action="color") if place[1] == 0)
    roll = FIRST["rolls"][i]
    order = [(move["player"], move["action"]) for move in roll["moves"]]
    assert order == [(roll["active"], "color"), (0, "white"), (1, "white")]
    assert not roll["moves"][0]["pass"]


def test_a_record_is_plain_json():
    for record in (RECORD, FIRST, SHORT):
        assert json.loads(json.dumps(record)) == record
        verify(json.loads(json.dumps(record)))


def test_rules_hold_only_what_differs():
    rules = Rules(white_first=False, row_points=(1,) * 12)
    record = game(rules=rules)
    assert record["rules"] == {"white_first": False, "row_points": [1] * 12}
    verify(record)


def test_the_rotations_of_a_block_meet_the_same_dice_but_other_luck():
    games = [play([RANDOM] * 3, [], OFFICIAL, 5, index) for index in range(2, 7)]
    dealt = [record["rolls"][0]["dice"] for record in games]
    assert dealt[1] == dealt[2] == dealt[3]
    assert dealt[0] != dealt[1]
    assert dealt[3] != dealt[4]
    assert games[1]["rolls"] != games[2]["rolls"]


def test_the_same_game_again_is_the_same_record():
    assert game(seed=13) == RECORD


def test_records_are_told():
    for record in (RECORD, FIRST, SHORT):
        for roll in record["rolls"]:
            assert len(telling.dice(roll)) == 2 * len(roll["dice"]) + 1
            assert all(telling.move(move).startswith(("passes", "crosses")) for move in roll["moves"])
        for seat, final in enumerate(record["final"]):
            rules = Rules.from_changes(record["rules"])
            lines = telling.picture(record, seat, len(record["rolls"]), None, rules)
            points = [int("".join(span.text for span in line).split()[-1]) for line in lines]
            assert points == [final[part] for part in GAME.parts]


# Conservation


def any_rules(source: random.Random) -> Rules:
    return Rules(
        white_first=source.random() < 0.5,
        penalty_points=source.randint(0, 9),
        penalties_to_end=source.randint(1, 8),
        crosses_to_lock=source.randint(0, 6),
        rows_to_end=source.randint(1, 4),
        row_points=OFFICIAL.row_points if source.random() < 0.5 else tuple(source.randint(0, 99) for _ in range(12)),
        end_at_once=source.random() < 0.5,
    )


def any_weights(source: random.Random) -> Weights:
    """Random weights of a few features; mostly they like to cross."""
    names = source.sample(SIGHT.names, source.randint(1, 6))
    weights = {name: round(source.uniform(-2, 5), 2) for name in names} | {"luck": source.choice([0, 1, 20])}
    return Weights("any", "", weights, {name: round(source.uniform(-0.1, 0.1), 2) for name in names[:2]})


def test_nothing_is_lost_in_random_games():
    source = random.Random(20)
    firsts = shorts = stopped = 0
    for number in range(300):
        rules, seats = any_rules(source), source.randint(1, 5)
        strategies = [any_weights(source) for _ in range(seats)]
        solo = seats == 1 and number % 2 == 0
        record = play(strategies, [], rules, source.getrandbits(64), source.getrandbits(40), solo=solo)
        verify(record)
        check(record, rules)
        assert scripted(record, script_of(record)) == record
        firsts += any(roll["moves"][0]["action"] == "color" for roll in record["rolls"])
        shorts += all(move["action"] == "white" for move in record["rolls"][-1]["moves"])
        stopped += "stopped" in record
    assert firsts > 20
    assert shorts > 5
    assert not stopped


def check(record: dict[str, Any], rules: Rules) -> None:
    """Add up the moves of a record anew, by the rulebook, and compare with its end."""
    seats = len(record["players"])
    rows: list[list[list[int]]] = [[[] for _ in COLORS] for _ in range(seats)]
    penalties, closed = [0] * seats, set()
    for number, roll in enumerate(record["rolls"], 1):
        assert roll["active"] == (number - 1) % seats
        assert len(closed) < rules.rows_to_end
        assert max(penalties) < rules.penalties_to_end
        closing, crossed, action = set(), 0, roll["moves"][0]["action"]
        for move in roll["moves"]:
            if move["action"] != action:
                closed, closing, action = closed | closing, set(), move["action"]
                assert len(closed) < rules.rows_to_end or not rules.end_at_once
            if not move["pass"]:
                row = COLORS.index(move["row"])
                place, mine = position_of(row, move["number"]), rows[move["player"]][row]
                assert row not in closed
                assert place > max(mine, default=0)
                assert move["locks"] == (place == NUMBERS)
                if move["locks"]:
                    assert len(mine) >= rules.crosses_to_lock
                    closing.add(row)
                mine += [place, LOCK] if move["locks"] else [place]
                crossed += move["player"] == roll["active"]
        closed |= closing
        colors = [move for move in roll["moves"] if move["action"] == "color"]
        assert len(colors) == 1 or (rules.end_at_once and len(closed) >= rules.rows_to_end)
        penalty = bool(colors) and not crossed
        assert [move.get("penalty", False) for move in colors] == [penalty] * len(colors)
        penalties[roll["active"]] += penalty
    assert len(closed) >= rules.rows_to_end or max(penalties) >= rules.penalties_to_end
    totals = []
    for seat, final in enumerate(record["final"]):
        parts = {color: rules.points(len(rows[seat][row])) for row, color in enumerate(COLORS)}
        parts["penalties"] = -penalties[seat] * rules.penalty_points
        totals.append(sum(parts.values()))
        assert final == {"player": seat, **parts, "total": totals[-1]}
        low, high = rules.score_range()
        assert low <= totals[-1] <= high
    assert record["winners"] == [seat for seat in range(seats) if totals[seat] == max(totals)]


# Scripts


def move_of(entry: dict[str, Any], white: list[int]) -> Move:
    if entry["pass"]:
        return PASS
    die = 1 + white.index(entry["white"]) if entry["action"] == "color" else 0
    return Move.parse(f"{entry['row']} {entry['number']}" + f" ({die})" * bool(die))


def log_of(record: dict[str, Any]) -> list[list[int]]:
    """What an engine would log of a game."""
    log = []
    for roll in record["rolls"]:
        codes = [-2] * (len(record["players"]) + 1)
        for entry in roll["moves"]:
            place = -1 if entry["action"] == "color" else entry["player"]
            codes[place] = move_of(entry, roll["dice"]["white"]).code
        log.append([*codes, int(roll["moves"][0]["action"] == "color")])
    return log


def script_of(record: dict[str, Any]) -> Any:
    return script(log_of(record), [])


def scripted(record: dict[str, Any], moves: Any) -> dict[str, Any]:
    silent = [Weights(player["strategy"], "", {}) for player in record["players"]]
    rules = Rules.from_changes(record["rules"])
    solo = record["mode"] == "solo"
    return play(silent, [], rules, record["seed"], record["index"], solo=solo, script=moves)


def test_a_script_reads_a_log():
    log = [[0, 6, 45, 0], [1, 44, -2, 0], [-2, -2, 132, 1]]
    assert script(log, []) == [
        RollMoves((PASS, Move.parse("red 7")), Move.parse("red 2 (1)"), False),
        RollMoves((Move.parse("red 2"), Move.parse("blue 2")), None, False),
        RollMoves((None, None), Move.parse("blue 2 (2)"), True),
    ]


@pytest.mark.parametrize("code", [-1, 133])
def test_a_log_with_an_unknown_code_is_refused(code):
    with pytest.raises(RecordError, match="is not the code of a move"):
        script([[0, code, 0, 0]], [])


@pytest.mark.parametrize("record", [RECORD, FIRST, SHORT], ids=["usual", "color first", "short"])
def test_a_script_of_a_game_gives_the_same_record_without_asking_the_strategies(record):
    assert scripted(record, script_of(record)) == record


def test_either_of_two_equal_white_dice_gives_the_same_record():
    def double_taken(roll: dict[str, Any]) -> bool:
        return len(set(roll["dice"]["white"])) == 1 and "white" in roll["moves"][-1]

    record = find(double_taken, OFFICIAL)
    moves = script_of(record)
    i = next(i for i, roll in enumerate(record["rolls"]) if double_taken(roll))
    assert moves[i].color.die == 1
    moves[i] = moves[i]._replace(color=Move(moves[i].color.row, moves[i].color.position, 2))
    assert scripted(record, moves) == record


def first_dice() -> Game:
    table = Game(2, OFFICIAL, 7, 0)
    table.roll_dice()
    return table


def color_move(table: Game) -> Move:
    return Move(0, position_of(0, table.white[0] + table.color[0]), 1)


def white_move(table: Game) -> Move:
    return Move(0, position_of(0, sum(table.white)))


def refused(moves: list[RollMoves], rules: Rules = OFFICIAL) -> str:
    with pytest.raises(RecordError) as caught:
        play([RANDOM] * 2, [], rules, 7, 0, script=moves)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_illegal_moves_of_a_script_are_named():
    table = first_dice()
    total = sum(table.white)
    other = "red 2" if total != 2 else "red 3"
    told = refused([RollMoves((PASS, Move.parse(other)), PASS)])
    assert told == f"roll 1, player 1: '{other}' is not legal: the white dice make {total}"
    move = color_move(table)
    shifted = Move(move.row, move.position % 11 + 1, 1)
    told = refused([RollMoves((PASS, PASS), shifted)])
    white, red = table.white[0], table.color[0]
    assert told == f"roll 1, player 0: '{shifted}' is not legal: white {white} and red {red} make {white + red}"


def test_moves_of_the_wrong_action_are_named():
    table = first_dice()
    white, color = white_move(table), color_move(table)
    told = refused([RollMoves((color, PASS), PASS)])
    assert told == f"roll 1, player 0: '{color}' is not legal: it is not a cross of the white action"
    told = refused([RollMoves((PASS, PASS), white)])
    assert told == f"roll 1, player 0: '{white}' is not legal: it is not a cross of the color action"
    told = refused([RollMoves((color, PASS), PASS)], COLOR_FIRST)
    assert told == f"roll 1, player 0: '{color}' is not legal: it is not a cross of the white action"
    told = refused([RollMoves((PASS, PASS), white, True)], COLOR_FIRST)
    assert told == f"roll 1, player 0: '{white}' is not legal: it is not a cross of the color action"
    told = refused([RollMoves((PASS, PASS), PASS, True)], COLOR_FIRST)
    assert told == "roll 1, player 0: 'pass' is not legal: only a cross can come first"


def test_a_first_color_action_is_refused_where_the_white_dice_come_first():
    told = refused([RollMoves((PASS, PASS), color_move(first_dice()), True)])
    assert told == "roll 1: the color action comes first, which the rules do not allow"


def test_missing_moves_of_a_script_are_named():
    assert refused([RollMoves((PASS, None), PASS)]) == "roll 1, player 1: no move is written for the white action"
    assert refused([RollMoves((PASS, PASS), None)]) == "roll 1, player 0: no move is written for the color action"
    assert refused([RollMoves((PASS,), PASS)]) == "roll 1: 1 white moves for 2 players"
    told = "roll 1, player 0: no move is written for the color action"
    assert refused([RollMoves((PASS, PASS), None, True)], COLOR_FIRST) == told


def test_moves_after_the_end_are_refused():
    moves = script_of(SHORT)
    moves[-1] = moves[-1]._replace(color=PASS)
    with pytest.raises(RecordError, match=r"roll \d+, player \d: 'pass' comes after the end of the game"):
        scripted(SHORT, moves)
    rules = Rules(white_first=False, rows_to_end=1, crosses_to_lock=0)
    ended = find(lambda roll: [move["action"] for move in roll["moves"]] == ["color"], rules)
    assert len(ended["rolls"][-1]["moves"]) == 1
    verify(ended)
    moves = script_of(ended)
    assert scripted(ended, moves) == ended
    moves[-1] = moves[-1]._replace(white=(None, PASS))
    with pytest.raises(RecordError, match=r"roll \d+, player 1: 'pass' comes after the end of the game"):
        scripted(ended, moves)


def test_a_script_that_is_too_short_or_too_long_is_refused():
    moves = script_of(RECORD)
    with pytest.raises(RecordError, match=f"the script ends before roll {len(moves)}, but the game goes on"):
        scripted(RECORD, moves[:-1])
    with pytest.raises(RecordError, match=f"the script goes on after roll {len(moves)}, which ended the game"):
        scripted(RECORD, [*moves, moves[-1]])


# Tampering


def in_move(place: tuple[int, int], key: str, to: Any) -> Tampering:
    """Another value of a field of a move."""

    def tamper(record: dict[str, Any]) -> None:
        move = record["rolls"][place[0]]["moves"][place[1]]
        assert key in move
        assert move[key] != to or type(move[key]) is not type(to)
        move[key] = to

    return tamper


def put(place: tuple[int, int], **fields: Any) -> Tampering:
    """Another move in a place, of the same player."""

    def tamper(record: dict[str, Any]) -> None:
        moves = record["rolls"][place[0]]["moves"]
        moves[place[1]] = {"player": moves[place[1]]["player"], **fields}

    return tamper


def drop(place: tuple[int, int], key: str) -> Tampering:
    return lambda record: record["rolls"][place[0]]["moves"][place[1]].pop(key)


def swap_moves(record: dict[str, Any]) -> None:
    moves = record["rolls"][3]["moves"]
    moves[0], moves[1] = moves[1], moves[0]


def higher_total(record: dict[str, Any]) -> None:
    record["final"][1]["blue"] += 1
    record["final"][1]["total"] += 1


def one_player_more(record: dict[str, Any]) -> None:
    record["players"].append({"strategy": "random"})
    record["final"].append({**record["final"][1], "player": 2})


def color_to_front(record: dict[str, Any]) -> None:
    moves = record["rolls"][COLOR[0]]["moves"]
    moves.insert(0, moves.pop())


LAST = len(RECORD["rolls"])
WHITE = entries(RECORD, action="white", **{"pass": False})[0]
COLOR = entries(RECORD, action="color", **{"pass": False})[0]
PASSED = entries(RECORD, action="white", **{"pass": True})[0]
KEPT = entries(RECORD, action="color", penalty=False)[0]
LOCKING = entries(RECORD, locks=True)[0]


def entry_at(place: tuple[int, int]) -> dict[str, Any]:
    return RECORD["rolls"][place[0]]["moves"][place[1]]


def at(place: tuple[int, int]) -> str:
    return f"roll {place[0] + 1}, player {entry_at(place)['player']}: "


WHITE_SUM = entry_at(WHITE)["number"]
OTHER_NUMBER = 2 if WHITE_SUM != 2 else 3
COLOR_DICE = RECORD["rolls"][COLOR[0]]["dice"]
NO_WHITE = next(face for face in range(1, 7) if face not in COLOR_DICE["white"])
OTHER_FACE = entry_at(COLOR)["color"] % 6 + 1
ANY_CROSS = {"action": "white", "pass": False, "row": "red", "number": OTHER_NUMBER, "locks": False}

TAMPERINGS: dict[str, tuple[Tampering, str]] = {
    "seed": (change("seed", to=8), "roll 1: dice is"),
    "index": (change("index", to=2), "roll 1: dice is"),
    "game": (change("game", to="keer-op-keer"), "game is 'keer-op-keer' where it must be 'qwixx'"),
    "mode": (change("mode", to="solo"), "cannot be replayed: the solo game has 1 player; got 2"),
    "one player more": (one_player_more, "roll 1, player 2: player is 0 where it must be 2"),
    "board": (change("players", 0, "board", to="black"), "players is"),
    "unknown rule": (change("rules", to={"penalty_point": 9}), "did you mean 'penalty_points'"),
    "wrong rule": (change("rules", to={"rows_to_end": 5}), "rows_to_end must be from 1 to 4"),
    "needless rule": (change("rules", to={"rows_to_end": 2}), "rules is"),
    "changed rule": (change("rules", to={"row_points": [2] * 12}), "final, player 0: red is"),
    "another end": (change("rules", to={"rows_to_end": 1}), "comes after the end of the game"),
    "white die": (change("rolls", 2, "dice", "white", 1, to=9), "roll 3: dice is"),
    "color die": (change("rolls", 2, "dice", "red", to=0), "roll 3: dice is"),
    "die as true": (change("rolls", 2, "dice", "red", to=True), "roll 3: dice is"),
    "missing die": (lambda record: record["rolls"][2]["dice"].pop("blue"), "roll 3: dice is"),
    "one die more": (change("rolls", 2, "dice", "pink", to=1), "roll 3: dice is"),
    "active": (change("rolls", 1, "active", to=0), "roll 2: active is 0 where it must be 1"),
    "roll number": (change("rolls", 3, "roll", to=5), "roll 4: roll is 5 where it must be 4"),
    "swapped rolls": (swap_rolls, "roll 5: roll is 7 where it must be 5"),
    "missing roll": (lambda record: record["rolls"].pop(), f"the record ends after roll {LAST - 1}"),
    "more rolls": (lambda record: record["rolls"].append(record["rolls"][-1]), f"goes on after roll {LAST}"),
    "no rolls": (change("rolls", to=[]), "the record ends after roll 0"),
    "no moves": (change("rolls", 0, "moves", to=[]), "roll 1, player 0: no move is written for the white action"),
    "no color move": (
        lambda record: record["rolls"][0]["moves"].pop(),
        "roll 1, player 0: no move is written for the color action",
    ),
    "no white move": (
        lambda record: record["rolls"][0]["moves"].pop(1),
        "roll 1, player 1: player is 0 where it must be 1",
    ),
    "one move more": (
        lambda record: record["rolls"][0]["moves"].append(record["rolls"][0]["moves"][0]),
        "roll 1: 4 moves where there can be 3",
    ),
    "swapped moves": (swap_moves, "roll 4, player 0: player is 1 where it must be 0"),
    "color first": (color_to_front, f"roll {COLOR[0] + 1}: the color action comes first, which the rules do not allow"),
    "player": (change("rolls", 0, "moves", 1, "player", to=0), "roll 1, player 1: player is 0 where it must be 1"),
    "action": (in_move(COLOR, "action", "white"), f"{at(COLOR)}action is 'white' where it must be 'color'"),
    "action of another": (change("rolls", 0, "moves", 1, "action", to="color"), "roll 1, player 1: action is 'color'"),
    "no action": (drop(WHITE, "action"), f"{at(WHITE)}action is None where it must be 'white'"),
    "pass of white dice": (put(WHITE, action="white", **{"pass": True}), "final, player 1: red is 10"),
    "cross for a pass": (put(PASSED, **ANY_CROSS), f"{at(PASSED)}'red {OTHER_NUMBER}' is not legal"),
    "pass with a row": (in_move(WHITE, "pass", True), f"{at(WHITE)}unknown field 'row'"),
    "cross without a row": (in_move(PASSED, "pass", False), f"{at(PASSED)}row is None"),
    "row": (in_move(WHITE, "row", "pink"), f"{at(WHITE)}row is 'pink' where it must be one of red, yellow, green"),
    "row as number": (in_move(WHITE, "row", 0), f"{at(WHITE)}row is 0"),
    "row as list": (in_move(WHITE, "row", ["red"]), f"{at(WHITE)}row is ['red']"),
    "number": (in_move(WHITE, "number", OTHER_NUMBER), f"is not legal: the white dice make {WHITE_SUM}"),
    "low number": (in_move(WHITE, "number", 1), f"{at(WHITE)}number is 1 where it must be a whole number from 2 to 12"),
    "high number": (in_move(WHITE, "number", 13), f"{at(WHITE)}number is 13"),
    "number as text": (in_move(WHITE, "number", "7"), f"{at(WHITE)}number is '7'"),
    "number as float": (in_move(WHITE, "number", float(WHITE_SUM)), f"{at(WHITE)}number is"),
    "number of a color cross": (in_move(COLOR, "number", entry_at(COLOR)["number"] % 11 + 2), "is not legal: white"),
    "white face": (in_move(COLOR, "white", NO_WHITE), f"{at(COLOR)}white is {NO_WHITE} where it must be"),
    "white face as true": (in_move(COLOR, "white", True), f"{at(COLOR)}white is True where it must be"),
    "no white face": (drop(COLOR, "white"), f"{at(COLOR)}white is None where it must be"),
    "color face": (in_move(COLOR, "color", OTHER_FACE), f"{at(COLOR)}color is {OTHER_FACE} where it must be"),
    "no color face": (drop(COLOR, "color"), f"{at(COLOR)}color is missing"),
    "lock": (in_move(LOCKING, "locks", False), f"{at(LOCKING)}locks is False where it must be True"),
    "false lock": (in_move(WHITE, "locks", True), f"{at(WHITE)}locks is True where it must be False"),
    "lock as number": (in_move(WHITE, "locks", 0), f"{at(WHITE)}locks is 0 where it must be False"),
    "no lock": (drop(WHITE, "locks"), f"{at(WHITE)}locks is missing"),
    "penalty": (in_move(KEPT, "penalty", True), f"{at(KEPT)}penalty is True where it must be False"),
    "no penalty": (drop(KEPT, "penalty"), f"{at(KEPT)}penalty is missing"),
    "pass as number": (in_move(WHITE, "pass", 0), "pass must be true or false"),
    "points of a row": (change("final", 0, "red", to=99), "final, player 0: red is 99"),
    "penalties": (change("final", 0, "penalties", to=5), "final, player 0: penalties is 5"),
    "total": (change("final", 0, "total", to=99), "final, player 0: total is 99"),
    "consistent total": (higher_total, "final, player 1: blue is"),
    "no part": (lambda record: record["final"][0].pop("green"), "final, player 0: green is missing"),
    "winners": (change("winners", to=[1 - RECORD["winners"][0]]), "winners is"),
    "two winners": (change("winners", to=[0, 1]), "winners is"),
    "stopped": (lambda record: record.update(stopped=True), "stopped is True where it must be None"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_tampered_record_is_refused(name):
    verify_refuses(verify, RECORD, *TAMPERINGS[name])


@pytest.mark.parametrize("record", [RECORD, FIRST, SHORT], ids=["usual", "color first", "short"])
def test_every_field_of_every_move_and_end_is_checked(record):
    """Each field of each entry taken away or replaced, one at a time."""
    places: list[tuple[Any, ...]] = [(part, seat) for part in ("final", "players") for seat in range(2)]
    for i, roll in enumerate(record["rolls"]):
        if i in (0, 1, len(record["rolls"]) - 1) or roll["moves"][0]["action"] == "color":
            places += [("rolls", i), ("rolls", i, "dice")]
            places += [("rolls", i, "moves", j) for j in range(len(roll["moves"]))]
    for place in places:
        part: Any = record
        for step in place:
            part = part[step]
        for key in part:
            if key in ("strategy", "moves"):
                continue
            for value in (None, -1, 99, "x", [], ...):
                tampered = copy.deepcopy(record)
                inner: Any = tampered
                for step in place:
                    inner = inner[step]
                if value is ...:
                    del inner[key]
                else:
                    inner[key] = value
                with pytest.raises(RecordError) as caught:
                    verify(tampered)
                assert "\n" not in str(caught.value)


@pytest.mark.parametrize("where", ["move", "roll", "final"])
def test_an_extra_field_is_refused(where):
    record = copy.deepcopy(RECORD)
    roll = record["rolls"][0]
    {"move": roll["moves"][0], "roll": roll, "final": record["final"][0]}[where]["x"] = 1
    with pytest.raises(RecordError, match="unknown field 'x'"):
        verify(record)


def test_a_color_action_that_is_moved_or_added_is_refused():
    i, _ = next(place for place in entries(FIRST, action="color") if place[1] == 0)
    record = copy.deepcopy(FIRST)
    moves = record["rolls"][i]["moves"]
    moves.append({"player": record["rolls"][i]["active"], "action": "color", "pass": True, "penalty": False})
    with pytest.raises(RecordError, match=f"roll {i + 1}: 4 moves where there can be 3"):
        verify(record)
    record = copy.deepcopy(SHORT)
    last = record["rolls"][-1]
    last["moves"].append({"player": last["active"], "action": "color", "pass": True, "penalty": False})
    with pytest.raises(RecordError, match="'pass' comes after the end of the game"):
        verify(record)


def test_a_first_color_pass_is_refused():
    record = copy.deepcopy(FIRST)
    i, _ = entries(FIRST, action="color", **{"pass": True})[0]
    moves = record["rolls"][i]["moves"]
    moves.insert(0, moves.pop())
    with pytest.raises(RecordError, match="'pass' is not legal: only a cross can come first"):
        verify(record)


def test_the_index_of_another_rotation_on_the_same_dice_is_no_disagreement():
    verify({**RECORD, "index": 1})


def test_the_first_disagreement_is_named():
    record = copy.deepcopy(RECORD)
    change("winners", to=[0, 1])(record)
    change("rolls", 12, "active", to=9)(record)
    change("rolls", 10, "dice", "white", to=[1, 7])(record)
    with pytest.raises(RecordError, match="roll 11: dice is"):
        verify(record)


def test_following_a_record_shows_the_game_after_each_roll():
    crosses = [[0, 0]]
    for entry, position in follow(RECORD):
        crosses.append([sum(map(len, player.rows)) for player in position.players])
        made = [0, 0]
        for move in entry["moves"]:
            made[move["player"]] += 0 if move["pass"] else 1 + move["locks"]
        assert [after - before for before, after in zip(crosses[-2], crosses[-1], strict=True)] == made
    assert len(crosses) == LAST + 1


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_verify_raises_nothing_but_record_errors_whatever_is_changed(data):
    """Any one value of the first rolls replaced by any other: refused with a clear line (the record ends too early)."""
    verify_refuses(verify, data.draw(st.sampled_from([RECORD, FIRST])), any_change(data))
