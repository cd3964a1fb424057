"""House rules at the command line: listed, shown, compared, begun, played; each mistake one clear line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from simulator.games import find_game, game_names
from simulator.house_rules import find_rules, preset_names, template
from simulator.rules import typed
from tests.cli.conftest import Cli
from tests.cli.test_bad_input import files

PLAYERS = {"keer-op-keer": "random greedy", "qwixx": "random avoid-penalty --game qwixx"}

each_game = pytest.mark.parametrize("game", game_names())


@each_game
def test_list(cli: Cli, game: str) -> None:
    code, out, err = cli(f"rules list --game {game}")
    assert (code, err) == (0, "")
    lines = [line.split(maxsplit=1) for line in out.splitlines()]
    played = find_game(game)
    assert lines == [list(find_rules(name, played)[:2]) for name in preset_names(played)]


@each_game
def test_show(cli: Cli, game: str) -> None:
    played = find_game(game)
    code, out, err = cli(f"rules show kids-friendly --game {game}")
    found = find_rules("kids-friendly", played)
    assert (code, err) == (0, "")
    assert out.startswith(f"kids-friendly: {found.about}\n")
    assert max(map(len, out.splitlines()[1:])) <= 100
    text = " ".join(out.split())
    for switch in played.rules.switches():
        value = getattr(found.rules, switch.name)
        official = f" (official: {typed(switch.official)})" if value != switch.official else ""
        star = "*" if official else " "
        assert f"\n{star} {switch.name} = {typed(value)}{official}\n" in out
        assert f"{switch.about} ({switch.allowed})" in text


def test_show_a_file(cli: Cli) -> None:
    Path("my.toml").write_text("[rules]\njokers = 6\n")
    code, out, _ = cli("rules show my.toml")
    assert code == 0
    assert out.startswith("my.toml\n\n  connect_through_crosses = false\n")
    assert out.count("*") == 1
    assert "\n* jokers = 6 (official: 8)\n" in out


def test_diff(cli: Cli) -> None:
    Path("my.toml").write_text("[rules]\njokers = 4\ncolor_weights = [1, 1, 1, 1, 1, 2]\n")
    assert cli("rules diff short my.toml") == (
        0,
        "rule           short        my.toml\n"
        "colors_to_end  1            2\n"
        "roll_limit     20           0\n"
        "color_weights  1,1,1,1,1,1  1,1,1,1,1,2\n",
        "",
    )
    assert cli("rules diff short official --game qwixx").out == (
        "rule              short  official\npenalties_to_end  3      4\nrows_to_end       1      2\n"
    )
    for second in ("my.toml", "./my.toml"):
        assert cli(f"rules diff my.toml {second}") == (0, f"my.toml and {second} are the same rules\n", "")


@each_game
def test_init(cli: Cli, game: str) -> None:
    played = find_game(game)
    more = f" --game {game}" if game != "keer-op-keer" else ""
    told = f"written: my.toml; play it with kok-sim variant my.toml{more}\n"
    assert cli(f"rules init my.toml{more}") == (0, told, "")
    assert Path("my.toml").read_text(encoding="utf-8") == template(played, find_rules("official", played))
    assert cli(f"rules diff my.toml official{more}").out == "my.toml and official are the same rules\n"
    assert cli(f"rules init other.toml --base short{more}").code == 0
    assert cli(f"rules init third.toml --base other.toml{more}").code == 0
    assert Path("other.toml").read_bytes() == Path("third.toml").read_bytes()
    assert cli(f"rules diff third.toml short{more}").out == "third.toml and short are the same rules\n"


def test_init_tells_a_command_that_can_be_typed(cli: Cli) -> None:
    assert cli(["rules", "init", "a b.toml"]).out == "written: a b.toml; play it with kok-sim variant 'a b.toml'\n"


def test_init_of_rules_with_any_text(cli: Cli) -> None:
    Path("odd.toml").write_text(r'about = "a \"b\" \\ é\u001b[2J"' "\n[rules]\njokers = 1\n", encoding="utf-8")
    assert cli("rules init my.toml --base odd.toml").code == 0
    code, out, err = cli("rules show my.toml")
    assert (code, err) == (0, "")
    assert out.startswith('my.toml: a "b" \\ é [2J\n')


class TestPlayed:
    @pytest.fixture(autouse=True)
    def mine(self, cli: Cli) -> None:
        Path("my.toml").write_text('game = "keer-op-keer"\n[rules]\njokers = 6\nroll_limit = 5\n')
        Path("q.toml").write_text("[rules]\nrows_to_end = 1\npenalty_points = 3\n")

    def test_a_rule_wins_over_a_file(self, cli: Cli) -> None:
        line = "compare random greedy -n 20 -q --rules my.toml --rule jokers=3 --rule star_penalty=4"
        code, out, err = cli(line)
        assert (code, err) == (0, "")
        assert "sheet black · rules jokers=3, star_penalty=4, roll_limit=5 · seed 1" in out
        rules = json.loads(cli(f"{line} --format json").out)["experiment"]["rules"]
        assert rules == {"jokers": 3, "star_penalty": 4, "roll_limit": 5}
        line = "compare random greedy -n 20 -q --rules my.toml --rule jokers=8 --rule roll_limit=0"
        assert "sheet black · official rules ·" in cli(line).out

    def test_qwixx(self, cli: Cli) -> None:
        line = f"compare {PLAYERS['qwixx']} -n 20 -q --rules q.toml --rule penalty_points=2"
        assert "Qwixx · rules penalty_points=2, rows_to_end=1 ·" in cli(line).out
        rules = json.loads(cli(f"{line} --format json").out)["experiment"]["rules"]
        assert rules == {"penalty_points": 2, "rows_to_end": 1}

    @pytest.mark.parametrize("line", ["solo greedy -n 10", "tournament random greedy tidy -n 10"])
    def test_other_experiments(self, cli: Cli, line: str) -> None:
        out = cli(f"{line} -q --rules timer-30 --rule solo_rolls=3").out
        assert "rules roll_limit=30, solo_rolls=3 ·" in out

    @each_game
    def test_replay(self, cli: Cli, game: str) -> None:
        name = {"keer-op-keer": "my.toml", "qwixx": "q.toml"}[game]
        code, out, err = cli(f"replay {PLAYERS[game]} --rules {name} --json")
        assert (code, err) == (0, "")
        assert json.loads(out)["rules"] == find_rules(name, find_game(game)).rules.changes()

    def test_solve(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        solved: list[object] = []

        class Solution:
            value, positions, file = 1.0, 1, Path("q.toml")

        def solve(rules: object, **_: object) -> Solution:
            solved.append(rules)
            return Solution()

        monkeypatch.setattr("simulator.qwixx.solver.solve", solve)
        out = cli("solve qwixx-solo -q --rules q.toml --rule penalty_points=2").out
        assert out.startswith("Qwixx, solo, rules penalty_points=2, rows_to_end=1: ")
        assert solved == [find_game("qwixx").rules.from_changes({"penalty_points": 2, "rows_to_end": 1})]

    def test_a_file_whose_name_is_not_utf_8(self, cli: Cli) -> None:
        name = os.fsdecode(b"caf\xe9.toml")
        Path("my.toml").rename(name)
        code, out, err = cli(["compare", "random", "greedy", "-n", "10", "-q", "--rules", name])
        assert (code, err) == (0, "")
        assert "rules jokers=6, roll_limit=5 ·" in out


PLAY = "compare random greedy -n 10 --out out --run run --records r.jsonl"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rules", "Missing command."),
        ("rules sho short", "No such command 'sho'. Did you mean 'show'?"),
        ("rules list short", "Got unexpected extra argument(s) (short)"),
        ("rules list --game qwix", "unknown game 'qwix'; did you mean 'qwixx'?"),
        ("rules show", "Missing argument 'NAME|FILE'."),
        ("rules show shrt", "unknown house rules 'shrt'; did you mean 'short'?"),
        ("rules show timer30", "unknown house rules 'timer30'; did you mean 'timer-30'?"),
        ("rules show short --game qwix", "unknown game 'qwix'; did you mean 'qwixx'?"),
        (
            "rules show xyzzy --game qwixx",
            "unknown house rules 'xyzzy'; known: early-lock, either-order, even-rows, full-turn, kids-friendly, "
            "official, short, three-rows",
        ),
        (
            "rules show timer-30 --game qwixx",
            "house rules 'timer-30' are of the game 'keer-op-keer', and this is 'qwixx' (--game)",
        ),
        ("rules show folder.toml", "cannot read rules file 'folder.toml': Is a directory"),
        ("rules show none/short", "cannot read rules file 'none/short': No such file or directory"),
        ("rules diff short", "Missing argument 'NAME|FILE'."),
        ("rules diff short none.toml", "cannot read rules file 'none.toml': No such file or directory"),
        (
            "rules diff short q.toml",
            "rules file 'q.toml': these are rules of 'qwixx'; the game played is 'keer-op-keer' (--game)",
        ),
        ("rules init", "Missing argument 'FILE.toml'."),
        ("rules init a", "a rules file must end in .toml; got 'a'"),
        ("rules init a.TOML", "a rules file must end in .toml; got 'a.TOML'"),
        ("rules init q.toml", "'q.toml' exists already; remove it, or choose another name"),
        ("rules init folder.toml", "'folder.toml' exists already; remove it, or choose another name"),
        ("rules init loop.toml", "'loop.toml' exists already; remove it, or choose another name"),
        ("rules init lost.toml", "'lost.toml' exists already; remove it, or choose another name"),
        ("rules init none/a.toml", "cannot write 'none/a.toml': No such file or directory"),
        ("rules init q.toml/a.toml", "cannot write 'q.toml/a.toml': Not a directory"),
        ("rules init /proc/a.toml", "cannot write '/proc/a.toml': No such file or directory"),
        (f"rules init {'x' * 300}.toml", f"cannot write '{'x' * 300}.toml': File name too long"),
        ("rules init a.toml --base shrt", "unknown house rules 'shrt'; did you mean 'short'?"),
        ("rules init a.toml --base a.toml", "cannot read rules file 'a.toml': No such file or directory"),
        ("rules init a.toml --base bad.toml", "rules file 'bad.toml': jokers must be from 0 to 99; got 100"),
        (f"{PLAY} --rules none.toml", "cannot read rules file 'none.toml': No such file or directory"),
        (f"{PLAY} --rules bad.toml", "rules file 'bad.toml': jokers must be from 0 to 99; got 100"),
        (
            f"{PLAY} --rules=",
            "unknown house rules ''; known: costly-stars, everyone-first, few-jokers, in-turn, kids-friendly, "
            "no-jokers, no-open-rolls, official, one-color-end, one-winner-first, open-dice, pass-penalty, short, "
            "soft-start, timer-30",
        ),
        (
            f"{PLAY} --rules short --rules timer-30",
            "--rules is given twice; give one, and what else differs with --rule",
        ),
        (f"{PLAY} --rule jokers=6 --rule jokers=6", "--rule jokers is given twice"),
        (f"{PLAY} --rule joker=6", "unknown rule 'joker'; did you mean 'jokers'?"),
        (f"{PLAY} --rule JOKERS=6", "unknown rule 'JOKERS'; did you mean 'jokers'?"),
        (f"{PLAY} --rule star-penalty=6", "unknown rule 'star-penalty'; did you mean 'star_penalty'?"),
        (f"{PLAY} --rule jokers=+6", "jokers must be a whole number; got '+6'"),
        (f"{PLAY} --rule jokers=1{'0' * 40}", f"jokers must be from 0 to 99; got 1{'0' * 40}"),
        (f"{PLAY} --rule tie_break=mark", "unknown tie_break 'mark'; did you mean 'marks'?"),
        (f"{PLAY} --rule first_for_all=True", "first_for_all must be true or false; got 'True'"),
        (f"{PLAY} --rule color_weights=1,1", "color_weights must be 6 whole numbers; got [1, 1]"),
        (
            f"{PLAY} --rule start_columns=gh",
            "start_columns must be one or more different letters from A to O; got 'gh'",
        ),
        (
            f"{PLAY} --rule number_weights=0,1,1,1,1,0",
            "number_weights never show a 1, so blocks of one cell stay open and the game cannot end; give 1 a weight "
            "or set a roll_limit",
        ),
        (
            f"{PLAY} --rules no-jokers --rule color_weights=1,1,0,0,0,1",
            "color_weights show too few colors to get through sheet black: 0 can be filled, but colors_to_end is 2, so "
            "the game cannot end; raise the weights or set a roll_limit",
        ),
        ("solo greedy -n 10 --rules shrt", "unknown house rules 'shrt'; did you mean 'short'?"),
        ("tournament random greedy -n 10 --rules shrt", "unknown house rules 'shrt'; did you mean 'short'?"),
        ("replay random greedy --rules shrt", "unknown house rules 'shrt'; did you mean 'short'?"),
        ("sheets print black --out a.pdf --rules shrt", "unknown house rules 'shrt'; did you mean 'short'?"),
        (
            "solve qwixx-solo --rules timer-30",
            "house rules 'timer-30' are of the game 'keer-op-keer', and this is 'qwixx' (--game)",
        ),
        ("solve qwixx-solo --rules short --rules short", "--rules is given twice; give one, and what else differs"),
    ],
)
def test_one_clear_line(cli: Cli, line: str, message: str) -> None:
    Path("q.toml").write_text('game = "qwixx"\n')
    Path("bad.toml").write_text("[rules]\njokers = 100\n")
    Path("folder.toml").mkdir()
    Path("loop.toml").symlink_to("loop.toml")
    Path("lost.toml").symlink_to("none.toml")
    before = files()
    code, out, err = cli(line)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1
    assert files() == before
