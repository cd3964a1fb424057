"""Who plays: the shipped strategies, and how a user's own are found and loaded."""

from __future__ import annotations

from strategies.registry import find_strategy, strategy_names
from strategies.scored import strategy

__all__ = ["find_strategy", "strategy", "strategy_names"]
