"""kok-sim: what is the best way to play Keer op Keer? The version; the command line is in ``kok_sim.cli``."""

__version__ = "0.1.0"
