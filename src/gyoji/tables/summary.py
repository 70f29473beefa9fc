"""The state of a competition in a few lines for logs, each line complete by itself."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Protocol

from gyoji.core.ports import supports
from gyoji.core.tables import Tables, count
from gyoji.results.cross import Cross
from gyoji.results.standings import standings
from gyoji.results.tally import PlayerStats
from gyoji.tables.head_to_head import HeadToHead

MOST_NAMED = 8
"""Most players that one line names."""


class HasSummary(Protocol):
    """Reports that have a short form for logs."""

    def summary(self) -> Iterable[str]:
        """Return the lines of the short form. Each begins with a word and a colon."""


def summary_lines(tables: Tables) -> Iterable[str]:
    """Return the lines of a report's short form; none if it has no short form."""
    return tables.summary() if supports(tables, HasSummary) else ()


def standings_line(cross: Cross, heading: str = "") -> str:
    """Return a line with the best players by points.

    heading: Name of a part of the competition; "" for the whole.
    """
    best = [each.stats for each in islice(standings(cross), MOST_NAMED)]
    return players_line(best, len(cross.players), heading)


def players_line(best: Iterable[PlayerStats], of: int, heading: str = "") -> str:
    """Return a line with players in the given order, each with points and number of games.

    Args:
        best: The players to name, best first.
        of: Number of players in all.
        heading: Name of a part of the competition; "" for the whole.
    """
    named = [f"{each.player} {count(each.total.points)}/{each.total.played}" for each in best]
    # A line of a log should stay short: the rest is in the report.
    more = [f"and {of - len(named)} more"] if of > len(named) else []
    return f"standings{f' of {heading}' if heading else ''}: {', '.join((*named, *more))}"


def elo_lines(met: HeadToHead) -> Iterator[str]:
    """Yield a line for every two players that met: the difference in Elo with its 95 % interval."""
    for encounter in met.encounters():
        scores = encounter.scores
        if scores.elo is None:
            continue
        first, second = encounter.players
        limits = scores.interval
        bounds = f" (95 %: {limits[0]:+z.1f} to {limits[1]:+z.1f})" if limits else ""
        chance = "" if scores.superiority is None else f", LOS {scores.superiority:.1%}"
        yield f"elo: {first} {scores.elo:+z.1f}{bounds} against {second}{chance}"
