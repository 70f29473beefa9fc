"""The parts of a report as values: tables, trees, charts and lines of text. Nothing here prints.

A format says them (`Tables`), and `gyoji.report` renders them: on the screen, as text, markdown, CSV, JSON
and HTML. A cell is a value; `Column.cells` are the values as they are printed, so that all forms agree to the
last digit.

>>> count(2.5), count(3.0), percent(1, 3), percent(0, 0), percent(1, 0)
('2.5', '3', '33.33%', '--', '??')
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from gyoji.core.record import GameResult


class Share(NamedTuple):
    """A part of a whole, printed in per cent."""

    part: float
    whole: float


class Estimate(NamedTuple):
    """A value and its error, 95 %; printed is the value."""

    value: float
    error: float


class Score(NamedTuple):
    """The points that one player took from another. sides: points of both, as it had either side."""

    sides: tuple[tuple[float, float], ...]
    wins: int
    levels: int
    losses: int
    unknown: int = 0

    @property
    def text(self) -> str:
        """The points of both.

        >>> Score(((3.0, 1.0), (0.5, 0.5)), wins=3, levels=1, losses=1).text
        '3.5:1.5'
        """
        own, other = (sum(points) for points in zip(*self.sides, strict=True))
        return f"{count(own)}:{count(other)}"


Value: TypeAlias = str | float | Share | Estimate | Score | None
"""A cell. A text is printed as it is, None as nothing, a float without digits as points: 2, 2.5."""


class Kind(Enum):
    """The kind of the cells of a column."""

    TEXT = "text"
    NAME = "name"  # tells the rows apart: what each of them is about
    RANK = "rank"
    NUMBER = "number"
    MOMENT = "moment"  # ISO 8601

    @property
    def is_text(self) -> bool:
        """Whether cells begin at the left."""
        return self not in (Kind.NUMBER, Kind.RANK)


class Column(Struct, frozen=True, kw_only=True):
    """A column of a table.

    digits  decimals of its floats; None for points.
    about   what the heading means, in a few words.
    gap     blanks to its right in plain text; 0 for as many as its kind usually has.
    span    columns under the heading; 0 for a column under a heading that began further left.
    """

    heading: str
    values: tuple[Value, ...]
    kind: Kind = Kind.NUMBER
    digits: int | None = None
    about: str = ""
    gap: int = 0
    span: int = 1

    @property
    def cells(self) -> tuple[str, ...]:
        """The values as they are printed."""
        return tuple([_printed(value, self.digits) for value in self.values])


def _printed(value: Value, digits: int | None) -> str:
    match value:
        case None:
            return ""
        case str() | int():
            return str(value)
        case Share():
            return percent(*value)
        case Score():
            return value.text
        case Estimate():
            value = value.value
    return count(value) if digits is None else f"{value:z.{digits}f}"


def texts(heading: str, values: Iterable[str], *, about: str = "", gap: int = 0) -> Column:
    """A column of words."""
    return Column(heading=heading, values=tuple(values), kind=Kind.TEXT, about=about, gap=gap)


def names(heading: str, values: Iterable[str], *, gap: int = 0) -> Column:
    """The column that says what each row is about."""
    return Column(heading=heading, values=tuple(values), kind=Kind.NAME, gap=gap)


def numbers(
    heading: str,
    values: Iterable[Value],
    *,
    digits: int | None = None,
    about: str = "",
    gap: int = 0,
) -> Column:
    """A column of numbers, shares or scores."""
    return Column(heading=heading, values=tuple(values), digits=digits, about=about, gap=gap)


def shared_ranks(merits: Sequence[object]) -> list[int]:
    """Return the rank of each entry of a list in order of merit. Equal merits share the first one's rank.

    >>> shared_ranks([7, 5, 5, 2])
    [1, 2, 2, 4]
    """
    found: list[int] = []
    for number, merit in enumerate(merits, 1):
        found.append(found[-1] if found and merit == merits[number - 2] else number)
    return found


def ranks(values: Iterable[int]) -> Column:
    """The column of ranks, from 1."""
    return Column(heading="rank", values=tuple(values), kind=Kind.RANK)


class Style(Enum):
    """How plain text lays a table out. Above ranks and names there is no heading."""

    PLAIN = "plain"  # a heading ends where its numbers end
    GOMILL = "gomill"  # a heading begins where its column begins


class Table(Struct, frozen=True, kw_only=True):
    """Rows and columns of values.

    name   one word for programs; a report may have several tables of a name, with different titles. "" for
           one that is only part of a text.
    note   a sentence or two for somebody who sees such a table for the first time.
    """

    columns: tuple[Column, ...]
    name: str = ""
    title: str = ""
    note: str = ""
    style: Style = Style.PLAIN

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(column.heading for column in self.columns)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The cells of each row, as they are printed; none if there is no column."""
        return zip(*(column.cells for column in self.columns), strict=True)

    @property
    def is_empty(self) -> bool:
        """Whether it has no rows."""
        return not self.columns or not self.columns[0].values


class Node(NamedTuple):
    """A place in a knockout: who has it, and what it took there; both "" while nobody has it.

    below: the two places of the round before whose match decides who gets this one; () without a match.
    """

    name: str = ""
    score: str = ""
    below: tuple["Node", ...] = ()


class Tree(Struct, frozen=True, kw_only=True):
    """The bracket of a knockout. root: the winner's place; rounds: names of all rounds, the winner's last."""

    root: Node
    rounds: tuple[str, ...]
    name: str = "bracket"
    title: str = "Bracket"
    note: str = ""

    @property
    def levels(self) -> list[tuple[Node | None, ...]]:
        """The places of each round, each with twice as many as the next; None where there is no match."""
        found: list[tuple[Node | None, ...]] = [(self.root,)]
        while len(found) < len(self.rounds):
            pairs = ((node and node.below) or (None, None) for node in found[-1])
            found.append(tuple(place for pair in pairs for place in pair))
        return found[::-1]

    @property
    def as_table(self) -> Table:
        """A row for each place that somebody has, round by round."""
        places = [
            (title, node)
            for title, level in zip(self.rounds, self.levels, strict=True)
            for node in level
            if node and node.name
        ]
        columns = (
            texts("round", [title for title, _ in places]),
            names("player", [node.name for _, node in places]),
            texts("score", [node.score for _, node in places]),
        )
        return Table(name=self.name, title=self.title, note=self.note, columns=columns)

    @property
    def is_empty(self) -> bool:
        """No: the first round has players before any match."""
        return False


class Line(NamedTuple):
    """One line of a chart. points: (x, y), x ascending; a million of them are drawn as a few hundred."""

    name: str
    points: tuple[tuple[float, float], ...]


class Chart(Struct, frozen=True, kw_only=True):
    """Lines with a common scale.

    x, y    what the axes count, in a word or two.
    limits  (name, y) of levels that mean something, such as the bounds of a test.
    ticks   (x, text) of what is written below; () for round numbers.
    note    what the chart says, in a sentence, for people who see such a one for the first time.
    """

    title: str
    lines: tuple[Line, ...]
    x: str = "games"
    y: str = ""
    limits: tuple[tuple[str, float], ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    note: str = ""


class Mark(NamedTuple):
    """A point of a map, from (0, 0) to (1, 1)."""

    name: str
    x: float
    y: float


class Map(Struct, frozen=True, kw_only=True):
    """A function of two numbers, in cells of equal size.

    rows    values of the cells, the lowest row first.
    inside  for each cell, whether it lies in the region that is outlined.   region: what that is.
    across, up  (place from 0 to 1, text) of what is written at the axes.
    key     what the values count.
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
    """A number that moves between two ends at which something is decided.

    lower, upper  the ends.   below, above: what is decided there, in a few words.
    verdict       how things stand, in a sentence.   key: what the value is.
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
        """Where the value stands, from 0 at the lower end to 1.

        >>> Gauge(title="", key="", value=9, lower=-1, upper=3, below="", above="", verdict="").place
        1.0
        """
        return min(max((self.value - self.lower) / (self.upper - self.lower), 0.0), 1.0)


Drawing: TypeAlias = Chart | Map | Gauge


Part: TypeAlias = Table | Tree
"""A part of a report in any form."""

Block: TypeAlias = str | Part
"""A part of a text: a line, or what is several of them."""

Endings: TypeAlias = Mapping[str, Mapping[str, int]]
"""By pairing, how many games ended in which way."""


class Tables(Protocol):
    """The tables, trees and charts of a competition, as far as it has been played."""

    def screen(self) -> Iterable[Block]:
        """The short report. Lazy: only the first lines may be wanted."""

    def report(self) -> Iterable[Block]:
        """The whole report as text."""

    def values(self, endings: Endings) -> dict[str, object]:
        """All of it as JSON-ready values."""

    def tables(self) -> Sequence[Part]:
        """The tables and trees of its own that documents, pages and programs get; the first ones of all."""

    def charts(self) -> Sequence[Drawing]:
        """How it went, as lines over games; what was found, as lines and maps."""

    def history(self, result: GameResult) -> Iterable[str]:
        """The lines of the history file about a result that has just been added."""


class HasShown(Protocol):
    """Tables of which `gyoji show` prints more than the screen of a run has room for."""

    def shown(self) -> Iterable[Block]:
        """What it prints."""


# Numbers as reports print them


def count(number: float) -> str:
    """A number of wins: whole, or with its half."""
    return f"{number:.1f}".removesuffix(".0")


def percent(part: float, whole: float) -> str:
    """The share in percent with two decimals; "--" of nothing, "??" if it cannot be."""
    if whole:
        return f"{100 * part / whole:.2f}%"
    return "??" if part else "--"
