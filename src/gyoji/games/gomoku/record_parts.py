"""Parts that gyoji's records of gomoku share: the rules as text, stones and colours.

>>> format_terms({"rule": 4, "max_moves": 200, "dead_draw": True, "opening": "h8"})
'renju +max_moves=200 +dead_draw'
>>> parse_terms("renju +max_moves=200 +dead_draw")
{'rule': 'renju', 'max_moves': 200, 'dead_draw': True}
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.text import parse_whole, quote
from gyoji.games.gomoku.rulesets import rule_name, rule_number

_NUMBERS = ("max_moves", "draw_margin")
_SWITCHES = ("dead_draw", "swap2")


def format_terms(options: Mapping[str, Any]) -> str:
    """Return the rules of a game as text: the rule's name, and other options that affect how a game ends."""
    words = [str(rule_name(rule_number(options.get("rule", 0))))]
    words += [f"+{name}={options[name]}" for name in _NUMBERS if options.get(name)]
    words += [f"+{name}" for name in _SWITCHES if options.get(name)]
    return " ".join(words)


def parse_terms(text: str) -> dict[str, Any]:
    """Parse the result of `format_terms` into options. The rule may also be a number.

    Raises ValueError.
    """
    rule, *words = (word.strip() for word in text.strip().lower().split("+"))
    terms: dict[str, Any] = {
        "rule": rule_name(rule_number(rule if (number := parse_whole(rule)) is None else number))
    }
    for word in words:
        name, _, value = word.partition("=")
        if name in _NUMBERS and (number := parse_whole(value)) is not None:
            terms[name] = number
        elif word in _SWITCHES:
            terms[word] = True
        else:
            raise ValueError(f"got {quote(word)}, expected max_moves=N, draw_margin=N or dead_draw after a +")
    return terms


SWAPPED = "swap"
"""The text of the move that swaps sides and places no stone."""

_STONE = re.compile(r"[a-z]+[0-9]+")


def stones_in(move: str) -> list[str]:
    """Return the names of the points of a move or an opening.

    >>> stones_in("h8"), stones_in("h8ad30"), stones_in("swap")
    (['h8'], ['h8', 'ad30'], [])
    """
    return _STONE.findall(move)


def refused_in(record: GameRecord | VoidGame) -> Played | None:
    """Return the illegal stone that lost the game.

    Return None if there is none, or if the illegal move had several stones.
    """
    refused = record.refused if isinstance(record, GameRecord) else None
    return refused if refused is not None and len(stones_in(refused.move)) == 1 else None


def opening_of(options: Mapping[str, Any], record: GameRecord | VoidGame) -> str:
    """Return the stones of the option `opening` with which the game began, as text; "" if there were none.

    In a game with swap2 there are none, unless a player's protocol does not know swap2.
    """
    opening = str(options.get("opening", ""))
    if not opening or not options.get("swap2"):
        return opening
    return opening if record.turns and not record.turns[0][0].phase else ""


def sides_of(record: GameRecord | VoidGame, opening: str) -> Sequence[int]:
    """Return the colour of each seat, 0 for Black. For a void game, which has no result, its moves decide.

    The last swap or move of a single stone decides. A player who swaps gets Black. The player of a stone has
    Black if the board had an even number of stones before it, else White.

    Args:
        opening: Stones placed before the first move.
    """
    if isinstance(record, GameRecord):
        return record.result.sides or (0, 1)
    count = len(stones_in(opening))
    black = 0
    for seat, move, *_ in (played for turn in record.turns for played in turn):
        placed = len(stones_in(move))
        if placed < 2:
            black = 1 - seat if placed and count & 1 else seat
        count += placed
    return black, 1 - black
