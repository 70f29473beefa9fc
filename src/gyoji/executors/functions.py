"""Functions of Python as players: what they are asked and may answer, and the channel to one in a thread.

A function gets a `Question` and returns a move: as the rules have it, or as text in their notation. It may
return an `Answer` to say something of its move, `Resigned()` to give the game up, or a wish:
`WantsTakeBack()`, `OffersDraw()`, `WantsAdvice()`. None is a mistake, as of a function that lacks a `return`.
A player that agrees to wishes of others, or advises them, is an object that can be called and has the methods
of `Consents` or `Advises`.

What a channel carries here are no words: a byte for each request, a byte for its answer. Requests and answers
themselves lie beside it. So a function is timed and waited for like any engine, and one that never returns
costs its seat the game. Only it cannot be contained, nor stopped while it is in a call of C: it is in our
process.
"""

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

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import Breakdown, FaultKind
from gyoji.core.plugins import Executor
from gyoji.core.ports import offers
from gyoji.core.spec import Player
from gyoji.core.text import printable, quote
from gyoji.executors.held import HeldChannel


class Question(Struct, frozen=True, kw_only=True):
    """A question to a player.

    seat    who is asked, from 0.   phase  the part of the game, "" for the ordinary one.
    view    what its seat may know of the position: for most games the position itself.
    rules   the rules of the game: `format`, `parse`, `render`, and whatever the game offers.
    left    seconds on its clock for this move, None without a clock.
    notice  what became of a wish, when the question is put again after it.
    """

    seat: int
    view: Any
    phase: str
    rules: Any
    left: float | None
    notice: str = ""

    def legal(self) -> Iterable[m.Move]:
        """The moves that the rules allow, in a fixed order. For games in which a seat sees the position."""
        legal: Iterable[m.Move] = self.rules.legal(self.view, self.seat)
        return legal


class Answer(NamedTuple):
    """A move with words about it, and an opinion of the position after it."""

    move: m.Move | str
    comment: str = ""
    evaluation: m.Evaluation | None = None


Function: TypeAlias = Callable[[Question], m.Move | str | Answer | m.Wish | m.Resigned]
"""A player: called with each `Question` for a move. What it raises ends the game."""


class NoAnswer(TypeError):
    """A function has returned None where it was asked for a move."""


class Consents(Protocol):
    """A player that is asked whether it agrees to what another wishes."""

    def consent(self, wish: str, seat: int, /) -> bool:
        """Whether it agrees to a "take-back" or a "draw", which that seat wishes."""


class Advises(Protocol):
    """A player that can be asked which move another seat should make."""

    def advise(self, question: Question, /) -> m.Move | str | None:
        """A move for the seat of the question; None: it knows none."""


class Respondent:
    """One function in one game: the replies to all requests."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._rules: Any = None
        self._control = TimeControl()
        self._seat = 0

    def replies(self, request: m.Request) -> tuple[m.Reply, ...]:
        """Its replies; the first ends the request. Raises what the function raises."""
        match request:
            case m.AskMove():
                return self._move(request)
            case m.NewGame():
                self._rules, self._control, self._seat = request.rules, request.control, request.seat
                return (self._ready(),)
            case m.AskConsent():
                assert offers(self._function, Consents)
                return (m.Agreed() if self._function.consent(request.wish, request.seat) else m.Declined(),)
            case m.AskAdvice():
                return (self._advice(request),)
            case m.AskScore():
                return (m.Scored(),)
            case m.TellMoves():
                return (m.Acknowledged(),)
            case m.Quit():
                return (m.HasQuit(stays=request.keep),)
            case m.AskChoice() | m.ImposeMove():
                raise AssertionError(f"not offered by its `Ready`: {request}")

    def _ready(self) -> m.Ready:
        return m.Ready(
            can_score=False,
            knows_rules=True,
            tells_dead=False,
            consents=offers(self._function, Consents),
            advises=offers(self._function, Advises),
        )

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
        if isinstance(answer, m.Wish | m.Resigned):
            return (answer,)
        if answer is None or (isinstance(answer, Answer) and answer.move is None):
            raise NoAnswer(
                f"{_named(self._function)} returned None for its move in seat {self._seat}: is there a way "
                "through it without a return? To resign, return gyoji.api.Resigned()"
            )
        if not isinstance(answer, Answer):
            return (self._moved(answer),)
        opinion = None if answer.evaluation is None else convert(tuple(answer.evaluation), m.Evaluation)
        return self._moved(answer.move), m.Comment(str(answer.comment), opinion)

    def _moved(self, move: m.Move) -> m.Reply:
        """The reply for a move. A number may be an illegal point; other values have a text, or are none."""
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

    def _advice(self, ask: m.AskAdvice) -> m.Reply:
        assert offers(self._function, Advises)
        question = Question(seat=ask.seat, view=ask.view, phase="", rules=self._rules, left=None)
        advised = self._function.advise(question)
        moved = m.Moved(None) if advised is None else self._moved(advised)
        return m.Advised(moved.move) if isinstance(moved, m.Moved) else m.Advised(None, "it advises no move")


class FunctionCodec:
    """Our half of the conversation: requests and replies lie in two queues, a byte tells of each."""

    def __init__(self) -> None:
        self.asked: deque[m.Request] = deque()
        self.answered: deque[tuple[m.Reply, ...]] = deque()

    def send(self, request: m.Request) -> bytes:
        """See the port."""
        self.asked.append(request)
        return b"?"

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """See the port."""
        return [reply for _ in data for reply in self.answered.popleft()]

    def finish(self) -> Sequence[m.Reply]:
        """See the port."""
        return ()


class _Abandoned(BaseException):
    """Raised in a thread whose function does not return, when nobody waits for it any more."""


class FunctionChannel(HeldChannel):
    """The channel to a function, which is called in a thread of its own. It brings its codec."""

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
        """Answer requests until nobody listens any more. Whatever a function raises is its last answer."""
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
        except BaseException as error:  # noqa: BLE001 (SystemExit too: of a thread nobody would hear of it)
            self._raised(error)
            return (m.Broken(FaultKind.EXIT, _told(error)),)

    def close(self) -> None:
        """See the port. A function that has not returned ends at its next step in Python."""
        super().close()
        if self._is_busy and self._thread.ident is not None:
            thread, kind = ctypes.c_ulong(self._thread.ident), ctypes.py_object(_Abandoned)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, kind)


def _named(function: Function) -> str:
    """A function by its name, and where it is."""
    code = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    name = getattr(function, "__name__", type(function).__name__)
    return f"{name} ({os.path.basename(code.co_filename)}:{code.co_firstlineno})" if code else name


def _told(error: BaseException) -> str:
    """The exception of a function in words, and where it comes from."""
    if isinstance(error, NoAnswer):
        return printable(str(error), 300)
    at = extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(at.filename)}:{at.lineno}"
    return f"raised {type(error).__name__}: {printable(str(error))} ({where})"


class FunctionExecutor:
    """Makes the channels of players that are functions. find: the function of a player; may raise Breakdown.

    raised: what functions have raised, in this order.
    """

    def __init__(self, find: Callable[[Player], Function]) -> None:
        self._find = find
        self.raised: list[BaseException] = []

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> FunctionChannel:
        """The channel to a new thread; nobody reads the variables, nor is in the place."""
        return FunctionChannel(player, self._find(player), self.raised.append)

    @property
    def pids(self) -> frozenset[int]:
        return frozenset()

    def close(self) -> None:
        """Threads end when their functions return."""


class _Files:
    """The files of Python that functions are in, each imported once. What they import may lie beside them."""

    def __init__(self) -> None:
        self._modules: dict[str, ModuleType] = {}

    def find(self, player: Player) -> Function:
        """The function that a command names, or a new object of the class. Raises Breakdown."""
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
