"""The pool of several hosts: the port `Pool` over agents that play elsewhere.

A game that has taken some hosts with it is void (`assigning.MOST_LOSSES`), so that it cannot end them all.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Self

from gyoji.cluster.assigning import Assignments, Pairs
from gyoji.cluster.hosts import Hosts
from gyoji.cluster.listening import Listener
from gyoji.cluster.messages import Talk, Task
from gyoji.cluster.places import OrderedGame, needs_of
from gyoji.core.spec import GameSpec
from gyoji.play.loop import Loop
from gyoji.play.order import Order, Progress
from gyoji.play.seats import Words
from gyoji.scheduler.pool import Host, OrderFuture

SILENCE_SECONDS = 60.0
"""How long a host may say nothing at all before it is taken to be gone."""

LEAVE_SECONDS = 5.0
"""How long a host may take to say that an abandoned game has ended."""


class ClusterPool:
    """Places on all hosts that there are; `most` games at once, None: as many as there are places.

    folder  of the competition, where games leave their files.   resources: of each host.
    silence_seconds  how long a host may say nothing before it is begun anew.
    keeps_pairs  whether both games of a pair are played on the same host, as long as it is there.
    """

    def __init__(
        self,
        hosts: Hosts,
        *,
        most: int | None = None,
        folder: Path = Path(),
        resources: Mapping[str, int] | None = None,
        silence_seconds: float = SILENCE_SECONDS,
        keeps_pairs: bool = False,
    ) -> None:
        self.loop = Loop()
        self.on_progress: Callable[[Progress], object] | None = None
        self.on_live: Callable[[str], object] | None = None
        self.on_seat: Callable[[str, str], object] | None = None
        self.on_change: Callable[[], object] | None = None
        self.on_warning: Callable[[str], object] | None = None
        self._connection = hosts
        self._assigned = Assignments(hosts, folder, most=most, resources=resources or {})
        self._assigned.pairs = Pairs() if keeps_pairs else None
        self._listener = Listener(self, hosts, self._assigned, folder=folder, silence_seconds=silence_seconds)
        self._is_closing = False
        try:
            hosts.open(self.loop, self._listener)
        except BaseException:
            self.loop.close()
            raise
        self._listener.begin()

    @property
    def slots(self) -> int:
        """See the port."""
        return self._assigned.slots

    @property
    def ahead(self) -> int:
        """See the port. Of each pair one game may wait for the host that plays the other."""
        return 0 if self._assigned.pairs is None else self.slots

    @property
    def hosts(self) -> Sequence[Host]:
        """See the port."""
        return [host.told() for host in self._assigned.hosts.values()]

    @property
    def ignored(self) -> int:
        """How many ends have come of games that nobody had ordered, or that had ended before."""
        return self._listener.ignored

    def shared(self, resources: Mapping[str, int]) -> Mapping[str, int]:
        """See the port."""
        self._assigned.resources = dict(resources)
        return {}

    def lines(self) -> Sequence[str]:
        """See the port."""
        return [f"host {host.name}: {host.slots} games at once" for host in self._assigned.hosts.values()]

    def resize(self, slots: int) -> None:
        """See the port."""
        self._assigned.most = max(slots, 1)
        self._assigned.hand_out()

    def submit(self, order: Order) -> OrderFuture:
        """See the port."""
        if self._is_closing:
            raise RuntimeError("the pool has been closed")
        future = OrderFuture(order)
        self._assigned.waiting.append(OrderedGame(future, needs_of(order.spec)))
        self._assigned.hand_out()
        return future

    def tell_moves(self, wanted: bool) -> None:
        """See the port."""
        self._listener.is_told = wanted
        for host in self._assigned.hosts.values():
            self._assigned.tell(host, Task(tell=wanted))

    def say(self, game_id: str, words: Words) -> bool:
        """See the port."""
        host = self._assigned.host_of(game_id)
        if host is not None:
            self._assigned.tell(host, Task(say=Talk(game=game_id, words=words)))
        return host is not None

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        """See the port."""
        self._listener.prepared = tuple(specs)[:8]

    def stored(self, ids: Iterable[str]) -> None:
        """See the port."""
        self._assigned.stored(ids)

    def abandon(self) -> None:
        """See the port."""
        self._assigned.abandon()
        for host in self._assigned.hosts.values():
            if host.playing:
                give_up = partial(self._assigned.give_up, host, tuple(host.playing))
                self.loop.call_later(LEAVE_SECONDS, give_up)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wind_up(self) -> None:
        """See the port: nothing here waits for orders but agents, which are told in the end."""

    def close(self) -> None:
        """See the port."""
        if self.loop.is_closed:
            return
        self._is_closing = True
        try:
            while not self._assigned.is_empty:
                self.loop.wait()
        finally:
            self._connection.close()
            self.loop.close()
