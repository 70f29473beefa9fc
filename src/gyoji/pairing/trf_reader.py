"""The reader of tournament reports: FIDE's TRF of 2016 and 2026, with the extensions of JaVaFo and
bbpPairings.

Each line is read into a `Draft`, from which `read_trf` makes a `Report`. Contradictions are refused, and so
are lines that would change the pairing but are not understood (`REFUSED`, and unknown codes XX.). The codes
of JaVaFo and bbpPairings from before 2026 are read as well:

==================  =====================================================
XXR                 142: the number of rounds
XXC white1, black1  152: the colour of the top seed
XXC rank            the order of the lines is that of the pairing numbers
XXA                 250: virtual points of a player, round by round
XXP                 260: players that may not meet each other
XXZ                 240: players who are absent from the next round
BBW, BBD, BBL       162: points of a win, a draw, a loss,
BBZ, BBF, BBU       of a missed round, a forfeit, a bye
==================  =====================================================
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from gyoji.core.faults import ConfigError
from gyoji.core.text import parse_whole, quote
from gyoji.pairing.tournament import (
    BYE,
    Entry,
    Forbidden,
    Kind,
    Player,
    Points,
    Result,
    Tournament,
    absence,
    with_baku_acceleration,
)
from gyoji.pairing.trf import BYES, COLOURS, MOST_PLAYERS, Report

MOST_ROUNDS = 999

_POINTS = re.compile(r"(\d{1,4})(?:\.(\d))?")
_FIRST_ROUND, _ROUND_WIDTH = 91, 10

REFUSED = MappingProxyType(
    {
        "013": "a report of teams",
        "310": "a report of teams",
        "299": "points that do not follow from results",
        "XXS": "points by colour",
    }
)
"""Codes of unsupported lines that would change the pairing, with a description for the message."""

_SYSTEMS = ("FIDE_DUTCH_2025", "FIDE_DUTCH", "FIDE_DUTCH_2025_BAKU", "FIDE_DUTCH_BAKU")

_ALONE: Mapping[str, Entry] = MappingProxyType(
    {
        "+": BYE,
        "U": BYE,
        "F": absence(Result.WIN),
        "H": absence(Result.DRAW),
        "=": absence(Result.DRAW),
        "Z": absence(),
        "-": absence(),
        " ": absence(),
    }
)
"""The entry for each result symbol of a player without an opponent."""

_PAIRED: Mapping[str, tuple[Kind, Result]] = MappingProxyType(
    {
        "+": (Kind.FORFEIT, Result.WIN),
        "-": (Kind.FORFEIT, Result.LOSS),
        "1": (Kind.GAME, Result.WIN),
        "W": (Kind.GAME, Result.WIN),
        "=": (Kind.GAME, Result.DRAW),
        "D": (Kind.GAME, Result.DRAW),
        "0": (Kind.GAME, Result.LOSS),
        "L": (Kind.GAME, Result.LOSS),
    }
)
"""The kind and result for each result symbol of a player with an opponent."""


class Mistake(Exception):
    """A line violates the format."""


@dataclass(slots=True)
class PlayerLine:
    """A player's line.

    Attributes:
        entries: The entries of its rounds. Opponents have the file's numbers.
    """

    where: str
    number: int
    name: str
    rating: int
    points: int | None
    rank: int
    entries: list[Entry]


@dataclass(slots=True)
class Draft:
    """The report as read so far. Rounds and players are numbered from 1, as in the file.

    Attributes:
        is_by_line: Whether the order of the lines is that of the pairing numbers.
        virtual: The virtual points of players, round by round.
        forbidden: Groups of players that may not meet, each with the first and the last round in which that
            holds; None for no last round.
        byes: Requested byes: the round, the player and the result. The round None is the next one.
        lines: All other lines, each as its code and its text.
    """

    players: dict[int, PlayerLine] = field(default_factory=dict)
    points: Points = field(default_factory=Points)
    has_bye_points: bool = False
    rounds: int | None = None
    first_seat: int | None = None
    is_by_line: bool = False
    is_baku: bool = False
    virtual: dict[int, list[int]] = field(default_factory=dict)
    forbidden: list[tuple[int, int | None, tuple[int, ...]]] = field(default_factory=list)
    byes: list[tuple[int | None, int, Result]] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)


def read_player(where: str, line: str) -> PlayerLine:
    """Read a line with code 001, which describes a player.

    Args:
        where: The place of the line in the file, for messages.
    """
    number = _whole(line[4:8], "a player's number", MOST_PLAYERS)
    rating = line[48:52].strip()
    entries = [
        _entry(line[start : start + 8].ljust(8), number)
        for start in range(_FIRST_ROUND, len(line.rstrip()), _ROUND_WIDTH)
    ]
    rank = line[85:89].strip()
    return PlayerLine(
        where=where,
        number=number,
        name=line[14:47].strip(),
        rating=_whole(rating, "a rating", MOST_PLAYERS, least=0) if rating else 0,
        points=_tenths(line[80:84], "points") if line[80:84].strip() else None,
        rank=parse_whole(rank) or 0,
        entries=entries,
    )


def _entry(text: str, number: int) -> Entry:
    """Read a player's entry of one round: opponent, colour and result, such as "  12 w 1".

    Args:
        number: The number of the player in the file.
    """
    told, colour, symbol = text[:4].strip(), text[5].lower(), text[7].upper()
    if text[4] != " " or text[6] != " " or colour not in "wb- ":
        raise Mistake(f'expected a round as "  12 w 1", got {quote(text)}')
    opponent = 0 if told in ("", "0000", "0") else _whole(told, "an opponent's number", MOST_PLAYERS)
    if opponent == number:
        raise Mistake(f"player {number} is its own opponent")
    if not opponent:
        if symbol not in _ALONE or colour in COLOURS:
            raise Mistake(f"expected a result of a round without an opponent, got {quote(text)}")
        return _ALONE[symbol]
    if symbol not in _PAIRED:
        raise Mistake(f"expected a result of a game, got {quote(text)}")
    kind, result = _PAIRED[symbol]
    seat = COLOURS.find(colour) if colour in COLOURS else None
    if kind is Kind.GAME and seat is None:
        raise Mistake(f"expected w or b of a game that was played, got {quote(text)}")
    return Entry(kind=kind, result=result, opponent=opponent, seat=seat)


def _whole(text: str, what: str, most: int, *, least: int = 1) -> int:
    told = text.strip()
    number = parse_whole(told, most=most)
    if number is None or number < least:
        raise Mistake(f"expected {what} from {least} to {most}, got {quote(told)}")
    return number


def _tenths(text: str, what: str) -> int:
    """Read a number of points as tenths of a point.

    Args:
        what: What the number is, for the message.
    """
    found = _POINTS.fullmatch(text.strip())
    if found is None:
        raise Mistake(f"expected {what} such as 11.5, got {quote(text.strip())}")
    return int(found[1]) * 10 + int(found[2] or 0)


def _cells(line: str, start: int, width: int = 5) -> list[str]:
    """Return cells of four characters each, from index `start` of a line to its end.

    Args:
        width: Number of characters from the start of a cell to the start of the next cell.
    """
    return [line[place : place + 4] for place in range(start, len(line.rstrip()), width)]


def _read_rounds(draft: Draft, line: str) -> None:
    draft.rounds = _whole(line[3:], "a number of rounds", MOST_ROUNDS)


def _read_colour(draft: Draft, line: str) -> None:
    told = line[4:].strip().lower()
    if told not in ("w", "b"):
        raise Mistake(f"expected W or B, got {quote(told)}")
    draft.first_seat = COLOURS.index(told)


def _read_choices(draft: Draft, line: str) -> None:
    """Read a line XXC: the colour of the top seed, or that players are numbered by line."""
    for word in line[3:].split():
        if word == "rank":
            draft.is_by_line = True
        elif word in ("white1", "black1"):
            draft.first_seat = int(word == "black1")
        else:
            raise Mistake(f"expected rank, white1 or black1, got {quote(word)}")


def _read_points(draft: Draft, line: str) -> None:
    """Read the points for a win, a draw, a bye and so on.

    A line BBW, BBD ... has one number. A line 162 has several: every nine columns a letter and its points.
    """
    if line.startswith("BB"):
        _set_points(draft, line[:3], _tenths(line[3:], "points"))
        return
    for place in range(5, len(line.rstrip()), 9):
        _set_points(draft, line[place].upper(), _tenths(line[place + 1 : place + 5], "points"))


_OF_LETTER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "W": ("win",),
        "D": ("draw",),
        "L": ("loss",),
        "A": ("absence", "forfeit_loss"),
        "Z": ("absence", "forfeit_loss"),
        "P": ("bye",),
        "BBW": ("win",),
        "BBD": ("draw",),
        "BBL": ("loss",),
        "BBZ": ("absence",),
        "BBF": ("forfeit_loss",),
        "BBU": ("bye",),
    }
)
"""The fields of `Points` that each letter sets."""


def _set_points(draft: Draft, letter: str, worth: int) -> None:
    if letter not in _OF_LETTER:
        raise Mistake(f"expected W, D, L, A or P before points, got {quote(letter)}")
    names = _OF_LETTER[letter]
    draft.has_bye_points = draft.has_bye_points or "bye" in names
    draft.points = replace(draft.points, **dict.fromkeys(names, worth))
    if "win" in names and not draft.has_bye_points:
        draft.points = replace(draft.points, bye=worth)


def _read_system(draft: Draft, line: str) -> None:
    told = line[4:].strip()
    if told not in _SYSTEMS:
        raise Mistake(f"expected a tournament paired by {' or '.join(_SYSTEMS)}, got {quote(told)}")
    draft.is_baku = told.endswith("_BAKU")


def _read_byes(draft: Draft, line: str) -> None:
    """Read a line 240: requested byes in a round."""
    if line[4:5].upper() not in BYES:
        raise Mistake(f"expected F, H or Z, got {quote(line[4:5])}")
    round_ = _whole(line[6:9], "a round", MOST_ROUNDS)
    draft.byes += [
        (round_, _whole(cell, "a player's number", MOST_PLAYERS), BYES[line[4].upper()])
        for cell in _cells(line, 10)
    ]


def _read_away(draft: Draft, line: str) -> None:
    """Read a line XXZ: the players that are absent from the next round."""
    draft.byes += [
        (None, _whole(word, "a player's number", MOST_PLAYERS), Result.LOSS) for word in line[3:].split()
    ]


def _read_virtual(draft: Draft, line: str) -> None:
    """Read a line 250: virtual points of players in some rounds."""
    if line[4:8].strip() and _tenths(line[4:8], "points"):
        raise Mistake("expected no points of matches, which are those of teams")
    worth = _tenths(line[9:13], "points")
    since, until = (_whole(line[place : place + 3], "a round", MOST_ROUNDS) for place in (14, 18))
    first, last = (_whole(line[place : place + 4], "a player's number", MOST_PLAYERS) for place in (22, 27))
    for number in range(first, last + 1):
        virtual = draft.virtual.setdefault(number, [])
        virtual += [0] * (until - len(virtual))
        virtual[since - 1 : until] = [worth] * (until - since + 1)


def _read_virtual_of_one(draft: Draft, line: str) -> None:
    """Read a line XXA: virtual points of one player.

    If a player has several such lines, each continues with the rounds after those of the line before.
    """
    number = _whole(line[4:8], "a player's number", MOST_PLAYERS)
    virtual = draft.virtual.setdefault(number, [])
    virtual += [_tenths(cell, "points") if cell.strip() else 0 for cell in _cells(line, 9)]


def _read_forbidden(draft: Draft, line: str) -> None:
    """Read a line 260 or XXP: players that may not meet each other."""
    since, until, cells = 1, None, line[3:].split()
    if line.startswith("260"):
        since, until = (_whole(line[place : place + 3], "a round", MOST_ROUNDS) for place in (4, 8))
        cells = _cells(line, 12)
    group = tuple(_whole(cell, "a player's number", MOST_PLAYERS) for cell in cells)
    draft.forbidden.append((since, until, group))


READERS: Mapping[str, Callable[[Draft, str], None]] = MappingProxyType(
    {
        "142": _read_rounds,
        "XXR": _read_rounds,
        "152": _read_colour,
        "XXC": _read_choices,
        "162": _read_points,
        **dict.fromkeys(("BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"), _read_points),
        "192": _read_system,
        "240": _read_byes,
        "XXZ": _read_away,
        "250": _read_virtual,
        "XXA": _read_virtual_of_one,
        "260": _read_forbidden,
        "XXP": _read_forbidden,
    }
)
"""The function that reads each kind of line, by the line's code."""


_LINES = re.compile(r"\r\n|\r|\n")


def read_trf(text: str, name: str) -> Report:
    """Read a report.

    Args:
        text: The content of the file.
        name: The file's name, for messages.

    Raises:
        ConfigError: The file breaks the format or contradicts itself.
    """
    draft = Draft()
    for number, line in enumerate(_LINES.split(text.removeprefix("\ufeff")), 1):
        where = f"{name}:{number}"
        code = line[:3]
        try:
            if code == "001":
                player = read_player(where, line)
                if player.number in draft.players:
                    raise Mistake(f"there are two players with the number {player.number}")
                draft.players[player.number] = player
            elif code in REFUSED:
                raise Mistake(f"{REFUSED[code]}, which is not understood")
            elif code in READERS:
                READERS[code](draft, line)
            elif code.startswith("XX"):
                raise Mistake(f"expected a line that is known, got {quote(code)}")
            elif code.strip() and code != "###":
                draft.lines.append((code, line[4:]))
        except Mistake as mistake:
            raise ConfigError(f"{where}: {mistake}") from None
    return _report(draft, name)


def _report(draft: Draft, name: str) -> Report:
    lines = list(draft.players.values())
    if not draft.is_by_line:
        lines.sort(key=lambda line: line.number)
        for number, line in enumerate(lines, 1):
            if line.number != number:
                text = f"expected player {number}, got {line.number}: one is missing"
                raise ConfigError(f"{line.where}: {text}")
    places = {line.number: index for index, line in enumerate(lines)}
    played = _played([line.entries for line in lines])
    rounds = played if draft.rounds is None else draft.rounds
    if played > rounds:
        raise ConfigError(
            f"{name}: expected at most {rounds} rounds, as its line 142 or XXR says, got {played}"
        )

    def place(number: int) -> int:
        if number not in places:
            raise ConfigError(f"{name}: there is no player {number}, whom a line 240, 260, XXP or XXZ names")
        return places[number]

    byes: dict[int, dict[int, Result]] = {}  # by round and player, from 0
    for round_, number, result in draft.byes:
        byes.setdefault(played if round_ is None else round_ - 1, {})[place(number)] = result
    players = tuple(_full(draft, line, places, played, byes.get(played, {})) for line in lines)
    try:
        event = Tournament(
            players=players,
            rounds=rounds,
            played=played,
            points=draft.points,
            forbidden=tuple(
                Forbidden(players=frozenset(map(place, group)), since=since - 1, until=until)
                for since, until, group in draft.forbidden
            ),
            first_seat=draft.first_seat,
        )
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from None
    if draft.is_baku and not draft.virtual:
        event = with_baku_acceleration(event)
    # Programs write a player's points with or without virtual points and the points of a future bye.
    for number, line in enumerate(lines):
        score, virtual = event.score(number), event.accelerated(number) - event.score(number)
        coming = sum(event.points.of(entry) for entry in event.players[number].entries[event.played :])
        possible = {score + more + bye for more in (0, virtual) for bye in (0, coming)}
        if line.points is not None and line.points not in possible:
            raise ConfigError(
                f"{line.where}: player {line.number} has {line.points / 10:g} points, expected "
                f"{score / 10:g} by its results"
            )
    return Report(
        tournament=event,
        numbers=tuple(line.number for line in lines) if draft.is_by_line else (),
        ranks=tuple(line.rank for line in lines) if all(line.rank for line in lines) else (),
        byes={number: told for number, told in byes.items() if number > played},
        lines=tuple(draft.lines),
    )


# A last column that has only byes is of the next round, unless all players have an entry in it.
def _played(entries: Sequence[Sequence[Entry]]) -> int:
    """Return how many rounds have been paired, given the entries of each player in the file."""
    played = 0
    for row in entries:
        paired = max((place for place, entry in enumerate(row, 1) if entry.is_paired), default=0)
        played = max(played, paired, len(row) - 1)
    is_told_of_all = bool(entries) and all(len(row) > played for row in entries)
    return played + is_told_of_all


def _full(
    draft: Draft,
    line: PlayerLine,
    places: Mapping[int, int],
    played: int,
    byes: Mapping[int, Result],
) -> Player:
    """Return the player that a line of the file describes.

    It has an entry for each round that has been paired, and one more if it is absent from the next round.

    Args:
        places: The index of each player, by its number in the file.
        played: How many rounds have been paired.
        byes: The results of the requested byes in the next round, by the index of the player.
    """
    entries = []
    for entry in line.entries[: played + 1]:
        if entry.opponent is not None and entry.opponent not in places:
            raise ConfigError(f"{line.where}: there is no player {entry.opponent}, its opponent")
        entries.append(entry if entry.opponent is None else replace(entry, opponent=places[entry.opponent]))
    entries += [absence()] * (played - len(entries))
    bye = byes.get(places[line.number])
    if len(entries) == played and bye is not None:
        entries.append(absence(bye))
    return Player(
        entries=tuple(entries),
        acceleration=tuple(draft.virtual.get(line.number, ())),
        name=line.name,
        rating=line.rating,
    )
