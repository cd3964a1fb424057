"""What is said of every study of rules or sheets: how fast it was played, and what the reader should know."""

from __future__ import annotations

from collections.abc import Sequence

from reports.numbers import count, listing, number
from simulator.experiments.study import Study

ADAPT = "The strategies play as they always do; what people who adapt to the rules would make of them may differ."


def speed_told(studies: Sequence[Study]) -> str:
    """How many games were played, and how fast."""
    seconds, games = sum(study.seconds for study in studies), sum(study.games for study in studies)
    speed = f" · {number(games / seconds, 0)} games/s" if seconds > 0 and games else ""
    return f"{count(games, 'game')} in all{speed} on {count(studies[0].threads, 'thread')}"


def study_notes(studies: Sequence[Study]) -> list[str]:
    """Lines about interruption, rounding, and what the tables had to say."""
    main, plan, lines = studies[0], studies[0].plans[0], []
    cut = next((study for study in studies if study.interrupted), None)
    if cut is main:
        lines.append(f"Interrupted: the figures are of the first {count(main.blocks * plan.seats, 'game')} of each.")
    elif cut is not None:
        played, who = count(cut.blocks * cut.plans[0].seats, "game"), listing(list(cut.plans[0].labels))
        lines.append(f"Interrupted: {who} played only the first {played} of each at a table.")
    if plan.total_games != plan.games:
        lines.append(
            f"{count(plan.games, 'game')} asked for, {plan.total_games:,} planned: every deal of dice is played once "
            f"for each of the {plan.seats} rotations of the seats."
        )
    if main.blocks == 1:
        lines.append("One deal of dice says nothing about chance: play more games to see intervals.")
    return [*lines, *dict.fromkeys(note for study in studies for note in study.notes)]
