"""Conversations with an umpire outside of games, to compare it with a recorded game or to try it."""

from collections.abc import Callable, Sequence
from time import monotonic_ns
from typing import Any, NamedTuple

from gyoji.core import messages as m
from gyoji.core.faults import Breakdown
from gyoji.core.ports import Umpired, supports
from gyoji.core.spec import NO_TEAM, GameSpec, Player, game_token
from gyoji.core.text import printable
from gyoji.play.context import EndsOnFailure, Lease, WorkerContext, borrowed, engine_environ, make_rules

_SEAT = 0

Next = Callable[[tuple[str, ...]], str]
"""Returns the next line to send to an umpire, given its last lines; "" ends the conversation. A ValueError
ends it too, with its message as the reason.
"""


class Talk(EndsOnFailure):
    """One conversation with an umpire.

    Attributes:
        failure: How the umpire failed, in words; "" if it did not.
        slowest: ns of the umpire's slowest answer. The first answer does not count.
        spent: ns of all answers except for the first.
        was_killed: Whether the umpire was killed because it did not exit when told to.
        stderr: The last lines that the umpire wrote to stderr.
    """

    def __init__(self, context: WorkerContext, spec: GameSpec, umpire: Player) -> None:
        """Start the umpire. Raises Breakdown if it cannot be started."""
        self._context = context
        self._budgets = umpire.budgets
        environ = engine_environ(game_token(spec, NO_TEAM), None)
        self._lease: Lease = context.connect(self, _SEAT, umpire, environ)
        self._next: Next = lambda _: ""
        self._is_first = True
        self._is_closed = False
        self._asked = 0
        self.failure = ""
        self.was_killed = False
        self.slowest = self.spent = 0
        self.stderr: Sequence[str] = ()

    def run(self, first: str, then: Next) -> None:
        """Hold the whole conversation, until the umpire has ended.

        Args:
            first: The first line to send.
            then: Called with the lines of each answer. Returns the next line to send, or "" to end the
                conversation.
        """
        self._next = then
        self._send(first, self._budgets.startup)
        self._context.loop.run(lambda: self._is_closed)

    def _send(self, line: str, patience: int) -> None:
        self._asked = monotonic_ns()
        self._lease[0].send(m.AskUmpire(line), patience)

    def on_reply(self, _seat: int, reply: m.Reply, _used: int) -> None:
        if isinstance(reply, m.Broken):
            self.fail(reply.detail)
        elif isinstance(reply, m.Ruled):
            if not self._is_first:
                took = monotonic_ns() - self._asked
                self.spent, self.slowest = self.spent + took, max(self.slowest, took)
            self._is_first = False
            try:
                line = self._next(reply.lines)
            except ValueError as error:
                self.fail(str(error))
                return
            if line:
                self._send(line, self._budgets.move)
            else:
                self._lease[0].send(m.Quit(), self._budgets.close)
                self._lease[0].dismiss(kindly=True)

    def fail(self, text: str) -> None:
        self.failure = self.failure or printable(text)
        self._lease[0].dismiss(kindly=False)

    def on_closed(self, _seat: int) -> None:
        self._is_closed = True
        closing = self._lease[0].closing
        self.was_killed = closing is not None and closing.status.startswith("signal")
        self.stderr = self._lease[0].errors.last()[1]
        self._lease[1]()


class Unlike(NamedTuple):
    """The first line of a recorded conversation that the umpire does not repeat.

    Attributes:
        line: Number of the line in the recorded conversation, from 1.
        recorded: The recorded line; "" if there was none.
        again: The umpire's line now, or how it failed.
    """

    line: int
    recorded: str
    again: str


class _Comparison:
    """Sends an umpire the recorded lines until one of its answers differs from the record."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._next = 1  # the number of the first line to be said
        self.unlike: Unlike | None = None

    def __call__(self, said: tuple[str, ...]) -> str:
        first = self._next
        for number, line in enumerate(said, first):
            was = self._lines[number] if number < len(self._lines) else ""
            if was != line:
                self.unlike = Unlike(number + 1, was, line)
                return ""
        self._next = first + len(said) + 1
        return self._lines[self._next - 1] if self._next <= len(self._lines) else ""

    def after(self, talk: Talk) -> Unlike | None:
        """Return the first difference. Called when the conversation is over."""
        if self.unlike is None and talk.failure:
            was = self._lines[self._next] if self._next < len(self._lines) else ""
            return Unlike(self._next + 1, was, talk.failure)
        return self.unlike


def ask_again(spec: GameSpec, lines: Sequence[str], *, context: WorkerContext | None = None) -> Unlike | None:
    """Replay a recorded game with its umpire, and return the first line that differs.

    Must be called from the main thread.

    Args:
        lines: The recorded conversation, complete up to the umpire's last answer.
        context: Context to start the umpire in. None for a new one.

    Raises:
        Breakdown: The umpire cannot be started.
    """
    rules: Any = make_rules(spec)
    if spec.umpire is None or not supports(rules, Umpired):
        raise Breakdown("the game has no umpire")
    comparison = _Comparison(lines)
    with borrowed(context) as place:
        talk = Talk(place, spec, spec.umpire)
        talk.run(rules.begun_again(lines), comparison)
    return comparison.after(talk)


def begin_problem(spec: GameSpec, *, context: WorkerContext | None = None) -> str:
    """Start the umpire, let it begin a game, and end it at once. Return what is wrong, or "".

    Args:
        context: Context to start the umpire in. None for a new one.
    """
    rules: Any = make_rules(spec)
    start = rules.start()
    assert spec.umpire is not None, "the game has an umpire"

    def look(said: tuple[str, ...]) -> str:
        rules.ruled(start, said)
        return ""

    with borrowed(context) as place:
        try:
            talk = Talk(place, spec, spec.umpire)
        except Breakdown as error:
            return printable(str(error))
        talk.run(rules.question(start, spec.codes), look)
    return talk.failure
