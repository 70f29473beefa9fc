"""The next games of a competition, as far as the stored results determine them."""

import copy
from collections.abc import Sequence
from itertools import islice
from typing import Any

from gyoji.core.ports import Competition, adapts
from gyoji.core.spec import GameSpec, people_of
from gyoji.results.game_ids import plain_id

MOST_COMING = 10
"""Largest number of games in the list of next games."""

MOST_ISSUED = 200
"""Largest number of games that are issued to find the next ones, since some are in progress already."""


FEW_GAMES = 5
"""Smallest number of finished games from which the end of a run is estimated."""


def seconds_left(seconds: float, played: int, remaining: int, *, parallel: int) -> int | None:
    """Estimate the seconds until a run is over, from its pace; None if too few games are over.

    Args:
        seconds: Seconds that the run has been watched.
        played: Number of games that ended in that time.
        remaining: Number of games still to be played.
        parallel: Number of games that are played at once.
    """
    # The first games to end are the short ones: a player resigned, or an engine crashed.
    if played < max(FEW_GAMES, parallel):
        return None
    return round(seconds / played * remaining)


# A copy, because `next_game` counts what it issues, and the run issues the same games.
def issued(competition: Competition) -> list[GameSpec]:
    """Return the next games, at most MOST_ISSUED, computed on a copy of the competition. Call it in a thread.

    The list is empty if future results decide which games are next.
    """
    if adapts(competition) or competition.remaining() == 0:
        return []
    fresh = copy.deepcopy(competition)
    return list(islice(iter(fresh.next_game, None), MOST_ISSUED))


def coming(
    games: Sequence[GameSpec], playing: Sequence[GameSpec], pace: float | None
) -> list[dict[str, Any]]:
    """Return the next `MOST_COMING` games for the page, JSON-ready. Games of people who play now come last.

    Args:
        games: The next games, as `issued` returns them.
        playing: The games that are being played, which are left out.
        pace: Mean seconds between the ends of two games; None if unknown. It gives an estimate of each game's
            start. Games of people get none, because nobody knows when the people are ready.

    Returns:
        For each game its `id`, `players`, `note` and `in_seconds`, and `again`: whether the same players are
            playing another game now.
    """
    known = {plain_id(each.id) for each in playing}
    pairs = {frozenset(each.codes) for each in playing}
    busy = {person for each in playing for person in people_of(each.players)}
    free = [each for each in games if plain_id(each.id) not in known]
    free.sort(key=lambda game: not busy.isdisjoint(people_of(game.players)))
    return [
        {
            "id": each.id,
            "players": list(dict.fromkeys(each.codes)),
            "note": each.note,
            "in_seconds": None if pace is None or people_of(each.players) else round(pace * number),
            "again": frozenset(each.codes) in pairs,
        }
        for number, each in enumerate(free[:MOST_COMING], 1)
    ]
