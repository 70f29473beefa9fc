"""The Swiss system: in each round everybody meets somebody who has done about as well, and nobody twice.

`gyoji.pairing.fide` pairs, by FIDE's Dutch system. Here the rounds that were played become the `Tournament`
that it reads, with what has been arranged beside them: byes on request, late entries, withdrawals, pairs that
are forbidden, virtual points.

What was paired stays: a round in which games have been played keeps their pairs, whatever has changed since,
the rules of pairing included. Only who is left over is paired then.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property

from gyoji.pairing.arrangements import Arrangements
from gyoji.pairing.fide import MOST_EXACT, pair
from gyoji.pairing.matches import Fixture, Match, Terms
from gyoji.pairing.rounds import Played
from gyoji.pairing.scoreboard import Place, RoundResult, Scoreboard, TableSettings
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
    baku_points,
    baku_size,
)
from gyoji.pairing.trf import Report

TENTHS = 10
"""Of a point: scores are whole numbers of these in a `Tournament`."""


class Swiss:
    """The Swiss system as a `gyoji.pairing.rounds.System`."""

    waits = True

    def __init__(
        self,
        players: Sequence[str],
        settings: TableSettings,
        *,
        rounds: int,
        seed: int = 0,
        arrangements: Arrangements | None = None,
    ) -> None:
        """seed: for lots. Raises ValueError for arrangements that cannot be."""
        self.players = tuple(players)
        self.terms = Terms(games=settings.games_per_match, decided_by=settings.decided_by)
        self.tie_breaks = settings.tie_breaks
        self._settings = settings
        self._seed = seed
        self._arrangements = arrangements or Arrangements()
        self._arrangements.check(self.players, rounds)
        self.sizes: Sequence[int] = [len(self._present(number)) // 2 for number in range(rounds)]
        most = (2 if settings.points == "matches" else settings.games_per_match) * TENTHS
        self._points = Points(win=most, draw=most // 2, bye=most)

    def draw(self, played: Played) -> list[Fixture]:
        """The next round."""
        return self.draw_around(played, ())

    def draw_around(self, played: Played, kept: Sequence[Fixture]) -> list[Fixture]:
        """The next round, of which some matches are known: games of them have been played.

        If these are not among the pairs that the rules make, only the players whom they leave are paired.
        """
        number, note = len(played), f"round {len(played) + 1}"
        seats = {frozenset(each[:2]): each[:2] for each in self._first_of_each(kept)}
        busy: frozenset[str] = frozenset().union(*seats)
        if len(set(self._present(number)) - busy) > 1:
            drawn = self._paired(played, ())
            if not seats.keys() <= {frozenset(each) for each in drawn}:
                drawn = [*seats.values(), *self._paired(played, busy)]
        else:
            drawn = list(seats.values())
        pairs = [seats.get(frozenset(each), each) for each in drawn]
        return [Fixture(*each, note) for each in self._published(played, pairs)]

    def report(
        self, played: Played, *, ratings: Mapping[str, float], lines: Sequence[tuple[str, str]]
    ) -> Report:
        """The report after the rounds that are over, of all who have entered by the next one.

        ratings: of players; lines: what else it says of the tournament. Where matches give nobody a claim to
        a seat, it tells who had the first seat in their first games all the same.
        """
        over = [matches for matches in played if all(match.is_over for match in matches)]
        number, codes = len(over), self.entered(over)
        event = self.tournament(over, tells_seats=True)
        rated = (replace(player, rating=round(ratings.get(player.name, 0))) for player in event.players)
        ranking = [player for player in self.ranking(over) if player in codes]
        return Report(
            tournament=replace(event, players=tuple(rated)),
            ranks=tuple(ranking.index(player) + 1 for player in codes),
            byes={
                round_: {
                    index: entry.result
                    for index, player in enumerate(codes)
                    if (entry := self._arrangements.absence(player, round_)) is not None
                }
                for round_ in range(number + 1, len(self.sizes))
            },
            lines=tuple(lines),
        )

    def tournament(
        self, played: Played, absent: AbstractSet[str] = frozenset(), *, tells_seats: bool = False
    ) -> Tournament:
        """The tournament after the rounds that are over, of all who have entered by the next one.

        absent: players who are not to be paired in it, besides those of whom that is arranged. tells_seats:
        whether entries have seats where they do not count.
        """
        number = len(played)
        codes = self.entered(played)
        numbers = {player: index for index, player in enumerate(codes)}
        has_seats = tells_seats or not self.has_both_seats
        rounds = [self._entries(matches, index, numbers, has_seats) for index, matches in enumerate(played)]
        groups = (numbers.keys() & group for group in self._arrangements.groups())
        return Tournament(
            players=tuple(
                Player(
                    entries=(
                        *(entries[player] for entries in rounds),
                        *self._absence(player, number, absent),
                    ),
                    acceleration=self._accelerations.get(player, ()),
                    name=player,
                )
                for player in codes
            ),
            rounds=len(self.sizes),
            played=number,
            points=self._points,
            forbidden=tuple(
                Forbidden(players=frozenset(map(numbers.__getitem__, group)))
                for group in groups
                if len(group) > 1
            ),
            first_seat=0,
        )

    def entered(self, played: Played) -> tuple[str, ...]:
        """Who has entered by the next round, or has played before, in the order of their seeds."""
        here = frozenset[str]().union(*map(_paired, played))
        number = len(played)
        return tuple(
            player for player in self.players if player in here or self._arrangements.has_come(player, number)
        )

    @property
    def has_both_seats(self) -> bool:
        """Whether both have both seats equally often in a match: then it gives nobody a claim to one."""
        return self.terms.games % 2 == 0

    def byes(self, played: Played) -> list[str]:
        """Who was left over in each of the rounds that have begun, "" for nobody."""
        left = [self._unpaired(matches, self._present(number)) for number, matches in enumerate(played)]
        return [next(iter(players), "") for players in left]

    def absences(self, played: Played) -> list[dict[str, float]]:
        """Who was not to be paired in each of the rounds that have begun, with the points got for that."""
        return [
            {
                player: self._points.of(entry) / TENTHS
                for player in self._unpaired(matches, self.entered(played[:number]))
                if (entry := self._arrangements.absence(player, number)) is not None
            }
            for number, matches in enumerate(played)
        ]

    def departures(self, played: Played) -> dict[int, str]:
        """The rounds, by number from 0, whose pairs are not those of the rules, as far as these show it; a
        line of each.
        """
        forbidden = list(self._arrangements.groups())
        met, rested = set[frozenset[str]](), set[str]()
        found = {}
        for number, (matches, bye) in enumerate(zip(played, self.byes(played), strict=True)):
            pairs = [frozenset(match.players) for match in matches]
            barred = [each for each in pairs if any(each <= group for group in forbidden)]
            told = {
                "meeting again": [each for each in pairs if each in met],
                "although that is forbidden": barred,
                "with a second bye": [frozenset((bye,))] if bye in rested else [],
            }
            faults = [
                f"{', '.join('-'.join(sorted(each)) for each in names)} {what}"
                for what, names in told.items()
                if names
            ]
            is_new = not (number or forbidden or self._accelerations)
            if len(self._present(number)) > MOST_EXACT and not is_new:
                faults.append(f"more than {MOST_EXACT} players, paired in parts")
            if faults:
                found[number] = f"not paired as the rules say: {'; '.join(faults)}"
            met |= {pair for pair, match in zip(pairs, matches, strict=True) if match.played}
            rested |= {bye} - {""}
        return found

    def standings(self, played: Played) -> list[Place]:
        """The table."""
        return self._board(played).table(self.tie_breaks)

    def ranking(self, played: Played) -> list[str]:
        """The players from first to last."""
        return [place.player for place in self.standings(played)]

    def _board(self, played: Played) -> Scoreboard:
        return Scoreboard(self.players, played, self._settings, unpaired=self._share, seed=self._seed)

    def _share(self, player: str, number: int) -> float:
        """The share of a round's points that a player has who was not paired in it."""
        entry = self._arrangements.absence(player, number) or BYE
        return self._points.of(entry) / self._points.win

    def _present(self, number: int) -> list[str]:
        """Who is to be paired in a round."""
        return [player for player in self.players if self._arrangements.absence(player, number) is None]

    def _paired(self, played: Played, busy: AbstractSet[str] | tuple[()]) -> list[tuple[str, str]]:
        """The pairs that the rules make of all but those who are busy."""
        tournament, codes = self.tournament(played, frozenset(busy)), self.entered(played)
        return [(codes[first], codes[second]) for first, second in pair(tournament).pairs]

    def _unpaired(self, matches: Sequence[Match], players: Sequence[str]) -> list[str]:
        paired = _paired(matches)
        return [player for player in players if player not in paired]

    def _first_of_each(self, kept: Sequence[Fixture]) -> Iterable[Fixture]:
        """Those of some matches in which no player has one before, and all are ours."""
        free = set(self.players)
        for each in kept:
            if free >= {each.first, each.second}:
                free -= {each.first, each.second}
                yield each

    def _published(self, played: Played, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Pairs in the order in which rounds are published: the leaders' first."""
        points = self._board(played).points
        seeds = {player: seed for seed, player in enumerate(self.players)}

        def place(each: tuple[str, str]) -> tuple[float, float, int]:
            higher, lower = sorted(each, key=lambda player: (-points[player], seeds[player]))
            return -points[higher], -points[lower], seeds[higher]

        return sorted(pairs, key=place)

    def _absence(self, player: str, number: int, absent: AbstractSet[str]) -> tuple[Entry, ...]:
        """The entry of a player who is not to be paired in the next round, if it is not."""
        if number == len(self.sizes):
            return ()
        entry = absence() if player in absent else self._arrangements.absence(player, number)
        return () if entry is None else (entry,)

    def _entries(
        self, matches: Sequence[Match], number: int, numbers: Mapping[str, int], has_seats: bool
    ) -> dict[str, Entry]:
        """The result of each player in a round."""
        found = {player: self._arrangements.absence(player, number) or BYE for player in numbers}
        board = Scoreboard(self.players, [matches], self._settings)
        for match in matches:
            for seat, player in enumerate(match.players):
                line = board.lines[player][0]
                opponent = numbers[line.opponent]
                found[player] = self._entry(match, line, opponent, seat if has_seats else None)
        return found

    def _entry(self, match: Match, line: RoundResult, opponent: int, seat: int | None) -> Entry:
        """The entry of one of the two in a match. One of which no game was played is a forfeit."""
        had = round(line.points * TENTHS)
        result = Result.WIN if line.is_won else Result.LOSS
        if match.winner is None and had:
            if not match.played:
                return absence(Result.DRAW)
            result = Result.DRAW
        kind = Kind.GAME if match.played else Kind.FORFEIT
        entry = Entry(kind=kind, result=result, opponent=opponent, seat=seat)
        return entry if self._points.of(entry) == had else replace(entry, points=had)

    @cached_property
    def _accelerations(self) -> Mapping[str, tuple[int, ...]]:
        """The virtual points of players, round by round. Late entries belong to the half that they are in.

        The last one of the upper half stays the last, whoever comes later.
        """
        if self._arrangements.acceleration == "none":
            return {}
        first = self.entered(())
        last = self.players.index(first[min(baku_size(len(first)), len(first)) - 1])
        return dict.fromkeys(self.players[: last + 1], baku_points(self._points, len(self.sizes)))


def _paired(matches: Sequence[Match]) -> set[str]:
    return {player for match in matches for player in match.players}
