"""The round robin by stages: everybody meets another opponent in each stage, on an opening of the stage's
own.

As in the preliminaries of a programming contest: if the competitors are an odd number, a player of the
organisers fills up the field. `gyoji.pairing.stages` says who meets whom.
"""

from dataclasses import dataclass
from typing import Literal

from gyoji.core.format import Format
from gyoji.core.setup import CompetitionSetup, PlayerCode
from gyoji.core.text import quote
from gyoji.pairing.event import RoundsEvent
from gyoji.pairing.field import NOBODY, FieldSettings, seeded
from gyoji.pairing.scoreboard import TableSettings, TieBreak
from gyoji.pairing.stages import Stages
from gyoji.tables.rounds import RoundsTables


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(FieldSettings, TableSettings):
    """The own settings of a round robin by stages.

    rounds      how many stages; None: until everybody has met all others once.
    bye_player  the opponent of whoever has none; "" for nobody.
    """

    points: Literal["games", "matches"] = "matches"
    tie_breaks: tuple[TieBreak, ...] = ("margin", "lot")
    rounds: int | None = None
    bye_player: PlayerCode = NOBODY

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        TableSettings.__post_init__(self)
        if self.rounds is not None and self.rounds < 1:
            raise ValueError(f"rounds: expected 1 or more, got {self.rounds}")
        if self.bye_player in self.competitors:
            raise ValueError(f"bye_player: {quote(self.bye_player)} is a competitor")


def competition(setup: CompetitionSetup) -> RoundsEvent[Stages]:
    """The round robin by stages that `setup` describes, before its first game."""
    settings: Settings = setup.settings
    players = seeded(setup, settings, settings.scoring_player, settings.bye_player)
    stages = Stages(players, settings, rounds=settings.rounds, filler=settings.bye_player, seed=setup.seed)
    return RoundsEvent(setup, stages)


FORMAT = Format(name="stages", settings=Settings, competition=competition, tables=RoundsTables)
