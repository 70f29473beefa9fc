"""The reports of formats that are rounds of matches: Swiss, knockout, ladder, stages; parts of a contest's.

How players stand is a table where a system has one, a bracket in a knockout, and the ranking in any other.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gyoji.pairing.cross import Cross
from gyoji.pairing.event import RoundsEvent
from gyoji.pairing.knockout import Knockout
from gyoji.pairing.rounds import Rounds, System
from gyoji.pairing.scoreboard import Place, TieBreak
from gyoji.pairing.stages import Stages
from gyoji.pairing.swiss import Swiss
from gyoji.report.bracket import bracket_lines
from gyoji.report.matches import match_lines, match_values, terms_line
from gyoji.report.numbers import count
from gyoji.report.parts import head_values, player_lines, title_lines
from gyoji.report.sheet import Column, Sheet
from gyoji.report.table import Align, Table

_HEADINGS: Mapping[TieBreak, str] = {
    "buchholz": "Buchholz",
    "median buchholz": "median",
    "sonneborn-berger": "Berger",
    "head to head": "direct",
    "wins": "won",
    "margin": "margin",
}
"""Of the tie-breaks that a table shows; a lot says nothing."""


def screen_lines(event: RoundsEvent[System]) -> Iterator[str]:
    """How far it is, and how the players stand."""
    yield progress_line(event.rounds)
    yield ""
    yield from state_lines(event.rounds)


def report_lines(event: RoundsEvent[System]) -> list[str]:
    """The whole report: title, description, settings, all matches, and what the players say they are."""
    return [
        *title_lines(event.setup),
        terms_line(event.setup.settings, event.system.terms),
        "",
        *screen_lines(event),
        *round_lines(event.rounds),
        "",
        *uncounted_lines(event.rounds.uncounted),
        *player_lines(event.engines),
        "",
    ]


def values(event: RoundsEvent[System], endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The tables as JSON-ready values. endings: by pairing, how many games ended in which way."""
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        **rounds_values(event.rounds, endings),
    }


def crosses(event: RoundsEvent[System]) -> dict[str, Cross]:
    """What cross tables are made of: one, without a heading."""
    return {"": event.rounds.cross}


def standing_sheets(event: RoundsEvent[System]) -> list[Sheet]:
    """Who is ahead, as a table of a report: one."""
    return [standing_sheet(event.rounds, "")]


def standing_sheet(rounds: Rounds, heading: str) -> Sheet:
    """The table of a system that has one, else the ranking. heading: of which part of it all, "" for all."""
    title = f"Standings: {heading}" if heading else "Standings"
    columns = _columns(rounds)
    ranks = tuple(str(rank) for rank, _ in enumerate(columns[0].cells, 1))
    return Sheet(name="standings", title=title, columns=(Column(heading="rank", cells=ranks), *columns))


def progress_line(rounds: Rounds) -> str:
    """How many matches are over, and which round is played."""
    sizes = rounds.system.sizes
    over = sum(match.is_over for matches in rounds.played for match in matches)
    line = f"{over}/{sum(sizes)} matches over"
    return f"{line}, round {len(rounds.played)} of {len(sizes)}" if rounds.system.waits else line


def state_lines(rounds: Rounds) -> list[str]:
    """How the players stand."""
    if isinstance(rounds.system, Knockout):
        return bracket_lines(rounds.system, rounds.played)
    return _lines(_columns(rounds))


def round_lines(rounds: Rounds) -> Iterator[str]:
    """Each round that has begun, with its matches, and who has no opponent."""
    byes = rounds.system.byes(rounds.played) if isinstance(rounds.system, Swiss) else ()
    for number, matches in enumerate(rounds.played):
        for note in dict.fromkeys(match.fixture.note for match in matches):
            yield ""
            yield note
            yield from match_lines([match for match in matches if match.fixture.note == note], rounds.system)
        if byes and byes[number]:
            yield f"{byes[number]} has no opponent"


def uncounted_lines(ids: Sequence[str]) -> list[str]:
    """What is said of games that no match has."""
    return [f"not counted, of matches that there are not: {' '.join(ids)}"] if ids else []


def rounds_values(rounds: Rounds, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The rounds as JSON-ready values, with what their system has: a table and byes, or a bracket."""
    system, played = rounds.system, rounds.played
    found: dict[str, Any] = {
        "seeds": list(system.players),
        "is_over": rounds.is_over,
        "ranking": list(rounds.ranking),
        "rounds": [
            [match_values(match, rounds.pairing(number, match), endings) for match in matches]
            for number, matches in enumerate(played)
        ],
        "not_counted": rounds.uncounted,
    }
    if isinstance(system, Swiss | Stages):
        found["standings"] = _place_values(system.standings(played), system.tie_breaks)
    if isinstance(system, Swiss):
        found["byes"] = system.byes(played)
    if isinstance(system, Knockout):
        found["bracket"] = system.bracket(played)
    return found


def _columns(rounds: Rounds) -> list[Column]:
    """The columns of the table, if there is one, or of the ranking."""
    if isinstance(rounds.system, Swiss | Stages):
        return _table_columns(rounds.system, rounds)
    return _ranking_columns(rounds)


def _table_columns(system: Swiss | Stages, rounds: Rounds) -> list[Column]:
    """Player, matches, points, and what decides between equals."""
    places = system.standings(rounds.played)
    found = [
        Column(heading="player", cells=tuple(place.player for place in places), is_text=True),
        Column(heading="matches", cells=tuple(str(place.played) for place in places)),
        Column(heading="points", cells=tuple(count(place.points) for place in places)),
    ]
    for index, name in enumerate(system.tie_breaks):
        if name in _HEADINGS:
            cells = (f"{place.breaks[index]:.2f}".rstrip("0").rstrip(".") for place in places)
            found.append(Column(heading=_HEADINGS[name], cells=tuple(cells), about=name))
    return found


def _ranking_columns(rounds: Rounds) -> list[Column]:
    """Player, where it began, and what it did; in the order of the ranking."""
    ranking = rounds.ranking
    began = {player: str(step) for step, player in enumerate(rounds.system.players, 1)}
    totals = [rounds.cross.of(player).total for player in ranking]
    return [
        Column(heading="player", cells=tuple(ranking), is_text=True),
        Column(heading="began", cells=tuple(began[player] for player in ranking)),
        Column(heading="games", cells=tuple(str(total.played) for total in totals)),
        Column(heading="points", cells=tuple(count(total.points) for total in totals)),
    ]


def _lines(columns: Sequence[Column]) -> list[str]:
    """Columns as text, from the first place to the last."""
    table = Table()
    table.column([f"{rank}." for rank, _ in enumerate(columns[0].cells, 1)], align=Align.RIGHT)
    for column in columns:
        if column.is_text:
            table.column(column.cells, padding=3)
        else:
            table.numbers(column.cells, heading=column.heading)
    return table.lines()


def _place_values(places: Sequence[Place], tie_breaks: Sequence[TieBreak]) -> list[dict[str, Any]]:
    return [
        {
            "rank": place.rank,
            "player": place.player,
            "matches": place.played,
            "points": place.points,
            "tie_breaks": dict(zip(tie_breaks, place.breaks, strict=True)),
        }
        for place in places
    ]
