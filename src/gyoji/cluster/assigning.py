"""The games of a cluster's pool that have not ended: which wait, and which host has each.

A game goes to the host with the most room that has what it needs. Each attempt to play one has a ticket, a
number of its own.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from gyoji.cluster.engines import Sender
from gyoji.cluster.hosts import Hosts
from gyoji.cluster.keeping import digest_of
from gyoji.cluster.messages import Play, Task
from gyoji.cluster.places import HostState, OrderedGame, programs_of
from gyoji.core import wire
from gyoji.core.faults import Breakdown
from gyoji.core.spec import GameSpec
from gyoji.pairing.games import pair_of, plain_id
from gyoji.scheduler.pool import WorkerDied

MOST_LOSSES = 3
MOST_NAMED = 3
"""Hosts that a message names."""

MOST_PAIRS = 100_000
"""Pairs of which it is remembered which host has got one game."""

PATIENCE = 8
"""How often a game that waits for a host with enough room lets others pass."""


class Pairs:
    """Which host has got the first game of each pair of which the second one is still to come."""

    def __init__(self) -> None:
        self._hosts: dict[str, tuple[str, str]] = {}  # host and game, by pair

    def host_of(self, spec: GameSpec) -> str:
        """The host that has got the other game of a game's pair, "" if none has."""
        host, game = self._hosts.get(pair_of(spec.id, spec.pairing), ("", ""))
        return host if game != plain_id(spec.id) else ""

    def given(self, spec: GameSpec, host: str) -> None:
        """A host has got a game."""
        pair, game = pair_of(spec.id, spec.pairing), plain_id(spec.id)
        if self.host_of(spec):
            del self._hosts[pair]
        elif pair:
            self._hosts[pair] = host, game
            if len(self._hosts) > MOST_PAIRS:
                del self._hosts[next(iter(self._hosts))]


class Assignments:
    """Hosts by name, and games. connection: to the hosts; folder: of the competition.

    most       games at once; None: as many as there are places.   resources: of each host.
    waiting    games without a host, in order.   tickets: each with its game and the host that got it.
    pairs      which host has each pair; None: that does not matter.
    """

    def __init__(
        self, connection: Hosts, folder: Path, *, most: int | None, resources: Mapping[str, int]
    ) -> None:
        self.hosts: dict[str, HostState] = {}
        self.waiting: deque[OrderedGame] = deque()
        self.tickets: dict[int, tuple[OrderedGame, str]] = {}
        self.sender = Sender(folder)
        self.most, self.resources = most, dict(resources)
        self.pairs: Pairs | None = None
        self._connection = connection
        self._last_ticket = 0
        self._reporters: dict[str, str] = {}  # names of hosts, by games that are not stored yet
        self._stored: dict[str, list[str]] = {}  # by host, of which it has not been told

    @property
    def slots(self) -> int:
        """How many games go at once."""
        slots = sum([host.slots for host in self.hosts.values()])
        return slots if self.most is None else min(slots, self.most)

    @property
    def is_empty(self) -> bool:
        """Whether all games have ended."""
        return not self.waiting and not any(host.playing for host in self.hosts.values())

    def tell(self, host: HostState, task: Task) -> None:
        """Tell a host that is ready."""
        if host.facts is not None:
            self._connection.send(host.name, wire.dumps(task).encode())

    def host_of(self, game_id: str) -> HostState | None:
        """The host that plays a game."""
        return next((host for host in self.hosts.values() if host.plays(game_id)), None)

    def hand_out(self) -> None:
        """Give games that wait to hosts that have room."""
        playing, slots = sum([len(host.playing) for host in self.hosts.values()]), self.slots
        passed_over: list[OrderedGame] = []
        while self.waiting and playing < slots:
            game = self.waiting.popleft()
            if game.future.cancelled():
                continue
            host = self._host_for(game)
            if host is not None:
                playing += self._give(game, host)
                for other in passed_over:
                    other.passed += not other.is_bound
            elif not game.future.done():
                passed_over.append(game)
                if game.passed >= PATIENCE:
                    break
        self.waiting.extendleft(reversed(passed_over))

    def _host_for(self, game: OrderedGame) -> HostState | None:
        """The host with the most room of those that can play a game now, or one that has its report already.

        If none can ever play it, its future fails.
        """
        if (keeper := self._keeper(game)) is not None:
            return keeper
        programs = programs_of(game.future.order.spec)
        if (own := self._host_of_pair(game, programs)) is not None:
            return own if own.has_room(game.needs, self.resources) else None
        best, least, is_able = None, 1.0, False
        for host in self.hosts.values():
            if not host.can_play(programs):
                continue
            is_able = True
            load = len(host.playing) / host.slots
            if load < least and host.has_room(game.needs, self.resources):
                best, least = host, load
        if not is_able and self.slots:
            _ = game.future.running() or game.future.set_running_or_notify_cancel()
            game.future.set_exception(Breakdown(self._why_nowhere(programs)))
        return best

    def _why_nowhere(self, programs: Iterable[tuple[str, ...]]) -> str:
        """Why no host can play a game of these programs."""
        found = [
            f"{host.name}: {next(host.lacks[program] for program in programs if program in host.lacks)}"
            for host in self.hosts.values()
            if not host.lacks.keys().isdisjoint(programs)
        ]
        more = f"; and {len(found) - MOST_NAMED} more" * (len(found) > MOST_NAMED)
        return f"no host can play it: {'; '.join(found[:MOST_NAMED])}{more}"

    def _host_of_pair(self, game: OrderedGame, programs: Sequence[tuple[str, ...]]) -> HostState | None:
        """The host that has got the other game of its pair, if that is wished, and it can play this one."""
        name = "" if self.pairs is None else self.pairs.host_of(game.future.order.spec)
        host = self.hosts.get(name) if name else None
        game.is_bound = host is not None and host.can_play(programs)
        return host if game.is_bound else None

    def _keeper(self, game: OrderedGame) -> HostState | None:
        """A host that has played this very game before this run, and was not heard."""
        for host in self.hosts.values():
            if host.kept and host.slots and (digest := host.kept.pop(game.id, "")):
                parcels, needs = self.sender.parcels(game.future.order.spec)
                if digest == digest_of(Play(ticket=0, order=game.future.order, parcels=parcels, needs=needs)):
                    return host
        return None

    def _give(self, game: OrderedGame, host: HostState) -> bool:
        """Have a host play a game; whether it does, and it was not cancelled."""
        if not game.future.running() and not game.future.set_running_or_notify_cancel():
            return False
        self._last_ticket += 1
        ticket = self._last_ticket
        self.tickets[ticket] = game, host.name
        host.playing[ticket] = game
        if self.pairs is not None:
            self.pairs.given(game.future.order.spec, host.name)
        order = game.future.order
        if order.spec.scale_clocks and host.facts is not None:
            order = replace(order, clock_factor=host.facts.speed.factor)
        parcels, needs = self.sender.parcels(order.spec)
        self.tell(host, Task(play=Play(ticket=ticket, order=order, parcels=parcels, needs=needs)))
        return True

    def stored(self, ids: Iterable[str]) -> None:
        """Have hosts forget the reports of these games. One that is gone is told when it is back."""
        for game_id in ids:
            if name := self._reporters.pop(game_id, ""):
                self._stored.setdefault(name, []).append(game_id)
        self.tell_stored()

    def tell_stored(self) -> None:
        """Tell the hosts that are there which of their games are stored."""
        for name in list(self._stored):
            if (host := self.hosts.get(name)) is not None and host.facts is not None:
                self.tell(host, Task(stored=tuple(self._stored.pop(name))))

    def forget(self, host: HostState, game_id: str) -> None:
        """A host has a report that nobody needs: another host's came first."""
        if self._reporters.get(game_id) != host.name:
            self.tell(host, Task(stored=(game_id,)))

    def lose(self, host: HostState, why: str) -> None:
        """The games of a host that is gone are played elsewhere."""
        for game in reversed(host.playing.values()):
            if game.future.done():
                continue
            game.losses += 1
            if game.is_abandoned:
                game.end_abandoned()
            elif game.losses < MOST_LOSSES:
                self.waiting.appendleft(game)
            else:
                reason = f"{MOST_LOSSES} hosts were lost with it, the last one {host.name}: {why}"
                game.future.set_exception(WorkerDied(reason))
        host.playing.clear()

    def reported(self, host: HostState, game_id: str) -> None:
        """A host has told of the end of a game, and keeps its report until that is stored."""
        self._reporters[game_id] = host.name

    def close(self, host: HostState, ticket: int) -> None:
        """A host has ended a game, somehow."""
        self.tickets.pop(ticket, None)
        host.playing.pop(ticket, None)

    def abandon(self) -> None:
        """Those that wait are cancelled; hosts are told to end the others."""
        while self.waiting:
            game = self.waiting.popleft()
            if game.future.running():  # it had been begun on a host that is gone
                game.end_abandoned()
            else:
                game.future.cancel()
        for host in self.hosts.values():
            for game in host.playing.values():
                game.is_abandoned = True
            if host.playing:
                self.tell(host, Task(abandon=True))

    def give_up(self, host: HostState, tickets: Iterable[int]) -> None:
        """A host has had its time to end games that were abandoned."""
        for ticket in tickets:
            game = host.playing.get(ticket)
            self.close(host, ticket)
            if game is not None and not game.future.done():
                game.end_abandoned()
        self.hand_out()
