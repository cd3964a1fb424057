"""Constants that the kernels of this game share.

A move is one number, its *code*: 0 for the pass, else ``1 + (block * 64 + mask) * 4 + 2 * color_joker + number_joker``.
"""

from __future__ import annotations

import numpy as np

from simulator.keer_op_keer.engine.tables import N_COLUMNS

NO_MOVE = -np.inf
EVERY_COLUMN = sum(1 << 4 * c for c in range(N_COLUMNS))
"""The lowest bit of every nibble."""
