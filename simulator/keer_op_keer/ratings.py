"""The official rating of a solo score: 13 bands with stars; the names are ours.

Source of bands and stars: the rating table of the solo rules, as printed on the back of the publisher's rulebook.
"""

from __future__ import annotations

from typing import NamedTuple


class Band(NamedTuple):
    """Scores from ``low`` to ``high``, both inclusive (``None``: without end), and the printed stars of 4."""

    low: int | None
    high: int | None
    stars: str
    name: str
    dutch: str

    @property
    def scores(self) -> str:
        """The range as text: ``below 0``, ``0``, ``1 to 4``, ``above 40``."""
        if self.low is None:
            return f"below {self.high + 1}" if self.high is not None else "all"
        if self.high is None:
            return f"above {self.low - 1}"
        return f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"


BANDS = (
    Band(None, -1, "bolt", "short circuit", "kortsluiting"),
    Band(0, 0, "0", "blank page", "blanco"),
    Band(1, 4, "½", "first steps", "eerste stapjes"),
    Band(5, 8, "1", "beginner", "beginner"),
    Band(9, 12, "1½", "learner", "leerling"),
    Band(13, 16, "1½", "on the way", "op weg"),
    Band(17, 20, "2", "regular", "vaste speler"),
    Band(21, 24, "2½", "good", "goed"),
    Band(25, 28, "2½", "very good", "heel goed"),
    Band(29, 32, "3", "expert", "kenner"),
    Band(33, 36, "3½", "master", "meester"),
    Band(37, 40, "3½", "grand master", "grootmeester"),
    Band(41, None, "4", "legend", "legende"),
)
