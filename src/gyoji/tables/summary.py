"""The state of a competition in a few lines, each complete by itself, because logs are not redrawn."""

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
    """Tables with a short form."""

    def summary(self) -> Iterable[str]:
        """Return lines that begin with a word and a colon."""


def summary_lines(tables: Tables) -> Iterable[str]:
    """Return the short form of tables; no lines if they have none."""
    return tables.summary() if supports(tables, HasSummary) else ()


def standings_line(cross: Cross, heading: str = "") -> str:
    """Format the best players by points.

    heading: Part of the competition; "" for the whole.
    """
    best = [each.stats for each in islice(standings(cross), MOST_NAMED)]
    return players_line(best, len(cross.players), heading)


def players_line(best: Iterable[PlayerStats], of: int, heading: str = "") -> str:
    """Format players in this order, with their points and games.

    of: Number of players in all.
    """
    named = [f"{each.player} {count(each.total.points)}/{each.total.played}" for each in best]
    # A line of a log should stay short: the rest is in the report.
    more = [f"and {of - len(named)} more"] if of > len(named) else []
    return f"standings{f' of {heading}' if heading else ''}: {', '.join((*named, *more))}"


def elo_lines(met: HeadToHead) -> Iterator[str]:
    """Yield the Elo difference of each two players that have one, with its 95 % interval."""
    for encounter in met.encounters():
        scores = encounter.scores
        if scores.elo is None:
            continue
        first, second = encounter.players
        limits = scores.interval
        bounds = f" (95 %: {limits[0]:+z.1f} to {limits[1]:+z.1f})" if limits else ""
        chance = "" if scores.superiority is None else f", LOS {scores.superiority:.1%}"
        yield f"elo: {first} {scores.elo:+z.1f}{bounds} against {second}{chance}"
