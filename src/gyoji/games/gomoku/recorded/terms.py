"""The rules of a game as one line of text, in records and on the command line.

>>> format_terms({"rule": 4, "max_moves": 200, "dead_draw": True, "opening": "h8"})
'renju +max_moves=200 +dead_draw'
>>> parse_terms("renju +max_moves=200 +dead_draw")
{'rule': 'renju', 'max_moves': 200, 'dead_draw': True}
"""

from collections.abc import Mapping
from typing import Any

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
