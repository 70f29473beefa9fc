"""The ports: interfaces of rules, codecs, competitions and engines, as the referee and `gyoji.play` use them.

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
    """Return whether an object has all members of the protocol `part`. Only member names are compared."""
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
        Breakdown: The rules lack a member. The message says that the protocol is for `game` alone.
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
    """A game with fixed options. Rules are pure: positions are immutable, and equal games give equal
    positions.

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
        """Return the seats to move, in ascending order: several if they move at once, none at the end."""

    def phase(self, position: Position) -> str:
        """Return the phase of the game, such as "handicap"; "" for ordinary play."""

    def legal(self, position: Position, seat: int) -> Iterable[MoveT]:
        """Return every move that `play` accepts from a seat that is to move, in a fixed order.

        In a special phase the result may be a single example.
        """

    def check(self, position: Position, seat: int, move: MoveT) -> None:
        """Raise `IllegalMove` with the reason if and only if `play` would. `seat` may also be a seat that is
        not to move.
        """

    def play(self, position: Position, turn: Turn[MoveT]) -> Position:
        """Return the position after the moves of all seats that are to move.

        Raises:
            IllegalMove: A move is illegal; the exception names the seat.
        """

    def drop(self, position: Position, seat: int) -> Position | None:
        """Return the position in which the game goes on without `seat`, or None if its team has lost.

        The referee calls it for a seat that broke a rule or, with more than two sides, resigned.
        """

    def outcome(self, position: Position) -> Outcome:
        """Return how the game ended. Only called when no seat is to move."""

    def simplify(self, position: Position, move: MoveT) -> MoveT:
        """Return the move to send to an engine that knows only ordinary moves, in place of `move` in
        `position`.
        """

    def view(self, position: Position, seat: int) -> object:
        """Return what `seat` can see of a position. Positions that it cannot distinguish give equal views."""

    def news(self, turn: Turn[MoveT], seat: int) -> Turn[MoveT]:
        """Return the moves of a turn that `seat` may know: its own, and the visible ones of others.

        A returned move may be a placeholder for a hidden one: it need not be legal, but `format` accepts it.
        News reveals no more than the view does: turns that lead to equal views give equal news.
        """

    def parse(self, text: str) -> MoveT:
        """Parse a move. Raises ValueError for text that cannot be a move on this board."""

    def format(self, move: MoveT) -> str:
        """Return the text of a move, with `parse(format(move)) == move`."""


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
    """Rules of a game that can go on if a seat cannot carry out a special phase, such as swap2."""

    def declined(self, position: Position, seat: int, /) -> Position | None:
        """Return the position in which ordinary play begins without the special phase, or None if the seat's
        team has lost.

        Args:
            seat: The seat that cannot carry out the phase.
        """


class DrawsViews(Protocol[Position_contra, Move_contra]):
    """Rules that draw a seat's view as text, for human players.

    `notation` describes how moves are written.
    """

    @property
    def notation(self) -> str: ...

    def render(self, view: Position_contra, last: Turn[Move_contra] = (), /) -> str:
        """Draw a view as printable lines. The moves of `last` are marked if the drawing can show them."""


class ReadsMoves(Protocol[Position_contra]):
    """Rules that accept other notations of a move, given the position."""

    def read(self, view: Position_contra, text: str, /) -> Move:
        """Return the move that a human player's text means. The move may be illegal.

        Raises:
            ValueError: The text means no move in this position.
        """


class CountsProgress(Protocol[Position_contra]):
    """Rules whose positions count their turns and the turns since the last irreversible one.

    Adjudication uses both counts, which are right even if a game starts from a middlegame position.
    """

    def progress(self, position: Position_contra, /) -> tuple[int, int]:
        """Return (turns that led to the position, turns since the last irreversible one).

        The rules decide which turns count as irreversible. In chess these are captures and pawn moves, and
        turns are half-moves.
        """


class NotesMoves(Protocol[Position_contra, Move_contra]):
    """Rules that comment on legal moves."""

    def notes(self, position: Position_contra, turn: Turn[Move_contra], /) -> Sequence[str]:
        """Return a comment for each move of a turn made in `position`, in seat order; "" for no comment."""


class BoundsMargins(Protocol[Position_contra]):
    """Rules of a game for two in which the margin of a win is bounded."""

    def greatest_margins(self, position: Position_contra, /) -> tuple[float, float]:
        """Return, for each seat, the greatest margin by which it can have won."""


class HasAgreedRules(Protocol):
    """Rules that say whether the players have agreed on a ruleset (`rules_agreed`).

    In Go without a ruleset they have not, so an engine may be right to call a legal move illegal.
    """

    @property
    def rules_agreed(self) -> bool: ...


class ChecksVariations(Protocol[Position_contra, Move_contra]):
    """Rules that can check an engine's principal variation."""

    def variation_flaws(
        self,
        position: Position_contra,
        move: Move_contra,
        evaluation: Evaluation,
        after: Position_contra | None = None,
        /,
    ) -> Iterable[tuple[str, str]]:
        """Return (kind of fault, move at which it occurs) for each fault of an engine's principal variation.

        Args:
            position: The position before the move.
            evaluation: Has the variation as the engine wrote it (`pv`).
            after: The position after the move, if it has been played.
        """


class HasEndgames(Protocol[Position_contra]):
    """Rules of a game for which endgame tablebases exist."""

    def endgame(self, position: Position_contra, /) -> tuple[str, int] | None:
        """Return (FEN, number of pieces) of a position to look up in tablebases, or None.

        None is returned if the tables' result could differ from the game's.
        """


class SettlesDead(Protocol[Position]):
    """Rules of a game in which dead stones may remain on the board after both sides have passed.

    `gyoji.referee.counting` uses them. Sets of stones are bit masks.

    Attributes:
        dead_stones: Method that decides which stones are dead: resumed "play", "agreement" of the engines,
            "alive" (no stone is dead), or "auto", which chooses by what the engines can do.
        longest_cleanup: Maximum number of turns of resumed play.
    """

    @property
    def dead_stones(self) -> str: ...

    @property
    def longest_cleanup(self) -> int: ...

    def stopped(self, position: Position, /) -> bool:
        """Return whether both sides have passed and dead stones may remain."""

    def resume(self, position: Position, /) -> Position:
        """Return the position in which play resumes after both sides have passed."""

    def close(self, position: Position, dead: int, /) -> Position:
        """Return the position of the finished game, with the dead stones removed.

        Args:
            dead: Dead stones as a bit mask.
        """

    def dead_groups(self, position: Position, names: Iterable[str], /) -> int:
        """Return, as a bit mask, all stones of the groups at the named points."""

    def of_seat(self, position: Position, seat: int, stones: int, /) -> int:
        """Return the stones of a set (a bit mask) that belong to the seat."""

    def names_of(self, stones: int, /) -> tuple[str, ...]:
        """Return the points of a set of stones (a bit mask) in the game's notation."""

    def cost_of_playing_on(self) -> str:
        """Return a sentence for human players: what it costs to play on after both sides have passed."""


class Umpired(Protocol[Position]):
    """Rules of a game decided by an umpire, a program that has no seat.

    The rules stay pure: a position contains all messages of the umpire so far. When more are needed,
    `question` returns a line for the umpire. No seat is to move until its answer has been passed to `ruled`.
    The umpire is informed of a seat that fails: `failed` replaces `drop`.
    """

    def question(self, position: Position, players: Sequence[str], /) -> str:
        """Return the line to send to the umpire, or "" if no answer of the umpire is needed.

        Args:
            players: The player code of each seat.
        """

    def ruled(self, position: Position, lines: Sequence[str], /) -> Position:
        """Return the position after the umpire's answer to `question`.

        Raises:
            ValueError: The lines break the umpire's protocol. The message says how.
        """

    def failed(self, position: Position, seat: int, ending: Ending, /) -> Position | None:
        """Return the position in which the umpire is to be informed that a seat failed, or None if the seat's
        team has lost.

        Args:
            ending: The seat's failure: time, a fault, an unreadable answer, or resignation.
        """

    def faults(self, position: Position, /) -> Sequence[tuple[int, str]]:
        """Return (seat, reason) of each fault in the umpire's last answer that did not end the game."""

    def is_untold(self, position: Position, seat: int, /) -> bool:
        """Return whether the umpire has sent the seat a message since the seat's last answer."""

    def begun_again(self, lines: Sequence[str], /) -> str:
        """Return the line with which an umpire starts a recorded game again.

        The line includes the values that the umpire asked gyoji to keep.

        Args:
            lines: The recorded conversation.
        """

    def leaks(self, lines: Sequence[str], /) -> Sequence[tuple[int, int, str]]:
        """Return the texts that the umpire sent to only one seat, their owner, and later also to another
        seat.

        Secrets that a seat can deduce are not found.

        Returns:
            (seat that learned the text, owner, text) of each
        """

    def replayed(self, lines: Sequence[str], /) -> "Umpired[Position]":
        """Return the rules of one recorded game, which take the umpire's answers from the recorded
        conversation.

        Their `question` is "" until the recorded conversation ends.
        """


class Codec(Protocol):
    """gyoji's half of a protocol: it converts requests to bytes, and an engine's bytes to replies.

    A codec does no I/O, reads no clock and knows no rules. Bytes may arrive in arbitrary pieces. A codec may
    also implement `AnswersItself`, `Ponders` and `LimitsForks`.
    """

    def send(self, request: Request) -> bytes:
        """Return the bytes that send `request` to an engine, possibly none."""

    def receive(self, data: bytes) -> Sequence[Reply]:
        """Return the replies that `data` completes. `More` has bytes to write, and `Broken` is always
        last.
        """

    def finish(self) -> Sequence[Reply]:
        """Return the last replies of an engine that closed its output: often `Broken`, or none."""


class AnswersItself(Protocol):
    """A codec that can answer some requests without the engine.

    If `answers_itself` is true after `send`, the caller calls `receive(b"")` to get the codec's replies.
    """

    @property
    def answers_itself(self) -> bool: ...


class Ponders(Protocol):
    """A codec for engines that think on the opponent's time.

    If the engine's reply `Ready` has `ponders` set, `gyoji.play` calls `ponder` after each move of the
    engine, once the clock has been charged. No reply to the commands that `ponder` returns ends a request.
    """

    def ponder(self, clock: Clock, clocks: tuple[Clock, ...]) -> bytes:
        """Return the commands that start pondering; b"" if there is no expected move to ponder on.

        Args:
            clock: The seat's own clock.
            clocks: The clocks of all seats; () if the codec does not use the clocks of other seats.
        """


class LimitsForks(Protocol):
    """A codec for a protocol that limits an engine's processes.

    If `forks` is false, a second process of the engine is a fault; threads are allowed. If
    it is true, a clock of CPU time also charges child processes.
    """

    @property
    def forks(self) -> bool: ...


class Competition(Protocol):
    """A competition: it gets the result of each finished game and returns the next games to play.

    `add` and `next_game` take at most O(log n) time. A competition may also implement `Adapts` or
    `FixesGames`. If it does not adapt, its next games can be computed on a deep copy.
    """

    def add(self, result: GameResult) -> None:
        """Add the result of a finished game. The order of results matters only to tuners.

        A skipped game (`Ending.SKIPPED`) is added too: it has no result, appears in no table, and later games
        do not wait for it. `outcome.seat` is then the seat of a suspended player, or None if the game could
        not be played.
        """

    def next_game(self) -> GameSpec | None:
        """Return the next game to start; each game is returned once.

        None means that no game can start at present; a later `add` may change that.
        """

    def remaining(self) -> int | None:
        """Return the number of games still to be issued, as far as known; None if endless."""

    def checks(self) -> Iterable[GameSpec]:
        """Return one game for each player, with which the player's engine is checked before the run."""


class Shortage(NamedTuple):
    """Lack of memory, because of which the system killed processes of an engine.

    Attributes:
        own: Whether the engine reached its own memory limit, not the machine's.
    """

    own: bool
    text: str


class Adapts(Protocol):
    """A competition that may choose its players by results. `adapts` says whether it does.

    If so, each of its games is issued only when the game can start.
    """

    @property
    def adapts(self) -> bool: ...


def adapts(competition: object) -> bool:
    """Return whether the results of a competition decide who plays its next games."""
    return supports(competition, Adapts) and competition.adapts


class FixesGames(Protocol):
    """A competition that may have fixed games. `has_fixed_games` says whether the games and their order never
    depend on results.

    If so, a game may start before the results of the games that have just ended are added.
    """

    @property
    def has_fixed_games(self) -> bool: ...


class Channel(Protocol):
    """gyoji's end of a connection to a player: an engine, a human player, a socket or a function.

    Both descriptors are non-blocking and pollable. The output ends with end of file or an OSError.
    A channel may also implement `BringsCodec`, `KnowsEnding` and `Stays`.

    Attributes:
        stdin: Descriptor to write the player's input to.
        stdout: Descriptor to read the player's output from.
    """

    player: Player
    stdin: int
    stdout: int

    @property
    def process(self) -> "Process | None":
        """The process at the other end if gyoji started it, else None."""

    def close_stdin(self) -> None:
        """Close the player's input, so that the player reads end of file."""

    def close(self) -> None:
        """Close all descriptors, those of the process included. May be called twice."""


class KnowsEnding(Protocol):
    """A channel that can tell why the player's output has ended (`ending`); "" if unknown."""

    @property
    def ending(self) -> str: ...


class Stays(Protocol):
    """A channel to an engine on another computer. If `stays` is set, the engine is kept when the channel is
    closed.
    """

    stays: bool


class BringsCodec(Protocol):
    """A channel with its own codec instead of that of the player's protocol."""

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

        Args:
            user_only: Whether time in the kernel is left out.
        """

    def tree_ns(self, *, user_only: bool = False) -> int:
        """Return the CPU time in ns of the process and its descendants, terminated ones included as far as
        known.

        Args:
            user_only: Whether time in the kernel is left out.
        """

    def offspring(self) -> tuple[bool, int]:
        """Return (whether the process has children, a counter that grows when the process reaps a child)."""

    def delays(self) -> Mapping[int, int]:
        """Return, by thread id, the ns that each thread of the process was runnable without a processor."""

    def memory(self, most: int = 0) -> int:
        """Return the current memory of the process tree in bytes, shared memory included.

        A result above `most` is exact. A result up to `most` may be too high, because that is faster to
        compute.
        """

    def lost(self) -> str:
        """Return the reason if this process ended because a helper process of gyoji was killed, else ""."""

    def shortage(self) -> Shortage | None:
        """Return the lack of memory that made the system kill processes of this engine; None if there was
        none, or if that is unknown.
        """

    def unlinked(self) -> int:
        """Return the bytes of deleted files that the process tree still has open, which take room on disk."""

    def suspend(self) -> None:
        """Stop the process and its descendants until `resume` is called."""

    def resume(self) -> None:
        """Let a suspended process tree run again."""

    def terminate(self) -> None:
        """Send SIGTERM to the process group."""

    def kill(self) -> None:
        """Kill the process group and all descendants."""

    def reap(self) -> tuple[str, int] | None:
        """Return (how the process ended, CPU ns of the tree), or None while it runs. Descriptors stay
        open.
        """


class EngineStarter(Protocol):
    """The part of an executor that starts the engines of one worker process."""

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> Channel:
        """Start an engine of `player`.

        Args:
            environ: Environment variables of this game.
            place: The engine's own folder; "" for none.

        Raises:
            Breakdown: gyoji or the machine failed to start the engine.
        """

    @property
    def pids(self) -> frozenset[int]:
        """The process ids of the starter's own helpers, which must not be killed as stray processes of
        engines.
        """

    def close(self) -> None:
        """Terminate the helper processes. Called when no engine is running."""


class Prepares(Protocol):
    """An engine starter that can set up its first contained engine ahead of time.

    `prepare` starts the preparation and returns a function that waits until it is finished.
    """

    def prepare(self) -> Callable[[], object]: ...
