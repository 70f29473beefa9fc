"""Functions of Python as players: what they are asked and may answer, and the channel to one in a thread.

A function gets a `Question` and returns a move: as the rules have it, or as text in their notation. None is
to resign. It may return an `Answer` to say something of its move, or a wish: `WantsTakeBack()`,
`OffersDraw()`, `WantsAdvice()`. A player that agrees to wishes of others, or advises them, is an object that
can be called and has the methods of `Consents` or `Advises`.

What a channel carries here are no words: a byte for each request, a byte for its answer. Requests and answers
themselves lie beside it. So a function is timed and waited for like any engine, and one that never returns
costs its seat the game. Only it cannot be stopped, nor contained: its thread goes on, in our process.
"""

import socket
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import Any, NamedTuple, Protocol, TypeAlias

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import FaultKind
from gyoji.core.ports import offers
from gyoji.core.spec import Player
from gyoji.core.text import printable
from gyoji.executors.held import HeldChannel


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to a player.

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


Wish: TypeAlias = m.WantsTakeBack | m.OffersDraw | m.WantsAdvice

Function: TypeAlias = Callable[[Question], m.Move | str | Answer | Wish | None]


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
        """What it replies; the first ends the request. Raises what the function raises."""
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
        if answer is None:
            return (m.Resigned(),)
        if isinstance(answer, Wish):
            return (answer,)
        if not isinstance(answer, Answer):
            return (self._moved(answer),)
        return self._moved(answer.move), m.Comment(answer.comment, answer.evaluation)

    def _moved(self, move: m.Move) -> m.Reply:
        if not isinstance(move, str):
            return m.Moved(move)
        try:
            return m.Moved(self._rules.parse(move))
        except ValueError:
            return m.Malformed(move)

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


class FunctionChannel(HeldChannel):
    """The channel to a function, which is called in a thread of its own. It brings its codec."""

    def __init__(self, player: Player, function: Function, raised: Callable[[BaseException], object]) -> None:
        self.codec = FunctionCodec()
        ours, theirs = socket.socketpair()
        descriptor = ours.detach()
        super().__init__(player, descriptor, descriptor)
        thread = Thread(target=_respond, args=(Respondent(function), self.codec, theirs, raised), daemon=True)
        thread.name = f"player {player.code}"
        thread.start()


def _respond(
    respondent: Respondent,
    codec: FunctionCodec,
    end: socket.socket,
    raised: Callable[[BaseException], object],
) -> None:
    """Answer all requests until nobody listens any more. Whatever a function raises is its last answer."""
    with end, suppress(OSError):
        while end.recv(1):
            try:
                replies = respondent.replies(codec.asked.popleft())
            except BaseException as error:  # noqa: BLE001 (SystemExit too: of a thread nobody would hear of it)
                raised(error)
                text = f"raised {type(error).__name__}: {printable(str(error))}"
                replies = (m.Broken(FaultKind.EXIT, text),)
            codec.answered.append(replies)
            end.send(b".")


class FunctionExecutor:
    """Makes the channels of players that are functions, by the first words of their commands.

    raised: what functions have raised, in this order.
    """

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions
        self.raised: list[BaseException] = []

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> FunctionChannel:
        """The channel to a new thread; nobody reads the variables, nor is in the place."""
        return FunctionChannel(player, self._functions[player.command[0]], self.raised.append)

    @property
    def pids(self) -> frozenset[int]:
        return frozenset()

    def close(self) -> None:
        """Threads end when their functions return."""
