"""Parts of a report as values: tables, brackets, charts and lines of text. Nothing here prints.

A format of competition returns these values (`Tables`), and `gyoji.report` renders them as text, markdown,
CSV and HTML. Cells hold raw values. `Column.cells` formats them, so that all forms of a report show the same
digits, and `Table.records` returns the raw values to programs.

>>> count(2.5), count(3.0), percent(1, 3), percent(0, 0), percent(1, 0)
('2.5', '3', '33.33%', '--', '??')
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from math import isfinite
from typing import Any, NamedTuple, Protocol, TypeAlias, TypedDict, Unpack

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.record import GameResult


class Share(NamedTuple):
    """A fraction as the value of a cell. Tables show it in percent; programs get the quotient."""

    part: float
    whole: float


class Estimate(NamedTuple):
    """A value with half of its 95 % interval. Tables show the value; the page draws the interval as a bar."""

    value: float
    error: float


class Score(NamedTuple):
    """The score of one player against another, such as 3.5:1.5.

    Attributes:
        sides: (points of the player, points of the opponent), for the player's games on each side.
        wins: Number of games that the player won. `levels` and `losses` count the others.
        unknown: Number of games without a known result.
    """

    sides: tuple[tuple[float, float], ...]
    wins: int
    levels: int
    losses: int
    unknown: int = 0

    @property
    def text(self) -> str:
        """The points of both players over all sides.

        >>> Score(((3.0, 1.0), (0.5, 0.5)), wins=3, levels=1, losses=1).text
        '3.5:1.5'
        """
        own, other = (sum(points) for points in zip(*self.sides, strict=True))
        return f"{count(own)}:{count(other)}"


class Cell(NamedTuple):
    """A cell that shows people a text while programs get another value."""

    text: str
    value: object


Value: TypeAlias = str | float | Share | Estimate | Score | Cell | None
"""The value of a cell. Text is shown unchanged, None as an empty cell. In a column without `digits` a float
is shown as points (2, 2.5).
"""


# Renderers look only at the kind of a column and the type of each value, never at its name. So a format may
# add columns without a change of any renderer.
class Kind(Enum):
    """The kind of value that a column has.

    The kind decides the alignment and whether people see the column.
    """

    TEXT = "text"
    NAME = "name"  # the subject of each row
    RANK = "rank"
    NUMBER = "number"
    MOMENT = "moment"  # ISO 8601
    DATA = "data"  # for programs only: text, pages and CSV omit the column

    @property
    def is_text(self) -> bool:
        """Whether cells are left-aligned."""
        return self not in (Kind.NUMBER, Kind.RANK)


# A table holds columns, not rows: reports compute whole columns, and width, alignment and emptiness are
# properties of a column.
class Column(Struct, frozen=True, kw_only=True):
    """A column of a table.

    Attributes:
        heading: Text that people read above the column.
        key: Name for programs. It stays the same in every release.
        values: The cells, one for each row. A column of `Kind.DATA` may have any value that `json_ready`
            takes.
        digits: Number of decimals of its floats; None for points, such as 3 or 2.5.
        about: Meaning of the heading, in a few words.
        gap: Number of blanks to its right in plain text; 0 for the default of its kind.
        span: Number of columns that share the heading; 0 for a column that is under the heading of an earlier
            column.
        is_optional: Whether people do not see the column if all its cells are empty or 0.
    """

    heading: str
    key: str
    values: tuple[Any, ...]
    kind: Kind = Kind.NUMBER
    digits: int | None = None
    about: str = ""
    gap: int = 0
    span: int = 1
    is_optional: bool = False

    @property
    def cells(self) -> tuple[str, ...]:
        """The column's values as formatted text, one for each row."""
        return tuple([_printed(value, self.digits) for value in self.values])

    @property
    def is_shown(self) -> bool:
        """Whether people see the column.

        Columns of `Kind.DATA`, and empty optional ones, are for programs only.
        """
        return self.kind is not Kind.DATA and not (self.is_optional and _EMPTY.issuperset(self.cells))


# Most games have no unknown result and no forfeit; a column of zeros would only take room.
_EMPTY = frozenset(("", "0"))


def _printed(value: Value, digits: int | None) -> str:
    match value:
        case None:
            return ""
        case str() | int():
            return str(value)
        case Share():
            return percent(*value)
        case Score() | Cell():
            return value.text
        case Estimate():
            value = value.value
    # "z" prints -0.0 as 0.0: a rounded Elo of -0.04 must not look negative.
    return count(value) if digits is None else f"{value:z.{digits}f}"


class _Look(TypedDict, total=False):
    digits: int | None
    about: str
    gap: int
    span: int
    is_optional: bool


def texts(heading: str, values: Iterable[Value], *, key: str = "", **look: Unpack[_Look]) -> Column:
    """Return a column of words.

    Args:
        key: Name of the column for programs; "" makes it from the words of the heading.
        look: Other attributes of `Column`.
    """
    return _column(Kind.TEXT, heading, values, key, look)


def names(heading: str, values: Iterable[Value], *, key: str = "", **look: Unpack[_Look]) -> Column:
    """Return the column that names the subject of each row, such as a player. Plain text omits its heading.

    Args:
        key: Name of the column for programs; "" makes it from the words of the heading.
        look: Other attributes of `Column`.
    """
    return _column(Kind.NAME, heading, values, key, look)


def numbers(heading: str, values: Iterable[Value], *, key: str = "", **look: Unpack[_Look]) -> Column:
    """Return a column of numbers, shares or scores.

    Args:
        key: Name of the column for programs; "" makes it from the words of the heading.
        look: Other attributes of `Column`.
    """
    return _column(Kind.NUMBER, heading, values, key, look)


def ranks(values: Iterable[int]) -> Column:
    """Return the column "rank".

    Args:
        values: The rank of each row, from 1. Equal ranks are allowed (`shared_ranks`).
    """
    return _column(Kind.RANK, "rank", values, "", {})


def data(key: str, values: Iterable[object]) -> Column:
    """Return a column for programs only, which people do not see."""
    return _column(Kind.DATA, key, values, "", {})


def _column(kind: Kind, heading: str, values: Iterable[Any], key: str, look: _Look) -> Column:
    words = (key or heading).lower().replace("-", " ").split()
    return Column(heading=heading, key="_".join(words), values=tuple(values), kind=kind, **look)


def shared_ranks(merits: Sequence[object]) -> list[int]:
    """Return the rank of each entry of a list that is in order of merit.

    Equal merits share the rank of the first.

    >>> shared_ranks([7, 5, 5, 2])
    [1, 2, 2, 4]
    """
    found: list[int] = []
    for number, merit in enumerate(merits, 1):
        found.append(found[-1] if found and merit == merits[number - 2] else number)
    return found


# Scripts parse reports in gomill's layout. It is kept byte by byte (tests compare golden reports), while
# newer tables align headings with their numbers.
class Style(Enum):
    """The layout of a table in plain text."""

    PLAIN = "plain"  # a heading ends where its numbers end
    GOMILL = "gomill"  # a heading begins where its column begins
    BARE = "bare"  # there are no headings


class Table(Struct, frozen=True, kw_only=True):
    """A table of a report, with its title and notes. Every form of a report is rendered from it.

    Attributes:
        name: Name for programs, one word. Tables of different parts of a competition may share it. "" for a
            table that only text reports have.
        part: Part of the competition that the table is about, such as a group; "" for the whole.
        title: Heading in documents and on pages.
        lead: Line above the table in plain text; "" for none.
        note: Explanation for readers who do not know such tables. Plain text omits it.
        remarks: Conclusions, as lines below the table in every form.
    """

    columns: tuple[Column, ...]
    name: str = ""
    part: str = ""
    title: str = ""
    lead: str = ""
    note: str = ""
    remarks: tuple[str, ...] = ()
    style: Style = Style.PLAIN

    @property
    def caption(self) -> str:
        """The title with the part of the competition, such as "Standings: group A"."""
        return f"{self.title}: {self.part}" if self.part else self.title

    @property
    def notes(self) -> str:
        """The note and the remarks as one paragraph."""
        return " ".join((self.note, *self.remarks)).strip()

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns that people see."""
        return tuple(column for column in self.columns if column.is_shown)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of the columns that people see."""
        return tuple(column.heading for column in self.shown)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield one tuple of formatted cells for each row. It has only the columns that people see."""
        return zip(*(column.cells for column in self.shown), strict=True)

    def records(self) -> list[dict[str, Any]]:
        """Return the rows for programs, each a dict of JSON-ready values by column key.

        Columns that people do not see are included. If the table is about a part of the competition, each row
        also has that part, under the key "part".
        """
        # Tables of several groups share one list in JSON, so each row says of which part it is.
        head = {"part": self.part} if self.part else {}
        keys = [column.key for column in self.columns]
        values = zip(*(column.values for column in self.columns), strict=True)
        return [head | dict(zip(keys, map(json_ready, row), strict=True)) for row in values]

    def only(self, *keys: str, **changes: Any) -> "Table":
        """Return a copy of the table with only these columns, in this order.

        Args:
            keys: Keys of the columns. Unknown ones are ignored.
            changes: Other attributes to replace.
        """
        by_key = {column.key: column for column in self.columns}
        return replace(self, columns=tuple(by_key[key] for key in keys if key in by_key), **changes)

    @property
    def is_empty(self) -> bool:
        return not self.columns or not self.columns[0].values


def json_ready(value: Any) -> Any:
    """Convert a value for JSON. Tables become lists of rows, and numbers that are not finite None.

    Iterators are kept: `core.text.legible_json_pieces` writes their items one by one, because a list of all
    pairs of players may not fit into memory.

    >>> json_ready({"score": Share(1, 4), "elo": float("inf"), "text": Cell("3 of 4", (3, 4))})
    {'score': 0.25, 'elo': None, 'text': [3, 4]}
    """
    match value:
        case None | str() | int():
            return value
        case float():
            return value if isfinite(value) else None
        case Enum():
            return value.value
        case Share():
            return value.part / value.whole if value.whole else None
        case Estimate() | Cell():
            return json_ready(value.value)
        case Table():
            return value.records()
        case Tree():
            return value.as_table.records()
        case Mapping():
            return {key: json_ready(each) for key, each in value.items()}
        case Iterator():
            return map(json_ready, value)
        # Named tuples become objects, as their fields have names that programs know.
        case tuple() if hasattr(value, "_asdict"):
            return json_ready(value._asdict())
        case _:
            return [json_ready(each) for each in value]


def records_by_name(parts: Iterable["Part"]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of tables for programs, by table name.

    Tables of the same name share one list.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for part in parts:
        found.setdefault(part.name, []).extend(json_ready(part))
    return found


class Node(NamedTuple):
    """A place in the bracket of a knockout.

    Attributes:
        name: Seed and player; "" while the place is open.
        score: Points of the player in its match of this round; "" before the first game of the match.
        below: The two places of the previous round whose match decides this place; () if there is none.
        has_won: Whether the player has won its match of this round.
    """

    name: str = ""
    score: str = ""
    below: tuple["Node", ...] = ()
    has_won: bool = False

    @property
    def took(self) -> str:
        """The score in words, for pages; "" before the first game of the match.

        >>> Node("1 ann", "1").took, Node("1 ann", "0.5").took, Node("1 ann", "1 2").took
        ('1 point', '0.5 points', '1 + 2 points')
        """
        if not self.score:
            return ""
        return f"{' + '.join(self.score.split())} point{'s' * (self.score != '1')}"


class Tree(Struct, frozen=True, kw_only=True):
    """The bracket of a knockout, as a section of a report.

    Attributes:
        root: The winner's place.
        rounds: Names of all rounds; the last one is that of the winner.
    """

    root: Node
    rounds: tuple[str, ...]
    name: str = "bracket"
    part: str = ""
    title: str = "Bracket"
    note: str = ""

    def rows(self) -> Iterator[list[tuple[Node | None, int]]]:
        """Yield the rows of an HTML table, with (place, number of rows it spans) for each cell.

        A row has only the cells that begin in it, the first round's on the left. None is a place without a
        match.
        """
        levels = self.levels
        for row in range(len(levels[0])):
            yield [(level[row >> n], 1 << n) for n, level in enumerate(levels) if row % (1 << n) == 0]

    @property
    def levels(self) -> list[tuple[Node | None, ...]]:
        """The places of the bracket, round by round, the first round first: each round has twice as many
        places as the next one. None stands for a place without a match.
        """
        found: list[tuple[Node | None, ...]] = [(self.root,)]
        # From the root to the first round. A missing pair still gets two places, so that each level
        # has twice as many as the one above and can be drawn as a grid.
        while len(found) < len(self.rounds):
            pairs = ((node and node.below) or (None, None) for node in found[-1])
            found.append(tuple(place for pair in pairs for place in pair))
        return found[::-1]

    @property
    def as_table(self) -> Table:
        """The bracket as a table: a row (round, player, score) for each known player, first round first."""
        rounds = zip(self.rounds, self.levels, strict=True)
        places = [(title, node) for title, level in rounds for node in level if node and node.name]
        columns = (
            texts("round", [title for title, _ in places]),
            names("player", [node.name for _, node in places]),
            texts("score", [node.score for _, node in places]),
        )
        return Table(name=self.name, part=self.part, title=self.title, note=self.note, columns=columns)

    @property
    def caption(self) -> str:
        """The title with the part of the competition, such as "Bracket: finals"; without a part the title."""
        return self.as_table.caption

    @property
    def notes(self) -> str:
        return self.note

    @property
    def is_empty(self) -> bool:
        """Always False: the first round has players before any match."""
        return False


class Line(NamedTuple):
    """One line of a chart.

    Attributes:
        points: (x, y) with ascending x. There may be a million; the page draws a few hundred of them.
    """

    name: str
    points: tuple[tuple[float, float], ...]


class Chart(Struct, frozen=True, kw_only=True):
    """Line charts with common axes.

    Attributes:
        x: Label of the horizontal axis.
        y: Label of the vertical axis.
        limits: (name, y) of horizontal lines, such as the bounds of a test.
        ticks: (x, text) of the labels below the horizontal axis; () for round numbers.
        note: A sentence that explains the chart.
    """

    title: str
    lines: tuple[Line, ...]
    x: str = "games"
    y: str = ""
    limits: tuple[tuple[str, float], ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    note: str = ""


class Mark(NamedTuple):
    """A named point of a map. Its coordinates are from 0 to 1."""

    name: str
    x: float
    y: float


class Map(Struct, frozen=True, kw_only=True):
    """A function of two numbers as a heat map: a grid of cells.

    Attributes:
        rows: Values of the cells, the lowest row first.
        inside: Whether each cell lies in the outlined region, in the same order.
        across: (position from 0 to 1, text) of the labels below the horizontal axis.
        up: (position from 0 to 1, text) of the labels beside the vertical axis.
        key: Name of the values.
        region: Name of the outlined region.
    """

    title: str
    x: str
    y: str
    rows: tuple[tuple[float, ...], ...]
    inside: tuple[tuple[bool, ...], ...]
    across: tuple[tuple[float, str], ...]
    up: tuple[tuple[float, str], ...]
    marks: tuple[Mark, ...] = ()
    key: str = ""
    region: str = ""
    note: str = ""


class Gauge(Struct, frozen=True, kw_only=True):
    """A number between two bounds. Reaching a bound decides something, as in a sequential test.

    Attributes:
        key: Name of the value.
        below: The decision at the lower bound, in a few words.
        above: The decision at the upper bound, in a few words.
        verdict: The present state, in one sentence.
    """

    title: str
    key: str
    value: float
    lower: float
    upper: float
    below: str
    above: str
    verdict: str
    note: str = ""

    @property
    def place(self) -> float:
        """The position of the value, from 0 at the lower bound to 1 at the upper one.

        >>> Gauge(title="", key="", value=9, lower=-1, upper=3, below="", above="", verdict="").place
        1.0
        """
        return min(max((self.value - self.lower) / (self.upper - self.lower), 0.0), 1.0)


Drawing: TypeAlias = Chart | Map | Gauge


Part: TypeAlias = Table | Tree
"""A section of a report."""

Block: TypeAlias = str | Part
"""An element of a text report: a line, or a section."""


# Methods, not one value: the live display is drawn after each game and must not compute the tables of the
# page.
class Tables(Protocol):
    """The port of a competition's reports: everything it shows about the games played so far."""

    def screen(self) -> Iterable[Block]:
        """Return the short report for the live display.

        The iterable is lazy, because the display may read only the first lines.
        """

    def report(self) -> Iterable[Block]:
        """Return the whole text report of the competition, block by block."""

    def facts(self) -> Mapping[str, object]:
        """Return values for the JSON report that stand in no table, by key. `json_ready` converts them."""

    def tables(self) -> Sequence[Part]:
        """Return the format's own sections, which come first in every form of a report except text."""

    def charts(self) -> Sequence[Drawing]:
        """Return the charts of the result page."""

    def history(self, result: GameResult) -> Iterable[str]:
        """Return the lines to append to the history file for `result`, the last result added."""


class HasShown(Protocol):
    """Tables of a competition for which `gyoji show` prints more than the live display."""

    def shown(self) -> Iterable[Block]:
        """Return the text that `gyoji show` prints."""


# Numbers as reports print them


def count(number: float) -> str:
    """Format a number of points, such as 3 or 2.5."""
    return f"{number:.1f}".removesuffix(".0")


def percent(part: float, whole: float) -> str:
    """Format a share with two decimals. "--" stands for 0 of 0, "??" for any other part of 0."""
    if whole:
        return f"{100 * part / whole:.2f}%"
    return "??" if part else "--"
