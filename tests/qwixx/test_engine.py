"""The engine of Qwixx against its referee, move for move; and what every outcome must fulfil."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from simulator.errors import StrategyError
from simulator.outcomes import WHOLE_SHARE, alone, rotations
from simulator.qwixx import solver
from simulator.qwixx.features import SIGHT
from simulator.qwixx.game import GAME
from simulator.qwixx.rows import row_state
from simulator.qwixx.rules import OFFICIAL, Rules
from simulator.qwixx.solver import optimal_turn, value
from simulator.strategy import Scored, Weights
from simulator.table import Table
from strategies import find_strategy
from tests import switches
from tests.agreement import Setup, same_game
from tests.qwixx.setups import by_all_fields, random_setup

GREEDY = Weights("greedy", "", {"points": 1.0, "gap": 1.5})
FEARFUL = Scored("fearful", "", by_all_fields)


@pytest.mark.parametrize("batch", range(30))
def test_referee_and_engine_play_the_same_games(batch: int) -> None:
    """3,000 games: 1 to 5 players, all strategies, random rules."""
    for number in range(100):
        setup = random_setup(batch * 1000 + number)
        same_game(setup, number % len(setup.strategies))


def test_random_games_try_every_switch() -> None:
    """A switch that they never change, or on which nothing in them depends, they do not compare."""
    drawn = switches.drawn(random_setup(number) for number in range(100))
    assert drawn.keys() == switches.names(Rules)
    for name, with_it in drawn.items():
        assert len(with_it) >= 20, name
        assert any(switches.matters(setup, name) for setup in with_it), name


SWITCHES = (
    Rules(white_first=False),
    Rules(penalty_points=0),
    Rules(penalties_to_end=1),
    Rules(crosses_to_lock=0),
    Rules(rows_to_end=4, crosses_to_lock=1),
    Rules(row_points=(9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2)),
    Rules(end_at_once=False, crosses_to_lock=2),
    Rules(white_first=False, end_at_once=False, crosses_to_lock=0, rows_to_end=1),
)


@pytest.mark.parametrize("rules", SWITCHES, ids=lambda rules: rules.told())
@pytest.mark.parametrize("players", range(1, 6))
def test_every_switch_by_itself(rules: Rules, players: int) -> None:
    for seed in range(15):
        strategies = [GREEDY, FEARFUL, find_strategy("random", "qwixx"), GREEDY, FEARFUL][:players]
        same_game(Setup(strategies, [], rules, seed, seed, GAME), seed % players)


@pytest.mark.parametrize("name", SIGHT.names)
def test_every_feature_by_itself(name: str) -> None:
    for weight in (1.0, -1.0):
        strategy = Weights(name, "", {"crossing": 0.3, name: weight}, {name: weight / 64})
        for seed in range(10):
            same_game(Setup([strategy, GREEDY], [], OFFICIAL, seed, 3, GAME), seed % 2)


FIELDS = [
    *(("view", name, shape) for name, shape, _ in SIGHT.view_fields),
    *(("move", name, shape) for name, shape, _ in SIGHT.move_fields),
]


@pytest.mark.parametrize(("record", "name", "shape"), FIELDS, ids=[name for _, name, _ in FIELDS])
def test_every_field_alone(record: str, name: str, shape: tuple[int, ...]) -> None:
    """Functions that read one field only, of which the engine shows no more than it must."""
    terms = [f"{record}.{name}"] if not shape else [f"{record}.{name}{list(place)}" for place in np.ndindex(*shape)]
    values = " + ".join(f"({term}) * {3 * i + 1}" for i, term in enumerate(terms))
    code = f"def score(view, move):\n    return (({values}) * (move.row + 2) * 7.0 + move.number * 5.0) % 11"
    namespace: dict[str, object] = {}
    exec(code, namespace)
    strategy = Scored("reads one", "", namespace["score"])  # type: ignore[arg-type]
    for seed in range(4):
        same_game(Setup([strategy, GREEDY, strategy], [], OFFICIAL, seed, 1, GAME), seed % 3)


@pytest.mark.parametrize("end_at_once", [True, False])
def test_optimal_plays_the_same_games(end_at_once: bool) -> None:
    rules = Rules(end_at_once=end_at_once)
    solver.solve(rules, folder=solver.cache_folder())
    optimal = find_strategy("optimal", "qwixx")
    for seed in range(30):
        same_game(Setup([optimal], [], rules, seed, seed, GAME), 0)
        same_game(Setup([optimal, GREEDY, optimal], [], rules, seed, seed, GAME), seed % 3)


def test_optimal_plays_the_same_games_if_color_crosses_can_come_first() -> None:
    """With rules that are solved fast."""
    rules = Rules(white_first=False, rows_to_end=1, penalties_to_end=1, crosses_to_lock=2)
    solver.solve(rules, folder=solver.cache_folder())
    optimal = find_strategy("optimal", "qwixx")
    for seed in range(60):
        same_game(Setup([optimal], [], rules, seed, seed, GAME), 0)
        same_game(Setup([GREEDY, optimal], [], rules, seed, seed, GAME), seed % 2)


@pytest.mark.parametrize("seed", range(40))
def test_optimal_makes_the_best_of_every_turn(seed: int) -> None:
    """Points of each turn and the value of what it leads to are those of the solver's own look at all dice."""
    solution = solver.solve(OFFICIAL, folder=solver.cache_folder())
    record = Table(GAME, [find_strategy("optimal", "qwixx")], [], OFFICIAL, seed, alone(1), solo=True).record(seed, 0)
    before, penalties, seen = [0] * 4, 0, 0.0
    for _, game in GAME.referee.follow(record):
        player = game.players[0]
        rows = [
            row_state(0 if closed else player.last(row), 0 if closed else player.count(row), closed)
            for row, closed in enumerate(game.closed)
        ]
        whole = optimal_turn(solution, before, penalties, tuple(game.white), game.color)
        after = 0.0 if game.is_over else value(solution, rows, player.penalties)
        assert player.score + after == pytest.approx(seen + whole)
        before, penalties, seen = rows, player.penalties, player.score


def test_outcomes_add_up() -> None:
    outcomes = Table(GAME, [GREEDY, FEARFUL, GREEDY], [], Rules(penalty_points=7), 4, rotations(3)).play(0, 300)
    assert (outcomes.shares.sum(axis=2) == WHOLE_SHARE).all()
    assert (outcomes.parts.sum(axis=3) == outcomes.scores).all()
    assert not outcomes.stopped.any()
    assert (outcomes.parts[..., 4] % 7 == 0).all()
    assert set(np.unique(outcomes.parts[..., :4])) <= {0, *OFFICIAL.row_points}
    low, high = Rules(penalty_points=7).score_range()
    assert low <= outcomes.scores.min()
    assert outcomes.scores.max() <= high


def test_a_function_that_gives_no_number_ends_the_run() -> None:
    def broken(view, move):  # type: ignore[no-untyped-def]
        return np.nan if view.roll == 3 else move.points - move.gap

    table = Table(GAME, [Scored("my.py:broken", "", broken), GREEDY], [], OFFICIAL, 1, rotations(2))
    with pytest.raises(StrategyError, match=r"'my.py:broken' gave NaN for '.*' in roll 3"):
        table.play(0, 5)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("passing", [0, 1])
def test_no_finite_number_is_refused_of_the_pass_and_of_a_cross(bad: float, passing: int) -> None:
    def broken(view, move):  # type: ignore[no-untyped-def]
        return bad if move.passing == passing else 0.0

    strategy = Scored("my.py:broken", "", broken)
    table = Table(GAME, [strategy, GREEDY], [], OFFICIAL, 1, rotations(2))
    with pytest.raises(StrategyError, match="it must give a finite number"):
        table.play(0, 1)
    with pytest.raises(StrategyError, match="it must give a finite number"):
        GAME.referee.play([strategy, GREEDY], [], OFFICIAL, 1, 0)


def test_dice_are_fair_and_independent() -> None:
    """Faces of the dice of 2,000 rolls, as records show them: chi-square of each die within 4.5 standard deviations."""
    found: dict[tuple[str, int], int] = {}
    for index in range(100):
        record = GAME.referee.play([GREEDY] * 2, [], OFFICIAL, 11, index)
        for roll in record["rolls"]:
            faces = {"white 1": roll["dice"]["white"][0], "white 2": roll["dice"]["white"][1], **roll["dice"]}
            for die, face in faces.items():
                if die != "white":
                    found[die, face] = found.get((die, face), 0) + 1
    for die in ("white 1", "white 2", "red", "yellow", "green", "blue"):
        counts = [found[die, face] for face in range(1, 7)]
        expected = Fraction(sum(counts), 6)
        assert float(sum((count - expected) ** 2 / expected for count in counts)) < 5 + 4.5 * 10**0.5
