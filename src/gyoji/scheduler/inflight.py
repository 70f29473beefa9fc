"""The games that are being played: in which slot, since when, how far. Between the run and its pool."""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from heapq import heappop, heappush
from time import strftime
from typing import Any, NamedTuple, Protocol

from gyoji.core.spec import GameSpec
from gyoji.runner.context import GOMILL_ID, TOKEN
from gyoji.runner.loop import Loop
from gyoji.runner.order import Files, Order, Progress
from gyoji.runner.play import play
from gyoji.scheduler.cores import share_out


class Pool(Protocol):
    """Where games are played: an executor that can end them. `SlotPool` is one.

    loop         a run waits in it; games end in there, if they have not when they are submitted.
    on_progress  what it is to call, in the same thread, with news of games in progress.
    """

    loop: Loop
    on_progress: Any

    def resize(self, slots: int, cores: Sequence[frozenset[int]] = ()) -> None: ...
    def submit(self, fn: Any, /, *args: Any) -> Future[Any]: ...
    def abandon(self) -> None: ...


def id_variables(*, names_games: bool, has_secret: bool) -> tuple[str, ...]:
    """The variables in which engines find the ids of their games. names_games: as gomill promises.

    An event that an older gyoji began has no secret: its engines find them where that put them.
    """
    if not has_secret:
        return TOKEN, "GYOJI_GAME_ID", GOMILL_ID
    return (GOMILL_ID,) if names_games else ()


@dataclass(slots=True)
class _Game:
    order: Order
    number: int  # of the slot
    started: str
    turns: int = 0


class Ended(NamedTuple):
    """A game whose future is done, whatever came of it. started: ISO 8601."""

    spec: GameSpec
    future: Future[Any]
    started: str


class InFlight:
    """At most `slots` games at a time.

    is_parallel  whether games are told which slot they have.
    cores        how many processors each has to itself; 0: it runs on any.
    id_in        see `Order`.
    """

    def __init__(
        self, pool: Pool, slots: int, *, is_parallel: bool, cores: int, id_in: tuple[str, ...] = ()
    ) -> None:
        self._pool = pool
        self._is_parallel = is_parallel
        self._cores = cores
        self._id_in = id_in
        self.slots = slots
        self._free = list(range(slots))  # a heap
        self._games: dict[str, _Game] = {}
        self._done: deque[tuple[str, Future[Any]]] = deque()
        self._news: deque[Progress] = deque()
        pool.on_progress = self._news.append

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, game_id: str) -> bool:
        return game_id in self._games

    @property
    def has_room(self) -> bool:
        return len(self._games) < self.slots

    @property
    def ids(self) -> tuple[str, ...]:
        """In the order in which they were started."""
        return tuple(self._games)

    @property
    def specs(self) -> tuple[GameSpec, ...]:
        """In the order in which they were started."""
        return tuple(game.order.spec for game in self._games.values())

    def resize(self, slots: int) -> None:
        """Have so many slots from now on, and let games know theirs. Running games go on.

        Raises ConfigError if there are not enough processors.
        """
        shares = share_out(slots, self._cores)
        self._is_parallel = True
        self.slots = slots
        self._free = sorted(set(range(slots)) - {game.number for game in self._games.values()})
        self._pool.resize(slots, shares)

    def start(self, spec: GameSpec, files: Files, *, watch: bool) -> Order:
        """Have a game played. The order, as it was given."""
        number = heappop(self._free)
        slot = number if self._is_parallel else None
        order = Order(spec=spec, slot=slot, files=files, watch=watch, id_in=self._id_in)
        self._games[spec.id] = _Game(order, number, strftime("%Y-%m-%dT%H:%M:%S%z"))
        future = self._pool.submit(play, order)
        future.add_done_callback(lambda done: self._done.append((spec.id, done)))
        return order

    def abandon(self) -> None:
        """End all games now. Each of them still `ended`, finished or not."""
        self._pool.abandon()

    def wait(self) -> None:
        """Until there is something to do, which may be more than a game that has ended."""
        self._pool.loop.wait(0 if self._done else None)

    def ended(self) -> list[Ended]:
        """The games that have ended since the last time; their slots are free."""
        games = []
        while self._done:
            game_id, future = self._done.popleft()
            game = self._games.pop(game_id)
            if game.number < self.slots:
                heappush(self._free, game.number)
            games.append(Ended(game.order.spec, future, game.started))
        return games

    def news(self) -> list[Progress]:
        """What has been said since the last time of games still in progress."""
        news = []
        while self._news:
            progress = self._news.popleft()
            if game := self._games.get(progress.id):
                game.turns = progress.turns
                news.append(progress)
        return news

    def describe(self) -> list[dict[str, Any]]:
        """The games in progress, JSON-ready; turns as far as somebody watches."""
        return [
            {
                "id": game_id,
                "players": [player.code for player in game.order.spec.players],
                "slot": game.number,
                "started": game.started,
                "turns": game.turns,
            }
            for game_id, game in self._games.items()
        ]
