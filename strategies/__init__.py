"""Who plays: the shipped strategies, and how a user's own are found and loaded."""

from __future__ import annotations

from strategies.recorded import rebuild
from strategies.registry import find_strategy, strategy_names
from strategies.scored import strategy
from strategies.travel import pack

__all__ = ["find_strategy", "pack", "rebuild", "strategy", "strategy_names"]
