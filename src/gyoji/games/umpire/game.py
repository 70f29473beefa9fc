"""The extension object for games with an umpire, which gyoji registers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gyoji.core.describe import ResultWords
from gyoji.core.game import Game
from gyoji.core.later import forwarding, later
from gyoji.games.umpire.game_options import Options
from gyoji.games.umpire.rules import rules

# The umpire ends a game; the move limit stops a game that it never ends. Programs get no message about the
# end, so they are not waited for. Half a minute suffices for beginners' programs in any language.
_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "protocol": "umpire",
        "scorer": "internal",
        "clock": MappingProxyType({"move": "30s"}),
        "move_limit": 100_000,
        "budgets": MappingProxyType({"close": "400ms"}),
    }
)

GAME = Game(
    name="umpire",
    options=Options,
    rules=rules,
    hides=True,
    seats=0,
    decider="umpire",
    side_names=("side 1", "side 2"),
    result_words=ResultWords(letters=("1", "2")),
    unit="points",
    defaults=_DEFAULTS,
    openings=forwarding("gyoji.games.umpire.game_options", "openings"),
    record_formats=MappingProxyType({"umpire": later("gyoji.games.umpire.records", "CONVERSATION")}),
    records=("umpire",),
    pictures=later("gyoji.games.umpire.frames"),
)
