"""Old place of ``referee.position``."""

from simulator.keer_op_keer.referee.position import PASS, Move

__all__ = ["PASS", "Move"]
