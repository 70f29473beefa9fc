"""Standings and cross tables: who is ahead, and everybody against everybody in that order.

Points of the row's player come first in a cell of a cross table, as on Gomocup's result pages. Losses in
which a player broke a rule are counted again in columns of their own. Black and white are the colours that
were really had.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from gyoji.core.tables import Column, Score, Share, Table, Value, count, names, numbers, ranks, shared_ranks
from gyoji.pairing.cross import Cross
from gyoji.pairing.standings import Standing, standings
from gyoji.pairing.tally import PlayerStats, SideStats
from gyoji.tables.pairs import game_sides, player_values, share_bounds

MOST_IN_CROSS = 50
"""A cross table of more players is not made: nobody could read it."""

_BRIEF = ("rank", "player", "games", "points", "share", "Berger", "won", "level", "lost")
_TOTALS = (
    "won",
    "level",
    "lost",
    "unknown",
    "side 0",
    "side 1",
    "timeouts",
    "errors",
    "s/move",
    "s/game",
    "Berger",
)


def columns(places: Sequence[Standing], sides: Sequence[str]) -> dict[str, Column]:
    """All that there is to tell of places, by name.

    sides: what the two are called; their columns are "side 0" and "side 1" here. "unknown" and
    "forfeits" are left out where they would be empty.
    """
    stats = [place.stats for place in places]
    totals = [each.total for each in stats]
    bounds = [share_bounds(total) for total in totals]
    found = [
        ranks(place.rank for place in places),
        names("player", [each.player for each in stats]),
        numbers("games", [total.played for total in totals]),
        numbers("points", [total.points for total in totals], about="a win is 1, a level game half a point"),
        numbers(
            "share",
            [Share(total.points, decided(total)) for total in totals],
            about="points as a share of the games that were decided",
        ),
        numbers(
            "95 %",
            ["" if each is None else f"{100 * each[0]:.1f}-{100 * each[1]:.1f}" for each in bounds],
            about="score interval of the share (Wilson's, or trinomial with level games): "
            "the true share is in it 95 % of the time",
        ),
        numbers("won", [total.wins for total in totals], about="games won"),
        numbers("level", [total.levels for total in totals], about="games that nobody won"),
        numbers("lost", [total.losses for total in totals], about="games lost"),
        numbers("unknown", [total.unknown for total in totals], about="games without a known winner"),
        numbers("timeouts", [total.timeouts for total in totals], about="games lost on time"),
        numbers(
            "errors",
            [total.errors for total in totals],
            about="games lost by breaking another rule, or by a crash",
        ),
        numbers("forfeits", [total.forfeits for total in totals]),
        numbers(
            "s/move",
            [each.move_s for each in stats],
            digits=3,
            about="mean seconds that its clock was charged for a move",
        ),
        numbers(
            "s/game",
            [each.game_s for each in stats],
            digits=1,
            about="mean seconds that its clock was charged for a game",
        ),
        numbers(
            "Berger",
            [place.berger for place in places],
            digits=2,
            about="Sonneborn-Berger: the points of those it won against, and half of those it drew with",
        ),
    ]
    by_name = {column.heading: column for column in found}
    for side, name in enumerate(sides):
        had = [f"{count(each.sides[side].points)}/{decided(each.sides[side])}" for each in stats]
        by_name[f"side {side}"] = numbers(name, had, about=f"points and decided games as {name}")
    for name in ("unknown", "forfeits"):
        if not any(by_name[name].values):
            del by_name[name]
    return by_name


def _chosen(found: Mapping[str, Column], wanted: Iterable[str]) -> tuple[Column, ...]:
    return tuple(found[name] for name in wanted if name in found)


def brief_table(places: Iterable[Standing]) -> Table:
    """The columns that fit a screen. Berger is Sonneborn-Berger; forfeits are shown if there are any."""
    return Table(columns=_chosen(columns(list(places), ()), (*_BRIEF, "forfeits")))


def score_table(cross: Cross, places: Sequence[Standing], others: Sequence[str]) -> Table:
    """The shares of places, which are ranked among themselves, and what they took from each of the others."""
    own = shared_ranks([place.rank for place in places])
    found = columns([replace(place, rank=rank) for rank, place in zip(own, places, strict=True)], ())
    scores = (
        numbers(other, ["-".join(map(count, cross.score(place.player, other))) for place in places])
        for other in others
    )
    head = _chosen(found, ("rank", "player", "games", "points", "share"))
    return Table(columns=(*head, *scores, *_chosen(found, ["forfeits"])))


def standings_table(heading: str, places: Sequence[Standing], sides: Sequence[str]) -> Table:
    """Who is ahead, and all that is counted of each player."""
    found = columns(places, sides)
    wanted = ("rank", "player", "games", "points", "share", "95 %", *_TOTALS)
    return Table(name="standings", title=titled("Standings", heading), columns=_chosen(found, wanted))


def cross_tables(heading: str, cross: Cross, places: Sequence[Standing]) -> Iterator[Table]:
    """Everybody against everybody, the scores alone, unless there are too many of them."""
    if 1 < len(cross.players) <= MOST_IN_CROSS:
        yield Table(
            name="cross",
            title=titled("Everybody against everybody", heading),
            note="Columns are the players in the order of the rows. "
            "A cell has the points of its row's player first.",
            columns=(
                ranks(place.rank for place in places),
                names("player", [place.player for place in places]),
                *(
                    numbers(str(number), _met(cross, places, other.player), about=other.player)
                    for number, other in enumerate(places, 1)
                ),
            ),
        )


def full_cross_table(cross: Cross, sides: Sequence[str]) -> Table:
    """The scores, and what the players did in all; empty for nobody."""
    places = list(standings(cross))
    found = columns(places, sides)
    return Table(
        columns=(
            found["rank"],
            replace(found["player"], gap=2),
            *(
                numbers(f"{number}.", _met(cross, places, other.player))
                for number, other in enumerate(places, 1)
            ),
            *_chosen(found, ("points", "share", *_TOTALS)),
        )
    )


def _met(cross: Cross, places: Sequence[Standing], other: str) -> list[Value]:
    """The score of each player against another; "-" for itself, nothing where they have not met."""
    return [
        "-" if place.player == other else score_of(cross.pair(place.player, other)[0]) for place in places
    ]


def score_of(stats: PlayerStats) -> Score | None:
    """The score of a player against another; None of no games."""
    total = stats.total
    if not total.played:
        return None
    sides = tuple((side.points, decided(side) - side.points) for side in stats.sides)
    return Score(sides, total.wins, total.levels, total.losses, total.unknown)


def decided(side: SideStats) -> int:
    """The games that somebody can say the result of."""
    return side.played - side.unknown


def titled(title: str, heading: str) -> str:
    """The title of a table, of which part of the competition it is."""
    return f"{title}: {heading}" if heading else title


def standing_values(places: Iterable[Standing], game: str) -> list[dict[str, Any]]:
    """The standings as JSON-ready values."""
    sides = game_sides(game)
    return [
        {
            "rank": place.rank,
            **player_values(place.stats, sides),
            "head_to_head": place.head_to_head,
            "berger": place.berger,
        }
        for place in places
    ]
