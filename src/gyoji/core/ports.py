"""The ports: the interfaces that the referee and the runner need of rules, codecs, competitions and engines.

Extensions (`gyoji.core.game`, `gyoji.core.plugins`) implement them, and `gyoji.testing` has a conformance
kit for each. Optional abilities are separate protocols, which `supports` tests at run time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, Protocol, TypeAlias, TypeGuard, TypeVar

from gyoji.core.clocks import Clock
from gyoji.core.faults import Breakdown
from gyoji.core.messages import Evaluation, Move, MoveT, Reply, Request, Turn
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec, Player

Position = TypeVar("Position")
Position_contra = TypeVar("Position_contra", contravariant=True)
Move_contra = TypeVar("Move_contra", contravariant=True)
T = TypeVar("T")


# `isinstance` with a runtime-checkable protocol does the same but takes some thirty times as long, and the
# setup of a game makes a dozen such tests.
def supports(made: object, part: type[T]) -> TypeGuard[T]:
    """Return whether an object has all members of the protocol `part`. Only their names are compared."""
    kind: type = part
    for name in _members(kind):  # noqa: SIM110 - half the time of `all`
        if not hasattr(made, name):
            return False
    return True


def needed(rules: object, part: type[T], protocol: str, game: str) -> T:
    """Return the rules if they have all members of `part`.

    Args:
        protocol: Name of the protocol that needs these members, for the message.
        game: Name of the game whose rules have them.

    Raises:
        Breakdown: The rules lack a member: the protocol can only be used with `game`.
    """
    if supports(rules, part):
        return rules
    raise Breakdown(f"protocol {protocol}: it has words for {game} alone")


@cache
def _members(part: type) -> tuple[str, ...]:
    found = {
        name for kind in part.__mro__[:-1] for name in (*vars(kind), *vars(kind).get("__annotations__", ()))
    }
    return tuple(sorted(name for name in found if not name.startswith("_")))


class Rules(Protocol[Position, MoveT]):
    """A game with its options fixed. Pure: positions are immutable, and equal games give equal positions.

    Rules may also implement the optional protocols below, from `HasRoles` to `SettlesDead`.
    """

    @property
    def seats(self) -> int:
        """The number of seats, which are numbered from 0."""

    @property
    def teams(self) -> Sequence[int]:
        """The team of each seat: (0, 1) for two players, (0, 1, 0, 1) for two pairs."""

    def start(self) -> Position: ...

    def acting(self, position: Position) -> tuple[int, ...]:
        """Return the seats that move now, in ascending order: several if they move at once, none if the game
        is over.
        """

    def phase(self, position: Position) -> str:
        """Return the name of the part of the game that the position is in, such as "handicap"; "" for
        ordinary play.
        """

    def legal(self, position: Position, seat: int) -> Iterable[MoveT]:
        """Return every move that `play` would accept from an acting seat, in a fixed order.

        In a special phase it may return just one example.
        """

    def check(self, position: Position, seat: int, move: MoveT) -> None:
        """Raise `IllegalMove` with the reason exactly if `play` would. The seat need not be acting."""

    def play(self, position: Position, turn: Turn[MoveT]) -> Position:
        """Return the position after the moves of the acting seats. Raises `IllegalMove`, which names the
        seat.
        """

    def drop(self, position: Position, seat: int) -> Position | None:
        """Return the position in which the game goes on without `seat`, or None if its team has lost.

        The referee calls it for a seat that broke a rule, and for one that resigned in a game of more than
        two sides.
        """

    def outcome(self, position: Position) -> Outcome:
        """Return how the game ended. Called when no seat is acting."""

    def simplify(self, position: Position, move: MoveT) -> MoveT:
        """Return the move to send instead of `move`, made in `position`, to an engine that knows only
        ordinary moves.
        """

    def view(self, position: Position, seat: int) -> object:
        """Return what `seat` can see of a position. Positions that it cannot distinguish give equal views."""

    def news(self, turn: Turn[MoveT], seat: int) -> Turn[MoveT]:
        """Return the moves of a turn that `seat` is told: its own, and what it may know of others.

        A returned move may stand for a hidden one. It has a `format` and need not be legal. If views hide
        something, news reveals no more than the view: turns that lead to equal views give equal news.
        """

    def parse(self, text: str) -> MoveT:
        """Parse a move. Raises ValueError for text that is not a move on this board."""

    def format(self, move: MoveT) -> str:
        """Return the text of a move, for which `parse(format(move)) == move`."""


AnyRules: TypeAlias = Rules[object, object]
"""Rules whose types of positions and moves are unknown to the caller."""


class HasRoles(Protocol):
    """Rules that name the role of each seat in its team (`roles`). Messages about a seat use the role."""

    @property
    def roles(self) -> Sequence[str]: ...


class ChangesSides(Protocol[Position_contra]):
    """Rules of a game in which players may change sides."""

    def sides(self, position: Position_contra, /) -> Sequence[int]:
        """Return the side that each seat plays now, in seat order."""


class TakesDeclining(Protocol[Position]):
    """Rules of a game that can go on if a seat says that it cannot do what a special phase, such as swap2,
    asks of it.
    """

    def declined(self, position: Position, seat: int, /) -> Position | None:
        """Return the position without the turns of the present phase, or None if the seat's team has lost.

        seat: The seat that declines to do what the phase asks of it.
        """


class DrawsViews(Protocol[Position_contra, Move_contra]):
    """Rules that draw the view of a seat, so that a human player sees the board.

    `notation` says in words how moves are written.
    """

    @property
    def notation(self) -> str: ...

    def render(self, view: Position_contra, last: Turn[Move_contra] = (), /) -> str:
        """Draw a view as printable lines. The moves of `last` are marked if the drawing can show them."""


class ReadsMoves(Protocol[Position_contra]):
    """Rules that understand more than their own notation if they know the position."""

    def read(self, view: Position_contra, text: str, /) -> Move:
        """Return the move that a human player means by a text.

        Raises:
            ValueError: The text is no move in this position. An illegal move may also be returned.
        """


class CountsProgress(Protocol[Position_contra]):
    """Rules of a game in which a position knows how far the game is, and when it last changed for good.

    Adjudication uses both: a game that begins in the middle is not at its first move.
    """

    def progress(self, position: Position_contra, /) -> tuple[int, int]:
        """Return (turns that lead to the position, by its own count; turns since the last one that cannot be
        undone, such as a capture).
        """


class NotesMoves(Protocol[Position_contra, Move_contra]):
    """Rules that comment on legal moves."""

    def notes(self, position: Position_contra, turn: Turn[Move_contra], /) -> Sequence[str]:
        """Return a comment for each move of a turn made in `position`, in seat order; "" for no comment."""


class BoundsMargins(Protocol[Position_contra]):
    """Rules of a game of two in which the margin has an upper bound."""

    def greatest_margins(self, position: Position_contra, /) -> tuple[float, float]:
        """Return the greatest margin by which each seat can have won."""


class HasAgreedRules(Protocol):
    """Rules that say whether the players agreed on a ruleset (`rules_agreed`).

    They have not if Go is played without a ruleset. An engine that calls a legal move illegal may then be
    right.
    """

    @property
    def rules_agreed(self) -> bool: ...


class ChecksVariations(Protocol[Position_contra, Move_contra]):
    """Rules that can check an engine's principal variation."""

    def variation_flaws(
        self, position: Position_contra, move: Move_contra, evaluation: Evaluation, /
    ) -> Iterable[tuple[str, str]]:
        """Return (kind of fault, move at which it shows) of the variation that explains a move.

        Args:
            position: The position before the move.
            evaluation: Has the variation as the engine wrote it (`pv`).
        """


class HasEndgames(Protocol[Position_contra]):
    """Rules of a game for which there are tables of endgames."""

    def endgame(self, position: Position_contra, /) -> tuple[str, int] | None:
        """Return (FEN, number of pieces) of a position that tables may have, or None.

        A position in which the tables' result would not be the game's is not looked up.
        """


class SettlesDead(Protocol[Position]):
    """Rules of a game in which dead stones may remain on the board after both sides have passed.

    `gyoji.referee.counting` uses them. Sets of stones are bit masks.

    Attributes:
        dead_stones: How it is decided which stones are dead.
        longest_cleanup: Number of turns after which resumed play ends.
    """

    @property
    def dead_stones(self) -> str: ...

    @property
    def longest_cleanup(self) -> int: ...

    def stopped(self, position: Position, /) -> bool:
        """Return whether both sides have passed and dead stones may remain."""

    def resume(self, position: Position, /) -> Position:
        """Return the position in which play goes on after both sides have passed."""

    def close(self, position: Position, dead: int, /) -> Position:
        """Return the position of the finished game, with the dead stones removed.

        Args:
            dead: Dead stones as a bit mask.
        """

    def dead_groups(self, position: Position, names: Iterable[str], /) -> int:
        """Return, as a bit mask, all stones of the groups to which the named points belong."""

    def of_seat(self, position: Position, seat: int, stones: int, /) -> int:
        """Return the part of a set of stones (a bit mask) that belongs to the seat."""

    def names_of(self, stones: int, /) -> tuple[str, ...]:
        """Return the points of a set of stones (a bit mask) in the game's notation."""

    def cost_of_playing_on(self) -> str:
        """Return a sentence that tells a human player what playing on costs after both sides have passed."""


class Umpired(Protocol[Position]):
    """Rules of a game that a program decides, the umpire, which has no seat.

    The rules stay pure: a position holds what the umpire has said so far. When they need to know more, they
    have a `question`, and nobody is acting until its answer has been taken in by `ruled`. A seat that fails
    stays known to the umpire: `failed` takes the place of `drop`.
    """

    def question(self, position: Position, players: Sequence[str], /) -> str:
        """Return the line to send to the umpire, or "" if it is not its turn.

        Args:
            players: The code of the player of each seat.
        """

    def ruled(self, position: Position, lines: Sequence[str], /) -> Position:
        """Return the position after the umpire's answer to the question.

        Raises:
            ValueError: The lines break its protocol. The message says how.
        """

    def failed(self, position: Position, seat: int, ending: Ending, /) -> Position | None:
        """Return the position in which the umpire is to learn that a seat failed; None if its team has lost.

        Args:
            ending: How the game would have ended: on time, by a fault, by an ill-formed answer, or because
                the seat resigned.
        """

    def faults(self, position: Position, /) -> Sequence[tuple[int, str]]:
        """Return (seat, reason) of each fault that the umpire's last answer charged without ending the
        game.
        """

    def is_untold(self, position: Position, seat: int, /) -> bool:
        """Return whether the umpire has told a seat something since the seat was last asked."""

    def begun_again(self, lines: Sequence[str], /) -> str:
        """Return the line with which an umpire begins a recorded game again, with what it had to remember.

        Args:
            lines: The recorded conversation.
        """

    def leaks(self, lines: Sequence[str], /) -> Sequence[str]:
        """Return, in words, each text that a conversation tells one seat alone and another as well.

        It finds what an umpire sends to the wrong seat, not what can be concluded.
        """

    def replayed(self, lines: Sequence[str], /) -> "Umpired[Position]":
        """Return the rules of one recorded game, which find the umpire's answers in its conversation.

        They never have a question as long as the conversation goes on.
        """


class Codec(Protocol):
    """gyoji's half of a protocol: it turns requests into bytes, and an engine's bytes into replies.

    A codec does no I/O, reads no clock and knows no rules. Bytes may arrive in any pieces. A codec may
    also implement `AnswersItself` and `LimitsForks`.
    """

    def send(self, request: Request) -> bytes:
        """Return the bytes that ask an engine for `request`. There may be none."""

    def receive(self, data: bytes) -> Sequence[Reply]:
        """Return the replies that are complete now. `More` has bytes to write; `Broken` is always the last
        reply.
        """

    def finish(self) -> Sequence[Reply]:
        """Return the replies in the last bytes of an engine that closed its output, often `Broken` or
        nothing.
        """


class AnswersItself(Protocol):
    """A codec that answers some requests without the engine, if `answers_itself` is true.

    The runner then calls `receive(b"")` after each `send` for these replies.
    """

    @property
    def answers_itself(self) -> bool: ...


class Ponders(Protocol):
    """A codec of engines that think on the opponent's time.

    The runner calls `ponder` after a move of an engine whose `Ready` had `ponders`, once its clock has been
    charged. No reply to these commands ends a request.
    """

    def ponder(self, clock: Clock, clocks: tuple[Clock, ...]) -> bytes:
        """Return the commands that make the engine think on; b"" if it has nothing to think about.

        Args:
            clock: The seat's own clock.
            clocks: The clocks of all seats; () if the caller does not need those of others.
        """


class LimitsForks(Protocol):
    """A codec that limits the engine's processes.

    If `forks` is false, a second process of the engine (threads are allowed) is a fault, for which the
    runner checks. If it is true, a clock of CPU time charges child processes too.
    """

    @property
    def forks(self) -> bool: ...


class Competition(Protocol):
    """A competition: it is told the result of each finished game, and names the games to play.

    `add` and `next_game` cost O(log n) at most. A competition may also implement `Adapts` or `FixesGames`.
    The next games of one that does not adapt can be computed on a deep copy.
    """

    def add(self, result: GameResult) -> None:
        """Take a finished game into account. The order of results matters only to tuners.

        The game may be a skipped one (`Ending.SKIPPED`). It has no result, appears in no table and is not
        waited for; its outcome's seat is that of a suspended player, or None if the game could not be
        played.
        """

    def next_game(self) -> GameSpec | None:
        """Return the next game to start; each game is returned once.

        None means that there is none for now: an `add` may change that.
        """

    def remaining(self) -> int | None:
        """Return how many games are still to be issued, as far as is known, or None for an endless
        competition.
        """

    def checks(self) -> Iterable[GameSpec]:
        """Return one game for each player that will play. The player is checked before the run as if for
        that game.
        """


class Shortage(NamedTuple):
    """The reason why the system killed processes of an engine: there was too little memory.

    Attributes:
        own: Whether the engine's own limit caused it.
    """

    own: bool
    text: str


class Adapts(Protocol):
    """A competition that chooses players by results, if `adapts` is true. A game is issued only when it can
    start.
    """

    @property
    def adapts(self) -> bool: ...


def adapts(competition: object) -> bool:
    """Return whether the results of a competition decide who plays its next games."""
    return supports(competition, Adapts) and competition.adapts


class FixesGames(Protocol):
    """A competition whose games and their order do not depend on results, if `has_fixed_games` is true.

    A game may then start before the games that have just ended are counted.
    """

    @property
    def has_fixed_games(self) -> bool: ...


class Channel(Protocol):
    """gyoji's end of a connection to a player: an engine, a human player, a socket or a function.

    Both descriptors are non-blocking and can be polled. The output ends with an end of file or an OSError.
    A channel may also implement `BringsCodec`.

    Attributes:
        stdin: Descriptor whose written bytes are the player's input.
        stdout: Descriptor from which the player's output is read.
    """

    player: Player
    stdin: int
    stdout: int

    @property
    def process(self) -> "Process | None":
        """The program at the other end if gyoji started it, else None."""

    def close_stdin(self) -> None:
        """Close the player's input, so that it reads an end of file."""

    def close(self) -> None:
        """Close all descriptors, also those of the process. A second call does nothing."""


class BringsCodec(Protocol):
    """A channel with a codec of its own instead of that of its player's protocol."""

    @property
    def codec(self) -> Codec: ...


class Process(Protocol):
    """The running program behind a channel. All descriptors are non-blocking."""

    stderr: int  # -1 if gyoji does not read it
    pid: int
    pidfd: int  # readable when the process has ended
    containment: str  # its level, and what is missing of it: "guarded", "guarded; missing: overlay"
    place: str  # its own folder for the game; "" for none

    def cpu_ns(self, *, user_only: bool = False) -> int:
        """Return the CPU time in ns used by the process and its threads so far.

        user_only: Whether time in the kernel is left out.
        """

    def tree_ns(self, *, user_only: bool = False) -> int:
        """Return the CPU time in ns of the process and its descendants, ended ones included as far as they
        are known.

        user_only: Whether time in the kernel is left out.
        """

    def offspring(self) -> tuple[bool, int]:
        """Return (whether the process has children, a counter that grows when it reaps a child)."""

    def delays(self) -> Mapping[int, int]:
        """Return by thread id the ns in which each thread of the process was ready to run and had no
        processor.
        """

    def memory(self, most: int = 0) -> int:
        """Return the current memory of the process tree in bytes, shared memory included.

        The result is exact above `most`. Up to `most` it may be too high, because that is faster to
        compute.
        """

    def lost(self) -> str:
        """Return why a killed process of gyoji took this one with it; "" if none did."""

    def shortage(self) -> Shortage | None:
        """Return how the system killed processes of this engine for lack of memory; None if it did not, or
        if unknown.
        """

    def unlinked(self) -> int:
        """Return the bytes of the process tree's open files that were deleted but still take room on disk."""

    def suspend(self) -> None:
        """Stop the process and its descendants until `resume`."""

    def resume(self) -> None:
        """Let a suspended process tree run again."""

    def terminate(self) -> None:
        """Send TERM to the whole process group."""

    def kill(self) -> None:
        """Kill the process group and all descendants."""

    def reap(self) -> tuple[str, int] | None:
        """Return (how the process ended, CPU ns of the tree), or None while it runs. Closes no descriptor."""


class EngineStarter(Protocol):
    """The part of an executor that starts the engines of one worker process."""

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> Channel:
        """Start an engine of `player`.

        Args:
            environ: Environment variables of this game.
            place: The engine's own folder; "" for none.

        Raises:
            Breakdown: The engine could not be started at all.
        """

    @property
    def pids(self) -> frozenset[int]:
        """The process ids of the starter's own helpers, which must not be killed as leftovers of engines."""

    def close(self) -> None:
        """End the helper processes. Called when no engine is running."""


class Prepares(Protocol):
    """An engine starter that can prepare for its first contained engine ahead of time.

    `prepare` begins and returns a function that waits for the end.
    """

    def prepare(self) -> Callable[[], object]: ...
