"""The competitors of a competition, and their order of seeds.

If nothing else decides a ranking, the player with the earlier seed comes first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from gyoji.core.faults import ConfigError
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode, refuse_twins
from gyoji.core.spec import GameSpec, derive_seed
from gyoji.core.text import quote
from gyoji.pairing.game_maker import GameMaker

NOBODY = PlayerCode("")

_NONE: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)  # without slots, so that it can be combined with `GameSettings`
class FieldSettings:
    """The settings of a competition's field.

    Attributes:
        competitors: The competitors. Empty: all players in the order of the control file, except those
            with another task, such as the scoring player.
        seeding: The order of the seeds: as "given", by "ratings" (the highest first), or by "lot" (at
            random).
        ratings: The rating of each competitor. Competitors without one follow in the order given.
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


def seeded(setup: CompetitionSetup, settings: FieldSettings, *others: str) -> tuple[str, ...]:
    """Return the competitors, the first seed first.

    Args:
        setup: The competition's setup.
        settings: The settings of the field.
        others: Players with another task, such as the scoring player. "" is ignored.

    Raises:
        ConfigError: There are fewer than two competitors, or a rating names another player.
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


# Snake order (1 2 3 3 2 1 ...) makes the sums of the seeds as equal as possible. Dealing from the front each
# time would give group 1 the better player of every round.
def divided(players: Sequence[str], count: int) -> list[list[str]]:
    """Divide players into `count` groups of about equal strength. Their seeds go through the groups in snake
    order: forwards, backwards, forwards and so on.

    >>> divided("abcdefgh", 3)
    [['a', 'f', 'g'], ['b', 'e', 'h'], ['c', 'd']]
    """
    groups: list[list[str]] = [[] for _ in range(count)]
    for seed, player in enumerate(players):
        turn, place = divmod(seed, count)
        groups[count - 1 - place if turn % 2 else place].append(player)
    return groups


def trials(setup: CompetitionSetup, *parts: tuple[GameSettings, Iterable[str]]) -> Iterator[GameSpec]:
    """Yield one check game for each player: a game that is set up before a run (`Competition.checks`).

    Scoring players, which are engines that score finished games, are checked too.

    Args:
        setup: The competition's setup.
        parts: For each part of the competition, its settings and the names of its players. A player in
            several parts is checked with the settings of the first. The name "" is ignored.
    """
    tried = {""}
    for settings, codes in parts:
        maker = GameMaker(setup, settings, teams=None)
        for code in (*codes, settings.scoring_player):
            if code not in tried:
                tried.add(code)
                yield maker.check("", setup.players[code])
