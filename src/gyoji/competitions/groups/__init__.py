"""Groups with promotion: everybody plays everybody in each group, and the best go up into another.

The first group is the final. A group whose best go up (into the group before it, if it names no other) plays
first; the one that they go into waits until all such groups have played and no game waits for the judge. Who
was promoted is a function of the results, like everything else here.

A pair is named after its group and its players, "final,a,b": should a ruling change who was promoted, what
somebody played in a group that he is not in does not count, and the games that are lacking are played.
"""

from collections.abc import Iterator, Mapping

from gyoji.competitions.groups.settings import Group, Settings
from gyoji.competitions.groups.stage import Stage, pairing_id
from gyoji.core.faults import ConfigError
from gyoji.core.format import Format
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.pairing.introductions import Introductions

__all__ = ["FORMAT", "Group", "Groups", "Settings", "Stage", "competition"]


class Groups:
    """The groups of a setup, as far as they have been played. See `gyoji.core.ports.Competition`.

    stages: the groups in play, in the order of the control file. strays: the ids of stored games of groups
    that there are not.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        settings: Settings = setup.settings
        feeders = settings.feeders()
        self._by_id: dict[str, Stage] = {}
        for group in reversed(settings.groups):
            below = [self._by_id[feeder.id] for feeder in feeders[group.id]]
            promotes = 0 if group is settings.groups[0] else group.promote
            self._by_id[group.id] = Stage(setup, group, below, promotes=promotes)
        self.stages = tuple(self._by_id[group.id] for group in settings.groups)
        self.strays: set[str] = set()
        self._introductions = Introductions()
        self._open()

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        """What each player's engine said of itself in its last game."""
        return self._introductions.engines

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that no groups make."""
        group = result.pairing.partition(",")[0]
        if result.pairing != pairing_id(group, *result.players[:2]):
            raise ConfigError(f"stored game {quote(result.id)} is no game of groups")
        self._introductions.add(result)
        stage = self._by_id.get(group)
        if stage is None:
            self.strays.add(result.id)
            return
        stage.add(result)
        if stage.is_over:
            self._open()

    def next_game(self) -> GameSpec | None:
        """The next game, of the lowest group that has one."""
        for stage in reversed(self.stages):
            if (spec := stage.next_game()) is not None:
                return spec
        return None

    def remaining(self) -> int:
        """How many games are still to be issued."""
        return sum(stage.remaining for stage in self.stages)

    def checks(self) -> Iterator[GameSpec]:
        """A game for each player, as its group plays, and for those that score."""
        seen: set[str] = set()
        for stage in self.stages:
            for code in (*stage.group.players, stage.group.scoring_player):
                if code and code not in seen:
                    seen.add(code)
                    yield stage.check(code)

    def _open(self) -> None:
        """Let those groups begin that wait for nothing any more, the lowest first."""
        for stage in reversed(self.stages):
            stage.open()


def competition(setup: CompetitionSetup) -> Groups:
    """The groups that `setup` describes, before their first game."""
    return Groups(setup)


FORMAT = Format(name="groups", settings=Settings, competition=competition)
