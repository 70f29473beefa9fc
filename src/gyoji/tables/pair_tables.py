"""The results of two players in the layout of gomill, and columns of counts for all tables of players.

The layout is gomill's because users have scripts that read it. One figure differs, the wins of a player on
each side (as Black, as White). A draw adds half a win only to the side that the player had in that game,
while gomill adds half a win to both sides.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from msgspec.structs import replace

from gyoji.core.game import default_options
from gyoji.core.plugins import GAMES
from gyoji.core.setup import GameSettings
from gyoji.core.spec import Adjudication
from gyoji.core.tables import (
    Block,
    Cell,
    Column,
    Share,
    Style,
    Table,
    count,
    data,
    names,
    numbers,
    percent,
    texts,
)
from gyoji.core.wire import encode
from gyoji.results.tally import PairStats, PlayerStats, SideStats
from gyoji.stats.scores import Scores

MISSING_MATCHUP = "?? (missing from control file)"
SIDE_NAMES = ("black", "white")
"""Names of the sides where the settings of the games are unknown."""

_FIRST = ("board_size", "handicap", "komi")
_TOLD = ("ruleset",)
"""Settings that are shown even at their default, because readers may not know the default and it decides
games.
"""
# Shown in brackets behind the setting to which they belong, or not at all
_UNSHOWN = frozenset(("handicap_style", "internal_scorer_handicap_compensation"))


def blocks(pairs: Iterable[PairStats]) -> Iterator[Block]:
    """Yield the text of each pair of players that has results, with a blank line between two.

    It is a generator because the live display reads only as much as fits on the screen.
    """
    for number, stats in enumerate(each for each in pairs if each.played):
        if number:
            yield ""
        yield from block(stats)


def heading(stats: PairStats) -> str:
    """Return the name of a pair of players with the number of their games, such as "a v b (3/10 games)"."""
    of = "" if stats.limit is None else f"/{stats.limit}"
    return f"{stats.name} ({stats.played}{of} games)"


def block(stats: PairStats) -> Iterator[Block]:
    """Yield the text of a pair of players: heading, number of unknown results, settings of the games, and
    table.
    """
    yield heading(stats)
    if stats.unknown:
        yield f"unknown results: {stats.unknown} {percent(stats.unknown, stats.played)}"
    yield settings_line(stats.settings) if stats.settings else MISSING_MATCHUP
    yield pair_table(stats, side_names(stats.settings))


def side_names(settings: GameSettings | None) -> tuple[str, ...]:
    """Return the names of the sides, such as "black" and "white", in games with these settings."""
    return game_sides(settings.game) if settings else SIDE_NAMES


def game_sides(game: str) -> tuple[str, ...]:
    """Return the names of the sides, such as "black" and "white", of a game by its name."""
    return GAMES.find(game).side_names


def settings_line(settings: GameSettings) -> str:
    """Return a line with the settings of games that differ from the defaults, and always the ruleset.

    These are the game's options, the clock, the adjudication, and the number of openings.
    """
    options = dict(settings.options)
    kind = GAMES.find(settings.game).options
    defaults = encode(default_options(kind))
    # In the order of the options of the game, so that two reports can be compared line by line.
    others = [each.name for each in fields(kind) if each.name not in _UNSHOWN]
    named = [name for name in dict.fromkeys((*_FIRST, *others)) if name in options]
    shown = [
        f"{name.replace('_', ' ')}: {_setting(name, options[name])}{_style(options, name)}"
        for name in named
        if options[name] != "" and (name in _TOLD or encode(options[name]) != defaults.get(name, MISSING))
    ]
    if not settings.clock.is_unlimited:
        shown.append(f"clock: {settings.clock.describe()}")
    if settings.adjudication != Adjudication():
        shown.append(f"adjudication: {settings.adjudication.describe()}")
    if settings.openings:
        shown.append(f"openings: {len(settings.openings.lines)}")
    return "   ".join(shown)


def pair_table(stats: PairStats, sides: Sequence[str] = SIDE_NAMES) -> Table:
    """Return the table of a pair of players: wins, wins on each side, forfeits, mean CPU time of a game.

    If a player had both sides, a third row has the totals of each side.
    """
    players = stats.players
    totals = [player.total for player in players]
    # gomill shows the sides separately only if a player had both.
    both = any(all(side.played for side in player.sides) for player in players)
    columns = [
        names("", [player.player for player in players]),
        numbers("wins", [total.points for total in totals], gap=1),
        numbers("", [Share(total.points, stats.played) for total in totals], gap=7 if both else 3),
    ]
    if both:
        columns += _side_columns(stats, 0, heading=sides[0], gap=5)
        columns += _side_columns(stats, 1, heading=sides[1], gap=3)
    else:
        columns.append(texts("", [f"({sides[_only_side(players, number)]})" for number in range(2)], gap=1))
    if any(total.forfeits for total in totals):
        columns.append(numbers("forfeits", [total.forfeits for total in totals], gap=1))
    if any(player.cpu_s for player in players):
        times = ["----" if player.cpu_s is None else f"{player.cpu_s:7.2f}" for player in players]
        columns.append(numbers("avg cpu", times))
    rows = 3 if both else 2
    # The row of totals has cells under the sides only.
    filled = (replace(each, values=(*each.values, None)[:rows]) for each in columns)
    return Table(columns=tuple(filled), style=Style.GOMILL)


def _side_columns(stats: PairStats, side: int, *, heading: str, gap: int) -> Iterator[Column]:
    """Yield two columns: the wins on a side, and the wins as a share of the games.

    The third row is the sum of both players.

    Args:
        stats: The results of the pair.
        side: The side, 0 or 1.
        heading: Heading of both columns.
        gap: Number of blanks to the right of the second column.
    """
    cells = [player.sides[side] for player in stats.players]
    total = sum(cell.points for cell in cells)
    points = [*(cell.points for cell in cells), total]
    # Shares of the games that were played, known or not: so gomill computes them, and its reports are
    # compared byte by byte.
    shares = [*(Share(cell.points, cell.played) for cell in cells), Share(total, stats.played)]
    yield texts(heading, map(count, points), gap=1, span=2)
    yield numbers("", shares, gap=gap, span=0)


def _only_side(players: tuple[PlayerStats, PlayerStats], number: int) -> int:
    """Return the side, 0 or 1, of a player that had the same side in all of its games.

    For a player without games it is the side that the opponent did not have.

    Args:
        players: The results of the two players of a pair.
        number: The index of the player in `players`.
    """
    sides = [side.played for side in players[number].sides]
    if any(sides):
        return 0 if sides[0] else 1
    return 1 if players[1 - number].sides[0].played else 0


def _setting(name: str, value: Any) -> str:
    """Return a setting's value as text: "9x9" for the list of a `board_size`, other lists with commas.

    The text is "given" for a mapping, such as a field of Dig Here.
    """
    if isinstance(value, Mapping):
        return "given"
    if isinstance(value, list | tuple):
        if name == "board_size":
            return "x".join(map(str, value))
        return ", ".join(_setting("board_size", each) for each in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _style(options: dict[str, Any], name: str) -> str:
    style = options.get(f"{name}_style")
    return f" ({style})" if style else ""


def matchup(stats: PairStats) -> dict[str, Any]:
    """Return a pair of players for JSON: settings and number of their games, and a `Table` of the results."""
    settings = stats.settings
    return {
        "id": stats.id,
        "name": stats.name,
        "settings": settings
        and {
            "game": settings.game,
            "options": encode(settings.options),
            "clock": settings.clock.describe(),
            "move_limit": settings.move_limit,
            "scorer": settings.scorer,
            "adjudication": settings.adjudication.describe(),
            "alternating": stats.swaps,
            "number_of_games": stats.limit,
        },
        "played": stats.played,
        "unknown": stats.unknown,
        "players": Table(columns=player_columns(stats.players, side_names(settings))),
    }


# Columns for standings, cross tables and JSON
def player_columns(stats: Sequence[PlayerStats], sides: Sequence[str]) -> tuple[Column, ...]:
    """Return columns with all counts of players. Each table selects its own from them with `Table.only`.

    Args:
        stats: The players' results, one row each.
        sides: Names of the sides that get a column each; () for none.
    """
    totals = [each.total for each in stats]
    bounds = [share_bounds(total) for total in totals]
    return (
        names("player", [each.player for each in stats]),
        numbers("games", [total.played for total in totals], key="played"),
        numbers("points", [total.points for total in totals], about="a win is 1, a level game half a point"),
        numbers(
            "share",
            [Share(total.points, decided(total)) for total in totals],
            key="score",
            about="points as a share of the games that were decided",
        ),
        numbers(
            "95 %",
            [each and Cell(f"{100 * each[0]:.1f}-{100 * each[1]:.1f}", each) for each in bounds],
            key="interval_95",
            about="score interval of the share (Wilson's, or trinomial with level games): "
            "the true share is in it 95 % of the time",
        ),
        numbers("won", [total.wins for total in totals], key="wins", about="games won"),
        numbers("level", [total.levels for total in totals], about="games that nobody won"),
        numbers("lost", [total.losses for total in totals], key="losses", about="games lost"),
        numbers(
            "unknown",
            [total.unknown for total in totals],
            about="games without a known winner",
            is_optional=True,
        ),
        *(
            numbers(
                name,
                [
                    Cell(f"{count(side.points)}/{decided(side)}", _counts(side))
                    for side in (each.sides[number] for each in stats)
                ],
                key=f"as_{name}",
                about=f"points and decided games as {name}",
            )
            for number, name in enumerate(sides)
        ),
        numbers("timeouts", [total.timeouts for total in totals], about="games lost on time"),
        numbers(
            "errors",
            [total.errors for total in totals],
            about="games lost by breaking another rule, or by a crash",
        ),
        numbers("forfeits", [total.forfeits for total in totals], is_optional=True),
        numbers(
            "s/move",
            [each.move_s for each in stats],
            key="move_s",
            digits=3,
            about="mean seconds that its clock was charged for a move",
        ),
        numbers(
            "s/game",
            [each.game_s for each in stats],
            key="game_s",
            digits=1,
            about="mean seconds that its clock was charged for a game",
        ),
        # People find CPU times in the table of times; programs expect all counts of a player in one
        # place.
        data("cpu_s", [each.cpu_s for each in stats]),
    )


def decided(side: SideStats) -> int:
    """Return the number of games with a known result among those that `side` counts."""
    return side.played - side.unknown


def _counts(side: SideStats) -> dict[str, Any]:
    keys = ("played", "points", "wins", "losses", "levels", "unknown", "forfeits", "timeouts", "errors")
    return {"level" if key == "levels" else key: getattr(side, key) for key in keys}


def share_bounds(side: SideStats) -> tuple[float, float] | None:
    """Return the 95 % interval of a player's share of the points, from 0 to 1; None without a known result.

    See `gyoji.stats.empirical_likelihood`.

    >>> low, high = share_bounds(SideStats(wins=15, losses=5))
    >>> f"{low:.3f} {high:.3f}"
    '0.531 0.888'
    """
    return Scores(side.observations).share_interval
