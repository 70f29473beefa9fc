"""The games of one run that have no result yet: in which order they were issued, and what failed of them."""

from collections.abc import Iterable, Mapping

from gyoji.core.record import VoidGame
from gyoji.core.spec import GameSpec
from gyoji.pairing.failures import NOT_TRIED, Failures, SetAside


class Attempts:
    """The games of a run by their numbers. failures: the void games of all runs, kept up here."""

    def __init__(self, failures: Failures) -> None:
        self._failures = failures
        self._issued: dict[str, int] = {}
        self._count = 0

    @property
    def set_aside(self) -> Mapping[str, SetAside]:
        """The games that are not played any more, by id."""
        return self._failures.set_aside

    def issue(self, spec: GameSpec) -> int:
        """A game is to be played for the first time; its number. Raises ValueError if it is already."""
        if spec.id in self._issued:
            raise ValueError(f"game {spec.id} was issued twice")
        self._issued[spec.id] = self._count
        self._count += 1
        return self._count - 1

    def settle(self, game_id: str) -> None:
        """A game is finished."""
        self._issued.pop(game_id, None)
        self._failures.settle(game_id)

    def withdraw(self, specs: Iterable[GameSpec]) -> None:
        """These games are not to be played, unless they are issued again; how often they failed stays."""
        for spec in specs:
            del self._issued[spec.id]

    def fail(self, void: VoidGame) -> tuple[int, int | None]:
        """A game came to nothing: for the how-manieth time, and the number by which it goes before all later
        ones when it is played again; None if it is set aside.
        """
        attempt = self._failures.attempts(void.id) + 1
        self._failures.add(void, attempt)
        if void.id in self.set_aside:
            del self._issued[void.id]
        return attempt, self._issued.get(void.id)

    def skip(self, void: VoidGame) -> SetAside:
        """A game that was issued is not tried at all."""
        self._issued.pop(void.id)
        self._failures.add(void, NOT_TRIED)
        return self.set_aside[void.id]
