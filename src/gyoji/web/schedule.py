"""The next games of a competition, as far as results so far say."""

import copy
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

from gyoji.core.ports import Competition, adapts
from gyoji.core.spec import GameSpec
from gyoji.pairing.games import plain_id

MOST_COMING = 10
"""Games that are told of before they begin."""

MOST_ISSUED = 200
"""Games that are issued to find those: some of them are being played."""


def issued(competition: Competition) -> list[GameSpec]:
    """The games that a competition issues next, if nothing else happens; it stays as it is. [] where results
    yet to come decide. Call it in a thread."""
    if adapts(competition) or competition.remaining() == 0:
        return []
    fresh = copy.deepcopy(competition)
    return list(islice(iter(fresh.next_game, None), MOST_ISSUED))


def coming(games: Sequence[GameSpec], playing: Collection[str], pace: float | None) -> list[dict[str, Any]]:
    """Those that do not go on already, JSON-ready: their players in the order of their seats, each once.

    pace: seconds from the end of a game to that of another, None if nobody knows: each end makes room.
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
