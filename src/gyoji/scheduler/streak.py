"""Whether it is the machine that keeps games from being played, rather than somebody who plays in them. Pure.

Games that are set aside one after the other, while none is finished, have a common cause. A few players may
be it: then all these games have one of them, and the others have games that can be played. Where it would
take half of the players to be the cause, it is the machine (its disk is full, no process can be started), and
to go on would set all games aside.
"""

from collections import Counter
from collections.abc import Iterable

PATIENCE = 10
"""How many games in a row are set aside at least before anything is made of it."""


class Streak:
    """The games that were set aside since the last one was finished. players: how many the event has."""

    def __init__(self, players: int) -> None:
        self._most = max(players, 2) / 2
        self._count = 0
        self._failed: set[frozenset[str]] = set()  # who played in them

    def end(self) -> None:
        """A game was finished."""
        self._count = 0
        self._failed.clear()

    def add(self, players: Iterable[str]) -> None:
        """A game was set aside."""
        self._count += 1
        self._failed.add(frozenset(players))

    @property
    def is_of_machine(self) -> bool:
        """Whether no smaller number of players than half of them could be the cause."""
        if self._count < PATIENCE or self._count % PATIENCE:
            return False
        failed, culprits = list(self._failed), 0
        while failed and culprits < self._most:
            often = Counter(player for players in failed for player in players)
            (culprit, _), *_ = often.most_common(1)
            failed = [players for players in failed if culprit not in players]
            culprits += 1
        return culprits >= self._most
