"""``python -m kok_sim``: the same as the command ``kok-sim``."""

from kok_sim.cli import main

main()
