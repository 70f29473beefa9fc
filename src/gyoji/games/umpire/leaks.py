"""A search for texts that an umpire sends to the wrong seat."""

from collections.abc import Iterator, Sequence
from typing import Any

_LEAST = 4
"""The minimum length of a text to report. Another seat may get a shorter text by coincidence."""


def find_leaks(said: Sequence[tuple[str, Any]], seats: int) -> list[tuple[int, int, str]]:
    """Return (learner, owner, text) for each text that the umpire told one seat and sent another seat later.

    The owner is the seat that was told the text alone (`tell`), the learner a seat that got it later, perhaps
    within a longer text, a question or a picture. Texts of less than 4 characters are ignored.

    A text in a question has no owner: in games without secrets each seat gets the same questions in turn.

    Args:
        said: (name, value) of all messages from the umpire.
        seats: The number of seats.
    """
    everybody = frozenset(range(seats))
    secrets: dict[str, int] = {}  # the text, and its only seat
    leaks: list[tuple[int, int, str]] = []
    for name, value in said:
        for whom, text in _texts(name, value, everybody):
            for secret, owner in secrets.items():
                others = whom - {owner}
                if others and secret in text:
                    leaks.append((min(others), owner, secret))
            if name == "tell" and len(whom) == 1 and len(text) >= _LEAST:
                secrets.setdefault(text, min(whom))
    return list(dict.fromkeys(leaks))


def _texts(name: str, value: Any, everybody: frozenset[int]) -> Iterator[tuple[frozenset[int], str]]:
    """Yield (seats that are sent the text, text) for the texts in a message.

    Args:
        name: The name of the message.
        value: The message.
        everybody: All seats of the game.
    """
    if name == "tell":
        whom = everybody if value.seat == "all" else value.seat
        heard = frozenset((whom,)) if isinstance(whom, int) else frozenset(whom)
        yield heard, bytes(value.say).decode().strip('"')
    elif name == "ask":
        for each in value:
            yield frozenset((each.seat,)), bytes(each.say).decode().strip('"')
    elif name == "picture":
        heard = everybody if value.seats is None else frozenset(value.seats)
        yield heard, value.text
        for row in (*value.grid, *(value.table.rows if value.table is not None else ())):
            yield heard, " ".join(map(str, row))
