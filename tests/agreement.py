"""The engine of a game against its referee, move for move."""

from __future__ import annotations

from typing import Any, NamedTuple

from simulator.game import Game
from simulator.games import DEFAULT, find_game
from simulator.outcomes import alone, rotations
from simulator.strategy import Strategy
from simulator.table import Table


class Setup(NamedTuple):
    """Everything that decides a block of games."""

    strategies: list[Strategy]
    sheets: list[Any]
    rules: Any
    seed: int
    block: int
    game: Game = find_game(DEFAULT)

    @property
    def solo(self) -> bool:
        return len(self.strategies) == 1

    def table(self) -> Table:
        seating = alone(1) if self.solo else rotations(len(self.strategies))
        return Table(
            self.game, self.strategies, self.sheets, self.rules, self.seed, seating, solo=self.solo, watched=True
        )


def same_game(setup: Setup, game: int) -> dict[str, Any]:
    """Both implementations play one game of a block; fails at the first roll that differs. Gives the record."""
    table = setup.table()
    assert not any("does not compile" in note for note in table.notes)
    seating = table.seating[game]
    expected, watched = setup.game.referee.watch(
        [setup.strategies[s] for s in seating],
        [setup.sheets[s] for s in seating] if setup.sheets else [],
        setup.rules,
        setup.seed,
        table.index(setup.block, game),
        solo=setup.solo,
    )
    found = table.record(setup.block, game)
    for ours, theirs in zip(found["rolls"], expected["rolls"], strict=False):
        assert ours == theirs, setup
    assert found == expected, setup
    outcomes = table.play(setup.block, 1)
    seats = range(len(seating))
    assert outcomes.scores[0, game].tolist() == [final["total"] for final in expected["final"]]
    assert [seat for seat in seats if outcomes.shares[0, game, seat]] == expected["winners"]
    assert outcomes.rolls[0, game] == len(expected["rolls"])
    assert outcomes.stopped[0, game] == bool(expected.get("stopped"))
    for seat, final in enumerate(expected["final"]):
        parts = dict(zip(table.parts, outcomes.parts[0, game, seat].tolist(), strict=True))
        assert parts == {part: final.get(part, 0) for part in table.parts}
    assert outcomes.facts[0, game].tolist() == watched.facts, setup
    assert outcomes.counts[0, game].tolist() == watched.counts, setup
    return found
