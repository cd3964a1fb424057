"""From what is named to a plan and those who play it: what the command line and the Python interface share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simulator.errors import PlanError, UnknownNameError
from simulator.games import DEFAULT, find_game

if TYPE_CHECKING:
    from simulator.experiments.plan import Plan
    from simulator.experiments.stopping import Rule
    from simulator.experiments.workers import Playable, Workers
    from simulator.game import Game, Sheet
    from simulator.house_rules import HouseRules
    from simulator.rules import RuleSet
    from simulator.strategy import Strategy

    Rules = RuleSet | str | Mapping[str, Any]

OFFICIAL_BANDS = "official"
LEVELS_WITHOUT_OFFICIAL = 10  # that are proposed for a game that has no official ratings
GAMES, GAMES_UNTIL = 10**5, 10**8  # that are played if no number is given: without and with a stopping rule


def make_plan(
    strategies: Sequence[str | Strategy],
    games: int,
    *,
    game: str = DEFAULT,
    seed: int = 1,
    board: str | None = None,
    solo: bool = False,
    table: int | None = None,
    focus: str | Strategy | None = None,
    independent: bool = False,
    stop: Rule | None = None,
    rules: Rules | None = None,
    bands: str = OFFICIAL_BANDS,
) -> Plan:
    """The plan of an experiment.

    Parameters
    ----------
    strategies : sequence of str or Strategy
        Specifications, or strategies themselves.
    game : str
        Name of the game that is played.
    board : str, optional
        Names or files of sheets: one for all, or one for each strategy, separated by commas; the first of the game if
        left out.
    focus : str or Strategy, optional
        Of a tournament: one of ``strategies`` as it is given there; the plan has it first.
    rules : RuleSet, str or mapping, optional
        A rule set, or the name or file of one, or what differs from the official ones; these if left out.
    bands : str
        How solo scores are rated, see :func:`find_levels`.
    games, seed, solo, table, independent, stop
        As in :class:`simulator.experiments.plan.Plan`.

    Raises
    ------
    KokSimError
        In one line, for whatever is wrong.
    """
    from simulator.experiments.plan import Plan

    specs = list(strategies)
    boards = find_boards(find_game(game), board, len(specs))
    found = [find(spec, game) for spec in specs]
    if focus is not None:
        names = [spec if isinstance(spec, str) else spec.name for spec in specs]
        wanted = focus if isinstance(focus, str) else find(focus, game).name
        if wanted not in names:
            raise UnknownNameError("strategy to focus on", wanted, names)
        place = names.index(wanted)
        found = [found[place], *found[:place], *found[place + 1 :]]
        boards = [*boards[place : place + 1], *boards[:place], *boards[place + 1 :]]
    plan = Plan(
        tuple(found),
        tuple(boards),
        games,
        seed,
        find_house_rules(rules, find_game(game)).rules,
        solo=solo,
        game=game,
        table=table,
        focus=focus is not None,
        independent=independent,
        stop=stop,
        levels=find_levels(bands, find_game(game)),
    )
    _verify_names(plan)
    return plan


def find_levels(bands: str, game: Game) -> int:
    """How many ratings to propose: 0 for ``"official"``, 7 for ``"auto:7"``, for ``"auto"`` as many as are official.

    Raises
    ------
    PlanError
        For anything else.
    """
    from simulator.experiments.plan import LEVELS

    if bands == OFFICIAL_BANDS:
        return 0
    if bands == "auto":
        return len(game.bands) or LEVELS_WITHOUT_OFFICIAL
    levels = re.fullmatch("auto:([0-9]{1,2})", bands) if isinstance(bands, str) else None
    if levels is None or int(levels[1]) not in LEVELS:
        least, most = LEVELS[0], LEVELS[-1]
        raise PlanError(f"bands must be official, auto, or auto:{least} to auto:{most}; got {bands!r}")
    return int(levels[1])


def find(spec: str | Strategy, game: str) -> Strategy:
    """A strategy, from its specification if need be."""
    from simulator.strategy import Scored, Solved, Weights
    from strategies import find_strategy

    if not isinstance(spec, str | Weights | Scored | Solved):
        raise PlanError(f"a strategy must be a name, a file, or a Strategy; got {spec!r}")
    return find_strategy(spec, game) if isinstance(spec, str) else spec


def find_house_rules(rules: Rules | None, game: Game) -> HouseRules:
    """A rule set with its name: from its name, its file, or what differs from the official one."""
    from simulator.house_rules import OFFICIAL, HouseRules, find_rules
    from simulator.rules import RuleSet

    if isinstance(rules, str | None):
        return find_rules(OFFICIAL if rules is None else rules, game)
    if isinstance(rules, Mapping):
        rules = game.rules.from_changes(rules)
    if not isinstance(rules, RuleSet):
        raise PlanError(f"rules must be a name, a file, a RuleSet, or a mapping of what differs; got {rules!r}")
    return HouseRules(", ".join(rules.typed()) or OFFICIAL, "", rules)


def find_boards(game: Game, text: str | None, players: int) -> list[Sheet]:
    """The sheet of each player, from one name for all or one for each, separated by commas; none of a game with one."""
    if game.sheets is None:
        if text is not None:
            raise PlanError(f"{game.title} has only one sheet; got the board {text!r}")
        return []
    if text is None:
        text = game.sheets.names()[0]
    if not isinstance(text, str):
        raise PlanError(f"a board must be a name or a file, or several separated by commas; got {text!r}")
    names = text.split(",")
    if len(names) not in (1, players):
        raise PlanError(f"the board must be one for all or one for each of {players} strategies; got {len(names)}")
    boards = [game.sheets.load(name.strip()) for name in names]
    return boards * players if len(boards) == 1 else boards


def plan_from(description: Mapping[str, Any]) -> Plan:
    """The plan that a result or a run folder describes; `KokSimError` in one line if it cannot be had."""
    from simulator.experiments.plan import Plan
    from strategies import rebuild

    entries = description.get("strategies")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise PlanError("the description of the experiment is damaged: strategies must be a list of objects")
    game = description.get("game")
    if not isinstance(game, str):
        what = f"is {game!r}" if "game" in description else "is missing"
        raise PlanError(f"the description of the experiment is damaged: game {what}")
    strategies = [rebuild(entry.get("name", ""), entry.get("settings", {}), game) for entry in entries]
    plan = Plan.from_description(description, strategies)
    _verify_names(plan)
    return plan


def _verify_names(plan: Plan) -> None:
    """Raise for a name that no file can hold, such as that of a file whose name is not UTF-8."""
    for named in (*plan.strategies, *plan.sheets):
        try:
            named.name.encode()
        except UnicodeEncodeError:
            raise PlanError(f"the name {named.name!r} is not UTF-8; give the file another one") from None


def find_workers(plan: Plan, table: Playable, threads: int | None, cluster: str | None) -> Workers:
    """Threads of this machine, or the workers of a cluster: who plays never changes the result."""
    from simulator.experiments.workers import Threads

    if cluster is None:
        return Threads(plan, table, threads)
    from simulator.experiments.cluster import Cluster
    from strategies import pack

    if threads is not None:
        raise PlanError("threads are those of this machine; the workers of a cluster have their own: leave one out")
    return Cluster(plan, cluster, pack=pack)
