"""The reader of tournament reports: FIDE's TRF of 2016 and 2026, with the extensions of JaVaFo and
bbpPairings.

`trf_lines` reads the lines. This module makes a `Report` of them and refuses contradictions.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gyoji.core.faults import ConfigError
from gyoji.core.text import quote
from gyoji.pairing.tournament import (
    Entry,
    Forbidden,
    Player,
    Result,
    Tournament,
    absence,
    with_baku_acceleration,
)
from gyoji.pairing.trf import Report
from gyoji.pairing.trf_lines import READERS, REFUSED, Draft, Mistake, PlayerLine, read_player

_LINES = re.compile(r"\r\n|\r|\n")


def read_trf(text: str, name: str) -> Report:
    """Return the report in a file.

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
    _check_scores(event, lines)
    return Report(
        tournament=event,
        numbers=tuple(line.number for line in lines) if draft.is_by_line else (),
        ranks=tuple(line.rank for line in lines) if all(line.rank for line in lines) else (),
        byes={number: told for number, told in byes.items() if number > played},
        lines=tuple(draft.lines),
    )


# A last column of byes alone belongs to the next round, unless all players have an entry in it.
def _played(entries: Sequence[Sequence[Entry]]) -> int:
    """Return how many rounds have been paired."""
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
    """Return a player with an entry for each paired round, and one more if it is absent from the
    next round.
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


# Programs differ in what they write: with or without virtual points, with or without a bye that is still to
# come.
def _check_scores(event: Tournament, lines: Sequence[PlayerLine]) -> None:
    """Refuse points that do not follow from the results."""
    for number, line in enumerate(lines):
        score, virtual = event.score(number), event.accelerated(number) - event.score(number)
        coming = sum(event.points.of(entry) for entry in event.players[number].entries[event.played :])
        possible = {score + more + bye for more in (0, virtual) for bye in (0, coming)}
        if line.points is not None and line.points not in possible:
            raise ConfigError(
                f"{line.where}: player {line.number} has {line.points / 10:g} points, expected "
                f"{score / 10:g} by its results"
            )
