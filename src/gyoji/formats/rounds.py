"""The formats with rounds of matches: Swiss system, round robin by stages, knockout and ladder.

`gyoji.pairing.swiss` and `gyoji.pairing.systems` decide who meets whom; `gyoji.pairing.rounds` issues and
counts the games.
"""

from dataclasses import dataclass
from typing import Literal

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.setup import CompetitionSetup, PlayerCode, check_least
from gyoji.core.text import quote
from gyoji.pairing.arrangements import Arrangements
from gyoji.pairing.competitors import NOBODY, FieldSettings, seeded
from gyoji.pairing.rounds import Rounds
from gyoji.pairing.swiss import Swiss
from gyoji.pairing.systems import Knockout, Ladder, Stages
from gyoji.results.matches import MatchSettings, Terms
from gyoji.results.scoreboard import TableSettings, TieBreak
from gyoji.tables.round_tables import RoundsTables


@dataclass(frozen=True, slots=True, kw_only=True)
class SwissSettings(FieldSettings, Arrangements, TableSettings):
    """The settings of a Swiss tournament.

    Attributes:
        rounds: Number of rounds.
    """

    rounds: int

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        TableSettings.__post_init__(self)
        check_least(1, rounds=self.rounds)


def swiss(setup: CompetitionSetup) -> Rounds:
    """Return the Swiss tournament of a setup: a new competition without results."""
    settings = setup.settings_as(SwissSettings)
    players = seeded(setup, settings, settings.scoring_player)
    try:
        system = Swiss(players, settings, rounds=settings.rounds, seed=setup.seed, arrangements=settings)
    except ValueError as error:
        raise ConfigError(f"{setup.code}: {error}") from None
    return Rounds(setup, settings, system)


@dataclass(frozen=True, slots=True, kw_only=True)
class StagesSettings(FieldSettings, TableSettings):
    """The settings of a round robin by stages.

    Attributes:
        rounds: The number of stages. None: until each pair has met once.
        bye_player: The opponent of the competitor that is left over in each stage if their number is odd. It
            is no competitor and is not ranked. With "" the competitor that is left over pauses.
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


def stages(setup: CompetitionSetup) -> Rounds:
    """Return the round robin by stages of a setup: a new competition without results.

    In each stage every player meets a new opponent, until all have met. All matches of a stage have the same
    openings, as in the preliminaries of a programming contest.
    """
    settings = setup.settings_as(StagesSettings)
    players = seeded(setup, settings, settings.scoring_player, settings.bye_player)
    system = Stages(players, settings, rounds=settings.rounds, filler=settings.bye_player, seed=setup.seed)
    return Rounds(setup, settings, system)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutSettings(FieldSettings, MatchSettings):
    """The settings of a knockout.

    Attributes:
        extra_matches: How many more matches, of `games_per_match` each, may follow a drawn one.
        third_place: Whether the losers of the semifinals meet.
    """

    extra_matches: int = 1
    third_place: bool = True

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        MatchSettings.__post_init__(self)
        check_least(0, extra_matches=self.extra_matches)


def knockout(setup: CompetitionSetup) -> Rounds:
    """Return the knockout of a setup: a new competition without results.

    The loser of a match is out. A match that points decide ends as soon as its winner is certain. After a
    drawn match, up to `extra_matches` more are played from other openings. If all are drawn, the higher seed
    goes on.
    """
    settings = setup.settings_as(KnockoutSettings)
    terms = Terms.best_of(settings, extras=settings.extra_matches)
    players = seeded(setup, settings, settings.scoring_player)
    return Rounds(setup, settings, Knockout(players, terms, has_third_place=settings.third_place))


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderSettings(FieldSettings, MatchSettings):
    """The settings of a ladder.

    Attributes:
        rounds: The number of rounds. None: as many as there are competitors.
    """

    rounds: int | None = None

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        MatchSettings.__post_init__(self)
        check_least(1, rounds=self.rounds)


def ladder(setup: CompetitionSetup) -> Rounds:
    """Return the ladder of a setup: a new competition without results.

    A challenger meets the player above it and takes its place if it wins.
    """
    settings = setup.settings_as(LadderSettings)
    players = seeded(setup, settings, settings.scoring_player)
    return Rounds(setup, settings, Ladder(players, settings, rounds=settings.rounds))


SWISS = Format(name="swiss", settings=SwissSettings, competition=swiss, tables=RoundsTables)
STAGES = Format(name="stages", settings=StagesSettings, competition=stages, tables=RoundsTables)
KNOCKOUT = Format(name="knockout", settings=KnockoutSettings, competition=knockout, tables=RoundsTables)
LADDER = Format(name="ladder", settings=LadderSettings, competition=ladder, tables=RoundsTables)
