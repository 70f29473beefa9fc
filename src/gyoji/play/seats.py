"""The seats of persons in a worker: what happens at them goes to whoever asked for it, and answers back.

Each seat is a conversation over a socket pair, as with any engine; one end is the game's. What the other end
hears, events (`gyoji.protocols.page`), is sent on, and what somebody answers is written to it. The last
events are kept, so that who comes back sees where the game is.
"""

import socket
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Literal

import msgspec

from gyoji.core.game import SeesViews
from gyoji.core.plugins import GAMES
from gyoji.core.ports import offers
from gyoji.core.spec import GameSpec, Player
from gyoji.core.wire import Value
from gyoji.executors.held import HeldChannel
from gyoji.play.loop import Loop
from gyoji.protocols.page import PageCodec, Wish

_CHUNK = 1 << 16
MOST_KEPT = 1 << 17
"""Bytes of events, besides the first one of a seat, that can be told again."""

_END = b'{"event":"end","seat":%d}'


class SeatNews(Value, frozen=True, kw_only=True):
    """The events at the seats of a person.

    player  its code.   events  as `gyoji.protocols.page` has them; besides {"event": "end", "seat": n}.
    again   whether these are all that are known, told once more; none where the player has no seat.
    """

    player: str
    events: tuple[msgspec.Raw, ...]
    again: bool = False


class Words(Value, frozen=True, kw_only=True):
    """Something that a person says.

    player  its code.   seat  which of its seats is meant.   text  an answer, one line of JSON.
    again   whether it wants to be told again what happened lately, and says nothing.
    decision  of whoever runs the event, for the reason in text: "forfeit", the player loses, or "restart",
              the game comes to nothing and is played again; "" for what the player says itself.
    """

    player: str
    seat: int = 0
    text: str = ""
    again: bool = False
    decision: Literal["", "forfeit", "restart"] = ""


class PageChannel(HeldChannel):
    """The channel of a person: events go through it, whatever its player's protocol is called."""

    def __init__(self, player: Player, descriptor: int, codec: PageCodec) -> None:
        super().__init__(player, descriptor, descriptor)
        self.codec = codec


class _Seat:
    """Our end of a conversation, and what happened there lately. number: of the seat, once it is known."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self.number = -1
        self._first = b""
        self._last = deque[bytes]()
        self._size = 0
        self._rest = b""

    def take(self, data: bytes) -> list[bytes]:
        """The events that are complete now."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._keep(line)
        return lines

    def _keep(self, line: bytes) -> None:
        if not self._first:
            self._first, self.number = line, msgspec.json.decode(line)["seat"]
            return
        self._last.append(line)
        self._size += len(line)
        while self._size > MOST_KEPT and len(self._last) > 1:
            self._size -= len(self._last.popleft())

    def lately(self) -> list[bytes]:
        """How the game began, and the last events."""
        return [self._first, *self._last] if self._first else []


class Seats:
    """The port `EngineStarter` for persons. tell: called with what happens at their seats."""

    def __init__(self, loop: Loop, tell: Callable[[SeatNews], object]) -> None:
        self._loop, self._tell = loop, tell
        self._seats: dict[str, list[_Seat]] = {}  # by player
        self._pictures: SeesViews[Any] | None = None
        self._may: tuple[Wish, ...] = ()

    pids: frozenset[int] = frozenset()

    def prepare(self, spec: GameSpec) -> None:
        """The next game is this one."""
        if any(player.is_person for player in spec.players):
            game = GAMES.find(spec.game)
            pictures = game.pictures() if game.pictures is not None else None
            self._pictures = pictures if pictures is not None and offers(pictures, SeesViews) else None
            self._may = possible_wishes(spec)

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> PageChannel:
        """See the port."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        seat = _Seat(ours)
        self._seats.setdefault(player.person, []).append(seat)
        self._loop.watch(ours.fileno(), partial(self._on_events, player.person, seat))
        return PageChannel(player, theirs.detach(), PageCodec(self._pictures, self._may))

    def say(self, words: Words) -> None:
        """A person says something, or wants to be told again."""
        seats = self._seats.get(words.player, [])
        if words.again:
            self._news(words.player, [line for seat in seats for line in seat.lately()], again=True)
            return
        for seat in seats:
            if seat.number == words.seat:
                with suppress(OSError):  # the game is over, or it is told more than anybody can say
                    seat.end.send(f"{' '.join(words.text.splitlines())}\n".encode())

    def _news(self, player: str, lines: list[bytes], *, again: bool = False) -> None:
        self._tell(SeatNews(player=player, events=tuple(map(msgspec.Raw, lines)), again=again))

    def _on_events(self, player: str, seat: _Seat, _now: int) -> None:
        try:
            data = seat.end.recv(_CHUNK)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            self._end(player, seat)
        elif lines := seat.take(data):
            self._news(player, lines)

    def _end(self, player: str, seat: _Seat) -> None:
        self._loop.forget(seat.end.fileno())
        seat.end.close()
        self._seats[player].remove(seat)
        self._news(player, [_END % seat.number])

    def close(self) -> None:
        """End all conversations."""
        for player, seats in self._seats.items():
            for seat in list(seats):
                self._end(player, seat)


def possible_wishes(spec: GameSpec) -> tuple[Wish, ...]:
    """The wishes that a person of a game may have, as far as its settings say."""
    if len(spec.players) > 2:
        return ("resign",)
    others = sum(player.is_person for player in spec.players) > 1
    wishes: dict[Wish, bool] = {
        "take-back": spec.take_backs != "never",
        "draw": spec.draw_offers and others,
        "advice": spec.advice and not others,
        "resign": True,
    }
    return tuple([wish for wish, is_possible in wishes.items() if is_possible])
