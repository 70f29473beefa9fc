"""After a game: what happened, complete enough to replay, judge again and report, and what persons decided.

A `GameRecord` is a small `GameResult`, which competitions and reports fold, and the moves. A million results
are folded to resume; the moves stay where they are until somebody asks for one game. Frozen, JSON-ready.

Results, and what they are made of, cannot refer back to themselves, so the garbage collector need not know of
them (`gc=False`): reading one costs a sixth less.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from msgspec.structs import replace

from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.text import printable
from gyoji.core.wire import Value, dumps


class Played(NamedTuple):
    """One seat's move as it was played.

    seat     from 0.   move  in the notation of the game's rules.   ns  charged to the seat, by its meter.
    comment  the engine's own words about it, "" for none.
    phase    the part of the game it was played in, "" for the ordinary one.
    note     what the rules say of it, where that is not plain: why it came to nothing.
    """

    seat: int
    move: str
    ns: int
    comment: str = ""
    phase: str = ""
    note: str = ""


class TakenBack(NamedTuple):
    """Turns that were taken back. seat: who wished it.   turn: the number of the first of them, from 0."""

    seat: int
    turn: int
    moves: tuple[tuple[Played, ...], ...]


class Aside(NamedTuple):
    """Time that was charged for an answer that became no move: a wish, or a move that was asked for again.

    turn: how many turns had been played then.   ns: charged to the seat, by its meter.
    """

    turn: int
    seat: int
    ns: int


class Lag(NamedTuple):
    """Network time of an answer that was not charged.

    turn: how many turns had been played then.   ns: by the account of who gave the answer.
    """

    turn: int
    seat: int
    ns: int


class Timing(NamedTuple):
    """The time of one question for a move, kept only where it was long. ns.

    turn     number of the turn that was asked for, from 0.   seat  who was asked.
    wall     from the question to the answer, or until it was too late for one.
    unread   of that, how long the answer lay there before we read it, at most: our delay.
    delayed  how long a thread of the engine was ready to run and had no processor: of the one that waited
             longest.
    cpu      CPU time of all processes of the engine meanwhile.
    stalled  how long the machine stood still, not by the engine's doing.

    None: not known.
    """

    turn: int
    seat: int
    wall: int
    unread: int = 0
    delayed: int | None = None
    cpu: int | None = None
    stalled: int = 0


class Opinion(NamedTuple):
    """An evaluation in a game. turn: the number of the turn for which it was made, from 0."""

    turn: int
    seat: int
    evaluation: Evaluation


class EngineReport(Value, frozen=True, kw_only=True, gc=False):
    """A report on the engine that played one seat.

    name, description  as it gave them; "" if it did not.
    cpu_ns     CPU time of its process tree, by its own account if it keeps one; None if unknown.
    think_ns   charged for moves, in total; slowest_ns for the longest one.
    status     how the process ended ("exit 0", "signal 9"), or the conversation of who has none ("hung up"
               first, or was "left"); "" if unknown.
    startup_ns from the start of its process until it was ready for the game.
    containment  by which level it was contained, and what was missing of it; "" if unknown.
    """

    name: str = ""
    description: str = ""
    cpu_ns: int | None = None
    think_ns: int = 0
    slowest_ns: int = 0
    status: str = ""
    startup_ns: int = 0
    containment: str = ""


class GameResult(Value, frozen=True, kw_only=True, gc=False):
    """The part of a record that competitions and reports are made of.

    players   player codes in seat order.   turns  number of turns played, passes included.
    started   ISO 8601 time with offset.    wall_ns  from start to the last answer.
    scores    what each seat's engine said of the score, "" where it said nothing.
    warnings  one line each: forfeits and what else the organiser should see.
    late      what went wrong after the game was decided, and what else changes nothing.
    settled   how it was settled which stones are dead before the game was counted: by "play" that went on, by
              the engines' "agreement", or play went on after a "dispute"; "" if nothing was settled.
    dead      the stones that were taken off as dead without being captured.
    sides     the side each seat had, where players may change sides (after a swap seat 0 has 1, White); ()
              where seat and side are the same.
    left_out  the seats without which the game went on, in the order in which they fell out.
    teams     the team of each seat; () where seats take two teams in turn: 0, 1, 0, 1.
    digest    equal in games that went the same way from the same start, see `course_digest`; "" of a game
              without turns, and where nobody has looked.
    host      the name of the machine that it was played on; "" for the one whose scheduler ordered it.
    clock_factor  by which factor its clocks were longer than the settings say, for the machine it was
              played on.
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
    clock_factor: float = 1.0

    def team_of(self, seat: int) -> int:
        """The team of a seat."""
        return self.teams[seat] if self.teams else seat % 2

    def seats_of(self, team: int) -> tuple[int, ...]:
        """The seats of a team, in their order."""
        return tuple([seat for seat in range(len(self.players)) if self.team_of(seat) == team])

    @property
    def opponents(self) -> tuple[str, ...]:
        """Who plays each team, in the order of teams: where it has several seats, who has the first."""
        if not self.teams:
            return self.players[:2]
        return tuple([self.players[self.teams.index(team)] for team in range(max(self.teams) + 1)])


def course_digest(opening: object, turns: Iterable[Iterable[Sequence[object]]], outcome: Outcome) -> str:
    """16 hexadecimal digits of how a game went: its opening, the moves of each seat, how it ended for whom.

    turns: of each move its seat and what was played first. Stores keep it: whoever changes this makes it anew
    for all that is stored.
    """
    moves = [f"{move[0]} {move[1]}" for turn in turns for move in turn]
    if not moves:
        return ""
    end = [f"{number:g}" for number in (*(outcome.points or ()), *outcome.totals)]
    text = "\n".join((dumps(opening or None), *moves, " ".join((outcome.ending.value, *end))))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def stored_teams(teams: Sequence[int]) -> tuple[int, ...]:
    """The teams of a game's seats as its result has them.

    >>> stored_teams((0, 1, 0, 1)), stored_teams((0, 0, 1, 1))
    ((), (0, 0, 1, 1))
    """
    is_usual = all(team == seat % 2 for seat, team in enumerate(teams))
    return () if is_usual else tuple(teams)


def teams_of_players(players: Sequence[str]) -> tuple[int, ...]:
    """The teams of a game of which only the players are known: the seats of a player are its team.

    >>> teams_of_players(("b", "b", "a", "a"))
    (0, 0, 1, 1)
    """
    order = list(dict.fromkeys(players))
    return stored_teams([order.index(player) for player in players]) if len(players) > 2 else ()


class GameRecord(Value, frozen=True, kw_only=True):
    """One finished game. `turns` holds, per turn, the moves made at once.

    final_remarks: (seat, text) an engine said about a move that is not in the turns (it resigned,
    claimed, or its move was refused).
    refused: the move against the rules that lost the game, if one did.
    timings: what became of the time of slow moves, in their order, one that came too late included.
    opinions: of positions, as engines told them, in the order of the turns.
    taken_back: the turns that were taken back, in the order in which that was done.
    aside: what was charged for answers that became no move, in their order.
    lags: what was not charged of answers, in their order; what was charged is without it.
    """

    result: GameResult
    turns: tuple[tuple[Played, ...], ...]
    final_remarks: tuple[tuple[int, str], ...] = ()
    refused: Played | None = None
    timings: tuple[Timing, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()
    aside: tuple[Aside, ...] = ()
    lags: tuple[Lag, ...] = ()


class VoidGame(Value, frozen=True, kw_only=True):
    """A game that ended in a breakdown: no result. It is played again, under the same id.

    to_move    codes of the players that were to move then, as far as is known.
    by_death   whether its worker died under it, or another process of ours that its engines need.
    against    the player that this counts against: it alone was to move, and was free to kill our worker.
    suspended  the player because of whom it was not played at all.
    after      how many finished games were stored before it; -1 where that is not known.
    settled    see `GameResult`, as far as it had come.
    restarted  whether a person had it played again, so that it counts against nobody.
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


# Rulings of a person: kept beside the result, which they never overwrite

WAITING = "waiting for the judge"
"""The detail of a game that was played out and that only a person can decide."""


class Ruling(Value, frozen=True, kw_only=True):
    """One ruling about one game; a later one takes the place of an earlier one, which stays on record.

    who, when  the judge, and ISO 8601 time with offset.
    dead       a point of each group that is dead; seki likewise, of those that live without eyes.
    filled     (seat, point) of each dame that was filled.
    basis      how the outcome came about, in a few words ("territory", "award").
    remark     the judge's own words.
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
        """One line: who ruled, on what basis, and what there is to say of it.

        >>> game_over = Outcome(points=None, ending=Ending.NO_RESULT)
        >>> Ruling(who="ann", when="", outcome=game_over, basis="incomplete", remark="power cut").text
        'ruled by ann: incomplete; power cut'
        """
        said = "; ".join(part for part in (self.basis, self.remark) if part)
        return printable(f"ruled by {self.who}{f': {said}' if said else ''}")

    def applied(self, result: GameResult) -> GameResult:
        """The result as it is by this ruling."""
        return replace(result, outcome=replace(self.outcome, detail=self.text))


class Purge(Value, frozen=True, kw_only=True):
    """Finished games that were taken back: they stay on record, count no more, and are played again.

    who, when  who did it, and ISO 8601 time with offset.   because: the reason, one line.
    games      their ids: all that had been played on the host then.
    """

    who: str
    when: str
    because: str
    games: tuple[str, ...]


def is_waiting(result: GameResult) -> bool:
    """Whether a game has been played out and waits for its ruling."""
    outcome = result.outcome
    return outcome.points is None and outcome.ending is Ending.SCORE and outcome.detail == WAITING
