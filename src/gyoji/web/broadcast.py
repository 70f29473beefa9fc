"""Server-sent events to any number of readers (browsers and scripts)."""

# Theory of operation
#
# There are two kinds of messages:
#
#   journal   events: a game began, finished ... Every reader gets them. Each event has a number, "EPOCH-N".
# The
#             newest MOST_KEPT are kept: a reader that was cut off sends the number of its last event, and
# gets
#             those it missed
#   topic     news of a game in progress, a seat, all boards. Only readers of the topic get it, and it is not
#             kept: a page that connects asks for the current state anyway
#
# A message is encoded once, however many read it. A reader has a queue of bytes:
#
#     put -----> [ waiting ] --messages()--> one write, then a pause of PERIOD
#                     |
#                     '-- more than MOST_WAITING: the reader is dropped, its stream ends
#
# Browsers open an ended stream again by themselves, with Last-Event-ID. If the missed events are not kept any
# more, or there are more of them than a queue holds, the reader gets one "anew", and loads its page again.
# The epoch changes with every start of the server, so that numbers of another server never match.

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterable

from gyoji.core.text import parse_whole

MOST_KEPT = 5000
"""Number of the newest events that are kept for readers that were cut off."""
MOST_WAITING = 256
"""Largest number of messages that wait for one reader. With more, it is dropped."""

PERIOD = 0.1
"""Seconds between two writes to a reader. Messages that come meanwhile are written together."""


def encode(event: str, data: str, number: str = "") -> bytes:
    r"""Return an event in the format of server-sent events (WHATWG HTML, 9.2).

    Args:
        event: Type of the event.
        data: Content of the event, one line of text.
        number: Id of the event; "" for an event that is not kept for readers that were cut off.

    >>> encode("move", "{}", "7")
    b'id: 7\nevent: move\ndata: {}\n\n'
    """
    head = f"id: {number}\n" if number else ""
    return f"{head}event: {event}\ndata: {data}\n\n".encode()


class Reader:
    """The messages that wait to be written to one browser or script.

    Attributes:
        topics: The topics that it reads.
        is_dropped: Whether its stream has ended or ends now.
    """

    def __init__(self, topics: frozenset[str]) -> None:
        self.topics = topics
        self.is_dropped = False
        self._waiting: deque[bytes] = deque()
        self._has_more = asyncio.Event()

    def put(self, data: bytes) -> None:
        """Add a message. If `MOST_WAITING` messages wait already, discard all of them and drop the reader."""
        if len(self._waiting) >= MOST_WAITING:
            self.is_dropped = True
            self._waiting.clear()
        elif not self.is_dropped:
            self._waiting.append(data)
        self._has_more.set()

    def drop(self) -> None:
        """End the reader's stream."""
        self.is_dropped = True
        self._has_more.set()

    async def messages(self, period: float = PERIOD) -> AsyncIterator[bytes]:
        """Yield all waiting messages as one piece, at most every `period` seconds, until the reader is
        dropped.
        """
        while not self.is_dropped:
            await self._has_more.wait()
            self._has_more.clear()
            if self._waiting and not self.is_dropped:
                data = b"".join(self._waiting)
                self._waiting.clear()
                yield data
                await asyncio.sleep(period)


class Broadcast:
    """The events of a server: a journal that all readers get, and topics for those who ask for them."""

    def __init__(self, epoch: str) -> None:
        """Start without events and readers.

        Args:
            epoch: Text at the beginning of all event numbers, different for each start of the server.
        """
        self._epoch = epoch
        self._number = 0
        self._journal: deque[tuple[int, bytes]] = deque(maxlen=MOST_KEPT)
        self._readers: set[Reader] = set()
        self._by_topic: dict[str, set[Reader]] = {}

    @property
    def last(self) -> str:
        """The number of the journal's newest event, such as "a1b2c3d4-17"."""
        return f"{self._epoch}-{self._number}"

    def read(self, topics: Iterable[str], after: str = "") -> Reader:
        """Add a reader of the journal (the events that all readers get) and of `topics`.

        Args:
            after: Number of the last event that the reader has had, so that it gets the later ones; "" for a
                new reader.
        """
        reader = Reader(frozenset(topics))
        for data in self._missed(after):
            reader.put(data)
        self._readers.add(reader)
        for topic in reader.topics:
            self._by_topic.setdefault(topic, set()).add(reader)
        return reader

    def _missed(self, after: str) -> Iterable[bytes]:
        """Return the journal's events after number `after`, as bytes to send; () for "".

        If some of these events are no longer kept, or there are too many for a reader's queue, return only an
        event "anew". The reader then loads everything again.
        """
        if not after:
            return ()
        epoch, _, digits = after.rpartition("-")
        if epoch == self._epoch and (number := parse_whole(digits)) is not None:
            oldest = self._journal[0][0] if self._journal else self._number + 1
            if oldest - 1 <= number <= self._number:
                missed = [data for each, data in self._journal if each > number]
                if len(missed) < MOST_WAITING:
                    return missed
        return (encode("anew", "{}", self.last),)

    def leave(self, reader: Reader) -> None:
        """Remove a reader. Nothing happens if it was removed before."""
        self._readers.discard(reader)
        for topic in reader.topics:
            if readers := self._by_topic.get(topic):
                readers.discard(reader)
                if not readers:
                    del self._by_topic[topic]

    def has_readers(self, topic: str) -> bool:
        """Return whether a topic has readers."""
        return topic in self._by_topic

    def readers(self, topic: str) -> Collection[Reader]:
        """Return the readers of a topic."""
        return self._by_topic.get(topic, ())

    def record(self, event: str, data: str) -> None:
        """Add an event to the journal (the events that all readers get), and send it to every reader.

        Args:
            event: Type of the event.
            data: Content of the event, a line of JSON.
        """
        self._number += 1
        encoded = encode(event, data, self.last)
        self._journal.append((self._number, encoded))
        self._send(encoded, list(self._readers))

    def send(self, topic: str, event: str, data: str) -> None:
        """Send an event to the readers of a topic. Readers who come later do not get it.

        Args:
            event: Type of the event.
            data: Content of the event, a line of JSON.
        """
        if readers := self._by_topic.get(topic):
            self._send(encode(event, data), list(readers))

    def _send(self, data: bytes, readers: Iterable[Reader]) -> None:
        for reader in readers:
            reader.put(data)
            if reader.is_dropped:
                self.leave(reader)

    def end(self, topic: str) -> None:
        """Drop the readers of a topic. To read on they must connect again, and prove again who they are."""
        for reader in [each for each in self._readers if topic in each.topics]:
            reader.drop()
            self._readers.discard(reader)

    def close(self) -> None:
        """Drop all readers."""
        for reader in list(self._readers):
            reader.drop()
            self.leave(reader)
