"""A cross table: everybody against everybody in the order of the standings, and what they did in all.

Points of the row's player come first in a cell, as on Gomocup's result pages. Losses in which a player broke
a rule are counted again in columns of their own. Black and white are the colours that were really had.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gyoji.pairing.cross import Cross
from gyoji.pairing.standings import Standing, standings
from gyoji.pairing.tally import PlayerStats, SideStats
from gyoji.report.numbers import count, percent, seconds
from gyoji.report.sheet import Column
from gyoji.report.table import Align, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One player. against: what it did against each player, in the order of the rows; None for itself."""

    place: Standing
    against: tuple[PlayerStats | None, ...]


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
    for column in totals([row.place for row in lines], names):
        table.numbers(column.cells, heading=column.heading)
    return table.lines()


def totals(places: Sequence[Standing], names: Sequence[str]) -> Iterator[Column]:
    """The columns about what each player did in all; those that would be empty are left out."""
    all_games = [place.stats.total for place in places]

    def column(heading: str, cells: Sequence[str], about: str) -> Column:
        return Column(heading=heading, cells=tuple(cells), about=about)

    yield column("points", [count(place.points) for place in places], "a win is 1, a level game half a point")
    shares = [percent(total.points, decided(total)) for total in all_games]
    yield column("share", shares, "points as a share of the games that were decided")
    yield column("won", [str(total.wins) for total in all_games], "games won")
    yield column("level", [str(total.levels) for total in all_games], "games that nobody won")
    yield column("lost", [str(total.losses) for total in all_games], "games lost")
    if any(total.unknown for total in all_games):
        unknown = [str(total.unknown) for total in all_games]
        yield column("unknown", unknown, "games that nobody can say the winner of")
    for side, name in enumerate(names):
        had = [place.stats.sides[side] for place in places]
        cells = [f"{count(each.points)}/{decided(each)}" for each in had]
        yield column(name, cells, f"points and decided games as {name}")
    yield column("timeouts", [str(total.timeouts) for total in all_games], "games lost on time")
    errors = "games lost by breaking another rule, or by a crash"
    yield column("errors", [str(total.errors) for total in all_games], errors)
    moves = [seconds(place.stats.move_s, 3) for place in places]
    yield column("s/move", moves, "mean seconds that its clock was charged for a move")
    games = [seconds(place.stats.game_s, 1) for place in places]
    yield column("s/game", games, "mean seconds that its clock was charged for a game")
    berger = "Sonneborn-Berger: the points of those it won against, and half of those it drew with"
    yield column("Berger", [f"{place.berger:.2f}" for place in places], berger)


def score_text(stats: PlayerStats | None) -> str:
    """A player's points and its opponent's; "-" for itself, nothing where they have not met.

    >>> side = SideStats(wins=3, levels=1, losses=1)
    >>> score_text(PlayerStats(player="a", sides=(side, SideStats())))
    '3.5:1.5'
    """
    if stats is None:
        return "-"
    total = stats.total
    return f"{count(total.points)}:{count(decided(total) - total.points)}" if total.played else ""


def decided(side: SideStats) -> int:
    """The games that somebody can say the result of."""
    return side.played - side.unknown
