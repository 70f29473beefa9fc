"""A competition before its first game: players, settings, and what else a control file says. Frozen values.

A format's `Settings` (see `gyoji.core.ports.Competition`) is a frozen dataclass that the config layer reads
from a control file field by field. It says with its types, and with the marks below, what it wants:

=========================  ==========================================================================
`PlayerCode`               the code of a player of the competition
`Identifier`               a short name that can stand in a game id
`GameSettings`             a base class: every setting of a game is a setting of such a table, and what
                           stands at the top level is its default
a tuple of dataclasses     an array of tables; in Python control files each is made by a constructor named
                           after the dataclass
``metadata=POSITIONAL``    may be given without its name, in field order, in Python control files
``metadata=UNIQUE``        no two tables of the array may have the same value
``metadata=FROM_TOP``      what stands at the top level is the default
`CandidateMaker`           what makes a tuner's candidates: a player's table with gaps in it; in Python
                           control files a function
`StoredGames`              games of other events that a tuner learns from
``__post_init__``          raises ValueError for what does not fit together: "field: problem"
=========================  ==========================================================================

What only some of them can do is a protocol of its own: `Converts`, `Completes`, `SettlesPairings`,
`NamesMeetings`.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Never, NewType, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.openings import Openings
from gyoji.core.spec import LAG, Adjudication, Player

PlayerCode = NewType("PlayerCode", str)
Identifier = NewType("Identifier", str)
T = TypeVar("T")

POSITIONAL: Mapping[str, bool] = MappingProxyType({"positional": True})
UNIQUE: Mapping[str, bool] = MappingProxyType({"unique": True})
FROM_TOP: Mapping[str, bool] = MappingProxyType({"from_top": True})

_IDENTIFIER = re.compile(r"[A-Za-z0-9\-!$%&*+.:;<=>?^_~]+")
_NONE: Mapping[str, Never] = MappingProxyType({})


def is_identifier(text: str) -> bool:
    """Whether `text` may be a player's code or a matchup's id ("#" is kept for codes that we make).

    >>> is_identifier("gnugo-l1"), is_identifier("a,b"), is_identifier("x#2"), is_identifier("")
    (True, False, False, False)
    """
    return _IDENTIFIER.fullmatch(text) is not None


DEFAULT_GAME = "go"
"""The game of a control file that names none: those of gomill know no other."""


class CandidateMaker(Protocol):
    """Makes a player of what a tuner has chosen."""

    def __call__(self, code: str, values: Sequence[object]) -> Player:
        """The player of that code, with the parameters' values in their order. Raises ConfigError."""


class Stored(NamedTuple):
    """Games of another event by a candidate with these values: the mean score of so many games.

    other: the values of a second candidate that it played against; () for another player.
    """

    values: tuple[Any, ...]
    score: float
    games: int = 1
    other: tuple[Any, ...] = ()


class StoredGames(msgspec.Struct, frozen=True):
    """The games that a control file gives to learn from. sources: those of each file."""

    sources: tuple[tuple[Stored, ...], ...] = ()


class Converts(Protocol):
    """A type of settings that reads them itself."""

    def convert(self, plain: object, /) -> object:
        """A class method: the value for what the file gives. Raises ValueError."""


class Completes(Protocol):
    """A dataclass of an array of tables, in which users may leave out or shorten something."""

    def complete(self, table: Mapping[str, object], index: int, /) -> dict[str, object]:
        """A class method: the table as the user wrote it, with short forms written out. Raises ValueError."""


class ChecksPlayers(Protocol):
    """`Settings` that fit some numbers of players only, whatever their other settings are."""

    def check_players(self, table: Mapping[str, object], players: Collection[str], /) -> None:
        """A class method. table: the settings as the user wrote them. players: the codes of the file.

        Raises ValueError if they do not fit.
        """


class SettlesPairings(Protocol):
    """`Settings` that are no `GameSettings`, but have some for each pairing."""

    def settings_of(self, pairing: str, /) -> "GameSettings | None":
        """The settings of the games of a pairing, None for one that there is not."""


class NamesMeetings(Protocol):
    """`Settings` that say who may meet. Without it anybody may meet anybody."""

    @property
    def meetings(self) -> Sequence[Sequence[str]]:
        """The codes of the players of each game there may be."""


def named(table: Mapping[str, object], index: int, word: str) -> dict[str, object]:
    """The table with the id ("A", "B" ...) and the name ("<word> A") that it has if the user gives none."""
    full = dict(table)
    if full.get("id") is None:
        full["id"] = chr(ord("A") + index) if index < 26 else str(index)
    if full.get("name") is None:
        full["name"] = f"{word} {full['id']}"
    return full


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings(wire.Unchanging):
    """How games are to be played, whoever plays them.

    options     every setting of the game's own, defaults included, JSON-ready.
    move_limit  turns after which a game stops undecided, from 1.
    scorer      who counts: the engines are asked ("players"), the rules do it ("internal"), another engine
                is asked ("engine"), or a person rules later ("judge").
    scoring_player  the player that is that other engine, or that the judge asks for a proposal; "" for none.
    asking      of seats that move at once: all "together", or "in turn", each after the one before.
    disputed_score  what is done when the players count differently: see `GameSpec`.
    refused_moves  who loses when an engine refuses another's legal move as illegal: see `GameSpec`.
    without_cleanup  what becomes of an engine that was told the rules and does not play the clean-up phases,
                in games that the rules count: they are played with a warning, and what both engines call dead
                comes off ("agreement"), nothing is played ("refuse"), or the engines are asked for the score
                of its games ("players").
    openings    what games start from; None: from the start.
    adjudication, take_backs, draw_offers, advice, lag, scale_clocks  see `GameSpec`.
    """

    game: str
    options: Mapping[str, object] = field(default_factory=lambda: _NONE)
    clock: TimeControl = field(default_factory=TimeControl)
    move_limit: int = 1000
    scorer: Literal["players", "internal", "engine", "judge"] = "players"
    scoring_player: PlayerCode = PlayerCode("")
    asking: Literal["together", "in turn"] = "together"
    disputed_score: Literal["list", "undecided", "engine", "judge"] = "list"
    refused_moves: Literal["ruleset", "mover", "refuser"] = "ruleset"
    without_cleanup: Literal["agreement", "refuse", "players"] = "agreement"
    openings: Openings | None = None
    adjudication: Adjudication = field(default_factory=Adjudication)
    take_backs: Literal["never", "ask", "always"] = "never"
    draw_offers: bool = False
    advice: bool = False
    lag: int = LAG
    scale_clocks: bool = False

    def __post_init__(self) -> None:
        asks = self.asks_scoring_player
        if asks and not self.scoring_player:
            asker = 'scorer is "engine"' if self.scorer == "engine" else 'disputed_score is "engine"'
            raise ValueError(f"scoring_player: required when {asker}")
        is_judged = "judge" in (self.scorer, self.disputed_score) and self.scorer != "internal"
        if self.scoring_player and not (asks or is_judged):
            raise ValueError(f'scoring_player: is not asked when scorer is "{self.scorer}"')
        if self.move_limit < 1:
            raise ValueError(f"move_limit: expected 1 or more, got {self.move_limit}")

    @property
    def asks_scoring_player(self) -> bool:
        """Whether the scoring player may be started as soon as a game is over."""
        return self.scorer == "engine" or (self.scorer == "players" and self.disputed_score == "engine")


class CompetitionSetup(msgspec.Struct, wire.Unchanging, frozen=True, kw_only=True):
    """All that a control file says, checked and complete.

    code          the control file's name without its suffix: in reports, records and the names of files.
    kind          the name of the format.
    players       by code; the ones that nobody plays with included.
    settings      the format's own `Settings`.
    place         where it is played, for records.
    seed          where all chance of the competition comes from.
    draws_seed    whether the control file gives none: the competition draws a secret one at its first run.
    names_games   whether engines are told the ids of their games, as gomill's control files promise.
    record_games  whether records of games are files; if not, they are in the store alone.
    record_formats  names of the formats in which games are recorded; () for those the game has as its own.
    pairs_on_one_host  whether both games of a pair are played on the same machine of a cluster.
    cores         how many processors each game has to itself, its engines included; 0: it runs on any.
    resources     how much the machine has of what players need, by name.
    spectators    whether those who watch see "all" moves as they are played, or "delayed" to the end of the
                  game; "": all, unless the game hides something from its players.
    show_up       ns that a person has to be ready for a game that could begin; 0: for ever.
    suspend_crashes  who has lost so many of its last suspend_games games by a fault plays no more;
                0: never.
    suspend_failures  so does one that so many games set aside count against; 0: never.
    on_game, on_end  commands that the run calls after games and at its end; () for none.
    control_file  absolute path of the control file, "" if there is none.
    directory     absolute path of the folder that all output goes to.
    warnings      one complete line each: what may be a mistake but stops nothing.
    """

    code: str
    kind: str
    players: Mapping[str, Player]
    settings: object
    game: str = DEFAULT_GAME
    description: str = ""
    place: str = ""
    seed: int = 0
    draws_seed: bool = False
    names_games: bool = False
    pairs_on_one_host: bool = False
    cores: int = 0
    resources: Mapping[str, int] = msgspec.field(default_factory=lambda: _NONE)
    record_games: bool = True
    record_formats: tuple[str, ...] = ()
    stderr_to_log: bool = True
    skip_player_checks: bool = False
    spectators: Literal["", "all", "delayed"] = ""
    show_up: int = 0
    suspend_crashes: int = 0
    suspend_games: int = 10
    suspend_failures: int = 0
    on_game: tuple[str, ...] = ()
    on_end: tuple[str, ...] = ()
    control_file: str = ""
    directory: str = ""
    warnings: tuple[str, ...] = ()

    def settings_as(self, kind: type[T]) -> T:
        """The format's `Settings`, which are of that type."""
        if not isinstance(self.settings, kind):
            raise TypeError(
                f"{self.kind}: settings of type {type(self.settings).__name__}, not {kind.__name__}"
            )
        return self.settings

    @property
    def is_seed_secret(self) -> bool:
        """Whether the competition has drawn its seed; an event that an older gyoji began never has."""
        return self.draws_seed and self.seed != 0

    def with_secret(self, secret: int) -> "CompetitionSetup":
        """The setup of a competition that has drawn that secret: its seed, where the file gives none."""
        return replace(self, seed=secret) if self.draws_seed else self
