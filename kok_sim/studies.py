"""Studies of rules and sheets, from names to a finding: what the command line and the Python interface share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kok_sim.plans import make_plan
from simulator.games import DEFAULT, find_game
from simulator.house_rules import OFFICIAL, HouseRules, find_rules
from simulator.rules import typed

if TYPE_CHECKING:
    from reports.variant import Variant
    from simulator.experiments.plan import Plan
    from simulator.rules import RuleSet
    from simulator.strategy import Strategy

OnProgress = Callable[[int, int], None]


def play_variant(
    rules: str,
    strategies: Sequence[str | Strategy],
    games: int,
    *,
    base: str = OFFICIAL,
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
    rules, base : str
        Names or files of rule sets: the house rules, and what they are compared with.
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
    sets = [find_rules(base, played), _with(find_rules(rules, played), settings or {})]
    plans = [
        make_plan(strategies, games, game=game, seed=seed, board=board, solo=solo, rules=found.rules) for found in sets
    ]
    duels = [] if solo else [_duel(plan, found.rules) for plan, found in zip(plans, sets, strict=True)]
    both = _Together(on_progress, plans, duels)
    found = both.study(plans, threads)
    duel = both.study(duels, threads) if duels and not found.interrupted else None
    return Variant((sets[0].name, sets[1].name), found, duel)


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
    """Progress of several studies as one."""

    def __init__(self, on_progress: OnProgress | None, *studies: Sequence[Plan]) -> None:
        self._on_progress, self._done = on_progress, 0
        self._total = sum(plan.blocks * len(plan.seating) for plans in studies for plan in plans)

    def study(self, plans: Sequence[Plan], threads: int | None) -> Any:
        from simulator.experiments.study import study

        begin, games = self._done, sum(len(plan.seating) for plan in plans)

        def tell(done: int, _total: int) -> None:
            self._done = begin + done * games // len(plans)
            if self._on_progress is not None:
                self._on_progress(self._done, self._total)

        return study(plans, threads=threads, on_progress=tell)
