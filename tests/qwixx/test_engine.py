"""The engine of Qwixx against its referee, move for move; and what every outcome must fulfil."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from simulator.errors import StrategyError
from simulator.outcomes import WHOLE_SHARE, rotations
from simulator.qwixx.features import SIGHT
from simulator.qwixx.game import GAME
from simulator.qwixx.rules import OFFICIAL, Rules
from simulator.strategy import Scored, Weights
from simulator.table import Table
from strategies import find_strategy
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
