"""The messages between a remote player's seat and the computer of the engine's owner, and their delivery
exactly once.

Both ends number the messages that they send from 1, keep each until it is acknowledged, and send it again
after the connection was lost. A message that arrives twice is dropped by its number. Everything between the
two ends (the scheduler, a web server, proxies) forwards messages and stores nothing.
"""

# One message is one JSON object. `c` is the number of an engine: a player with several seats in a game has
# several. `n` numbers the messages that must arrive exactly once: open, text, close, end.
#
#     seat  -> {"call": S}                               the game has begun: the owner says hello
#     owner -> {"hello": {"session": "", "got": 0}}      first on each connection, and when called
#     seat  -> {"session": S, "got": 4}                  what the seat has: both send the rest again
#     seat  -> {"n": 1, "c": 0, "open": {...}}           start an engine
#     both  -> {"n": 2, "c": 0, "text": "..."}           bytes of its input or output, cut anywhere
#     seat  -> {"n": 9, "c": 0, "close": "quit"}         its input ends; "kill": it has to end now; "keep": it
#                                                        waits for the next game
#     owner -> {"n": 7, "c": 0, "end": "exited (1)"}     the engine has ended
#     both  -> {"ack": N}                                everything up to N is here; also beside other keys
#     seat  -> {"p": NONCE}                              also beside other keys: to be returned at once
#     owner -> {"p": NONCE}
#     front -> {"gone": true}                            to the seat: the connection is lost
#
# Neither call nor hello is repeated after a while. A hello that comes before the game has a worker is
# dropped: its seat will call. A call is lost only with a connection, and the owner says hello on the next.
#
# Limits: an end that has MOST_UNACKED bytes of unacknowledged text stops reading its engine or referee until
# some are acknowledged. A message has at most MOST_TEXT characters.

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.wire import Value

MOST_UNACKED = 1 << 20
"""The bytes of unacknowledged text at which an end stops reading its source."""

MOST_TEXT = 1 << 16
"""The maximum number of characters of text in one message."""

MOST_MESSAGE = 1 << 19
"""The maximum length in bytes of one message as JSON: MOST_TEXT escaped characters, and the other fields."""

REPLACED, UNREAD = 4000, 4503
"""Status codes with which a server closes the WebSocket of an owner, who may connect again."""

NONSENSE, REVOKED, TAKEN = FINAL = (4400, 4403, 4409)
"""Status codes with which it closes the WebSocket for good. The owner shows the reason in the close frame."""

ENCODING = "latin-1"
"""The encoding of an engine's bytes as text. It can represent any bytes."""


class Hello(Value, frozen=True, kw_only=True):
    """The owner's hello, which says how much of a session the owner's end has received.

    Attributes:
        session: Name of the session; "" for none.
        got: Number of the newest message that the owner's end has received.
    """

    session: str = ""
    got: int = 0


class Opening(Value, frozen=True, kw_only=True):
    """The request to start an engine.

    Attributes:
        environ: Environment variables of the game.
        restart: "off" to reuse the player's engine of the last game if it is still running, "on" to start a
            new one.
    """

    environ: Mapping[str, str] = {}
    restart: Literal["on", "off"] = "on"


class Talk(Value, frozen=True, kw_only=True):
    """One message between a seat and the owner's computer. Attributes with their default values are absent.

    The comment at the top of the module says which attributes occur together.

    Attributes:
        n: Number, from 1, of a message that must arrive exactly once; 0 for other messages.
        c: Number of the engine that the message is about.
        text: Bytes of the engine's input or output, as text.
        close: What becomes of the engine after the end of its input: it may "quit" by itself, it must end now
            ("kill"), or it waits for the next game ("keep").
        end: How the engine ended.
        ack: Number of the newest message that the sender has received.
        p: A nonce that the seat sends and the owner returns at once, to measure the delay.
        call: Name of the session that the owner shall open.
        session: Name of the session, in the seat's answer to `hello`.
        got: Number of the newest message that the seat has received, in the seat's answer to `hello`.
        gone: Whether the owner's connection is lost.
    """

    n: int = 0
    c: int = 0
    open: Opening | None = None
    text: str = ""
    close: Literal["", "quit", "kill", "keep"] = ""
    end: str = ""
    ack: int = -1
    p: str = ""
    call: str = ""
    hello: Hello | None = None
    session: str = ""
    got: int = -1
    gone: bool = False


read_talk = wire.reader(Talk)
"""Parses a message from JSON. Raises ValueError."""

encode = msgspec.json.Encoder().encode


class Outbox:
    """The numbered messages that the other end has not acknowledged."""

    def __init__(self, last: int = 0) -> None:
        """Create an outbox without messages.

        Args:
            last: Number of the newest message that the other end has got already.
        """
        self._kept = deque[Talk]()
        self._last = last
        self._size = 0

    def put(self, talk: Talk) -> Talk:
        """Number a message, keep it, and return it with its number."""
        self._last += 1
        numbered = replace(talk, n=self._last)
        self._kept.append(numbered)
        self._size += len(talk.text)
        return numbered

    def acked(self, number: int) -> None:
        """Remove the messages up to and including `number`, because the other end has acknowledged them.

        Raises:
            ValueError: No message with this number was sent.
        """
        if number > self._last:
            raise ValueError(f"acknowledges message {number} of {self._last}")
        while self._kept and self._kept[0].n <= number:
            self._size -= len(self._kept.popleft().text)

    @property
    def is_full(self) -> bool:
        """Whether the text of unacknowledged messages has reached its limit. This end must then stop reading
        its engine or referee.
        """
        return self._size >= MOST_UNACKED

    def __iter__(self) -> Iterator[Talk]:
        """Yield the messages that are not acknowledged, oldest first."""
        return iter(tuple(self._kept))


class Inbox:
    """The count of the numbered messages received from the other end.

    Attributes:
        got: The number of the newest message received.
    """

    def __init__(self) -> None:
        self.got = 0

    def take(self, number: int) -> bool:
        """Note that a message was received. Return whether it is new; if not, the caller must drop it.

        Raises:
            ValueError: An earlier message is missing, although connections preserve the order.
        """
        if number > self.got + 1:
            raise ValueError(f"sends message {number} after {self.got}")
        is_new = number == self.got + 1
        self.got = max(self.got, number)
        return is_new
