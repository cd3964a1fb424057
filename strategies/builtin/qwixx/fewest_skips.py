"""The strategy ``fewest-skips``."""

from __future__ import annotations

from strategies.scored import strategy


@strategy
def fewest_skips(view, move, max=1, avoid=0):  # type: ignore[no-untyped-def]
    """Crosses the number that skips the fewest, if it skips no more than max; to avoid a penalty no more than avoid.

    The first of equals, in the order of the rows. Numbers that are skipped are lost, so a small max plays for long rows
    and takes penalties for it.
    max: most numbers that a cross may skip.
    avoid: most numbers that a cross may skip if a penalty threatens: in the white action if no color cross of this roll
    skips max or fewer, in the color action if nothing is crossed yet. Counts only if it is more than max.
    """
    if not move.crossing:
        return -100.0
    limit = max
    threatens = view.active and not view.crossed and not 0 <= view.color_gap <= max
    if threatens and avoid > limit:
        limit = avoid
    return -move.gap if move.gap <= limit else -200.0
