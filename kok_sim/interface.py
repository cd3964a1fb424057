"""The Python interface, for notebooks and scripts: experiments as functions, results as objects.

>>> from kok_sim import compare
>>> found = compare("greedy", "cautious", games=1000)
>>> found.summary["win_share"]["cautious"] > 0.8
True
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kok_sim import __version__
from kok_sim.plans import GAMES, GAMES_UNTIL, OFFICIAL_BANDS, find_workers, make_plan, plan_from
from kok_sim.running import play
from kok_sim.shown import Shown, StudyResult
from simulator.games import DEFAULT

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from kok_sim.plans import Rules
    from reports.statistics import Figures
    from simulator.experiments.plan import Plan
    from simulator.experiments.result import Result
    from simulator.experiments.stopping import Rule
    from simulator.strategy import Strategy


class Experiment(Shown):
    """What came out of an experiment, as tables, text and plots. In a notebook it shows itself.

    Parameters
    ----------
    result : Result

    Attributes
    ----------
    result : Result
        The counts, and how the run went.
    """

    def __init__(self, result: Result) -> None:
        super().__init__(result)
        self.result = result

    @cached_property
    def figures(self) -> Figures:
        """All figures, as :class:`reports.statistics.Figures`."""
        from reports.statistics import figures

        return figures(self.result)

    @property
    def summary(self) -> pd.DataFrame:
        """A row for each strategy: measures, with ``…_se``, ``…_low`` and ``…_high``."""
        from reports import frames

        return frames.summary(self.figures)

    @property
    def scores(self) -> pd.DataFrame:
        """Games of each strategy (columns) by score (rows)."""
        from reports import frames

        return frames.scores(self.result)

    @property
    def margins(self) -> pd.DataFrame:
        """Games of each further strategy (columns) by score difference to the first (rows)."""
        from reports import frames

        return frames.margins(self.result)

    @property
    def pairs(self) -> pd.DataFrame:
        """Differences of all pairs: the second strategy minus the first, with intervals and adjusted p values."""
        from reports import frames

        return frames.pairs(self.figures)

    @property
    def win_shares(self) -> pd.DataFrame:
        """Tournament: win share of the strategy of the row in games with that of the column."""
        from reports import frames

        return frames.win_shares(self.figures)

    @property
    def sentences(self) -> list[str]:
        """What was found, in words."""
        from reports.sentences import sentences

        return sentences(self.figures)

    def plot_win_shares(self) -> Figure:
        """Win share of each strategy with its interval."""
        return self.plot("win-shares")

    def plot_scores(self) -> Figure:
        """Distribution of scores."""
        return self.plot("scores")

    def plot_margins(self) -> Figure:
        """Distribution of score differences to the first strategy."""
        return self.plot("margins")

    def plot_ratings(self) -> Figure:
        """Solo: share of games by rating."""
        return self.plot("ratings")

    def plot_ranking(self) -> Figure:
        """Tournament: ratings with intervals."""
        return self.plot("ranking")

    def plot_matrix(self) -> Figure:
        """Tournament: win share of every strategy with every other."""
        return self.plot("matrix")


def compare(
    *strategies: str | Strategy,
    games: float | None = None,
    seed: int = 1,
    board: str | None = None,
    rules: Rules | None = None,
    game: str = DEFAULT,
    until: float | None = None,
    sprt: tuple[float, float] | None = None,
    independent: bool = False,
    threads: int | None = None,
    cluster: str | None = None,
    folder: str | Path | None = None,
) -> Experiment:
    """Let strategies play each other at one table: two or more, as many as the game seats.

    Parameters
    ----------
    *strategies : str or Strategy
        As at the command line: names, with parameters, or files.
    games : int, optional
        100,000 if left out; with a stopping rule the most that may be played, 100,000,000 if left out.
    seed : int
        Decides all dice.
    board : str, optional
        Board of all, or of each strategy, separated by commas.
    rules : RuleSet, str or mapping, optional
        House rules: a rule set, the name or file of one, or what differs from the official ones, ``{"jokers": 6}``.
    game : str
        Which game is played: a name of ``kok-sim games``.
    until : float, optional
        Stop once the 95 % intervals of the win shares are ±``until`` or less: 0.002 is 0.2 %.
    sprt : (float, float), optional
        Stop once a sequential test tells whether the win share of the first strategy is rather the first or the second.
    independent : bool
        Separate dice for every game.
    threads : int, optional
        As many as there are cores if left out. Never changes the result.
    cluster : str, optional
        Address of a Dask cluster, or ``"local:4"``.
    folder : str or Path, optional
        Keep the run there; if it is there already, it is resumed.

    Returns
    -------
    Experiment
        After Ctrl-C that of the games played so far; ``found.result.interrupted`` says so.

    Raises
    ------
    KokSimError
        In one line, for whatever is wrong.
    """
    return _play(strategies, games, _stop(until, sprt), seed, board, rules, game, independent, threads, cluster, folder)


def solo(
    *strategies: str | Strategy,
    games: float | None = None,
    seed: int = 1,
    board: str | None = None,
    rules: Rules | None = None,
    game: str = DEFAULT,
    until: float | None = None,
    bands: str = OFFICIAL_BANDS,
    independent: bool = False,
    threads: int | None = None,
    cluster: str | None = None,
    folder: str | Path | None = None,
) -> Experiment:
    """Let 1 to 50 strategies play the solo game, each alone on the same dice.

    ``until`` is in points: stop once the 95 % intervals of the mean scores are ±``until`` or less.
    ``bands="auto"`` proposes ratings that the first strategy reaches equally often, as many as are official (else 10),
    ``"auto:7"`` so many. All else as in :func:`compare`.
    """
    return _play(
        strategies,
        games,
        _stop(until),
        seed,
        board,
        rules,
        game,
        independent,
        threads,
        cluster,
        folder,
        solo=True,
        bands=bands,
    )


def tournament(
    *strategies: str | Strategy,
    table: int = 2,
    focus: str | Strategy | None = None,
    games: float | None = None,
    seed: int = 1,
    board: str | None = None,
    rules: Rules | None = None,
    game: str = DEFAULT,
    until: float | None = None,
    independent: bool = False,
    threads: int | None = None,
    cluster: str | None = None,
    folder: str | Path | None = None,
) -> Experiment:
    """Let every pair of 2 to 50 strategies (or every group of ``table``) play, all on the same dice, and rank them.

    ``focus`` names one of the strategies: only tables at which it sits are played. ``games`` are those of each table.
    All else as in :func:`compare`.
    """
    return _play(
        strategies,
        games,
        _stop(until),
        seed,
        board,
        rules,
        game,
        independent,
        threads,
        cluster,
        folder,
        table=table,
        focus=focus,
    )


def variant(
    rules: Rules,
    *strategies: str | Strategy,
    base: Rules = "official",
    settings: Mapping[str, Any] | None = None,
    games: float = 20_000,
    seed: int = 1,
    board: str | None = None,
    solo: bool = False,
    game: str = DEFAULT,
    threads: int | None = None,
) -> StudyResult:
    """What house rules do to a game: they and the rules of ``base`` are played on the same dice.

    ``rules`` and ``base`` are names or files, rule sets, or mappings of what differs from the official rules;
    ``settings`` are switches that the house rules set besides, ``{"jokers": 6}``. All else as in :func:`compare`.
    """
    from kok_sim.studies import play_variant

    return StudyResult(
        play_variant(
            rules, strategies, _whole(games), base=base, settings=settings,
            game=game, seed=seed, board=board, solo=solo, threads=threads,
        )
    )  # fmt: skip


def sweep(
    values: Mapping[str, Sequence[Any]],
    *strategies: str | Strategy,
    rules: Rules = "official",
    settings: Mapping[str, Any] | None = None,
    measures: Sequence[str] = (),
    target: tuple[str, float] | None = None,
    games: float = 20_000,
    seed: int = 1,
    board: str | None = None,
    solo: bool = False,
    game: str = DEFAULT,
    threads: int | None = None,
) -> StudyResult:
    """One or two house rules at several values on the same dice: ``{"jokers": range(0, 13, 2)}``.

    ``target`` is a measure and the value that it should have, as the table shows it: ``("rolls", 30)``. All else as in
    :func:`variant`.
    """
    from kok_sim.studies import play_sweep

    return StudyResult(
        play_sweep(
            values, strategies, _whole(games), rules=rules, settings=settings, measures=measures, target=target,
            game=game, seed=seed, board=board, solo=solo, threads=threads,
        )
    )  # fmt: skip


def rate_sheets(
    *sheets: str,
    strategies: Sequence[str | Strategy] | None = None,
    rules: Rules | None = None,
    games: float = 20_000,
    seed: int = 1,
    game: str = DEFAULT,
    threads: int | None = None,
) -> StudyResult:
    """Sheets compared by what strategies score on them, alone and at a table; all shipped ones if none is named.

    The strategies are those of the game's duel if left out. All else as in :func:`compare`.
    """
    from kok_sim.studies import play_rating
    from simulator.games import find_game

    players = find_game(game).duel if strategies is None else strategies
    return StudyResult(play_rating(sheets, players, _whole(games), rules=rules, game=game, seed=seed, threads=threads))


def resume(folder: str | Path, *, threads: int | None = None, cluster: str | None = None) -> Experiment:
    """Go on with the run that a folder keeps."""
    from simulator.experiments.folder import read_run

    run = read_run(Path(folder), __version__)
    plan = plan_from(run["experiment"])
    return _run(plan, threads, cluster, Path(folder), keeps_games=run["keeps_games"])


def _stop(until: float | None, sprt: tuple[float, float] | None = None) -> Rule | None:
    """The stopping rule."""
    from simulator.errors import PlanError
    from simulator.experiments.stopping import Sprt, Until

    if until is not None and sprt is not None:
        raise PlanError("until and sprt are two ways to stop; give one of them")
    try:
        if sprt is not None:
            low, high = sprt
            return Sprt(float(low), float(high))
        return None if until is None else Until(float(until))
    except (TypeError, ValueError) as error:
        if isinstance(error, PlanError):
            raise
        wanted = "until must be a number, as 0.002" if sprt is None else "sprt must be two shares, as (0.5, 0.52)"
        raise PlanError(f"{wanted}; got {sprt or until!r}") from error


def _whole(games: float) -> Any:
    """A number of games such as ``1e6`` as the whole number that it is."""
    return int(games) if isinstance(games, float) and games.is_integer() else games


def _play(
    strategies: tuple[str | Strategy, ...],
    games: float | None,
    stop: Rule | None,
    seed: int,
    board: str | None,
    rules: Rules | None,
    game: str,
    independent: bool,
    threads: int | None,
    cluster: str | None,
    folder: str | Path | None,
    **kind: Any,
) -> Experiment:
    if games is None:
        games = GAMES if stop is None else GAMES_UNTIL
    plan = make_plan(
        strategies,
        _whole(games),
        seed=seed,
        board=board,
        rules=rules,
        game=game,
        independent=independent,
        stop=stop,
        **kind,
    )
    return _run(plan, threads, cluster, None if folder is None else Path(folder))


def _run(
    plan: Plan, threads: int | None, cluster: str | None, folder: Path | None, *, keeps_games: bool = False
) -> Experiment:
    from simulator.experiments.folder import RunFolder
    from simulator.experiments.run import open_table

    table = open_table(plan)
    workers = find_workers(plan, table, threads, cluster)
    kept = None if folder is None else RunFolder(folder, plan, __version__, keeps_games=keeps_games)
    with kept or contextlib.nullcontext():
        return Experiment(play(plan, table, workers, folder=kept))
