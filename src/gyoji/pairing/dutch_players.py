"""The data about each player that FIDE's Dutch system uses: score, due seat, floats, opponents and byes.

Numbers of criteria are those of the FIDE Handbook, C.04.3, in force from February 2026. White is seat 0,
black is seat 1.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from gyoji.pairing.tournament import Kind, Tournament


class Float(Enum):
    """A player's float in one round: DOWN if its opponent had a lower score, UP if a higher one, NONE if the
    same.

    A player that got more than the points of a loss without playing floats DOWN as well.
    """

    NONE = 0
    DOWN = 1
    UP = 2


@dataclass(slots=True, kw_only=True)
class Candidate:
    """A player that is to be paired.

    Attributes:
        number: The player's number in the tournament, from 0.
        rank: The player's number, from 0, among those that have been paired in a round or are about to be. A
            late entry increases the numbers of the players below it.
        own: The score in tenths of a point, without acceleration.
        score: The score in tenths of a point, with acceleration.
        due: The seat that the player should have next, by the seats of earlier games; None without such
            games.
        surplus: The difference between the player's numbers of games in one seat and in the other.
        repeated: The seat of the player's last two games if it was the same, else None.
        seats: The seat of each earlier game.
        floats: The player's floats in the last round and in the one before.
        met: The number of games against each opponent.
        barred: Players that must not be opponents by the arrangements of the event.
        games: The number of matches that the player has played.
        byes: The number of rounds with a bye, or with the points of a win without playing (criterion C2).
    """

    number: int
    rank: int
    own: int
    score: int
    due: int | None = None
    surplus: int = 0
    repeated: int | None = None
    seats: list[int] = field(default_factory=list)
    floats: tuple[Float, Float] = (Float.NONE, Float.NONE)
    met: Counter[int] = field(default_factory=Counter)
    barred: set[int] = field(default_factory=set)
    games: int = 0
    byes: int = 0

    @property
    def is_absolute(self) -> bool:
        """Whether the player must have its due seat: FIDE's absolute colour preference."""
        return self.surplus > 1 or self.repeated is not None

    @property
    def is_strong(self) -> bool:
        """Whether the player has what FIDE calls a strong colour preference.

        Such a player has had one seat once more often than the other. The seats of its last two games differ,
        unless it has played only one game with a seat.
        """
        return self.surplus == 1 and self.repeated is None


def candidates(tournament: Tournament) -> list[Candidate]:
    """Return the players that are to be paired in the next round, the highest first."""
    taking_part = [
        number
        for number, player in enumerate(tournament.players)
        if tournament.is_there(number) or any(entry.is_paired for entry in player.entries)
    ]
    barred = [group.players for group in tournament.forbidden if group.holds(tournament.played)]
    present = [
        _candidate(tournament, number, rank, barred)
        for rank, number in enumerate(taking_part)
        if tournament.is_there(number)
    ]
    return sorted(present, key=rank_order)


def rank_order(candidate: Candidate) -> tuple[int, int]:
    """Return the sort key that puts the highest player first."""
    return -candidate.score, candidate.rank


def are_new(field: Sequence[Candidate]) -> bool:
    """Return whether these players all have the same score and no games, byes, floats or forbidden opponents,
    as in most first rounds.
    """
    return all(
        each.score == field[0].score
        and each.floats == (Float.NONE, Float.NONE)
        and not (each.games or each.byes or each.barred)
        for each in field
    )


def _candidate(tournament: Tournament, number: int, rank: int, barred: Sequence[frozenset[int]]) -> Candidate:
    """Return a player with all data that the Dutch system uses.

    Args:
        number: The player's number in the tournament.
        rank: The player's rank (`Candidate.rank`).
        barred: Groups of players that may not meet each other.
    """
    entries, points = tournament.players[number].entries, tournament.points
    played = [entry for entry in entries if entry.kind is Kind.GAME]
    candidate = Candidate(
        number=number,
        rank=rank,
        own=tournament.score(number),
        score=tournament.accelerated(number),
        seats=[entry.seat for entry in played if entry.seat is not None],
        floats=(_float(tournament, number, 1), _float(tournament, number, 2)),
        met=Counter(entry.opponent for entry in played if entry.opponent is not None),
        games=len(played),
        byes=sum(
            entry.kind is Kind.BYE or (entry.kind is not Kind.GAME and points.of(entry) >= points.win)
            for entry in entries
        ),
        barred=set[int]().union(*(group for group in barred if number in group)) - {number},
    )
    seats = candidate.seats
    balance = len(seats) - 2 * sum(seats)
    candidate.surplus = abs(balance)
    if len(seats) > 1 and seats[-1] == seats[-2]:
        candidate.repeated = seats[-1]
    if abs(balance) > 1:
        candidate.due = int(balance > 0)
    elif seats:  # the other seat than the one it had twice running, more often, or last
        candidate.due = int(balance > 0) if balance and candidate.repeated is None else 1 - seats[-1]
    return candidate


def _float(tournament: Tournament, number: int, back: int) -> Float:
    """Return the float that a player had in an earlier round.

    Args:
        number: The number of the player.
        back: How many rounds ago; 1 is the last round.
    """
    round_ = tournament.played - back
    if round_ < 0:
        return Float.NONE
    entry = tournament.players[number].entries[round_]
    if entry.kind is not Kind.GAME or entry.opponent is None:
        is_down = tournament.points.of(entry) > tournament.points.loss
        return Float.DOWN if is_down else Float.NONE
    mine = tournament.accelerated(number, round_)
    theirs = tournament.accelerated(entry.opponent, round_)
    return Float.NONE if mine == theirs else Float.DOWN if mine > theirs else Float.UP


# Colour allocation: both preferences, then the stronger one, then the last round in which the two had
# different seats, then the higher player's preference, then the seat drawn for the top seed.
def seats_of(higher: Candidate, lower: Candidate, top_seat: int) -> tuple[Candidate, Candidate]:
    """Return two players in the order of their seats.

    Args:
        higher: The higher-ranked player.
        lower: Its opponent.
        top_seat: The seat of the top seed in the first round, 0 or 1. It decides if nothing else does.
    """
    seat = _seat_by_claims(higher, lower)
    if seat is None:
        seat = higher.due
    if seat is None:
        seat = top_seat if higher.rank % 2 == 0 else 1 - top_seat
    return (higher, lower) if seat == 0 else (lower, higher)


def _seat_by_claims(one: Candidate, other: Candidate) -> int | None:
    """Return the seat of `one` if the players' preferences and earlier seats decide it, else None."""
    if one.due is None or other.due is None or one.due != other.due:
        return one.due if one.due is not None or other.due is None else 1 - other.due
    claims = [
        (each.is_absolute, each.surplus if each.is_absolute else 0, each.is_strong) for each in (one, other)
    ]
    if claims[0] != claims[1]:
        return one.due if claims[0] > claims[1] else 1 - other.due
    pairs = zip(reversed(one.seats), reversed(other.seats), strict=False)
    return next((theirs for mine, theirs in pairs if mine != theirs), None)
