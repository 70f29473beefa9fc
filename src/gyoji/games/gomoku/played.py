"""Games of ours as records have them: their rules in one line, their stones and colours.

>>> format_terms({"rule": 4, "max_moves": 200, "dead_draw": True, "opening": "h8"})
'renju +max_moves=200 +dead_draw'
>>> parse_terms("renju +max_moves=200 +dead_draw")
{'rule': 'renju', 'max_moves': 200, 'dead_draw': True}
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.text import quote
from gyoji.games.gomoku.rulesets import rule_name, rule_number

_NUMBERS = ("max_moves", "draw_margin")
_SWITCHES = ("dead_draw", "swap2")


def format_terms(options: Mapping[str, Any]) -> str:
    """The rule's name, and whatever else is set of the options that change how a game goes and ends."""
    words = [str(rule_name(rule_number(options.get("rule", 0))))]
    words += [f"+{name}={options[name]}" for name in _NUMBERS if options.get(name)]
    words += [f"+{name}" for name in _SWITCHES if options.get(name)]
    return " ".join(words)


def parse_terms(text: str) -> dict[str, Any]:
    """Options of the game from what `format_terms` writes; a rule may be its number, too.

    Raises ValueError for anything else.
    """
    rule, *words = (word.strip() for word in text.strip().lower().split("+"))
    terms: dict[str, Any] = {"rule": rule_name(rule_number(int(rule) if rule.isdecimal() else rule))}
    for word in words:
        name, _, value = word.partition("=")
        if name in _NUMBERS and value.isdecimal():
            terms[name] = int(value)
        elif word in _SWITCHES:
            terms[word] = True
        else:
            raise ValueError(f"got {quote(word)}, expected max_moves=N, draw_margin=N or dead_draw after a +")
    return terms


SWAPPED = "swap"
"""The text of the move that takes Black, and places nothing."""

_STONE = re.compile(r"[a-z]+[0-9]+")


def stones_in(move: str) -> list[str]:
    """The names of the points of a move or of an opening.

    >>> stones_in("h8"), stones_in("h8ad30"), stones_in("swap")
    (['h8'], ['h8', 'ad30'], [])
    """
    return _STONE.findall(move)


def refused_in(record: GameRecord | VoidGame) -> Played | None:
    """The stone that lost the game because the rules refuse it there; None for a move of another kind."""
    refused = record.refused if isinstance(record, GameRecord) else None
    return refused if refused is not None and len(stones_in(refused.move)) == 1 else None


def opening_of(options: Mapping[str, Any], record: GameRecord | VoidGame) -> str:
    """The opening that the game was played from: under swap2 only one that a player could not carry out."""
    opening = str(options.get("opening", ""))
    if not opening or not options.get("swap2"):
        return opening
    return opening if record.turns and not record.turns[0][0].phase else ""


def sides_of(record: GameRecord | VoidGame, opening: str) -> Sequence[int]:
    """The colour of each seat, 0 Black: as the result has it, or for a void game as its moves tell.

    Under swap2 whoever swaps has Black, and a move of one stone is in its player's colour.
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


def size_of(board_size: Any) -> tuple[int, int]:
    """Columns and rows of the option: a number, or two."""
    if isinstance(board_size, int):
        return board_size, board_size
    width, height = board_size
    return width, height
