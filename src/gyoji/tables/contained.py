"""What is told of how engines were contained: by level, and by what was missing of it."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.core.record import EngineReport
from gyoji.core.tables import Table, texts
from gyoji.core.text import printable

Engines = Mapping[str, EngineReport]


def contained_lines(engines: Engines) -> list[str]:
    """One line of who was contained how; nothing where nobody knows."""
    told = "; ".join(f"{how}: {', '.join(players)}" for how, players in by_containment(engines).items())
    return [printable(f"containment: {told}", 1000)] if told else []


def contained_part(engines: Engines) -> list[str]:
    """The same as a part of something longer: after a blank line, if there is any."""
    lines = contained_lines(engines)
    return ["", *lines] if lines else []


def contained_values(engines: Engines) -> dict[str, Any]:
    """The same as JSON-ready values: the players by how they were contained."""
    return {"containment": by_containment(engines)}


def contained_tables(engines: Engines) -> Iterator[Table]:
    """The same as a table, if it is not empty."""
    if found := by_containment(engines):
        players = tuple(", ".join(each) for each in found.values())
        yield Table(
            name="containment",
            title="Containment",
            note="What kept engines from everything but their game, and which layers this machine lacked.",
            columns=(
                texts("containment", found),
                texts("players", players),
            ),
        )


def by_containment(engines: Engines) -> dict[str, list[str]]:
    """Players by how the engine was contained that is told of."""
    found: dict[str, list[str]] = {}
    for code, engine in sorted(engines.items()):
        if engine.containment:
            found.setdefault(engine.containment, []).append(code)
    return found
