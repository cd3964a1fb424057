"""kok-sim: what is the best way to play Keer op Keer, or Qwixx?

The command line is in ``kok_sim.cli``; the functions here are the same for notebooks and scripts.
"""

__version__ = "0.1.0"

from kok_sim.interface import Experiment, compare, rate_sheets, resume, solo, sweep, tournament, variant
from kok_sim.shown import StudyResult

__all__ = [
    "Experiment",
    "StudyResult",
    "__version__",
    "compare",
    "rate_sheets",
    "resume",
    "solo",
    "sweep",
    "tournament",
    "variant",
]
