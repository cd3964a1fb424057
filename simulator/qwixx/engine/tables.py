"""Tables of the kernels that no rule changes, made from the plain functions of rules.py."""

from __future__ import annotations

import numpy as np

from simulator.qwixx.rows import OPEN_STATES, POSITIONS
from simulator.qwixx.rules import NUMBERS, number_at, ways

LIKELIHOOD = np.array([0, *(ways(number_at(0, position)) for position in range(1, POSITIONS))], np.int64)
"""In how many of 36 throws two dice show the number at a position: the same in a rising and in a falling row."""
SKIPPED = np.array([[sum(LIKELIHOOD[last + 1 : cross]) for cross in range(POSITIONS)] for last in range(POSITIONS)])
"""Likelihoods of the numbers between a last cross and a position, added up."""
LAST_OF = np.array([mask.bit_length() for mask in range(1 << NUMBERS)], np.int64)
"""Position of the last cross, by the mask of a row without its lock."""
LAST_IN = np.array([last for last, _ in OPEN_STATES], np.int64)
"""The same by the state of an open row."""
