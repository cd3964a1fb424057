"""What a strategy is to a game: a name, and weights of features, a scoring function, or exact values of positions.

Where strategies come from (shipped files, a user's file, an entry point) is the business of the package ``strategies``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Weights:
    """A strategy that plays the move with the largest weighted sum of features.

    Parameters
    ----------
    name : str
        The specification that finds it again: ``"greedy"``, ``"greedy:jokers=0.5"``, ``"my.toml"``.
    idea : str
        One sentence a player would recognise.
    weights : mapping of str to float
        Weight of each feature in the first roll; a feature that is left out weighs 0.
    per_roll : mapping of str to float
        What is added to a weight with every further roll.
    text : str
        A longer explanation, may be empty.
    """

    name: str
    idea: str
    weights: Mapping[str, float]
    per_roll: Mapping[str, float] = field(default_factory=dict)
    text: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how it plays, as plain data."""
        return {"weights": dict(self.weights), "per_roll": dict(self.per_roll)}


@dataclass(frozen=True)
class Scored:
    """A strategy that plays the move for which a function gives the largest number.

    Parameters
    ----------
    name : str
        The specification that finds it again: ``"my.py:edges:bonus=0.3"``.
    idea : str
        One sentence, the first line of the function's docstring.
    function : callable
        ``function(view, move, **parameters) -> float``; view and move as the game documents them.
    parameters : mapping of str to float
        Values of the function's further arguments.
    text : str
        A longer explanation, may be empty.
    source : str
        A hash of the code that it was made of, empty if that is not known.
    """

    name: str
    idea: str
    function: Callable[..., float]
    parameters: Mapping[str, float] = field(default_factory=dict)
    text: str = ""
    source: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how it plays, as plain data: ``name`` finds the function, ``source`` tells if it has changed."""
        return {"parameters": dict(self.parameters), "source": self.source}


@dataclass(frozen=True)
class Solved:
    """A strategy that plays the move with the best exact value, from the table that the game's solver has made.

    Parameters
    ----------
    name : str
        ``"optimal"``.
    idea : str
        One sentence.
    text : str
        A longer explanation, may be empty.
    """

    name: str
    idea: str
    text: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how it plays: the rules alone."""
        return {"solved": True}


Strategy = Weights | Scored | Solved
