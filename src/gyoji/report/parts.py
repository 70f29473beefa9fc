"""What the reports of all formats have: a title, what the players say they are, the head of the values."""

from collections.abc import Mapping
from typing import Any

from gyoji.core.record import EngineReport
from gyoji.core.setup import CompetitionSetup
from gyoji.core.text import printable


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
