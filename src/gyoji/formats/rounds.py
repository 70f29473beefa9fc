"""The formats that are rounds of matches: Swiss system, round robin by stages, knockout, ladder.

`gyoji.pairing.systems` says who meets whom, `gyoji.pairing.rounds` has the rounds played.
"""

from dataclasses import dataclass
from typing import Literal

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.setup import CompetitionSetup, PlayerCode
from gyoji.core.text import quote
from gyoji.pairing.arrangements import Arrangements
from gyoji.pairing.field import NOBODY, FieldSettings, check_least, seeded
from gyoji.pairing.matches import MatchSettings, Terms
from gyoji.pairing.rounds import RoundsEvent
from gyoji.pairing.scoreboard import TableSettings, TieBreak
from gyoji.pairing.swiss import Swiss
from gyoji.pairing.systems import Knockout, Ladder, Stages
from gyoji.tables.rounds import RoundsTables


@dataclass(frozen=True, slots=True, kw_only=True)
class SwissSettings(FieldSettings, Arrangements, TableSettings):
    """A Swiss tournament's own settings. rounds: matches of everybody."""

    rounds: int

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        TableSettings.__post_init__(self)
        check_least(1, rounds=self.rounds)


def swiss(setup: CompetitionSetup) -> RoundsEvent[Swiss]:
    """The Swiss tournament of a setup: a round begins when the one before is over, nobody meets twice."""
    settings = setup.settings_as(SwissSettings)
    players = seeded(setup, settings, settings.scoring_player)
    try:
        system = Swiss(players, settings, rounds=settings.rounds, seed=setup.seed, arrangements=settings)
    except ValueError as error:
        raise ConfigError(f"{setup.code}: {error}") from None
    return RoundsEvent(setup, system)


@dataclass(frozen=True, slots=True, kw_only=True)
class StagesSettings(FieldSettings, TableSettings):
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
        check_least(1, rounds=self.rounds)
        if self.bye_player in self.competitors:
            raise ValueError(f"bye_player: {quote(self.bye_player)} is a competitor")


def stages(setup: CompetitionSetup) -> RoundsEvent[Stages]:
    """The round robin by stages of a setup: everybody meets another opponent in each stage.

    As in the preliminaries of a programming contest: each stage has an opening of its own, and if the
    competitors are an odd number, a player of the organisers fills up the field.
    """
    settings = setup.settings_as(StagesSettings)
    players = seeded(setup, settings, settings.scoring_player, settings.bye_player)
    system = Stages(players, settings, rounds=settings.rounds, filler=settings.bye_player, seed=setup.seed)
    return RoundsEvent(setup, system)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutSettings(FieldSettings, MatchSettings):
    """A knockout's own settings.

    extra_matches  how many more matches, of `games_per_match` each, may follow one that is drawn.
    third_place    whether the losers of the semifinals meet.
    """

    extra_matches: int = 1
    third_place: bool = True

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        MatchSettings.__post_init__(self)
        check_least(0, extra_matches=self.extra_matches)


def knockout(setup: CompetitionSetup) -> RoundsEvent[Knockout]:
    """The knockout of a setup: who loses a match is out.

    A match is the best of so many games: when one of the two cannot lose it any more, no more of them are
    begun. If it is drawn, extra games follow, from another opening; if these are drawn too, the higher seed
    goes on.
    """
    settings = setup.settings_as(KnockoutSettings)
    terms = Terms.best_of(settings, extras=settings.extra_matches)
    players = seeded(setup, settings, settings.scoring_player)
    return RoundsEvent(setup, Knockout(players, terms, has_third_place=settings.third_place))


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderSettings(FieldSettings, MatchSettings):
    """A ladder's own settings. rounds: None for as many as there are competitors."""

    rounds: int | None = None

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        MatchSettings.__post_init__(self)
        check_least(1, rounds=self.rounds)


def ladder(setup: CompetitionSetup) -> RoundsEvent[Ladder]:
    """The ladder of a setup: a challenger meets the one above it, and takes its place if it wins."""
    settings = setup.settings_as(LadderSettings)
    players = seeded(setup, settings, settings.scoring_player)
    return RoundsEvent(setup, Ladder(players, settings, rounds=settings.rounds))


SWISS = Format(name="swiss", settings=SwissSettings, competition=swiss, tables=RoundsTables)
STAGES = Format(name="stages", settings=StagesSettings, competition=stages, tables=RoundsTables)
KNOCKOUT = Format(name="knockout", settings=KnockoutSettings, competition=knockout, tables=RoundsTables)
LADDER = Format(name="ladder", settings=LadderSettings, competition=ladder, tables=RoundsTables)
