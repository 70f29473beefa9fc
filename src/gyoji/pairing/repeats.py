"""Ids of games that are played once more because they were played by other settings: "0_3", then "0_3@2".

A competition issues a game once, and knows it by its plain id. All that is kept of games (results, records)
has an id of its own for each time.
"""

from collections.abc import Container

from msgspec.structs import replace

from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec

_MARK = "@"


def plain_id(game_id: str) -> str:
    """The id by which a competition knows a game.

    >>> plain_id("0_3@2"), plain_id("0_3")
    ('0_3', '0_3')
    """
    return game_id.partition(_MARK)[0]


def plain(result: GameResult) -> GameResult:
    """A result as its competition knows it."""
    return replace(result, id=plain_id(result.id)) if _MARK in result.id else result


def with_free_id(spec: GameSpec, taken: Container[str]) -> GameSpec:
    """A game that a competition issues, under an id that is not taken."""
    if spec.id not in taken:
        return spec
    number = 2
    while f"{spec.id}{_MARK}{number}" in taken:
        number += 1
    return replace(spec, id=f"{spec.id}{_MARK}{number}")
