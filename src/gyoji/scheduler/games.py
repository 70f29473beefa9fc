"""The games of a run that have no result yet: one record of each, and those of them that a pool plays."""

from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from time import strftime
from typing import Any, Protocol

from gyoji.core.record import VoidGame
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import printable
from gyoji.play.context import GOMILL_ID, TOKEN
from gyoji.play.game import play
from gyoji.play.loop import Loop
from gyoji.play.order import Files, Order, Progress, Report
from gyoji.scheduler.place import Abandoned, WorkerDied


@dataclass(slots=True, eq=False)
class IssuedGame:
    """A game of a run, from when its competition issues it until it has a result.

    number         its place in the order in which games are issued.
    has_resources  whether it has what it needs, and so can be played or is.

    While it is played:

    slot     its 0-based number; -1 while it is not played.
    start    its place in the order in which games were started.   started: when, ISO 8601.
    turns    how many it has, and left: ns on each seat's clock, as far as somebody watches.
    future   its report, when it has ended.
    """

    spec: GameSpec
    number: int
    has_resources: bool = False
    slot: int = -1
    start: int = -1
    started: str = ""
    turns: int = 0
    left: tuple[int | None, ...] = ()
    future: "Future[Report] | None" = None

    @property
    def id(self) -> str:
        return self.spec.id

    def report(self) -> Report | None:
        """The result of its end, whatever came of it; None if it was abandoned."""
        assert self.future is not None, self.id
        try:
            return self.future.result()
        except (Abandoned, CancelledError):
            return None
        except Exception as error:  # noqa: BLE001 (whatever a place to play raises, the game is void)
            return Report(void=self._void(error))

    def _void(self, error: Exception) -> VoidGame:
        died = isinstance(error, WorkerDied)
        moving = [self.spec.players[seat] for seat in error.to_move] if isinstance(error, WorkerDied) else []
        return VoidGame(
            id=self.id,
            pairing=self.spec.pairing,
            players=tuple(player.code for player in self.spec.players),
            reason=printable(str(error) if died else f"{type(error).__name__}: {error}"),
            started=self.started,
            to_move=tuple(dict.fromkeys(player.code for player in moving)),
            by_death=died,
            against=moving[0].code if len(moving) == 1 and not _is_contained(moving[0]) else "",
        )


def _is_contained(player: Player) -> bool:
    """Whether an engine of the player cannot have ended our worker."""
    return player.containment.level != "off"


class Pool(Protocol):
    """A place to play games: an executor that can end them. `SlotPool` is one.

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


class GamesInProgress:
    """At most `slots` games at a time.

    issued       the games without a result, by id.
    is_parallel  whether games are told which slot they have.
    id_in        see `Order`.
    """

    def __init__(
        self,
        pool: Pool,
        issued: Mapping[str, IssuedGame],
        slots: int,
        *,
        is_parallel: bool,
        id_in: tuple[str, ...] = (),
    ) -> None:
        self._pool = pool
        self._issued = issued
        self._is_parallel = is_parallel
        self._id_in = id_in
        self.slots = slots
        self._free = list(range(slots))  # a heap
        self._starts = count()
        self._playing: dict[Future[Any], IssuedGame] = {}
        self._done: deque[Future[Any]] = deque()
        self._news: deque[Progress] = deque()
        pool.on_progress = self._news.append

    def __len__(self) -> int:
        return len(self._playing)

    @property
    def has_room(self) -> bool:
        return len(self._playing) < self.slots

    def now(self) -> list[IssuedGame]:
        """The games that are being played, in the order in which they were started."""
        playing = [game for game in self._issued.values() if game.slot >= 0]
        return sorted(playing, key=lambda game: game.start)

    @property
    def ids(self) -> tuple[str, ...]:
        """In the order in which they were started."""
        return tuple(game.id for game in self.now())

    def resize(self, slots: int, cores: Sequence[frozenset[int]]) -> None:
        """Have so many slots from now on, and let games know theirs. Running games go on.

        cores: for each slot the processors that are its own, if it has any.
        """
        self._is_parallel = True
        self.slots = slots
        self._free = sorted(set(range(slots)) - {game.slot for game in self.now()})
        self._pool.resize(slots, cores)

    def start(self, game: IssuedGame, files: Files, *, watch: bool) -> Order:
        """Have a game played. The order, as it was given."""
        game.slot = heappop(self._free)
        game.start, game.started, game.turns, game.left = next(self._starts), _now(), 0, ()
        slot = game.slot if self._is_parallel else None
        order = Order(spec=game.spec, slot=slot, files=files, watch=watch, id_in=self._id_in)
        game.future = self._pool.submit(play, order)
        self._playing[game.future] = game
        game.future.add_done_callback(self._done.append)  # which knows no game: a circle is freed late
        return order

    def abandon(self) -> None:
        """End all games now. Each of them still `ended`, finished or not."""
        self._pool.abandon()

    def wait(self) -> None:
        """Until there is something to do, which may be more than a game that has ended."""
        self._pool.loop.wait(0 if self._done else None)

    def ended(self) -> list[IssuedGame]:
        """The games that have ended since the last time; their slots are free."""
        games = []
        while self._done:
            game = self._playing.pop(self._done.popleft())
            if game.slot < self.slots:
                heappush(self._free, game.slot)
            game.slot = -1
            games.append(game)
        return games

    def news(self) -> list[Progress]:
        """The news since the last time of games still in progress."""
        news = []
        while self._news:
            progress = self._news.popleft()
            if (game := self._issued.get(progress.id)) and game.slot >= 0:
                game.turns, game.left = progress.turns, progress.left
                news.append(progress)
        return news

    def describe(self) -> list[dict[str, Any]]:
        """The games in progress, JSON-ready; turns as far as somebody watches."""
        return [
            {
                "id": game.id,
                "players": [player.code for player in game.spec.players],
                "slot": game.slot,
                "started": game.started,
                "turns": game.turns,
            }
            for game in self.now()
        ]


def _now() -> str:
    return strftime("%Y-%m-%dT%H:%M:%S%z")
