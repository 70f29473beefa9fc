"""What a seat and the computer of an engine's owner say to each other, and how nothing of it is lost.

Both ends number what they send from 1, keep it until it is acknowledged, and send it again after a cut. What
comes twice is dropped by its number. Neither end knows how often the connection between them was made anew,
and what lies between them (the scheduler, a server, proxies) forwards messages and keeps nothing.
"""

# One message is one JSON object. `c` is the number of an engine: a player with several seats in a game has
# several. `n` numbers what must arrive exactly once: open, text, close, end.
#
#     owner -> {"hello": {"session": "", "got": 0}}      first on each connection: what the owner has
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
#     run   -> {"over": true}                            to the owner: the game is not being played
#
# Bounds: an end keeps at most MOST_UNACKED bytes of text, then it stops reading its engine or referee until
# some are acknowledged. A message has at most MOST_TEXT characters.

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.wire import Value

MOST_UNACKED = 1 << 20
"""Bytes of text that one end keeps for the other one before it stops reading its source."""

MOST_TEXT = 1 << 16
"""Characters of text in one message."""

MOST_MESSAGE = 1 << 19
"""Bytes of one message as JSON: MOST_TEXT characters, each escaped, and the rest."""

ENCODING = "latin-1"
"""How bytes become text: each is the character of its number, so that nothing is lost."""


class Hello(Value, frozen=True, kw_only=True):
    """What the owner's end has of a session; an empty one if it has none."""

    session: str = ""
    got: int = 0


class Opening(Value, frozen=True, kw_only=True):
    """The start of an engine.

    Attributes:
        environ: Environment variables of the game.
        restart: "off" to use the player's engine of the last game again if it is running, "on" for a new one.
    """

    environ: Mapping[str, str] = {}
    restart: Literal["on", "off"] = "on"


class Talk(Value, frozen=True, kw_only=True):
    """One message. The comment above says which attributes go together."""

    n: int = 0
    c: int = 0
    open: Opening | None = None
    text: str = ""
    close: Literal["", "quit", "kill", "keep"] = ""
    end: str = ""
    ack: int = -1
    p: str = ""
    hello: Hello | None = None
    session: str = ""
    got: int = -1
    gone: bool = False
    over: bool = False


read_talk = wire.reader(Talk)
"""Reads a message from JSON. Raises ValueError."""

encode = msgspec.json.Encoder().encode


class Outbox:
    """The numbered messages that the other end has not acknowledged."""

    def __init__(self, last: int = 0) -> None:
        """Begin with nothing.

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
        """Forget what the other end has: everything up to a number.

        Raises:
            ValueError: Nothing with that number was ever sent.
        """
        if number > self._last:
            raise ValueError(f"acknowledges message {number} of {self._last}")
        while self._kept and self._kept[0].n <= number:
            self._size -= len(self._kept.popleft().text)

    @property
    def is_full(self) -> bool:
        """Whether the source of these messages is not to be read now."""
        return self._size >= MOST_UNACKED

    def __iter__(self) -> Iterator[Talk]:
        """Yield the messages that are kept, the oldest first."""
        return iter(tuple(self._kept))


class Inbox:
    """Counts the numbered messages of the other end.

    Attributes:
        got: The number of the newest one.
    """

    def __init__(self) -> None:
        self.got = 0

    def take(self, number: int) -> bool:
        """Return whether a message is new. One that has been here before is to be dropped.

        Raises:
            ValueError: Messages before it are missing, which a connection that keeps their order cannot do.
        """
        if number > self.got + 1:
            raise ValueError(f"sends message {number} after {self.got}")
        is_new = number == self.got + 1
        self.got = max(self.got, number)
        return is_new
