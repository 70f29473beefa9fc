"""Tables of competitions of rounds: Swiss, knockout, ladder, stages; and each group of a contest.

How players stand is a table where a system has one, a bracket in a knockout, and the ranking in any other.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gyoji.core.ports import offers
from gyoji.core.setup import GameSettings
from gyoji.core.tables import (
    Block,
    Column,
    Endings,
    Node,
    Part,
    Table,
    Tree,
    count,
    names,
    numbers,
    ranks,
    texts,
)
from gyoji.core.text import counted
from gyoji.pairing.matches import Match, Terms
from gyoji.pairing.matches import Part as MatchPart
from gyoji.pairing.rounds import Kind, Rounds, RoundsEvent, System
from gyoji.pairing.scoreboard import Place, TieBreak
from gyoji.pairing.systems import THIRD_PLACE, HasAbsences, HasBracket, HasByes, HasTable
from gyoji.tables.brief import MOST_NAMED, players_line
from gyoji.tables.event import EventTables, uncounted_lines
from gyoji.tables.pairs import settings_line
from gyoji.tables.standings import titled

_HEADINGS: Mapping[TieBreak, str] = {
    "buchholz": "Buchholz",
    "buchholz cut 1": "cut 1",
    "median buchholz": "median",
    "sonneborn-berger": "Berger",
    "head to head": "direct",
    "wins": "won",
    "margin": "margin",
}
"""Of the tie-breaks that a table shows; a lot says nothing."""


OF_NO_MATCH = "matches that no longer exist"
"""Whose games are not counted."""


class RoundsTables(EventTables[RoundsEvent[Kind]]):
    """How far it is and how the players stand; in the report all matches too."""

    def screen(self) -> Iterator[Block]:
        yield progress_line(self.event.rounds)
        yield ""
        yield from state(self.event.rounds)

    def brief(self) -> Iterator[str]:
        """How many matches are over, and who is ahead by the system's own ranking."""
        yield from brief_rounds(self.event.rounds)

    def body(self) -> Iterator[Block]:
        yield terms_line(self.event.setup.settings_as(GameSettings), self.event.system.terms)
        yield ""
        yield from self.screen()
        yield from round_blocks(self.event.rounds)
        yield ""
        yield from uncounted_lines(self.event.rounds.uncounted, OF_NO_MATCH)

    def own_values(self, endings: Endings) -> dict[str, Any]:
        return rounds_values(self.event.rounds, endings)

    def tables(self) -> list[Part]:
        return list(rounds_parts(self.event.rounds, ""))


def brief_rounds(rounds: Rounds, heading: str = "") -> Iterator[str]:
    """Two lines about rounds. heading: of which part of the competition, "" for all of it."""
    yield f"rounds{f' of {heading}' if heading else ''}: {progress_line(rounds)}"
    ranking = rounds.ranking
    yield players_line([rounds.cross.of(each) for each in ranking[:MOST_NAMED]], len(ranking), heading)


def rounds_parts(rounds: Rounds, heading: str) -> Iterator[Part]:
    """The table, and the bracket if there is one. heading: of which part of it all, "" for all."""
    yield rounds_table(rounds, heading)
    if offers(system := rounds.system, HasBracket):
        yield bracket(system, rounds, heading)


def rounds_table(rounds: Rounds, heading: str) -> Table:
    """The table of a system that has one, else the ranking."""
    system = rounds.system
    columns = _places(system, rounds) if offers(system, HasTable) else _ranking(rounds)
    return Table(name="standings", title=titled("Standings", heading), columns=tuple(columns))


def state(rounds: Rounds) -> Iterator[Block]:
    """How the players stand: the table, or the bracket with the match for the third place below it."""
    system = rounds.system
    if not offers(system, HasBracket):
        yield rounds_table(rounds, "")
        return
    yield bracket(system, rounds, "")
    third = [match for matches in rounds.played for match in matches if match.fixture.note == THIRD_PLACE]
    if third:
        yield ""
        yield THIRD_PLACE
        yield match_table(third, rounds.system)


def progress_line(rounds: Rounds) -> str:
    """How many matches are over, and which round is played."""
    played, sizes = rounds.played, rounds.system.sizes
    over = sum(match.is_over for matches in played for match in matches)
    line = f"{over}/{sum(map(len, played)) + sum(sizes[len(played) :])} matches over"
    return f"{line}, round {len(played)} of {len(sizes)}" if rounds.system.waits else line


def round_blocks(rounds: Rounds) -> Iterator[Block]:
    """Each round that has begun, with its matches, who has no opponent, and who is away."""
    system, played = rounds.system, rounds.played
    byes = system.byes(played) if offers(system, HasByes) else ()
    absences = system.absences(played) if offers(system, HasAbsences) else ()
    departures = system.departures(played) if offers(system, HasAbsences) else {}
    for number, matches in enumerate(played):
        for note in dict.fromkeys(match.fixture.note for match in matches):
            yield ""
            yield note
            yield match_table([match for match in matches if match.fixture.note == note], rounds.system)
        if byes and byes[number]:
            yield f"{byes[number]} has no opponent"
        if absences:
            yield from (_absence_text(*each) for each in absences[number].items())
        if number in departures:
            yield departures[number]


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
    if offers(system, HasTable):
        found["standings"] = [_place_values(each, system.tie_breaks) for each in system.standings(played)]
    if offers(system, HasByes):
        found["byes"] = system.byes(played)
    if offers(system, HasAbsences):
        found["absences"] = system.absences(played)
        found["departures"] = {str(number + 1): line for number, line in system.departures(played).items()}
    if offers(system, HasBracket):
        found["bracket"] = system.bracket(played)
    return found


def _places(system: HasTable, rounds: Rounds) -> list[Column]:
    """Rank, player, matches, points, and what decides between equals."""
    places = system.standings(rounds.played)
    found = [
        ranks(place.rank for place in places),
        names("player", [place.player for place in places]),
        numbers("matches", [place.played for place in places]),
        numbers("points", [place.points for place in places]),
    ]
    for index, name in enumerate(system.tie_breaks):
        if name in _HEADINGS:
            cells = [f"{place.breaks[index]:.2f}".rstrip("0").rstrip(".") for place in places]
            found.append(numbers(_HEADINGS[name], cells, about=name))
    return found


def _absence_text(player: str, points: float) -> str:
    return f"{player} does not play" + (f", and gets {count(points)}" if points else "")


def _ranking(rounds: Rounds) -> list[Column]:
    """Rank, player, where it began, and what it did; in the order of the ranking."""
    ranking = rounds.ranking
    began = {player: step for step, player in enumerate(rounds.system.players, 1)}
    totals = [rounds.cross.of(player).total for player in ranking]
    return [
        ranks(range(1, len(ranking) + 1)),
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


# Brackets


def bracket(system: HasBracket, rounds: Rounds, heading: str) -> Tree:
    """Who comes into the second round without a match stands only there."""
    seeds = {player: seed for seed, player in enumerate(rounds.system.players, 1)}
    places = system.bracket(rounds.played)
    matches = [
        {player: match for match in each if match.fixture.note != THIRD_PLACE for player in match.players}
        for each in rounds.played
    ]

    def node(number: int, index: int) -> Node:
        player = places[number][index]
        is_bye = number == 1 and places[0][2 * index + 1] is None
        pair = (2 * index, 2 * index + 1) if number and not is_bye else ()
        below = tuple(node(number - 1, each) for each in pair)
        if player is None:
            return Node(below=below)
        match = matches[number].get(player) if number < len(matches) else None
        score = _took(match, match.players.index(player)) if match else ""
        return Node(f"{seeds[player]} {player}", score, below)

    last = len(places) - 1
    return Tree(
        root=node(last, 0),
        rounds=(*(system.round_name(number) for number in range(last)), "winner"),
        title=titled("Bracket", heading),
        note="Before a name is its seed, behind it what it took from its match: extra games apart.",
    )


def _took(match: Match, index: int) -> str:
    """The score of one of the two, part by part: points or, where they decide, margins."""
    if match.terms.decided_by == "games":
        return " ".join(count(part.points[index]) for part in match.parts)
    return " ".join(f"{-part.margin if index else part.margin:+zg}" for part in match.parts)


# Matches


def terms_line(settings: GameSettings, terms: Terms) -> str:
    """The settings of the games, and what a match is."""
    games = counted(terms.games, "game")
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


def _part_text(part: MatchPart, terms: Terms) -> str:
    points = ":".join(map(count, part.points))
    if terms.decided_by == "games":
        return points
    wins = f", wins without margin {part.unmeasured:+}" if part.unmeasured else ""
    return f"{points} ({part.margin:+zg}{wins})"


def _state(match: Match, system: System) -> str:
    """The remark on a match that is not over, or drawn, or without some of its games."""
    number = match.left_out
    left_out = f"{counted(number, 'game')} set aside" if number else ""
    return ", ".join(filter(None, (_how(match, system), left_out)))


def _how(match: Match, system: System) -> str:
    if not match.is_over:
        return f"{match.played} played" if match.played else ""
    if match.winner is not None:
        return ""
    if offers(system, HasBracket):
        return f"drawn, {system.winner(match)} is the higher seed"
    return "drawn"
