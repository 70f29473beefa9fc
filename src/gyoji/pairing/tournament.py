"""A Swiss tournament as its next round depends on it: players, what each had in every round, and the terms.

A pure value, and all that a pairing reads. Players are numbers from 0 in the order of their pairing numbers:
0 is the top seed, whom the rules call 1. Rounds are numbers from 0. Points are whole tenths, as the FIDE's
tournament report files have them, so that sums are exact: 10 is a point. Seat 0 is the first seat, white in
chess.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, IntEnum

from gyoji.core.faults import ConfigError

MOST_POINTS = 1_000_000
"""The most tenths of a point that one entry, or one round's acceleration, may give."""


class Kind(Enum):
    """How a player spent a round."""

    GAME = "game"
    """It was paired and played. Whatever games a match has, it is one of these."""
    FORFEIT = "forfeit"
    """It was paired, and one of the two or both did not play. The two may meet again."""
    BYE = "bye"
    """It was to be paired and nobody was left: the bye that a pairing allocates."""
    ABSENCE = "absence"
    """It was not paired: a requested bye, a round missed, a round before it came or after it left."""


class Result(IntEnum):
    """Who won, as the player sees it. In twice the points of a usual tournament."""

    LOSS = 0
    DRAW = 1
    WIN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A round of a player.

    result:   of an absence: WIN for a requested bye with the points of a win, DRAW for one with those of a
              draw, LOSS for one without points. Of a bye: WIN.
    opponent: of a game and of a forfeit, else None.
    seat:     0 or 1, of a game or a forfeit. Those of forfeits do not count. None: the game gives nobody a
              claim to either seat, as where matches are pairs of games with seats changed.
    points:   the tenths of a point that it gives where they do not follow from the result: 25 of a match of
              three games, won with two and a drawn one.
    """

    kind: Kind
    result: Result
    opponent: int | None = None
    seat: int | None = None
    points: int | None = None

    @property
    def is_paired(self) -> bool:
        """Whether the player took part in the pairing of the round."""
        return self.kind is not Kind.ABSENCE


BYE = Entry(kind=Kind.BYE, result=Result.WIN)
"""The entry of whoever was left over."""


def absence(result: Result = Result.LOSS) -> Entry:
    """The entry of who is not there in a round, with the points of that result."""
    return Entry(kind=Kind.ABSENCE, result=result)


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """How many tenths of a point an entry gives.

    absence: one that counts as lost; those that count as drawn or won give `draw` and `win`.
    bye:     the one that a pairing allocates.
    """

    win: int = 10
    draw: int = 5
    loss: int = 0
    absence: int = 0
    forfeit_loss: int = 0
    bye: int = 10

    def of(self, entry: Entry) -> int:
        """The tenths of a point that an entry gives."""
        if entry.points is not None:
            return entry.points
        if entry.kind is Kind.BYE:
            return self.bye
        if entry.result is not Result.LOSS:
            return self.win if entry.result is Result.WIN else self.draw
        if entry.kind is Kind.GAME:
            return self.loss
        return self.forfeit_loss if entry.kind is Kind.FORFEIT else self.absence


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player.

    entries:      one for each round that has been paired, in order; late entries have absences before. There
                  may be one more, an absence: then the player is not paired in the next round.
    acceleration: the virtual points, in tenths, that are added to its score when a round is paired, by the
                  number of the round; rounds beyond have none.
    name, rating: for those who read and write files; a pairing does not look at them.
    """

    entries: tuple[Entry, ...] = ()
    acceleration: tuple[int, ...] = ()
    name: str = ""
    rating: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """Players of whom no two may meet from round `since` on and before `until`; None: to the end."""

    players: frozenset[int]
    since: int = 0
    until: int | None = None

    def holds(self, number: int) -> bool:
        """Whether it does in that round."""
        return self.since <= number and (self.until is None or number < self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A tournament whose next round is to be paired, or that is over.

    players:    in the order of their pairing numbers, the top seed first.
    rounds:     how many there will be in all; the last one has its own rules.
    played:     how many have been paired; the next one has this number, unless these are all.
    first_seat: the seat that the top seed has in the first round, drawn by lot. None: it is told from the
                first round in which somebody had a seat, and 0 if there is none yet.

    Raises ConfigError if entries contradict each other: a player with too few or too many, a game whose
    opponent has no such game, or with the same seat, players that do not exist.
    """

    players: tuple[Player, ...]
    rounds: int
    played: int
    points: Points = Points()
    forbidden: tuple[Forbidden, ...] = ()
    first_seat: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.played <= self.rounds:
            raise ConfigError(f"there are {self.rounds} rounds, and {self.played} are paired")
        for number in range(len(self.players)):
            self._check_player(number)
        for number in sorted({one for group in self.forbidden for one in group.players}):
            if not 0 <= number < len(self.players):
                raise ConfigError(f"forbidden pairs name player {number + 1} of {len(self.players)}")

    def _check_player(self, number: int) -> None:
        player = self.players[number]
        extra = player.entries[self.played :]
        if len(player.entries) < self.played or extra[1:] or any(entry.is_paired for entry in extra):
            raise ConfigError(
                f"player {number + 1} has {len(player.entries)} entries, expected {self.played}, one "
                "for each round paired, or one more: an absence in the next"
            )
        for round_, entry in enumerate(player.entries):
            if not self._is_consistent(number, round_, entry):
                raise ConfigError(
                    f"round {round_ + 1} of player {number + 1} contradicts the entry of its opponent"
                )

    def _is_consistent(self, number: int, round_: int, entry: Entry) -> bool:
        """Whether the entry is possible, and a game's opponent has the same game; forfeits are one's own."""
        has_opponent = entry.kind in (Kind.GAME, Kind.FORFEIT)
        if has_opponent != (entry.opponent is not None) or entry.seat not in (None, 0, 1):
            return False
        if entry.opponent is None:
            return entry.seat is None
        if entry.opponent == number or not 0 <= entry.opponent < len(self.players):
            return False
        if entry.kind is Kind.FORFEIT:
            return True
        theirs = self.players[entry.opponent].entries
        if round_ >= len(theirs) or theirs[round_].kind is not Kind.GAME:
            return False
        seats = {entry.seat, theirs[round_].seat}
        return theirs[round_].opponent == number and seats in ({0, 1}, {None})

    def before(self, number: int) -> "Tournament":
        """The tournament as it was when that round was to be paired, of all who are in it by now."""
        players = (
            replace(player, entries=player.entries[: number + 1 - player.entries[number].is_paired])
            for player in self.players
        )
        return replace(self, players=tuple(players), played=number, first_seat=self.top_seat)

    def is_there(self, number: int) -> bool:
        """Whether the player is to be paired in the next round."""
        return len(self.players[number].entries) == self.played

    def score(self, number: int, rounds: int | None = None) -> int:
        """The tenths of a point after so many rounds, without acceleration; None: after all played."""
        entries = self.players[number].entries[: self.played if rounds is None else rounds]
        return sum(self.points.of(entry) for entry in entries)

    def accelerated(self, number: int, rounds: int | None = None) -> int:
        """The score by which the player is paired in the round after so many; None: in the next one."""
        rounds = self.played if rounds is None else rounds
        return self.score(number, rounds) + sum(self.players[number].acceleration[rounds : rounds + 1])

    @property
    def top_seat(self) -> int:
        """The seat that the top seed has in the first round, drawn or told from what was played.

        Of the first round in which somebody had a seat, the first with one of those who have taken part by
        then tells it: seats go in turn down the list.
        """
        if self.first_seat is not None:
            return self.first_seat
        begun = (round_ for round_ in range(self.played) if any(self._seats(round_)))
        round_ = next(begun, None)
        if round_ is None:
            return 0
        taking_part = [
            player
            for player in self.players
            if any(entry.is_paired for entry in player.entries[: round_ + 1])
        ]
        seats = enumerate(player.entries[round_].seat for player in taking_part)
        return next(index % 2 ^ seat for index, seat in seats if seat is not None)

    def _seats(self, round_: int) -> Iterator[bool]:
        return (player.entries[round_].seat is not None for player in self.players)


def baku_size(players: int) -> int:
    """How many of so many players the Baku method accelerates: the upper half, up to an even number."""
    return 2 * -(-players // 4)


def baku_points(points: Points, rounds: int) -> tuple[int, ...]:
    """The virtual points, in tenths, that the Baku method gives round by round, where there are so many.

    In the first half of the rounds, rounded up: a win's in the first half of these, rounded up, a draw's in
    the others.
    """
    accelerated = -(-rounds // 2)
    full = -(-accelerated // 2)
    return (points.win,) * full + (points.draw,) * (accelerated - full)


def with_baku_acceleration(tournament: Tournament) -> Tournament:
    """The tournament accelerated by the Baku method (FIDE Handbook C.04.7).

    Late entries belong to the half that they are in.
    """
    count = baku_size(len(tournament.players))
    points = baku_points(tournament.points, tournament.rounds)
    return replace(
        tournament,
        players=tuple(
            replace(player, acceleration=points if number < count else ())
            for number, player in enumerate(tournament.players)
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round that has been paired.

    pairs:     whoever has the first seat before the other, in the order in which rounds are published: by
               the score of the higher one, of the lower one, and by the number of the higher one.
    bye:       who was left over, or None.
    departure: "" if the pairing is that of the rules. Else one line that says from what it departs, and why.
    """

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None
    departure: str = ""
