"""Constants that the kernels of this game share.

A move is one number, its *code*: 0 for the pass, else ``1 + (block * 64 + mask) * 4 + 2 * color_joker + number_joker``.
"""

from __future__ import annotations

import warnings

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from simulator.keer_op_keer.engine.tables import N_COLUMNS
from simulator.keer_op_keer.features import MOVE, VIEW

warnings.filterwarnings("ignore", message="First-class function type", category=NumbaExperimentalFeatureWarning)

NO_MOVE = -np.inf
NOT_A_NUMBER = -1
"""A code: the scored function failed, or gave NaN or infinity."""
EVERY_COLUMN = sum(1 << 4 * c for c in range(N_COLUMNS))
"""The lowest bit of every nibble."""
SCORE_SIGNATURE = types.float64(numba.from_dtype(VIEW), numba.from_dtype(MOVE))
"""Type of a compiled scored function: ``score(view, move) -> float``."""
