"""The referee: plays games by the plain rules, writes them down, and checks what others wrote down.

Plain sets and lists throughout, written to be read beside the rulebook:

* ``patterns.py``: what can ever be crossed on a sheet;
* ``position.py``: a move, and one player's sheet;
* ``game.py``: the dice, who was first, the end, the winner;
* ``choice.py``: a roll, and the legal moves in it;
* ``choosing.py``: what strategies see, and how they choose;
* ``watching.py``: what is counted of a player;
* ``recording.py``: whole games as records.

All of it is the oracle for the fast engine, with which it shares only the dice and the reading of sheets, rules and
weights, and plays whatever that cannot.
"""

from __future__ import annotations

from simulator.keer_op_keer.referee.choice import Choice, choice_for, play_roll
from simulator.keer_op_keer.referee.choosing import Rated, choose, rater
from simulator.keer_op_keer.referee.game import Completed, Game
from simulator.keer_op_keer.referee.position import PASS, Move, Player, move_of_code
from simulator.keer_op_keer.referee.recording import RECORDER, follow, play, script, verify

__all__ = [
    "PASS",
    "RECORDER",
    "Choice",
    "Completed",
    "Game",
    "Move",
    "Player",
    "Rated",
    "choice_for",
    "choose",
    "follow",
    "move_of_code",
    "play",
    "play_roll",
    "rater",
    "script",
    "verify",
]
