"""The seats of persons in a worker: what is said to them goes to whoever asked for it, and back.

Each seat is a conversation over a socket pair, as with any engine; one end is the game's. What the other end
hears is sent on as text, and what somebody says there is written to it. What was said since the person was
last heard is kept, so that who comes back sees where the game is.
"""

import socket
from codecs import getincrementaldecoder
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from gyoji.core.spec import Player
from gyoji.core.wire import Value
from gyoji.executors.held import HeldChannel
from gyoji.play.loop import Loop

_CHUNK = 1 << 16
MOST_KEPT = 1 << 16
"""Characters of a conversation that can be said again."""


class Words(Value, frozen=True, kw_only=True):
    """Words between a person and the game: to the person, or from it.

    player  its code.   text  what is said; lines, the last one a question if it has no end.
    again   whether this is all that was said lately, said once more.
    is_over whether the seat is not there any more.
    """

    player: str
    text: str = ""
    again: bool = False
    is_over: bool = False


class _Seat:
    """Our end of a conversation, and what was said in it lately."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self.said = ""
        self.decoder = getincrementaldecoder("utf-8")("replace")


class Seats:
    """The port `EngineStarter` for persons. tell: called with what is said to one of them."""

    def __init__(self, loop: Loop, tell: Callable[[Words], object]) -> None:
        self._loop, self._tell = loop, tell
        self._seats: dict[str, _Seat] = {}  # by player: of several seats the one that was asked last
        self._all: list[_Seat] = []

    pids: frozenset[int] = frozenset()

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> HeldChannel:
        """See the port."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        seat = _Seat(ours)
        self._all.append(seat)
        self._seats.setdefault(player.code, seat)
        self._loop.watch(ours.fileno(), partial(self._on_text, player.code, seat))
        descriptor = theirs.detach()
        return HeldChannel(player, descriptor, descriptor)

    def say(self, words: Words) -> None:
        """A person says something, or wants to hear again what was said lately."""
        if (seat := self._seats.get(words.player)) is None:
            self._tell(Words(player=words.player, is_over=True))
        elif words.again:
            self._tell(Words(player=words.player, text=seat.said, again=True))
        else:
            with suppress(OSError):  # the game is over, or it is told more than anybody can say
                seat.end.send(words.text.encode())

    def _on_text(self, player: str, seat: _Seat, _now: int) -> None:
        try:
            data = seat.end.recv(_CHUNK)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            self._end(player, seat)
            return
        text = seat.decoder.decode(data)
        seat.said = (seat.said + text)[-MOST_KEPT:]
        self._seats[player] = seat
        self._tell(Words(player=player, text=text))

    def _end(self, player: str, seat: _Seat) -> None:
        self._loop.forget(seat.end.fileno())
        seat.end.close()
        self._all.remove(seat)
        if self._seats.get(player) is seat:
            del self._seats[player]
            self._tell(Words(player=player, is_over=True))

    def close(self) -> None:
        """End all conversations."""
        for player, seat in list(self._seats.items()):
            self._end(player, seat)
        for seat in list(self._all):
            self._loop.forget(seat.end.fileno())
            seat.end.close()
        self._all.clear()
