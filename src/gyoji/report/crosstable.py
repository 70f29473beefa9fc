"""A cross table: everybody against everybody in the order of the standings, and what they did in all.

Points of the row's player come first in a cell, as on Gomocup's result pages. Losses in which a player broke
a rule are counted again in columns of their own. Black and white are the colours that were really had.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gyoji.pairing.cross import Cross
from gyoji.pairing.standings import Standing, standings
from gyoji.pairing.tally import PlayerStats, SideStats
from gyoji.report.numbers import count, percent
from gyoji.report.table import Align, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One player. against: what it did against each player, in the order of the rows; None for itself."""

    place: Standing
    against: tuple[PlayerStats | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column about a player alone. text: what it says of a player's place."""

    heading: str
    cells: tuple[str, ...]


def rows(cross: Cross) -> list[Row]:
    """The players from first to last."""
    places = list(standings(cross))
    return [
        Row(
            place=place,
            against=tuple(
                None if other is place else cross.pair(place.player, other.player)[0] for other in places
            ),
        )
        for place in places
    ]


def table_lines(cross: Cross, names: Sequence[str]) -> list[str]:
    """The table as text, nothing of nobody. names: of the two sides."""
    lines = rows(cross)
    if not lines:
        return []
    table = Table()
    table.column([f"{row.place.rank}." for row in lines], align=Align.RIGHT)
    table.column([row.place.player for row in lines], padding=2)
    for index in range(len(lines)):
        cells = [score_text(row.against[index]) for row in lines]
        table.numbers(cells, heading=f"{index + 1}.")
    for column in totals(lines, names):
        table.numbers(column.cells, heading=column.heading)
    return table.lines()


def totals(lines: Sequence[Row], names: Sequence[str]) -> Iterator[Column]:
    """The columns about what each player did in all; those that would be empty are left out."""
    places = [row.place for row in lines]
    all_games = [place.stats.total for place in places]

    def column(heading: str, cells: Sequence[str]) -> Column:
        return Column(heading=heading, cells=tuple(cells))

    yield column("points", [count(place.points) for place in places])
    yield column("share", [percent(total.points, _decided(total)) for total in all_games])
    yield column("won", [str(total.wins) for total in all_games])
    yield column("level", [str(total.levels) for total in all_games])
    yield column("lost", [str(total.losses) for total in all_games])
    if any(total.unknown for total in all_games):
        yield column("unknown", [str(total.unknown) for total in all_games])
    for side, name in enumerate(names):
        had = [place.stats.sides[side] for place in places]
        yield column(name, [f"{count(each.points)}/{_decided(each)}" for each in had])
    yield column("timeouts", [str(total.timeouts) for total in all_games])
    yield column("errors", [str(total.errors) for total in all_games])
    yield column("s/move", [_seconds(place.stats.move_s, 3) for place in places])
    yield column("s/game", [_seconds(place.stats.game_s, 1) for place in places])
    yield column("Berger", [f"{place.berger:.2f}" for place in places])


def score_text(stats: PlayerStats | None) -> str:
    """A player's points and its opponent's; "-" for itself, nothing where they have not met.

    >>> side = SideStats(wins=3, levels=1, losses=1)
    >>> score_text(PlayerStats(player="a", sides=(side, SideStats())))
    '3.5:1.5'
    """
    if stats is None:
        return "-"
    total = stats.total
    return f"{count(total.points)}:{count(_decided(total) - total.points)}" if total.played else ""


def _decided(side: SideStats) -> int:
    """The games that somebody can say the result of."""
    return side.played - side.unknown


def _seconds(seconds: float | None, digits: int) -> str:
    return "" if seconds is None else f"{seconds:.{digits}f}"
