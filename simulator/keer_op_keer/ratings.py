"""The official rating of a solo score: 13 bands with stars; the names are ours.

Source of bands and stars: the rating table of the solo rules, as printed on the back of the publisher's rulebook.
"""

from __future__ import annotations

from simulator.game import Band

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
