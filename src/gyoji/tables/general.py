"""The tables of a report that every format has: standings, sides, endings, times, games.

Cells are printed here, once, so that all forms of a report agree to the last digit. What no game of the
competition can tell gives no table.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from gyoji.core.describe import format_margin
from gyoji.core.outcome import Ending
from gyoji.core.plugins import GAMES
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Column, Drawing, Kind, Part, Share, Table, Value, names, numbers, percent, texts
from gyoji.core.text import printable
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.cross import Cross
from gyoji.pairing.failures import Failures
from gyoji.pairing.standings import Standing, standings
from gyoji.pairing.tally import SideStats
from gyoji.tables.digest import Digest, Nobody, Winner, side_of, winner_of
from gyoji.tables.hosts import hosts_table
from gyoji.tables.pairs import game_sides, share_bounds
from gyoji.tables.places import places_table
from gyoji.tables.ratings import rating_tables
from gyoji.tables.remarks import remark_tables
from gyoji.tables.standings import cross_tables, decided, standings_table
from gyoji.tables.timings import Games, pace_table
from gyoji.tables.totals import Totals, totals_table
from gyoji.tables.versus import versus_table

if TYPE_CHECKING:
    from gyoji.stats.ratings import Ratings  # numpy, which pages without ratings do without

MOST_PLAYERS = 1000
"""Of so many players times and losses are told; a tuner has had a new one for every game."""


class Account(Struct, frozen=True, kw_only=True):
    """A competition as far as it has been played.

    crosses    what cross tables are made of, by heading; "" for none.
    engines    what players said of themselves.
    ratings    of the whole field, None if there is nothing to rate.
    remaining  games still to be issued, None for a competition without end.
    own        the tables of its format: who is ahead, where that is not a matter of the points of all games;
               the parameters of a tuner.
    text       the lines of the text report.
    comparison which games do not count; None: nobody has looked.
    failures   the void games, and which are set aside; None: nobody has looked.
    games      those of the digest's newest results, with their moves, in the same order. Gone through more
               than once, so it may be read anew each time.
    """

    setup: CompetitionSetup
    digest: Digest
    crosses: Mapping[str, Cross]
    engines: Mapping[str, EngineReport]
    ratings: "Ratings | None" = None
    remaining: int | None = None
    voids: int = 0
    own: Sequence[Part] = ()
    text: Sequence[str] = ()
    charts: Sequence[Drawing] = ()
    comparison: Comparison | None = None
    failures: Failures | None = None
    games: Games = ()


def tables(account: Account) -> list[Part]:
    """All tables and trees that are not empty."""
    digest, sides = account.digest, game_sides(account.setup.game)
    remarks: list[Part] = list(remark_tables(account.comparison, account.failures, account.engines))
    if not digest.played:
        return remarks
    places = {heading: list(standings(cross)) for heading, cross in account.crosses.items()}
    players = ordered_players(digest.players, places.values())
    made: list[Part] = [
        *(account.own or (standings_table(heading, ranked, sides) for heading, ranked in places.items())),
        places_table(digest.places, GAMES.find(account.setup.game)),
        *chain.from_iterable(
            cross_tables(heading, cross, places[heading]) for heading, cross in account.crosses.items()
        ),
        *(rating_tables(account.ratings) if account.ratings else ()),
        versus_table(digest.versus, players),
        *_totals_tables(digest.totals, account.setup.game),
        *([sides_table(digest, players, sides)] if players else ()),
        endings_table(digest, sides),
        losses_table(digest, players),
        thinking_table(digest, players),
        hosts_table(digest.hosts),
        pace_table(account.games, players or digest.places.players, digest.names),
        games_table(digest, sides),
        *remarks,
    ]
    return [table for table in made if not table.is_empty]


def ordered_players(played: Sequence[str], places: Iterable[Sequence[Standing]]) -> list[str]:
    """Who has played, by these standings, then whoever is in none of them; at most MOST_PLAYERS."""
    there = set(played)
    ranked = (place.player for each in places for place in each)
    order = dict.fromkeys(chain((player for player in ranked if player in there), played))
    return list(order)[:MOST_PLAYERS]


def _totals_tables(totals: Totals, game: str) -> Iterator[Table]:
    """The totals of each player per game, where the game gathers anything."""
    module = GAMES.find(game)
    if module.unit:
        yield totals_table(totals, module)


def sides_table(digest: Digest, players: Sequence[str], sides: Sequence[str]) -> Table:
    """The results of each player on each side, and of all together."""
    had = [digest.of(player).sides for player in players]
    columns = [names("player", [*players, "all"])]
    for side, name in enumerate(sides):
        cells = [*(each[side] for each in had), _side_of_all(digest, side)]
        columns += [
            numbers(f"{name}: games", [each.played for each in cells]),
            numbers(f"{name}: points", [each.points for each in cells]),
            numbers("share", [Share(each.points, decided(each)) for each in cells]),
        ]
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


def _side_of_all(digest: Digest, side: int) -> SideStats:
    """The results of a side, whoever had it."""
    counts: Counter[Winner] = Counter()
    for (_, winner), number in digest.endings.items():
        counts[winner] += number
    won, lost = counts[side], counts[1 - side]
    return SideStats(wins=won, losses=lost, levels=counts[Nobody.LEVEL], unknown=counts[Nobody.UNKNOWN])


def endings_table(digest: Digest, sides: Sequence[str]) -> Table:
    """How games ended, and for whom."""
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


def losses_table(digest: Digest, players: Sequence[str]) -> Table:
    """How each player lost: what its author wants to know first."""
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


def thinking_table(digest: Digest, players: Sequence[str]) -> Table:
    """The time that each player took."""
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
            numbers("s/move", [each.move_s for each in stats], digits=3, about="mean time of a move"),
            numbers("slowest", slowest, digits=3, about="its slowest move"),
            numbers("s/game", [each.game_s for each in stats], digits=1, about="mean time of a game"),
            numbers("cpu/game", [each.cpu_s for each in stats], digits=1, about=cpu),
        ),
    )


def games_table(digest: Digest, sides: Sequence[str]) -> Table:
    """The newest games, the last one first."""
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
            numbers("by", [format_margin(result.outcome.margin) for result in results]),
            numbers("turns", [result.turns for result in results]),
            numbers("seconds", [result.wall_ns / 1e9 for result in results], digits=1),
            Column(heading="began", values=began, kind=Kind.MOMENT),
            texts("detail", [printable(result.outcome.detail) for result in results]),
        ),
    )


def side_name(result: GameResult, side: int) -> str:
    """Who had a side: a player, or all different ones of a team."""
    seats = [seat for seat in range(len(result.players)) if side_of(result, seat) == side]
    return " & ".join(dict.fromkeys(result.players[seat] for seat in seats))


def winner_name(result: GameResult) -> str:
    """Who won, or that nobody did, or that nobody can say."""
    winner, places = winner_of(result), result.outcome.places
    if winner is Nobody.LEVEL and not result.outcome.is_level:
        return ", ".join([result.opponents[team] for team, place in enumerate(places) if place == 1])
    return str(winner.value) if isinstance(winner, Nobody) else side_name(result, winner)
