"""Messages to any number of readers: each is made once, and a reader that does not keep up is dropped.

A reader is an asynchronous iterator over messages. Those of the journal have numbers, and a reader that was
cut off says which it had last: what it missed is sent first, or, when that is gone, one message that says to
begin anew.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable

from gyoji.core.text import parse_whole

MOST_KEPT = 5000
"""Messages of the journal that a reader can still ask for."""

MOST_WAITING = 256
"""Messages that a reader may leave unread before it is dropped."""

PERIOD = 0.1
"""Seconds between two sendings to a reader, at least; what comes meanwhile is sent at once then."""


def encode(event: str, data: str, number: str = "") -> bytes:
    """An event as the standard has it (WHATWG HTML, server-sent events); data: one line.

    >>> encode("move", "{}", "7")
    b'id: 7\\nevent: move\\ndata: {}\\n\\n'
    """
    head = f"id: {number}\n" if number else ""
    return f"{head}event: {event}\ndata: {data}\n\n".encode()


class Reader:
    """One reader's messages, in their order, until it is closed or dropped."""

    def __init__(self, topics: frozenset[str]) -> None:
        self.topics = topics
        self.is_dropped = False
        self._waiting: deque[bytes] = deque()
        self._has_more = asyncio.Event()

    def put(self, data: bytes) -> None:
        """A message for it; it is dropped if too many wait."""
        if len(self._waiting) >= MOST_WAITING:
            self.is_dropped = True
            self._waiting.clear()
        elif not self.is_dropped:
            self._waiting.append(data)
        self._has_more.set()

    def drop(self) -> None:
        """End it."""
        self.is_dropped = True
        self._has_more.set()

    async def messages(self, period: float = PERIOD) -> AsyncIterator[bytes]:
        """All messages that wait, at once, and nothing more for `period` seconds."""
        while not self.is_dropped:
            await self._has_more.wait()
            self._has_more.clear()
            if self._waiting and not self.is_dropped:
                data = b"".join(self._waiting)
                self._waiting.clear()
                yield data
                await asyncio.sleep(period)


class Broadcast:
    """Topics and their readers. epoch: names this journal; numbers of another one mean nothing here.

    dropped: how many readers did not keep up.
    """

    def __init__(self, epoch: str) -> None:
        self._epoch = epoch
        self._number = 0
        self._journal: deque[tuple[int, bytes]] = deque(maxlen=MOST_KEPT)
        self._readers: set[Reader] = set()
        self._by_topic: dict[str, set[Reader]] = {}
        self.dropped = 0

    @property
    def readers(self) -> int:
        """How many there are."""
        return len(self._readers)

    @property
    def events(self) -> int:
        """How many events the journal has had."""
        return self._number

    @property
    def last(self) -> str:
        """The number of the newest event of the journal."""
        return f"{self._epoch}-{self._number}"

    def read(self, topics: Iterable[str], after: str = "") -> Reader:
        """A new reader of these topics and of the journal; after: the number of the event it had last."""
        reader = Reader(frozenset(topics))
        for data in self._missed(after):
            reader.put(data)
        self._readers.add(reader)
        for topic in reader.topics:
            self._by_topic.setdefault(topic, set()).add(reader)
        return reader

    def _missed(self, after: str) -> Iterable[bytes]:
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
        """Tell it nothing more."""
        self._readers.discard(reader)
        for topic in reader.topics:
            if readers := self._by_topic.get(topic):
                readers.discard(reader)
                if not readers:
                    del self._by_topic[topic]

    def has_readers(self, topic: str) -> bool:
        """Whether anybody reads a topic."""
        return topic in self._by_topic

    def note(self, event: str, data: str) -> None:
        """An event of the journal, which every reader gets."""
        self._number += 1
        encoded = encode(event, data, self.last)
        self._journal.append((self._number, encoded))
        self._send(encoded, list(self._readers))

    def tell(self, topic: str, event: str, data: str) -> None:
        """A message to the readers of a topic, of which nothing is kept."""
        if readers := self._by_topic.get(topic):
            self._send(encode(event, data), list(readers))

    def _send(self, data: bytes, readers: Iterable[Reader]) -> None:
        for reader in readers:
            reader.put(data)
            if reader.is_dropped:
                self.leave(reader)
                self.dropped += 1

    def end(self, topic: str) -> None:
        """End the readers of a topic: they have to come again."""
        for reader in [each for each in self._readers if topic in each.topics]:
            reader.drop()
            self._readers.discard(reader)

    def close(self) -> None:
        """End all readers."""
        for reader in list(self._readers):
            reader.drop()
            self.leave(reader)
