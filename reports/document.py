"""A result as plain data: what ``summary.json`` holds and ``--format json`` prints.

``experiment`` and ``results`` depend on nothing but the plan (and on where a run was interrupted); ``run`` tells how
this run went.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from reports.sentences import notes, ranks, sentence
from reports.statistics import Estimate, Figures, figures, rounded
from simulator.experiments.result import Result
from simulator.keer_op_keer.ratings import BANDS

FORMAT, VERSION = "kok-sim/result", 1
WITH_INTERVAL = ("win_share", "mean_score", "difference", "start_win_lead", "start_score_lead", "rolls")


def document(result: Result, *, version: str, files: list[str] | None = None) -> dict[str, Any]:
    """The whole of a result; ``files`` are the names of what was written beside it."""
    run: dict[str, Any] = {
        "seconds": round(result.seconds, 3),
        "games_per_second": None if result.rate is None else round(result.rate),
        "threads": result.threads,
        "notes": list(result.notes),
    }
    if files is not None:
        run["files"] = files
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": {"name": "kok-sim", "version": version},
        "experiment": result.plan.describe(),
        "results": results(result),
        "run": run,
    }


def results(result: Result) -> dict[str, Any]:
    """The figures; shares are from 0 to 1, ``null`` is what cannot be known."""
    shown, tally = figures(result), result.tally
    found: dict[str, Any] = {
        "games": shown.games,
        "blocks": shown.blocks,
        "interrupted": result.interrupted,
        "sentence": sentence(shown),
        "notes": notes(result),
        "strategies": [_strategy(shown, i) for i in range(len(shown.labels))],
        "game": {measure: _figure(measure, estimate) for measure, estimate in shown.table.items()},
        "pairs": [
            {
                "measure": pair.measure,
                "of": shown.labels[pair.second],
                "minus": shown.labels[pair.first],
                **_bounds(pair.difference),
                "low_all_pairs": rounded(pair.strict.low),
                "high_all_pairs": rounded(pair.strict.high),
            }
            for pair in shown.pairs
        ],
    }
    if shown.bands:
        found["ratings"] = [_band(shown, i) for i in range(len(BANDS))]
    found["score_counts"] = {
        label: _counts(histogram, tally.low) for label, histogram in zip(shown.labels, tally.scores, strict=True)
    }
    found["margin_counts"] = {
        label: _counts(histogram, tally.low - tally.high)
        for label, histogram in zip(shown.labels[1:], tally.margins, strict=True)
    }
    found["roll_counts"] = _counts(tally.rolls, 0)
    return found


def dumps(data: dict[str, Any]) -> str:
    """JSON text, two spaces to a level; a value that is not a number is an error, not ``NaN``."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)


def _strategy(shown: Figures, i: int) -> dict[str, Any]:
    measures = shown.strategies[i]
    parts = {m.removeprefix("part "): rounded(e.value) for m, e in measures.items() if m.startswith("part ")}
    plain = {m: _figure(m, e) for m, e in measures.items() if not m.startswith("part ")}
    low, high = ranks(shown)[i]
    return {"label": shown.labels[i], "rank": [low, high], **plain, "parts": parts}


def _band(shown: Figures, i: int) -> dict[str, Any]:
    band = BANDS[i]
    shares = {label: _bounds(bands[i]) for label, bands in zip(shown.labels, shown.bands, strict=True)}
    return {**band._asdict(), "shares": shares}


def _figure(measure: str, estimate: Estimate) -> Any:
    return _bounds(estimate) if measure in WITH_INTERVAL else rounded(estimate.value)


def _bounds(estimate: Estimate) -> dict[str, float | None]:
    return {name: rounded(x) for name, x in estimate._asdict().items()}


def _counts(histogram: np.ndarray, low: int) -> dict[str, int]:
    return {str(low + int(place)): int(histogram[place]) for place in np.flatnonzero(histogram)}
