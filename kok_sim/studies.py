"""Studies of rules and sheets, from names to a finding: what the command line and the Python interface share."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kok_sim.plans import find_house_rules, make_plan
from simulator.errors import PlanError, SheetError, UnknownNameError
from simulator.games import DEFAULT, find_game
from simulator.house_rules import OFFICIAL, HouseRules
from simulator.rules import typed

if TYPE_CHECKING:
    from kok_sim.plans import Rules
    from reports.rating import Rating
    from reports.survey import Column
    from reports.sweep import Sweep
    from reports.variant import Variant
    from simulator.experiments.plan import Plan
    from simulator.experiments.study import Study
    from simulator.rules import RuleSet
    from simulator.strategy import Strategy

OnProgress = Callable[[int, int], None]

MOST_SETTINGS = 100  # of a sweep, and sheets that are rated
SHOWN = ("rolls", "mean_score", "margin", "close", "start_win_lead")  # measures of a sweep if none are named
SOLO_RATED, TABLE_RATED = ("mean_score", "sd_score"), ("mean_score", "rolls")  # measures of sheets


def play_variant(
    rules: Rules,
    strategies: Sequence[str | Strategy],
    games: int,
    *,
    base: Rules = OFFICIAL,
    settings: Mapping[str, Any] | None = None,
    game: str = DEFAULT,
    seed: int = 1,
    board: str | None = None,
    solo: bool = False,
    threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> Variant:
    """Play two rule sets with the same strategies on the same dice.

    Parameters
    ----------
    rules, base : str, RuleSet or mapping
        The house rules, and what they are compared with: names or files, rule sets, or what differs from the official.
    settings : mapping, optional
        Switches that the house rules set besides.
    games : int
        Of each rule set.
    strategies, game, seed, board, solo
        As in :func:`kok_sim.plans.make_plan`.
    threads, on_progress
        As in :func:`simulator.experiments.study.study`.

    Raises
    ------
    KokSimError
        In one line, for whatever is wrong.
    """
    from reports.variant import Variant

    played = find_game(game)
    sets = [find_house_rules(base, played), _with(find_house_rules(rules, played), settings or {})]
    if sets[0].rules == sets[1].rules:
        raise PlanError(f"{sets[0].name} and {sets[1].name} are the same rules, so nothing can differ")
    plans = [
        make_plan(strategies, games, game=game, seed=seed, board=board, solo=solo, rules=found.rules) for found in sets
    ]
    duels = [] if solo else [_duel(plan, found.rules) for plan, found in zip(plans, sets, strict=True)]
    both = _Together(on_progress, plans, duels)
    found = both.study(plans, threads)
    duel = both.study(duels, threads) if duels else None
    return Variant((sets[0].name, sets[1].name), found, duel)


def play_sweep(
    swept: Mapping[str, Sequence[Any]],
    strategies: Sequence[str | Strategy],
    games: int,
    *,
    rules: Rules = OFFICIAL,
    settings: Mapping[str, Any] | None = None,
    measures: Sequence[str] = (),
    target: tuple[str, float] | None = None,
    game: str = DEFAULT,
    seed: int = 1,
    board: str | None = None,
    solo: bool = False,
    threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> Sweep:
    """Play the same strategies on the same dice with one or two rules at several values.

    Parameters
    ----------
    swept : mapping of str to sequence
        One or two switches, each with two values or more.
    games : int
        At each setting.
    rules, settings
        The rules in which these switches are changed, and switches that are set besides, as in :func:`play_variant`.
    measures : sequence of str
        Which are shown, by name; a few if none are named.
    target : (str, float), optional
        A measure, and the value that it should have, as shown: per cent where it is shown in per cent.
    strategies, game, seed, board, solo, threads, on_progress
        As in :func:`play_variant`.

    Raises
    ------
    KokSimError
        In one line, for whatever is wrong.
    """
    from reports.sweep import Sweep

    if not 1 <= len(swept) <= 2:
        raise PlanError(
            f"a sweep needs one or two rules with several values, such as jokers=0:12:2; got {len(swept)} (rules that "
            "are lists themselves are not swept)"
        )
    for name, values in swept.items():
        _verify_values(name, values)
    if target is not None and not (isinstance(target[1], int | float) and math.isfinite(target[1])):
        raise PlanError(f"the target must be a measure and a number; got {target!r}")
    count = math.prod(len(values) for values in swept.values())
    if count > MOST_SETTINGS:
        raise PlanError(f"a sweep has {MOST_SETTINGS} settings or fewer; got {count}")
    house = _with(find_house_rules(rules, find_game(game)), settings or {})
    points = [dict(zip(swept, values, strict=True)) for values in itertools.product(*swept.values())]
    plans = [
        make_plan(strategies, games, game=game, seed=seed, board=board, solo=solo, rules=house.rules.changed(point))
        for point in points
    ]
    columns = _columns(plans[0], measures, None if target is None else target[0])
    duels = [_duel(plan, plan.rules) for plan in plans] if any(column.study for column in columns) else []
    together = _Together(on_progress, plans, duels)
    studies = [together.study(several, threads) for several in (plans, duels) if several]
    names = [column.measure.name for column in columns]
    return Sweep(
        axes=tuple((name, tuple(map(typed, values))) for name, values in swept.items()),
        studies=tuple(studies),
        columns=tuple(columns),
        base=next((i for i, plan in enumerate(plans) if plan.rules == house.rules), 0),
        name=house.name if house.name != OFFICIAL else house.rules.told(),
        target=None if target is None else (names.index(target[0]), target[1]),
    )


def _verify_values(name: str, values: Any) -> None:
    """Refuse what is no list of two different values or more."""
    several = isinstance(values, Sequence) and not isinstance(values, str)
    shown = [typed(value) for value in values] if several else []
    if len(set(shown)) < max(len(shown), 2):
        raise PlanError(f"{name} needs two or more different values to be swept; got {', '.join(shown) or values!r}")


def _columns(plan: Plan, wanted: Sequence[str], target: str | None) -> list[Column]:
    """The measures that are shown of a sweep."""
    from reports.measures import measures, skill
    from reports.survey import Column

    known = {measure.name: Column(measure) for measure in measures(plan)}
    if not plan.solo:
        known["skill"] = Column(skill(_duel(plan, plan.rules)), 1)
    names = list(wanted) or [name for name in (*SHOWN, f"win {plan.labels[0]}") if name in known]
    if target is not None and target not in names:
        names.insert(0, target)
    for name in names:
        if name not in known:
            raise UnknownNameError("measure", name, known)
    return [known[name] for name in dict.fromkeys(names)]


def play_rating(
    sheets: Sequence[str],
    strategies: Sequence[str | Strategy],
    games: int,
    *,
    rules: Rules | None = None,
    game: str = DEFAULT,
    seed: int = 1,
    threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> Rating:
    """Let strategies play on several sheets with the same dice: alone, and, if there are two or more, at a table.

    Parameters
    ----------
    sheets : sequence of str
        Names or files; all shipped ones if empty.
    games : int
        Solo games of each strategy on each sheet, and games at a table on each sheet.
    rules, strategies, game, seed, threads, on_progress
        As in :func:`kok_sim.plans.make_plan` and :func:`play_variant`.

    Raises
    ------
    KokSimError
        In one line, for whatever is wrong.
    """
    from reports.measures import measures
    from reports.rating import Rating
    from reports.survey import Column

    played = find_game(game)
    if played.sheets is None:
        raise SheetError(f"{played.title} has only one sheet; there is nothing to compare")
    names = list(sheets) or played.sheets.names()
    if len(set(names)) < len(names):
        raise SheetError("a sheet is named twice; name each once")
    if len(names) > MOST_SETTINGS:
        raise SheetError(f"{MOST_SETTINGS} sheets or fewer can be compared; got {len(names)}")

    boards = [played.sheets.load(name) for name in names]

    def plans(*, solo: bool) -> list[Plan]:
        plan = make_plan(strategies, games, game=game, seed=seed, rules=rules, solo=solo)
        return [replace(plan, sheets=(board,) * len(plan.strategies)) for board in boards]

    alone = plans(solo=True)
    table = plans(solo=False) if len(strategies) > 1 else []
    together = _Together(on_progress, alone, table)
    studies = [together.study(several, threads) for several in (alone, table) if several]
    columns = [
        Column(replace(measure, label=f"{where} {measure.label}", name=f"{where} {measure.name}"), study)
        for study, (where, shown) in enumerate([("solo", SOLO_RATED), ("table", TABLE_RATED)][: len(studies)])
        for measure in measures(studies[study].plans[0])
        if measure.name in shown or (where == "solo" and measure.name.startswith("score "))
    ]
    return Rating(axes=(("sheet", tuple(names)),), studies=tuple(studies), columns=tuple(columns), base=0)


def _with(house: HouseRules, settings: Mapping[str, Any]) -> HouseRules:
    """House rules with some switches set besides, which their name then tells."""
    if not settings:
        return house
    rules = house.rules.changed(settings)
    told = ", ".join(f"{key}={typed(getattr(rules, key))}" for key in settings)
    return HouseRules(told if house.name == OFFICIAL else f"{house.name}, {told}", house.about, rules)


def _duel(plan: Plan, rules: RuleSet) -> Plan:
    """The match that shows what skill is worth, on the first sheet of a plan."""
    board = plan.sheets[0].name if plan.sheets else None
    return make_plan(plan.played.duel, plan.games, game=plan.game, seed=plan.seed, board=board, rules=rules)


class _Together:
    """Several studies as one: with one progress, and nothing is played of those after an interrupted one."""

    def __init__(self, on_progress: OnProgress | None, *studies: Sequence[Plan]) -> None:
        self._on_progress, self._done, self._interrupted = on_progress, 0, False
        self._total = sum(plan.blocks * len(plan.seating) for plans in studies for plan in plans)

    def study(self, plans: Sequence[Plan], threads: int | None) -> Study:
        from simulator.experiments.study import Study, study

        if self._interrupted:
            return Study.unplayed(plans)
        begin, games = self._done, sum(len(plan.seating) for plan in plans)

        def tell(done: int, _total: int) -> None:
            self._done = begin + done * games // len(plans)
            if self._on_progress is not None:
                self._on_progress(self._done, self._total)

        found = study(plans, threads=threads, on_progress=tell)
        self._interrupted = found.interrupted
        return found
