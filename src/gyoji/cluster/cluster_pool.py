"""The pool of a run on several hosts, on each of which an agent process plays games.

It implements `gyoji.scheduler.pool.Pool`. `assignments` chooses the host of each game, and `host_monitor`
handles the messages of hosts.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Self

from gyoji.cluster.assignments import Assignments, Pairs
from gyoji.cluster.cluster_state import OrderedGame, needs_of
from gyoji.cluster.host_connections import HostConnections
from gyoji.cluster.host_monitor import HostMonitor
from gyoji.core.spec import GameSpec
from gyoji.play.loop import Loop
from gyoji.play.order import Order
from gyoji.play.remote_seats import RemoteWords
from gyoji.play.seats import HumanMessage
from gyoji.play.worker_messages import WatchMoves
from gyoji.scheduler.pool import Host, OrderFuture, PoolListener

SILENCE_SECONDS = 60.0
"""Seconds without any message after which an agent is restarted."""

LEAVE_SECONDS = 5.0
"""Seconds that a host has to report the end of an abandoned game."""


class ClusterPool:
    """Plays the games of a run on several hosts."""

    def __init__(
        self,
        hosts: HostConnections,
        *,
        most: int | None = None,
        folder: Path = Path(),
        resources: Mapping[str, int] | None = None,
        silence_seconds: float = SILENCE_SECONDS,
        keeps_pairs: bool = False,
    ) -> None:
        """Connect the hosts.

        Args:
            hosts: The connections to the hosts.
            most: Largest number of games at once; None for as many as the hosts can play.
            folder: Folder of the competition, in which games write their files.
            resources: Amount of each resource, such as "gpu", that every host has.
            silence_seconds: Seconds without any message after which the agent of a host is restarted.
            keeps_pairs: Whether both games of a pair (one opening, colours swapped) are played on one host,
                as long as it is connected.

        Raises:
            ConfigError: The hosts cannot be connected.
        """
        self.loop = Loop()
        self.listener = PoolListener()
        self._connection = hosts
        self._assigned = Assignments(hosts, folder, most=most, resources=resources or {})
        self._assigned.pairs = Pairs() if keeps_pairs else None
        self._monitor = HostMonitor(
            self, hosts, self._assigned, folder=folder, silence_seconds=silence_seconds
        )
        self._is_closing = False
        try:
            hosts.open(self.loop, self._monitor)
        except BaseException:
            self.loop.close()
            raise
        self._monitor.begin()

    @property
    def slots(self) -> int:
        return self._assigned.slots

    @property
    def ahead(self) -> int:
        """Number of games that are accepted beyond those that the hosts can play at once.

        It is 0 unless the games of a pair share a host. In that case a game may have to wait for a certain
        host, and another game can be played meanwhile.
        """
        return 0 if self._assigned.pairs is None else self.slots

    @property
    def hosts(self) -> Sequence[Host]:
        return [host.told() for host in self._assigned.hosts.values()]

    @property
    def ignored(self) -> int:
        """Number of messages about the end of a game that was not assigned, or had ended before."""
        return self._monitor.ignored

    def shared(self, resources: Mapping[str, int]) -> Mapping[str, int]:
        self._assigned.resources = dict(resources)
        return {}

    def lines(self) -> Sequence[str]:
        return [f"host {host.name}: {host.slots} games at once" for host in self._assigned.hosts.values()]

    def resize(self, slots: int) -> None:
        self._assigned.most = max(slots, 1)
        self._assigned.hand_out()

    def submit(self, order: Order) -> OrderFuture:
        if self._is_closing:
            raise RuntimeError("the pool has been closed")
        future = OrderFuture(order)
        self._assigned.waiting.append(OrderedGame(future, needs_of(order.spec)))
        self._assigned.hand_out()
        return future

    def tell_moves(self, wanted: bool) -> None:
        self._monitor.is_told = wanted
        for host in self._assigned.hosts.values():
            self._assigned.tell(host, WatchMoves(wanted=wanted))

    def say(self, words: HumanMessage | RemoteWords) -> bool:
        host = self._assigned.host_of(words.game)
        if host is not None:
            self._assigned.tell(host, words)
        return host is not None

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        """Do nothing: agents start workers when they get games."""

    def stored(self, ids: Iterable[str]) -> None:
        self._assigned.stored(ids)

    def abandon(self) -> None:
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
        """Do nothing: agents end when `close` ends their connections."""

    def close(self) -> None:
        if self.loop.is_closed:
            return
        self._is_closing = True
        try:
            while not self._assigned.is_empty:
                self.loop.wait()
        finally:
            self._connection.close()
            self.loop.close()
