"""``kok-sim compare``, ``kok-sim solo`` and ``kok-sim tournament``: play many games and print what came out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kok_sim.cli.arguments import parse_count, parse_rules, parse_sprt, parse_until
from kok_sim.cli.options import Output, Players, Question, RunOption, StrategiesArgument
from kok_sim.plans import GAMES, GAMES_UNTIL, OFFICIAL_BANDS, make_plan
from simulator.errors import PlanError
from simulator.games import find_game

if TYPE_CHECKING:
    from simulator.experiments.plan import Plan


def compare(
    *,
    strategies: StrategiesArgument = None,
    question: Question,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW:HIGH",
            help="Stop once a sequential test tells if the win share of the first strategy is LOW or HIGH: 50%:52%.",
        ),
    ] = None,
    players: Players,
    run: RunOption = None,
    output: Output,
) -> None:
    """Let strategies play each other.

    All strategies sit at one table in every game. All dice are played once for each rotation of the seats. The
    same strategy may be named twice.

    Example: kok-sim compare greedy cautious -n 1e6
    """
    from kok_sim.cli.deliver import deliver

    if question.until is not None and sprt is not None:
        raise PlanError("--until and --sprt are two ways to stop; give one of them")
    deliver(_plan(strategies, question, sprt=sprt), players, output, run)


def solo(
    *,
    strategies: StrategiesArgument = None,
    question: Question,
    bands: Annotated[
        str,
        typer.Option(
            metavar="official|auto[:K]",
            help="Ratings: the official ones, or a proposal of K that the first strategy reaches equally often.",
        ),
    ] = OFFICIAL_BANDS,
    players: Players,
    run: RunOption = None,
    output: Output,
) -> None:
    """Let strategies play the solo game.

    Each strategy plays alone, all with the same dice. --bands auto proposes thresholds for ratings, as many as are
    official (else 10), cut so that the first strategy reaches each level equally often.

    Example: kok-sim solo greedy cautious -n 1e6
    """
    from kok_sim.cli.deliver import deliver

    deliver(_plan(strategies, question, solo=True, bands=bands), players, output, run)


def tournament(
    *,
    strategies: StrategiesArgument = None,
    question: Question,
    table: Annotated[int, typer.Option(metavar="K", help="Players at a table: every group of K plays.")] = 2,
    focus: Annotated[
        str | None, typer.Option(metavar="STRATEGY", help="Only tables at which this one of the strategies sits.")
    ] = None,
    players: Players,
    run: RunOption = None,
    output: Output,
) -> None:
    """Let every pair of strategies play, and rank them.

    With --table K every group of K plays. All tables play the same dice. The ranking is on the scale of Elo; what
    cannot be told apart is said.

    Example: kok-sim tournament greedy cautious random -n 1e5
    """
    from kok_sim.cli.deliver import deliver

    deliver(_plan(strategies, question, table=table, focus=focus), players, output, run)


def _plan(
    strategies: list[str] | None, question: Question, *, sprt: str | None = None, solo: bool = False, **kind: Any
) -> Plan:
    """The plan that was typed."""
    stop = parse_until(question.until, solo=solo) if question.until is not None else None
    most = GAMES if question.until is None and sprt is None else GAMES_UNTIL
    return make_plan(
        strategies or [],
        most if question.number is None else parse_count(question.number),
        seed=question.seed,
        game=question.game,
        board=question.board,
        rules=parse_rules(find_game(question.game), question.rules, question.rule),
        solo=solo,
        independent=question.independent,
        stop=stop if sprt is None else parse_sprt(sprt),
        **kind,
    )
