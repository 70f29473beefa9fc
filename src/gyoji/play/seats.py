"""The seats of human players in a worker: events go to the scheduler, and answers come from it."""

# Theory of operation
#
# A human player is connected by a channel, as an engine is, so the clock, the deadlines and the referee treat
# both alike: a human can be late, can hang up and can make an illegal move.
#
#     worker:  Referee <-> HumanCodec <-> Link <-> socket pair <-> _Seat
#     events:  _Seat -- SeatNews ------> scheduler -> web server -> browser
#     answers: _Seat <- HumanMessage --- scheduler <- web server <- browser
#
# * `Seats` is the engine starter of the executor "person". `start` makes a socket pair: one end is the game's
#   channel, the other stays in `_Seat`. `HumanCodec` writes events as JSON lines, which are forwarded without
#   being parsed.
# * Only the codec checks an answer, as with the output of an engine.
# * `_Seat` keeps the first event and the last MOST_KEPT bytes, so that a reloaded page gets the state of the
#   game (`HumanMessage.again`). A seat's number is known from its first event.
# * The end of the socket pair is the end of the seat: after the game the link closes its end.

import socket
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from gyoji.core import wire
from gyoji.core.game import SeesViews
from gyoji.core.lines import LineReader
from gyoji.core.plugins import GAMES
from gyoji.core.ports import supports
from gyoji.core.spec import GameSpec, Player
from gyoji.core.wire import Value
from gyoji.executors.fd_channel import FdChannel
from gyoji.play.loop import Loop
from gyoji.protocols.human import HumanCodec, RequestName

_CHUNK = 1 << 16
MOST_KEPT = 1 << 17
"""The maximum number of bytes of a seat's events, without the first, that are kept to be sent again."""

_END = b'{"event":"end","seat":%d}'


class SeatNews(Value, frozen=True, kw_only=True, tag="seat"):
    """New events at the seats of a human player.

    Attributes:
        player: Code of the player.
        events: Events of `gyoji.protocols.human`, and {"event": "end", "seat": n} at the end.
        again: Whether the events were sent before and are repeated on request. They are then all that were
            kept; () if the player has no seat.
    """

    game: str
    player: str
    events: tuple[msgspec.Raw, ...]
    again: bool = False


class HumanMessage(Value, frozen=True, kw_only=True, tag="human"):
    """A message from a human player in a game, or a decision of the organiser about that player.

    Attributes:
        player: Code of the player.
        seat: The seat that the message is about.
        answer: The answer, which only `gyoji.protocols.human` checks.
        again: Whether this is only a request to send the last events again.
        decision: The organiser's decision: "forfeit" (the player loses), or "restart" (the game has no
            result and is played again); "" for a message of the player.
        reason: Reason of the decision.
    """

    game: str
    player: str
    seat: int = 0
    answer: Mapping[str, Any] = MappingProxyType({})
    again: bool = False
    decision: Literal["", "forfeit", "restart"] = ""
    reason: str = ""


class HumanChannel(FdChannel):
    """The channel of a human player, which has its own codec whatever protocol the player's settings name."""

    def __init__(self, player: Player, descriptor: int, codec: HumanCodec) -> None:
        super().__init__(player, descriptor, descriptor)
        self.codec = codec


class _Seat:
    """gyoji's end of a human player's channel, with the last events that were sent over it.

    Attributes:
        number: Number of the seat; -1 until the first event.
    """

    def __init__(self, game: str, end: socket.socket) -> None:
        self.game, self.end = game, end
        self.number = -1
        self.first = b""
        self.last = deque[bytes]()
        self._size = 0
        self._lines = LineReader()

    def take(self, data: bytes) -> list[bytes]:
        """Return the events that `data` completes, and keep them in order to send them again on request."""
        lines = self._lines.feed(data)
        self.last.extend(lines)
        self._size += sum(map(len, lines))
        if self.last and not self.first:
            self.first = self.last.popleft()
            self._size, self.number = self._size - len(self.first), msgspec.json.decode(self.first)["seat"]
        while self._size > MOST_KEPT and len(self.last) > 1:
            self._size -= len(self.last.popleft())
        return lines


class Seats:
    """The engine starter of human players: it connects the seats of a worker's game with the players' pages.

    It calls `tell` with events for a player.
    """

    def __init__(self, loop: Loop, tell: Callable[[SeatNews], object]) -> None:
        self._loop, self._tell = loop, tell
        self._seats: dict[str, list[_Seat]] = {}  # by player
        self._game = ""
        self._pictures: SeesViews[Any] | None = None
        self._may: tuple[RequestName, ...] = ()

    pids: frozenset[int] = frozenset()

    def prepare(self, spec: GameSpec) -> None:
        """Prepare for the next game: store its id and its pictures, and find the requests that it allows."""
        self._game = spec.id
        if any(player.is_person for player in spec.players):
            game = GAMES.find(spec.game)
            pictures = game.pictures() if game.pictures is not None else None
            self._pictures = pictures if pictures is not None and supports(pictures, SeesViews) else None
            self._may = possible_requests(spec)

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> HumanChannel:
        """Create the channel of a human player's seat. Implements `EngineStarter.start`."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        seat = _Seat(self._game, ours)
        self._seats.setdefault(player.person, []).append(seat)
        self._loop.watch(ours.fileno(), partial(self._on_events, player.person, seat))
        return HumanChannel(player, theirs.detach(), HumanCodec(self._pictures, self._may))

    def say(self, message: HumanMessage) -> None:
        """Pass a player's answer to the seat, or send the seats' last events again if the message asks for
        them.
        """
        seats = self._seats.get(message.player, [])
        if message.again:
            lines = [line for seat in seats for line in (seat.first, *seat.last) if line]
            self._news(message.game, message.player, lines, again=True)
            return
        for seat in seats:
            if seat.number == message.seat:
                with suppress(OSError):  # the game is over, or the socket is full
                    seat.end.send(f"{wire.dumps(message.answer)}\n".encode())

    def _news(self, game: str, player: str, lines: list[bytes], *, again: bool = False) -> None:
        self._tell(SeatNews(game=game, player=player, events=tuple(map(msgspec.Raw, lines)), again=again))

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
            self._news(seat.game, player, lines)

    def _end(self, player: str, seat: _Seat) -> None:
        self._loop.forget(seat.end.fileno())
        seat.end.close()
        self._seats[player].remove(seat)
        self._news(seat.game, player, [_END % seat.number])

    def close(self) -> None:
        """End the seats of all human players."""
        for player, seats in self._seats.items():
            for seat in list(seats):
                self._end(player, seat)


def possible_requests(spec: GameSpec) -> tuple[RequestName, ...]:
    """Return the requests that the game's settings allow a human player."""
    if len(spec.players) > 2:
        return ("resign",)
    others = sum(player.is_person for player in spec.players) > 1
    requests: dict[RequestName, bool] = {
        "take-back": spec.take_backs != "never",
        "draw": spec.draw_offers and others,
        "hint": spec.hints and not others,
        "resign": True,
    }
    return tuple([request for request, is_possible in requests.items() if is_possible])
