"""Matches in words and as values: who met whom, what came of it, and whether it goes on."""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.core.setup import GameSettings
from gyoji.pairing.knockout import Knockout
from gyoji.pairing.matches import Match, Part, Terms
from gyoji.pairing.rounds import System
from gyoji.report.matchup import settings_line
from gyoji.report.numbers import count
from gyoji.report.table import Table


def terms_line(settings: GameSettings, terms: Terms) -> str:
    """The settings of the games, and what a match is."""
    games = "1 game" if terms.games == 1 else f"{terms.games} games"
    margin = ", decided by the sum of their margins" if terms.decided_by == "margin" else ""
    return "   ".join(filter(None, (settings_line(settings), f"matches: {games}{margin}")))


def match_lines(matches: Sequence[Match], system: System) -> list[str]:
    """A line for each match."""
    table = Table()
    table.column([match.fixture.first for match in matches], padding=2)
    table.column([score_text(match) for match in matches], padding=2)
    table.column([match.fixture.second for match in matches], padding=3)
    table.column([_state(match, system) for match in matches])
    return table.lines()


def score_text(match: Match) -> str:
    """What the two took from a match: points, the margin where that decides; extra games by themselves."""
    return ", ".join(_part_text(part, match.terms) for part in match.parts if part.points != [0, 0]) or "-"


def match_values(match: Match, pairing: str, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """A match as JSON-ready values. endings: by pairing, how many games ended in which way."""
    return {
        "id": pairing,
        "name": match.fixture.note,
        "players": list(match.players),
        "points": list(match.points),
        "margin": match.margin,
        "parts": [
            {"points": list(part.points), "margin": part.margin, "wins_without_margin": part.unmeasured}
            for part in match.parts
        ],
        "played": match.played,
        "set_aside": match.left_out,
        "endings": dict(sorted(endings.get(pairing, {}).items())),
        "is_over": match.is_over,
        "winner": None if match.winner is None else match.players[match.winner],
    }


def _part_text(part: Part, terms: Terms) -> str:
    points = ":".join(map(count, part.points))
    if terms.decided_by == "games":
        return points
    wins = f", wins without margin {part.unmeasured:+}" if part.unmeasured else ""
    return f"{points} ({part.margin:+zg}{wins})"


def _state(match: Match, system: System) -> str:
    """What there is to say of a match that is not over, or drawn, or without some of its games."""
    return ", ".join(filter(None, (_how(match, system), _left_out(match))))


def _left_out(match: Match) -> str:
    number = match.left_out
    return f"{number} game{'s' * (number != 1)} set aside" if number else ""


def _how(match: Match, system: System) -> str:
    if not match.is_over:
        return f"{match.played} played" if match.played else ""
    if match.winner is not None:
        return ""
    if isinstance(system, Knockout):
        return f"drawn, {system.winner(match)} is the higher seed"
    return "drawn"
