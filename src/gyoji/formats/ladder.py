"""The ladder: a challenger meets the one above it, and takes its place if it wins.

In each round every second competitor challenges: the second, the fourth and so on in the first round, the
third, the fifth and so on in the next. A round begins when the one before is over; a drawn match leaves both
where they are.

So nobody can rise or fall by more than a place a round. If the stronger one always won, as many rounds as
there are competitors would put any order right (odd-even transposition sort); that is how many there are if
nobody says otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gyoji.core.format import Format
from gyoji.core.setup import CompetitionSetup
from gyoji.pairing.event import RoundsEvent
from gyoji.pairing.field import FieldSettings, seeded
from gyoji.pairing.matches import Fixture, MatchSettings, Terms
from gyoji.pairing.rounds import Played
from gyoji.tables.rounds import RoundsTables

_CHALLENGER = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(FieldSettings, MatchSettings):
    """A ladder's own settings. rounds: None for as many as there are competitors."""

    rounds: int | None = None

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        MatchSettings.__post_init__(self)
        if self.rounds is not None and self.rounds < 1:
            raise ValueError(f"rounds: expected 1 or more, got {self.rounds}")


class Ladder:
    """The system of a ladder: see `gyoji.pairing.rounds.System`."""

    waits = True

    def __init__(self, players: Sequence[str], settings: Settings) -> None:
        self.players = tuple(players)
        self.terms = Terms(games=settings.games_per_match, decided_by=settings.decided_by)
        count = len(players) if settings.rounds is None else settings.rounds
        self.sizes: Sequence[int] = tuple(
            (len(players) - self._highest(number)) // 2 for number in range(count)
        )

    def draw(self, played: Played) -> list[Fixture]:
        """The next challenges, the highest first. The challenger has the first seat first."""
        places, note = self.ranking(played), f"round {len(played) + 1}"
        highest = self._highest(len(played))
        pairs = zip(places[highest::2], places[highest + 1 :: 2], strict=False)
        return [Fixture(challenger, holder, note) for holder, challenger in pairs]

    def ranking(self, played: Played) -> list[str]:
        """The ladder after all challenges that are over, from the top."""
        places = list(self.players)
        for number, matches in enumerate(played):
            for index, match in enumerate(matches):
                if match.winner == _CHALLENGER:
                    upper = self._highest(number) + 2 * index
                    places[upper : upper + 2] = match.players
        return places

    def _highest(self, number: int) -> int:
        """The highest place that is challenged in a round, from 0."""
        return number % 2 if len(self.players) > 2 else 0


def competition(setup: CompetitionSetup) -> RoundsEvent[Ladder]:
    """The ladder that `setup` describes, before its first game."""
    settings: Settings = setup.settings
    return RoundsEvent(setup, Ladder(seeded(setup, settings, settings.scoring_player), settings))


FORMAT = Format(name="ladder", settings=Settings, competition=competition, tables=RoundsTables)
