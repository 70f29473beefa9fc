"""What all competitions show: a title, what the players say they are, the head of the values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from gyoji.core.describe import describe_result
from gyoji.core.plugins import FORMATS
from gyoji.core.ports import Competition
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Block, Chart, Endings, Table, Tables
from gyoji.core.text import printable


class Shown(Protocol):
    """A competition of which something can be shown."""

    @property
    def setup(self) -> CompetitionSetup: ...

    @property
    def engines(self) -> Mapping[str, EngineReport]: ...

    def remaining(self) -> int | None: ...


Event = TypeVar("Event", bound=Shown)


def tables_of(setup: CompetitionSetup, competition: Competition) -> Tables:
    """What a competition of that setup shows."""
    return FORMATS.find(setup.kind).tables(competition)


class EventTables(Generic[Event]):
    """See `gyoji.core.tables.Tables`. A format overrides `screen`, and what else is not the usual."""

    def __init__(self, event: Event) -> None:
        self.event = event

    def screen(self) -> Iterable[Block]:
        """The short report."""
        raise NotImplementedError

    def report(self) -> Iterator[Block]:
        """Title, description, body, and what the players say they are."""
        yield from title_lines(self.event.setup)
        yield from self.body()
        yield from player_lines(self.event.engines)
        yield ""

    def body(self) -> Iterator[Block]:
        """What the report has between its title and its players."""
        yield ""
        yield from self.screen()
        yield ""

    def values(self, endings: Endings) -> dict[str, Any]:
        """The head, and the format's own values."""
        event = self.event
        return head_values(event.setup, event.remaining(), event.engines) | self.own_values(endings)

    def own_values(self, endings: Endings) -> dict[str, Any]:
        """What only this format has to tell, JSON-ready."""
        return {}

    def tables(self) -> Sequence[Table]:
        """None: the points of all games say who is ahead."""
        return ()

    def charts(self) -> Sequence[Chart]:
        """None."""
        return ()

    def history(self, result: GameResult) -> Iterable[str]:
        """Who beat whom."""
        return (history_line(result),)


def history_line(result: GameResult) -> str:
    """A result's line in the history file: its id right-aligned in 7, and what happened."""
    return f"{result.id:>7} {describe_result(result)}"


def title_lines(setup: CompetitionSetup) -> list[str]:
    """The first lines of a report: format, code, and the description if there is one."""
    lines = [f"{setup.kind}: {setup.code}"]
    return [*lines, setup.description] if setup.description else lines


def player_lines(engines: Mapping[str, EngineReport]) -> list[str]:
    """What each player's engine said of itself, by code; its line breaks are kept."""
    return [
        printable(line, 1000).rstrip()
        for code, engine in sorted(engines.items())
        for line in f"player {code}: {engine.description or engine.name or code}".splitlines()
    ]


def head_values(
    setup: CompetitionSetup, remaining: int | None, engines: Mapping[str, EngineReport]
) -> dict[str, Any]:
    """What every competition's values say: which it is, how much is left, what its players are."""
    return {
        "competition": {
            "code": setup.code,
            "kind": setup.kind,
            "game": setup.game,
            "description": setup.description,
        },
        "remaining": remaining,
        "players": {
            code: {"name": engine.name, "description": engine.description}
            for code, engine in sorted(engines.items())
        },
    }


def played_line(played: int, total: int | None) -> str:
    """How many games have results, of how many."""
    return f"{played}{'' if total is None else f'/{total}'} games played"
