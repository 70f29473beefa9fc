"""Gomoku: five in a row, by any of the rules of Gomocup, as bitboards.

Start with `board` (how a board is stored) and `rules` (the game as the referee sees it); `rulesets` lists
what there is to choose. Then by question: which rows win (`rows`), what renju forbids (`forbidden`), how
sides are chosen (`swap2`), where openings come from (`opening_files`, `variation`).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gyoji.games.gomoku.leagues import PRESETS
from gyoji.games.gomoku.names import SWAP
from gyoji.games.gomoku.opening_files import openings
from gyoji.games.gomoku.options import Options, rules
from gyoji.games.gomoku.position import Position
from gyoji.games.gomoku.rules import GomokuRules
from gyoji.games.gomoku.variation import vary

RECORDS = ("psq",)
DEFAULTS: Mapping[str, Any] = MappingProxyType({"protocol": "gomocup", "move_limit": 20_000})
"""More moves than the largest board has points: the rules themselves end every game."""

__all__ = [
    "DEFAULTS",
    "PRESETS",
    "RECORDS",
    "SWAP",
    "GomokuRules",
    "Options",
    "Position",
    "openings",
    "rules",
    "vary",
]
