"""The next games of a competition, as far as the stored results determine them."""

import copy
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

from gyoji.core.ports import Competition, adapts
from gyoji.core.spec import GameSpec
from gyoji.results.game_ids import plain_id

MOST_COMING = 10
"""Largest number of games in the list of next games."""

MOST_ISSUED = 200
"""Largest number of games that are issued to find the next ones, since some are in progress already."""


# A copy, because `next_game` counts what it issues, and the run issues the same games.
def issued(competition: Competition) -> list[GameSpec]:
    """Return the next games, computed on a copy of the competition. Call it in a thread.

    The list is empty if future results decide which games are next.
    """
    if adapts(competition) or competition.remaining() == 0:
        return []
    fresh = copy.deepcopy(competition)
    return list(islice(iter(fresh.next_game, None), MOST_ISSUED))


def coming(games: Sequence[GameSpec], playing: Collection[str], pace: float | None) -> list[dict[str, Any]]:
    """Return the next MOST_COMING games for the page, JSON-ready.

    Args:
        games: The next games, as `issued` returns them.
        playing: Ids of the games that are being played, which are left out.
        pace: Mean seconds between the ends of two games, from which the start of each is estimated; None if
            unknown.
    """
    known = {plain_id(each) for each in playing}
    free = (each for each in games if plain_id(each.id) not in known)
    return [
        {
            "id": each.id,
            "players": list(dict.fromkeys(each.codes)),
            "note": each.note,
            "in_seconds": None if pace is None else round(pace * number),
        }
        for number, each in enumerate(islice(free, MOST_COMING), 1)
    ]
