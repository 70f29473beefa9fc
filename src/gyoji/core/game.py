"""A game as an extension: all that gyoji asks of one, in one frozen object, and the parts of it.

A distribution registers the object under the entry point group `gyoji.games`, by the game's name; gyoji's own
games are registered so too. Parts that few callers need are functions that import what they return when they
are called: a game that is only played loads no pictures and no commands.
"""

from collections import Counter
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
from gyoji.core.describe import USUAL, ResultWords
from gyoji.core.faults import ConfigError
from gyoji.core.forms import Form
from gyoji.core.openings import OpeningReader, Vary
from gyoji.core.ports import AnyRules, Rules
from gyoji.core.record import GameRecord, Ruling, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote


class OptionsKind(Protocol):
    """Any frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


if TYPE_CHECKING:
    from gyoji.core.drawing import Drawing

T = TypeVar("T")
OptionsT = TypeVar("OptionsT", bound=OptionsKind)
RulesT = TypeVar("RulesT", bound=Rules[Any, Any])
RulesT_contra = TypeVar("RulesT_contra", bound=Rules[Any, Any], contravariant=True)


def make_options(kind: type[T], options: Mapping[str, object]) -> T:
    """The options of a game or protocol as a value of their type. Raises TypeError and ValueError."""
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


def usual_options(kind: type[OptionsKind]) -> dict[str, object]:
    """The default of each option that has one."""
    usual = {each.name: each.default for each in fields(kind) if each.default is not MISSING}
    return usual | {
        each.name: each.default_factory() for each in fields(kind) if each.default_factory is not MISSING
    }


_NONE: Mapping[str, Never] = MappingProxyType({})


class PlayedOut(NamedTuple):
    """A game as its referee leaves it, so that its record can be written without playing it over.

    rules      by which it was played.
    positions  the position after each turn of the record.
    """

    rules: Any  # of which only the game itself knows more
    positions: Sequence[Any]

    @property
    def last(self) -> Any:
        """The position after the last turn, the first one if there is none."""
        return self.positions[-1] if self.positions else self.rules.start()


class RecordFormat(Struct, frozen=True, kw_only=True):
    """A file format for finished games of one game.

    suffix      of its files, dot included.
    write       the file of a game; None for a format that is only read.
    write_played  the same bytes for a game that has just been played, without playing it over; None where
                `write` is as fast.
    replay      every game of a file judged again (`gyoji.core.replay`); of one that is of another kind, None.
                None for a format that is only written. Raises ValueError for a file that cannot be read,
                ConfigError for what does not fit the game.
    content     a value that is the same for files that tell the same game; ValueError for what is no such
                file. None: files tell the same game if they are equal.
    is_ours     whether a file is of this game, for a suffix that several games have; None: every file is.
    """

    suffix: str
    write: Callable[[GameSpec, GameRecord | VoidGame], bytes] | None = None
    write_played: Callable[[GameSpec, GameRecord, PlayedOut], bytes] | None = None
    replay: Callable[[bytes, Wanted], Sequence[Replay | None]] | None = None
    content: Callable[[bytes], object] | None = None
    is_ours: Callable[[bytes], bool] | None = None


# Pictures. Whoever draws them needs to know no rules: what a turn takes off the board is in its frame.
#
# On a place stand signs, words with blanks between them that are drawn one over the other, "" for none. Each
# is a shape; what it means in a game says the legend of its scene:
#
#   B W      a stone of side 0 or 1, black and white; b w: a faded one
#   +0 +1    a small square: the place belongs to that side
#   H        a hole
#   T30      a coin with a number on it; U30: one with a dashed edge
#   S06      a round piece of side 0 that looks in direction 6
#   D13      a square piece of side 1 that looks in direction 3
#
# Directions are 0 to 7, from straight down, clockwise.


class Scene(Struct, frozen=True, kw_only=True):
    """A board. Places are numbered by rows from the top left: ``row * width + column``.

    kind     what it looks like: lines with "points" where they cross, or a grid of "cells".
    columns  their names from the left; rows: theirs from the top.
    stars    points with a dot.
    tally    what `Frame.tally` counts, in a word; "" for nothing.
    legend   (sign, meaning) of signs that not everybody knows.
    """

    kind: Literal["points", "cells"]
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    stars: tuple[int, ...] = ()
    tally: str = ""
    legend: tuple[tuple[str, str], ...] = ()

    @property
    def width(self) -> int:
        return len(self.columns)


class Frame(NamedTuple):
    """The changes of one turn.

    changes  (place, the signs that are on it from now on), each place once.
    marks    the places that the turn is about; those of the frame before are not marked any more.
    tally    a number for each side; () where the scene counts nothing.
    words    of each move of the turn, in words; () where the notation will do.
    """

    changes: tuple[tuple[int, str], ...]
    marks: tuple[int, ...] = ()
    tally: tuple[int, ...] = ()
    words: tuple[str, ...] = ()


class Pictures(Protocol[RulesT_contra]):
    """Games as pictures; a module with these two functions is one."""

    def scene(self, rules: RulesT_contra, /) -> Scene:
        """The board, the same for the whole game."""

    def frames(self, rules: RulesT_contra, record: GameRecord, /) -> Iterator[Frame]:
        """The first frame sets the board up, then one for each turn of the record.

        Lazy, so that what comes before a turn that these rules refuse (IllegalMove, ValueError) can be seen.
        """


class Choice(NamedTuple):
    """A move that a person is offered: in the notation of the rules, in words, the place of the board where a
    click means it, -1 for none, and a key that means it, "" for none. Of several at a place the first is the
    likeliest."""

    move: str
    words: str
    place: int = -1
    key: str = ""


class Offered(NamedTuple):
    """How a person at a page chooses a move.

    points   how many places of the board, named one after the other, make one: (1,) as a rule; () where none
             do. A place is named by its column and row.
    between  what stands between their names.
    choices  moves that are offered besides.
    """

    points: tuple[int, ...] = (1,)
    between: str = ""
    choices: tuple[Choice, ...] = ()


class SeesViews(Pictures[RulesT_contra], Protocol[RulesT_contra]):
    """Pictures of what one seat sees, for a person who plays. view: as `Rules.view` gives it."""

    def seen(self, rules: RulesT_contra, view: Any, seat: int, /) -> Frame:
        """All that the seat sees, as changes of an empty board."""

    def offered(self, rules: RulesT_contra, view: Any, seat: int, /) -> Offered:
        """How the seat, which is to move, chooses."""


# What else is a game's own


class Trial(Struct, frozen=True, kw_only=True):
    """A game that is set up, and goes on as long as the engine, seat 0, does nothing to the purpose.

    options  of that game, all of them.
    moves    in playing order, in the notation of its rules; seat 0 is to move then.
    idle     the move to no purpose; the other side answers it with the same.
    failure  what is to be said of an engine that makes no other until the game is over.
    remedy   what can be done about it.
    """

    options: Mapping[str, object]
    moves: Sequence[str]
    idle: str
    failure: str
    remedy: str


class Refusal(Exception):
    """A judge's command that cannot be obeyed; the text says why."""


class JudgeView(NamedTuple):
    """A game as its judge has marked it so far.

    frame    of the board, from an empty one; None where there is nothing to mark.
    columns  of the count, and rows: a row for each side. Both are () where nothing is counted.
    """

    frame: Frame | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class JudgeTable(Protocol):
    """A judge's view of a game that is over, and the commands that change it. Prints nothing.

    commands  that `obey` knows, as people write them.
    """

    @property
    def commands(self) -> Sequence[str]: ...

    def opening(self) -> Iterator[str]:
        """The position, and a proposal of how to rule it."""

    def obey(self, verb: str, words: list[str]) -> Iterator[str]:
        """Do one command; what there is to say of it. Raises Refusal, and then nothing has changed."""

    def ruling(self, who: str, when: str) -> Ruling:
        """The ruling as it stands."""

    def view(self) -> JudgeView:
        """The position with its marks, and what it counts."""


class MoveCounts(NamedTuple):
    """How a game accounts for its moves.

    moves     by seat: how many moves there were of each kind: what they were to do, and why they came to
              nothing, "" for those that did not.
    describe  the board or field of games with these options and this seed, in a few words.
    """

    moves: Callable[[GameSpec, GameRecord], Sequence[Counter[tuple[str, str]]]]
    describe: Callable[[Mapping[str, object], int], str]


class GoldenSchema(NamedTuple):
    """A kind of golden data of a game.

    recognises   whether a record is of this kind.
    differences  what of the game is not as the record says, in words.
    """

    recognises: Callable[[Mapping[str, object]], bool]
    differences: Callable[[Mapping[str, object]], Iterator[str]]


Sampler: TypeAlias = Callable[[GameSpec, GameRecord], bytes]
"""The training samples of a game. Raises ValueError for a game that the form has no room for."""


class HasUsual(Protocol):
    """Options with settings that go with them, where the user says nothing."""

    @property
    def usual(self) -> Mapping[str, object]: ...


class Game(Struct, wire.Unchanging, Generic[OptionsT, RulesT], frozen=True, kw_only=True):
    """A game: its rules, and what else is its own.

    name        as control files and stored games name it; that of its entry point.
    options     a frozen dataclass whose fields are the game's settings: types and defaults are checked by the
                config layer, `__post_init__` raises ValueError for what does not fit together. They may be
                `HasUsual`.
    rules       the rules with these options and this seed.
    has_chance  whether the rules depend on the seed. If not, games with the same options share theirs.
    hides       whether players do not see all of a position: spectators see it when the game is over.
    seats       how many places there are.
    roles       what each seat is in its team, where a team has several.
    side_names  what the teams are called in reports, each of them.
    result_words  letters of the sides in codes such as B+3, and a word for a level game.
    unit        what `Outcome.totals` count, in a word; "" for nothing.
    defaults    settings where the user and the preset say nothing (``{"move_limit": 20000}``); `protocol`
                among them is for its players.
    presets     by name, settings that go together (the leagues of an event).
    match_defaults  settings of `gyoji match` where there is no preset: what a control file has to say.
    openings    reads a file of openings; None: games of this kind have no openings.
    vary        turns openings; None: they cannot be turned. shifts: whether they can be moved as well.
    variants    of options, JSON-ready, those that games may have where an engine refuses the first of them;
                the first is what is wanted. None: games have the options that they are given.
    opening_time  the main time in ns that the opening of a game gives, None for none: for clocks that go by
                it.
    trial       a position that shows whether an engine plays by all of the rules with these options
                (`Trial`); None for options that need no trial.
    record_formats  by name, the file formats of its games. records: the names of those written unless a
                control file says otherwise.
    pictures    its games as pictures.
    drawing     how people draw its openings.
    judge       what a person decides a finished game with, from its rules, its record and a point of each
                group that is said to be dead.
    counts      how its moves are accounted for.
    samples     by form, what makes training samples of its games.
    told        of a game, all that each seat was told.
    golden      the kinds of golden data that it reads (`gyoji.testing.golden`).
    form        what is asked of a person who begins a game of it; None: none can be begun so.
    """

    name: str
    options: type[OptionsT]
    rules: Callable[[OptionsT, int], RulesT]
    has_chance: bool = True
    hides: bool = False
    seats: int = 2
    roles: tuple[str, ...] = ()
    side_names: tuple[str, ...] = ("black", "white")
    result_words: ResultWords = USUAL
    unit: str = ""
    defaults: Mapping[str, object] = field(default_factory=lambda: _NONE)
    presets: Mapping[str, Mapping[str, object]] = field(default_factory=lambda: _NONE)
    match_defaults: Mapping[str, object] = field(default_factory=lambda: _NONE)
    openings: OpeningReader | None = None
    vary: Vary | None = None
    shifts: bool = False
    variants: Callable[[Mapping[str, object]], Sequence[Mapping[str, object]]] | None = None
    opening_time: Callable[[Mapping[str, object]], int | None] | None = None
    trial: Callable[[Mapping[str, object]], Trial | None] | None = None
    record_formats: Mapping[str, Callable[[], RecordFormat]] = field(default_factory=lambda: _NONE)
    records: tuple[str, ...] = ()
    pictures: Callable[[], Pictures[RulesT]] | None = None
    drawing: Callable[[], "Drawing"] | None = None
    judge: Callable[[], Callable[[RulesT, GameRecord, Sequence[str]], JudgeTable]] | None = None
    counts: Callable[[], MoveCounts] | None = None
    samples: Callable[[], Mapping[str, Sampler]] | None = None
    told: Callable[[], Callable[[GameSpec, GameRecord], Sequence[bytes]]] | None = None
    golden: Callable[[], Sequence[GoldenSchema]] | None = None
    form: Callable[[], Form] | None = None

    def record_format(self, name: str) -> RecordFormat:
        """The record format of that name. Raises ConfigError naming those that the game has."""
        if (load := self.record_formats.get(name)) is None:
            there_are = ", ".join(self.record_formats) or "none"
            raise ConfigError(f"no record format {quote(name)} of {self.name}; there are: {there_are}")
        return load()

    def make_rules(self, options: Mapping[str, object], seed: int) -> RulesT:
        """The rules of a game with options as a game spec has them. Raises TypeError and ValueError."""
        return self.rules(make_options(self.options, options), seed)


AnyGame: TypeAlias = Game[OptionsKind, AnyRules]
"""A game whose options and positions only the game itself knows."""
