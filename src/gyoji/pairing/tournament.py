"""A Swiss tournament as a value, the only input of the pairing of its next round.

It has the players, their entry in each round, and the points for results. Players are numbers from 0 in the
order of their pairing numbers: player 0 is the top seed, number 1 in FIDE's rules. Rounds are numbers from 0.
Seat 0 is the first seat, white in chess.
"""

# Points are whole tenths, 10 to a point, as FIDE's tournament report files have one decimal. Sums are exact
# then, so that equal scores compare as equal.

from dataclasses import dataclass, replace
from enum import Enum, IntEnum

from gyoji.core.faults import ConfigError

MOST_POINTS = 1_000_000
"""Largest number of tenths of a point that one entry, or the acceleration of one round, may give."""


class Kind(Enum):
    """The kind of an entry: what a player did in a round."""

    GAME = "game"
    """The player was paired and played. A match of several games is one GAME."""
    FORFEIT = "forfeit"
    """The player was paired, and one or both did not play. The two may meet again."""
    BYE = "bye"
    """The player was to be paired, but no opponent was left: the pairing-allocated bye."""
    ABSENCE = "absence"
    """The player was not paired: a requested bye, a missed round, or a round before it entered or after it
    left.
    """


class Result(IntEnum):
    """A player's result in a round. The number is twice the points that the result gives in chess."""

    LOSS = 0
    DRAW = 1
    WIN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a player did in one round of a tournament, and what it got for that.

    Attributes:
        result: WIN for a bye. For an absence, the result whose points the player gets: WIN or DRAW for a
            requested bye, LOSS for an absence without points.
        opponent: The opponent in a game or a forfeit, else None.
        seat: 0 or 1 in a game or a forfeit; the seat in a forfeit does not count. None without an opponent,
            or if seats do not count, as in a match of two games with seats swapped.
        points: The points in tenths, if they differ from those of `result`. An example is 25 for a match of
            three games with two won and one drawn.
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
"""The entry of a player that was to be paired and got no opponent."""


def absence(result: Result = Result.LOSS) -> Entry:
    """Return the entry of an absent player who gets the points of `result`."""
    return Entry(kind=Kind.ABSENCE, result=result)


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """The points for each kind of entry and result, in tenths of a point.

    Attributes:
        absence: The points for an absence with the result LOSS. An absence with WIN or DRAW gives `win` or
            `draw`.
        bye: The points for a pairing-allocated bye.
    """

    win: int = 10
    draw: int = 5
    loss: int = 0
    absence: int = 0
    forfeit_loss: int = 0
    bye: int = 10

    def of(self, entry: Entry) -> int:
        """Return the points that an entry gives, in tenths."""
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
    """A player of the tournament.

    Attributes:
        entries: One for each round that has been paired. A player that enters late has absences in the rounds
            before. A further entry, always an absence, says that the player is not to be paired in the next
            round.
        acceleration: For each round the virtual points, in tenths, that are added to the player's score when
            that round is paired. Rounds beyond the end have none.
        name: For files; pairing ignores it.
        rating: For files; pairing ignores it.
    """

    entries: tuple[Entry, ...] = ()
    acceleration: tuple[int, ...] = ()
    name: str = ""
    rating: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """A group of players that may not meet each other in rounds from `since` on and before `until`.

    Rounds are numbered from 0. None as `until` stands for the end of the tournament.
    """

    players: frozenset[int]
    since: int = 0
    until: int | None = None

    def holds(self, number: int) -> bool:
        """Return whether the players may not meet in round `number`, from 0."""
        return self.since <= number and (self.until is None or number < self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A tournament whose next round is to be paired, or that is over.

    Attributes:
        players: The players in the order of their pairing numbers, the top seed first.
        rounds: The number of rounds in all. The last round has rules of its own.
        played: The number of rounds that have been paired. It is also the number of the next round, from 0.
        first_seat: The seat of the top seed in the first round, drawn by lot. None to infer it from the first
            round in which a player had a seat; without such a round it is 0.

    Raises:
        ConfigError: The entries are inconsistent. A player has too few or too many of them, a player does not
            exist, or an opponent's entry for a game is missing or has the same seat.
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
        for number in sorted({one for group in self.forbidden for one in group.players}):
            if not 0 <= number < len(self.players):
                raise ConfigError(f"forbidden pairs name player {number + 1} of {len(self.players)}")

    def _is_consistent(self, number: int, round_: int, entry: Entry) -> bool:
        """Return whether an entry is possible. For a game, the opponent must have an entry for the same game.

        For a forfeit the opponent's entry does not matter.

        Args:
            number: The player with the entry.
            round_: The round, from 0.
        """
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
        """Return the tournament as it was before the pairing of round `number`, from 0.

        Players that entered later are included, as absent.
        """
        players = (
            replace(player, entries=player.entries[: number + 1 - player.entries[number].is_paired])
            for player in self.players
        )
        return replace(self, players=tuple(players), played=number, first_seat=self.top_seat)

    def is_there(self, number: int) -> bool:
        """Return whether player `number` is to be paired in the next round."""
        return len(self.players[number].entries) == self.played

    def score(self, number: int, rounds: int | None = None) -> int:
        """Return a player's score without acceleration.

        Args:
            number: The player.
            rounds: Number of rounds that count, from the first; None for all.
        """
        entries = self.players[number].entries[: self.played if rounds is None else rounds]
        return sum(self.points.of(entry) for entry in entries)

    def accelerated(self, number: int, rounds: int | None = None) -> int:
        """Return the score by which a player is paired, acceleration included.

        Args:
            number: The player.
            rounds: Number of the round that is paired, from 0; None for the next round.
        """
        rounds = self.played if rounds is None else rounds
        return self.score(number, rounds) + sum(self.players[number].acceleration[rounds : rounds + 1])

    # In a first round seats alternate down the list of the players that take part, so that any known seat
    # determines the others.
    @property
    def top_seat(self) -> int:
        """The seat of the top seed in the first round: drawn (`first_seat`), or inferred from the entries."""
        if self.first_seat is not None:
            return self.first_seat
        for round_ in range(self.played):
            rows = [player.entries[: round_ + 1] for player in self.players]
            seats = [row[-1].seat for row in rows if any(entry.is_paired for entry in row)]
            for index, seat in enumerate(seats):
                if seat is not None:
                    return index % 2 ^ seat
        return 0


def baku_size(players: int) -> int:
    """Return how many players the Baku method accelerates: the upper half, rounded up to an even number."""
    return 2 * -(-players // 4)


def baku_points(points: Points, rounds: int) -> tuple[int, ...]:
    """Return the virtual points, in tenths, of an accelerated player by round (FIDE Handbook C.04.7).

    The first half of the rounds is accelerated. The first half of these rounds gives the points of a win, the
    others the points of a draw. Halves are rounded up.
    """
    accelerated = -(-rounds // 2)
    full = -(-accelerated // 2)
    return (points.win,) * full + (points.draw,) * (accelerated - full)


def with_baku_acceleration(tournament: Tournament) -> Tournament:
    """Return the tournament accelerated by the Baku method (FIDE Handbook C.04.7).

    A late entry is accelerated if its pairing number is in the upper half.
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
    """The pairing of a round.

    Attributes:
        pairs: The two players of each pair, the player with the first seat first. Pairs are in the order of
            publication: by the score of the higher player, by the score of the lower player, and by the
            number of the higher player.
        bye: The player with the bye, or None.
        departure: One line that says how the pairing departs from the rules: a field that is too large is
            paired in parts, or a pair or the bye breaks a rule. "" if it does not.
    """

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None
    departure: str = ""
