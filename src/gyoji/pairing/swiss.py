"""The Swiss system: in each round players with about the same score meet.

No two players meet twice if a round can be paired without that. `gyoji.pairing.fide` pairs by FIDE's Dutch
system. This module makes its input, a `Tournament`, from the rounds that were played and the arrangements of
the control file.
"""

# Theory of operation
# -------------------
#
# One round, from matches to matches:
#
#     Played, Arrangements --tournament()--> Tournament --fide.pair()--> Round --draw_around()--> Fixtures
#                                              ^   entries: game, forfeit, bye, absence
#     TRF file --------read_trf()--------------+   (the same value is written by report() for `gyoji pair`)
#
#     fide.pair:   Tournament --candidates()--> Candidates, the highest first
#                  Candidates --_parts()-----> fields of at most MOST_EXACT players
#                  each field --Brackets-----> pairs and bye
#                  pairs      --seats_of()---> seats
#
# `Brackets` walks down the score groups. A bracket is the players moved down from above and the residents of
# one score group. FIDE's rules ask for the best pairing by a list of criteria, the first one counting most,
# and among equally good pairings for the first one in the order of the handbook's transpositions and
# exchanges. Both are written into one whole number per pair: the digits of the criteria
# (`criteria.Criteria.weight`), then the digits of the order. The heaviest matching by these numbers is the
# pairing. So nothing is searched by trial, and a round of 400 players takes seconds. Lower brackets take part
# in the matching with weights of their own: some criteria are about the next bracket, and all players below a
# bracket must still be paired.
#
# Invariants:
#   * `Tournament` is a pure value and the only input of a pairing. Rounds, players and seats are numbers from
#     0.
#   * A match counts as one game, whatever games it has. Points are whole tenths, so sums are exact.
#   * Matches of an even number of games give no claim to a seat.
#   * Pairs of a round in which games have been played are kept, also if rules, results or arrangements change
#     (`draw_around`). The players that are left are paired among each other.
#
# What may go wrong: the rules admit no complete pairing (few players, many rounds, many forbidden pairs).
# Then `fide._leniency` admits every pair at a cost, a wrong seat being cheapest and a forbidden pair dearest.
# The round's `departure` says so, and `departures` finds it again from the matches.
#
# Tried and given up: networkx's matching. It is exact too, but takes 2.0 s for 150 players with weights of
# 600 bits, where `max_weight_matching` takes 0.03 s (ADR 8 has the figures).

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property

from gyoji.pairing.arrangements import Arrangements
from gyoji.pairing.fide import MOST_EXACT, pair
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
from gyoji.results.matches import Fixture, Match, Played, Terms
from gyoji.results.scoreboard import Place, RoundResult, Scoreboard, TableSettings

TENTHS = 10
"""Number of units in a point: a `Tournament` has scores as whole tenths of a point."""


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
        """Prepare the tournament.

        Args:
            players: The players, the first seed first.
            settings: How matches are played, and how players are ranked.
            rounds: The number of rounds.
            seed: The seed for ties that are broken by lot.
            arrangements: Byes, late entries and the like; None for none.

        Raises:
            ValueError: The arrangements are impossible (`Arrangements.check`).
        """
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
        """Return the matches of the next round."""
        return self.draw_around(played, ())

    def draw_around(self, played: Played, kept: Sequence[Fixture]) -> list[Fixture]:
        """Return the matches of the next round, in which some matches have begun already.

        First the rules pair all players. If all matches that have begun are among these pairs, the round has
        these pairs. If not, the matches that have begun stay, and the rules pair the other players only.

        Args:
            played: The rounds before.
            kept: The matches of the round in which games have been played, the newest first. If two have a
                player in common, the newer one stays.
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
        """Return the report for a tournament file (TRF) after the rounds that are over.

        It lists all players that have entered by the next round. For each match it has the seats of the first
        game, even where seats do not matter for pairing because a match has an even number of games.

        Args:
            played: The rounds that have begun.
            ratings: The ratings of players.
            lines: Other lines of the file: the code at the beginning of the line, such as "012", and the
                text.
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
        """Return the tournament after these rounds, with all players that have entered by the next round.

        Args:
            played: Rounds that are over.
            absent: Players that are not to be paired in the next round, besides those with an arranged
                absence.
            tells_seats: Whether the tournament has the seats of matches with an even number of games, which
                do not matter for pairing.
        """
        number = len(played)
        codes = self.entered(played)
        numbers = {player: index for index, player in enumerate(codes)}
        has_seats = tells_seats or self.terms.games % 2 == 1
        rounds = [self._entries(matches, index, numbers, has_seats) for index, matches in enumerate(played)]
        groups = (numbers.keys() & group for group in self._arrangements.groups())

        def next_entry(player: str) -> tuple[Entry, ...]:
            """Return () if a player is to be paired in the next round or no round is left, else one entry
            with the player's absence.
            """
            if number == len(self.sizes):
                return ()
            entry = absence() if player in absent else self._arrangements.absence(player, number)
            return () if entry is None else (entry,)

        return Tournament(
            players=tuple(
                Player(
                    entries=(*(entries[player] for entries in rounds), *next_entry(player)),
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
        """Return the players that have entered by the next round, or have played before, in the order of
        their seeds.
        """
        here = {player for matches in played for match in matches for player in match.players}
        number = len(played)
        return tuple(
            player for player in self.players if player in here or self._arrangements.has_come(player, number)
        )

    def byes(self, played: Played) -> list[str]:
        """Return for each round that has begun the player with the bye, "" for none."""
        left = [_unpaired(matches, self._present(number)) for number, matches in enumerate(played)]
        return [next(iter(players), "") for players in left]

    def absences(self, played: Played) -> list[dict[str, float]]:
        """Return, for each round that has begun, the points of each player with an arranged absence."""
        return [
            {
                player: self._points.of(entry) / TENTHS
                for player in _unpaired(matches, self.entered(played[:number]))
                if (entry := self._arrangements.absence(player, number)) is not None
            }
            for number, matches in enumerate(played)
        ]

    def departures(self, played: Played) -> dict[int, str]:
        """Return a line for each round whose pairing departs from the rules. The keys are the numbers of
        these rounds, from 0.
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
        return self._board(played).table(self.tie_breaks)

    def ranking(self, played: Played) -> list[str]:
        """Return the players from first to last."""
        return [place.player for place in self.standings(played)]

    def _board(self, played: Played) -> Scoreboard:
        return Scoreboard(self.players, played, self._settings, unpaired=self._share, seed=self._seed)

    def _share(self, player: str, number: int) -> float:
        """Return what an unpaired player gets for a round, as a fraction of the points of a win."""
        entry = self._arrangements.absence(player, number) or BYE
        return self._points.of(entry) / self._points.win

    def _present(self, number: int) -> list[str]:
        """Return the players that are to be paired in round `number`, from 0."""
        return [player for player in self.players if self._arrangements.absence(player, number) is None]

    def _paired(self, played: Played, busy: AbstractSet[str] | tuple[()]) -> list[tuple[str, str]]:
        """Return the pairs that the rules make. The players in `busy` are left out."""
        tournament, codes = self.tournament(played, frozenset(busy)), self.entered(played)
        return [(codes[first], codes[second]) for first, second in pair(tournament).pairs]

    def _first_of_each(self, kept: Sequence[Fixture]) -> Iterable[Fixture]:
        """Yield the matches in `kept` whose players compete and are in no match that was yielded before."""
        free = set(self.players)
        for each in kept:
            if free >= {each.first, each.second}:
                free -= {each.first, each.second}
                yield each

    def _published(self, played: Played, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Sort pairs for publication: the leaders first."""
        points = self._board(played).points
        seeds = {player: seed for seed, player in enumerate(self.players)}

        def place(each: tuple[str, str]) -> tuple[float, float, int]:
            higher, lower = sorted(each, key=lambda player: (-points[player], seeds[player]))
            return -points[higher], -points[lower], seeds[higher]

        return sorted(pairs, key=place)

    def _entries(
        self, matches: Sequence[Match], number: int, numbers: Mapping[str, int], has_seats: bool
    ) -> dict[str, Entry]:
        """Return each player's entry in the tournament for round `number`, from 0.

        Args:
            matches: The matches of the round.
            numbers: The number of each player in the tournament.
            has_seats: Whether entries name the player's seat.
        """
        found = {player: self._arrangements.absence(player, number) or BYE for player in numbers}
        board = Scoreboard(self.players, [matches], self._settings)
        for match in matches:
            for seat, player in enumerate(match.players):
                line = board.lines[player][0]
                opponent = numbers[line.opponent]
                found[player] = self._entry(match, line, opponent, seat if has_seats else None)
        return found

    def _entry(self, match: Match, line: RoundResult, opponent: int, seat: int | None) -> Entry:
        """Return the tournament entry for one player of a match.

        If games of the match were played, the entry is a GAME, else a FORFEIT. One case is different: no game
        was played, nobody won, and the player got points. Then the entry is an ABSENCE with the points of a
        draw.

        Args:
            line: The player's result in the match.
            opponent: The number of the opponent.
            seat: The player's seat; None if the entry names none.
        """
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
        """The virtual points of each accelerated player, in tenths, round by round.

        The upper half of the players that have entered by the first round is accelerated. So is a late entry
        with a higher seed than the lowest player of that half.
        """
        if self._arrangements.acceleration == "none":
            return {}
        first = self.entered(())
        last = self.players.index(first[min(baku_size(len(first)), len(first)) - 1])
        return dict.fromkeys(self.players[: last + 1], baku_points(self._points, len(self.sizes)))


def _unpaired(matches: Sequence[Match], players: Sequence[str]) -> list[str]:
    paired = {player for match in matches for player in match.players}
    return [player for player in players if player not in paired]
