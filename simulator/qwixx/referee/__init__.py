"""The referee: plays games by the plain rules, writes them down, and checks what others wrote down.

Plain lists throughout, written to be read beside the rulebook:

* ``position.py``: a move, and one player's sheet;
* ``game.py``: the dice, the closed rows, the end, the winners;
* ``choice.py``: the legal moves of a choice, and the course of a turn;
* ``choosing.py``: what strategies see, and how they choose; ``values.py``: by the solver's values;
* ``watching.py``: what is counted of a player;
* ``recording.py``: whole games as records.

All of it is the oracle for the fast engine, with which it shares only the dice, the reading of rules and weights, and
the solver's values, and plays whatever that cannot.
"""

from __future__ import annotations

from simulator.qwixx.referee.choice import Choice, Made, play_roll
from simulator.qwixx.referee.choosing import Rated, choose, rater
from simulator.qwixx.referee.game import Game
from simulator.qwixx.referee.position import PASS, Move, Player, move_of_code
from simulator.qwixx.referee.recording import RECORDER, RollMoves, follow, play, script, verify

__all__ = [
    "PASS",
    "RECORDER",
    "Choice",
    "Game",
    "Made",
    "Move",
    "Player",
    "Rated",
    "RollMoves",
    "choose",
    "follow",
    "move_of_code",
    "play",
    "play_roll",
    "rater",
    "script",
    "verify",
]
