"""A competition that is the rounds of one system: Swiss, knockout, ladder, stages."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.pairing.cross import Cross
from gyoji.pairing.field import trials
from gyoji.pairing.introductions import Introductions
from gyoji.pairing.rounds import Rounds, System

Kind = TypeVar("Kind", bound=System)


class RoundsEvent(Generic[Kind]):
    """The rounds of a setup, as far as they have been played. See `gyoji.core.ports.Competition`."""

    def __init__(self, setup: CompetitionSetup, system: Kind) -> None:
        self.setup = setup
        self.system = system
        self.rounds = Rounds(setup, setup.settings, system)
        self._introductions = Introductions()

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        """The report on each player's engine in its last game."""
        return self._introductions.engines

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that this competition cannot have."""
        self.rounds.add(result)
        self._introductions.add(result)

    def next_game(self) -> GameSpec | None:
        """The next game of the rounds that have begun."""
        return self.rounds.next_game()

    def remaining(self) -> int:
        """How many games are still to be issued, as far as is known."""
        return self.rounds.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for each player, and for the one that scores."""
        return trials(self.setup, self.setup.settings, *self.system.players)

    def crosses(self) -> dict[str, Cross]:
        """One, of all games."""
        return {"": self.rounds.cross}
