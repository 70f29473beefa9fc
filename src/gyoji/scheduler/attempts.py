"""Which void games are tried again, and when it is enough. Pure.

The answer depends on how often the same game has failed and on nothing else, so a run with four slots halts
on the same games as a run with one, whatever comes back first.
"""

from collections.abc import Iterable

from gyoji.core.spec import GameSpec

MOST_VOIDS = 2
"""A game that is void so often in one run has a reason that will not go away."""

MOST_ATTEMPTS = 4
"""The same where workers died under it, which may be the doing of somebody else."""


class Attempts:
    """The games of one run that have no result yet: their numbers, and how often each has come to nothing."""

    def __init__(self) -> None:
        self._issued: dict[str, int] = {}
        self._count = 0
        self._voids: dict[str, int] = {}
        self._deaths: dict[str, int] = {}

    def issue(self, spec: GameSpec) -> int:
        """A game is to be played for the first time; its number. Raises ValueError if it is already."""
        if spec.id in self._issued:
            raise ValueError(f"game {spec.id} was issued twice")
        self._issued[spec.id] = self._count
        self._count += 1
        return self._count - 1

    def settle(self, game_id: str) -> None:
        """A game is done with: nothing more is known of it."""
        for memory in (self._issued, self._voids, self._deaths):
            memory.pop(game_id, None)

    def withdraw(self, specs: Iterable[GameSpec]) -> None:
        """These games are not to be played, unless they are issued again; how often they failed stays."""
        for spec in specs:
            del self._issued[spec.id]

    def fail(self, game_id: str, *, by_death: bool) -> int:
        """A game came to nothing; its number, by which it goes before all later ones.

        by_death: its worker died, rather than that the game was void.
        """
        tally = self._deaths if by_death else self._voids
        tally[game_id] = tally.get(game_id, 0) + 1
        return self._issued[game_id]

    def of(self, game_id: str) -> int:
        """How often a game has come to nothing."""
        return self._voids.get(game_id, 0) + self._deaths.get(game_id, 0)

    def is_hopeless(self, game_id: str) -> bool:
        """Whether the run should halt because of this game."""
        return self._voids.get(game_id, 0) >= MOST_VOIDS or self.of(game_id) >= MOST_ATTEMPTS
