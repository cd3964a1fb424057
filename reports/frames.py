"""A result as pandas tables, for notebooks. What is not known is NA."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reports.statistics import WITH_INTERVAL, Figures, rounded
from simulator.errors import PlanError
from simulator.experiments.estimates import Estimate
from simulator.experiments.result import Result

if TYPE_CHECKING:
    import pandas as pd


def summary(figures: Figures) -> pd.DataFrame:
    """A row for each strategy, a column for each measure; ``…_se``, ``…_low`` and ``…_high`` where it has them.

    Shares are from 0 to 1; points by origin are ``part_colors`` and so on.
    """
    import pandas as pd

    rows = [
        {key: x for measure, estimate in measures.items() for key, x in _columns(measure, estimate).items()}
        for measures in figures.strategies
    ]
    return pd.DataFrame(rows, index=pd.Index(figures.labels, name="strategy")).astype("Float64")


def _columns(measure: str, estimate: Estimate) -> dict[str, float | None]:
    name = measure.replace(" ", "_")
    values = {name: rounded(estimate.value)}
    if measure in WITH_INTERVAL:
        values |= {f"{name}_{key}": rounded(x) for key, x in zip(("se", "low", "high"), estimate[1:], strict=True)}
    return values


def scores(result: Result) -> pd.DataFrame:
    """Games of each strategy (a column) by score (a row for each from the lowest to the highest), int64."""
    return _histograms(result.tally.scores, result.tally.low, result.plan.labels, "score")


def margins(result: Result) -> pd.DataFrame:
    """Games by score difference to the first strategy, on the same dice where they meet, like :func:`scores`."""
    tally = result.tally
    return _histograms(tally.margins, tally.low - tally.high, result.plan.labels[1:], "lead")


def _histograms(counts: np.ndarray, low: int, labels: tuple[str, ...], name: str) -> pd.DataFrame:
    import pandas as pd

    places = np.flatnonzero(counts.any(axis=0))
    first, last = (int(places[0]), int(places[-1]) + 1) if len(places) else (0, 0)
    index = pd.RangeIndex(low + first, low + last, name=name)
    return pd.DataFrame(counts[:, first:last].T, index=index, columns=pd.Index(labels, name="strategy"))


def pairs(figures: Figures) -> pd.DataFrame:
    """A row for each pair and measure: the second strategy minus the first, with intervals, p value and verdict."""
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for pair in figures.pairs:
        value, se, low, high = map(rounded, pair.difference)
        rows.append(
            {
                "first": figures.labels[pair.first],
                "second": figures.labels[pair.second],
                "measure": pair.measure,
                "difference": value,
                "se": se,
                "low": low,
                "high": high,
                "low_all_pairs": rounded(pair.strict.low),
                "high_all_pairs": rounded(pair.strict.high),
                "p_value": rounded(pair.p_value),
                "verdict": pair.verdict,
            }
        )
    columns = ["first", "second", "measure", "difference", "se", "low", "high", "low_all_pairs", "high_all_pairs"]
    table = pd.DataFrame(rows, columns=[*columns, "p_value", "verdict"])
    return table.astype({**dict.fromkeys([*columns[3:], "p_value"], "Float64"), "verdict": "int64"})


def win_shares(figures: Figures) -> pd.DataFrame:
    """Tournament: win share of the strategy of the row in games with that of the column; NA if they never met.

    Raises
    ------
    PlanError
        If it was none.
    """
    import pandas as pd

    if figures.plan.table is None:
        raise PlanError("win shares of pairs are those of a tournament; see summary and pairs")
    labels = pd.Index(figures.labels, name="strategy")
    table = pd.DataFrame(index=labels, columns=labels, dtype="Float64")
    for (i, j), share in figures.met.items():
        table.iloc[i, j] = rounded(share.value)
    return table
