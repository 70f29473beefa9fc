"""A game as an extension: everything gyoji needs of a game, in one frozen object.

A distribution registers the object under the entry point group `gyoji.games` by the game's name. gyoji's own
games do the same. Parts that few callers need are functions that import their result when called. So playing
a game does not import its pictures or commands.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Literal,
    NamedTuple,
    Never,
    Protocol,
    TypeAlias,
    TypeVar,
)

from msgspec import Struct, field

from gyoji.core import wire
from gyoji.core.describe import DEFAULT_WORDS, ResultWords
from gyoji.core.faults import ConfigError
from gyoji.core.forms import Form
from gyoji.core.openings import OpeningBook, OpeningReader, Vary
from gyoji.core.ports import AnyRules, Rules
from gyoji.core.record import GameRecord, Ruling, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote


class OptionsKind(Protocol):
    """The type of any frozen dataclass, such as the options of a game or of a protocol."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


if TYPE_CHECKING:
    from gyoji.core.drawing import Drawing

T = TypeVar("T")
OptionsT = TypeVar("OptionsT", bound=OptionsKind)
RulesT = TypeVar("RulesT", bound=Rules[Any, Any])
RulesT_contra = TypeVar("RulesT_contra", bound=Rules[Any, Any], contravariant=True)


def make_options(kind: type[T], options: Mapping[str, object]) -> T:
    """Convert the options of a game or protocol to their dataclass.

    Args:
        kind: The dataclass.
        options: Values by field name. Fields with a default may be missing.

    Raises:
        TypeError: The dataclass has no such field, or a field without a default is missing.
        ValueError: A field has an invalid value.
    """
    make: Callable[..., T] = kind
    try:
        return make(**options)
    except TypeError:
        from difflib import get_close_matches  # noqa: PLC0415 - for messages

        known = [each.name for each in fields(kind)] if is_dataclass(kind) else list(options)
        for name in options.keys() - set(known):
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
            raise TypeError(f"there is no option {quote(name)}; {hint}") from None
        raise


def default_options(kind: type[OptionsKind]) -> dict[str, object]:
    """Return the default values of a dataclass by field name. Fields without a default are left out."""
    defaults = {each.name: each.default for each in fields(kind) if each.default is not MISSING}
    return defaults | {
        each.name: each.default_factory() for each in fields(kind) if each.default_factory is not MISSING
    }


_NONE: Mapping[str, Never] = MappingProxyType({})


class PlayedOut(NamedTuple):
    """A finished game with its positions, so that its record can be written without replaying the moves.

    Attributes:
        rules: The rules of the game.
        positions: The position after each turn of the record.
    """

    rules: Any  # their type is known to the game alone
    positions: Sequence[Any]

    @property
    def last(self) -> Any:
        """The position after the last turn, or the start position of a game without turns."""
        return self.positions[-1] if self.positions else self.rules.start()


class RecordFormat(Struct, frozen=True, kw_only=True):
    """A file format for finished games of one game.

    Attributes:
        suffix: Suffix of the files, with the dot.
        write: Formats a game as a file; None if the format can only be read.
        write_played: Returns the same bytes as `write` for a game that has just ended, without replaying
            it; None if `write` is as fast.
        replay: Judges every game of a file again. Returns a `Replay` for each game of this kind, and None for
            each game of another kind. Raises ValueError for an unreadable file and ConfigError for options
            that do not fit the game. `replay` is None if the format can only be written.
        content: Returns a value that is equal for two files that describe the same game. Raises ValueError
            for a file of another format. None if files of the same game have equal bytes.
        is_ours: Returns whether a file contains this game, if several games share the suffix; None if no
            other game has the suffix.
    """

    suffix: str
    write: Callable[[GameSpec, GameRecord | VoidGame], bytes] | None = None
    write_played: Callable[[GameSpec, GameRecord, PlayedOut], bytes] | None = None
    replay: Callable[[bytes, Wanted], Sequence[Replay | None]] | None = None
    content: Callable[[bytes], object] | None = None
    is_ours: Callable[[bytes], bool] | None = None


# Pictures. The page that draws them knows no rules: a frame also lists the places that a turn empties.
#
# The content of a place is a list of signs with blanks between them, drawn one over the other; "" is empty.
# Each sign is a shape. The legend of the scene says what it means in this game:
#
#   B W      a stone of side 0 or 1, black and white; b w: a faded one
#   +0 +1    a small square: the place belongs to that side
#   H        a hole
#   T30      a coin with a number on it; U30: one with a dashed edge
#   S06      a round piece of side 0 that looks in direction 6
#   D13      a square piece of side 1 that looks in direction 3
#   M0K      a chessman of side 0: K, Q, R, B, N or P; side 0 is white here
#   =3       the place is filled with one of eight colours, 0 to 7
#   'text    the text after the apostrophe; a sign with another first character than these is text too
#
# Directions are 0 to 7, from straight down, clockwise.


class PhaseWords(NamedTuple):
    """A phase of a game in words, for people.

    Attributes:
        phase: The phase, as in `Played.phase`.
        words: Name of the phase for readers, such as "counting", shown beside each of its moves.
        task: Sentence for the player who is to move.
    """

    phase: str
    words: str
    task: str


class Scene(Struct, frozen=True, kw_only=True):
    """The fixed parts of a drawn board. Places are numbered from the top left: ``row * width + column``.

    A place shows any number of signs, such as "B" for a black stone. The comment "Pictures" in this module
    lists them.

    Attributes:
        kind: "points" (crossing lines), "cells" (a grid), "squares" (light and dark, as in chess) or "hexes"
            (each row is shifted by half a place to the right of the row above).
        columns: Column names from the left.
        rows: Row names from the top.
        stars: Points with a dot.
        tally: Noun for the numbers in `Frame.tally`; "" if there are none.
        legend: (sign, meaning) of the signs that need an explanation.
        phases: The phases in words. A phase that is not listed is shown by the name in `Played.phase`.
        first_number: Number of the first move, if moves are numbered as in chess: a move of White and the
            answer have the same number. 0 if each turn has its own number.
    """

    kind: Literal["points", "cells", "squares", "hexes"]
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    stars: tuple[int, ...] = ()
    tally: str = ""
    legend: tuple[tuple[str, str], ...] = ()
    phases: tuple[PhaseWords, ...] = ()
    first_number: int = 0

    @property
    def width(self) -> int:
        return len(self.columns)


class Frame(NamedTuple):
    """The changes of a drawn board in one turn.

    Marks, arrows, text and table replace those of the previous frame.

    Attributes:
        changes: (place, new signs of that place), each place at most once. `Scene` explains signs.
        marks: Places to highlight, such as that of the last move.
        tally: A number for each side; () if the scene counts nothing.
        words: A text for each move of the turn; () if the notation is enough.
        arrows: (start place, end place) of each arrow.
        text: Lines of text beside the board.
        table: Rows of a table beside the board. The first row has the headings.
    """

    changes: tuple[tuple[int, str], ...]
    marks: tuple[int, ...] = ()
    tally: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    arrows: tuple[tuple[int, int], ...] = ()
    text: str = ""
    table: tuple[tuple[str, ...], ...] = ()


class Pictures(Protocol[RulesT_contra]):
    """The port that draws the games of one kind: any object or module with these two functions."""

    def scene(self, rules: RulesT_contra, /) -> Scene:
        """Return the board without its stones or pieces. It stays the same for the whole game."""

    def frames(self, rules: RulesT_contra, record: GameRecord, /) -> Iterator[Frame]:
        """Yield a frame that sets up the board, then one for each turn of the record.

        The iterator is lazy: if the rules refuse a turn (IllegalMove, ValueError), the frames before it can
        still be shown.
        """


class Choice(NamedTuple):
    """A move that the page offers to a human player.

    If several moves have the same place, the likeliest comes first.

    Attributes:
        move: The move in the notation of the rules.
        words: The move in words.
        place: Place of the board where a click selects the move; -1 for none.
        key: Keyboard key that selects the move; "" for none.
    """

    move: str
    words: str
    place: int = -1
    key: str = ""


class Way(NamedTuple):
    """A legal move with the clicks on the board that enter it.

    Attributes:
        places: The places to click, in order. If several moves have the same places, the page lets the player
            choose.
        move: The move in the notation of the rules.
        words: The move in words, as the label of that choice.
        sign: Sign of the last place after the move, as the picture of that choice; "" if `words` suffice.
    """

    places: tuple[int, ...]
    move: str
    words: str = ""
    sign: str = ""


class Offered(NamedTuple):
    """How a human player enters a move on the page.

    Attributes:
        points: How many clicks on the board make a move, such as (1,) or, if both are possible, (1, 2); () if
            moves are not clicked. The page writes a clicked place as its column and row.
        between: Text between the names of the places.
        choices: Further moves to offer.
        signs: Signs of the clicked places after the move, in the order of the clicks, for a preview; () if
            unknown.
        ways: All moves that can be clicked, for games with few legal moves. The page then shows the
            destinations and ignores other clicks. () if any place may be clicked.
    """

    points: tuple[int, ...] = (1,)
    between: str = ""
    choices: tuple[Choice, ...] = ()
    signs: tuple[str, ...] = ()
    ways: tuple[Way, ...] = ()


class SeesViews(Pictures[RulesT_contra], Protocol[RulesT_contra]):
    """Pictures of what one seat can see, for human players. Each `view` is a result of `Rules.view`."""

    def seen(self, rules: RulesT_contra, view: Any, seat: int, /) -> Frame:
        """Return everything that the seat can see, as changes of an empty board."""

    def offered(self, rules: RulesT_contra, view: Any, seat: int, /) -> Offered:
        """Return how a human player at this seat, which is to move, can enter a move."""


class SeesScenes(SeesViews[RulesT_contra], Protocol[RulesT_contra]):
    """Pictures of a game whose board is not known in advance, but follows from what a seat sees."""

    def seen_scene(self, rules: RulesT_contra, view: Any, /) -> Scene:
        """Return the board on which a view is drawn."""


class Counted(NamedTuple):
    """A position at the end of the game, counted as if some stones were dead.

    Attributes:
        dead: Points of all stones that are marked dead, in whole groups.
        overlay: (place, sign) of each dead stone and each point of territory. The sign is "dead", or "owner0"
            or "owner1" for territory of seat 0 or 1.
        result: The result of this count in words.
        table: Rows of the count, a column for each side. The first row has the headings.
        note: Sentence on points that count for neither side; "" if there are none.
    """

    dead: tuple[str, ...]
    overlay: tuple[tuple[int, str], ...]
    result: str
    table: tuple[tuple[str, ...], ...] = ()
    note: str = ""


class CountsViews(SeesViews[RulesT_contra], Protocol[RulesT_contra]):
    """Pictures of a game in which the players mark dead stones after both have passed."""

    def counted(self, rules: RulesT_contra, view: Any, dead: Sequence[str], /) -> Counted:
        """Return the count of a view if the groups at points `dead` were dead. Empty points are ignored."""


# Other parts of a game


class Trial(Struct, frozen=True, kw_only=True):
    """A prepared game that shows whether an engine knows a rule. The engine has seat 0.

    The other side answers each idle move of the engine with an idle move. The engine passes the trial as soon
    as it makes another move.

    Attributes:
        options: All options of the game.
        moves: Moves to set up, in playing order and notation. Seat 0 is to move after them.
        idle: The idle move, such as a pass.
        failure: Message about an engine that makes only idle moves until the game is over.
        remedy: What the user can do about it.
    """

    options: Mapping[str, object]
    moves: Sequence[str]
    idle: str
    failure: str
    remedy: str


class Refusal(Exception):
    """A judge's command is refused. The message says why."""


class JudgeView(NamedTuple):
    """A finished game with the judge's marks so far.

    Attributes:
        frame: The board, as changes of an empty one; None if there is nothing to mark.
        columns: Columns of the count; () if the game counts nothing.
        rows: A row of the count for each side.
        way: The way of counting in use, as in the judge's command "count"; "" if the game has only one way.
    """

    frame: Frame | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    way: str = ""


class JudgeTable(Protocol):
    """A tool with which a person judges one finished game: it carries out commands and makes the ruling.

    Attributes:
        commands: The commands of `obey`, as people write them.
    """

    @property
    def commands(self) -> Sequence[str]: ...

    def opening(self) -> Iterator[str]:
        """Yield the lines that describe the position and propose a ruling."""

    def obey(self, verb: str, words: list[str]) -> Iterator[str]:
        """Carry out one command and yield its output.

        Args:
            verb: First word of the command.
            words: The other words.

        Raises:
            Refusal: The command is refused and has changed nothing.
        """

    def ruling(self, who: str, when: str) -> Ruling:
        """Return the judge's ruling from the current marks.

        Args:
            who: Name of the judge.
            when: ISO 8601 time with offset.
        """

    def view(self) -> JudgeView:
        """Return the position with its marks, and the count."""


Sampler: TypeAlias = Callable[[GameSpec, GameRecord], bytes]
"""Makes training samples of a game. Raises ValueError for a game that does not fit the sample format."""


class HasDefaults(Protocol):
    """Options of a game that set defaults for other settings of the control file (`defaults`, by key)."""

    @property
    def defaults(self) -> Mapping[str, object]: ...


class Game(Struct, wire.Unchanging, Generic[OptionsT, RulesT], frozen=True, kw_only=True):
    """A game as an extension: everything gyoji needs, in one object.

    Attributes:
        name: Name in control files and stored games, and of the entry point.
        options: A frozen dataclass whose fields are the game's settings. The config layer checks types and
            fills in defaults; `__post_init__` raises ValueError if values do not fit together. It may be
            `HasDefaults`.
        rules: Makes the rules from options and a seed.
        has_chance: Whether the rules depend on the seed. If not, games with equal options share one rules
            object.
        hides: Whether players see only a part of a position. If so, spectators by default see a game only
            when it is over.
        seats: Number of seats; 0 if it depends on the options.
        decider: Name of a table in the control file: "umpire" or "relay". The table describes the program
            that decides the games, and has the game's options. A relay is a program that talks to the players
            itself. The rules of such a game implement `gyoji.core.ports.Umpired`. "" if the rules decide.
        remark: A line that `gyoji show` and pages print for every game of this kind; "" for none.
        roles: Role of each seat in its team; () if teams have one seat.
        side_names: Name of each team in reports.
        result_words: Letters of the sides in codes such as B+3, and the word for a level game.
        unit: Noun for the numbers in `Outcome.totals`; "" if the game has no totals.
        defaults: Settings that apply if neither the user nor the preset gives them (``{"move_limit":
            20000}``). Its key `protocol` is the default of the players.
        presets: Named groups of settings, such as the leagues of an event.
        match_defaults: Defaults of `gyoji match` for settings that a control file must give.
        opponent: Settings of an engine that plays against a person in a game without a clock, such as a limit
            for each move.
        openings: Reads an opening file; None if games have no openings.
        opening_book: Reads large opening files lazily; None if `openings` reads all files whole.
        own_openings: Returns the openings for games whose settings name none, given the game's options; None
            if such games begin at the ordinary start.
        vary: Rotates, mirrors and shifts openings; None if the game's openings cannot be changed.
        shifts: Whether `vary` can shift openings.
        variants: Returns a list of options: the given ones, then alternatives, such as another board size. A
            game is played with the first that none of its engines refuses, or with the given ones if each is
            refused. JSON-ready. None if there are no alternatives.
        has_tablebases: Whether the rules are `HasEndgames`, so that endgame tablebases can end games.
        opening_time: Returns the main time in ns that an opening sets, or None, for clocks with
            `by_opening`.
        trial: Returns a `Trial` that shows whether an engine knows all rules of the options, or None.
        record_formats: Makers of the game's file formats, by name.
        records: Names of the formats that are written by default.
        pictures: Makes the port that draws games.
        drawing: Makes the opening editor.
        judge: Makes a judge's tool from the rules, the record and one point of each group claimed dead.
        samples: Makes training samples, by name of the sample format.
        told: Makes a function that returns, for each seat, the bytes that its engine was sent during a game.
        form: Makes the game's part of the new-game form; None if players cannot start such games.
    """

    name: str
    options: type[OptionsT]
    rules: Callable[[OptionsT, int], RulesT]
    has_chance: bool = True
    hides: bool = False
    seats: int = 2
    decider: Literal["", "umpire", "relay"] = ""
    remark: str = ""
    roles: tuple[str, ...] = ()
    side_names: tuple[str, ...] = ("black", "white")
    result_words: ResultWords = DEFAULT_WORDS
    unit: str = ""
    defaults: Mapping[str, object] = field(default_factory=lambda: _NONE)
    presets: Mapping[str, Mapping[str, object]] = field(default_factory=lambda: _NONE)
    match_defaults: Mapping[str, object] = field(default_factory=lambda: _NONE)
    opponent: Mapping[str, object] = field(default_factory=lambda: _NONE)
    openings: OpeningReader | None = None
    opening_book: OpeningBook | None = None
    own_openings: Callable[[Mapping[str, object]], Sequence[object]] | None = None
    vary: Vary | None = None
    shifts: bool = False
    variants: Callable[[Mapping[str, object]], Sequence[Mapping[str, object]]] | None = None
    has_tablebases: bool = False
    opening_time: Callable[[Mapping[str, object]], int | None] | None = None
    trial: Callable[[Mapping[str, object]], Trial | None] | None = None
    record_formats: Mapping[str, Callable[[], RecordFormat]] = field(default_factory=lambda: _NONE)
    records: tuple[str, ...] = ()
    pictures: Callable[[], Pictures[RulesT]] | None = None
    drawing: Callable[[], "Drawing"] | None = None
    judge: Callable[[], Callable[[RulesT, GameRecord, Sequence[str]], JudgeTable]] | None = None
    samples: Callable[[], Mapping[str, Sampler]] | None = None
    told: Callable[[], Callable[[GameSpec, GameRecord], Sequence[bytes]]] | None = None
    form: Callable[[], Form] | None = None

    def record_format(self, name: str) -> RecordFormat:
        """Return a record format by name. Raises ConfigError with the names of the game's formats."""
        if (load := self.record_formats.get(name)) is None:
            there_are = ", ".join(self.record_formats) or "none"
            raise ConfigError(f"no record format {quote(name)} of {self.name}; there are: {there_are}")
        return load()

    def make_rules(self, options: Mapping[str, object], seed: int) -> RulesT:
        """Return the rules for the options and the seed of a game spec.

        Raises:
            TypeError: The game has no such option.
            ValueError: An option has an invalid value.
        """
        return self.rules(make_options(self.options, options), seed)


AnyGame: TypeAlias = Game[OptionsKind, AnyRules]
"""A game whose types of options and positions are unknown to the caller."""
