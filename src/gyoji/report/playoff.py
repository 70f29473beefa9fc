"""A playoff's reports: the tables on the screen, the whole report, and the same as values for JSON."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.competitions.playoff import MatchupStats, PlayerStats, Playoff, SeatStats
from gyoji.core.text import printable
from gyoji.core.wire import encode
from gyoji.report.matchup import block_lines, seat_names
from gyoji.report.numbers import wilson


def screen_lines(playoff: Playoff) -> Iterator[str]:
    """The blocks of the matchups that have results, with a blank line between two. No ghosts."""
    return _blocks(playoff, [matchup.id for matchup in playoff.matchups])


def report_lines(playoff: Playoff) -> list[str]:
    """The whole report: title, description, blocks, ghosts, and what the players say they are."""
    lines = [f"playoff: {playoff.setup.code}"]
    if playoff.setup.description:
        lines.append(playoff.setup.description)
    ids = [matchup.id for matchup in playoff.matchups]
    return [*lines, "", *_blocks(playoff, [*ids, *playoff.ghosts()]), "", *player_lines(playoff), ""]


def player_lines(playoff: Playoff) -> list[str]:
    """What each player's engine said of itself in its last game, by code; its line breaks are kept."""
    return [
        line
        for code, engine in sorted(playoff.engines.items())
        for line in _printable(f"player {code}: {engine.description or engine.name or code}")
    ]


def values(playoff: Playoff, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The tables as JSON-ready values. endings: by matchup id, how many games ended in which way."""
    setup = playoff.setup
    ids = [matchup.id for matchup in playoff.matchups]
    return {
        "competition": {
            "code": setup.code,
            "kind": "playoff",
            "game": setup.game,
            "description": setup.description,
        },
        "remaining": playoff.remaining(),
        "matchups": [
            _matchup(playoff.stats(name), endings.get(name, {})) for name in [*ids, *playoff.ghosts()]
        ],
        "players": {
            code: {"name": engine.name, "description": engine.description}
            for code, engine in sorted(playoff.engines.items())
        },
    }


def _blocks(playoff: Playoff, ids: list[str]) -> Iterator[str]:
    is_first = True
    for name in ids:
        stats = playoff.stats(name)
        if stats.total:
            if not is_first:
                yield ""
            is_first = False
            yield from block_lines(stats)


def _printable(text: str) -> list[str]:
    return [printable(line, 1000).rstrip() for line in text.splitlines()]


def _matchup(stats: MatchupStats, endings: Mapping[str, int]) -> dict[str, Any]:
    matchup = stats.matchup
    return {
        "id": stats.id,
        "name": stats.name,
        "in_control_file": matchup is not None,
        "settings": None
        if matchup is None
        else {
            "game": matchup.game,
            "options": encode(matchup.options),
            "clock": matchup.clock.describe(),
            "move_limit": matchup.move_limit,
            "scorer": matchup.scorer,
            "alternating": matchup.alternating,
            "number_of_games": matchup.number_of_games,
        },
        "played": stats.total,
        "unknown": stats.unknown,
        "endings": dict(sorted(endings.items())),
        "players": [_player(player, seat_names(matchup)) for player in stats.players],
    }


def _player(player: PlayerStats, names: tuple[str, ...]) -> dict[str, Any]:
    """score and its 95 % interval are of the games that somebody can say the result of."""
    total = _sum(player.seats)
    decided = total["wins"] + total["losses"] + total["level"]
    interval = wilson(total["points"], decided)
    return {
        "player": player.player,
        **total,
        "score": total["points"] / decided if decided else None,
        "interval_95": list(interval) if interval else None,
        "cpu_s": player.cpu_s,
        "seats": {name: _sum((seat,)) for name, seat in zip(names, player.seats, strict=False)},
    }


def _sum(seats: tuple[SeatStats, ...]) -> dict[str, Any]:
    return {
        "played": sum(seat.played for seat in seats),
        "points": sum(seat.points for seat in seats),
        "wins": sum(seat.wins for seat in seats),
        "losses": sum(seat.losses for seat in seats),
        "level": sum(seat.levels for seat in seats),
        "unknown": sum(seat.unknown for seat in seats),
        "forfeits": sum(seat.forfeits for seat in seats),
    }
