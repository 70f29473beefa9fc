"""The tables of a report that do not depend on the format: standings, sides, endings, times, games.

An argument `players` has the players in the order of the rows. An argument `sides` has the names of the
game's sides.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from gyoji.core.describe import format_margin
from gyoji.core.outcome import Ending
from gyoji.core.plugins import GAMES
from gyoji.core.record import EngineReport, GameRecord, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.tables import (
    Cell,
    Column,
    Drawing,
    Kind,
    Part,
    Share,
    Table,
    Value,
    names,
    numbers,
    percent,
    texts,
)
from gyoji.core.text import printable
from gyoji.results.comparison import Comparison
from gyoji.results.cross import Cross
from gyoji.results.failures import Failures
from gyoji.results.standings import Standing, standings
from gyoji.results.tally import SideStats
from gyoji.tables.digest import Nobody, ReportDigest, ResultsDigest, Winner, side_of, winner_of
from gyoji.tables.head_to_head import head_to_head_table
from gyoji.tables.host_results import hosts_table
from gyoji.tables.notes import note_tables
from gyoji.tables.pair_tables import decided, game_sides, share_bounds
from gyoji.tables.placed_tables import placed_tables
from gyoji.tables.rankings import ahead_table, rankings_table
from gyoji.tables.rating_tables import rating_tables
from gyoji.tables.standings_tables import cross_tables, standings_table
from gyoji.tables.totals import totals_table

if TYPE_CHECKING:
    from gyoji.stats.placed_ratings import PlacedRatings  # numpy, which pages without ratings do without
    from gyoji.stats.ratings import Ratings

MOST_PLAYERS = 1000
"""Largest number of players in the tables of sides, losses and times."""


class Account(Struct, frozen=True, kw_only=True):
    """Everything that the tables and the page of a report are made from.

    Attributes:
        setup: The contents of the control file.
        digest: Counts of all results.
        crosses: Cross tables by part of the competition; "" is the name of the whole.
        engines: Descriptions of the players' engines.
        ratings: Ratings from games of two sides; None if there are no games to rate.
        placed: Ratings from games of more than two sides; None if there are no games to rate.
        remaining: Number of games still to be played; None for a competition without end.
        own: The format's own tables.
        text: Lines of the text report, for the page.
        charts: Charts of the page.
        comparison: Excluded games; None if they were not looked for.
        failures: Void and skipped games; None if they were not looked for.
        games: The newest games of the digest with their moves, in the same order, for the page. Iterating may
            read the store.
    """

    setup: CompetitionSetup
    digest: ReportDigest
    crosses: Mapping[str, Cross]
    engines: Mapping[str, EngineReport]
    ratings: "Ratings | None" = None
    placed: "PlacedRatings | None" = None
    remaining: int | None = None
    own: Sequence[Part] = ()
    text: Sequence[str] = ()
    charts: Sequence[Drawing] = ()
    comparison: Comparison | None = None
    failures: Failures | None = None
    games: Iterable[tuple[GameSpec, GameRecord]] = ()


def tables(account: Account) -> list[Part]:
    """Return all tables and brackets that are not empty, in the order of a report.

    Before the first result these are only the notes, such as skipped games.
    """
    digest, sides = account.digest, game_sides(account.setup.game)
    remarks: list[Part] = list(note_tables(account.comparison, account.failures, account.engines))
    # Before the first game only notes can exist: games that were skipped or excluded.
    if not digest.played:
        return remarks
    places = {heading: list(standings(cross)) for heading, cross in account.crosses.items()}
    # All tables list players in the order of the standings, so that rows can be compared across tables.
    players = ordered_players(digest.players, places.values())
    made: list[Part] = [
        *_rankings(account.setup.game, account.own, places, digest),
        *chain.from_iterable(
            cross_tables(heading, cross, places[heading]) for heading, cross in account.crosses.items()
        ),
        *(rating_tables(account.ratings) if account.ratings else ()),
        *(placed_tables(account.placed, GAMES.find(account.setup.game).unit) if account.placed else ()),
        *_meetings(account.setup.game, digest, players),
        *([sides_table(digest, players, sides)] if players else ()),
        endings_table(digest, sides),
        losses_table(digest, players),
        thinking_table(digest, players),
        variations_table(digest, players),
        hosts_table(digest.hosts),
        games_table(digest, sides),
        *remarks,
    ]
    return [table for table in made if not table.is_empty]


def counted_tables(
    setup: CompetitionSetup, own: Sequence[Part], crosses: Mapping[str, Cross], digest: ResultsDigest
) -> list[Part]:
    """Return the tables of `gyoji show --json` that are not empty. They need neither ratings nor moves.

    Args:
        setup: The contents of the control file.
        own: The format's own tables.
        crosses: Cross tables by part of the competition; "" is the name of the whole.
        digest: Counts of all results.
    """
    places = {heading: list(standings(cross)) for heading, cross in crosses.items()}
    made: list[Part] = [
        *_rankings(setup.game, own, places, digest),
        *_meetings(setup.game, digest, ordered_players(tuple(setup.players), places.values())),
        hosts_table(digest.hosts),
    ]
    return [table for table in made if not table.is_empty]


def _rankings(
    game: str, own: Sequence[Part], places: Mapping[str, Sequence[Standing]], digest: ResultsDigest
) -> Iterator[Part]:
    """Yield the standings, and the tables of places in games of more than two sides.

    Args:
        game: Name of the game.
        own: The format's own tables, which replace the standings by points; () if it has none.
        places: Standings by points, by part of the competition.
        digest: Counts of all results.
    """
    # A knockout ranks players by matches rather than points, and a tuner has candidates instead of players.
    yield from own or (
        standings_table(heading, ranked, game_sides(game)) for heading, ranked in places.items()
    )
    yield rankings_table(digest.rankings, GAMES.find(game))
    yield ahead_table(digest.rankings)


def _meetings(game: str, digest: ResultsDigest, players: Iterable[str]) -> Iterator[Table]:
    """Yield the head-to-head table. In a game in which players collect something, such as treasure, also
    yield the table of how much each has collected.
    """
    yield head_to_head_table(digest.head_to_head, players)
    if GAMES.find(game).unit:
        yield totals_table(digest.totals, GAMES.find(game))


def ordered_players(played: Sequence[str], places: Iterable[Sequence[Standing]]) -> list[str]:
    """Return the first MOST_PLAYERS players that have games, in the order of the standings.

    Args:
        played: The players that have games. Those without a place in the standings come last.
        places: The standings of each part of the competition.
    """
    there = set(played)
    ranked = (place.player for each in places for place in each)
    order = dict.fromkeys(chain((player for player in ranked if player in there), played))
    # A player of several groups is listed once, at its first place.
    return list(order)[:MOST_PLAYERS]


def sides_table(digest: ReportDigest, players: Sequence[str], sides: Sequence[str]) -> Table:
    """Return the table of each player's results on each side. The last row sums up all players."""
    had = [digest.of(player).sides for player in players]
    columns = [names("player", [*players, "all"])]
    for side, name in enumerate(sides):
        cells = [*(each[side] for each in had), _side_of_all(digest, side)]
        columns += [
            numbers(f"{name}: games", [each.played for each in cells], key=f"{name}_games"),
            numbers(f"{name}: points", [each.points for each in cells], key=f"{name}_points"),
            numbers("share", [Share(each.points, decided(each)) for each in cells], key=f"{name}_score"),
        ]
    # The advantage of the first side is the figure that a reader looks for here, with its interval.
    first = _side_of_all(digest, 0)
    bounds = share_bounds(first)
    told = "" if bounds is None else f" (95 %: {100 * bounds[0]:.1f} to {100 * bounds[1]:.1f} %)"
    share = percent(first.points, decided(first))
    return Table(
        name="sides",
        title="Sides",
        columns=tuple(columns),
        note=f"Over all decided games {sides[0]} took {share} of the points{told}.",
    )


def _side_of_all(digest: ReportDigest, side: int) -> SideStats:
    """Return the results of all players on a side, 0 or 1."""
    counts: Counter[Winner] = Counter()
    for (_, winner), number in digest.endings.items():
        counts[winner] += number
    won, lost = counts[side], counts[1 - side]
    return SideStats(wins=won, losses=lost, levels=counts[Nobody.LEVEL], unknown=counts[Nobody.UNKNOWN])


def endings_table(digest: ReportDigest, sides: Sequence[str]) -> Table:
    """Return the table with the number of games by ending (row) and winner (column)."""
    found = Ending.in_order(ending for ending, _ in digest.endings)
    headings: dict[Winner, str] = {side: f"{name} won" for side, name in enumerate(sides)}
    headings |= {Nobody.LEVEL: "nobody won", Nobody.UNKNOWN: "unknown"}
    by_winner = {winner: [digest.endings[ending, winner] for ending in found] for winner in headings}
    counts: Counter[Ending] = Counter()
    for (ending, _), number in digest.endings.items():
        counts[ending] += number
    games = [counts[ending] for ending in found]
    return Table(
        name="endings",
        title="How games ended",
        columns=(
            names("ending", [ending.value for ending in found]),
            numbers("games", games),
            numbers("share", [Share(number, digest.played) for number in games]),
            *(numbers(heading, by_winner[winner]) for winner, heading in headings.items()),
        ),
    )


def losses_table(digest: ReportDigest, players: Sequence[str]) -> Table:
    """Return the table with the number of lost games by player (row) and ending (column)."""
    lost = [digest.losses.get(player, Counter[Ending]()) for player in players]
    found = Ending.in_order(ending for each in lost for ending, number in each.items() if number)
    return Table(
        name="losses",
        title="How games were lost",
        columns=(
            names("player", players),
            numbers("lost", [sum(each.values()) for each in lost]),
            *(numbers(ending.value, [each.get(ending, 0) for each in lost]) for ending in found),
        ),
    )


def variations_table(digest: ReportDigest, players: Sequence[str]) -> Table:
    """Return the table with the number of faulty principal variations by player (row) and fault (column).

    It has no rows if there are no such variations.
    """
    told = [player for player in players if player in digest.variations]
    found = sorted({kind for player in told for kind in digest.variations[player]})
    return Table(
        name="variations",
        title="Faults of variations",
        note="Of the last variation that an engine told before each of its moves.",
        columns=(
            names("player", told),
            *(numbers(kind, [digest.variations[player][kind] for player in told]) for kind in found),
        ),
    )


def thinking_table(digest: ReportDigest, players: Sequence[str]) -> Table:
    """Return the table of each player's times (mean and longest of a move, mean and CPU time of a game).

    It also has the number of illegal answers after which the player was asked again, if there are any.
    """
    stats = [digest.of(player) for player in players]
    slowest: list[Value] = [digest.slowest[player] / 1e9 for player in players]
    cpu = "mean CPU time of a game, where it is known"
    return Table(
        name="thinking",
        title="Time for thinking",
        note="In seconds, as clocks charged them. A player's moves are taken to be half of a game's turns.",
        columns=(
            names("player", players),
            numbers("games", [each.total.played for each in stats]),
            numbers(
                "s/move", [each.move_s for each in stats], key="move_s", digits=3, about="mean time of a move"
            ),
            numbers("slowest", slowest, key="slowest_s", digits=3, about="its slowest move"),
            numbers(
                "s/game", [each.game_s for each in stats], key="game_s", digits=1, about="mean time of a game"
            ),
            numbers("cpu/game", [each.cpu_s for each in stats], key="cpu_s", digits=1, about=cpu),
            numbers(
                "tries",
                [digest.illegal_tries[player] for player in players],
                key="illegal_tries",
                about="illegal or unreadable answers that were asked for again",
                is_optional=True,
            ),
        ),
    )


def games_table(digest: ReportDigest, sides: Sequence[str]) -> Table:
    """Return the table of the newest games, the newest first."""
    results = list(reversed(digest.newest))
    began = tuple(result.started for result in results)
    return Table(
        name="games",
        title="Games" if len(results) == digest.played else f"The newest {len(results)} games",
        columns=(
            names("game", [result.id for result in results]),
            *(
                texts(name, [side_name(result, side) for result in results])
                for side, name in enumerate(sides)
            ),
            texts("winner", [winner_name(result) for result in results]),
            texts("ending", [result.outcome.ending.value for result in results]),
            numbers(
                "by",
                [Cell(format_margin(result.outcome.margin), result.outcome.margin) for result in results],
                key="margin",
            ),
            numbers("turns", [result.turns for result in results]),
            numbers("seconds", [result.wall_ns / 1e9 for result in results], digits=1),
            Column(heading="began", key="started", values=began, kind=Kind.MOMENT),
            texts("detail", [printable(result.outcome.detail) for result in results]),
        ),
    )


def side_name(result: GameResult, side: int) -> str:
    """Return the name of the player on a side; if it has several players, their names joined by "&"."""
    seats = [seat for seat in range(len(result.players)) if side_of(result, seat) == side]
    return " & ".join(dict.fromkeys(result.players[seat] for seat in seats))


def winner_name(result: GameResult) -> str:
    """Return the name of the winner, or of all that share the first place; else "level" or "unknown"."""
    winner, places = winner_of(result), result.outcome.places
    # In a game of many sides several may share the first place while others have lost.
    if winner is Nobody.LEVEL and not result.outcome.is_level:
        return ", ".join([result.opponents[team] for team, place in enumerate(places) if place == 1])
    return str(winner.value) if isinstance(winner, Nobody) else side_name(result, winner)
