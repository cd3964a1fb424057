"""kok-sim: what is the best way to play Keer op Keer, or Qwixx?

The command line is in ``kok_sim.cli``; the functions here are the same for notebooks and scripts.
"""

__version__ = "0.1.0"

from kok_sim.interface import Experiment, compare, resume, solo, tournament

__all__ = ["Experiment", "__version__", "compare", "resume", "solo", "tournament"]
