"""Which of the games that were played can be compared with those that are to be played, and which cannot.

A game counts if it was played by what would be played now (`gyoji.core.conditions`). Others are set apart:
they are not deleted, not counted with the rest, and told of; should the settings become again what they were,
they count again. A player whose command has changed is told of too, but its games count: it may be a path
that was put right.

Of a pairing that is no longer in the control file, games count that are as its first one.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.conditions import Conditions, Difference, settings_of
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec, Player
from gyoji.pairing.games import known_names, with_free_id

_TOLD = ("command", "partner", "protocol", "options", "environ", "ponders", "threads", "budgets")
"""The fields of a player that are told when they differ; its clock sets games apart."""


class PlayedBy(Hashable, Protocol):
    """The settings of a stored game, as numbers of texts: JSON of a spec's frame, and of players."""

    @property
    def frame(self) -> int: ...

    @property
    def numbers(self) -> Sequence[int]:
        """All of them, that of the frame first."""


@dataclass(slots=True)
class Apart:
    """Games of some players that cannot be compared with others. points: of those whose result is known."""

    players: tuple[str, ...]
    differences: tuple[Difference, ...]
    games: int = 0
    points: dict[str, float] = field(default_factory=dict)

    def add(self, result: GameResult, names: Sequence[str]) -> None:
        """Count a game; names: of its players here."""
        self.games += 1
        for name, points in zip(names, result.outcome.points or (), strict=False):
            self.points[name] = self.points.get(name, 0) + points


@dataclass(slots=True)
class Changed:
    """Games that a player has played by a command, or other settings of its own, which have changed since."""

    player: str
    was: Player
    now: Player
    games: int = 0

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of the fields that have changed."""
        return tuple(name for name in _TOLD if getattr(self.was, name) != getattr(self.now, name))


_Found: TypeAlias = tuple[tuple[Difference, ...], tuple[Changed, ...]]

MOST_KNOWN = 4096
"""Games of so many kinds (pairing, players, settings) are known at a glance; a tuner has more."""


class Comparison:
    """A comparison of stored games with the present setup. Counts each game that it is shown; O(1) a game."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self._setup = setup
        self._settings: dict[str, GameSettings | None] = {}  # by pairing
        self._now: dict[int, Conditions] = {}  # by the identity of settings
        self._firsts: dict[str, Conditions] = {}  # of pairings that there are not any more
        self._known: dict[tuple[object, ...], _Found] = {}
        self._known_frames: dict[tuple[object, int], tuple[Difference, ...]] = {}
        self._known_players: dict[tuple[str, int], tuple[tuple[Difference, ...], Changed | None]] = {}
        self._apart: dict[tuple[object, ...], Apart] = {}
        self._changed: list[Changed] = []
        self._ids: set[str] = set()

    @property
    def setup(self) -> CompetitionSetup:
        """The present setup."""
        return self._setup

    @property
    def apart(self) -> Sequence[Apart]:
        """The games that do not count."""
        return tuple(self._apart.values())

    @property
    def changed(self) -> Sequence[Changed]:
        """The players that have changed."""
        return tuple(each for each in self._changed if each.games)

    def takes(self, result: GameResult, by: PlayedBy, text: Callable[[int], str]) -> bool:
        """Whether a stored game counts; text: the JSON that stands under a number. Raises ValueError."""
        key = (by, result.pairing, result.players)
        if (found := self._known.get(key)) is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = self._look(result, by, text)
        differences, changes = found
        if differences:
            self.set_apart(result, differences)
        else:
            for changed in changes:
                changed.games += 1
        return not differences

    def _look(self, result: GameResult, by: PlayedBy, text: Callable[[int], str]) -> _Found:
        """The differences that set such games apart; and the changes they count for if there are none."""
        frame, *players = by.numbers
        differences = self._of_frame(result.pairing, frame, text)
        changes = []
        for code, number in dict.fromkeys(zip(result.players, players, strict=False)):
            own, changed = self._of_player(code, number, text)
            differences += own
            if changed is not None:
                changes.append(changed)
        return differences, tuple(changes)

    def set_apart(self, result: GameResult, differences: tuple[Difference, ...]) -> None:
        """Count a game among those that cannot be compared."""
        self._ids.add(result.id)
        names = known_names(result.opponents, self._setup.players)
        key = (*sorted(names), differences)
        if key not in self._apart:
            self._apart[key] = Apart(tuple(sorted(names)), differences)
        self._apart[key].add(result, names)

    def differences(self, spec: GameSpec) -> tuple[Difference, ...]:
        """The differences of an issued game from the present settings."""
        settings = self._settings_of(spec.pairing)
        found = () if settings is None else Conditions.of(spec).differences(self._wanted(settings))
        for code, player in {player.code: player for player in spec.players}.items():
            found += _clocks(code, player, self._player(code))
        return found

    def keep_id(self, game_id: str) -> None:
        """Let no other game have this id."""
        self._ids.add(game_id)

    def renamed(self, spec: GameSpec) -> GameSpec:
        """A game that the competition has issued, under an id that is not kept for another."""
        return with_free_id(spec, self._ids)

    def become(self, other: "Comparison") -> None:
        """Go on as another one: the control file has been read again."""
        self.__dict__.update(other.__dict__)

    def _of_frame(self, pairing: str, number: int, text: Callable[[int], str]) -> tuple[Difference, ...]:
        settings = self._settings_of(pairing)
        key = (pairing if settings is None else id(settings), number)
        if (found := self._known_frames.get(key)) is None:
            was = Conditions.of_frame(text(number))
            now = self._firsts.setdefault(pairing, was) if settings is None else self._wanted(settings)
            found = self._known_frames[key] = was.differences(now)
        return found

    def _of_player(
        self, code: str, number: int, text: Callable[[int], str]
    ) -> tuple[tuple[Difference, ...], Changed | None]:
        """The differences that set games of a player apart; and the change that they count for, if any."""
        now = self._player(code)
        if now is None:
            return (), None
        if (found := self._known_players.get((code, number))) is None:
            was = wire.loads(Player, text(number))
            changed = Changed(code.partition("#")[0], was, now)
            is_same = not changed.settings or not Changed(code, was, _partner(now)).settings
            if not is_same:
                self._changed.append(changed)
            found = self._known_players[code, number] = _clocks(code, was, now), None if is_same else changed
        return found

    def _settings_of(self, pairing: str) -> GameSettings | None:
        if isinstance(self._setup.settings, GameSettings):
            return self._setup.settings
        if pairing not in self._settings:
            self._settings[pairing] = settings_of(self._setup, pairing)
        return self._settings[pairing]

    def _wanted(self, settings: GameSettings) -> Conditions:
        """The present conditions; `settings` is kept alive by the setup."""
        if (now := self._now.get(id(settings))) is None:
            now = self._now[id(settings)] = Conditions.of_settings(settings)
        return now

    def _player(self, code: str) -> Player | None:
        """The player of the control file; None for a candidate, or somebody who is not in it any more."""
        return self._setup.players.get(code.partition("#")[0])


def _clocks(code: str, was: Player, now: Player | None) -> tuple[Difference, ...]:
    """The difference that a player's own clock makes."""
    if now is None or was.clock == now.clock:
        return ()
    told = ("none of its own" if each is None else each.describe() for each in (was.clock, now.clock))
    return (Difference(f"clock of {code}", *told),)


def _partner(player: Player) -> Player:
    """The player as the other seats of its team have it."""
    return replace(player, command=player.partner or player.command, partner=())
