"""Games with an umpire as an extension: the object that gyoji registers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gyoji.core.describe import ResultWords
from gyoji.core.game import Game
from gyoji.core.later import forwarding, later
from gyoji.games.umpire.game_options import Options
from gyoji.games.umpire.rules import rules

# An umpire ends every game; a limit of moves stops one that never does. Programs that are told nothing of the
# end are not waited for. Half a minute is enough for programs of beginners in any language.
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
