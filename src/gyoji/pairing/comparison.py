"""Which of the games that were played can be compared with those that are to be played, and which cannot.

A game counts if it was played by what would be played now: the same game with its own options, the clock, who
counts, when it stops. The opening is not one of these conditions, only whether games have one; nor is who
plays, and with which command: a player is who its code says. Where a stored value lacks an option, that has
the default of today: it did not exist then.

Other games are set apart: they are not deleted, not counted with the rest, and told of; should the settings
become again what they were, they count again. A player whose command has changed is told of too, but its
games count: it may be a path that was put right. Of a pairing that is no longer in the control file, games
count that are as its first one. Games that somebody has taken back are set apart too.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple, Protocol, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.game import usual_options
from gyoji.core.plugins import GAMES, PROTOCOLS
from gyoji.core.ports import offers
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, SettlesPairings
from gyoji.core.spec import OPENING, Adjudication, GameSpec, Player
from gyoji.pairing.games import known_names, partner_of, player_of, with_free_id
from gyoji.pairing.variants import played_instead

_APART = ("game", "options", "scoring_player", "without_cleanup")
_COMMON = tuple(
    field.name
    for field in fields(GameSettings)
    if field.name in GameSpec.__struct_fields__ and field.name not in _APART
)
"""The settings that games have as they stand in a control file."""


class Difference(NamedTuple):
    """A setting that was another one. was, now: as they are told; now: "" for what is no setting."""

    setting: str
    was: str
    now: str

    @property
    def text(self) -> str:
        told = f"{self.setting.replace('_', ' ')} {self.was}"
        return f"{told}, not {self.now}" if self.now else told


class Conditions(Struct, frozen=True):
    """The conditions of a game, played or planned. options: without the opening, JSON-ready.

    opened: which games there may be: with an opening (True), without one (False), or either.
    own_time: main time in ns that the opening of a played game gives; None where it gives none.
    """

    game: str
    options: Mapping[str, object]
    opened: frozenset[bool]
    others: Mapping[str, Any]
    own_time: int | None = None

    @classmethod
    def of(cls, spec: GameSpec) -> "Conditions":
        """The conditions of a game."""
        scorer = spec.scoring_player.code if spec.scoring_player and spec.scorer == "engine" else ""
        others: dict[str, Any] = {name: getattr(spec, name) for name in _COMMON}
        others["scoring_player"] = scorer
        if spec.asks_instead:  # as the control file allows
            others["scorer"] = "internal"
        opened = frozenset((bool(spec.options.get(OPENING)),))
        opening_time = GAMES.find(spec.game).opening_time
        own_time = None if opening_time is None else opening_time(spec.options)
        return cls(spec.game, _without_opening(spec.options), opened, others, own_time)

    @classmethod
    def of_frame(cls, frame: str) -> "Conditions":
        """The conditions of games whose specs have this frame in common; frame: JSON. Raises ValueError."""
        plain = json.loads(frame)
        return cls.of(wire.decode(GameSpec, {**plain, "id": "", "pairing": "", "players": []}))

    @classmethod
    def of_settings(cls, settings: GameSettings) -> "Conditions":
        """The conditions of the games to be played."""
        scorer = settings.scoring_player if settings.scorer == "engine" else ""
        others = {name: getattr(settings, name) for name in _COMMON} | {"scoring_player": scorer}
        openings = settings.openings.lines if settings.openings else (settings.options.get(OPENING),)
        return cls(settings.game, _without_opening(settings.options), frozenset(map(bool, openings)), others)

    def differences(self, now: "Conditions") -> tuple[Difference, ...]:
        """The differences from the conditions now; none: games of both can be compared."""
        if self.game != now.game:
            return (Difference("game", self.game, now.game),)
        options = {**_defaults(self.game), **self.options}
        wanted = played_instead(self.game, options, now.options)
        pairs = [(name, options.get(name), value) for name, value in wanted.items()]
        played = {**self.others, "clock": self._clock_set(now.others["clock"])}
        pairs += [(name, played[name], value) for name, value in now.others.items()]
        found = [Difference(name, *_told(was, value)) for name, was, value in pairs if was != value]
        if not self.opened & now.opened:
            found.append(Difference("openings", _yes(self.opened), _yes(now.opened)))
        return tuple(found)

    def _clock_set(self, now: TimeControl) -> TimeControl:
        """The clock of a played game as a setting would give it: its main time may be the opening's own."""
        was: TimeControl = self.others["clock"]
        if not now.by_opening or self.own_time not in (None, was.main):
            return was
        return replace(was, main=was.main if self.own_time is None else now.main, by_opening=True)


def settings_of(setup: CompetitionSetup, pairing: str) -> GameSettings | None:
    """The settings for games of a pairing; None if the control file no longer has it."""
    settings = setup.settings
    if isinstance(settings, GameSettings):
        return settings
    return settings.settings_of(pairing) if offers(settings, SettlesPairings) else None


def _without_opening(options: Mapping[str, object]) -> Mapping[str, object]:
    plain: Mapping[str, object] = wire.encode(options)
    return {name: value for name, value in plain.items() if name != OPENING}


def _defaults(game: str) -> Mapping[str, object]:
    """The options of a game that need not be given, JSON-ready."""
    usual: Mapping[str, object] = wire.encode(usual_options(GAMES.find(game).options))
    return usual


def _with_todays_options(was: Player, now: Player) -> Player:
    """A player as it was, with the defaults of options of its protocol that did not exist then."""
    new = now.options.keys() - was.options.keys()
    if not new or was.protocol != now.protocol:
        return was
    usual = wire.encode(usual_options(PROTOCOLS.find(was.protocol).options))
    return replace(was, options={**was.options, **{name: usual[name] for name in new if name in usual}})


def _told(was: object, now: object) -> tuple[str, str]:
    """Two values as people write them; in full where that would look the same."""
    if isinstance(was, TimeControl | Adjudication) and isinstance(now, TimeControl | Adjudication):
        told = was.describe(), now.describe()
        if told[0] != told[1]:
            return told
    return _word(was), _word(now)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(each, int) for each in value):
        return "x".join(map(str, value)) or "none"
    if value == "":
        return "none"
    return str(value) if isinstance(value, str | int | float) else wire.dumps(value)


def _yes(opened: frozenset[bool]) -> str:
    return "yes" if True in opened else "no"


# The games of a competition

_TOLD = ("command", "partner", "protocol", "options", "environ", "ponders", "threads", "budgets")
"""The fields of a player that are told when they differ; its clock sets games apart."""


class PlayedBy(Protocol):
    """The settings of a stored game, as numbers of texts: JSON of a spec's frame, and of players."""

    @property
    def frame(self) -> int: ...

    @property
    def players(self) -> str:
        """Their numbers in seat order, with commas."""

    @property
    def purged(self) -> str:
        """Why the game was taken back, "" if it was not."""


class Apart(Struct):
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


class Changed(Struct):
    """Games that a player has played by a command, or other settings of its own, which have changed since."""

    player: str
    was: Player
    now: Player
    games: int = 0

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of the fields that have changed."""
        return tuple(name for name in _TOLD if getattr(self.was, name) != getattr(self.now, name))


_OfPlayer: TypeAlias = tuple[tuple[Difference, ...], Changed | None]
"""The differences that set games of a player apart, and the change that they count for, if any."""

_AS_NOW: _OfPlayer = (), None

_MOST_ALIKE = 4096
"""Kinds of games that are known to count without another look; where there are more, others are looked at."""


class Comparison:
    """A comparison of stored games with the present setup. Counts each game that it is shown; O(1) a game."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self._setup = setup
        self._common = setup.settings if isinstance(setup.settings, GameSettings) else None
        self._settings: dict[str, GameSettings | None] = {}  # by pairing
        self._now: dict[int, Conditions] = {}  # by the identity of settings
        self._firsts: dict[str, Conditions] = {}  # of pairings that there are not any more
        self._known_frames: dict[tuple[object, int], tuple[Difference, ...]] = {}
        self._known_players: dict[tuple[str, str], _OfPlayer] = {}
        self._alike: set[tuple[object, ...]] = set()  # kinds of games that count, of which nothing is told
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
        if by.purged:
            self.set_apart(result, (Difference("taken back", by.purged, ""),))
            return False
        alike = result.pairing, result.players, by.frame, by.players
        if alike in self._alike:
            return True
        settings = self._common or self._settings_of(result.pairing)
        key = result.pairing if settings is None else id(settings), by.frame
        if (differences := self._known_frames.get(key)) is None:
            differences = self._known_frames[key] = self._of_frame(result.pairing, by.frame, text)
        known, others = self._known_players, None  # the kinds of players that are not as now
        for kind in zip(result.players, by.players.split(","), strict=False):
            if (found := known.get(kind)) is None:
                found = self._of_player(*kind, text)
            if found is not _AS_NOW:
                others = {**(others or {}), kind: found}
        if others is None:
            if differences:
                self.set_apart(result, differences)
                return False
            if len(self._alike) < _MOST_ALIKE:
                self._alike.add(alike)
            return True
        for own, _ in others.values():
            differences += own
        if differences:
            self.set_apart(result, differences)
            return False
        for _, changed in others.values():
            if changed is not None:
                changed.games += 1
        return True

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
        settings, was = self._settings_of(pairing), Conditions.of_frame(text(number))
        now = self._firsts.setdefault(pairing, was) if settings is None else self._wanted(settings)
        return was.differences(now)

    def _of_player(self, code: str, number: str, text: Callable[[int], str]) -> _OfPlayer:
        """The settings of a player as they were, beside those of today."""
        now = self._player(code)
        if now is None:
            return _AS_NOW
        was = _with_todays_options(wire.loads(Player, text(int(number))), now)
        changed = Changed(player_of(code), was, now)
        is_same = not changed.settings or not Changed(code, was, partner_of(now)).settings
        if not is_same:
            self._changed.append(changed)
        clocks = _clocks(code, was, now)
        found = (clocks, None if is_same else changed) if clocks or not is_same else _AS_NOW
        self._known_players[code, number] = found
        return found

    def _settings_of(self, pairing: str) -> GameSettings | None:
        if self._common is not None:
            return self._common
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
        return self._setup.players.get(player_of(code))


def _clocks(code: str, was: Player, now: Player | None) -> tuple[Difference, ...]:
    """The difference that a player's own clock makes."""
    if now is None:
        return ()
    before, after = was.clock, now.clock
    if before and after and after.by_opening:
        # The main time may be that of any opening: a player's settings do not say which one it had.
        before = replace(before, main=after.main, by_opening=True)
    if before == after:
        return ()
    told = ("none of its own" if each is None else each.describe() for each in (was.clock, after))
    return (Difference(f"clock of {code}", *told),)
