"""Who is where in a tournament: order, places, ties, and triples that beat each other in turn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from reports import ranking
from reports.statistics import Figures
from simulator.experiments.estimates import Estimate


@dataclass(frozen=True)
class Standings:
    """Strategies are given by their numbers.

    Parameters
    ----------
    order : list of int
        By rating, the best first.
    places : list of (int, int)
        Best and worst place of each strategy that the differences of ratings leave open.
    leads : list of Estimate
        Rating of the strategy at each place minus that of the next, in Elo points.
    superiority : list of float or None
        Likelihood that the strategy at each place is stronger than the next; None if there is one block only.
    groups : list of list of int
        Strategies at neighboring places of which no two can be told apart; a strategy may be in several.
    cycles : list of (int, int, int)
        Triples of which the first beats the second, the second the third, and the third the first.
    """

    order: list[int]
    places: list[tuple[int, int]]
    leads: list[Estimate]
    superiority: list[float | None]
    groups: list[list[int]]
    cycles: list[tuple[int, int, int]]


def standings(figures: Figures) -> Standings:
    """The standings of a tournament of which at least a block was played."""
    order = sorted(range(len(figures.labels)), key=lambda i: -(figures.strategies[i]["elo"].value or 0.0))
    signs = figures.signs("elo")
    runs = ranking.tie_groups(signs[order][:, order] != 0)
    differences = {(pair.first, pair.second): pair.difference for pair in figures.by("elo")}
    differences |= {(j, i): -difference for (i, j), difference in differences.items()}
    leads = [differences[worse, better] for better, worse in pairwise(order)]
    return Standings(
        order,
        ranking.rank_ranges(signs),
        leads,
        [None if lead.se is None else ranking.superiority(lead.value or 0.0, lead.se) for lead in leads],
        [order[first : last + 1] for first, last in runs],
        ranking.cycles(figures.signs("win_share") > 0),
    )
