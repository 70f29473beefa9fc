"""Tournament reports: the value of a report, and the writer of FIDE's file format TRF (2016 and 2026).

A line begins with a code; the rest is in fixed columns. `trf_reader` reads files.

====  ==========================================================================================
001   a player: number, name, rating, points, rank; then opponent, colour and result of each round
142   the number of rounds
152   the colour of the top seed in the first round
162   the points of results other than 1, ½ and 0
192   the pairing system
240   requested byes in rounds that have not been paired
250   virtual points (acceleration)
260   players that may not meet each other
====  ==========================================================================================

All other lines about the tournament, except comments, are kept unchanged.
"""

# The format has only the result of a game. A match of several games may give other points than its result
# does: the difference is written as virtual points (`_by_results`), so that another program that pairs by the
# file finds the right score groups.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from types import MappingProxyType

from gyoji.core.faults import ConfigError
from gyoji.pairing.tournament import Kind, Points, Result, Tournament

MOST_PLAYERS = 9999
"""Largest player number that fits into the columns of a tournament report."""
MOST_TENTHS = 999
"""Largest number of points, in tenths, that fits into the columns of a tournament report."""

NAME_WIDTH = 33
DUTCH = "FIDE_DUTCH_2025"
COLOURS = "wb"
"""The letters in a tournament report for seat 0 (white) and seat 1 (black)."""

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
"""The symbol in a tournament report for each kind of entry and result."""

BYES: Mapping[str, Result] = MappingProxyType({"F": Result.WIN, "H": Result.DRAW, "Z": Result.LOSS})
"""The result whose points a requested bye gives, by the bye's letter in a tournament report."""

_NONE: Mapping[int, Mapping[int, Result]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A tournament and the other content of its report.

    Attributes:
        numbers: The number of each player in the file, in the order of the tournament. Empty: from 1 on.
        ranks: The rank of each player, from 1. Empty: by points, then by number.
        byes: Requested byes in rounds after the next one. For each round and player, both from 0, the result
            whose points the player gets. Byes in the next round are among the entries of the players.
        lines: Other lines about the tournament in order, each as its code and its text.
    """

    tournament: Tournament
    numbers: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    byes: Mapping[int, Mapping[int, Result]] = field(default_factory=lambda: _NONE)
    lines: tuple[tuple[str, str], ...] = ()

    def number(self, player: int) -> int:
        """Return a player's number in the file."""
        return self.numbers[player] if self.numbers else player + 1


def write_trf(report: Report) -> str:
    """Return the file of a report.

    Raises:
        ConfigError: The columns have no room for a value.
    """
    if len(report.tournament.players) > MOST_PLAYERS:
        raise ConfigError(
            f"a tournament report has room for {MOST_PLAYERS} players, got {len(report.tournament.players)}"
        )
    event = _by_results(report.tournament)
    report = replace(report, tournament=event)
    order = sorted(range(len(event.players)), key=lambda number: -event.score(number))
    ranks = report.ranks or [rank for _, rank in sorted(zip(order, range(1, len(order) + 1), strict=True))]
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
        *(
            f"260 {each.since + 1:03} {until:03}{_numbers(report, sorted(each.players))}"
            for each in event.forbidden
            if each.since < (until := event.rounds if each.until is None else each.until)
        ),
    )
    return "".join(f"{line}\n" for line in lines)


def _player_line(report: Report, number: int, rank: int) -> str:
    event = report.tournament
    player = event.players[number]
    rating = player.rating if 0 < player.rating <= MOST_PLAYERS else ""
    rounds = ""
    for entry in player.entries[: event.played]:
        opponent = " 0000" if entry.opponent is None else f" {report.number(entry.opponent):4}"
        colour = "-" if entry.seat is None else COLOURS[entry.seat]
        rounds += f" {opponent} {colour} {SYMBOLS[entry.kind, entry.result]}"
    name = player.name[:NAME_WIDTH]
    start = f"001 {report.number(number):4}      {name:{NAME_WIDTH}} {rating:4}"
    return f"{start}{'':28}{_tenths(event.score(number))} {rank:4}{rounds}"


def _tenths(points: int) -> str:
    """Return a number of tenths of a point as text of four characters, such as " 3.5".

    Raises:
        ConfigError: Four characters are too few for it.
    """
    if not 0 <= points <= MOST_TENTHS:
        raise ConfigError(
            f"a tournament report has room for 0 to {MOST_TENTHS / 10} points, got {points / 10:g}: a player "
            'has fewer of matches than of games (points = "matches")'
        )
    return f"{points / 10:4.1f}"


def _points_lines(points: Points) -> Iterator[str]:
    """Yield lines with the points of results, where they differ from the defaults."""
    defaults = Points(bye=points.win)
    cells = [
        f"{letter}{_tenths(getattr(points, name))}"
        for letter, name in (("W", "win"), ("D", "draw"), ("L", "loss"), ("P", "bye"))
        if getattr(points, name) != getattr(defaults, name)
    ]
    if cells:
        yield f"162  {'    '.join(cells)}"
    for code, worth in (("BBZ", points.absence), ("BBF", points.forfeit_loss)):
        if worth:
            yield f"{code} {_tenths(worth)}"


def _bye_lines(report: Report) -> Iterator[str]:
    """Yield one line for each future round and kind of requested bye, with the players that have requested
    it.
    """
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
    """Yield lines with the virtual points.

    Consecutive players and rounds with the same points share a line.
    """
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


def _by_results(event: Tournament) -> Tournament:
    """Return a copy of the tournament in which each entry gives just the points of its result.

    The file format demands that. A player whose entry gave other points gets virtual points for the
    difference.
    """
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
"""For each field of `Points` the entries whose points it gives."""


def _virtual(event: Tournament, number: int, worth: Sequence[int]) -> tuple[int, ...]:
    """Return virtual points by round that keep a player's scores if its entries give the points `worth`.

    Args:
        number: The player.
        worth: The points of each entry in the file, in tenths.
    """
    known = event.players[number].acceleration
    last = min(event.played + 1, event.rounds)
    virtual = [
        event.score(number, rounds) - sum(worth[:rounds]) + sum(known[rounds : rounds + 1])
        for rounds in range(last)
    ]
    return (*virtual, *known[last:])
