"""The tables of a report that every format has: standings, sides, endings, times, games.

Cells are printed here, once, so that all forms of a report agree to the last digit. What no game of the
competition can tell gives no table.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from gyoji.core.describe import format_margin
from gyoji.core.outcome import Ending
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameResult
from gyoji.core.text import printable
from gyoji.pairing.cross import Cross
from gyoji.pairing.gathering import Gathering
from gyoji.pairing.standings import standings
from gyoji.pairing.tally import SideStats
from gyoji.report.account import Account
from gyoji.report.apart import apart_sheets
from gyoji.report.aside import aside_sheets
from gyoji.report.contained import contained_sheets
from gyoji.report.crosstable import Row, decided, rows, score_text, totals
from gyoji.report.digest import Digest, Winner, side_of, winner_of
from gyoji.report.matchup import game_sides
from gyoji.report.numbers import count, percent, seconds, wilson
from gyoji.report.pace import pace_sheet
from gyoji.report.ratings import advantage_line, draw_line
from gyoji.report.sheet import Column, Sheet
from gyoji.report.totals import total_columns, unit
from gyoji.stats.ratings import Ratings

MOST_IN_CROSS = 50
"""A cross table of more players is not made: nobody could read it."""

MOST_PLAYERS = 1000
"""Of so many players times and losses are told; a tuner has had a new one for every game."""


def sheets(account: Account) -> list[Sheet]:
    """All tables that are not empty."""
    digest, names = account.digest, game_sides(account.setup.game)
    apart = [
        *contained_sheets(account.engines),
        *(apart_sheets(account.comparison) if account.comparison else ()),
        *(aside_sheets(account.failures) if account.failures else ()),
    ]
    if not digest.played:
        return apart
    players = ordered_players(account)
    made = [
        *(
            account.standings
            or (standings_sheet(heading, cross, names) for heading, cross in account.crosses.items())
        ),
        *chain.from_iterable(cross_sheets(heading, cross) for heading, cross in account.crosses.items()),
        *(rating_sheets(account.ratings) if account.ratings else ()),
        *totals_sheets(digest.gathering, account.setup.game),
        sides_sheet(digest, players, names),
        endings_sheet(digest, names),
        losses_sheet(digest, players),
        thinking_sheet(digest, players),
        pace_sheet(account.games, players, digest.names),
        games_sheet(digest, names),
        *apart,
    ]
    return [sheet for sheet in made if any(True for _ in sheet.rows())]


def ordered_players(account: Account) -> list[str]:
    """Who has played, by the standings, then whoever is in none of them; at most MOST_PLAYERS."""
    played = account.digest.players
    ranked = (place.player for cross in account.crosses.values() for place in standings(cross))
    order = dict.fromkeys(chain((player for player in ranked if player in set(played)), played))
    return list(order)[:MOST_PLAYERS]


def standings_sheet(heading: str, cross: Cross, names: Sequence[str]) -> Sheet:
    """Who is ahead, and all that is counted of each player."""
    places = list(standings(cross))
    games = [place.stats.total for place in places]
    bounds = [wilson(total.points, decided(total)) for total in games]
    interval = Column(
        heading="95 %",
        cells=tuple("" if each is None else f"{100 * each[0]:.1f}-{100 * each[1]:.1f}" for each in bounds),
        about="where the true share lies, by Wilson's 95 % interval: chance alone moves it that far",
    )
    points, share, *others = totals(places, names)
    return Sheet(
        name="standings",
        title=_titled("Standings", heading),
        columns=(
            Column(heading="rank", cells=tuple(str(place.rank) for place in places)),
            _words("player", [place.player for place in places]),
            Column(heading="games", cells=tuple(str(total.played) for total in games)),
            points,
            share,
            interval,
            *others,
        ),
    )


def cross_sheets(heading: str, cross: Cross) -> Iterator[Sheet]:
    """Everybody against everybody, unless there are too many of them."""
    if 1 < len(cross.players) <= MOST_IN_CROSS:
        yield cross_sheet(heading, rows(cross))


def cross_sheet(heading: str, lines: Sequence[Row]) -> Sheet:
    """The scores alone, players as rows and as columns."""
    return Sheet(
        name="cross",
        title=_titled("Everybody against everybody", heading),
        note="Columns are the players by rank. A cell has the points of its row's player first.",
        columns=(
            Column(heading="rank", cells=tuple(str(row.place.rank) for row in lines)),
            _words("player", [row.place.player for row in lines]),
            *(
                Column(
                    heading=str(other.place.rank),
                    cells=tuple(score_text(row.against[index]) for row in lines),
                    about=other.place.player,
                )
                for index, other in enumerate(lines)
            ),
        ),
    )


def rating_sheets(ratings: Ratings) -> Iterator[Sheet]:
    """The strength of everybody in Elo, a sheet for each group of players that have met."""
    notes = (
        "Strength in Elo, from all games at once, relative to the average: 100 more take 64 % of the points. "
        f"It is within +/- of that with 95 %. In this field, {advantage_line(ratings)}; {draw_line(ratings)}."
    )
    for group in range(1, ratings.groups + 1):
        places = [place for place in ratings.places if place.group == group]
        yield Sheet(
            name="ratings",
            title=_titled("Ratings", f"group {group} of {ratings.groups}" if ratings.groups > 1 else ""),
            note=notes,
            columns=(
                _numbers("rank", [place.rank for place in places]),
                _words("player", [place.player for place in places]),
                Column(heading="rating", cells=tuple(f"{place.elo:.1f}" for place in places)),
                Column(heading="+/-", cells=tuple(f"{place.error:.1f}" for place in places)),
                _numbers("games", [place.total.games for place in places]),
                Column(
                    heading="above next",
                    cells=tuple(
                        "" if each.above_next is None else percent(each.above_next, 1) for each in places
                    ),
                    about="the likelihood that it is stronger than the next one",
                ),
            ),
        )


def totals_sheets(gathering: Gathering, game: str) -> Iterator[Sheet]:
    """What each player gathered per game, where the game gathers anything."""
    module = GAMES.find(game)
    if unit(module):
        players = [player for player, _ in gathering.players()]
        columns = (
            Column(heading=heading, cells=tuple(cells)) for heading, cells in total_columns(gathering, module)
        )
        yield Sheet(
            name="totals",
            title=f"{unit(module).capitalize()} per game",
            columns=(_words("player", players), *columns),
        )


def sides_sheet(digest: Digest, players: Sequence[str], names: Sequence[str]) -> Sheet:
    """What each player did on each side, and all of them together."""
    had = [digest.of(player).sides for player in players]
    columns = [_words("player", [*players, "all"])]
    for side, name in enumerate(names):
        cells = [sides[side] for sides in had]
        cells.append(_side_of_all(digest, side))
        columns += [
            Column(heading=f"{name}: games", cells=tuple(str(each.played) for each in cells)),
            Column(heading=f"{name}: points", cells=tuple(count(each.points) for each in cells)),
            Column(heading="share", cells=tuple(percent(each.points, decided(each)) for each in cells)),
        ]
    first = _side_of_all(digest, 0)
    bounds = wilson(first.points, decided(first))
    told = "" if bounds is None else f" (95 %: {100 * bounds[0]:.1f} to {100 * bounds[1]:.1f} %)"
    share = percent(first.points, decided(first))
    return Sheet(
        name="sides",
        title="Sides",
        columns=tuple(columns),
        note=f"Over all decided games {names[0]} took {share} of the points{told}.",
    )


def _side_of_all(digest: Digest, side: int) -> SideStats:
    """What whoever had a side did with it."""
    counts = dict.fromkeys(Winner, 0)
    for (_, winner), number in digest.endings.items():
        counts[winner] += number
    won, lost = (counts[Winner(side)], counts[Winner(1 - side)])
    return SideStats(wins=won, losses=lost, levels=counts[Winner.LEVEL], unknown=counts[Winner.UNKNOWN])


def endings_sheet(digest: Digest, names: Sequence[str]) -> Sheet:
    """How games ended, and for whom."""
    found = [ending for ending in Ending if any(each is ending for each, _ in digest.endings)]
    by_winner = {winner: [digest.endings[ending, winner] for ending in found] for winner in Winner}
    games = [sum(numbers) for numbers in zip(*by_winner.values(), strict=True)]
    headings = {
        Winner.FIRST: f"{names[0]} won",
        Winner.SECOND: f"{names[1]} won",
        Winner.LEVEL: "nobody won",
        Winner.UNKNOWN: "unknown",
    }
    return Sheet(
        name="endings",
        title="How games ended",
        columns=(
            _words("ending", [ending.value for ending in found]),
            _numbers("games", games),
            Column(heading="share", cells=tuple(percent(number, digest.played) for number in games)),
            *(_numbers(heading, by_winner[winner]) for winner, heading in headings.items()),
        ),
    )


def losses_sheet(digest: Digest, players: Sequence[str]) -> Sheet:
    """How each player lost: what its author wants to know first."""
    lost = [digest.losses.get(player, Counter[Ending]()) for player in players]
    found = [ending for ending in Ending if any(each.get(ending) for each in lost)]
    return Sheet(
        name="losses",
        title="How games were lost",
        columns=(
            _words("player", players),
            _numbers("lost", [sum(each.values()) for each in lost]),
            *(_numbers(ending.value, [each.get(ending, 0) for each in lost]) for ending in found),
        ),
    )


def thinking_sheet(digest: Digest, players: Sequence[str]) -> Sheet:
    """What time each player took."""
    stats = [digest.of(player) for player in players]

    def times(heading: str, values: Sequence[float | None], digits: int, about: str) -> Column:
        return Column(heading=heading, cells=tuple(seconds(each, digits) for each in values), about=about)

    return Sheet(
        name="thinking",
        title="Time for thinking",
        note="In seconds, as clocks charged them. A player's moves are taken to be half of a game's turns.",
        columns=(
            _words("player", players),
            _numbers("games", [each.total.played for each in stats]),
            times("s/move", [each.move_s for each in stats], 3, "mean time of a move"),
            times("slowest", [digest.slowest[each.player] / 1e9 for each in stats], 3, "its slowest move"),
            times("s/game", [each.game_s for each in stats], 1, "mean time of a game"),
            times(
                "cpu/game", [each.cpu_s for each in stats], 1, "mean CPU time of a game, where it is known"
            ),
        ),
    )


def games_sheet(digest: Digest, names: Sequence[str]) -> Sheet:
    """The newest games, the last one first."""
    results = list(reversed(digest.newest))
    return Sheet(
        name="games",
        title="Games" if len(results) == digest.played else f"The newest {len(results)} games",
        columns=(
            _words("game", [result.id for result in results]),
            *(
                _words(name, [side_name(result, side) for result in results])
                for side, name in enumerate(names)
            ),
            _words("winner", [winner_name(result) for result in results]),
            _words("ending", [result.outcome.ending.value for result in results]),
            Column(heading="by", cells=tuple(format_margin(result.outcome.margin) for result in results)),
            _numbers("turns", [result.turns for result in results]),
            Column(heading="seconds", cells=tuple(f"{result.wall_ns / 1e9:.1f}" for result in results)),
            _words("began", [result.started for result in results]),
            _words("detail", [printable(result.outcome.detail) for result in results]),
        ),
    )


def side_name(result: GameResult, side: int) -> str:
    """Who had a side: a player, or all different ones of a team."""
    seats = [seat for seat in range(len(result.players)) if side_of(result, seat) == side]
    return " & ".join(dict.fromkeys(result.players[seat] for seat in seats))


def winner_name(result: GameResult) -> str:
    """Who won, or that nobody did, or that nobody can say."""
    winner = winner_of(result)
    return side_name(result, winner.value) if winner in (Winner.FIRST, Winner.SECOND) else str(winner.value)


def _titled(title: str, heading: str) -> str:
    return f"{title}: {heading}" if heading else title


def _words(heading: str, cells: Sequence[str]) -> Column:
    return Column(heading=heading, cells=tuple(cells), is_text=True)


def _numbers(heading: str, cells: Sequence[int]) -> Column:
    return Column(heading=heading, cells=tuple(map(str, cells)))
