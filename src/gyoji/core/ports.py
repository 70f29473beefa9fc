"""The ports: what the referee and the runner ask of rules, codecs, competitions and engines.

Extensions (`gyoji.core.game`, `gyoji.core.plugins`) make objects that keep these promises;
`gyoji.testing` has a conformance kit for each. What only some of them can do is a protocol of its own, which
is looked for at run time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, Protocol, TypeAlias, TypeGuard, TypeVar

from gyoji.core.faults import Breakdown
from gyoji.core.messages import MoveT, Reply, Request, Turn
from gyoji.core.outcome import Outcome
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec, Player

Position = TypeVar("Position")
Position_contra = TypeVar("Position_contra", contravariant=True)
Move_contra = TypeVar("Move_contra", contravariant=True)
T = TypeVar("T")


def offers(made: object, part: type[T]) -> TypeGuard[T]:
    """Whether an object has all members of a protocol, by their names.

    As `isinstance` of a protocol that can be checked at run time, which takes some thirty times as long. A
    game asks a dozen times.
    """
    kind: type = part
    for name in _members(kind):  # noqa: SIM110 - half the time of `all`
        if not hasattr(made, name):
            return False
    return True


def needed(rules: object, part: type[T], protocol: str, game: str) -> T:
    """Rules that have all members of `part`, as control files promise.

    Raises Breakdown for others: the protocol of that name is for that game alone.
    """
    if offers(rules, part):
        return rules
    raise Breakdown(f"protocol {protocol}: it has words for {game} alone")


@cache
def _members(part: type) -> tuple[str, ...]:
    found = {
        name for kind in part.__mro__[:-1] for name in (*vars(kind), *vars(kind).get("__annotations__", ()))
    }
    return tuple(sorted(name for name in found if not name.startswith("_")))


class Rules(Protocol[Position, MoveT]):
    """A game with its options fixed. Pure: positions are immutable, equal games give equal positions.

    Rules may also be what the protocols below say: `HasRoles` to `SettlesDead`.
    """

    @property
    def seats(self) -> int:
        """How many places there are, numbered from 0."""

    @property
    def teams(self) -> Sequence[int]:
        """The team of each seat: (0, 1) for two players, (0, 1, 0, 1) for two pairs."""

    def start(self) -> Position: ...

    def acting(self, position: Position) -> tuple[int, ...]:
        """The seats that move now, ascending; several move at once, none when the game is over."""

    def phase(self, position: Position) -> str:
        """The part of the game, "" for ordinary play."""

    def legal(self, position: Position, seat: int) -> Iterable[MoveT]:
        """Every move that `play` would accept from an acting seat, in a fixed order.

        In a special phase an example will do.
        """

    def check(self, position: Position, seat: int, move: MoveT) -> None:
        """Raise `IllegalMove` saying why, exactly when `play` would; also for a seat that is not acting."""

    def play(self, position: Position, turn: Turn[MoveT]) -> Position:
        """The position after the acting seats' moves; raises `IllegalMove`, naming the seat."""

    def drop(self, position: Position, seat: int) -> Position | None:
        """The position in which the game goes on without `seat`; None: its team has lost.

        Asked of a seat that broke a rule, and of one that resigned in a game of more than two sides.
        """

    def outcome(self, position: Position) -> Outcome:
        """How the game ended, when nobody is acting any more."""

    def plain(self, position: Position, move: MoveT) -> MoveT:
        """The move to tell an engine for `move`, made in `position`, if it knows only ordinary moves."""

    def view(self, position: Position, seat: int) -> object:
        """The view that `seat` has of a position. Positions that it cannot tell apart give equal views."""

    def news(self, turn: Turn[MoveT], seat: int) -> Turn[MoveT]:
        """The moves of a turn that `seat` is told: its own, and those of others that it may know.

        A move may stand for another that is hidden: it has a `format`, and need not be legal. Where a view is
        not the position itself, no more is told than it shows: turns after which views are equal are told as
        equal.
        """

    def parse(self, text: str) -> MoveT:
        """The move that `text` writes. Raises ValueError for what is no move on this board."""

    def format(self, move: MoveT) -> str:
        """The text of a move: `parse(format(move)) == move`."""


AnyRules: TypeAlias = Rules[object, object]
"""Rules whose positions and moves only they themselves know."""


class HasRoles(Protocol):
    """roles: what each seat is in its team. Who is out of a game is named so."""

    @property
    def roles(self) -> Sequence[str]: ...


class ChangesSides(Protocol[Position_contra]):
    """Players may change sides."""

    def sides(self, position: Position_contra, /) -> Sequence[int]:
        """The side each seat has."""


class TakesDeclining(Protocol[Position]):
    """A game can go on when a seat says that it cannot do what is asked of it in a phase."""

    def declined(self, position: Position, seat: int, /) -> Position | None:
        """The position in which it goes on, the phase's turns taken back; None: the seat's team has lost."""


class DrawsViews(Protocol[Position_contra, Move_contra]):
    """A person can play: the view of a seat can be drawn. notation: how moves are written, in words."""

    @property
    def notation(self) -> str: ...

    def render(self, view: Position_contra, last: Turn[Move_contra] = (), /) -> str:
        """A view as printable lines; the moves of `last` are marked where a drawing can show that."""


class NotesMoves(Protocol[Position_contra, Move_contra]):
    """The rules have something to say of moves that stand."""

    def notes(self, position: Position_contra, turn: Turn[Move_contra], /) -> Sequence[str]:
        """Per move of a turn, in words; "" for nothing."""


class BoundsMargins(Protocol[Position_contra]):
    """A game of two in which no score can be more than so much."""

    def greatest_margins(self, position: Position_contra, /) -> tuple[float, float]:
        """By how much each seat can have won at most."""


class MayBeUnruled(Protocol):
    """is_ruled False: it is not agreed by which rules the players play (Go without a ruleset). An engine may
    be right then that calls a legal move illegal."""

    @property
    def is_ruled(self) -> bool: ...


class SettlesDead(Protocol[Position]):
    """Once both sides have passed, dead stones may still be on the board: see `gyoji.referee.counting`.

    Sets of stones are ints. dead_stones: how it is settled which are dead. longest_cleanup: turns after which
    play that was resumed ends.
    """

    @property
    def dead_stones(self) -> str: ...

    @property
    def longest_cleanup(self) -> int: ...

    def stopped(self, position: Position, /) -> bool:
        """Whether both sides have passed, and dead stones may still be on the board."""

    def resume(self, position: Position, /) -> Position:
        """A stopped position with play going on."""

    def close(self, position: Position, dead: int, /) -> Position:
        """The game over, without these stones."""

    def dead_groups(self, position: Position, names: Iterable[str], /) -> int:
        """The groups of which stones are named."""

    def of_seat(self, position: Position, seat: int, stones: int, /) -> int:
        """The stones of a set that are the seat's own."""

    def names_of(self, stones: int, /) -> tuple[str, ...]:
        """The stones of a set, in the game's notation."""


class Codec(Protocol):
    """Our half of the conversation with one engine: requests to bytes, bytes to replies.

    No I/O, no clock, no rules; bytes may arrive in any cuts. A codec may also be what the two protocols below
    say.
    """

    def send(self, request: Request) -> bytes:
        """The bytes that put a request, possibly none."""

    def receive(self, data: bytes) -> Sequence[Reply]:
        """The replies that are complete now. `More` asks for bytes to be written; `Broken` is always last."""

    def finish(self) -> Sequence[Reply]:
        """The engine has closed its output: what its last bytes amount to, often `Broken`, or nothing."""


class AnswersItself(Protocol):
    """answers_itself True: there are requests that no engine answers. After each `send` the runner calls
    `receive(b"")`, which gives the replies that the codec has made up itself."""

    @property
    def answers_itself(self) -> bool: ...


class LimitsForks(Protocol):
    """forks False: a second process of the engine (not a thread) is a fault, which the runner looks out for.
    True: it may have some, and a clock of CPU time charges what they use too."""

    @property
    def forks(self) -> bool: ...


class Competition(Protocol):
    """A format with its players, as a fold over finished games.

    `add` and `next_game` cost O(log n) at most. A competition may also be `Adapts`, or `FixesGames`. A deep
    copy of one that does not adapt tells which games come next.
    """

    def add(self, result: GameResult) -> None:
        """Take a finished game into account. In which order results come matters to tuners alone.

        It may be a game that is set aside (`Ending.SET_ASIDE`): it has no result, stands in no table, and is
        not waited for. seat: whose player is suspended, None if the game could not be played.
        """

    def next_game(self) -> GameSpec | None:
        """The next game to start, each at most once; None if there is none now (an `add` may change that)."""

    def remaining(self) -> int | None:
        """How many games are still to be issued, as far as is known; None for endless."""

    def checks(self) -> Iterable[GameSpec]:
        """For each player that will play, a game that shows with which settings to try it."""


class Shortage(NamedTuple):
    """The system has ended processes of an engine for want of memory; own: whether that is its own doing."""

    own: bool
    text: str


class Adapts(Protocol):
    """adapts True: results so far decide who plays, so no game is issued before it can start."""

    @property
    def adapts(self) -> bool: ...


def adapts(competition: object) -> bool:
    """Whether results so far decide who plays in it."""
    return offers(competition, Adapts) and competition.adapts


class FixesGames(Protocol):
    """has_fixed_games True: results decide neither which games there are nor in which order they are issued.
    So a game may be started before those that have just ended are counted."""

    @property
    def has_fixed_games(self) -> bool: ...


class Channel(Protocol):
    """Our end of the conversation with a player: bytes out, bytes in, closed.

    stdin, stdout: what is written to the one is its input, what is read from the other its output. They are
    two descriptors, non-blocking, that can be waited for. At the end of the output there is an end of file,
    or an OSError. A channel may also be `BringsCodec`.
    """

    player: Player
    stdin: int
    stdout: int

    @property
    def process(self) -> "Process | None":
        """The program at the other end, if we have started one; None for a person, a socket, a function."""

    def close_stdin(self) -> None:
        """Close its input: it reads an end of file."""

    def close(self) -> None:
        """Close all descriptors, those of the process too. A second time does nothing."""


class BringsCodec(Protocol):
    """A channel that does not carry its player's protocol, but one of its own."""

    @property
    def codec(self) -> Codec: ...


class Process(Protocol):
    """The running program of a player beside its channel. Descriptors are non-blocking."""

    stderr: int  # -1 if it is not ours to read
    pid: int
    pidfd: int  # readable when the process has ended
    containment: str  # its level, and what this machine lacks of it: "guarded", "guarded; missing: overlay"
    place: str  # the folder that is its own for a game, "" if it has none

    def cpu_ns(self, *, user_only: bool = False) -> int:
        """CPU time used until now by the process, all threads."""

    def tree_ns(self, *, user_only: bool = False) -> int:
        """The same of all that it has started, as far as can be told: those that have ended too."""

    def offspring(self) -> tuple[bool, int]:
        """(whether it has child processes now, a number that grows when it waits for one that has ended)."""

    def delays(self) -> Mapping[int, int]:
        """By thread of the process and its descendants, ns that it was ready to run and had no processor."""

    def memory(self, most: int = 0) -> int:
        """Bytes of memory that are the process's and its descendants', what they share included, now.

        Exact above `most`; a figure up to that may be too high, and is had faster.
        """

    def lost(self) -> str:
        """Why the process ended with one of ours that was killed, which it could not do itself; "" if not."""

    def shortage(self) -> Shortage | None:
        """Whether it was short of memory since it was started; None if it was not, or nobody knows."""

    def unlinked(self) -> int:
        """Bytes of the files on a disk that they have open and that have no name any more."""

    def suspend(self) -> None:
        """Stop the process and its descendants until `resume`."""

    def resume(self) -> None:
        """Let them run again."""

    def terminate(self) -> None:
        """Ask the whole group to end (TERM)."""

    def kill(self) -> None:
        """End whatever is left of it, group and descendants, at once."""

    def reap(self) -> tuple[str, int] | None:
        """(how it ended, CPU ns of the tree) once the process has ended, None before. Closes nothing."""


class EngineStarter(Protocol):
    """A starter of the engines of one worker."""

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> Channel:
        """Start one engine of `player`; place: a folder that is its own, "" for none.

        Raises `Breakdown` if it cannot be started at all.
        """

    @property
    def pids(self) -> frozenset[int]:
        """The processes that it has started for itself: no engines, and nobody's orphans."""

    def close(self) -> None:
        """End what it has started for itself. No engine is running any more."""


class Prepares(Protocol):
    """A starter of engines that can do beforehand what its first contained engine would wait for.

    prepare: begin with it; to call what it returns is to wait for the end.
    """

    def prepare(self) -> Callable[[], object]: ...
