"""Which report a format of competition has, and what does not depend on the format.

The layout of format `x` is the module `gyoji.report.x`: `screen_lines`, `report_lines`, `values` and
`crosses` of the competition; and `history_lines`, if its history says something else than who beat whom, and
`standing_sheets`, if who is ahead is not a matter of the points of all games.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from gyoji.core.describe import describe_result
from gyoji.core.record import GameResult
from gyoji.pairing.cross import Cross
from gyoji.pairing.repeats import plain
from gyoji.report.sheet import Sheet


class Layout(Protocol):
    """How a competition of one format is shown."""

    @staticmethod
    def screen_lines(competition: Any) -> Iterator[str]:
        """The short report: tables only. Lazy: only the first lines may be wanted."""

    @staticmethod
    def report_lines(competition: Any) -> Iterable[str]:
        """The whole report."""

    @staticmethod
    def values(competition: Any, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
        """The tables as JSON-ready values. endings: by pairing, how many games ended in which way."""

    @staticmethod
    def crosses(competition: Any) -> Mapping[str, Cross]:
        """What cross tables are made of: by heading, "" for none, in the order they are shown in."""


def layout(kind: str) -> Layout:
    """The layout of competitions of that format."""
    return cast(Layout, import_module(f"gyoji.report.{kind}"))


def own_standings(kind: str, competition: Any) -> Sequence[Sheet]:
    """The tables that say who is ahead in a competition of that format; none where the points of games do."""
    own = getattr(layout(kind), "standing_sheets", None)
    return () if own is None else tuple(own(competition))


def history_lines(kind: str, competition: Any, result: GameResult) -> Iterable[str]:
    """What the history file says of a result that has just been added to a competition of that format."""
    own = getattr(layout(kind), "history_lines", None)
    lines: Iterable[str] = (history_line(result),) if own is None else own(competition, plain(result))
    return lines


def history_line(result: GameResult) -> str:
    """A result's line in the history file: its id right-aligned in 7, and what happened."""
    return f"{result.id:>7} {describe_result(result)}"
