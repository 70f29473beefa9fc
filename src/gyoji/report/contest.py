"""A contest's reports: the table or the bracket of each group; in the report all matches too."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.competitions.contest import Contest, Leg
from gyoji.pairing.cross import Cross
from gyoji.report import rounds as shared
from gyoji.report.matches import terms_line
from gyoji.report.parts import head_values, player_lines, title_lines
from gyoji.report.sheet import Sheet


def screen_lines(event: Contest) -> Iterator[str]:
    """The tables and brackets of the phases that have begun, the last one first."""
    for number, leg in enumerate(leg for leg in reversed(event.legs) if leg.groups):
        if number:
            yield ""
        yield from _leg_lines(leg, with_matches=False)


def report_lines(event: Contest) -> Iterator[str]:
    """The whole report: title, description, the phases in order, and what the players say they are."""
    yield from title_lines(event.setup)
    for leg in event.legs:
        yield ""
        if leg.groups:
            yield terms_line(leg.phase, next(iter(leg.groups.values())).system.terms)
            yield from _leg_lines(leg, with_matches=True)
            yield from shared.uncounted_lines(leg.uncounted)
        else:
            yield f"{leg.phase.name} waits for the phase before it"
    yield ""
    yield from shared.uncounted_lines(sorted(event.uncounted))
    yield from player_lines(event.engines)
    yield ""


def values(event: Contest, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The tables as JSON-ready values. endings: by pairing, how many games ended in which way."""
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        "phases": [
            {
                "id": leg.phase.id,
                "name": leg.phase.name,
                "is_over": leg.is_over,
                "advancing": leg.advancing,
                "groups": [shared.rounds_values(rounds, endings) for rounds in leg.groups.values()],
                "not_counted": leg.uncounted,
            }
            for leg in event.legs
        ],
        "not_counted": sorted(event.uncounted),
    }


def standing_sheets(event: Contest) -> list[Sheet]:
    """Who is ahead in each group of the phases that have begun, the last one first."""
    return [
        shared.standing_sheet(rounds, _heading(leg, name))
        for leg in reversed(event.legs)
        for name, rounds in leg.groups.items()
    ]


def crosses(event: Contest) -> dict[str, Cross]:
    """What cross tables are made of: one for each group of the phases that have begun."""
    return {_heading(leg, name): rounds.cross for leg in event.legs for name, rounds in leg.groups.items()}


def _heading(leg: Leg, group: str) -> str:
    """What a group is called."""
    return f"{leg.phase.name}, {group}" if group else leg.phase.name


def _leg_lines(leg: Leg, *, with_matches: bool) -> Iterator[str]:
    """How each group of a phase stands, and who goes on."""
    for number, (name, rounds) in enumerate(leg.groups.items()):
        if number:
            yield ""
        yield f"{_heading(leg, name)}: {shared.progress_line(rounds)}"
        yield ""
        yield from shared.state_lines(rounds)
        if with_matches:
            yield from shared.round_lines(rounds)
    if leg.advancing:
        yield ""
        yield f"go on: {', '.join(leg.advancing)}"
