"""The protocol of Dig Here, by "Game State Information" and "Play Plans" of its rules of December 2019.

::

    gyoji sends     13 lines    agent, size of the field, step, steps; holes; treasures known and sensed;
                                cells, last plans and last actions of the agents; scores, treasure, ms left
    a program       a number    its plan

Programs only send plans. The codec answers all other requests itself, and sends nothing for them: a program
learns from the first request for a plan which agent it is, and from the end of its input that the game is
over.

A plan is parsed as by C's `scanf("%d")`: blanks and line ends before it are skipped, and it ends at the next
blank or line end, or at the end of output. Any other text, such as `4abc`, is malformed. Output before a
request breaks the conversation, because it would be taken for the answer to a later request.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from gyoji.core import messages as m
from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.faults import Breakdown, FaultKind
from gyoji.core.plugins import Protocol
from gyoji.core.text import quote
from gyoji.games.dighere.plans import LARGEST_PLAN, PLANS, STAY
from gyoji.games.dighere.position import Public, View
from gyoji.games.dighere.rules import DigHereRules

_NUMBER = re.compile(rb"([+-]?)([0-9]+)(?:\s|$)")


# All 25 plans as most programs write them, so that they need no parsing.
_PLAIN = {b"%d\n" % plan: (m.Moved(plan),) for plan in range(STAY, PLANS)}
"""Replies by the bytes of an answer, for the most common answers: a look-up instead of parsing."""


_AGENTS = "%d %d %d %d %d %d %d %d\n"


_LAST_LINES = _AGENTS + "%d %d %d %d\n" * 2 + "%d %d\n%d\n"


_NONE = "0\n"
"""An empty list."""


_MS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Players of this protocol have no settings."""


class DigHereCodec:
    """The codec (port `Codec`) for one agent's program. The first request must be `NewGame`."""

    answers_itself: ClassVar[bool] = True

    def __init__(self) -> None:
        self._due: list[m.Reply] = []  # what we have answered ourselves
        self._rest = b""  # of an answer that is not complete
        self._is_asked = False
        self._is_over = False
        self._control = TimeControl()
        self._think_time = 0
        self._left: int | None = None  # ms that it is told to have at every step, where no clock runs
        self._head = self._steps = ""

    # Requests

    def send(self, request: m.Request) -> bytes:
        """Return the bytes of a request; b"" for a request that the codec answers itself."""
        if self._is_over:
            return b""
        if type(request) is m.AskMove:
            self._is_asked = True
            left, view = self._left, request.view
            if left is None:
                left = milliseconds(request.clock, self._control, self._think_time)
            assert isinstance(view, View)
            return question(view, left, head=self._head, steps=self._steps)
        if isinstance(request, m.NewGame):
            rules = request.rules
            if not isinstance(rules, DigHereRules):
                raise Breakdown("protocol dighere: it has words for Dig Here alone")
            self._control, self._think_time = control, think_time = request.control, rules.think_time
            self._left = None if control.has_main else milliseconds(control.start(), control, think_time)
            self._head, self._steps = ends(request.seat, rules.size, rules.steps)
            self._due.append(m.Ready(can_score=False, knows_rules=True, takes_back=False))
        elif isinstance(request, m.TellMoves):
            self._due.append(m.Acknowledged())
        elif isinstance(request, m.AskScore):
            self._due.append(m.Scored())
        else:
            self._is_over = True
            self._due.append(m.HasQuit())
        return b""

    # Replies

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """Return the codec's own replies to earlier requests, then the program's.

        Args:
            data: New output of the program, or b"".
        """
        if not (data or self._due):
            return ()
        if self._is_asked and not self._rest and (plain := _PLAIN.get(data)) is not None:
            self._is_asked = False
            return plain
        replies, self._due = self._due, []
        if data and not self._is_over:
            self._rest = (self._rest + data).lstrip()
            self._read(replies)
        return replies

    def _read(self, replies: list[m.Reply]) -> None:
        """Parse the unread output. Append the replies that it completes: a plan, an error, both or none."""
        if self._is_asked:
            number = _NUMBER.match(self._rest)
            if number is not None and number.end() > number.end(2):
                self._rest = self._rest[number.end() :]
                self._answer(replies, m.Moved(_plan(number)))
            elif b"\n" in self._rest:
                line, _, self._rest = self._rest.partition(b"\n")
                self._answer(replies, _ill_formed(line))
        if not self._is_asked:
            early, self._rest = self._rest.strip(), b""
            if early:
                self._is_over = True
                replies.append(m.Broken(FaultKind.PROTOCOL, f"said {quote(early)} before it was asked"))

    def _answer(self, replies: list[m.Reply], reply: m.Reply) -> None:
        self._is_asked = False
        replies.append(reply)

    def finish(self) -> Sequence[m.Reply]:
        """Return the last replies, after the end of output. A number needs no line end there."""
        replies, self._due = self._due, []
        rest, self._rest = self._rest.strip(), b""
        if self._is_asked and rest and not self._is_over:
            number = _NUMBER.fullmatch(rest)
            self._answer(replies, _ill_formed(rest) if number is None else m.Moved(_plan(number)))
        return replies


def _plan(number: re.Match[bytes]) -> int:
    """Return the plan (the number of an agent's instruction) that was matched.

    It is clipped to the range from -`LARGEST_PLAN` to `LARGEST_PLAN`.
    """
    sign, digits = number.groups()
    digits = digits.lstrip(b"0")
    size = min(int(digits or b"0"), LARGEST_PLAN) if len(digits) <= len(str(LARGEST_PLAN)) else LARGEST_PLAN
    return -size if sign == b"-" else size


def _ill_formed(line: bytes) -> m.Malformed:
    return m.Malformed(line.rstrip().decode("utf-8", "replace"))


def ends(seat: int, size: int, steps: int) -> tuple[str, str]:
    """Return the texts before and after the step number in the messages that request an agent's plans.

    They stay the same during a game.

    Args:
        seat: The agent's number.
        size: Cells on a side of the field.
        steps: Maximum number of steps.
    """
    return f"{seat}\n{size}\n", f"\n{steps}\n"


def question(view: View, left: int, *, head: str, steps: str) -> bytes:
    """Return the message that requests an agent's next plan.

    Args:
        view: The state of the game, as far as the agent knows it.
        left: The time left in ms.
        head: The text before the step number, from `ends`.
        steps: The text after the step number, from `ends`.
    """
    _, public, sensed = view
    _, first, last = _alike.lines(public)
    beside = _line(sensed) if sensed else _NONE
    return f"{head}{public[0]}{steps}{first}{beside}{last}{left}\n".encode()


class _Alike:
    """A cache of the lines that the messages to all four agents share in a step."""

    def __init__(self) -> None:
        self._last: tuple[Public | None, str, str] = (None, "", "")  # of one moment: threads may ask at once

    def lines(self, public: Public) -> tuple[Public | None, str, str]:
        """Return the lines of a message that are the same for all four agents, in two parts.

        Between the parts is the line with the treasures that a dog senses. The time left comes after them.

        Returns:
            (`public` itself, the first part, the second part).
        """
        last = self._last
        before = last[0]
        if before is public:
            return last
        _, holes, known, (a, b, c, d), plans, actions, scores, buried = public
        if before is not None and before[1] is holes and before[2] is known:
            first = last[1]
        else:
            first = _line(holes) + _line(known)
        last = public, first, _LAST_LINES % (*a, *b, *c, *d, *plans, *actions, *scores, buried)
        self._last = last
        return last


_alike = _Alike()


def _line(rows: tuple[tuple[int, ...], ...]) -> str:
    r"""Return a list in the protocol's form: its length, then the numbers of each item.

    >>> _line(((1, 2), (3, 4)))
    '2 1 2 3 4\n'
    """
    if not rows:
        return _NONE
    numbers = "%d" + " %d" * len(rows[0]) * len(rows) + "\n"
    return numbers % (len(rows), *chain.from_iterable(rows))


def milliseconds(clock: Clock, control: TimeControl, think_time: int) -> int:
    """Return the remaining time to send to an agent, in ms: on its clock or, without one, for the move.

    Args:
        clock: The agent's clock.
        control: The time control of that clock.
        think_time: The ms to return if the time control limits neither game nor move.
    """
    if control.has_main:
        return max(clock.period if clock.in_byo_yomi else clock.main, 0) // _MS
    return control.move // _MS or think_time


def codec(options: Options) -> DigHereCodec:
    """Return a codec for a new conversation with one agent's program."""
    return DigHereCodec()


PROTOCOL = Protocol(name="dighere", options=Options, codec=codec, games=("dighere",))
