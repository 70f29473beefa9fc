"""How a competition stands in a few lines, each complete by itself: for logs, which nobody redraws.

A format that has more to say than who is ahead says it by a method of its tables (`SaysInBrief`).
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Protocol

from gyoji.core.ports import offers
from gyoji.core.tables import Tables, count
from gyoji.pairing.cross import Cross
from gyoji.pairing.standings import standings
from gyoji.pairing.tally import PlayerStats
from gyoji.tables.versus import Versus

MOST_NAMED = 8
"""How many players a line names."""


class SaysInBrief(Protocol):
    """Tables of which there is a short form."""

    def brief(self) -> Iterable[str]:
        """How the competition stands: lines that begin with a word and a colon."""


def brief_lines(tables: Tables) -> Iterable[str]:
    """The lines of a competition's tables, none of those that have no short form."""
    return tables.brief() if offers(tables, SaysInBrief) else ()


def standings_line(cross: Cross, heading: str = "") -> str:
    """Who is ahead, by points. heading: of which part of the competition, "" for all of it."""
    best = [each.stats for each in islice(standings(cross), MOST_NAMED)]
    return players_line(best, len(cross.players), heading)


def players_line(best: Iterable[PlayerStats], of: int, heading: str = "") -> str:
    """Players in order, with their points and games. of: how many there are."""
    named = [f"{each.player} {count(each.total.points)}/{each.total.played}" for each in best]
    more = [f"and {of - len(named)} more"] if of > len(named) else []
    return f"standings{f' of {heading}' if heading else ''}: {', '.join((*named, *more))}"


def elo_lines(versus: Versus) -> Iterator[str]:
    """How far each two players are apart, as far as it can be said."""
    for encounter in versus.encounters():
        scores = encounter.scores
        if scores.elo is None:
            continue
        first, second = encounter.players
        limits = scores.interval
        bounds = f" (95 %: {limits[0]:+z.1f} to {limits[1]:+z.1f})" if limits else ""
        chance = "" if scores.superiority is None else f", LOS {scores.superiority:.1%}"
        yield f"elo: {first} {scores.elo:+z.1f}{bounds} against {second}{chance}"
