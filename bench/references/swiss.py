"""Rounds of Swiss tournaments beside those of bbpPairings, from the same tournament reports.

The tournaments are simulated and kept, with what bbpPairings said: it paired each round, so a round is
compared in a tournament that it has paired until then. Pairs, bye, seats and their order are compared, and
whether there is a pairing by the rules at all.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory

from bench.references.comparison import KEPT, Program, Row, Tools
from gyoji.pairing.fide import pair
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
from gyoji.pairing.trf import Report, write_trf
from gyoji.pairing.trf_reader import read_trf

PROGRAMS = (Program("bbppairings", "bbpPairings.exe", "bbpPairings 6 (Bierema Boyz Programming)"),)
KEPT_TOURNAMENTS = KEPT / "swiss" / "tournaments.jsonl.gz"
BYES_ON_REQUEST = (Result.LOSS, Result.DRAW, Result.DRAW, Result.WIN)


USUAL = Points()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """A sort of tournaments. Shares are of players and rounds: how many ask for a bye, leave, come late."""

    name: str
    tournaments: int
    byes: float = 0
    leave: float = 0
    late: float = 0
    forfeits: float = 0
    forbidden: float = 0
    is_accelerated: bool = False
    points: Points = USUAL


SORTS = (
    Sort(name="plain", tournaments=60),
    Sort(name="byes and withdrawals", tournaments=30, byes=0.07, leave=0.03),
    Sort(name="late entries", tournaments=20, late=0.2),
    Sort(name="forfeits", tournaments=30, forfeits=0.1),
    Sort(name="Baku acceleration", tournaments=30, is_accelerated=True),
    Sort(name="forbidden pairs", tournaments=25, forbidden=0.25),
    Sort(
        name="all at once",
        tournaments=25,
        byes=0.05,
        leave=0.02,
        late=0.1,
        forfeits=0.05,
        forbidden=0.1,
        is_accelerated=True,
    ),
    Sort(name="other points", tournaments=20, byes=0.05, points=Points(win=30, draw=20, loss=10, bye=20)),
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A tournament: its report at the end, and what bbpPairings said of each round; "": none."""

    name: str
    trf: str
    rounds: Sequence[str]


def kept() -> list[Kept]:
    with gzip.open(KEPT_TOURNAMENTS, "rt", encoding="utf-8") as file:
        return [Kept(**json.loads(line)) for line in file]


def compare(tools: Tools) -> Iterator[Row]:
    if tools.keep and "bbppairings" in tools:
        lines = "".join(json.dumps(vars_of(each)) + "\n" for each in simulated(tools))
        KEPT_TOURNAMENTS.parent.mkdir(parents=True, exist_ok=True)
        KEPT_TOURNAMENTS.write_bytes(gzip.compress(lines.encode(), mtime=0))
    for tournament in kept():
        yield compared(tournament, tools)


def vars_of(tournament: Kept) -> dict[str, object]:
    return {"name": tournament.name, "trf": tournament.trf, "rounds": list(tournament.rounds)}


def compared(tournament: Kept, tools: Tools) -> Row:
    """In how many rounds our pairing is another."""
    event = read_trf(tournament.trf, tournament.name).tournament
    is_now = "bbppairings" in tools
    differences = 0
    for number, said in enumerate(tournament.rounds):
        before = event_before(event, number)
        differences += our_own(before) != (asked(tools, before) if is_now else said)
    sort = tournament.name.rpartition(" ")[0]
    return Row(
        case=f"{tournament.name}: {len(event.players)} players, {len(tournament.rounds)} rounds",
        figure=f"rounds paired otherwise: {sort}",
        reference=f"bbpPairings, {'now' if is_now else 'kept'}",
        difference=differences,
        allowed=0,
    )


def event_before(event: Tournament, number: int) -> Tournament:
    """Return the tournament when the round of that number, from 0, is to be paired."""
    players = (
        replace(
            each,
            entries=each.entries[:number]
            + tuple(entry for entry in each.entries[number : number + 1] if not entry.is_paired),
        )
        for each in event.players
    )
    return replace(event, players=tuple(players), played=number)


def our_own(event: Tournament) -> str:
    """Our pairing, as bbpPairings tells its own."""
    found = pair(event)
    if found.departure:
        return ""
    pairs = [f"{first + 1} {second + 1}" for first, second in found.pairs]
    pairs += [] if found.bye is None else [f"{found.bye + 1} 0"]
    return "\n".join([str(len(pairs)), *pairs])


def asked(tools: Tools, event: Tournament) -> str:
    """Return what bbpPairings says of a round."""
    with TemporaryDirectory() as folder:
        Path(folder, "event.trf").write_text(write_trf(Report(tournament=event)), encoding="utf-8")
        try:
            return tools.run("bbppairings", "--dutch", "event.trf", "-p", cwd=Path(folder)).strip()
        except CalledProcessError as error:
            if error.returncode != 1:  # no pairing by the rules
                raise
            return ""


# Tournaments to be kept.


def simulated(tools: Tools) -> Iterator[Kept]:
    for sort in SORTS:
        for number in range(1, sort.tournaments + 1):
            yield Simulation(sort, f"{sort.name} {number}").played(tools)


class Simulation:
    """A tournament that bbpPairings pairs, and chance plays."""

    def __init__(self, sort: Sort, name: str) -> None:
        self._sort = sort
        self._name = name
        self._chance = chance = Random(name)
        count = chance.randint(5, 60)
        self._strengths = [chance.gauss(0, 1) for _ in range(count)]
        self._gone: set[int] = set()
        self._event = Tournament(
            players=tuple(
                Player(name=f"Player {number}", rating=2600 - 10 * number) for number in range(1, count + 1)
            ),
            rounds=chance.randint(3, 11),
            played=0,
            points=sort.points,
            forbidden=tuple(self._forbidden(count)),
            first_seat=chance.randrange(2),
        )
        if sort.is_accelerated:
            self._event = with_baku_acceleration(self._event)

    def _forbidden(self, count: int) -> Iterator[Forbidden]:
        for _ in range(round(count * self._sort.forbidden)):
            yield Forbidden(
                players=frozenset(self._chance.sample(range(count), self._chance.choice((2, 2, 3))))
            )

    def played(self, tools: Tools) -> Kept:
        rounds: list[str] = []
        while self._event.played < self._event.rounds and (not rounds or rounds[-1]):
            self._send_away()
            rounds.append(asked(tools, self._event))
            if rounds[-1]:
                self._play(rounds[-1])
        return Kept(self._name, write_trf(Report(tournament=self._event)), rounds)

    def _send_away(self) -> None:
        """Let some players be away in the next round; two at least are there."""
        sort, chance, event = self._sort, self._chance, self._event
        away: dict[int, Entry] = {}
        for number, player in enumerate(event.players):
            is_new = not any(entry.is_paired for entry in player.entries)
            if chance.random() < sort.leave and event.played:
                self._gone.add(number)
            if number in self._gone or (is_new and event.played < 3 and chance.random() < sort.late):
                away[number] = absence()
            elif chance.random() < sort.byes:
                away[number] = absence(chance.choice(BYES_ON_REQUEST))
        for number in list(away)[: max(0, len(away) + 2 - len(event.players))]:
            del away[number]
        self._append(away, played=event.played)

    def _play(self, said: str) -> None:
        """Let a round be played that was paired so."""
        entries: dict[int, Entry] = {}
        for line in said.splitlines()[1:]:
            first, second = (int(word) - 1 for word in line.split())
            if second < 0:
                entries[first] = BYE
                continue
            kind, results = self._outcome(first, second)
            for one, other, seat in ((first, second, 0), (second, first, 1)):
                entries[one] = Entry(kind=kind, result=results[seat], opponent=other, seat=seat)
        self._append(entries, played=self._event.played + 1)

    def _outcome(self, first: int, second: int) -> tuple[Kind, tuple[Result, Result]]:
        won, lost, drawn = (
            (Result.WIN, Result.LOSS),
            (Result.LOSS, Result.WIN),
            (Result.DRAW, Result.DRAW),
        )
        if self._chance.random() < self._sort.forfeits:
            return Kind.FORFEIT, self._chance.choice((won, lost, (Result.LOSS, Result.LOSS)))
        margin = self._strengths[first] - self._strengths[second] + self._chance.gauss(0, 1)
        return Kind.GAME, drawn if abs(margin) < 0.5 else won if margin > 0 else lost

    def _append(self, entries: dict[int, Entry], *, played: int) -> None:
        players = (
            replace(player, entries=(*player.entries, entries[number])) if number in entries else player
            for number, player in enumerate(self._event.players)
        )
        self._event = replace(self._event, players=tuple(players), played=played)
