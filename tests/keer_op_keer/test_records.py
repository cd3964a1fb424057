"""Game records: their form, files of them, conservation in random games, and tampering, which must be refused."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import KokSimError, OutputError, RecordError
from simulator.keer_op_keer.referee import Move, follow, play, verify
from simulator.keer_op_keer.rules import COLUMNS, OFFICIAL, Rules
from simulator.keer_op_keer.sheet import Cell, load_sheet, sheet_names
from simulator.records import RecordWriter, read_records, verify_form, write_records
from simulator.strategy import Weights
from tests.tampering import Tampering, any_change, change, swap_rolls, verify_refuses

RANDOM = Weights("random", "any move", {"luck": 1})
GREEDY = Weights("greedy", "most points now", {"points": 1, "cells": 0.1})
EAGER = Weights("eager", "most cells, jokers too", {"cells": 1, "jokers": -0.25, "luck": 0.5})
STRATEGIES = (RANDOM, GREEDY, EAGER)


def game(
    seats: int = 2, rules: Rules = OFFICIAL, seed: int = 7, index: int = 0, *, solo: bool = False
) -> dict[str, Any]:
    sheets = [load_sheet(sheet_names()[seat % 7]) for seat in range(seats)]
    strategies = [STRATEGIES[(seat + 1) % 3] for seat in range(seats)]
    return play(strategies, sheets, rules, seed, index, solo=solo)


RECORD = game()


def moves_of(record: dict[str, Any], seat: int) -> list[dict[str, Any]]:
    return [roll["moves"][seat] for roll in record["rolls"]]


# The form


def test_a_record_has_the_documented_form():
    keys = ["format", "version", "game", "mode", "seed", "index", "rules", "players", "rolls", "final", "winners"]
    assert list(RECORD) == keys
    head = {key: RECORD[key] for key in keys[:7]}
    assert head == {
        "format": "kok-sim/record",
        "version": 1,
        "game": "keer-op-keer",
        "mode": "multiplayer",
        "seed": 7,
        "index": 0,
        "rules": {},
    }
    assert RECORD["players"] == [{"strategy": "greedy", "board": "black"}, {"strategy": "eager", "board": "blue"}]
    roll = RECORD["rolls"][0]
    assert list(roll) == ["roll", "active", "dice", "moves"]
    assert (roll["roll"], roll["active"], list(roll["dice"])) == (1, 0, ["colors", "numbers"])
    first = next(move for move in moves_of(RECORD, 0) if not move["pass"])
    assert list(first) == ["player", "pass", "color_die", "number_die", "color", "number", "cells", "columns", "colors"]
    assert all(move == {"player": 0, "pass": True} for move in moves_of(RECORD, 0) if move["pass"])
    assert all(list(final) == ["player", "colors", "columns", "jokers", "stars", "total"] for final in RECORD["final"])


def test_a_record_is_plain_json():
    assert json.loads(json.dumps(RECORD)) == RECORD
    verify(json.loads(json.dumps(RECORD)))


def test_rules_hold_only_what_differs():
    rules = Rules(pass_penalty=1, column_first=(1,) * 15)
    record = game(rules=rules)
    assert record["rules"] == {"column_first": [1] * 15, "pass_penalty": 1}
    assert list(record["final"][0]) == ["player", "colors", "columns", "jokers", "stars", "passes", "total"]
    verify(record)


def test_the_rotations_of_a_block_meet_the_same_dice_but_other_luck():
    sheets = [load_sheet("black")] * 3
    games = [play([RANDOM] * 3, sheets, OFFICIAL, 5, index) for index in range(2, 7)]
    dice = [record["rolls"][0]["dice"] for record in games]
    assert dice[1] == dice[2] == dice[3]
    assert dice[0] != dice[1]
    assert dice[3] != dice[4]
    assert games[1]["rolls"][0]["moves"] != games[2]["rolls"][0]["moves"]


def test_the_same_game_again_is_the_same_record():
    assert game() == RECORD


# Conservation


@settings(max_examples=40, deadline=None)
@given(
    seats=st.integers(1, 6),
    seed=st.integers(0, 2**64 - 1),
    index=st.integers(0, 2**40),
    solo=st.booleans(),
    rules=st.builds(
        Rules,
        connect_through_crosses=st.booleans(),
        start_columns=st.sampled_from(["H", "G", "GI", "AHO"]),
        jokers=st.integers(0, 12),
        mark_points=st.integers(0, 3),
        star_penalty=st.integers(0, 3),
        first_for_all=st.booleans(),
        shared_firsts=st.booleans(),
        colors_to_end=st.integers(1, 5),
        open_rolls=st.integers(0, 10),
        roll_limit=st.integers(1, 30),
        color_dice=st.integers(1, 4),
        number_dice=st.integers(1, 4),
        solo_rolls=st.integers(1, 30),
        solo_ends_on_colors=st.booleans(),
        passive_see_active=st.booleans(),
        tie_break=st.sampled_from(["marks", "columns", "stars", "shared"]),
        pass_penalty=st.integers(0, 2),
        color_weights=st.tuples(*[st.integers(1, 3)] * 6),
    ),
)
def test_nothing_is_lost_in_a_random_game(seats, seed, index, solo, rules):
    record = game(1 if solo else seats, rules, seed, index, solo=solo)
    verify(record)
    for seat, player in enumerate(record["players"]):
        check_player(record, seat, load_sheet(player["board"]), rules)
    best = max(final["total"] for final in record["final"])
    assert record["winners"]
    assert all(record["final"][seat]["total"] == best for seat in record["winners"])


def check_player(record: dict[str, Any], seat: int, sheet: Any, rules: Rules) -> None:
    """Add up one player's moves anew and compare with the final entry."""
    moves, final = moves_of(record, seat), record["final"][seat]
    made = [move for move in moves if not move["pass"]]
    crossed = [Cell.parse(cell) for move in made for cell in move["cells"]]
    assert len(crossed) == len(set(crossed)) == sum(move["number"] for move in made)
    spent = sum((move["color_die"] == "joker") + (move["number_die"] == "joker") for move in made)
    assert 0 <= spent <= rules.jokers
    full = [k for k in range(15) if sum(cell.column == k for cell in crossed) == 7]
    assert sorted(COLUMNS[k] for k in full) == sorted(column for move in made for column in move["columns"])
    counts = Counter(sheet.colors[cell] for cell in crossed)
    whole = Counter(sheet.colors.values())
    assert sum(counts[c] == whole[c] for c in range(5)) == sum(len(move["colors"]) for move in made)
    parts = {
        "colors": sum(points for move in made for points in move["colors"].values()),
        "columns": sum(points for move in made for points in move["columns"].values()),
        "jokers": (rules.jokers - spent) * rules.mark_points,
        "stars": -len(sheet.stars - set(crossed)) * rules.star_penalty,
    }
    if rules.pass_penalty:
        parts["passes"] = -sum(move["pass"] for move in moves) * rules.pass_penalty
    assert final == {"player": seat, **parts, "total": sum(parts.values())}


def test_the_first_values_of_a_game_are_given_once_a_roll():
    for index in range(6):
        record = game(3, index=index)
        claimed: set[str] = set()
        for roll in record["rolls"]:
            filled = {column: v for move in roll["moves"] for column, v in move.get("columns", {}).items()}
            for move in roll["moves"]:
                for column, points in move.get("columns", {}).items():
                    values = OFFICIAL.column_later if column in claimed else OFFICIAL.column_first
                    assert points == values[COLUMNS.index(column)]
            claimed |= filled.keys()


# Scripts


def script_of(record: dict[str, Any]) -> list[list[Move]]:
    def move(entry: dict[str, Any]) -> Move:
        if entry["pass"]:
            return Move.parse("pass")
        jokers = ["*" * (entry[key] == "joker") for key in ("color_die", "number_die")]
        return Move.parse(f"{entry['color']}{jokers[0]} {entry['number']}{jokers[1]}: {' '.join(entry['cells'])}")

    return [[move(entry) for entry in roll["moves"]] for roll in record["rolls"]]


def test_a_script_of_a_game_gives_the_same_record_without_asking_the_strategies():
    silent = [Weights(player["strategy"], "", {}) for player in RECORD["players"]]
    sheets = [load_sheet(player["board"]) for player in RECORD["players"]]
    assert play(silent, sheets, OFFICIAL, 7, 0, script=script_of(RECORD)) == RECORD


# Tampering


FIRST = next(i for i, move in enumerate(moves_of(RECORD, 0)) if not move["pass"] and len(move["cells"]) > 1)
FILLED = next(i for i, move in enumerate(moves_of(RECORD, 0)) if move.get("columns"))
SPENT = next(i for i, move in enumerate(moves_of(RECORD, 1)) if move.get("number_die") == "joker")
LAST = len(RECORD["rolls"])


def other_color(record: dict[str, Any]) -> None:
    move = record["rolls"][FIRST]["moves"][0]
    move["color"] = move["color_die"] = "pink" if move["color"] == "blue" else "blue"


def shuffle_cells(record: dict[str, Any]) -> None:
    record["rolls"][FIRST]["moves"][0]["cells"].reverse()


def repeat_cell(record: dict[str, Any]) -> None:
    cells = record["rolls"][FIRST]["moves"][0]["cells"]
    cells[1] = cells[0]


def swap_winners(record: dict[str, Any]) -> None:
    record["winners"] = [1 - record["winners"][0]]


def plain_for_joker(record: dict[str, Any]) -> None:
    move = record["rolls"][SPENT]["moves"][1]
    move["number_die"] = move["number"]


def swap_players(record: dict[str, Any]) -> None:
    record["players"].reverse()


def more_points(record: dict[str, Any]) -> None:
    columns = record["rolls"][FILLED]["moves"][0]["columns"]
    columns[next(iter(columns))] += 1


def pass_instead(record: dict[str, Any]) -> None:
    record["rolls"][FIRST]["moves"][0] = {"player": 0, "pass": True}


def higher_total(record: dict[str, Any]) -> None:
    record["final"][1]["jokers"] += 1
    record["final"][1]["total"] += 1


ROLL = f"roll {FIRST + 1}, player 0: "
TAMPERINGS: dict[str, tuple[Tampering, str]] = {
    "seed": (change("seed", to=8), "roll 1: dice is"),
    "index": (change("index", to=2), "roll 1: dice is"),
    "no sheet": (lambda record: record["players"][1].pop("board"), "cannot be replayed: player 1: board is missing"),
    "other sheet": (change("players", 0, "board", to="red"), "roll"),
    "unknown sheet": (change("players", 0, "board", to="blak"), "cannot be replayed: unknown sheet 'blak'"),
    "swapped players": (swap_players, "roll"),
    "game": (change("game", to="qwixx"), "game is 'qwixx' where it must be 'keer-op-keer'"),
    "mode": (change("mode", to="solo"), "the solo game has 1 player"),
    "unknown rule": (change("rules", to={"joker_mark": 9}), "did you mean 'jokers'"),
    "wrong rule": (change("rules", to={"jokers": -1}), "jokers must be from 0 to 99"),
    "needless rule": (change("rules", to={"jokers": 8}), "rules is"),
    "changed rule": (change("rules", to={"star_penalty": 3}), "final, player 1: stars is -6 where it must be -9"),
    "limited rolls": (change("rules", to={"roll_limit": 5}), "the record goes on after roll 5"),
    "die": (change("rolls", 2, "dice", "numbers", 1, to=9), "roll 3: dice is"),
    "number of dice": (change("rolls", 2, "dice", "colors", to=["green"]), "roll 3: dice is"),
    "active": (change("rolls", 1, "active", to=0), "roll 2: active is 0 where it must be 1"),
    "roll number": (change("rolls", 3, "roll", to=5), "roll 4: roll is 5 where it must be 4"),
    "swapped rolls": (swap_rolls, "roll 5: roll is 7 where it must be 5"),
    "missing roll": (lambda record: record["rolls"].pop(), f"the record ends after roll {LAST - 1}"),
    "more rolls": (lambda record: record["rolls"].append(record["rolls"][-1]), f"goes on after roll {LAST}"),
    "no rolls": (change("rolls", to=[]), "the record ends after roll 0"),
    "pass": (pass_instead, "is not legal"),
    "missing move": (lambda record: record["rolls"][0]["moves"].pop(), "roll 1: 1 moves for 2 players"),
    "player": (change("rolls", 0, "moves", 1, "player", to=0), "roll 1, player 1: player is 0"),
    "color": (other_color, f"{ROLL}'"),
    "unknown color": (change("rolls", FIRST, "moves", 0, "color", to="red"), f"{ROLL}color is 'red'"),
    "no color": (lambda record: record["rolls"][FIRST]["moves"][0].pop("color"), f"{ROLL}color is None"),
    "color die": (change("rolls", FIRST, "moves", 0, "color_die", to="red"), f"{ROLL}color_die is 'red'"),
    "number": (change("rolls", FIRST, "moves", 0, "number", to=1), f"{ROLL}number_die is"),
    "number as text": (change("rolls", FIRST, "moves", 0, "number", to="1"), f"{ROLL}number must be"),
    "plain die for a joker": (plain_for_joker, "number die can be picked"),
    "cell": (change("rolls", FIRST, "moves", 0, "cells", 0, to="A1"), f"{ROLL}'"),
    "no cell": (change("rolls", FIRST, "moves", 0, "cells", 0, to="Z9"), f"{ROLL}'Z9' is not a cell"),
    "cells as text": (change("rolls", FIRST, "moves", 0, "cells", to="H1"), f"{ROLL}number must be"),
    "repeated cell": (repeat_cell, "different cells"),
    "order of cells": (shuffle_cells, f"{ROLL}cells is"),
    "points of a column": (more_points, f"roll {FILLED + 1}, player 0: columns is"),
    "no column": (change("rolls", FILLED, "moves", 0, "columns", to={}), f"roll {FILLED + 1}, player 0: columns is"),
    "a column too many": (change("rolls", FIRST, "moves", 0, "columns", to={"H": 1}), f"{ROLL}columns is"),
    "a color too many": (change("rolls", FIRST, "moves", 0, "colors", to={"green": 5}), f"{ROLL}colors is"),
    "points as true": (change("rolls", FIRST, "moves", 0, "colors", to={"green": True}), f"{ROLL}colors is"),
    "unknown field": (change("rolls", FIRST, "moves", 0, "pass", to=0), "must be true or false"),
    "total": (change("final", 0, "total", to=99), "final, player 0: total is 99"),
    "consistent total": (higher_total, "final, player 1: jokers is"),
    "winners": (swap_winners, "winners is"),
    "two winners": (change("winners", to=[0, 1]), "winners is"),
    "stopped": (lambda record: record.update(stopped=True), "stopped is True where it must be None"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_tampered_record_is_refused(name):
    verify_refuses(verify, RECORD, *TAMPERINGS[name])


@pytest.mark.parametrize("where", ["move", "roll", "final"])
def test_an_extra_field_is_refused(where):
    record = copy.deepcopy(RECORD)
    {"move": record["rolls"][FIRST]["moves"][0], "roll": record["rolls"][0], "final": record["final"][0]}[where][
        "x"
    ] = 1
    with pytest.raises(RecordError, match="unknown field 'x'"):
        verify(record)


def test_the_index_of_another_rotation_on_the_same_dice_is_no_disagreement():
    verify({**RECORD, "index": 1})


def test_the_first_disagreement_is_named():
    record = copy.deepcopy(RECORD)
    change("winners", to=[0, 1])(record)
    change("rolls", 20, "active", to=9)(record)
    change("rolls", 10, "dice", "numbers", to=[1, 1, 7])(record)
    with pytest.raises(RecordError, match="roll 11: dice is"):
        verify(record)


def test_following_a_record_shows_the_game_after_each_roll():
    left = [[105, 105]]
    for entry, position in follow(RECORD):
        left.append([len(player.open) for player in position.players])
        crossed = [0 if move["pass"] else move["number"] for move in entry["moves"]]
        assert [before - after for before, after in zip(left[-2], left[-1], strict=True)] == crossed
    assert len(left) == LAST + 1


def test_solo_and_stopped_records_verify():
    verify(game(1, solo=True))
    nobody = Weights("nobody", "", {})
    stopped = play([nobody], [load_sheet("black")], OFFICIAL, 1, 0)
    assert stopped["stopped"] is True
    verify(stopped)
    del stopped["stopped"]
    with pytest.raises(RecordError, match="stopped is None where it must be True"):
        verify(stopped)


# The form, and files


BROKEN_FORMS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "format": (change("format", to="chess"), "format is 'chess' where it must be 'kok-sim/record'"),
    "version": (change("version", to=2), "version is 2 where it must be 1"),
    "version as true": (change("version", to=True), "version is True"),
    "mode": (change("mode", to="duel"), "mode is 'duel' where it must be 'multiplayer' or 'solo'"),
    "seed": (change("seed", to=-1), "seed is -1 where it must be a whole number from 0"),
    "big seed": (change("seed", to=2**64), "seed is"),
    "seed as float": (change("seed", to=7.0), "seed is 7.0"),
    "index": (change("index", to=None), "index is None"),
    "rules": (change("rules", to=[]), "rules is []"),
    "players": (change("players", to={}), "players is {}"),
    "no players": (change("players", to=[]), "players is empty"),
    "a player": (change("players", 1, to="greedy"), "players is"),
    "strategy": (change("players", 1, "strategy", to=3), "player 1: strategy must be a text; got 3"),
    "rolls": (change("rolls", to=None), "rolls is None"),
    "moves": (change("rolls", 4, "moves", to={}), "roll 5: moves must be a list"),
    "a move": (change("rolls", 4, "moves", 0, to=[]), "roll 5, move 1 must be an object"),
    "pass": (change("rolls", 4, "moves", 0, "pass", to="no"), "roll 5, move 1: pass must be true or false; got 'no'"),
    "dice": (lambda record: record["rolls"][4].pop("dice"), "roll 5: dice is missing"),
    "final": (lambda record: record["final"].pop(), "final has 1 entries for 2 players"),
    "total": (lambda record: record["final"][1].pop("total"), "final of player 1: total is missing"),
    "nobody wins": (change("winners", to=[]), "winners is []"),
    "winner": (change("winners", to=[2]), "winners is [2] where it must name seats from 0 to 1"),
    "stopped": (lambda record: record.update(stopped=False), "stopped is False where it must be true"),
    "unknown": (lambda record: record.update(sed=1), "unknown field 'sed'; did you mean 'seed'"),
    **{f"no {key}": (lambda record, key=key: record.pop(key), f"{key} is missing") for key in RECORD},
}


@pytest.mark.parametrize("name", BROKEN_FORMS)
def test_a_broken_form_is_refused(name):
    verify_refuses(verify_form, RECORD, *BROKEN_FORMS[name])


@pytest.mark.parametrize("thing", [None, [], 3, "record"])
def test_only_an_object_is_a_record(thing):
    with pytest.raises(RecordError, match="must be a JSON object"):
        verify_form(thing)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_verify_raises_nothing_but_record_errors_whatever_is_changed(data):
    """Any one value of a record replaced by any other: either refused with a clear line, or it did not matter."""
    verify_refuses(verify, RECORD, any_change(data))


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def records(count: int) -> list[dict[str, Any]]:
    return [game(1, solo=True, index=index) for index in range(count)]


def test_records_are_one_line_each_and_come_back(tmp_path):
    path = tmp_path / "games.jsonl"
    written = records(3)
    assert write_records(path, iter(written)) == 3
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == written
    assert list(read_records(path)) == written
    assert names_in(tmp_path) == ["games.jsonl"]


def test_no_records_are_an_empty_file(tmp_path):
    path = tmp_path / "games.jsonl"
    assert write_records(path, []) == 0
    assert list(read_records(path)) == []


def test_a_file_name_that_is_not_ascii_is_kept_in_a_record(tmp_path):
    record = copy.deepcopy(RECORD)
    record["players"][0]["strategy"] = "mijn één.toml"
    write_records(tmp_path / "games.jsonl", [record])
    assert next(read_records(tmp_path / "games.jsonl")) == record


def test_nothing_is_left_behind_when_writing_fails(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("old\n")

    def failing():
        yield RECORD
        raise KokSimError("broken")

    with pytest.raises(KokSimError, match="broken"):
        write_records(path, failing())
    assert names_in(tmp_path) == ["games.jsonl"]
    assert path.read_text() == "old\n"


def test_the_file_appears_only_when_all_went_well(tmp_path):
    path = tmp_path / "games.jsonl"
    with RecordWriter(path) as writer:
        writer.write(RECORD)
        assert not path.exists()
    assert path.exists()
    assert writer.written == 1
    with pytest.raises(ValueError, match="inside its with statement"):
        writer.write(RECORD)


def test_a_file_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "none" / "games.jsonl", tmp_path / "file" / "games.jsonl", tmp_path):
        with pytest.raises(OutputError, match="cannot write"):
            write_records(path, [RECORD])
    assert names_in(tmp_path) == ["file"]


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_line_at_fault_is_named(tmp_path):
    good = json.dumps(RECORD)
    for bad, complaint in (
        ("{", "not JSON"),
        ("3", "must be a JSON object"),
        (good.replace('"version": 1', '"version": 2'), "version is 2"),
    ):
        reading = read_records(write(tmp_path / "games.jsonl", good, "", bad))
        assert next(reading) == RECORD
        with pytest.raises(RecordError, match=f"games.jsonl', line 3: .*{complaint}"):
            next(reading)


def test_a_file_that_cannot_be_read(tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x80")
    for path, reason in (
        (tmp_path / "none", "No such file"),
        (tmp_path, "Is a directory"),
        (tmp_path / "binary", "it is not a text file"),
    ):
        with pytest.raises(RecordError, match=f"cannot read records .*: {reason}"):
            list(read_records(path))


@pytest.mark.parametrize("line", ["[" * 100_000, '{"seed": ' + "9" * 5000 + "}", "\0", "{} {}"])
def test_odd_lines_are_refused(tmp_path, line):
    path = write(tmp_path / "games.jsonl", line)
    with pytest.raises(RecordError, match="line 1: not JSON"):
        list(read_records(path))
