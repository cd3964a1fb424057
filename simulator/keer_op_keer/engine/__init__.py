"""The fast implementation: numba kernels over bitboards, held equal to the referee move for move.

``tables`` turns a sheet into bitboards, ``valuation`` multiplies weights into them; ``layout`` says what the kernels'
records hold, ``setup`` fills them. ``worth``, ``crosses``, ``sight``, ``choice`` and ``play`` are the kernels, from a
single cross up to a game.
"""

from simulator.keer_op_keer.engine import play  # tells simulator.blocks how a game is played
from simulator.keer_op_keer.engine.setup import build_setup, build_sides, log_shape, new_game

__all__ = ["build_setup", "build_sides", "log_shape", "new_game", "play"]
