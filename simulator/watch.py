"""What is watched of a game beside its scores: how it ended, who led, and what the game itself counts.

Watching is for experiments that ask what a rule does to the game. A game says in a :class:`Watch` what it counts;
engine and referee both count it, and a test holds them equal. These facts are the same for every game:

* ``ending``: number of the reason among ``Watch.endings``, the first that holds;
* ``lead_changes``: a player *leads* after a roll if nobody else would have as many points if the game ended now. The
  lead changes when somebody leads who is not the last one that did; to be the first one to lead is no change;
* ``led_from``: number of the roll from whose end on a winner was never behind anybody; the smallest of several winners.
"""

from __future__ import annotations

from typing import NamedTuple

FACTS = ("ending", "lead_changes", "led_from")
ENDING, LEAD_CHANGES, LED_FROM = range(len(FACTS))


class Count(NamedTuple):
    """Something that is counted for every player of a game.

    Parameters
    ----------
    name : str
        As it is typed: ``"jokers"``.
    label : str
        As it stands in a table: ``"joker dice taken"``.
    about : str
        What exactly is counted.
    more, less : str
        How a change is told, with the amount in place of ``{}``: ``"players take {} more joker dice"``.
    per_roll : bool
        Told as a share of the rolls of a game, over all players; else as a mean for each player.
    together : bool
        Whether it needs others at the table.
    """

    name: str
    label: str
    about: str
    more: str
    less: str
    per_roll: bool = False
    together: bool = False


class Watch(NamedTuple):
    """What a game watches.

    Parameters
    ----------
    endings : tuple of str
        Why a game can end, each as what follows "ended by": ``"full colors"``. The last is the safety limit of rolls.
    counts : tuple of Count
        What is counted for every player.
    feats : tuple of str
        What a player can complete, and be the first to complete: ``"column A"``, …; at most 62.
    done : str
        What is done to a feat: ``"filled"``.
    """

    endings: tuple[str, ...]
    counts: tuple[Count, ...]
    feats: tuple[str, ...]
    done: str

    @property
    def width(self) -> int:
        """Numbers that are watched of a player: the counts, then feats done, and feats done first, as bits."""
        return len(self.counts) + 2
