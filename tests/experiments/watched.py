"""Outcomes of games that were watched, made up: for tests that know what must come out."""

from __future__ import annotations

import numpy as np

from simulator.experiments.plan import Plan
from simulator.experiments.sections import Sections, sum_up
from simulator.experiments.study import Study
from simulator.outcomes import WHOLE_SHARE, Outcomes
from simulator.watch import ENDING, LEAD_CHANGES, LED_FROM
from tests.experiments.fakes import FakeTable


def empty_watched(plan: Plan, blocks: int) -> Outcomes:
    """Watched outcomes in which all is zero."""
    games, seats = plan.seating.shape
    return Outcomes.empty(blocks, games, seats, len(plan.played.parts), plan.played.watch.width)


def share_wins(out: Outcomes) -> None:
    """The highest score wins, ties share."""
    best = out.scores == out.scores.max(axis=2, keepdims=True)
    out.shares[:] = best * WHOLE_SHARE // best.sum(axis=2, keepdims=True)


def scored(plan: Plan, scores: np.ndarray, rolls: int | np.ndarray = 30) -> Outcomes:
    """Watched outcomes with these scores by block, game and seat; all points from the second part, nothing counted."""
    out = empty_watched(plan, len(scores))
    out.scores[:] = scores
    out.parts[..., 1] = scores
    out.rolls[:] = rolls
    share_wins(out)
    return out


def fill_watched(out: Outcomes, plan: Plan, rng: np.random.Generator) -> None:
    """Random facts and counts that obey the contract: who is first to do a feat does it."""
    watch = plan.played.watch
    counts, feats = len(watch.counts), len(watch.feats)
    out.facts[..., ENDING] = rng.integers(0, len(watch.endings), out.rolls.shape)
    out.facts[..., LEAD_CHANGES] = rng.integers(0, 9, out.rolls.shape)
    out.facts[..., LED_FROM] = rng.integers(0, out.rolls + 1)
    out.counts[..., :counts] = rng.integers(0, 50, (*out.scores.shape, counts))
    out.counts[..., counts] = rng.integers(0, 1 << feats, out.scores.shape)
    out.counts[..., counts + 1] = out.counts[..., counts] & rng.integers(0, 1 << feats, out.scores.shape)


def random_watched(plan: Plan, blocks: int, seed: int = 1, *, low: int = -20, high: int = 60) -> Outcomes:
    """Any watched outcomes, with many ties and close games."""
    rng = np.random.default_rng(seed)
    out = empty_watched(plan, blocks)
    spread = int(rng.choice([2, high - low]))
    out.scores[:] = rng.integers(low, low + spread + 1, out.scores.shape)
    out.parts[:] = rng.integers(-9, 30, out.parts.shape)
    out.rolls[:] = rng.integers(1, 60, out.rolls.shape)
    share_wins(out)
    fill_watched(out, plan, rng)
    return out


def part_of(out: Outcomes, first: int, last: int) -> Outcomes:
    """Some blocks of outcomes."""
    return Outcomes(*(getattr(out, name)[first:last] for name in Outcomes.__dataclass_fields__))


def study_of(*pairs: tuple[Plan, Outcomes], **settings: object) -> Study:
    """A study that had these outcomes."""
    plans = tuple(plan for plan, _ in pairs)
    sections = tuple(sum_up(plan, 0, out) if len(out.rolls) else Sections.empty(plan) for plan, out in pairs)
    return Study(plans, sections, len(pairs[0][1].rolls), seconds=0.5, threads=1, **settings)  # type: ignore[arg-type]


class WatchedTable(FakeTable):
    """A fake table whose games are watched."""

    def play(self, first_block: int, blocks: int) -> Outcomes:
        """Outcomes that depend on the seed and the number of the block only."""
        found = super().play(first_block, blocks)
        out = empty_watched(self.plan, blocks)
        for name in ("scores", "shares", "parts", "rolls"):
            getattr(out, name)[:] = getattr(found, name)
        for block in range(blocks):
            one = part_of(out, block, block + 1)
            fill_watched(one, self.plan, np.random.default_rng((self.plan.seed, first_block + block, 1)))
        return out
