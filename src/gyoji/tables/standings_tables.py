"""Standings and cross tables.

In a cross table the points of the row's player come first, as on Gomocup's result pages. A game lost by
breaking a rule counts as lost, and also in a column of its own. If players swapped colours in a game, the
colours at its end count.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from gyoji.core.tables import Score, Table, Value, count, data, names, numbers, ranks, shared_ranks
from gyoji.results.cross import Cross
from gyoji.results.standings import Standing, standings
from gyoji.results.tally import PlayerStats
from gyoji.tables.pair_tables import decided, player_columns

MOST_IN_CROSS = 50
"""Largest number of players in a cross table. More could not be read."""

_BRIEF = ("rank", "player", "played", "points", "score", "berger", "wins", "level", "losses", "forfeits")


def standings_table(heading: str, places: Sequence[Standing], sides: Sequence[str] = ()) -> Table:
    """Return the standings with all counts of each player.

    Args:
        places: The standings, one row each.
        heading: Name of a part of the competition; "" for the whole.
        sides: Names of the sides that get a column each; () for none.
    """
    return Table(
        name="standings",
        part=heading,
        title="Standings",
        columns=(
            ranks(place.rank for place in places),
            *player_columns([place.stats for place in places], sides),
            numbers(
                "Berger",
                [place.berger for place in places],
                digits=2,
                about="Sonneborn-Berger: the points of those it won against, and half of those it drew with",
            ),
            data("head_to_head", [place.head_to_head for place in places]),
        ),
    )


def brief_table(places: Iterable[Standing]) -> Table:
    """Return the standings with only the columns that fit on a screen."""
    return standings_table("", list(places)).only(*_BRIEF)


def score_table(cross: Cross, places: Sequence[Standing], others: Sequence[str]) -> Table:
    """Return the standings of some players, with a column for the score against each of `others`.

    Args:
        cross: The cross table.
        places: The standings of the players to show. Their ranks in the table begin at 1.
        others: The players to show in columns.
    """
    # Challengers and champions are ranked among themselves: the first challenger has rank 1 in its own
    # table.
    own = shared_ranks([place.rank for place in places])
    ranked = [replace(place, rank=rank) for rank, place in zip(own, places, strict=True)]
    table = standings_table("", ranked).only("rank", "player", "played", "points", "score", "forfeits")
    scores = (
        numbers(other, ["-".join(map(count, cross.score(place.player, other))) for place in places])
        for other in others
    )
    return replace(table, columns=(*table.columns[:-1], *scores, table.columns[-1]))


def cross_tables(heading: str, cross: Cross, places: Sequence[Standing]) -> Iterator[Table]:
    """Yield the table of the scores of every two players, if there are from 2 to MOST_IN_CROSS players.

    Args:
        cross: The cross table.
        heading: Name of a part of the competition; "" for the whole.
        places: The standings. Rows and columns have their order.
    """
    if 1 < len(cross.players) <= MOST_IN_CROSS:
        yield Table(
            name="cross",
            part=heading,
            title="Everybody against everybody",
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
    """Return the table of the scores of every two players and of each player's totals. Empty without players.

    Args:
        cross: The cross table.
        sides: Names of the sides that get a column each.
    """
    places = list(standings(cross))
    # The scores stand between the players and the totals, as on Gomocup's result pages.
    rank, player, _, points, share, _, *totals = standings_table("", places, sides).columns
    scores = (
        numbers(f"{number}.", _met(cross, places, other.player)) for number, other in enumerate(places, 1)
    )
    shown = (each for each in totals if each.key != "forfeits")
    return Table(columns=(rank, replace(player, gap=2), *scores, points, share, *shown))


def _met(cross: Cross, places: Sequence[Standing], other: str) -> list[Value]:
    """Return each player's score against `other`: "-" for the player itself, None if they have not met."""
    return [
        "-" if place.player == other else score_of(cross.pair(place.player, other)[0]) for place in places
    ]


def score_of(stats: PlayerStats) -> Score | None:
    """Return the score of a player's results against one opponent; None if they have not met."""
    total = stats.total
    if not total.played:
        return None
    sides = tuple((side.points, decided(side) - side.points) for side in stats.sides)
    return Score(sides, total.wins, total.levels, total.losses, total.unknown)
