"""Tables of competitions in rounds: Swiss, knockout, ladder, stages, and the groups of a contest.

The standings of a Swiss tournament and of stages have tie-breaks. All other systems have a ranking of the
players, a knockout also a bracket.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gyoji.core.setup import GameSettings
from gyoji.core.tables import (
    Block,
    Cell,
    Column,
    Node,
    Part,
    Style,
    Table,
    Tree,
    count,
    data,
    names,
    numbers,
    ranks,
    texts,
)
from gyoji.core.text import counted
from gyoji.pairing.rounds import Rounds, System
from gyoji.pairing.swiss import Swiss
from gyoji.pairing.systems import THIRD_PLACE, Knockout, Stages
from gyoji.results.matches import Match, Terms
from gyoji.results.matches import Part as MatchPart
from gyoji.results.scoreboard import TieBreak
from gyoji.tables.event_tables import MOST_NAMED, EventTables, players_line, uncounted_lines
from gyoji.tables.pair_tables import settings_line

_HEADINGS: Mapping[TieBreak, str] = {
    "buchholz": "Buchholz",
    "buchholz cut 1": "cut 1",
    "median buchholz": "median",
    "sonneborn-berger": "Berger",
    "head to head": "direct",
    "wins": "won",
    "margin": "margin",
}
"""Headings of the tie-breaks that standings show. They do not show drawn lots."""
OF_NO_MATCH = "matches that no longer exist"
"""Why some stored games are not counted: results have changed since, so that other matches were drawn."""


class RoundsTables(EventTables[Rounds]):
    """The report of a competition of rounds: progress, standings, and all matches."""

    def screen(self) -> Iterator[Block]:
        yield progress_line(self.event)
        yield ""
        yield from state(self.event)

    def summary(self) -> Iterator[str]:
        """Yield two lines: the number of matches that are over, and the best players by the system's
        ranking.
        """
        yield from rounds_summary(self.event)

    def body(self) -> Iterator[Block]:
        yield terms_line(self.event.setup.settings_as(GameSettings), self.event.system.terms)
        yield ""
        yield from self.screen()
        yield from round_blocks(self.event)
        yield ""
        yield from uncounted_lines(self.event.uncounted, OF_NO_MATCH)

    def facts(self) -> dict[str, Any]:
        return rounds_facts(self.event)

    def tables(self) -> list[Part]:
        return list(rounds_parts(self.event, ""))


def rounds_summary(rounds: Rounds, heading: str = "") -> Iterator[str]:
    """Yield two lines: the number of matches that are over, and the best players by the system's ranking.

    Args:
        rounds: The competition.
        heading: Name of a part of the competition; "" for the whole.
    """
    yield f"rounds{f' of {heading}' if heading else ''}: {progress_line(rounds)}"
    ranking = rounds.ranking
    yield players_line([rounds.cross.of(each) for each in ranking[:MOST_NAMED]], len(ranking), heading)


def rounds_parts(rounds: Rounds, heading: str) -> Iterator[Part]:
    """Yield the standings, the bracket of a knockout, and the table of all matches.

    Args:
        rounds: The competition.
        heading: Name of a part of the competition; "" for the whole.
    """
    yield rounds_table(rounds, heading)
    if isinstance(system := rounds.system, Knockout):
        yield bracket(system, rounds, heading)
    played = [(number, match) for number, matches in enumerate(rounds.played) for match in matches]
    yield matches_table(rounds, played, heading)


def rounds_table(rounds: Rounds, heading: str) -> Table:
    """Return the table of the players, the best first.

    For Swiss and stages these are the standings with points and tie-breaks. Other systems have a ranking.

    Args:
        rounds: The competition.
        heading: Name of a part of the competition; "" for the whole.
    """
    system = rounds.system
    columns = _places(system, rounds) if isinstance(system, Swiss | Stages) else _ranking(rounds)
    return Table(name="standings", part=heading, title="Standings", columns=tuple(columns))


def state(rounds: Rounds) -> Iterator[Block]:
    """Yield the current standings. A knockout has its bracket instead, and the match for the third place."""
    system = rounds.system
    # A bracket says who is ahead better than a ranking, and has no room for the match for the third
    # place.
    if not isinstance(system, Knockout):
        yield rounds_table(rounds, "")
        return
    yield bracket(system, rounds, "")
    third = [
        (number, match)
        for number, matches in enumerate(rounds.played)
        for match in matches
        if match.fixture.note == THIRD_PLACE
    ]
    if third:
        yield ""
        yield _short(matches_table(rounds, third), THIRD_PLACE)


def progress_line(rounds: Rounds) -> str:
    """Return a line with the number of matches that are over, and the current round ("round 2 of 5").

    The round is left out in a system whose rounds do not wait for each other.
    """
    played, sizes = rounds.played, rounds.system.sizes
    over = sum(match.is_over for matches in played for match in matches)
    line = f"{over}/{sum(map(len, played)) + sum(sizes[len(played) :])} matches over"
    return f"{line}, round {len(played)} of {len(sizes)}" if rounds.system.waits else line


def round_blocks(rounds: Rounds) -> Iterator[Block]:
    """Yield the text of each round that has begun.

    It has the matches, the player with a bye, the absent players, and how a Swiss round departs from the
    rules.
    """
    system, played = rounds.system, rounds.played
    byes = system.byes(played) if isinstance(system, Swiss) else ()
    absences = system.absences(played) if isinstance(system, Swiss) else ()
    departures = system.departures(played) if isinstance(system, Swiss) else {}
    for number, matches in enumerate(played):
        # A round of a knockout has matches of two kinds: the final, and the match for the third
        # place.
        for note in dict.fromkeys(match.fixture.note for match in matches):
            found = [(number, match) for match in matches if match.fixture.note == note]
            yield ""
            yield _short(matches_table(rounds, found), note)
        if byes and byes[number]:
            yield f"{byes[number]} has no opponent"
        if absences:
            for player, points in absences[number].items():
                yield f"{player} does not play" + (f", and gets {count(points)}" if points else "")
        if number in departures:
            yield departures[number]


def rounds_facts(rounds: Rounds) -> dict[str, Any]:
    """Return the values of a competition in rounds that no table has, by key, for JSON."""
    system, played = rounds.system, rounds.played
    found: dict[str, Any] = {
        "seeds": system.players,
        "is_over": rounds.is_over,
        "ranking": rounds.ranking,
        "not_counted": rounds.uncounted,
    }
    if isinstance(system, Swiss):
        found["byes"] = system.byes(played)
        found["absences"] = system.absences(played)
        found["departures"] = {str(number + 1): line for number, line in system.departures(played).items()}
    if isinstance(system, Knockout):
        found["bracket"] = system.bracket(played)
    return found


def _places(system: Swiss | Stages, rounds: Rounds) -> list[Column]:
    """Return the columns of standings with tie-breaks: rank, player, matches, points, and the tie-breaks."""
    places = system.standings(rounds.played)
    found = [
        ranks(place.rank for place in places),
        names("player", [place.player for place in places]),
        numbers("matches", [place.played for place in places]),
        numbers("points", [place.points for place in places]),
    ]
    for index, name in enumerate(system.tie_breaks):
        if name in _HEADINGS:
            cells = [
                Cell(f"{place.breaks[index]:.2f}".rstrip("0").rstrip("."), place.breaks[index])
                for place in places
            ]
            found.append(numbers(_HEADINGS[name], cells, key=name.replace(" ", "_"), about=name))
    return found


def _ranking(rounds: Rounds) -> list[Column]:
    """Return the columns of a ranking: rank, player, rank at the start, games, and points."""
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


# Brackets


def bracket(system: Knockout, rounds: Rounds, heading: str) -> Tree:
    """Return the bracket of a knockout. A player with a bye in the first round appears only in the second.

    Args:
        system: The knockout.
        rounds: The competition, with the matches of the knockout.
        heading: Name of a part of the competition; "" for the whole.
    """
    seeds = {player: seed for seed, player in enumerate(rounds.system.players, 1)}
    places = system.bracket(rounds.played)
    matches = [
        {player: match for match in each if match.fixture.note != THIRD_PLACE for player in match.players}
        for each in rounds.played
    ]

    def node(number: int, index: int) -> Node:
        player = places[number][index]
        # A bye leaves the place below empty: the player is shown where its first match is.
        is_bye = number == 1 and places[0][2 * index + 1] is None
        pair = (2 * index, 2 * index + 1) if number and not is_bye else ()
        below = tuple(node(number - 1, each) for each in pair)
        if player is None:
            return Node(below=below)
        match = matches[number].get(player) if number < len(matches) else None
        has_begun = match is not None and any(part.finished for part in match.parts)
        score = _took(match, match.players.index(player)) if match and has_begun else ""
        has_won = match is not None and system.winner(match) == player
        return Node(f"{seeds[player]} {player}", score, below, has_won)

    last = len(places) - 1
    return Tree(
        root=node(last, 0),
        rounds=(*(system.round_name(number) for number in range(last)), "winner"),
        part=heading,
        title="Bracket",
        note=_bracket_note(system.terms),
    )


def _bracket_note(terms: Terms) -> str:
    """Return what the numbers of a bracket mean."""
    if terms.decided_by == "margin":
        points = "the sum of its margins in that match"
    else:
        points = "its points in that match: 1 for a game won, 0.5 for one drawn"
    return f"Before a name is its seed, after or below it are {points}. A second number is from extra games."


def _took(match: Match, index: int) -> str:
    """Return the score of player `index` (0 or 1) of a match: points, or a sum of margins if margins decide
    matches.

    If the match had extra games after a draw, their score follows as a second number.
    """
    if match.terms.decided_by == "games":
        return " ".join(count(part.points[index]) for part in match.parts)
    return " ".join(f"{-part.margin if index else part.margin:+zg}" for part in match.parts)


# Matches


def terms_line(settings: GameSettings, terms: Terms) -> str:
    """Return a line with the settings of the games and the number of games of a match."""
    games = counted(terms.games, "game")
    margin = ", decided by the sum of their margins" if terms.decided_by == "margin" else ""
    return "   ".join(filter(None, (settings_line(settings), f"matches: {games}{margin}")))


def matches_table(rounds: Rounds, found: Sequence[tuple[int, Match]], heading: str = "") -> Table:
    """Return the table of some matches, a row for each.

    Args:
        rounds: The competition.
        found: The matches, each with the number of its round from 0.
        heading: Name of a part of the competition; "" for the whole.
    """
    matches = [match for _, match in found]
    return Table(
        name="matches",
        part=heading,
        title="Matches",
        columns=(
            numbers("round", [number + 1 for number, _ in found]),
            texts("match", [match.fixture.note for match in matches], key="name"),
            texts("first", [match.fixture.first for match in matches]),
            texts("score", [Cell(score_text(match), match.points) for match in matches], key="points"),
            texts("second", [match.fixture.second for match in matches], gap=3),
            texts("state", [_state(match, rounds.system) for match in matches]),
            data("id", [rounds.pairing(number, match) for number, match in found]),
            data("margin", [match.margin for match in matches]),
            data("parts", [[_part(part) for part in match.parts] for match in matches]),
            data("played", [match.played for match in matches]),
            data("skipped", [match.left_out for match in matches]),
            data("is_over", [match.is_over for match in matches]),
            data(
                "winner", [None if match.winner is None else match.players[match.winner] for match in matches]
            ),
        ),
    )


def _part(part: MatchPart) -> dict[str, Any]:
    return {"points": part.points, "margin": part.margin, "wins_without_margin": part.unmeasured}


def _short(table: Table, lead: str) -> Table:
    """Return a table of matches for a text report: only players, score and state, below the line `lead`."""
    return table.only("first", "points", "second", "state", lead=lead, style=Style.BARE)


def score_text(match: Match) -> str:
    """Return the score of a match, such as "2:0", or "-" before the first result.

    If the sum of margins decides the match, it stands behind the score. If the match had extra games after a
    draw, their score follows after a comma.
    """
    return ", ".join(_part_text(part, match.terms) for part in match.parts if part.points != [0, 0]) or "-"


def _part_text(part: MatchPart, terms: Terms) -> str:
    points = ":".join(map(count, part.points))
    if terms.decided_by == "games":
        return points
    wins = f", wins without margin {part.unmeasured:+}" if part.unmeasured else ""
    return f"{points} ({part.margin:+zg}{wins})"


def _state(match: Match, system: System) -> str:
    """Return the remarks about a match as one text; "" if there are none.

    For a match in progress, the text says how many games were played. For a drawn match it says "drawn"; in a
    knockout it also names the higher seed, which goes on. If games were skipped, it says how many.
    """
    remarks = []
    if not match.is_over and match.played:
        remarks.append(f"{match.played} played")
    elif match.is_over and match.winner is None:
        seed = f", {system.winner(match)} is the higher seed" if isinstance(system, Knockout) else ""
        remarks.append(f"drawn{seed}")
    if match.left_out:
        remarks.append(f"{counted(match.left_out, 'game')} skipped")
    return ", ".join(remarks)
