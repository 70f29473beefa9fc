"""Python functions as players: questions, answers, and the channel to a function in a thread.

A function gets a `Question` and returns a move: a value of the rules, or text in their notation. It may
return an `Answer` to add a comment, `Resigned()` to resign, or a request: `WantsTakeBack()`, `OffersDraw()`,
`WantsHint()`. None is an error. A player that answers requests of other seats is a callable object with the
methods of `Consents` or `GivesHints`.
"""

# The channel carries no text: one byte for each request, one byte for its answer. The requests and answers
# themselves are values in two queues of the codec:
#
#     loop --send: asked.append--> b"?" --> thread: asked.popleft(), call the function
#     loop <--receive: answered.popleft()-- b"." <-- thread: answered.append
#
# So a function is timed like any engine, and loses the game if it never returns. It cannot be contained,
# because it is in this process, and it cannot be stopped during a call of C code: `close` raises an exception
# in its thread, which takes effect at the next Python instruction. The deques need no lock, because each end
# has one user and the byte is sent after the value.

import ctypes
import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from threading import Thread
from traceback import extract_tb
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeAlias

from msgspec import Struct, convert
from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import Breakdown, FaultKind
from gyoji.core.plugins import Executor
from gyoji.core.ports import supports
from gyoji.core.spec import Player
from gyoji.core.text import printable, quote
from gyoji.executors.fd_channel import FdChannel


class Question(Struct, frozen=True, kw_only=True):
    """A request for a move to a player that is a function.

    Attributes:
        seat: Seat of the player, from 0.
        view: The position as the seat may see it: for most games the position itself.
        phase: Phase of the game; "" for ordinary play.
        rules: Rules of the game: `format`, `parse`, `render` and other members.
        left: Seconds on the clock for this move; None without a time limit.
        notice: Why the question is repeated, in one line: the answer to the player's own request, such as an
            offer of a draw, or the reason why the last move was refused. "" for the first question of a move.
    """

    seat: int
    view: Any
    phase: str
    rules: Any
    left: float | None
    notice: str = ""

    def legal(self) -> Iterable[m.Move]:
        """Return the player's legal moves in a fixed order. In a special phase they may only be examples.

        Rules of games that hide a part of the position may fail, because `view` is not the position itself.
        Those of gyoji's own games raise AttributeError.
        """
        legal: Iterable[m.Move] = self.rules.legal(self.view, self.seat)
        return legal


class Answer(NamedTuple):
    """A move with a comment and an evaluation of the position after it."""

    move: m.Move | str
    comment: str = ""
    evaluation: m.Evaluation | None = None


Function: TypeAlias = Callable[[Question], m.Move | str | Answer | m.SeatRequest | m.Resigned]
"""A function that plays: it is called with each `Question`. An exception ends the game."""


class NoAnswer(TypeError):
    """A function returned None instead of a move."""


class Consents(Protocol):
    """A player that can agree to a request of another seat."""

    def consent(self, request: str, seat: int, /) -> bool:
        """Return whether the player agrees to a "take-back" or a "draw" requested by `seat`."""


class GivesHints(Protocol):
    """A player that can suggest a move for another seat."""

    def hint(self, question: Question, /) -> m.Move | str | None:
        """Return a move for the seat of the question, or None if the player has no suggestion."""


class Respondent:
    """Answers the referee's requests in one game by calling a player's function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._rules: Any = None
        self._control = TimeControl()
        self._seat = 0

    def replies(self, request: m.Request) -> tuple[m.Reply, ...]:
        """Return the replies to a request of the referee. The first one completes the request.

        Exceptions of the player's function are not caught.
        """
        match request:
            case m.AskMove():
                return self._move(request)
            case m.NewGame():
                self._rules, self._control, self._seat = request.rules, request.control, request.seat
                return (
                    m.Ready(
                        can_score=False,
                        knows_rules=True,
                        tells_dead=False,
                        consents=supports(self._function, Consents),
                        gives_hints=supports(self._function, GivesHints),
                    ),
                )
            case m.AskConsent():
                assert supports(self._function, Consents)
                return (
                    m.Agreed() if self._function.consent(request.request, request.seat) else m.Declined(),
                )
            case m.AskHint():
                return (self._hint(request),)
            case m.AskScore():
                return (m.Scored(),)
            case m.TellMoves():
                return (m.Acknowledged(),)
            case m.Quit():
                return (m.HasQuit(stays=request.keep),)
            case m.AskChoice() | m.ImposeMove() | m.AskUmpire() | m.RunnerEnded():
                raise AssertionError(f"not offered by its `Ready`: {request}")

    def _move(self, ask: m.AskMove) -> tuple[m.Reply, ...]:
        left = self._control.allowance(ask.clock)
        answer = self._function(
            Question(
                seat=self._seat,
                view=ask.view,
                phase=ask.phase,
                rules=self._rules,
                left=None if left is None else left / 1e9,
                notice=ask.notice,
            )
        )
        if isinstance(answer, m.SeatRequest | m.Resigned):
            return (answer,)
        if answer is None or (isinstance(answer, Answer) and answer.move is None):
            raise NoAnswer(
                f"{_named(self._function)} returned None for its move in seat {self._seat}: is there a way "
                "through it without a return? To resign, return gyoji.api.Resigned()"
            )
        if not isinstance(answer, Answer):
            return (self._moved(answer),)
        opinion = None if answer.evaluation is None else convert(tuple(answer.evaluation), m.Evaluation)
        reply, comment = self._moved(answer.move), m.Comment(str(answer.comment))
        return (replace(reply, evaluation=opinion) if isinstance(reply, m.Moved) else reply), comment

    # An int may be an illegal point, which the referee judges. Any other value is a move if the rules can
    # format it and parse it back.
    def _moved(self, move: m.Move) -> m.Reply:
        """Return `Moved` with the move that the function returned, or `Malformed` if that is not a move."""
        rules = self._rules
        if isinstance(move, str):
            try:
                return m.Moved(rules.parse(move))
            except ValueError:
                return m.Malformed(move)
        try:
            is_move = type(move) is int or rules.parse(rules.format(move)) == move
        except Exception:  # noqa: BLE001 (whatever rules do with what is nothing of theirs)
            is_move = False
        return m.Moved(move) if is_move else m.Malformed(repr(move))

    def _hint(self, ask: m.AskHint) -> m.Reply:
        assert supports(self._function, GivesHints)
        question = Question(seat=ask.seat, view=ask.view, phase="", rules=self._rules, left=None)
        hint = self._function.hint(question)
        moved = m.Moved(None) if hint is None else self._moved(hint)
        return m.Hint(moved.move) if isinstance(moved, m.Moved) else m.Hint(None, "it gave no hint")


class FunctionCodec:
    """Passes requests and replies as Python values in two queues, with one byte on the channel for each."""

    def __init__(self) -> None:
        self.asked: deque[m.Request] = deque()
        self.answered: deque[tuple[m.Reply, ...]] = deque()

    def send(self, request: m.Request) -> bytes:
        self.asked.append(request)
        return b"?"

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        return [reply for _ in data for reply in self.answered.popleft()]

    def finish(self) -> Sequence[m.Reply]:
        return ()


class _Abandoned(BaseException):
    """Raised in the thread of a function to stop it when its game is over."""


class FunctionChannel(FdChannel):
    """The channel to a player that is a Python function, which runs in its own thread.

    Attributes:
        codec: The codec that this player has instead of a protocol's.
    """

    def __init__(self, player: Player, function: Function, raised: Callable[[BaseException], object]) -> None:
        self.codec = FunctionCodec()
        ours, self._end = socket.socketpair()
        descriptor = ours.detach()
        super().__init__(player, descriptor, descriptor)
        self._respondent = Respondent(function)
        self._raised = raised
        self._is_busy = False
        self._thread = Thread(target=self._respond, name=f"player {player.code}", daemon=True)
        self._thread.start()

    def _respond(self) -> None:
        """Answer requests until the channel is closed or the function raises an exception."""
        with suppress(OSError, _Abandoned), self._end:
            while self._end.recv(1):
                self._is_busy = True
                replies = self._replies(self.codec.asked.popleft())
                self._is_busy = False
                self.codec.answered.append(replies)
                self._end.send(b".")

    def _replies(self, request: m.Request) -> tuple[m.Reply, ...]:
        try:
            return self._respondent.replies(request)
        except _Abandoned:
            raise
        except BaseException as error:  # noqa: BLE001 (SystemExit too: a thread would end without a word)
            self._raised(error)
            return (m.Broken(FaultKind.EXIT, _told(error)),)

    def close(self) -> None:
        """Close the channel. A function that is running is interrupted at its next Python instruction."""
        super().close()
        if self._is_busy and self._thread.ident is not None:
            thread, kind = ctypes.c_ulong(self._thread.ident), ctypes.py_object(_Abandoned)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, kind)


def _named(function: Function) -> str:
    """Return a function's name with its file and line."""
    code = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    name = getattr(function, "__name__", type(function).__name__)
    return f"{name} ({os.path.basename(code.co_filename)}:{code.co_firstlineno})" if code else name


def _told(error: BaseException) -> str:
    """Describe an exception of a function, with the file and line where it was raised.

    For `NoAnswer` return its message, which names the function.
    """
    if isinstance(error, NoAnswer):
        return printable(str(error), 300)
    at = extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(at.filename)}:{at.lineno}"
    return f"raised {type(error).__name__}: {printable(str(error))} ({where})"


class FunctionExecutor:
    """Makes the channels to players that are Python functions.

    Attributes:
        raised: Exceptions that functions have raised, in order.
    """

    def __init__(self, find: Callable[[Player], Function]) -> None:
        """Create the executor.

        Args:
            find: Returns the function of a player. It may raise Breakdown.
        """
        self._find = find
        self.raised: list[BaseException] = []

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> FunctionChannel:
        """Start a thread for the player's function, and return the channel to it.

        Args:
            environ: Ignored.
            place: Ignored.

        Raises:
            Breakdown: The player has no such function.
        """
        return FunctionChannel(player, self._find(player), self.raised.append)

    @property
    def pids(self) -> frozenset[int]:
        return frozenset()

    def close(self) -> None:
        pass


class _Files:
    """Loads the functions of players from Python files, each of which is imported once."""

    def __init__(self) -> None:
        self._modules: dict[str, ModuleType] = {}

    def find(self, player: Player) -> Function:
        """Return the function that a player's command names: a file and a name in it.

        If the name is that of a class, return a new instance.

        Raises:
            Breakdown: The command is not a file and a name, the file cannot be imported, or it has no such
                function.
        """
        where = f"player {player.code}"
        if len(player.command) != 2:
            got = quote(" ".join(player.command))
            raise Breakdown(f"{where}: expected a file and a name in it, such as ./bots.py choose, got {got}")
        path, name = player.command
        try:
            module = self._modules.get(path) or self._import(path)
            found = getattr(module, name, None)
            made = found() if isinstance(found, type) else found
        except (Exception, SystemExit) as error:
            problem = printable(f"{type(error).__name__}: {error}", 200)
            raise Breakdown(f"{where}: {quote(path)} cannot be used: {problem}") from error
        if not callable(made):
            of_file = [(key, each) for key, each in vars(module).items() if callable(each)]
            names = [key for key, each in of_file if getattr(each, "__module__", "") == module.__name__]
            there = ", ".join(names[:20]) or "none"
            raise Breakdown(f"{where}: no function {quote(name)} in {quote(path)}; there are: {there}")
        function: Function = made
        return function

    def _import(self, path: str) -> ModuleType:
        spec = spec_from_file_location(f"player {path}", path)
        if spec is None or spec.loader is None:
            raise ImportError("it is no file of Python")
        module = module_from_spec(spec)
        if (folder := os.path.dirname(path)) not in sys.path:
            sys.path.append(folder)
        sys.modules[spec.name] = module  # where dataclasses look for their module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[spec.name]
            raise
        self._modules[path] = module
        return module


EXECUTOR = Executor(
    name="function",
    open=lambda: FunctionExecutor(_Files().find),
    has_processes=False,
    has_protocol=False,
)
