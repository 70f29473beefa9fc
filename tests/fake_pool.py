"""A pool of workers for tests, without processes: its owner decides how each game ends, at once or later.

If it has hosts, they come and go, and their games are played elsewhere.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self, TypeAlias

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, VoidGame, teams_of_players
from gyoji.core.spec import GameSpec
from gyoji.play.loop import Loop
from gyoji.play.order import Order, Report
from gyoji.play.remote_seats import RemoteWords
from gyoji.play.seats import HumanMessage
from gyoji.scheduler.pool import Abandoned, Host, OrderFuture, PoolListener

Answer: TypeAlias = Report | BaseException | None
"""The end of a game: its report, the exception of its future, or None if the game goes on until `finish`."""


def report_of(spec: GameSpec) -> Report:
    """Return the report of a game of two turns that the first seat won."""
    codes = spec.codes
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=codes,
        teams=teams_of_players(codes),
        outcome=Outcome(points=won_by(0, len(codes)), ending=Ending.RESIGNATION, seat=1),
        turns=1,
        engines=(EngineReport(),) * len(codes),
        started="2026-11-21T01:02:03+00:00",
        wall_ns=5,
    )
    return Report.of(spec, GameRecord(result=result, turns=((Played(0, "D4", 5),),)))


def void_of(spec: GameSpec, reason: str = "no engine") -> Report:
    """Return the report of a void game."""
    return Report(
        void=VoidGame(
            id=spec.id, pairing=spec.pairing, players=spec.codes, reason=reason, started="2026-11-21T01:02:03"
        )
    )


class FakePool:
    """The port `Pool`, without any process.

    Attributes:
        answer: Function from a spec and the number of the attempt, from 1, to its `Answer`.
        orders: All orders.
        started: The id and the host of each game that was begun, in order.
        is_told: Whether the owner wants live updates of games.
        kept_no_more: Ids of games that are stored.
    """

    def __init__(
        self,
        slots: int = 1,
        answer: Callable[[GameSpec, int], Answer] = lambda spec, attempt: report_of(spec),
        *,
        hosts: Mapping[str, int] | None = None,
    ) -> None:
        self.answer = answer
        self.loop = Loop()
        self.listener = PoolListener()
        self.orders: list[Order] = []
        self.started: list[tuple[str, str]] = []
        self.said: list[HumanMessage | RemoteWords] = []
        self.is_told = False
        self.kept_no_more: list[str] = []
        self._most = slots
        self._hosts = dict(hosts or {})
        self._is_here = not hosts
        self._waiting: deque[OrderFuture] = deque()
        self._playing: dict[str, tuple[OrderFuture, str]] = {}  # by game, with the host
        self._attempts: dict[str, int] = {}
        self._is_closed = False

    def __del__(self) -> None:
        self.loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The port

    @property
    def slots(self) -> int:
        return self._most if self._is_here else min(self._most, sum(self._hosts.values()))

    ahead = 0

    @property
    def hosts(self) -> Sequence[Host]:
        return [
            Host(name=name, slots=slots, playing=tuple(self._of(name))) for name, slots in self._hosts.items()
        ]

    def shared(self, resources: Mapping[str, int]) -> Mapping[str, int]:
        return resources if self._is_here else {}

    def lines(self) -> Sequence[str]:
        return [f"host {name}: {slots} games" for name, slots in self._hosts.items()]

    def resize(self, slots: int) -> None:
        self._most = slots
        self._hand_out()

    def submit(self, order: Order) -> OrderFuture:
        if self._is_closed:
            raise RuntimeError("the pool has been closed")
        self.orders.append(order)
        future = OrderFuture(order)
        self._waiting.append(future)
        self._hand_out()
        return future

    def tell_moves(self, wanted: bool) -> None:
        self.is_told = wanted

    def say(self, words: HumanMessage | RemoteWords) -> bool:
        if words.game in self._playing:
            self.said.append(words)
        return words.game in self._playing

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        """Do nothing: a start takes no time here."""

    def stored(self, ids: Iterable[str]) -> None:
        self.kept_no_more += ids

    def abandon(self) -> None:
        while self._waiting:
            self._waiting.popleft().cancel()
        for future, _ in list(self._playing.values()):
            self._end(future, Abandoned("abandoned"))

    def wind_up(self) -> None:
        pass

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            FakePool.abandon(self)  # what goes on would do so for ever
            self.loop.close()

    # Its owner's words

    @property
    def open(self) -> Sequence[str]:
        """The ids of the games in progress."""
        return list(self._playing)

    def finish(self, game_id: str, answer: Answer = None) -> None:
        """End a game in progress. Without an answer its first seat wins."""
        future, _ = self._playing[game_id]
        self._end(future, answer or report_of(future.order.spec))

    def lose(self, host: str) -> None:
        """Remove a host. Its games are played again elsewhere."""
        del self._hosts[host]
        for game_id in self._of(host):
            future, _ = self._playing.pop(game_id)
            self._waiting.appendleft(future)
        self._change()

    def gain(self, host: str, slots: int) -> None:
        """Add a host."""
        self._hosts[host] = slots
        self._change()

    def _change(self) -> None:
        self._hand_out()
        self.listener.on_change()

    def _of(self, host: str) -> list[str]:
        return [game_id for game_id, (_, where) in self._playing.items() if where == host]

    def _place(self) -> str | None:
        """Return the host that has room, "" for this machine, None if there is none."""
        if len(self._playing) >= self._most:
            return None
        if self._is_here:
            return ""
        return next((name for name, slots in self._hosts.items() if len(self._of(name)) < slots), None)

    def _hand_out(self) -> None:
        while self._waiting and (place := self._place()) is not None:
            future = self._waiting.popleft()
            if not future.running() and not future.set_running_or_notify_cancel():
                continue
            spec = future.order.spec
            self._playing[spec.id] = future, place
            self.started.append((spec.id, place))
            self._attempts[spec.id] = self._attempts.get(spec.id, 0) + 1
            answer = self.answer(spec, self._attempts[spec.id])
            if answer is not None:
                self._end(future, answer)

    def _end(self, future: OrderFuture, answer: Report | BaseException) -> None:
        del self._playing[future.order.spec.id]
        if isinstance(answer, BaseException):
            future.set_exception(answer)
        else:
            future.set_result(answer)
        self._hand_out()
