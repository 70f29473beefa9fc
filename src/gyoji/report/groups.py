"""The reports of groups: the standings of each on the screen, their cross tables in the report."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.competitions.groups import Groups, Stage
from gyoji.pairing.cross import Cross
from gyoji.pairing.standings import standings
from gyoji.report.crosstable import table_lines
from gyoji.report.matchup import game_sides, pair_values, settings_line
from gyoji.report.parts import head_values, player_lines, title_lines
from gyoji.report.standings import standing_values, standings_lines


def screen_lines(event: Groups) -> Iterator[str]:
    """The standings of each group, the final first."""
    for number, stage in enumerate(event.stages):
        if number:
            yield ""
        yield heading(stage)
        if stage.robin:
            yield from standings_lines(standings(stage.robin.cross))
        yield from _promotion(stage)


def report_lines(event: Groups) -> list[str]:
    """The whole report: title, description, the groups, and what the players say they are."""
    lines = [*title_lines(event.setup), ""]
    names = game_sides(event.setup.game)
    for stage in event.stages:
        lines += [heading(stage), settings_line(stage.group)]
        if stage.robin:
            lines += table_lines(stage.robin.cross, names)
        lines += [*_promotion(stage), *_strays(stage.strays, "players that are not in this group"), ""]
    strays = _strays(event.strays, "groups that there are not")
    return [*lines, *strays, *player_lines(event.engines), ""]


def values(event: Groups, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The tables as JSON-ready values. endings: by pairing, how many games ended in which way."""
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        "groups": [_group(stage, event.setup.game, endings) for stage in event.stages],
    }


def crosses(event: Groups) -> dict[str, Cross]:
    """What cross tables are made of: one for each group that has begun."""
    return {stage.group.name: stage.robin.cross for stage in event.stages if stage.robin}


def heading(stage: Stage) -> str:
    """What the group is called, and how far it is."""
    if stage.robin:
        return f"{stage.group.name} ({stage.robin.played}/{stage.total} games)"
    awaited = [
        f"the best {feeder.promotes} of {feeder.group.name}" for feeder in stage.feeders if not feeder.is_over
    ]
    return f"{stage.group.name} waits for {', '.join(awaited)}"


def _promotion(stage: Stage) -> list[str]:
    """Who goes up, once that is certain."""
    return [f"promoted: {', '.join(stage.promoted)}"] if stage.promoted else []


def _strays(ids: set[str], whose: str) -> list[str]:
    """What is said of games that are not counted."""
    return [f"not counted, of {whose}: {' '.join(sorted(ids))}"] if ids else []


def _group(stage: Stage, game: str, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    return {
        "id": stage.group.id,
        "name": stage.group.name,
        "players": list(stage.players),
        "waits_for": [feeder.group.id for feeder in stage.feeders if not feeder.is_over],
        "played": stage.robin.played if stage.robin else 0,
        "total": stage.total,
        "is_over": stage.is_over,
        "promoted": list(stage.promoted),
        "not_counted": sorted(stage.strays),
        "standings": standing_values(standings(stage.robin.cross), game) if stage.robin else [],
        "matchups": [pair_values(stats, endings.get(stats.id, {})) for stats in stage.stats()],
    }
