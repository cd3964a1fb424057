"""House rules in files: what is shipped, what a template holds, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kok_sim
from simulator.errors import KokSimError, RulesError
from simulator.files import DEEPEST
from simulator.game import Game
from simulator.games import find_game, game_names
from simulator.house_rules import OFFICIAL, HouseRules, differences, find_rules, preset_names, template, toml

KEER, QWIXX = find_game("keer-op-keer"), find_game("qwixx")
GAMES = [find_game(name) for name in game_names()]
PRESETS = [(game, name) for game in GAMES for name in preset_names(game) if name != OFFICIAL]

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
each_preset = pytest.mark.parametrize(("game", "name"), PRESETS, ids=lambda part: getattr(part, "name", part))


def read(text: str | bytes, game: Game = KEER) -> HouseRules:
    """What is found in a file of this text."""
    path = Path("my.toml")
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return find_rules("my.toml", game)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder."""
    monkeypatch.chdir(tmp_path)


@each_game
def test_official_rules_come_first_and_the_others_by_name(game: Game) -> None:
    first, *others = preset_names(game)
    assert first == OFFICIAL
    assert others == sorted(others)
    assert {"kids-friendly", "short"} <= set(others)
    assert find_rules(OFFICIAL, game) == (OFFICIAL, f"{game.title} as the rulebook has it.", game.rules())


def test_house_rules_that_are_promised_are_there() -> None:
    promised = {"soft-start", "timer-30", "everyone-first", "no-jokers", "one-color-end", "short", "kids-friendly"}
    assert promised <= set(preset_names(KEER))


@each_preset
def test_a_preset_differs_and_says_what_for(game: Game, name: str) -> None:
    found = find_rules(name, game)
    assert found.name == name
    assert found.rules.changes()
    assert found.about.endswith(".")
    assert found.about.count(".") == 1
    assert found.about[0].isupper()
    assert found.about.isprintable()
    same = [other for other in preset_names(game) if find_rules(other, game).rules == found.rules]
    assert same == [name]


@each_preset
def test_a_preset_can_be_played(game: Game, name: str) -> None:
    result = kok_sim.compare("random", game.duel[1], games=20, game=game.name, rules=name, threads=1).result
    assert result.plan.rules == find_rules(name, game).rules
    assert result.tally.stopped == 0


@each_game
def test_a_template_gives_the_same_rules_again(game: Game) -> None:
    for name in preset_names(game):
        base = find_rules(name, game)
        again = read(template(game, base), game)
        assert again.rules == base.rules
        assert again.about == (base.about if name != OFFICIAL else "what these rules are for")
        assert template(game, again._replace(name=name)) == template(game, base)


@each_game
def test_a_template_holds_every_key_once_with_range_and_official_value(game: Game) -> None:
    changed = game.rules.from_changes(find_rules("kids-friendly", game).rules.changes())
    for rules in (game.rules(), changed):
        *_, body = template(game, HouseRules("x", "x", rules)).split("[rules]\n")
        parts = [part for part in body.split("\n\n") if part.strip()]
        assert len(parts) == len(game.rules.switches())
        for switch, part in zip(game.rules.switches(), parts, strict=True):
            lines = part.splitlines()
            value = getattr(rules, switch.name)
            set_here = value != switch.official
            assert lines[-1] == f"{'' if set_here else '# '}{switch.name} = {toml(value)}"
            assert (lines[-2] == f"# official: {toml(switch.official)}") == set_here
            told = " ".join(line.removeprefix("# ") for line in lines[: -2 if set_here else -1])
            assert told == f"{switch.about} ({switch.allowed})"
            assert max(map(len, lines)) <= 100


@each_game
def test_a_template_without_its_comment_signs_is_official(game: Game) -> None:
    text = template(game, find_rules(OFFICIAL, game))
    names = [switch.name for switch in game.rules.switches()]
    settings = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")]
    settings = [line for line in settings if line.split(" = ")[0] in names]
    assert [line.split(" = ")[0] for line in settings] == names
    head = text[: text.index("[rules]\n")]
    assert read(f"{head}[rules]\n" + "\n".join(settings), game).rules == game.rules()


def test_any_text_may_say_what_rules_are_for() -> None:
    about = r'"She said: \"no\\ jokers\" é 🎲\u200d # really\u001b[2J \u0000 \u007f\n\t then"'
    found = read(f"about = {about}\n[rules]\njokers = 0\n")
    assert found.about == 'She said: "no\\ jokers" é 🎲\u200d # really [2J then'
    again = read(template(KEER, found))
    assert (again.about, again.rules) == (found.about, found.rules)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("", {}),
        ('about = "nothing"', {}),
        ("[rules]\n", {}),
        ("[rules]\njokers = 6", {"jokers": 6}),
        (b"\xef\xbb\xbf[rules]\r\njokers = 6\r\n", {"jokers": 6}),
        ("rules = {jokers = 6}", {"jokers": 6}),
        ("rules.jokers = 0x6", {"jokers": 6}),
        ('game = "keer-op-keer"\n[rules]\nfirst_for_all = true', {"first_for_all": True}),
        ('[rules]\nstart_columns = "GI"\ntie_break = "stars"', {"start_columns": "GI", "tie_break": "stars"}),
        ("[rules]\ncolor_weights = [\n2, 1, 1, # dull\n1, 1, 1]", {"color_weights": [2, 1, 1, 1, 1, 1]}),
        ("[rules]\njokers = 8", {}),
    ],
)
def test_a_file_sets_what_differs(text: str | bytes, changes: dict[str, Any]) -> None:
    assert read(text).rules.changes() == changes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("jokers", "not valid TOML: Expected '=' after a key in a key/value pair (at "),
        ("[rules]\nfirst_for_all = True", "not valid TOML: Invalid value (at line 2, column 17)"),
        ("[rules]\njokers = 6\njokers = 6", "not valid TOML: Cannot overwrite a value (at "),
        ("[rules]\n[rules]", "not valid TOML: Cannot declare ('rules',) twice (at "),
        (f"[rules]\njokers = {'9' * 5000}", "a number in it has thousands of digits"),
        (f"[rules]\njokers = 0x{'f' * 8000}", "a number in it has thousands of digits"),
        (f"[rules]\ncolor_weights = [0x{'f' * 8000}]", "a number in it has thousands of digits"),
        (f"a = {'[' * 3000}", f"it is nested more than {DEEPEST} levels deep"),
        (f"[rules]\njokers = {'[' * 60}{']' * 60}", f"it is nested more than {DEEPEST} levels deep"),
        (f"[rules]\njokers.{'.'.join('a' * 500)} = 1", f"it is nested more than {DEEPEST} levels deep"),
        ("about = 3", "about must be a text; got 3"),
        ("rules = 'short'", "rules must be a table, [rules] on a line of its own; got 'short'"),
        ("[[rules]]\njokers = 6", "rules must be a table, [rules] on a line of its own; got [{'jokers': 6}]"),
        ("jokers = 6", "jokers must stand below a line [rules]"),
        ("[jokers]\nx = 6", "jokers must stand below a line [rules]"),
        ("joker = 6", "unknown key 'joker'; did you mean 'jokers', below a line [rules]?"),
        ("star-penalty = 6", "unknown key 'star-penalty'; did you mean 'star_penalty', below a line [rules]?"),
        ("[Rules]\njokers = 6", "unknown key 'Rules'; did you mean 'rules'?"),
        ("[rule]\njokers = 6", "unknown key 'rule'; did you mean 'rules'?"),
        ("title = 'x'", "unknown key 'title'; known: about, game, rules"),
        ("game = 3", "a game must be a name, such as 'keer-op-keer'; got int"),
        ("game = 'qwix'", "unknown game 'qwix'; did you mean 'qwixx'?"),
        ("game = ''", "unknown game ''; known: keer-op-keer, qwixx"),
        ("game = 'qwixx'", "these are rules of 'qwixx'; the game played is 'keer-op-keer' (--game)"),
        ("[rules]\njoker = 6", "unknown rule 'joker'; did you mean 'jokers'?"),
        ("[rules]\nJOKERS = 6", "unknown rule 'JOKERS'; did you mean 'jokers'?"),
        ("[rules]\nstar-penalty = 6", "unknown rule 'star-penalty'; did you mean 'star_penalty'?"),
        ("[rules]\njokers = 6.0", "jokers must be a whole number; got 6.0"),
        ("[rules]\njokers = nan", "jokers must be a whole number; got nan"),
        ("[rules]\njokers = '6'", "jokers must be a whole number; got '6'"),
        ("[rules]\njokers = true", "jokers must be a whole number; got True"),
        ("[rules]\njokers = [6]", "jokers must be a whole number; got [6]"),
        ("[rules]\njokers = {x = 1}", "jokers must be a whole number; got {'x': 1}"),
        ("[rules]\njokers = -1", "jokers must be from 0 to 99; got -1"),
        (f"[rules]\njokers = 1{'0' * 40}", f"jokers must be from 0 to 99; got 1{'0' * 40}"),
        ("[rules]\nfirst_for_all = 1", "first_for_all must be true or false; got 1"),
        ("[rules]\ncolor_weights = []", "color_weights must be 6 whole numbers; got []"),
        ("[rules]\ncolor_weights = [1, 1]", "color_weights must be 6 whole numbers; got [1, 1]"),
        ("[rules]\ncolor_weights = [[1]]", "color_weights must be 6 whole numbers; got [[1]]"),
        ("[rules]\ncolor_weights = [1, 1, 1, 1, 1, 10]", "color_weights must be from 0 to 9; got 10"),
        ("[rules]\ncolor_weights = 1", "color_weights must be 6 whole numbers; got 1"),
        ("[rules]\nstart_columns = ['G', 'H']", "start_columns must be a text; got ['G', 'H']"),
        ("[rules]\nstart_columns = 'h'", "start_columns must be one or more different letters from A to O; got 'h'"),
        ("[rules]\ntie_break = 'mark'", "unknown tie_break 'mark'; did you mean 'marks'?"),
        (
            "[rules]\ncolor_weights = [1, 0, 0, 0, 0, 0]",
            "color_weights show only 1 of the colors but colors_to_end is 2: the game cannot end; raise the weights or "
            "set a roll_limit",
        ),
    ],
)
def test_one_line_for_what_is_wrong_in_a_file(text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        read(text)
    found = str(caught.value)
    expected = f"rules file 'my.toml': {message}"
    assert found.startswith(expected) if message.endswith("(at ") else found == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[rules]\njokers = 6", "jokers is a rule of the game 'keer-op-keer' (--game keer-op-keer)"),
        ("[rules]\nrow_points = [1, 2]", "row_points must be 12 whole numbers; got [1, 2]"),
        ("row_point = 3", "unknown key 'row_point'; did you mean 'row_points', below a line [rules]?"),
        ("game = 'keer-op-keer'", "these are rules of 'keer-op-keer'; the game played is 'qwixx' (--game)"),
    ],
)
def test_one_line_for_what_is_wrong_in_a_file_of_qwixx(text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        read(text, QWIXX)
    assert str(caught.value).startswith(f"rules file 'my.toml': {message}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("none.toml", "cannot read rules file 'none.toml': No such file or directory"),
        ("./short", "cannot read rules file 'short': No such file or directory"),
        ("folder.toml", "cannot read rules file 'folder.toml': Is a directory"),
        ("binary.toml", "cannot read rules file 'binary.toml': it is not a text file"),
        ("utf-16.toml", "cannot read rules file 'utf-16.toml': it is not a text file"),
        ("timer30", "unknown house rules 'timer30'; did you mean 'timer-30'?"),
        ("soft_start", "unknown house rules 'soft_start'; did you mean 'soft-start'?"),
        ("SHORT", "unknown house rules 'SHORT'; did you mean 'short'?"),
        ("early-lock", "house rules 'early-lock' are of the game 'qwixx', and this is 'keer-op-keer' (--game)"),
    ],
)
def test_one_line_for_what_is_not_there(spec: str, message: str) -> None:
    Path("folder.toml").mkdir()
    Path("binary.toml").write_bytes(bytes(range(256)))
    Path("utf-16.toml").write_bytes("[rules]\n".encode("utf-16"))
    with pytest.raises(KokSimError) as caught:
        find_rules(spec, KEER)
    assert str(caught.value) == message


def test_a_name_is_a_preset_and_a_path_a_file() -> None:
    for place in ("short", "short.toml"):
        Path(place).write_text("[rules]\njokers = 1\n")
    assert find_rules("short", KEER).rules.changes() == {"colors_to_end": 1, "jokers": 4, "roll_limit": 20}
    for path in ("./short", "short.toml"):
        assert find_rules(path, KEER) == (path, "", KEER.rules.from_changes({"jokers": 1}))


def test_differences_are_in_the_order_of_the_switches() -> None:
    first, second = (KEER.rules.from_changes(changes) for changes in ({"jokers": 6}, {"start_columns": "GH"}))
    found = [(switch.name, a, b) for switch, a, b in differences(first, second)]
    assert found == [("start_columns", "H", "GH"), ("jokers", 6, 8)]
    assert differences(first, first) == []
