"""The settings of a UCI player."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from gyoji.core.text import quote

_NONE: Mapping[str, str | int | bool] = MappingProxyType({})

_OURS = {
    "uci_chess960": "the variant of the game sets it",
    "ponder": "write go_ponder = true, which sets it",
}
"""The engine options that players cannot set, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one UCI player. Raises ValueError for values that cannot be sent in a line.

    Attributes:
        options: Values of the engine's options, by name, sent by `setoption`. Before the first game they are
            checked against the engine's declarations. `true` presses a button.
        nodes: Nodes to search for each move (`go nodes`); 0 omits it.
        depth: Depth to search for each move, in plies (`go depth`); 0 omits it.
        go_ponder: Whether the engine thinks on the opponent's time about the reply that it expects (`go
            ponder`).
        pv: What to do about a faulty principal variation, for example one with an illegal move: "normal"
            counts it in the report, with "strict" the engine loses.
        keep_lines: Regular expressions. For each, the last matching line before a move is kept with the move.
        score_side: The side whose advantage the engine's scores are: its "own", as the protocol demands, or
            "white".
    """

    options: Mapping[str, str | int | bool] = field(default_factory=lambda: _NONE)
    nodes: int = 0
    depth: int = 0
    go_ponder: bool = False
    pv: Literal["normal", "strict"] = "normal"
    keep_lines: tuple[str, ...] = ()
    score_side: Literal["own", "white"] = "own"

    def __post_init__(self) -> None:
        for pattern in self.keep_lines:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"keep_lines: {quote(pattern)} is no regular expression: {error}") from None
        for name in ("nodes", "depth"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        for name, value in self.options.items():
            if not name.isprintable() or not name.strip():
                raise ValueError(f"options: got the name {quote(name)}, expected printable characters")
            if (why := _OURS.get(name.lower())) is not None:
                raise ValueError(f"options.{name}: {why}")
            if not str(value).isprintable():
                raise ValueError(f"options.{name}: got {quote(str(value))}, expected printable characters")
