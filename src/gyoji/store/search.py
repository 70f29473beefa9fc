"""A search for stored games, page by page, by SQL conditions."""

import json
from typing import NamedTuple

from gyoji.core.record import GameResult
from gyoji.store.store import Store


class Search(NamedTuple):
    """Conditions of a search for stored games; "" for no condition. Rulings of a judge are not searched.

    Attributes:
        player: A player of the game.
        ending: The value of an `Ending`.
        text: A text anywhere in the result (ids, names, details), ignoring case.
    """

    player: str = ""
    ending: str = ""
    text: str = ""


def page(
    store: Store, search: Search, *, before: int | None = None, most: int
) -> list[tuple[int, GameResult]]:
    """Return the newest games that fulfil the conditions, with the numbers of their rows.

    Args:
        before: Only rows with smaller numbers are searched; None for all rows.
        most: Largest number of games to return.

    Raises:
        ConfigError: The file is damaged.
    """
    wanted = []
    if search.player:
        wanted.append(json.dumps(search.player, ensure_ascii=False))
    if search.ending:
        wanted.append(f'"ending":{json.dumps(search.ending, ensure_ascii=False)}')
    if search.text:
        wanted.append(json.dumps(search.text, ensure_ascii=False)[1:-1])
    conditions = ["result LIKE ? ESCAPE '!'" for _ in wanted]
    values: list[object] = [
        f"%{''.join(f'!{each}' if each in '!%_' else each for each in text)}%" for text in wanted
    ]
    if before is not None:
        conditions.append("number < ?")
        values.append(before)
    return list(store.newest(conditions, values, most))
