"""Reading what is typed: counts of games, widths, shares, house rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from simulator.errors import PlanError, RulesError, UnknownNameError

if TYPE_CHECKING:
    from simulator.experiments.stopping import Sprt, Until
    from simulator.game import Game
    from simulator.rules import RuleSet, Switch

_SUFFIXES = {"k": 1000, "M": 1_000_000}
_MOST_DIGITS = 30
MOST_VALUES = 100  # of a range


def parse_count(text: str) -> int:
    """Number of games written ``1000``, ``1_000_000``, ``250k``, ``2M`` or ``1e6``; `PlanError` for anything else."""
    from simulator.experiments.plan import MAX_GAMES

    factor = _SUFFIXES.get(text[-1:], 1)
    count = _decimal(text if factor == 1 else text[:-1]) * factor
    if not count.is_finite() or not 1 <= count <= MAX_GAMES or count != int(count):
        raise PlanError(f"-n must be a whole number of games from 1 to 1e12, such as 1000, 250k or 1e6; got {text!r}")
    return int(count)


def parse_until(text: str, *, solo: bool) -> Until:
    """Width written ``0.2%``, in the solo game points written ``0.05``; `PlanError` for anything else."""
    from simulator.experiments.stopping import Until

    if solo:
        width = _decimal(text)
        if not width.is_finite() or width <= 0:
            raise PlanError(f"--until must be a number of points above 0 in the solo game, such as 0.05; got {text!r}")
        return Until(float(width))
    width = _percent(text)
    if not 0 < width < Decimal("0.5"):
        raise PlanError(f"--until must be a part of the games between 0% and 50%, such as 0.2%; got {text!r}")
    return Until(float(width))


def parse_rules(game: Game, rules: Sequence[str] | None, settings: Sequence[str] | None) -> RuleSet:
    """The rules of one name or file (official if None), with some switches set anew, each as ``key=value``."""
    from simulator.house_rules import find_rules

    return find_rules(one_name(rules), game).rules.changed(parse_settings(game.rules, settings or []))


def one_name(rules: Sequence[str] | None) -> str:
    """The name or file that --rules gives: the official rules if it is not there."""
    from simulator.house_rules import OFFICIAL

    if rules and len(rules) > 1:
        raise RulesError("--rules is given twice; give one, and what else differs with --rule")
    return rules[0] if rules else OFFICIAL


def parse_settings(kind: type[RuleSet], settings: Sequence[str]) -> dict[str, Any]:
    """Some switches, each typed as ``key=value``: a number, a text, true or false, numbers with commas."""
    changes: dict[str, Any] = {}
    switches = {switch.name: switch.official for switch in kind.switches()}
    for setting in settings:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not key or not equals:
            raise RulesError(f"--rule must be a key and a value, such as {next(iter(switches))}=VALUE; got {setting!r}")
        if key not in switches:
            from simulator.house_rules import refuse_other_game

            refuse_other_game(key, kind)
            raise UnknownNameError("rule", key, switches)
        if key in changes:
            raise RulesError(f"--rule {key} is given twice")
        changes[key] = _setting(key, text, switches[key])
    return changes


def parse_sweep(kind: type[RuleSet], settings: Sequence[str]) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Switches with one value, and those to be swept: typed as ``jokers=0:12:2``, ``star_penalty=1,2,3``.

    A range is low:high or low:high:step, with both ends; several values are separated by commas. A switch that has
    several numbers itself takes them and is not swept.
    """
    fixed: dict[str, Any] = {}
    swept: dict[str, list[Any]] = {}
    switches = {switch.name: switch for switch in kind.switches()}
    for setting in settings:
        key, _, text = (part.strip() for part in setting.partition("="))
        found = switches.get(key)
        if found is None or isinstance(found.official, tuple) or not ("," in text or ":" in text):
            key, value = parse_settings(kind, [setting]).popitem()
            _once(key, fixed, swept)
            fixed[key] = value
            continue
        _once(key, fixed, swept)
        swept[key] = _range(found, text) if ":" in text else _values(found, text)
        for value in swept[key]:
            found.verify(value)
    return fixed, swept


def _once(key: str, *given: Mapping[str, Any]) -> None:
    if any(key in settings for settings in given):
        raise RulesError(f"--rule {key} is given twice")


def _range(switch: Switch, text: str) -> list[int]:
    """Whole numbers from low to high, both included."""
    parts = text.split(":")
    if type(switch.official) is not int or len(parts) not in (2, 3):
        wanted = "a range, such as 0:12:2" if type(switch.official) is int else "values separated by commas"
        raise RulesError(f"{switch.name} must be {wanted}; got {text!r}")
    low, high, step = (_whole(switch.name, part, "a range, such as 0:12:2") for part in [*parts, "1"][:3])
    if step < 1 or high < low or (high - low) // step >= MOST_VALUES:
        raise RulesError(
            f"{switch.name} must be a range of {MOST_VALUES} values or fewer, from low to high in steps above 0, such "
            f"as 0:12:2; got {text!r}"
        )
    return list(range(low, high + 1, step))


def _values(switch: Switch, text: str) -> list[Any]:
    values = [_setting(switch.name, part.strip(), switch.official) for part in text.split(",")]
    if len(set(values)) < len(values):
        raise RulesError(f"{switch.name} is given the same value twice: {text!r}")
    return values


def parse_target(text: str) -> tuple[str, float]:
    """A measure and the value it should have, typed as ``rolls=30``; `PlanError` for anything else."""
    name, equals, value = (part.strip() for part in text.rpartition("="))  # "win tidy:jokers=3" has one of its own
    number = _decimal(value)
    if not name or not equals or not number.is_finite():
        raise PlanError(f"--target must be a measure and its value, such as rolls=30; got {text!r}")
    return name, float(number)


def _setting(key: str, text: str, official: object) -> object:
    """The value of a switch from its text."""
    if isinstance(official, bool):
        if text not in ("true", "false"):
            raise RulesError(f"{key} must be true or false; got {text!r}")
        return text == "true"
    if isinstance(official, int):
        return _whole(key, text, "a whole number")
    if isinstance(official, tuple):
        return [_whole(key, part, f"{len(official)} whole numbers with commas") for part in text.split(",")]
    return text


def _whole(key: str, text: str, wanted: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,4000}", text.strip()):
        raise RulesError(f"{key} must be {wanted}; got {text!r}")
    return int(text)


def parse_sprt(text: str) -> Sprt:
    """Two win shares written ``50%:52%`` (or ``50:52%``); `PlanError` for anything else."""
    from simulator.experiments.stopping import Sprt

    low_text, colon, high_text = text.partition(":")
    if colon and high_text.strip().endswith("%") and not low_text.strip().endswith("%"):
        low_text += "%"
    low, high = _percent(low_text), _percent(high_text)
    if not 0 < low < high < 1:
        raise PlanError(f"--sprt must be two win shares, the smaller first, such as 50%:52%; got {text!r}")
    return Sprt(float(low), float(high))


def _percent(text: str) -> Decimal:
    """A share written in per cent; 0 for anything else."""
    text = text.strip()
    share = _decimal(text[:-1]) / 100 if text.endswith("%") else Decimal(0)
    return share if share.is_finite() else Decimal(0)


def _decimal(text: str) -> Decimal:
    """A number of ordinary size; NaN for anything else."""
    try:
        number = Decimal("nan") if "__" in text else Decimal(text.strip())
    except ArithmeticError:
        number = Decimal("nan")
    return number if number.is_finite() and number.adjusted() < _MOST_DIGITS else Decimal("nan")
