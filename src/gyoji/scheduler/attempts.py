"""Which void games are tried again, and when it is enough. Pure.

The answer depends on how often the same game has failed and on nothing else, so a run with four slots halts
on the same games as a run with one, whatever comes back first.
"""

from heapq import heappop, heappush

from gyoji.core.spec import GameSpec

MOST_VOIDS = 2
"""A game that is void so often in one run has a reason that will not go away."""

MOST_ATTEMPTS = 4
"""The same where workers died under it, which may be the doing of somebody else."""


class Attempts:
    """The void attempts of one run, and the games to be played again: those first that were issued first."""

    def __init__(self) -> None:
        self._issued: dict[str, int] = {}  # numbers of games that are played or waiting to be played again
        self._count = 0
        self._voids: dict[str, int] = {}
        self._deaths: dict[str, int] = {}
        self._again: list[tuple[int, GameSpec]] = []

    def issue(self, spec: GameSpec) -> None:
        """A game is played for the first time. Raises ValueError if it is being played already."""
        if spec.id in self._issued:
            raise ValueError(f"game {spec.id} was issued twice")
        self._issued[spec.id] = self._count
        self._count += 1

    def settle(self, game_id: str) -> None:
        """A game is done with: nothing more is known of it."""
        for memory in (self._issued, self._voids, self._deaths):
            memory.pop(game_id, None)

    def fail(self, spec: GameSpec, *, by_death: bool) -> int:
        """A game came to nothing, and waits to be played again; the how-manieth time it was, from 1.

        by_death: its worker died, rather than that the game was void.
        """
        tally = self._deaths if by_death else self._voids
        tally[spec.id] = tally.get(spec.id, 0) + 1
        heappush(self._again, (self._issued[spec.id], spec))
        return self._voids.get(spec.id, 0) + self._deaths.get(spec.id, 0)

    def is_hopeless(self, game_id: str) -> bool:
        """Whether the run should halt because of this game."""
        voids, deaths = self._voids.get(game_id, 0), self._deaths.get(game_id, 0)
        return voids >= MOST_VOIDS or voids + deaths >= MOST_ATTEMPTS

    def withdraw(self) -> int:
        """Forget the games that wait to be played again, not how often they failed; how many there were."""
        number = len(self._again)
        for _, spec in self._again:
            del self._issued[spec.id]
        self._again = []
        return number

    def next(self) -> GameSpec | None:
        """The game to be played again next, if there is one."""
        return heappop(self._again)[1] if self._again else None

    @property
    def waiting(self) -> int:
        return len(self._again)
