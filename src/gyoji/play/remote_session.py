"""The conversation with one remote player's owner in one game: a channel for each of the player's engines."""

# Theory of operation
#
# A session connects the links of a player's seats with the owner's computer. The messages, and how none is
# lost if the connection is, are in `gyoji.play.remote_talk`.
#
#     waiting -- hello --> there -- gone --> waiting      nothing but a first call is sent while waiting; the
#        |                   |                            clock runs
#        |                   | hello of another session, after ours has begun: the engine is gone
#        '-------------------+--> ended: the output of all channels ends, which is the engine's fault
#
# An invalid message (an acknowledgement of a message that was never sent, an engine that was never started)
# ends the session too. This is checked here and not in the front, so that the front need not be trusted.
# A message after a gap in the numbers is dropped without an acknowledgement: the front drops messages while
# it has no run, and the owner sends them all again after its next hello. Its clock runs meanwhile.
#
# Time. The clock runs in the worker, from writing a question to reading its answer. The part spent on the
# network is measured: each question carries a nonce, and while it is open a ping with another nonce follows
# every PING_PERIOD. The other end returns a nonce at once. The longest time for which one was under way while
# the question was open is the network delay (`Delayed`), of which the referee credits `GameSpec.lag` at most.
# A player that returns nonces late gains no more than one with a slow connection. Times measured by the other
# end are not used.
#
# Lost connections. Nonces that were under way count as returned at the next hello: if the connection was lost
# for 3 s, the round trip took 3 s.

import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from time import monotonic_ns
from typing import Any

import msgspec

from gyoji.core import messages as m
from gyoji.core.messages import REMARKS, Delayed
from gyoji.core.ports import Codec
from gyoji.core.spec import Player
from gyoji.core.text import printable
from gyoji.executors.fd_channel import FdChannel
from gyoji.play.connection import write_some
from gyoji.play.context import make_codec
from gyoji.play.loop import WRITE, Alarm, Loop
from gyoji.play.remote_talk import ENCODING, MOST_TEXT, Hello, Inbox, Opening, Outbox, Talk

PING_PERIOD = 2_000_000_000
"""The time in ns between two measurements of the round trip while a question is open."""

HELLO_PERIOD = 200_000_000
"""The minimum time in ns between two answers to a hello on one connection.

Each answer may have MOST_UNACKED bytes, and an owner may say hello without end.
"""

_MOST_UNREAD = 1 << 20  # maximum number of bytes received for a link that does not read them


class RemoteChannel(FdChannel):
    """The channel of a remote engine.

    Attributes:
        codec: The codec of the player's protocol, which also reports network delays.
        ending: The reason why the engine's output has ended; "" if unknown.
        stays: Whether the engine is kept for the next game when the channel is closed.
        closed: Called when the link has closed the channel.
    """

    def __init__(self, player: Player, descriptor: int, codec: Codec) -> None:
        super().__init__(player, descriptor, descriptor)
        self.codec, self.ending = codec, ""
        self.stays = False
        self.closed: Callable[[], object] = lambda: None

    def close(self) -> None:
        super().close()
        self.closed()


class _TimedCodec:
    """A codec that reports the network delay before each reply that ends a request."""

    def __init__(self, codec: Codec, session: "RemoteSession") -> None:
        self._codec, self._session = codec, session

    def send(self, request: m.Request) -> bytes:
        self._session.begin()
        return self._codec.send(request)

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        replies = self._codec.receive(data)
        for at, reply in enumerate(replies):
            if type(reply) not in REMARKS and not isinstance(reply, m.More):
                delay = self._session.delay()
                return (*replies[:at], Delayed(delay), *replies[at:]) if delay else replies
        return replies

    def __getattr__(self, name: str) -> Any:
        """Return any other member of the wrapped codec."""
        return getattr(self._codec, name)


class _Channel:
    """The worker's end of the socket pair of one engine.

    Attributes:
        is_closing: Whether the owner's computer was told that the engine's input has ended.
    """

    def __init__(
        self, loop: Loop, end: socket.socket, channel: RemoteChannel, session: "RemoteSession", number: int
    ) -> None:
        self._loop, self.end, self.channel = loop, end, channel
        self._session, self.number = session, number
        self._unsent = bytearray()
        self.is_closing = self.is_over = self._is_held = False
        loop.watch(end.fileno(), self._on_bytes)

    def deliver(self, text: str) -> None:
        """Write output of the engine for the link.

        Raises:
            ValueError: A character in the text stands for no byte.
        """
        if self.is_over:
            return
        self._unsent += text.encode(ENCODING)
        self._flush()
        if len(self._unsent) > _MOST_UNREAD:
            self.finish("sent more than is read")

    def _flush(self) -> None:
        write_some(self.end.fileno(), self._unsent)
        self._watch()

    def _watch(self) -> None:
        reads = not (self._is_held or self.is_closing)
        self._loop.watch_for(self.end.fileno(), (1 if reads else 0) | (WRITE if self._unsent else 0))

    def hold(self, *, is_held: bool) -> None:
        """Stop reading what the link writes if `is_held`, else resume.

        Reading stops while too much text waits for the other end's acknowledgement.
        """
        if is_held != self._is_held and not self.is_over:
            self._is_held = is_held
            self._watch()

    def _on_bytes(self, _now: int) -> None:
        if self._unsent:
            self._flush()
        if self._is_held or self.is_closing or self.is_over:
            return
        try:
            data = self.end.recv(MOST_TEXT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._session.ask(self.number, data)
        else:
            self.is_closing = True
            self._watch()
            self._session.say(Talk(c=self.number, close="keep" if self.channel.stays else "quit"))
            if self.channel.stays:
                self.finish("")

    def finish(self, why: str) -> None:
        """End the engine's output for a reason."""
        if not self.is_over:
            self.is_over = True
            self.channel.ending = why
            if self._unsent:
                self._flush()
            self._loop.forget(self.end.fileno())
            self.end.close()

    def dropped(self) -> None:
        """Have the owner's computer kill the engine, because the link has closed its end of the channel.

        Do nothing if the engine has ended.
        """
        if not self.is_over:
            self.finish("")
            self._session.say(Talk(c=self.number, close="kill"))


class RemoteSession:
    """The conversation with the owner's computer about one player's engines in one game.

    Messages for the owner are passed to `tell`.
    """

    def __init__(self, loop: Loop, tell: Callable[[Sequence[Talk]], object]) -> None:
        self._loop, self._tell = loop, tell
        self.name = secrets.token_hex(16)
        self._channels: list[_Channel] = []
        self._outbox, self._inbox = Outbox(), Inbox()
        self._is_there = self._has_begun = False
        self._asked: int | None = None  # time at which the open question was written
        self._flights: dict[str, int] = {}  # by nonce: time at which it was first sent
        self._longest = self._earlier = 0
        self._pinging = Alarm(loop, self._ping)
        self._answering, self._answered = Alarm(loop, self._answer), 0

    def start(self, player: Player, environ: Mapping[str, str]) -> RemoteChannel:
        """Have the owner's computer start an engine. Return the channel to that engine."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        number = len(self._channels)
        codec: Any = _TimedCodec(make_codec(player), self)
        channel = RemoteChannel(player, theirs.detach(), codec)
        self._channels.append(_Channel(self._loop, ours, channel, self, number))
        channel.closed = self._channels[number].dropped
        opening = Opening(environ=dict(environ), restart="on" if player.restart == "on" else "off")
        self.say(Talk(c=number, open=opening))
        return channel

    # To the owner

    def call(self) -> None:
        """Ask the owner's computer to open the session with a `Hello`, because the game has begun."""
        self._tell([Talk(call=self.name)])

    def say(self, talk: Talk) -> None:
        """Send a numbered message: now, or as soon as the other end is connected."""
        nonce = secrets.token_hex(8)
        numbered = self._outbox.put(msgspec.structs.replace(talk, p=nonce))
        self._flights[nonce] = monotonic_ns()
        if self._is_there:
            self._tell([numbered])

    def begin(self) -> None:
        """Reset the measured network delay for a new request. It may take several questions and answers."""
        self._asked, self._earlier = None, 0

    def ask(self, number: int, data: bytes) -> None:
        """Send bytes that the link has written to an engine."""
        now = monotonic_ns()
        self._earlier += self._delay(now)
        self._asked, self._longest = now, 0
        self._pinging.set(now + PING_PERIOD)
        self.say(Talk(c=number, text=data.decode(ENCODING)))
        self._hold()

    def _ping(self, now: int) -> None:
        if self._asked is not None:
            if self._is_there:
                nonce = secrets.token_hex(8)
                self._flights[nonce] = now
                self._tell([Talk(p=nonce)])
            self._pinging.set(now + PING_PERIOD)

    def delay(self) -> int:
        """Return the network delay in ns of the request that was just answered."""
        delay = self._earlier + self._delay(monotonic_ns())
        self._pinging.clear()
        self.begin()
        return delay

    def _delay(self, now: int) -> int:
        """Return the longest round trip of a nonce since the current question, in ns; 0 without a question.

        A nonce is a text that the owner's computer returns at once. If it has not come back, the time up to
        `now` counts. Time before the question does not count.
        """
        if self._asked is None:
            return 0
        flights = (now - max(sent, self._asked) for sent in self._flights.values())
        return max(self._longest, max(flights, default=0))

    def _landed(self, nonce: str, now: int) -> None:
        sent = self._flights.pop(nonce, None)
        if sent is not None and self._asked is not None:
            self._longest = max(self._longest, now - max(sent, self._asked))

    def _hold(self) -> None:
        for channel in self._channels:
            channel.hold(is_held=self._outbox.is_full)

    # From the owner

    def hear(self, talk: Talk) -> None:
        """Handle a message from the owner's computer. An invalid one ends the session."""
        try:
            self._hear(talk, monotonic_ns())
        except (ValueError, IndexError) as error:
            self.finish(f"its owner's computer makes no sense: {printable(str(error), 80)}")

    def _hear(self, talk: Talk, now: int) -> None:
        if talk.gone:
            self._is_there, self._answered = False, 0
            self._answering.clear()
            return
        if talk.hello is not None:
            self._greet(talk.hello, now)
            return
        if not self._is_there:
            return  # it has not yet said which session it continues
        if talk.p:
            self._landed(talk.p, now)
        if talk.ack >= 0:
            self._outbox.acked(talk.ack)
            self._has_begun = True
            self._hold()
        if talk.n > self._inbox.got + 1:
            return  # the messages before it were lost on the way
        if talk.n and self._inbox.take(talk.n):
            channel = self._channels[talk.c]
            if talk.text:
                channel.deliver(talk.text)
            elif talk.end:
                channel.finish(printable(talk.end, 200))
        if talk.n:
            self._tell([Talk(ack=self._inbox.got)])

    def _greet(self, hello: Hello, now: int) -> None:
        if hello.session != self.name and self._has_begun:
            self.finish("its owner has started `gyoji join` again, and the engine of this game is gone")
            return
        if hello.session == self.name:
            self._outbox.acked(hello.got)
        waiting = {talk.p for talk in self._outbox}
        for nonce in [each for each in self._flights if each not in waiting]:
            self._landed(nonce, now)
        self._is_there = False
        if now >= (due := self._answered + HELLO_PERIOD):
            self._answer(now)
        else:
            self._answering.set(due)

    def _answer(self, now: int) -> None:
        """Answer the owner's last hello, and send all unacknowledged messages again."""
        self._answering.clear()
        self._answered, self._is_there = now, True
        self._tell([Talk(session=self.name, got=self._inbox.got), *self._outbox])
        self._hold()

    def finish(self, why: str) -> None:
        """End the output of all engines for a reason."""
        for channel in self._channels:
            channel.finish(why)

    def retire(self) -> None:
        """End the session, because the game is over."""
        self.finish("")
        self._pinging.retire()
        self._answering.retire()
