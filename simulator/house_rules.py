"""House rules by name or in a file: what they change, what they are for, and a file to begin with.

A rules file is TOML: a line ``about``, the name of the ``game`` if wanted, and a table ``[rules]`` with what differs
from the official rules.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simulator.errors import KokSimError, RulesError, UnknownNameError, nearest
from simulator.files import DEEPEST, is_too_deep, read_text
from simulator.games import find_game, game_names
from simulator.rules import RuleSet, Switch

if TYPE_CHECKING:
    from simulator.game import Game

OFFICIAL = "official"
KEYS = ("about", "game", "rules")
SUFFIX = ".toml"
WIDTH = 100


class HouseRules(NamedTuple):
    """A rule set with its name (that of a preset, or the path of a file as it was given) and what it is for."""

    name: str
    about: str
    rules: RuleSet


def preset_names(game: Game) -> list[str]:
    """Names of the shipped rule sets of a game: the official one, then the others by name."""
    files = (resources.files(f"simulator.{game.package}") / "house_rules").iterdir()
    return [OFFICIAL, *sorted(file.name.removesuffix(SUFFIX) for file in files if file.name.endswith(SUFFIX))]


def find_rules(spec: str, game: Game) -> HouseRules:
    """The rule set of a shipped name, or in a file (anything with a slash, or that ends in ``.toml``).

    Raises
    ------
    UnknownNameError
        For a name that is not shipped, or a key that is not known, with the nearest one.
    RulesError
        For a name or file of another game, and a file that cannot be read, is not TOML, or sets something wrong.
    """
    if "/" in spec or "\\" in spec or spec.endswith(SUFFIX):
        text = read_text(Path(spec), "rules file", RulesError)
        try:
            return _read(spec, text, game)
        except KokSimError as error:
            raise RulesError(f"rules file {spec!r}: {error}") from error
    if spec == OFFICIAL:
        return HouseRules(OFFICIAL, f"{game.title} as the rulebook has it.", game.rules())
    if spec not in preset_names(game):
        for other in game_names():
            if spec in preset_names(find_game(other)):
                raise RulesError(f"house rules {spec!r} are of the game {other!r}, and this is {game.name!r} (--game)")
        raise UnknownNameError("house rules", spec, preset_names(game))
    file = resources.files(f"simulator.{game.package}") / "house_rules" / f"{spec}{SUFFIX}"
    return _read(spec, file.read_text(encoding="utf-8"), game)


def _read(name: str, text: str, game: Game) -> HouseRules:
    data = _parsed(text)
    _verify_keys(data, game)
    about, rules = data.get("about", ""), data.get("rules", {})
    if not isinstance(about, str):
        raise RulesError(f"about must be a text; got {about!r}")
    if not isinstance(rules, dict):
        raise RulesError(f"rules must be a table, [rules] on a line of its own; got {rules!r}")
    if find_game(data.get("game", game.name)) is not game:
        raise RulesError(f"these are rules of {data['game']!r}; the game played is {game.name!r} (--game)")
    for key in rules:
        refuse_other_game(key, game.rules)
    line = re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", about).strip()  # what controls a terminal is no part of it
    return HouseRules(name, line, game.rules.from_changes(rules))


def _parsed(text: str) -> dict[str, Any]:
    """What a TOML file holds, if it can be shown in an error."""
    try:
        data = tomllib.loads(text)
        if is_too_deep(data):
            raise RecursionError
        repr(data)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"not valid TOML: {error}") from error
    except RecursionError:
        raise RulesError(f"it is nested more than {DEEPEST} levels deep") from None
    except ValueError:
        raise RulesError("a number in it has thousands of digits") from None
    return data


def _verify_keys(data: Mapping[str, Any], game: Game) -> None:
    names = [switch.name for switch in game.rules.switches()]
    for key in data:
        if key in names:
            raise RulesError(f"{key} must stand below a line [rules]")
        if key in KEYS:
            continue
        below = nearest(key, names)
        if below and not nearest(key, KEYS):
            raise RulesError(f"unknown key {key!r}; did you mean {below!r}, below a line [rules]?")
        raise UnknownNameError("key", key, KEYS)


def refuse_other_game(key: str, kind: type[RuleSet]) -> None:
    """Raise :class:`RulesError` for a switch that another game has and this kind of rules has not."""
    if any(switch.name == key for switch in kind.switches()):
        return
    for name in game_names():
        if any(switch.name == key for switch in find_game(name).rules.switches()):
            raise RulesError(f"{key} is a rule of the game {name!r} (--game {name})")


def differences(first: RuleSet, second: RuleSet) -> list[tuple[Switch, Any, Any]]:
    """The switches in which two rule sets of a game differ, with the value that each has."""
    both = [(s, getattr(first, s.name), getattr(second, s.name)) for s in first.switches()]
    return [(switch, a, b) for switch, a, b in both if a != b]


def template(game: Game, base: HouseRules) -> str:
    """A rules file with every switch of a game: what it means, what it may be, its official value.

    What differs from the official rules in ``base`` is set, all else a comment.
    """
    lines = [
        f"# House rules for {game.title}. A line without # counts; all else is as in the official rules.",
        f"about = {toml(base.about if base.name != OFFICIAL else 'what these rules are for')}",
        f"game = {toml(game.name)}",
        "",
        "[rules]",
    ]
    for switch in game.rules.switches():
        value = getattr(base.rules, switch.name)
        lines += textwrap.wrap(f"{switch.about} ({switch.allowed})", WIDTH, initial_indent="# ", subsequent_indent="# ")
        changed = value != switch.official
        lines += [f"# official: {toml(switch.official)}"] if changed else []
        lines += [f"{'' if changed else '# '}{switch.name} = {toml(value)}", ""]
    return "\n".join(lines)


def toml(value: object) -> str:
    """A value as TOML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
