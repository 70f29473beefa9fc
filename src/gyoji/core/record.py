"""Finished games as values: records to replay, judge again and report, and decisions of judges and
organisers.

A `GameRecord` consists of a small `GameResult`, which is all that competitions and reports use, and the
moves. To resume, a competition adds up to a million results; moves are read only for single games, for
example to show one. All values are frozen and JSON-ready.
"""

# Results and their parts cannot be in a reference cycle, so the garbage collector does not track them
# (`gc=False`). That makes reading one a sixth cheaper.

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from msgspec.structs import replace

from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.text import printable
from gyoji.core.wire import Value, dumps


class Played(NamedTuple):
    """One seat's move in a finished turn.

    Attributes:
        move: The move in the notation of the rules.
        ns: Time charged to the seat, in ns.
        comment: The engine's remark; "" for none.
        phase: Phase of the game; "" for ordinary play.
        note: Comment of the rules, such as why a move had no effect; "" for none.
    """

    seat: int
    move: str
    ns: int
    comment: str = ""
    phase: str = ""
    note: str = ""


class TakenBack(NamedTuple):
    """Turns that were taken back.

    Attributes:
        seat: The seat that requested the take-back.
        turn: Number of the first of these turns, from 0.
    """

    seat: int
    turn: int
    moves: tuple[tuple[Played, ...], ...]


class ExtraTime(NamedTuple):
    """Time charged for an answer that did not become a move: a request, or a refused move.

    Attributes:
        turn: Number of turns played before it.
        ns: Time charged to the seat, in ns.
    """

    turn: int
    seat: int
    ns: int


class Lag(NamedTuple):
    """Network delay of a human or remote player's answer, which was not charged.

    Attributes:
        turn: Number of turns played before it.
        ns: Network delay that was credited, in ns.
    """

    turn: int
    seat: int
    ns: int


class Timing(NamedTuple):
    """How the time of one slow move was spent. All times are in ns, and None means unknown.

    Attributes:
        turn: Number of the turn, from 0.
        seat: The seat to move.
        wall: Time from the request to the answer, or to the end of the time limit.
        unread: Upper bound of the time that the answer waited before gyoji read it.
        delayed: Time that a thread of the engine was runnable without a processor; the maximum over its
            threads.
        cpu: CPU time of all processes of the engine.
        stalled: Time that the whole machine stood still, not caused by the engine.
    """

    turn: int
    seat: int
    wall: int
    unread: int = 0
    delayed: int | None = None
    cpu: int | None = None
    stalled: int = 0


class Opinion(NamedTuple):
    """An engine's evaluation during a game.

    Attributes:
        turn: Number of the turn in which the engine made a move and gave the evaluation, from 0.
        seat: The engine's seat.
        with_move: Whether the evaluation came with the move, so that adjudication used it at once. If it came
            later, adjudication used it from the seat's next answer on.
    """

    turn: int
    seat: int
    evaluation: Evaluation
    with_move: bool = False


class VariationFlaws(NamedTuple):
    """Faults of one kind in the principal variations that an engine sent during a game.

    Attributes:
        kind: The fault, in the terms of the game's rules.
        number: Number of variations with the fault.
        turn: Number of the turn, from 0, with which the first such variation came.
        move: The faulty move in that variation; "" if the fault is of the whole variation.
    """

    kind: str
    number: int
    turn: int
    move: str


class EngineReport(Value, frozen=True, kw_only=True, gc=False):
    """Facts about the engine that played one seat.

    Attributes:
        name: Name that it reported; "" for none.
        description: Description that it reported; "" for none.
        cpu_ns: CPU time of its process tree, or the CPU time that it reported; None if unknown.
        think_ns: Time charged for all moves.
        slowest_ns: Time charged for its slowest move.
        status: How the process ended ("exit 0", "signal 9"). For a player without a process, how the
            connection ended ("hung up", "left"). "" if unknown.
        startup_ns: Time from the start of its process until it was ready.
        containment: Level of containment, and the layers that were missing; "" if unknown.
        variations: Faults of its principal variations, by kind.
        illegal_tries: Number of its illegal or unreadable answers after which it was asked again.
    """

    name: str = ""
    description: str = ""
    cpu_ns: int | None = None
    think_ns: int = 0
    slowest_ns: int = 0
    status: str = ""
    startup_ns: int = 0
    containment: str = ""
    variations: tuple[VariationFlaws, ...] = ()
    illegal_tries: int = 0


class GameResult(Value, frozen=True, kw_only=True, gc=False):
    """The part of a game's record that competitions and reports use.

    Attributes:
        players: Player codes in seat order.
        turns: Number of turns played, passes included.
        started: ISO 8601 time with offset.
        wall_ns: Time from the start to the last answer.
        scores: Each engine's statement of the score; "" for none.
        warnings: One line each: forfeits and other events for the organiser.
        late: One line for each problem after the outcome was decided, and for other problems without effect.
        settled: Method that decided which stones are dead: resumed "play", the engines' "agreement", or play
            after a "dispute". "" if nothing had to be decided.
        dead: Points of the stones that were removed as dead without being captured.
        sides: The side of each seat in a game in which players may change sides, such as (1, 0) after a swap;
            () if seat and side are the same.
        left_out: Seats that were removed while the game went on, in order.
        teams: The team of each seat; () if seats alternate between two teams: 0, 1, 0, 1.
        digest: Hash that is equal for games with the same start, moves and outcome (`course_digest`). "" if
            unknown, and for games without turns.
        host: Name of the machine that played the game; "" for the machine of the scheduler.
    """

    id: str
    pairing: str
    players: tuple[str, ...]
    outcome: Outcome
    turns: int
    engines: tuple[EngineReport, ...]
    started: str
    wall_ns: int
    scores: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    sides: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()
    settled: str = ""
    dead: tuple[str, ...] = ()
    teams: tuple[int, ...] = ()
    digest: str = ""
    host: str = ""

    def team_of(self, seat: int) -> int:
        """Return the number of the team that a seat belongs to."""
        return self.teams[seat] if self.teams else seat % 2

    def seats_of(self, team: int) -> tuple[int, ...]:
        """Return the seats of a team, in order."""
        return tuple([seat for seat in range(len(self.players)) if self.team_of(seat) == team])

    @property
    def opponents(self) -> tuple[str, ...]:
        """The player of each team's first seat, in team order."""
        if not self.teams:
            return self.players[:2]
        return tuple([self.players[self.teams.index(team)] for team in range(max(self.teams) + 1)])


# Seats are digested instead of players, and times and remarks are left out, because they differ when a game
# is repeated.
def course_digest(opening: object, turns: Iterable[Iterable[Sequence[object]]], outcome: Outcome) -> str:
    """Return 16 hexadecimal digits that identify how a game went: its opening, all moves, and the outcome.
    Return "" for a game without moves.

    Stores keep this digest, so a change of this function must update all stored digests.

    Args:
        turns: The simultaneous moves of each turn. A move is a sequence that begins with its seat and text.
    """
    moves = [f"{move[0]} {move[1]}" for turn in turns for move in turn]
    if not moves:
        return ""
    end = [f"{number:g}" for number in (*(outcome.points or ()), *outcome.totals)]
    text = "\n".join((dumps(opening or None), *moves, " ".join((outcome.ending.value, *end))))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def stored_teams(teams: Sequence[int]) -> tuple[int, ...]:
    """Return the teams of seats in the form stored with a result: () if seats alternate between two teams.

    >>> stored_teams((0, 1, 0, 1)), stored_teams((0, 0, 1, 1))
    ((), (0, 0, 1, 1))
    """
    is_alternating = all(team == seat % 2 for seat, team in enumerate(teams))
    return () if is_alternating else tuple(teams)


def teams_of_players(players: Sequence[str]) -> tuple[int, ...]:
    """Return the teams of a game of which only the players are known: all seats of a player are one team.

    >>> teams_of_players(("b", "b", "a", "a"))
    (0, 0, 1, 1)
    """
    order = list(dict.fromkeys(players))
    return stored_teams([order.index(player) for player in players]) if len(players) > 2 else ()


class GameRecord(Value, frozen=True, kw_only=True):
    """One finished game.

    Attributes:
        turns: The simultaneous moves of each turn.
        final_remarks: (seat, remark) about answers that did not become moves: a resignation, a claim, a
            refused move.
        refused: The illegal move that lost the game, or None.
        timings: How the time of slow moves was spent, in order. A move that came too late is included.
        opinions: Evaluations, in the order of the turns.
        taken_back: Turns that were taken back, in the order in which that happened.
        extra_time: Time charged for answers that did not become moves, in order.
        lags: Network delays that were not charged, in order. Charged times exclude them.
        umpire: The conversation with the umpire, one line of JSON for each message, in order; () for a game
            without an umpire.
    """

    result: GameResult
    turns: tuple[tuple[Played, ...], ...]
    final_remarks: tuple[tuple[int, str], ...] = ()
    refused: Played | None = None
    timings: tuple[Timing, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()
    extra_time: tuple[ExtraTime, ...] = ()
    lags: tuple[Lag, ...] = ()
    umpire: tuple[str, ...] = ()


class VoidGame(Value, frozen=True, kw_only=True):
    """A game that failed and has no result. It is played again under the same id.

    Attributes:
        to_move: Codes of the players to move at the failure, as far as known.
        by_death: Whether the cause was the death of its worker or of another process of gyoji.
        against: Code of the player blamed for the failure, because it alone was to move and could have killed
            the worker; "" if none is blamed.
        suspended: Code of the suspended player because of whom the game was not played; "" for none.
        after: Number of finished games stored before it; -1 if unknown.
        settled: As in `GameResult`; "" if not yet decided.
        restarted: Whether a person restarted the game, so that no player is blamed.
    """

    id: str
    pairing: str
    players: tuple[str, ...]
    reason: str
    started: str
    turns: tuple[tuple[Played, ...], ...] = ()
    late: tuple[str, ...] = ()
    to_move: tuple[str, ...] = ()
    by_death: bool = False
    against: str = ""
    suspended: str = ""
    after: int = -1
    settled: str = ""
    restarted: bool = False


# A judge's rulings are stored beside the result and never overwrite it.

WAITING = "waiting for the judge"
"""The detail of a finished game that only a judge can decide."""

NOT_SCORED = "not scored yet"
"""The detail of a finished game that an engine without a seat still has to score."""


class Ruling(Value, frozen=True, kw_only=True):
    """A judge's ruling on one game. A later ruling replaces an earlier one, which stays on record.

    Attributes:
        who: The judge.
        when: ISO 8601 time with offset.
        dead: One point of each dead group.
        seki: One point of each group that lives in seki.
        filled: (seat, point) of each dame that was filled.
        basis: Basis of the outcome in a few words ("territory", "award").
        remark: The judge's comment.
    """

    who: str
    when: str
    outcome: Outcome
    dead: tuple[str, ...] = ()
    seki: tuple[str, ...] = ()
    filled: tuple[tuple[int, str], ...] = ()
    basis: str = ""
    remark: str = ""

    @property
    def text(self) -> str:
        """A line that says who ruled, on what basis, with the judge's remark.

        >>> game_over = Outcome(points=None, ending=Ending.NO_RESULT)
        >>> Ruling(who="ann", when="", outcome=game_over, basis="incomplete", remark="power cut").text
        'ruled by ann: incomplete; power cut'
        """
        said = "; ".join(part for part in (self.basis, self.remark) if part)
        return printable(f"ruled by {self.who}{f': {said}' if said else ''}")

    def applied(self, result: GameResult) -> GameResult:
        """Return the result with the judge's outcome in place of its own."""
        return replace(result, outcome=replace(self.outcome, detail=self.text))


class Purge(Value, frozen=True, kw_only=True):
    """Finished games of one machine that an organiser invalidated. They stay on record, do not count, and are
    played again.

    Attributes:
        who: The person who did it.
        when: ISO 8601 time with offset.
        because: Reason in one line.
        games: Ids of the invalidated games: all counted games that the machine had played.
    """

    who: str
    when: str
    because: str
    games: tuple[str, ...]


def is_waiting(result: GameResult) -> bool:
    """Return whether a finished game waits for a judge's ruling."""
    outcome = result.outcome
    return outcome.points is None and outcome.ending is Ending.SCORE and outcome.detail == WAITING
