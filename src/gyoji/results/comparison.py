"""The choice of stored games that count: those played under the present conditions.

Conditions are the game and its options, the clock (also a player's own), who scores, and when a game is
stopped. The opening itself is no condition, only whether games have one. Players are identified by their
names, so a player's command is no condition either. If a stored game lacks an option, the option did not
exist when it was played. Then it counts as having the default.

All other games are excluded: they stay in the store and are reported, but no table counts them. If the
settings are changed back, they count again. Games of a player whose command has changed count, with a remark:
the new command may be the same program in another folder. The games of a pairing that is no longer in the
control file count if they have the conditions of its first stored game. Games that an organiser invalidated
(`gyoji purge`) are excluded too.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple, Protocol, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.game import default_options
from gyoji.core.plugins import GAMES, PROTOCOLS
from gyoji.core.ports import supports
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, SettlesPairings
from gyoji.core.spec import OPENING, Adjudication, GameSpec, Player
from gyoji.results.game_ids import known_names, partner_of, player_of, with_free_id
from gyoji.results.variants import played_instead

IN_SPECS = tuple(
    field.name
    for field in fields(GameSettings)
    if field.name in GameSpec.__struct_fields__ and field.name not in ("options", "scoring_player")
)
"""The names of the settings that a game's spec copies unchanged from `GameSettings`."""

_COMMON = tuple(name for name in IN_SPECS if name not in ("game", "without_cleanup"))


class Difference(NamedTuple):
    """A reason why a stored game does not count: a setting that has changed since, or the organiser's
    decision.

    Attributes:
        setting: The name of the setting; "taken back" if the organiser invalidated the game.
        was: The value with which the game was played, in words; for "taken back" the organiser's reason.
        now: The present value in words; "" for "taken back".
    """

    setting: str
    was: str
    now: str

    @property
    def text(self) -> str:
        told = f"{self.setting.replace('_', ' ')} {self.was}"
        return f"{told}, not {self.now}" if self.now else told


class Conditions(Struct, frozen=True):
    """The conditions of a game, played or planned.

    Attributes:
        options: The game's options without its opening, JSON-ready.
        opened: Whether games have an opening: {True}, {False} or both.
        others: The other settings that are compared, by name.
        own_time: The main time in ns that the game's opening names; None if it names none.
    """

    game: str
    options: Mapping[str, object]
    opened: frozenset[bool]
    others: Mapping[str, Any]
    own_time: int | None = None

    @classmethod
    def of(cls, spec: GameSpec) -> "Conditions":
        """Return the conditions of a game that is planned or was played."""
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
        """Return the conditions of stored games with the same frame.

        Args:
            frame: The JSON text of everything that the specs of these games have in common.

        Raises:
            ValueError: The text is not the JSON of a spec.
        """
        plain = json.loads(frame)
        return cls.of(wire.decode(GameSpec, {**plain, "id": "", "pairing": "", "players": []}))

    @classmethod
    def of_settings(cls, settings: GameSettings) -> "Conditions":
        """Return the conditions of games with these settings."""
        scorer = settings.scoring_player if settings.scorer == "engine" else ""
        others = {name: getattr(settings, name) for name in _COMMON} | {"scoring_player": scorer}
        openings = settings.openings.lines if settings.openings else (settings.options.get(OPENING),)
        # A book that is read piece by piece may have millions of openings, perhaps an empty one among them.
        opened = frozenset(map(bool, openings if isinstance(openings, tuple) else (True, False)))
        return cls(settings.game, _without_opening(settings.options), opened, others)

    def differences(self, now: "Conditions") -> tuple[Difference, ...]:
        """Return the differences between these conditions and the present ones, `now`; () if there are none.

        If the conditions are of different games, that is the only difference returned. `Comparison` compares
        the clocks of single players.
        """
        if self.game != now.game:
            return (Difference("game", self.game, now.game),)
        defaults: Mapping[str, object] = wire.encode(default_options(GAMES.find(self.game).options))
        options = {**defaults, **self.options}
        wanted = played_instead(self.game, options, now.options)
        pairs = [(name, options.get(name), value) for name, value in wanted.items()]
        played = {**self.others, "clock": self._clock_set(now.others["clock"])}
        pairs += [(name, played[name], value) for name, value in now.others.items()]
        found = [
            Difference(name, *_told(was, value))
            for name, was, value in pairs
            if _without_folders(was) != _without_folders(value)
        ]
        if not self.opened & now.opened:
            found.append(Difference("openings", _yes(self.opened), _yes(now.opened)))
        return tuple(found)

    # With a clock "by opening" the main time in the record is that of the game's own opening.
    def _clock_set(self, now: TimeControl) -> TimeControl:
        """Return the clock of a played game in a form that can be compared with the present clock.

        If the present clock takes its main time from the opening, so does the returned clock. A main time
        that the game's opening set is replaced by the present one, so that the clocks do not differ. If the
        opening has no main time, the game's main time stays. The exception is a game that was played with
        another main time than its opening's: its clock is returned unchanged.

        Args:
            now: The present clock of these games.
        """
        was: TimeControl = self.others["clock"]
        if not now.by_opening or self.own_time not in (None, was.main):
            return was
        return replace(was, main=was.main if self.own_time is None else now.main, by_opening=True)


def settings_of(setup: CompetitionSetup, pairing: str) -> GameSettings | None:
    """Return the settings for games of a pairing; None if the control file no longer has the pairing."""
    settings = setup.settings
    if isinstance(settings, GameSettings):
        return settings
    return settings.settings_of(pairing) if supports(settings, SettlesPairings) else None


def _without_folders(value: object) -> object:
    """Return a setting without the folders of its tablebases: the same tablebases may be elsewhere now."""
    if isinstance(value, Adjudication) and value.tablebases is not None:
        return replace(value, tablebases=replace(value.tablebases, folders=("",)))
    return value


def _without_opening(options: Mapping[str, object]) -> Mapping[str, object]:
    plain: Mapping[str, object] = wire.encode(options)
    return {name: value for name, value in plain.items() if name != OPENING}


def _with_todays_options(was: Player, now: Player) -> Player:
    """Return a stored player. Protocol options that did not exist when it played get their defaults, if it
    still speaks the same protocol.
    """
    new = now.options.keys() - was.options.keys()
    if not new or was.protocol != now.protocol:
        return was
    defaults = wire.encode(default_options(PROTOCOLS.find(was.protocol).options))
    return replace(was, options={**was.options, **{name: defaults[name] for name in new if name in defaults}})


def _told(was: object, now: object) -> tuple[str, str]:
    """Return two different values as two different texts for messages.

    They are the values in words or, if these words are equal, the full values.
    """
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
"""The fields of a player whose change is reported. A changed clock excludes the game instead."""


class PlayedBy(Protocol):
    """The settings of a stored game, as numbers of texts in the store. Many games share each of these JSON
    texts.

    Attributes:
        frame: Number of the text with all settings except the players, `id`, `pairing`, `seed` and `note`.
    """

    @property
    def frame(self) -> int: ...

    @property
    def players(self) -> str:
        """Numbers of the texts of the players in seat order, separated by commas."""

    @property
    def purged(self) -> str:
        """The reason why the game was invalidated (`gyoji purge`); "" if it was not."""


class ExcludedGames(Struct):
    """Games of the same players that are excluded for the same reasons.

    Attributes:
        players: The players' names in tables.
        points: The points of each player, by name, in the games with a known result.
    """

    players: tuple[str, ...]
    differences: tuple[Difference, ...]
    games: int = 0
    points: dict[str, float] = field(default_factory=dict)

    def add(self, result: GameResult, names: Sequence[str]) -> None:
        """Count a game.

        Args:
            result: The game's result.
            names: The players' names in tables.
        """
        self.games += 1
        for name, points in zip(names, result.outcome.points or (), strict=False):
            self.points[name] = self.points.get(name, 0) + points


class Changed(Struct):
    """A player whose command or other own settings have changed since some of its stored games.

    Attributes:
        was: The player in those games.
        now: The player in the control file.
        games: How many of those games count.
    """

    player: str
    was: Player
    now: Player
    games: int = 0

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of the fields that have changed."""
        return tuple(name for name in _TOLD if getattr(self.was, name) != getattr(self.now, name))


_Verdict: TypeAlias = tuple[tuple[Difference, ...], tuple[Changed, ...]]
"""(the differences for which games are excluded, the changes of players that do not exclude them)"""

# Nearly all games of an event have the same verdict, and a resume compares a million. The games of a tuner's
# candidates are all different.
_MOST_ALIKE = 4096
"""Largest number of combinations of pairing, players and settings whose verdict is cached."""


class Comparison:
    """The comparison of stored games with the present setup, at a constant cost for each game."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self._common = setup.settings if isinstance(setup.settings, GameSettings) else None
        self._settings: dict[str, GameSettings | None] = {}  # by pairing
        self._now: dict[int, Conditions] = {}  # by the identity of settings
        self._firsts: dict[str, Conditions] = {}  # by pairing that is no longer in the control file
        self._known_frames: dict[tuple[object, int], tuple[Difference, ...]] = {}
        self._known_players: dict[tuple[str, str], tuple[tuple[Difference, ...], Changed | None]] = {}
        self._verdicts: dict[tuple[object, ...], _Verdict] = {}  # by pairing, players and stored texts
        self._excluded: dict[tuple[object, ...], ExcludedGames] = {}
        self._changed: list[Changed] = []
        self._ids: set[str] = set()

    @property
    def excluded(self) -> Sequence[ExcludedGames]:
        """The games that do not count, in groups: one for each combination of players and reasons."""
        return tuple(self._excluded.values())

    @property
    def changed(self) -> Sequence[Changed]:
        """The players whose command or other settings have changed since some of their stored games."""
        return tuple(each for each in self._changed if each.games)

    def takes(self, result: GameResult, by: PlayedBy, text: Callable[[int], str]) -> bool:
        """Return whether a stored game counts. If it does not, add it to `excluded`.

        Args:
            result: The game's result.
            by: The settings with which it was played.
            text: Returns a shared JSON text of the store by its number.

        Raises:
            ValueError: The JSON is damaged.
        """
        if by.purged:
            self.exclude(result, (Difference("taken back", by.purged, ""),))
            return False
        kind = result.pairing, result.players, by.frame, by.players
        verdict = self._verdicts.get(kind)
        if verdict is None:
            verdict = self._compared(*kind, text)
            if len(self._verdicts) < _MOST_ALIKE:
                self._verdicts[kind] = verdict
        differences, changes = verdict
        if differences:
            self.exclude(result, differences)
            return False
        for changed in changes:
            changed.games += 1
        return True

    def exclude(self, result: GameResult, differences: tuple[Difference, ...]) -> None:
        """Add a game that does not count to `excluded`."""
        self._ids.add(result.id)
        names = known_names(result.opponents, self.setup.players)
        key = (*sorted(names), differences)
        if key not in self._excluded:
            self._excluded[key] = ExcludedGames(tuple(sorted(names)), differences)
        self._excluded[key].add(result, names)

    def differences(self, spec: GameSpec) -> tuple[Difference, ...]:
        """Return the differences of an issued game's settings from the present ones; () if there are none."""
        settings = self._settings_of(spec.pairing)
        found = () if settings is None else Conditions.of(spec).differences(self._wanted(settings))
        for code, player in {player.code: player for player in spec.players}.items():
            found += _clocks(code, player, self._player(code))
        return found

    def keep_id(self, game_id: str) -> None:
        """Reserve an id, so that no game is issued under it."""
        self._ids.add(game_id)

    def renamed(self, spec: GameSpec) -> GameSpec:
        """Return an issued game with a free id: not reserved, and not the id of an excluded game."""
        return with_free_id(spec, self._ids)

    def become(self, other: "Comparison") -> None:
        """Become a copy of another comparison, after the control file has been read again."""
        self.__dict__.update(other.__dict__)

    def _compared(
        self, pairing: str, players: tuple[str, ...], frame: int, numbers: str, text: Callable[[int], str]
    ) -> _Verdict:
        """Compare the settings and players of stored games with the present ones.

        Args:
            pairing: The id of the games' pairing.
            frame: Number of the shared text of the games' settings.
            numbers: Numbers of the shared texts of the players, separated by commas.
            text: Returns a shared JSON text of the store by its number.

        Returns:
            The differences that exclude the games, and the changes of players that do not.
        """
        settings = self._settings_of(pairing)
        key = pairing if settings is None else id(settings), frame
        if (differences := self._known_frames.get(key)) is None:
            was = Conditions.of_frame(text(frame))
            now = self._firsts.setdefault(pairing, was) if settings is None else self._wanted(settings)
            differences = self._known_frames[key] = was.differences(now)
        changes = []
        for code, number in dict.fromkeys(zip(players, numbers.split(","), strict=False)):
            clocks, changed = self._of_player(code, number, text)
            differences += clocks
            changes += [changed] if changed else []
        return differences, tuple(changes)

    def _of_player(
        self, code: str, number: str, text: Callable[[int], str]
    ) -> tuple[tuple[Difference, ...], Changed | None]:
        """Compare a stored player with the present player of the same name.

        Args:
            code: The name of both.
            number: Number of the shared text of the stored player.
            text: Returns a shared JSON text of the store by its number.

        Returns:
            Two items. The first is the difference of the players' own clocks, which excludes games; () if
                none. The second is any other change, which does not exclude games; None if none.
        """
        now = self._player(code)
        if now is None:
            return (), None
        if (code, number) not in self._known_players:
            was = _with_todays_options(wire.loads(Player, text(int(number))), now)
            changed = Changed(player_of(code), was, now)
            is_same = not changed.settings or not Changed(code, was, partner_of(now)).settings
            self._changed += [] if is_same else [changed]
            self._known_players[code, number] = _clocks(code, was, now), None if is_same else changed
        return self._known_players[code, number]

    def _settings_of(self, pairing: str) -> GameSettings | None:
        if self._common is not None:
            return self._common
        if pairing not in self._settings:
            self._settings[pairing] = settings_of(self.setup, pairing)
        return self._settings[pairing]

    # By identity: the setup keeps its settings alive, and computing the conditions takes longer than a
    # lookup.
    def _wanted(self, settings: GameSettings) -> Conditions:
        """Return the conditions of games with these present settings, which are computed once and kept."""
        if (now := self._now.get(id(settings))) is None:
            now = self._now[id(settings)] = Conditions.of_settings(settings)
        return now

    def _player(self, code: str) -> Player | None:
        """Return the control file's player. Return None for a tuner's candidate, or if there is no such
        player.
        """
        return self.setup.players.get(player_of(code))


def _clocks(code: str, was: Player, now: Player | None) -> tuple[Difference, ...]:
    """Return the difference between a player's own clock in stored games and its present one; () if none.

    Args:
        code: The player's name.
        was: The player in the stored games.
        now: The player in the control file; None if it is no longer there.
    """
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
