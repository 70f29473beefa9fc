"""The placeholders in the command of a relay's runner, which are replaced when a game starts it."""

import re
from collections.abc import Iterable, Sequence

_PLACE = re.compile(r"\{(?:seat([1-9]\d{0,2})|(seed)|(opening))\}")

SEED_LIMIT = 1 << 31
"""The seeds passed to runners are below this number, because many programs read a signed 32-bit integer."""


def seats_named(words: Iterable[str]) -> frozenset[int]:
    """Return the numbers of the seats, from 1, whose placeholders are in a command.

    >>> sorted(seats_named(["halite", "{seat1}", "--other={seat2}"]))
    [1, 2]
    """
    return frozenset(int(place[1]) for word in words for place in _PLACE.finditer(word) if place[1])


def fill_in(words: Iterable[str], seats: Sequence[str], seed: int, opening: str) -> tuple[str, ...]:
    """Return a command with its placeholders replaced.

    Args:
        words: The words of the command.
        seats: For each seat, the text that replaces its placeholder: the command that starts the seat's
            player.
        seed: The seed of the game, which is reduced to 31 bits.
        opening: The text that replaces "{opening}".

    >>> fill_in(["run", "-s{seed}", "{seat1}"], ["/tmp/seat1"], 7, "")
    ('run', '-s7', '/tmp/seat1')
    """

    def filled(place: re.Match[str]) -> str:
        if place[1]:
            return seats[int(place[1]) - 1]
        return str(seed % SEED_LIMIT) if place[2] else opening

    return tuple([_PLACE.sub(filled, word) for word in words])
