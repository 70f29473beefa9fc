"""A competition before its first game: players, settings and everything else in its control file.

A format's `Settings` is a frozen dataclass that the config layer reads from a control file field by field.
The types and metadata of its fields say what the control file may contain:

==========================  =========================================================================
`PlayerCode`                the code of a player of the competition
`Identifier`                a short name that can be part of a game id
`PersonName`                the name of a human player, which may have blanks
`GameSettings`              base class of a dataclass in an array of tables: each table may also have every
                            setting of a game; a missing setting has its value at the top level
a tuple of dataclasses      an array of tables; in Python control files a constructor named after the
                            dataclass makes each table
``metadata=POSITIONAL``     Python control files may omit the name and give values in field order
``metadata=UNIQUE``         values differ between the tables of the array
``metadata=FROM_TOP``       the default is the setting at the top level
`CandidateMaker`            makes a tuner's candidates: a player's table with placeholders; in Python control
                            files a function
``__post_init__``           raises ValueError, "field: problem", for values that do not fit together
==========================  =========================================================================

A settings class, or the type of a setting, may also implement these protocols: `Converts`, `Completes`,
`ChecksPlayers`, `SettlesPairings` and `NamesMeetings`.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Never, NewType, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.openings import Openings
from gyoji.core.spec import LAG, Adjudication, Player
from gyoji.core.text import quote

PlayerCode = NewType("PlayerCode", str)
Identifier = NewType("Identifier", str)
PersonName = NewType("PersonName", str)
T = TypeVar("T")

POSITIONAL: Mapping[str, bool] = MappingProxyType({"positional": True})
UNIQUE: Mapping[str, bool] = MappingProxyType({"unique": True})
FROM_TOP: Mapping[str, bool] = MappingProxyType({"from_top": True})

_IDENTIFIER = re.compile(r"[\w\-!$%&*+.:;<=>?^~]+")
_NONE: Mapping[str, Never] = MappingProxyType({})


def is_identifier(text: str) -> bool:
    """Return whether `text` is a valid player code or matchup id: letters of any script (NFC), digits, and a
    few signs. "#" is reserved for codes that gyoji makes.

    >>> is_identifier("gnugo-l1"), is_identifier("a,b"), is_identifier("x#2"), is_identifier("")
    (True, False, False, False)
    >>> [is_identifier(each) for each in ("Jürg", "林", "J\u0075\u0308rg", "\u202egru")]
    [True, True, False, False]
    """
    if text.isascii():
        return _IDENTIFIER.fullmatch(text) is not None
    from unicodedata import category, is_normalized  # noqa: PLC0415 - most names need no table of Unicode

    # Vowel signs of many scripts are marks, which `\w` leaves out.
    plain = "".join("a" if category(each).startswith("M") else each for each in text)
    return is_normalized("NFC", text) and _IDENTIFIER.fullmatch(plain) is not None


def is_person_name(text: str) -> bool:
    """Return whether `text` may be the code of a human player: identifiers separated by single blanks.

    >>> is_person_name("Jürg Müller"), is_person_name("a  b"), is_person_name(" a")
    (True, False, False)
    """
    return all(map(is_identifier, text.split(" ")))


DEFAULT_GAME = "go"
"""The game of a control file that names none, as in gomill's files."""


def check_least(least: float, **numbers: float | None) -> None:
    """Raise ValueError, "key: problem", for each number below `least`. None is allowed."""
    for key, number in numbers.items():
        if number is not None and number < least:
            raise ValueError(f"{key}: expected {least:g} or more, got {number:g}")


def refuse_twins(setting: str, codes: tuple[str, ...]) -> None:
    """Raise ValueError if a list of players has the same player twice.

    Args:
        setting: Name of the setting that lists the players, for the message.
        codes: Codes of the players.
    """
    seen: set[str] = set()
    for code in codes:
        if code in seen:
            raise ValueError(f"{setting}: {quote(code)} is given twice")
        seen.add(code)


class CandidateMaker(Protocol):
    """A function that makes the player of a tuner's candidate: an engine with given parameter values."""

    def __call__(self, code: str, values: Sequence[object]) -> Player:
        """Return the candidate's player.

        Args:
            code: Code of the new player.
            values: Values of all parameters, in order.

        Raises:
            ConfigError: The values do not make a valid player.
        """


class Converts(Protocol):
    """A type of a setting that parses its own value from the control file."""

    def convert(self, plain: object, /) -> object:
        """Parse a plain value of the control file. Must be a class method.

        Raises:
            ValueError: The value is invalid.
        """


class Completes(Protocol):
    """A dataclass for tables in a control file that the user may abbreviate."""

    def complete(self, table: Mapping[str, object], index: int, /) -> dict[str, object]:
        """Return a table of the control file with abbreviations expanded. Must be a class method.

        Args:
            index: Number of the table in its array, from 0.

        Raises:
            ValueError: An abbreviation is invalid.
        """


class ChecksPlayers(Protocol):
    """Settings of a format that restrict the number of players."""

    def check_players(self, table: Mapping[str, object], players: Collection[str], /) -> None:
        """Raise ValueError if the format cannot be played by so many players. Must be a class method.

        Args:
            table: Settings of the control file.
            players: Codes of the players.
        """


class SettlesPairings(Protocol):
    """Settings of a format in which each pairing, such as a matchup, has its own `GameSettings`."""

    def settings_of(self, pairing: str, /) -> "GameSettings | None":
        """Return the game settings of a pairing, or None if there is no such pairing."""


class NamesMeetings(Protocol):
    """Settings of a format in which some pairs of players never meet."""

    @property
    def meetings(self) -> Sequence[Sequence[str]]:
        """The possible games, each as the codes of its players."""


def named(table: Mapping[str, object], index: int, word: str) -> dict[str, object]:
    """Return a control file's table with its default id ("A", "B" ...) and name ("<word> A") filled in.

    Args:
        index: Number of the table in its array, from 0.
        word: First word of the default name.
    """
    full = dict(table)
    if full.get("id") is None:
        full["id"] = chr(ord("A") + index) if index < 26 else str(index)
    if full.get("name") is None:
        full["name"] = f"{word} {full['id']}"
    return full


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings(wire.Unchanging):
    """Settings of games that do not depend on the players.

    Attributes:
        options: All options of the game, defaults included, JSON-ready.
        move_limit: Number of turns, from 1, after which a game stops undecided.
        scorer: Who counts: the "players"' engines, the rules ("internal"), an "engine" without a seat, or a
            human "judge" later.
        scoring_player: Code of the engine without a seat, which decides the score or proposes it to the
            judge; "" for none.
        asking: Whether seats that move at once are asked "together" or "in turn".
        disputed_score: What happens if the players' engines count differently; `GameSpec` lists the values.
        refused_moves: Who loses if an engine refuses a legal move as illegal; `GameSpec` lists the values.
        without_cleanup: What happens if an engine was sent the ruleset but does not play the clean-up phases.
            Only used if the rules count. "agreement": its games are played with a warning, and stones that
            both engines call dead are removed. "refuse": its games are not played. "players": the engines are
            asked for the score.
        openings: Start positions; None for the ordinary start.
        adjudication: When evaluations, tablebases or length end a game.
        take_backs: Whether a seat may take back its last move: "never"; "ask", if the opponents agree;
            "always".
        draw_offers: Whether a seat may offer a draw.
        hints: Whether a seat may ask the opponent's engine for a move.
        lag: Maximum network delay, in ns, credited to a human or remote player for one answer.
        illegal_tries: Number of illegal or unreadable answers to one request that an engine may give without
            losing. It is asked again after each of them.
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
    hints: bool = False
    lag: int = LAG
    illegal_tries: int = 0

    def __post_init__(self) -> None:
        asks = self.asks_scoring_player
        asker = "scorer" if self.scorer == "engine" else "disputed_score"
        wire.require(self.scoring_player or not asks, f'scoring_player: required when {asker} is "engine"')
        is_judged = "judge" in (self.scorer, self.disputed_score) and self.scorer != "internal"
        problem = f'scoring_player: is not asked when scorer is "{self.scorer}"'
        wire.require(asks or is_judged or not self.scoring_player, problem)
        wire.require(self.move_limit >= 1, f"move_limit: expected 1 or more, got {self.move_limit}")
        check_least(0, illegal_tries=self.illegal_tries)

    @property
    def asks_scoring_player(self) -> bool:
        """Whether games may need a score from an engine without a seat, which starts when a game ends."""
        return self.scorer == "engine" or (self.scorer == "players" and self.disputed_score == "engine")


class CompetitionSetup(msgspec.Struct, wire.Unchanging, frozen=True, kw_only=True):
    """The contents of a control file, parsed and checked, with defaults filled in.

    Attributes:
        code: Name of the control file without suffix, for reports, records and file names.
        kind: Name of the format.
        players: All players by code, players without games included.
        settings: The format's `Settings`.
        umpire: The program that decides the games; None if the rules do.
        place: Where the event takes place, for records.
        seed: Seed of all randomness in the competition.
        draws_seed: Whether the control file has no seed. The first run then draws a secret one.
        names_games: Whether engines learn the ids of their games, as gomill's control files promise.
        record_games: Whether games are written to files, besides the store.
        record_formats: Names of the record formats; () for the game's defaults.
        pairs_on_one_host: Whether both games of a pair are played on the same host of a cluster.
        cores: Number of processors that each game has for itself and its engines; 0 for no such limit.
        resources: How much of each resource, such as GPUs, the machine has for all games at once, by name.
        spectators: Whether spectators see "all" moves at once, or "delayed" until the game is over. ""
            means all, unless the game hides something from its players.
        show_up: ns that a human or remote player has to be ready for a game; 0 for no limit.
        suspend_crashes: A player is suspended as soon as it has lost this many of its last `suspend_games`
            games by a fault; 0 for never.
        suspend_failures: A player is suspended after being blamed for this many skipped games; 0 for never.
        on_game: Command that the run calls after each game; () for none.
        on_end: Command that the run calls at its end; () for none.
        control_file: Absolute path of the control file; "" for none.
        directory: Absolute path of the output folder.
        warnings: Possible mistakes that do not prevent a run, one line each.
    """

    code: str
    kind: str
    players: Mapping[str, Player]
    settings: object
    umpire: Player | None = None
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
        """Return the format's `Settings`. Raises TypeError if they are of another type."""
        if not isinstance(self.settings, kind):
            raise TypeError(
                f"{self.kind}: settings of type {type(self.settings).__name__}, not {kind.__name__}"
            )
        return self.settings

    @property
    def is_seed_secret(self) -> bool:
        """Whether the seed is a secret drawn by the first run, not one from the control file."""
        return self.draws_seed and self.seed != 0

    def with_secret(self, secret: int) -> "CompetitionSetup":
        """Return the setup with the drawn secret as its seed if the control file gives no seed."""
        return replace(self, seed=secret) if self.draws_seed else self
