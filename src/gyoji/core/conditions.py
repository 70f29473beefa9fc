"""The conditions of a game: the settings in which two games must agree to be compared.

These are the settings of a game: which game it is, its own options, the clock, who counts, when it stops. The
opening is not one of them, only whether games have one; nor is who plays, and with which command: a player is
who its code says. Where a stored value lacks an option, that has the default of today: it did not exist then.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import NamedTuple

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.plugins import GAMES
from gyoji.core.ports import offers
from gyoji.core.setup import CompetitionSetup, GameSettings, SettlesPairings
from gyoji.core.spec import GameSpec

OPENING = "opening"
"""The option that says what a game starts from."""

_APART = ("game", "options", "scoring_player", "without_cleanup")
_COMMON = tuple(
    field.name
    for field in fields(GameSettings)
    if field.name in GameSpec.__struct_fields__ and field.name not in _APART
)
"""The settings that games have as they stand in a control file."""


class Difference(NamedTuple):
    """A setting that was another one. was, now: as they are told."""

    setting: str
    was: str
    now: str

    @property
    def text(self) -> str:
        return f"{self.setting.replace('_', ' ')} {self.was}, not {self.now}"


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a game, played or planned. options: without the opening, JSON-ready.

    opened: which games there may be: with an opening (True), without one (False), or either.
    """

    game: str
    options: Mapping[str, object]
    opened: frozenset[bool]
    others: Mapping[str, object]

    @classmethod
    def of(cls, spec: GameSpec) -> "Conditions":
        """The conditions of a game."""
        scorer = spec.scoring_player.code if spec.scoring_player and spec.scorer == "engine" else ""
        others = {name: getattr(spec, name) for name in _COMMON} | {"scoring_player": scorer}
        if spec.asks_instead:  # as the control file allows
            others["scorer"] = "internal"
        opened = frozenset((bool(spec.options.get(OPENING)),))
        return cls(spec.game, _without_opening(spec.options), opened, others)

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
        usual = _defaults(self.game)
        pairs = [
            (name, self.options.get(name, usual.get(name)), value) for name, value in now.options.items()
        ]
        pairs += [(name, self.others[name], value) for name, value in now.others.items()]
        found = [Difference(name, *_told(was, value)) for name, was, value in pairs if was != value]
        if not self.opened & now.opened:
            found.append(Difference("openings", _yes(self.opened), _yes(now.opened)))
        return tuple(found)


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
    kinds = fields(GAMES.find(game).options)
    usual: Mapping[str, object] = wire.encode({field.name: _default(field) for field in kinds})
    return usual


def _default(field: "Field[object]") -> object:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return None if field.default is MISSING else field.default


def _told(was: object, now: object) -> tuple[str, str]:
    """Two values as people write them; in full where that would look the same."""
    if isinstance(was, TimeControl) and isinstance(now, TimeControl) and was.describe() != now.describe():
        return was.describe(), now.describe()
    return _word(was), _word(now)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(each, int) for each in value):
        return "x".join(map(str, value)) or "none"
    return str(value) if isinstance(value, str | int | float) and value != "" else wire.dumps(value)


def _yes(opened: frozenset[bool]) -> str:
    return "yes" if True in opened else "no"
