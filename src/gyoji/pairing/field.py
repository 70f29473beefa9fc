"""Who takes part in a competition, in which order, and what their engines say of themselves.

The order is that of the seeds: where nothing else decides, the earlier one comes first.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode
from gyoji.core.spec import GameSpec, derive_seed
from gyoji.core.text import quote
from gyoji.pairing.games import GameMaker

NOBODY = PlayerCode("")

_NONE: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)  # without slots, so that it can be combined with `GameSettings`
class FieldSettings:
    """Who takes part.

    competitors  none given: all players, as the control file has them, but for those with another task.
    seeding      their order: as "given", by their "ratings", the highest first, or by "lot".
    ratings      of competitors; who has none comes after those who have one, in the order given.
    """

    competitors: tuple[PlayerCode, ...] = ()
    seeding: Literal["given", "ratings", "lot"] = "given"
    ratings: Mapping[str, float] = field(default_factory=lambda: _NONE)

    def __post_init__(self) -> None:
        refuse_twins("competitors", self.competitors)
        if len(self.competitors) == 1:
            raise ValueError(f"competitors: expected two or more, got only {self.competitors[0]!r}")
        if self.ratings and self.seeding != "ratings":
            raise ValueError(f'ratings: have no effect with seeding = "{self.seeding}"')
        if self.seeding == "ratings" and not self.ratings:
            raise ValueError('ratings: required, but not given, with seeding = "ratings"')


def check_least(least: float, **numbers: float | None) -> None:
    """Raise ValueError, "key: problem", for a number below `least`; None is none."""
    for key, number in numbers.items():
        if number is not None and number < least:
            raise ValueError(f"{key}: expected {least:g} or more, got {number:g}")


def refuse_twins(setting: str, codes: tuple[str, ...]) -> None:
    """Raise ValueError if a player is named twice in a setting."""
    seen: set[str] = set()
    for code in codes:
        if code in seen:
            raise ValueError(f"{setting}: {quote(code)} is given twice")
        seen.add(code)


def seeded(setup: CompetitionSetup, settings: FieldSettings, *others: str) -> tuple[str, ...]:
    """The competitors, the first seed first. others: players that have another task, "" for nobody.

    Raises ConfigError if there are fewer than two, and for a rating of somebody else.
    """
    idle = tuple(code for code in setup.players if code not in others)
    codes: tuple[str, ...] = settings.competitors or idle
    if len(codes) < 2:
        raise ConfigError(f"{setup.code}: players: expected two or more to play each other, got {len(codes)}")
    strangers = [code for code in settings.ratings if code not in codes]
    if strangers:
        raise ConfigError(f"{setup.code}: ratings: {quote(strangers[0])} is not a competitor")
    if settings.seeding == "ratings":
        lowest = min(settings.ratings.values()) - 1
        return tuple(sorted(codes, key=lambda code: -settings.ratings.get(code, lowest)))
    if settings.seeding == "lot":
        return tuple(sorted(codes, key=lambda code: derive_seed(setup.seed, "seeding", code)))
    return codes


def trials(setup: CompetitionSetup, settings: GameSettings, *codes: str) -> Iterator[GameSpec]:
    """A game to try each of these players with, and the one that scores. See `Competition.checks`."""
    maker = GameMaker(setup, settings)
    for code in dict.fromkeys((*codes, settings.scoring_player)):
        if code:
            yield maker.check("", setup.players[code])


class EngineReports(Mapping[str, EngineReport]):
    """The report on each player's engine in its last game, by the player's code there.

    Results come in whatever order.
    """

    def __init__(self) -> None:
        self._last: dict[str, GameResult] = {}  # game of each player

    def add(self, result: GameResult) -> None:
        """Take note of the engines of a finished game."""
        if result.outcome.ending is Ending.SET_ASIDE:
            return
        last, started = self._last, result.started
        for player in result.players[: len(result.engines)]:
            other = last.get(player)
            if (
                other is None
                or started > other.started
                or (started == other.started and result.id >= other.id)
            ):
                last[player] = result

    def __getitem__(self, player: str) -> EngineReport:
        game = self._last[player]
        return dict(zip(game.players, game.engines, strict=False))[player]

    def __iter__(self) -> Iterator[str]:
        return iter(self._last)

    def __len__(self) -> int:
        return len(self._last)
