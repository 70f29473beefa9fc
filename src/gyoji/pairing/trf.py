"""A tournament report (FIDE's TRF, of 2016 and 2026): its value, and the file that it is written as.

A line begins with the number of what it tells; the rest stands in fixed columns. `trf_reader` reads files.

====  ==========================================================================================
001   a player: number, name, rating, points, rank; then of each round opponent, colour, result
142   how many rounds there are
152   the colour of the top seed in the first round
162   what results are worth, where that is not 1, ½ and 0
192   the pairing system
240   byes on request, in rounds that have not been paired
250   virtual points (acceleration)
260   players of whom no two may meet
====  ==========================================================================================

All other lines about the tournament are kept as they stand. A file says of a game who won, not what else it
brought: where a match of several games gives other points than a result does, the difference is written as
virtual points, so that whoever pairs by the file has the right score groups.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from types import MappingProxyType

from gyoji.core.faults import ConfigError
from gyoji.pairing.tournament import Entry, Kind, Points, Result, Tournament

MOST_PLAYERS = 9999
MOST_TENTHS = 999
"""The largest values that the columns of a file have room for."""

NAME_WIDTH = 33
DUTCH = "FIDE_DUTCH_2025"
COLOURS = "wb"
"""The colour of each seat."""

SYMBOLS: Mapping[tuple[Kind, Result], str] = MappingProxyType(
    {
        (Kind.GAME, Result.WIN): "1",
        (Kind.GAME, Result.DRAW): "=",
        (Kind.GAME, Result.LOSS): "0",
        (Kind.FORFEIT, Result.WIN): "+",
        (Kind.FORFEIT, Result.DRAW): "-",
        (Kind.FORFEIT, Result.LOSS): "-",
        (Kind.BYE, Result.WIN): "U",
        (Kind.ABSENCE, Result.WIN): "F",
        (Kind.ABSENCE, Result.DRAW): "H",
        (Kind.ABSENCE, Result.LOSS): "Z",
    }
)
"""The symbol of what a player had in a round."""

BYES: Mapping[str, Result] = MappingProxyType({"F": Result.WIN, "H": Result.DRAW, "Z": Result.LOSS})
"""The kinds of byes on request."""

_NONE: Mapping[int, Mapping[int, Result]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A tournament, and what a file says beside it.

    numbers   by which the file calls the players, in the order of the tournament; (): from 1 on.
    ranks     of the players, from 1; (): by their points, then by their numbers.
    byes      on request, with what they are worth, by round from 0 and by player: in the rounds to come.
    lines     other lines about the tournament, in order: number and text.
    """

    tournament: Tournament
    numbers: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    byes: Mapping[int, Mapping[int, Result]] = field(default_factory=lambda: _NONE)
    lines: tuple[tuple[str, str], ...] = ()

    def number(self, player: int) -> int:
        """The number by which the file calls a player."""
        return self.numbers[player] if self.numbers else player + 1


def write_trf(report: Report) -> str:
    """The file of a report. Raises ConfigError for what its columns have no room for."""
    if len(report.tournament.players) > MOST_PLAYERS:
        raise ConfigError(
            f"a tournament report has room for {MOST_PLAYERS} players, got {len(report.tournament.players)}"
        )
    event = _by_results(report.tournament)
    report = replace(report, tournament=event)
    ranks = report.ranks or _ranks(event)
    lines = (
        *(f"{code} {text}".rstrip() for code, text in report.lines),
        f"142 {event.rounds}",
        f"152 {COLOURS[event.top_seat].upper()}",
        *(("XXC rank",) if report.numbers else ()),
        *_points_lines(event.points),
        f"192 {DUTCH}",
        *(_player_line(report, number, rank) for number, rank in enumerate(ranks)),
        *_bye_lines(report),
        *_acceleration_lines(report),
        *_forbidden_lines(report),
    )
    return "".join(f"{line}\n" for line in lines)


def _ranks(event: Tournament) -> tuple[int, ...]:
    order = sorted(range(len(event.players)), key=lambda number: -event.score(number))
    ranks = {number: rank for rank, number in enumerate(order, 1)}
    return tuple(ranks[number] for number in range(len(order)))


def _player_line(report: Report, number: int, rank: int) -> str:
    event = report.tournament
    player = event.players[number]
    rating = player.rating if 0 < player.rating <= MOST_PLAYERS else ""
    rounds = "".join(_entry_text(report, entry) for entry in player.entries[: event.played])
    name = player.name[:NAME_WIDTH]
    start = f"001 {report.number(number):4}      {name:{NAME_WIDTH}} {rating:4}"
    return f"{start}{'':28}{_tenths(event.score(number))} {rank:4}{rounds}"


def _entry_text(report: Report, entry: Entry) -> str:
    symbol = SYMBOLS[entry.kind, entry.result]
    if entry.opponent is None:
        return f"  0000 - {symbol}"
    colour = "-" if entry.seat is None else COLOURS[entry.seat]
    return f"  {report.number(entry.opponent):4} {colour} {symbol}"


def _tenths(points: int) -> str:
    """Points in four columns. Raises ConfigError if they are too many."""
    if not 0 <= points <= MOST_TENTHS:
        raise ConfigError(
            f"a tournament report has room for 0 to {MOST_TENTHS / 10} points, got {points / 10:g}: a player "
            'has fewer of matches than of games (points = "matches")'
        )
    return f"{points / 10:4.1f}"


def _points_lines(points: Points) -> Iterator[str]:
    """The points of results, as far as that is not usual."""
    usual = Points(bye=points.win)
    cells = [
        f"{letter}{_tenths(getattr(points, name))}"
        for letter, name in (("W", "win"), ("D", "draw"), ("L", "loss"), ("P", "bye"))
        if getattr(points, name) != getattr(usual, name)
    ]
    if cells:
        yield f"162  {'    '.join(cells)}"
    for code, worth in (("BBZ", points.absence), ("BBF", points.forfeit_loss)):
        if worth:
            yield f"{code} {_tenths(worth)}"


def _bye_lines(report: Report) -> Iterator[str]:
    """The byes on request in the rounds to come."""
    event = report.tournament
    byes = {number: dict(told) for number, told in report.byes.items()}
    for number, player in enumerate(event.players):
        for entry in player.entries[event.played :]:
            byes.setdefault(event.played, {})[number] = entry.result
    for round_, told in sorted(byes.items()):
        for letter, result in BYES.items():
            players = sorted(number for number, worth in told.items() if worth is result)
            if players:
                yield f"240 {letter} {round_ + 1:03}{_numbers(report, players)}"


def _numbers(report: Report, players: Iterable[int]) -> str:
    return "".join(f" {report.number(number):4}" for number in players)


def _acceleration_lines(report: Report) -> Iterator[str]:
    """Virtual points: a line for each run of players with consecutive numbers, and of rounds with as many."""
    players = report.tournament.players
    numbers = sorted(range(len(players)), key=report.number)

    def kind(place: tuple[int, int]) -> tuple[int, tuple[int, ...]]:
        index, number = place
        return report.number(number) - index, players[number].acceleration

    for (_, virtual), group in groupby(enumerate(numbers), key=kind):
        run = [report.number(number) for _, number in group]
        since = 0
        for worth, rounds in groupby(virtual):
            until = since + len(list(rounds))
            if worth:
                yield f"250      {_tenths(worth)} {since + 1:03} {until:03} {run[0]:4} {run[-1]:4}"
            since = until


def _forbidden_lines(report: Report) -> Iterator[str]:
    for each in report.tournament.forbidden:
        until = report.tournament.rounds if each.until is None else each.until
        if each.since < until:
            yield f"260 {each.since + 1:03} {until:03}{_numbers(report, sorted(each.players))}"


def _by_results(event: Tournament) -> Tournament:
    """The tournament in which every entry has the points of its result, and the rest are virtual."""
    entries = [entry for player in event.players for entry in player.entries]
    if all(entry.points is None for entry in entries):
        return event
    points = replace(
        event.points,
        **{
            name: min([event.points.of(entry) for entry in entries if (entry.kind, entry.result) in kinds])
            for name, kinds in _WORTH.items()
            if any((entry.kind, entry.result) in kinds for entry in entries)
        },
    )
    players = []
    for number, player in enumerate(event.players):
        plain = tuple(replace(entry, points=None) for entry in player.entries)
        virtual = _virtual(event, number, [points.of(entry) for entry in plain])
        players.append(replace(player, entries=plain, acceleration=virtual))
    return replace(event, players=tuple(players), points=points)


_WORTH: Mapping[str, frozenset[tuple[Kind, Result]]] = MappingProxyType(
    {
        "win": frozenset((kind, Result.WIN) for kind in Kind if kind is not Kind.BYE),
        "draw": frozenset((kind, Result.DRAW) for kind in Kind),
        "loss": frozenset(((Kind.GAME, Result.LOSS),)),
        "forfeit_loss": frozenset(((Kind.FORFEIT, Result.LOSS),)),
        "bye": frozenset(((Kind.BYE, Result.WIN),)),
    }
)
"""The results whose points each field of `Points` has."""


def _virtual(event: Tournament, number: int, worth: Sequence[int]) -> tuple[int, ...]:
    """The virtual points of a player whose entries have these points in the file."""
    known = event.players[number].acceleration
    last = min(event.played + 1, event.rounds)
    virtual = [
        event.score(number, rounds) - sum(worth[:rounds]) + sum(known[rounds : rounds + 1])
        for rounds in range(last)
    ]
    return (*virtual, *known[last:])
