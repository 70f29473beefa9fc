r"""The conformance kit for codecs: `check_codec` plays scripted conversations through the port.

The kit knows no protocol. A conversation is a list of exchanges: a request, the engine's output after it, and
the replies that must follow. Each conversation is repeated with the output split into different pieces,
because a pipe may split output anywhere and no reply may depend on that. The first violation of
`gyoji.core.ports.Codec` raises AssertionError with the conversation, exchange and split.

>>> from gyoji.core.messages import HasQuit, Quit
>>> class Polite:
...     def send(self, request): return b"bye\n"
...     def receive(self, data): return (HasQuit(),) if b"\n" in data else ()
...     def finish(self): return ()
>>> check_codec(Polite, [[Exchange(request=Quit(), sent=b"bye\n", heard=b"bye\n", replies=(HasQuit(),))]],
...             tail=b"")
"""

# How a conversation is checked. Every exchange goes through two codecs made by the same function. The kit
# compares their replies with each other, which detects shared state, and with the script, which detects wrong
# ones. The output is split in five systematic and 20 random ways: an engine may write "= D4\n\n" in one call,
# and the pipe may deliver "= D" and "4\n\n". A "tail" is output without meaning, such as a blank line after
# an answer. It is fed together with the answer and alone, because codecs look up complete answers and must
# not be confused by it.

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias, get_args

from gyoji.core import messages as m
from gyoji.core.ports import Codec
from gyoji.core.spec import derive_seed
from gyoji.testing import demand

_REQUESTS = (m.WantsTakeBack, m.OffersDraw, m.WantsHint, m.WantsLimit)
_ANSWERS = (m.Moved, m.Malformed, m.Unsupported, m.Suggested)
_MOVE_ENDS = (*_ANSWERS, m.Resigned, m.ClaimedWin, m.RejectedMove, *_REQUESTS)
ENDS: dict[type, tuple[type, ...]] = {
    m.NewGame: (m.Ready, m.Unsupported),
    m.AskMove: _MOVE_ENDS,
    m.ImposeMove: _ANSWERS,
    m.AskChoice: (m.Moved, m.Resigned),
    m.AskConsent: (m.Agreed, m.Declined),
    m.AskHint: (m.Hint, m.Unsupported),
    m.TellMoves: (m.Acknowledged, m.RejectedMove),
    m.AskScore: (m.Scored,),
    m.Quit: (m.HasQuit,),
    m.AskUmpire: (m.Ruled,),
    m.RunnerEnded: (m.Ruled,),
}
"""The replies that end each request (see `gyoji.core.messages`)."""

CUTS = 20
"""The number of random ways to split output, besides whole output and single bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One step of a scripted conversation: a request, the engine's output, and the expected replies.

    Attributes:
        request: The request; None if the engine continues without a new one, perhaps after `More`.
        sent: The expected bytes of the request; None accepts any.
        heard: The engine's output after `sent` and each earlier `More`.
        replies: All replies to `heard`, in order. The bytes of all `More` replies are joined and compared, so
            their number and place do not matter. A `Broken` must have the expected kind, and its detail must
            contain the expected detail.
        closes: Whether the engine closes its output after `heard`.
    """

    request: m.Request | None = None
    sent: bytes | None = None
    heard: bytes = b""
    replies: tuple[m.Reply, ...] = ()
    closes: bool = False


Conversation: TypeAlias = Sequence[Exchange]
Cutting: TypeAlias = Callable[[Exchange, int], Iterable[bytes]]
"""A function that splits the output of an exchange, given with its number, into non-empty pieces."""


def check_codec(
    make_codec: Callable[[], Codec],
    conversations: Iterable[Conversation],
    *,
    tail: bytes = b"\n",
    seed: int = 0,
) -> None:
    """Play each conversation with new codecs and the output split in many ways.

    Args:
        tail: Bytes without meaning after a complete answer; b"" if the protocol has none.
        seed: Seed of the random splits.
    """
    for number, conversation in enumerate(conversations):
        for name, cutting in _cuttings(tail, seed):
            _Check(make_codec, f"conversation {number}, {name}").hold(conversation, cutting)


def _cuttings(tail: bytes, seed: int) -> Iterator[tuple[str, Cutting]]:
    """Yield the ways to split output, each with its name."""
    yield "whole", lambda exchange, _: [exchange.heard]
    yield "byte by byte", lambda exchange, _: _bytes(exchange.heard)
    if tail:
        yield "with a tail", lambda exchange, _: [exchange.heard + _tail(tail, exchange)]
        yield "with a tail apart", lambda exchange, _: [exchange.heard, _tail(tail, exchange)]
        yield "with a tail, byte by byte", lambda exchange, _: _bytes(exchange.heard + _tail(tail, exchange))
    for cut in range(CUTS):
        yield f"random cut {cut} of seed {seed}", partial(_random_cut, seed, cut)


def _tail(tail: bytes, exchange: Exchange) -> bytes:
    """Return `tail`, or b"" if the exchange ends the output or leaves an answer incomplete."""
    return b"" if exchange.closes or not exchange.replies else tail


def _bytes(heard: bytes) -> list[bytes]:
    return [heard[place : place + 1] for place in range(len(heard))]


def _random_cut(seed: int, cut: int, exchange: Exchange, number: int) -> Iterator[bytes]:
    """Split the output of an exchange into pieces of 1 to 8 bytes.

    Args:
        cut: The number of this way of splitting. Each one splits at other places.
        number: The number of the exchange in its conversation.
    """
    heard, start = exchange.heard, 0
    while start < len(heard):
        end = start + 1 + derive_seed(seed, cut, number, start) % 8
        yield heard[start:end]
        start = end


class _Check:
    """One conversation, played by two codecs side by side, to detect shared state."""

    def __init__(self, make_codec: Callable[[], Codec], where: str) -> None:
        self.codecs = (make_codec(), make_codec())
        self.where = where
        self.number = -1
        self.request: m.Request | None = None  # that has not been answered
        self.is_over = False

    def hold(self, conversation: Conversation, cutting: Cutting) -> None:
        for number, exchange in enumerate(conversation):
            self.number = number
            self._demand(not self.is_over, "the conversation goes on after Broken")
            first, second = (self._exchange(codec, exchange, cutting) for codec in self.codecs)
            self._demand(first == second, f"two codecs differ: {first} and {second}")
            self._demand(
                _to_write(first) == _to_write(exchange.replies),
                f"to write: {first}, expected {exchange.replies}",
            )
            shown, wanted = _without_more(first), _without_more(exchange.replies)
            alike = len(shown) == len(wanted) and all(map(_is_as_expected, shown, wanted))
            self._demand(alike, f"the replies are {shown}, expected {wanted}")
            self._follow(exchange.request, first)
        if self.is_over:
            for codec in self.codecs:
                heard = b"".join([exchange.heard for exchange in conversation])
                self._demand(
                    not codec.receive(heard) and not codec.finish(), "there are replies after Broken"
                )
                request = next(
                    (exchange.request for exchange in conversation if exchange.request is not None), None
                )
                if request is not None:
                    self._demand(not codec.send(request), "there is something to send after Broken")

    def _exchange(self, codec: Codec, exchange: Exchange, cutting: Cutting) -> list[m.Reply]:
        """Play one exchange and return all replies. Each call of the codec is checked."""
        if exchange.request is not None:
            sent, name = codec.send(exchange.request), type(exchange.request).__name__
            self._demand(isinstance(sent, bytes), f"send gave {sent!r}, expected bytes")
            is_expected = exchange.sent is None or sent == exchange.sent
            self._demand(is_expected, f"{name} is put as {sent!r}, expected {exchange.sent!r}")
        replies: list[m.Reply] = []
        for piece in filter(None, cutting(exchange, self.number)):
            is_broken = bool(replies) and isinstance(replies[-1], m.Broken)
            got = codec.receive(piece)
            self._demand(not (is_broken and got), f"{got} after Broken")
            replies += self._checked(got)
        if exchange.closes:
            replies += self._checked(codec.finish())
        return replies

    def _checked(self, replies: Sequence[m.Reply]) -> Sequence[m.Reply]:
        """Check the form of replies and return them."""
        for place, reply in enumerate(replies):
            self._demand(isinstance(reply, get_args(m.Reply)), f"{reply!r} is no reply")
            if isinstance(reply, m.Broken):
                self._demand(place == len(replies) - 1, f"Broken is not the last of {replies}")
                is_line = bool(reply.detail) and reply.detail.isprintable()
                self._demand(is_line, f"the detail of Broken is {reply.detail!r}, expected a printable line")
            if isinstance(reply, (m.Comment, m.Moved)) and reply.evaluation is not None:
                flaw = evaluation_flaw(reply.evaluation)
                self._demand(not flaw, f"{reply.evaluation}: {flaw}")
            if isinstance(reply, m.More):
                is_something = isinstance(reply.data, bytes) and bool(reply.data)
                self._demand(is_something, f"{reply!r} asks to write nothing")
        return replies

    def _follow(self, request: m.Request | None, replies: list[m.Reply]) -> None:
        """Check that a request gets exactly one final reply before the next request."""
        if request is not None:
            self._demand(self.request is None, f"{self.request!r} was not answered")
            self.request = request
        for reply in _without_more(replies):
            if isinstance(reply, m.Broken):
                self.is_over = True
            elif not isinstance(reply, (m.Comment, m.Warned, m.Delayed)):
                ends = ENDS[type(self.request)] if self.request is not None else ()
                self._demand(isinstance(reply, ends), f"{reply!r} does not answer {self.request!r}")
                self.request = None

    def _demand(self, holds: bool, what: str) -> None:
        demand(holds, what, f"{self.where}: exchange {self.number}: ")


def evaluation_flaw(said: m.Evaluation) -> str:
    """Return why a game record cannot store an evaluation; "" if it can.

    >>> evaluation_flaw(m.Evaluation(win=53.0)), evaluation_flaw(m.Evaluation(score=3.5, pv=("D4",)))
    ('win is 53.0, expected 0 to 1', '')
    """
    score, win, pv = said.score, said.win, said.pv
    if score is not None and not math.isfinite(score):
        return f"score is {score}, expected a number"
    if win is not None and not 0 <= win <= 1:
        return f"win is {win}, expected 0 to 1"
    for count in (said.depth, said.nodes, *(said.search or ())[:-1]):
        if count is not None and not (type(count) is int and 0 <= count < 2**63):
            return f"the search has {count!r}, expected whole numbers from 0"
    if not all(move and move.isprintable() for move in pv):
        return f"pv is {pv}, expected moves in printable characters"
    return "" if said != m.Evaluation() else "it says nothing"


def _to_write(replies: Sequence[m.Reply]) -> bytes:
    return b"".join([reply.data for reply in replies if isinstance(reply, m.More)])


# `More` is compared by its bytes alone: its place and its parts depend on how the output was split.
def _without_more(replies: Sequence[m.Reply]) -> list[m.Reply]:
    return [reply for reply in replies if not isinstance(reply, m.More)]


def _is_as_expected(got: m.Reply, expected: m.Reply) -> bool:
    """Return whether a reply is as expected. The detail of `Broken` need only contain the expected one."""
    if isinstance(got, m.Broken) and isinstance(expected, m.Broken):
        return got.kind == expected.kind and expected.detail in got.detail
    return got == expected
