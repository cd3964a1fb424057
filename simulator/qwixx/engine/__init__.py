"""The fast implementation: numba kernels over bit masks, held equal to the referee move for move.

``layout`` says what the kernels' records hold, ``setup`` fills them; ``moves`` (what they do), ``sight`` (what a scored
function is shown), ``choice`` (which is best) and ``play`` are the kernels, from a single cross up to a game.
"""

from simulator.qwixx.engine import play  # tells simulator.blocks how a game is played
from simulator.qwixx.engine.setup import build_setup, build_sides, log_shape, new_game

__all__ = ["build_setup", "build_sides", "log_shape", "new_game", "play"]
