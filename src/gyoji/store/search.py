"""Stored games looked for, a page at a time: the database searches, whoever asks sees no more than a page."""

import json
from typing import NamedTuple

from gyoji.core.record import GameResult
from gyoji.store.store import Store


class Search(NamedTuple):
    """Which games are looked for; "" asks for nothing.

    player  one that played in them.   ending  the value of an `Ending`.
    text    what occurs in them somewhere (ids, names, details), upper and lower case alike.
    Rulings are not searched.
    """

    player: str = ""
    ending: str = ""
    text: str = ""


def page(
    store: Store, search: Search, *, before: int | None = None, most: int
) -> list[tuple[int, GameResult]]:
    """At most so many of the games that are looked for, the newest first, with the numbers of their rows.

    before: only of rows below this. Raises ConfigError for a damaged file.
    """
    wanted = []
    if search.player:
        wanted.append(json.dumps(search.player, ensure_ascii=False))
    if search.ending:
        wanted.append(f'"ending":{json.dumps(search.ending, ensure_ascii=False)}')
    if search.text:
        wanted.append(json.dumps(search.text, ensure_ascii=False)[1:-1])
    conditions = ["result LIKE ? ESCAPE '!'" for _ in wanted]
    values: list[object] = [f"%{_literal(text)}%" for text in wanted]
    if before is not None:
        conditions.append("number < ?")
        values.append(before)
    return list(store.newest(conditions, values, most))


def _literal(text: str) -> str:
    """A text for LIKE, in which nothing stands for anything else; `!` escapes.

    >>> _literal("50%_")
    '50!%!_'
    """
    return "".join(f"!{each}" if each in "!%_" else each for each in text)
