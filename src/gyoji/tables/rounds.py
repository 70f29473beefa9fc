"""Tables of competitions of rounds: Swiss, knockout, ladder, stages; and each group of a contest.

How players stand is a table where a system has one, a bracket in a knockout, and the ranking in any other.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gyoji.core.setup import GameSettings
from gyoji.core.tables import (
    Block,
    Bracket,
    Column,
    Endings,
    Entry,
    Table,
    count,
    names,
    numbers,
    ranks,
    texts,
)
from gyoji.pairing.matches import Match, Part, Terms
from gyoji.pairing.rounds import Kind, Rounds, RoundsEvent, System
from gyoji.pairing.standings import Place, TieBreak
from gyoji.pairing.systems import THIRD_PLACE, Knockout, Stages, Swiss
from gyoji.tables.event import EventTables
from gyoji.tables.pairs import settings_line
from gyoji.tables.standings import titled

_HEADINGS: Mapping[TieBreak, str] = {
    "buchholz": "Buchholz",
    "median buchholz": "median",
    "sonneborn-berger": "Berger",
    "head to head": "direct",
    "wins": "won",
    "margin": "margin",
}
"""Of the tie-breaks that a table shows; a lot says nothing."""


class RoundsTables(EventTables[RoundsEvent[Kind]]):
    """How far it is and how the players stand; in the report all matches too."""

    def screen(self) -> Iterator[Block]:
        yield progress_line(self.event.rounds)
        yield ""
        yield from state(self.event.rounds)

    def body(self) -> Iterator[Block]:
        yield terms_line(self.event.setup.settings_as(GameSettings), self.event.system.terms)
        yield ""
        yield from self.screen()
        yield from round_blocks(self.event.rounds)
        yield ""
        yield from uncounted_lines(self.event.rounds.uncounted)

    def own_values(self, endings: Endings) -> dict[str, Any]:
        return rounds_values(self.event.rounds, endings)

    def tables(self) -> list[Table]:
        return [rounds_table(self.event.rounds, "")]


def rounds_table(rounds: Rounds, heading: str) -> Table:
    """The table of a system that has one, else the ranking. heading: of which part of it all, "" for all."""
    system = rounds.system
    columns = _places(system, rounds) if isinstance(system, Swiss | Stages) else _ranking(rounds)
    place = ranks(range(1, len(columns[0].values) + 1))
    return Table(name="standings", title=titled("Standings", heading), columns=(place, *columns))


def state(rounds: Rounds) -> Iterator[Block]:
    """How the players stand: the table, or the bracket with the match for the third place below it."""
    system = rounds.system
    if not isinstance(system, Knockout):
        yield rounds_table(rounds, "")
        return
    yield bracket(system, rounds.played)
    third = [match for matches in rounds.played for match in matches if match.fixture.note == THIRD_PLACE]
    if third:
        yield ""
        yield THIRD_PLACE
        yield match_table(third, system)


def progress_line(rounds: Rounds) -> str:
    """How many matches are over, and which round is played."""
    sizes = rounds.system.sizes
    over = sum(match.is_over for matches in rounds.played for match in matches)
    line = f"{over}/{sum(sizes)} matches over"
    return f"{line}, round {len(rounds.played)} of {len(sizes)}" if rounds.system.waits else line


def round_blocks(rounds: Rounds) -> Iterator[Block]:
    """Each round that has begun, with its matches, and who has no opponent."""
    byes = rounds.system.byes(rounds.played) if isinstance(rounds.system, Swiss) else ()
    for number, matches in enumerate(rounds.played):
        for note in dict.fromkeys(match.fixture.note for match in matches):
            yield ""
            yield note
            yield match_table([match for match in matches if match.fixture.note == note], rounds.system)
        if byes and byes[number]:
            yield f"{byes[number]} has no opponent"


def uncounted_lines(ids: Sequence[str]) -> list[str]:
    """The line about games that no match has."""
    return [f"not counted, of matches that no longer exist: {' '.join(ids)}"] if ids else []


def rounds_values(rounds: Rounds, endings: Endings) -> dict[str, Any]:
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
        found["standings"] = [_place_values(each, system.tie_breaks) for each in system.standings(played)]
    if isinstance(system, Swiss):
        found["byes"] = system.byes(played)
    if isinstance(system, Knockout):
        found["bracket"] = system.bracket(played)
    return found


def _places(system: Swiss | Stages, rounds: Rounds) -> list[Column]:
    """Player, matches, points, and what decides between equals."""
    places = system.standings(rounds.played)
    found = [
        names("player", [place.player for place in places]),
        numbers("matches", [place.played for place in places]),
        numbers("points", [place.points for place in places]),
    ]
    for index, name in enumerate(system.tie_breaks):
        if name in _HEADINGS:
            cells = [f"{place.breaks[index]:.2f}".rstrip("0").rstrip(".") for place in places]
            found.append(numbers(_HEADINGS[name], cells, about=name))
    return found


def _ranking(rounds: Rounds) -> list[Column]:
    """Player, where it began, and what it did; in the order of the ranking."""
    ranking = rounds.ranking
    began = {player: step for step, player in enumerate(rounds.system.players, 1)}
    totals = [rounds.cross.of(player).total for player in ranking]
    return [
        names("player", ranking),
        numbers("began", [began[player] for player in ranking]),
        numbers("games", [total.played for total in totals]),
        numbers("points", [total.points for total in totals]),
    ]


def _place_values(place: Place, tie_breaks: Sequence[TieBreak]) -> dict[str, Any]:
    return {
        "rank": place.rank,
        "player": place.player,
        "matches": place.played,
        "points": place.points,
        "tie_breaks": dict(zip(tie_breaks, place.breaks, strict=True)),
    }


# Brackets: seeds before the names, behind them what players took from their match, extra games apart


def bracket(system: Knockout, played: Sequence[Sequence[Match]]) -> Bracket:
    """Who comes into the second round without a match stands only there."""
    seeds = {player: seed for seed, player in enumerate(system.players, 1)}
    rounds = []
    for number, places in enumerate(system.bracket(played)):
        matches = {
            player: match
            for match in (played[number] if number < len(played) else ())
            if match.fixture.note != THIRD_PLACE
            for player in match.players
        }
        rounds.append([_entry(player, seeds, matches) for player in places])
    nobody = Entry("", "")
    pairs = zip(rounds[0][::2], rounds[0][1::2], strict=True)
    rounds[0] = [entry if lower.name else nobody for upper, lower in pairs for entry in (upper, lower)]
    return Bracket(tuple(map(tuple, rounds)))


def _entry(player: str | None, seeds: Mapping[str, int], matches: Mapping[str, Match]) -> Entry:
    if player is None:
        return Entry("", "")
    match = matches.get(player)
    return Entry(f"{seeds[player]} {player}", _took(match, match.players.index(player)) if match else "")


def _took(match: Match, index: int) -> str:
    """The score of one of the two, part by part: points or, where they decide, margins."""
    if match.terms.decided_by == "games":
        return " ".join(count(part.points[index]) for part in match.parts)
    return " ".join(f"{-part.margin if index else part.margin:+zg}" for part in match.parts)


# Matches


def terms_line(settings: GameSettings, terms: Terms) -> str:
    """The settings of the games, and what a match is."""
    games = "1 game" if terms.games == 1 else f"{terms.games} games"
    margin = ", decided by the sum of their margins" if terms.decided_by == "margin" else ""
    return "   ".join(filter(None, (settings_line(settings), f"matches: {games}{margin}")))


def match_table(matches: Sequence[Match], system: System) -> Table:
    """A row for each match."""
    return Table(
        columns=(
            texts("", [match.fixture.first for match in matches]),
            texts("", [score_text(match) for match in matches]),
            texts("", [match.fixture.second for match in matches], gap=3),
            texts("", [_state(match, system) for match in matches]),
        )
    )


def score_text(match: Match) -> str:
    """The score of a match: points, the margin where that decides; extra games by themselves."""
    return ", ".join(_part_text(part, match.terms) for part in match.parts if part.points != [0, 0]) or "-"


def match_values(match: Match, pairing: str, endings: Endings) -> dict[str, Any]:
    """A match as JSON-ready values."""
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
    """The remark on a match that is not over, or drawn, or without some of its games."""
    number = match.left_out
    left_out = f"{number} game{'s' * (number != 1)} set aside" if number else ""
    return ", ".join(filter(None, (_how(match, system), left_out)))


def _how(match: Match, system: System) -> str:
    if not match.is_over:
        return f"{match.played} played" if match.played else ""
    if match.winner is not None:
        return ""
    if isinstance(system, Knockout):
        return f"drawn, {system.winner(match)} is the higher seed"
    return "drawn"
