"""Othello for gyoji. `GAME` is what gyoji asks of it; what few commands need is imported when they ask."""

from types import MappingProxyType

from gyoji.core.game import Game, Pictures, RecordFormat
from gyoji_othello.rules import Options, OthelloRules, openings, rules

__all__ = ["GAME", "Options", "OthelloRules"]


def _sgf() -> RecordFormat:
    from gyoji_othello.records import SGF

    return SGF


def _pictures() -> Pictures[OthelloRules]:
    from gyoji_othello import pictures

    return pictures


GAME = Game(
    name="othello",
    options=Options,
    rules=rules,
    # The rules count: what engines answer to final_score differs from one to the other.
    defaults=MappingProxyType({"protocol": "gtp", "scorer": "internal"}),
    openings=openings,
    record_formats=MappingProxyType({"sgf": _sgf}),
    records=("sgf",),
    pictures=_pictures,
)
