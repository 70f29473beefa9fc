"""The knockout: who loses a match is out. `gyoji.pairing.knockout` says who meets whom.

A match is the best of so many games: when one of the two cannot lose it any more, no more of them are begun.
If it is drawn, extra games follow, from another opening; if these are drawn too, the higher seed goes on.
"""

from dataclasses import dataclass

from gyoji.core.format import Format
from gyoji.core.setup import CompetitionSetup
from gyoji.pairing.event import RoundsEvent
from gyoji.pairing.field import FieldSettings, seeded
from gyoji.pairing.knockout import Knockout
from gyoji.pairing.matches import MatchSettings, Terms
from gyoji.tables.rounds import RoundsTables


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(FieldSettings, MatchSettings):
    """A knockout's own settings.

    extra_matches  how many more matches, of `games_per_match` each, may follow one that is drawn.
    third_place    whether the losers of the semifinals meet.
    """

    extra_matches: int = 1
    third_place: bool = True

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        MatchSettings.__post_init__(self)
        if self.extra_matches < 0:
            raise ValueError(f"extra_matches: expected 0 or more, got {self.extra_matches}")


def competition(setup: CompetitionSetup) -> RoundsEvent[Knockout]:
    """The knockout that `setup` describes, before its first game."""
    settings: Settings = setup.settings
    terms = Terms(
        games=settings.games_per_match,
        decided_by=settings.decided_by,
        extras=settings.extra_matches,
        is_best_of=True,
    )
    players = seeded(setup, settings, settings.scoring_player)
    return RoundsEvent(setup, Knockout(players, terms, has_third_place=settings.third_place))


FORMAT = Format(name="knockout", settings=Settings, competition=competition, tables=RoundsTables)
