"""The Swiss system: in each round everybody meets somebody who has done about as well, and nobody twice.

A round begins when the one before is over. `gyoji.pairing.swiss` says who meets whom.
"""

from dataclasses import dataclass

from gyoji.core.format import Format
from gyoji.core.setup import CompetitionSetup
from gyoji.pairing.event import RoundsEvent
from gyoji.pairing.field import FieldSettings, seeded
from gyoji.pairing.scoreboard import TableSettings
from gyoji.pairing.swiss import Swiss
from gyoji.tables.rounds import RoundsTables


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(FieldSettings, TableSettings):
    """A Swiss tournament's own settings. rounds: matches of everybody."""

    rounds: int

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        TableSettings.__post_init__(self)
        if self.rounds < 1:
            raise ValueError(f"rounds: expected 1 or more, got {self.rounds}")


def competition(setup: CompetitionSetup) -> RoundsEvent[Swiss]:
    """The Swiss tournament that `setup` describes, before its first game."""
    settings: Settings = setup.settings
    players = seeded(setup, settings, settings.scoring_player)
    return RoundsEvent(setup, Swiss(players, settings, rounds=settings.rounds, seed=setup.seed))


FORMAT = Format(name="swiss", settings=Settings, competition=competition, tables=RoundsTables)
