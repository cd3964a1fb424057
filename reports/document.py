"""A result as plain data: what ``summary.json`` holds and ``--format json`` prints.

``experiment`` and ``results`` depend on nothing but the plan (and on where a run was interrupted); ``run`` tells how
this run went.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reports.numbers import count
from reports.sentences import notes, ranks, sentences
from reports.standings import standings
from reports.statistics import WITH_INTERVAL, Figures, figures, rounded
from simulator.errors import PlanError
from simulator.experiments.estimates import Estimate
from simulator.experiments.result import Result
from simulator.experiments.stopping import Sprt
from simulator.experiments.study import Study
from simulator.files import read_json
from simulator.outcomes import WHOLE_SHARE

FORMAT, VERSION = "kok-sim/result", 1
STUDIES = ("kok-sim/variant", "kok-sim/sweep", "kok-sim/sheets")


def document(result: Result, *, version: str, files: list[str] | None = None) -> dict[str, Any]:
    """The whole of a result; ``files`` are the names of what was written beside it."""
    run: dict[str, Any] = {
        "seconds": round(result.seconds, 3),
        "games_per_second": None if result.rate is None else round(result.rate),
        "players": result.players,
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


def study_document(
    kind: str,
    version: str,
    experiment: dict[str, Any],
    found: dict[str, Any],
    studies: Sequence[Study],
    files: list[str] | None,
) -> dict[str, Any]:
    """The whole of what studies of rules or sheets found; ``kind`` names the form."""
    run: dict[str, Any] = {
        "seconds": round(sum(study.seconds for study in studies), 3),
        "players": count(studies[0].threads, "thread"),
    }
    return {
        "format": f"kok-sim/{kind}",
        "version": VERSION,
        "program": {"name": "kok-sim", "version": version},
        "experiment": experiment,
        "results": found,
        "run": run if files is None else {**run, "files": files},
    }


def bounds(estimate: Estimate) -> dict[str, float | None]:
    """An estimate as JSON data."""
    return {name: rounded(x) for name, x in estimate._asdict().items()}


def results(result: Result) -> dict[str, Any]:
    """The figures; shares are from 0 to 1, ``null`` is what cannot be known."""
    shown, tally = figures(result), result.tally
    found: dict[str, Any] = {
        "games": shown.games,
        "blocks": shown.blocks,
        "interrupted": result.interrupted,
        "stop": _stop(result),
        "sentences": sentences(shown),
        "notes": notes(result),
        "strategies": [_strategy(shown, i, place) for i, place in enumerate(ranks(shown))],
        "game": {measure: _figure(measure, estimate) for measure, estimate in shown.table.items()},
        "pairs": [
            {
                "measure": pair.measure,
                "of": shown.labels[pair.second],
                "minus": shown.labels[pair.first],
                **bounds(pair.difference),
                "low_all_pairs": rounded(pair.strict.low),
                "high_all_pairs": rounded(pair.strict.high),
                "p_value": rounded(pair.p_value),
                "verdict": pair.verdict,
            }
            for pair in shown.pairs
        ],
    }
    if result.plan.table is not None:
        found |= _tournament(shown)
    if shown.bands:
        found |= _proposal(shown) if shown.proposed else {}
        found["ratings"] = [_band(shown, i) for i in range(len(shown.bands_shown))]
    found["score_counts"] = {
        label: _counts(histogram, tally.low) for label, histogram in zip(shown.labels, tally.scores, strict=True)
    }
    found["margin_counts"] = {
        label: _counts(histogram, tally.low - tally.high)
        for label, histogram in zip(shown.labels[1:], tally.margins, strict=True)
    }
    found["roll_counts"] = _counts(tally.rolls, 0)
    if len(tally.block_wins):
        places = np.flatnonzero(tally.block_wins)
        found["block_counts"] = {f"{place / WHOLE_SHARE:.10g}": int(tally.block_wins[place]) for place in places}
    return found


def read_document(path: Path) -> dict[str, Any]:
    """A ``summary.json``, checked as far as it is needed to repeat its run.

    Raises
    ------
    PlanError
        If it cannot be read, or is not such a document.
    """
    data = read_json(path)
    if isinstance(data, dict) and data.get("format") in STUDIES:
        raise PlanError(f"{str(path)!r} is of a study of rules or sheets; repeat that by its command")
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise PlanError(f"{str(path)!r} is not a result of the form {FORMAT!r}, version {VERSION}")
    found, program = data.get("results"), data.get("program")
    if not isinstance(found, dict) or type(found.get("blocks")) is not int or found["blocks"] < 0:
        raise PlanError(f"{str(path)!r} is damaged: it does not say how many blocks were played")
    made_by = program.get("version") if isinstance(program, dict) else None
    if not isinstance(made_by, str) or not made_by.isprintable():
        raise PlanError(f"{str(path)!r} is damaged: it does not say which version made it")
    if not isinstance(data.get("experiment"), dict):
        raise PlanError(f"{str(path)!r} is damaged: it does not describe the experiment")
    return data


def differences(then: object, now: object) -> tuple[int, list[str]]:
    """How many values two results have, and a line for each that differs, with where it is and both values."""
    old, new = dict(_values(then)), dict(_values(json.loads(dumps(now))))
    places = [*old, *(place for place in new if place not in old)]
    lines = [
        f"{_told(' '.join(place)) or 'all'}: {_shown(new, place)} now, {_shown(old, place)} then"
        for place in places
        if place not in old or place not in new or old[place] != new[place]
    ]
    return len(places), lines


def _values(data: object, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every value in a document that holds no others, and where it is; members of lists are counted from 1."""
    if isinstance(data, dict | list) and data:
        items = data.items() if isinstance(data, dict) else enumerate(data, start=1)
        for key, value in items:
            yield from _values(value, (*place, str(key)))
    else:
        yield place, data


def _shown(values: dict[tuple[str, ...], object], place: tuple[str, ...]) -> str:
    return _told(json.dumps(values[place], ensure_ascii=False)) if place in values else "nothing"


def _told(text: str) -> str:
    """A text from a file that anybody may have written, for a line of a terminal."""
    return text if text.isprintable() else ascii(text)[1:-1]


def dumps(data: object) -> str:
    """JSON text, two spaces to a level; a value that is not a number is an error, not ``NaN``."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)


def _stop(result: Result) -> dict[str, Any] | None:
    """What became of the stopping rule."""
    rule, tally = result.plan.stop, result.tally
    if rule is None:
        return None
    reached = rule.ratio(tally) if isinstance(rule, Sprt) else rule.reached(tally, result.plan.seating)
    name = "log_likelihood_ratio" if isinstance(rule, Sprt) else "half_width"
    return {"decision": result.decision, name: rounded(reached)}


def _tournament(shown: Figures) -> dict[str, Any]:
    """Win shares of pairs, and the standings if there are any."""
    labels = shown.labels
    met = [{"of": labels[i], "with": labels[j], **bounds(share)} for (i, j), share in shown.met.items()]
    if not shown.blocks:
        return {"met": met}
    found = standings(shown)
    return {
        "met": met,
        "standings": {
            "order": [labels[i] for i in found.order],
            "superiority": [rounded(x) for x in found.superiority],
            "not_told_apart": [[labels[i] for i in group] for group in found.groups],
            "cycles": [[labels[i] for i in cycle] for cycle in found.cycles],
        },
    }


def _strategy(shown: Figures, i: int, place: tuple[int, int]) -> dict[str, Any]:
    measures = shown.strategies[i]
    parts = {m.removeprefix("part "): rounded(e.value) for m, e in measures.items() if m.startswith("part ")}
    plain = {m: _figure(m, e) for m, e in measures.items() if not m.startswith("part ")}
    return {"label": shown.labels[i], "rank": list(place), **plain, "parts": parts}


def _proposal(shown: Figures) -> dict[str, Any]:
    """What the bands are made for, and where all but the lowest begin."""
    begin = [band.low for band in shown.bands_shown[1:]]
    return {"proposal": {"equal_for": shown.labels[0], "levels": shown.plan.levels, "begin": begin}}


def _band(shown: Figures, i: int) -> dict[str, Any]:
    band = shown.bands_shown[i]
    shares = {label: bounds(bands[i]) for label, bands in zip(shown.labels, shown.bands, strict=True)}
    return {**band._asdict(), "shares": shares}


def _figure(measure: str, estimate: Estimate) -> Any:
    return bounds(estimate) if measure in WITH_INTERVAL else rounded(estimate.value)


def _counts(histogram: np.ndarray, low: int) -> dict[str, int]:
    return {str(low + int(place)): int(histogram[place]) for place in np.flatnonzero(histogram)}
