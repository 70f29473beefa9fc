"""The leagues of Gomocup as presets, which are settings under a name.

Sizes, rules and times are those on Gomocup's pages. If a league is played in groups, the final group has more
time and its own name here; renju has only the final group. Times include the start of the program, and
lateness of up to a second is tolerated. Each pair plays 12 openings twice, once with each side; each game has
a processor of its own. Programs come from strangers, so the sandbox is strict.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

Settings = Mapping[str, Any]


def _league(
    board_size: int, rule: str, main: str, move: str = "", *, games: int = 24, **more: Any
) -> Settings:
    """Return the settings of a league of Gomocup.

    Args:
        board_size: Points on a side.
        main: Time for all moves of a game.
        move: Time for one move; "" for no such limit.
        games: Games of each pair.
        more: Further settings.
    """
    clock = {"main": main, "margin": "1s", "from_start": True}
    if move:
        clock["move"] = move
    league = {"board_size": board_size, "rule": rule, "clock": MappingProxyType(clock), "sandbox": "strict"}
    return MappingProxyType({**league, "number_of_games": games, "rounds": games, **more})


_LIMITS: Settings = MappingProxyType({"max_memory": "350MB", "max_disk": "70MB", "ponder": False, "cores": 1})
_GROUP, _FINAL, _FAST = ("180s", "30s"), ("1000s", "300s"), ("120s", "5s")

PRESETS: Mapping[str, Settings] = MappingProxyType(
    {
        "gomocup-freestyle": _league(20, "freestyle", *_GROUP, **_LIMITS),
        "gomocup-freestyle-final": _league(20, "freestyle", *_FINAL, **_LIMITS),
        "gomocup-freestyle15": _league(15, "freestyle", *_GROUP, **_LIMITS),
        "gomocup-freestyle15-final": _league(15, "freestyle", *_FINAL, **_LIMITS),
        "gomocup-fastgame": _league(20, "freestyle", *_FAST, **_LIMITS),
        "gomocup-standard": _league(15, "standard", *_GROUP, **_LIMITS),
        "gomocup-standard-final": _league(15, "standard", *_FINAL, **_LIMITS),
        "gomocup-renju": _league(15, "renju", *_FINAL, draw_margin=25, **_LIMITS),  # level after 200 stones
        "gomocup-caro": _league(15, "caro", *_GROUP, **_LIMITS),
        "gomocup-caro-final": _league(15, "caro", *_FINAL, **_LIMITS),
        # Authors bring their own machines: there is no limit except the clock, and programs may ponder.
        "gomocup-unlimited": _league(15, "standard", "120m", games=2, swap2=True),
    }
)
