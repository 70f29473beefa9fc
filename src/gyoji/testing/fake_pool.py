"""A pool that plays nothing: games end as its owner says, at once or when they are told to.

It has hosts if it is given some, which go and come back: their games are played elsewhere.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self, TypeAlias

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, VoidGame, teams_of_players
from gyoji.core.spec import GameSpec
from gyoji.play.loop import Loop
from gyoji.play.order import Order, Progress, Report
from gyoji.play.seats import Words
from gyoji.scheduler.pool import Abandoned, Host, OrderFuture

Answer: TypeAlias = Report | BaseException | None
"""The end of a game: its report, what its future fails with, or None if it goes on until told to end."""


def report_of(spec: GameSpec) -> Report:
    """The report of a game of two turns that the first seat has won."""
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
    """The report of a game that came to nothing."""
    return Report(
        void=VoidGame(
            id=spec.id, pairing=spec.pairing, players=spec.codes, reason=reason, started="2026-11-21T01:02:03"
        )
    )


class FakePool:
    """The port `Pool`, without any process.

    answer  spec, attempt from 1 -> `Answer`.   hosts: slots by name; none: this machine, which has `slots`.
    orders  all that were given.   started: those that were begun, with the host, in order.
    is_told whether games are told move by move.   kept_no_more: ids of games that are stored.
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
        self.on_progress: Callable[[Progress], object] | None = None
        self.on_live: Callable[[str], object] | None = None
        self.on_seat: Callable[[str, str], object] | None = None
        self.on_change: Callable[[], object] | None = None
        self.on_warning: Callable[[str], object] | None = None
        self.orders: list[Order] = []
        self.started: list[tuple[str, str]] = []
        self.said: list[tuple[str, Words]] = []
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

    def say(self, game_id: str, words: Words) -> bool:
        if game_id in self._playing:
            self.said.append((game_id, words))
        return game_id in self._playing

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        """Nothing takes any time here."""

    def stored(self, ids: Iterable[str]) -> None:
        self.kept_no_more += ids

    def abandon(self) -> None:
        while self._waiting:
            self._waiting.popleft().cancel()
        for future, _ in list(self._playing.values()):
            self._end(future, Abandoned("abandoned"))

    def wind_up(self) -> None:
        """See the port."""

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            FakePool.abandon(self)  # what goes on would do so for ever
            self.loop.close()

    # Its owner's words

    @property
    def open(self) -> Sequence[str]:
        """The ids of the games that go on."""
        return list(self._playing)

    def finish(self, game_id: str, answer: Answer = None) -> None:
        """A game that goes on ends like this; None: it is won."""
        future, _ = self._playing[game_id]
        self._end(future, answer or report_of(future.order.spec))

    def lose(self, host: str) -> None:
        """A host is gone with its games, which are played again elsewhere."""
        del self._hosts[host]
        for game_id in self._of(host):
            future, _ = self._playing.pop(game_id)
            self._waiting.appendleft(future)
        self._change()

    def gain(self, host: str, slots: int) -> None:
        """There is one more host."""
        self._hosts[host] = slots
        self._change()

    def _change(self) -> None:
        self._hand_out()
        if self.on_change is not None:
            self.on_change()

    def _of(self, host: str) -> list[str]:
        return [game_id for game_id, (_, where) in self._playing.items() if where == host]

    def _place(self) -> str | None:
        """The host that has room; "" is this machine."""
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
