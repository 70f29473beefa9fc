"""The pool of several hosts: the port `Pool` over agents that play elsewhere.

A game goes to the host with the most room that has what it needs. What was played on a host that is gone is
played again elsewhere, under its own id and with its own seed, so it is the same game; the first end of a
game that comes in counts, from whichever host, and every other one is ignored. A host that does not make
sense is begun anew, and after some times left alone: a host is trusted not to lie, and may break in any way.

A game that has taken `MOST_LOSSES` hosts with it is void, so that it cannot end them all.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Self

import gyoji
from gyoji.cluster.engines import Sender
from gyoji.cluster.hosts import Hosts
from gyoji.cluster.messages import Ended, Facts, News, Play, Talk, Task, read_news
from gyoji.cluster.places import (
    HostState,
    OrderedGame,
    command_of,
    end_of,
    leave_files,
    needs_of,
    programs_of,
)
from gyoji.core import wire
from gyoji.core.faults import Breakdown
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.play.loop import Loop
from gyoji.play.order import Order, Progress, Report
from gyoji.play.seats import Words
from gyoji.scheduler.pool import Abandoned, Host, OrderFuture, WorkerDied

SILENCE_SECONDS = 60.0
"""How long a host may say nothing at all before it is taken to be gone."""

LEAVE_SECONDS = 5.0
"""How long a host may take to say that an abandoned game has ended."""

NOBODY_SECONDS = 10.0
"""After which somebody is told that there is no host yet."""

MOST_LOSSES = 3
MOST_TROUBLES = 3
MOST_SLOTS = 4096
PATIENCE = 8
"""How often a game that waits for a host with enough room lets others pass."""

_LOOKS = 3


class ClusterPool:
    """Places on all hosts that there are; `most` games at once, None: as many as there are places.

    folder  of the competition, where games leave their files.   resources: of each host.
    silence_seconds  how long a host may say nothing before it is begun anew.
    ignored  how many ends have come of games that nobody had ordered, or that had ended before.
    """

    def __init__(
        self,
        hosts: Hosts,
        *,
        most: int | None = None,
        folder: Path = Path(),
        resources: Mapping[str, int] | None = None,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self.loop = Loop()
        self.on_progress: Callable[[Progress], object] | None = None
        self.on_live: Callable[[str], object] | None = None
        self.on_seat: Callable[[str, str], object] | None = None
        self.on_change: Callable[[], object] | None = None
        self.on_warning: Callable[[str], object] | None = None
        self._connection = hosts
        self._most, self._folder = most, folder
        self._sender = Sender(folder)
        self._resources = dict(resources or {})
        self._silence_seconds = silence_seconds
        self._hosts: dict[str, HostState] = {}
        self._past: dict[str, HostState] = {}  # those that have gone
        self._waiting: deque[OrderedGame] = deque()
        self._tickets: dict[int, tuple[OrderedGame, str]] = {}  # each with the host that got it
        self._last_ticket = 0
        self._is_told = False
        self._prepared: tuple[GameSpec, ...] = ()
        self._is_closing = False
        self.ignored = 0
        try:
            hosts.open(self.loop, self)
        except BaseException:
            self.loop.close()
            raise
        self._look_again()
        self.loop.call_later(NOBODY_SECONDS, self._miss_hosts)

    # The port

    @property
    def slots(self) -> int:
        """See the port."""
        slots = sum([host.slots for host in self._hosts.values()])
        return slots if self._most is None else min(slots, self._most)

    @property
    def hosts(self) -> Sequence[Host]:
        """See the port."""
        return [host.told() for host in self._hosts.values()]

    def shared(self, resources: Mapping[str, int]) -> Mapping[str, int]:
        """See the port."""
        self._resources = dict(resources)
        return {}

    def lines(self) -> Sequence[str]:
        """See the port."""
        return [f"host {host.name}: {host.slots} games at once" for host in self._hosts.values()]

    def resize(self, slots: int) -> None:
        """See the port."""
        self._most = max(slots, 1)
        self._hand_out()

    def submit(self, order: Order) -> OrderFuture:
        """See the port."""
        if self._is_closing:
            raise RuntimeError("the pool has been closed")
        future = OrderFuture(order)
        self._waiting.append(OrderedGame(future, needs_of(order.spec)))
        self._hand_out()
        return future

    def tell_moves(self, wanted: bool) -> None:
        """See the port."""
        self._is_told = wanted
        for host in self._hosts.values():
            self._tell(host, Task(tell=wanted))

    def say(self, game_id: str, words: Words) -> bool:
        """See the port."""
        for host in self._hosts.values():
            if any(game.id == game_id for game in host.playing.values()):
                self._tell(host, Task(say=Talk(game=game_id, words=words)))
                return True
        return False

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        """See the port."""
        self._prepared = tuple(specs)[:8]

    def abandon(self) -> None:
        """See the port."""
        while self._waiting:
            game = self._waiting.popleft()
            if game.future.running():  # it had been begun on a host that is gone
                game.future.set_exception(Abandoned("the game was abandoned"))
            else:
                game.future.cancel()
        for host in self._hosts.values():
            for game in host.playing.values():
                game.is_abandoned = True
            if host.playing:
                self._tell(host, Task(abandon=True))
                self.loop.call_later(LEAVE_SECONDS, partial(self._give_up, host, tuple(host.playing)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """See the port."""
        if self.loop.is_closed:
            return
        self._is_closing = True
        try:
            while self._waiting or any(host.playing for host in self._hosts.values()):
                self.loop.wait()
        finally:
            self._connection.close()
            self.loop.close()

    # Giving out games

    def _hand_out(self) -> None:
        """Give games that wait to hosts that have room."""
        playing, slots = sum([len(host.playing) for host in self._hosts.values()]), self.slots
        passed_over: list[OrderedGame] = []
        while self._waiting and playing < slots:
            game = self._waiting.popleft()
            if game.future.cancelled():
                continue
            host = self._host_for(game)
            if host is not None:
                playing += self._give(game, host)
                for other in passed_over:
                    other.passed += 1
            elif not game.future.done():
                passed_over.append(game)
                if game.passed >= PATIENCE:
                    break
        self._waiting.extendleft(reversed(passed_over))

    def _host_for(self, game: OrderedGame) -> HostState | None:
        """The host with the most room of those that can play a game now. None can ever: its future fails."""
        programs = programs_of(game.future.order.spec)
        best, least, is_able = None, 1.0, False
        for host in self._hosts.values():
            if not (slots := host.slots) or (host.lacks and not host.lacks.isdisjoint(programs)):
                continue
            is_able = True
            load = len(host.playing) / slots
            if load < least and host.has_room(game.needs, self._resources):
                best, least = host, load
        if not is_able and self.slots:
            _ = game.future.running() or game.future.set_running_or_notify_cancel()
            game.future.set_exception(Breakdown("no host has the programs of its players"))
        return best

    def _give(self, game: OrderedGame, host: HostState) -> bool:
        """Have a host play a game; whether it does, and it was not cancelled."""
        if not game.future.running() and not game.future.set_running_or_notify_cancel():
            return False
        self._last_ticket += 1
        ticket = self._last_ticket
        self._tickets[ticket] = game, host.name
        host.playing[ticket] = game
        order = game.future.order
        parcels, needs = self._sender.parcels(order.spec)
        self._tell(host, Task(play=Play(ticket=ticket, order=order, parcels=parcels, needs=needs)))
        return True

    def _tell(self, host: HostState, task: Task) -> None:
        if host.facts is not None:
            self._connection.send(host.name, wire.dumps(task).encode())

    def _changed(self) -> None:
        self._hand_out()
        if self.on_change is not None:
            self.on_change()

    # What hosts do

    def joined(self, host: str) -> None:
        """See `Ears`."""
        known = self._hosts.pop(host, None)
        past = known or self._past.get(host, HostState(host))
        self._hosts[host] = HostState(host, troubles=past.troubles, played=past.played)
        if known is not None:
            self._lose(known, "another agent came in its place")

    def heard(self, host: str, lines: Sequence[bytes]) -> None:
        """See `Ears`."""
        there = self._hosts.get(host)
        for line in lines:
            if there is None or there is not self._hosts.get(host):
                return
            there.missed = 0
            try:
                self._take(there, read_news(line))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                text = quote(line.decode("utf-8", "backslashreplace"))
                self._distrust(there, f"makes no sense ({printable(str(error), 200)}): {text}")

    def left(self, host: str, why: str) -> None:
        """See `Ears`."""
        there = self._hosts.pop(host, None)
        if there is None:
            return
        self._past[host] = there
        if there.trouble:  # it is still shown
            self._hosts[host] = HostState(host, trouble=there.trouble, played=there.played)
        self.told(f"host {host} is gone: {why}")
        self._lose(there, why)
        self._changed()

    def told(self, text: str) -> None:
        """See `Ears`."""
        if self.on_warning is not None:
            self.on_warning(text)

    def _lose(self, host: HostState, why: str) -> None:
        """The games of a host are played elsewhere."""
        for game in reversed(host.playing.values()):
            if game.future.done():
                continue
            game.losses += 1
            if game.is_abandoned:
                game.future.set_exception(Abandoned("the game was abandoned"))
            elif game.losses < MOST_LOSSES:
                self._waiting.appendleft(game)
            else:
                reason = f"{MOST_LOSSES} hosts were lost with it, the last one {host.name}: {why}"
                game.future.set_exception(WorkerDied(reason))
        host.playing.clear()

    def _distrust(self, host: HostState, why: str) -> None:
        """A host that makes no sense is begun anew, or left alone."""
        host.troubles += 1
        self.told(f"host {host.name} {why}")
        if host.troubles < MOST_TROUBLES:
            self._connection.restart(host.name)
        else:
            host.trouble = why
            self._connection.drop(host.name)

    def _miss_hosts(self) -> None:
        if not self.slots:
            self.told("no host is there to play on yet: games wait for one")

    def _look_again(self) -> None:
        """Look again in a while whether all hosts have spoken; while we stood still, that is one look."""
        self.loop.call_later(self._silence_seconds / _LOOKS, self._look)

    def _look(self) -> None:
        for host in list(self._hosts.values()):
            host.missed += 1
            if host.missed > _LOOKS and not host.trouble:
                self.told(f"host {host.name} gave no sign of life for {self._silence_seconds:g}s")
                self._connection.restart(host.name)
        self._look_again()

    def _take(self, host: HostState, news: News) -> None:
        """One line of a host."""
        if news.ready is not None:
            self._welcome(host, news.ready)
        if news.ended is not None:
            self._end(host, news.ended)
        for digest in news.wants:
            self._tell(host, Task(content=self._sender.content(digest)))
        if news.progress is not None and self._plays(host, news.progress.id) and self.on_progress is not None:
            self.on_progress(news.progress)
        if news.live is not None and self._plays(host, news.live.id) and self.on_live is not None:
            self.on_live(wire.dumps(news.live))
        if news.seat is not None and self._plays(host, news.seat.game) and self.on_seat is not None:
            self.on_seat(news.seat.game, wire.dumps(news.seat.news))

    def _plays(self, host: HostState, game_id: str) -> bool:
        return any(game.id == game_id for game in host.playing.values())

    def _welcome(self, host: HostState, facts: Facts) -> None:
        """A host is ready to play. Raises ValueError for a number of slots that cannot be."""
        if not 1 <= facts.slots <= MOST_SLOTS:
            raise ValueError(f"expected 1 to {MOST_SLOTS} slots, got {facts.slots}")
        host.facts = facts
        if facts.version != gyoji.__version__:
            host.trouble = f"has gyoji {facts.version}, and here is {gyoji.__version__}"
            self.told(f"host {host.name} {host.trouble}: it gets no games")
            self._connection.drop(host.name)
            return
        if self._prepared:
            self._tell(host, Task(prepare=self._prepared))
        if self._is_told:
            self._tell(host, Task(tell=True))
        self._changed()

    def _end(self, host: HostState, ended: Ended) -> None:
        """A host says how a game has ended."""
        game, owner = self._tickets.get(ended.ticket, (None, host.name))
        if owner != host.name:
            raise ValueError(f"game {ended.ticket} is played by {owner}")
        is_late = ended.ticket not in host.playing  # it waits again by now, or is played by another host too
        if game is None or game.future.done() or (is_late and not ended.report):
            self.ignored += 1
        elif ended.lacks:
            host.lacks.add(command_of(game.future.order.spec, ended.lacks))
            self.told(f"host {host.name} plays no games of {printable(ended.lacks)}")
            self._waiting.appendleft(game)
        else:
            self._settle(host, game, ended)
        self._tickets.pop(ended.ticket, None)
        host.playing.pop(ended.ticket, None)
        self._hand_out()

    def _settle(self, host: HostState, game: OrderedGame, ended: Ended) -> None:
        """A game has ended, somehow. Raises ValueError for what is no end of it."""
        end = end_of(game, ended, host.name)
        if isinstance(end, Breakdown):
            game.future.set_exception(end)
            return
        if game in self._waiting:
            self._waiting.remove(game)
        host.played += 1
        troubles = leave_files(self._folder, game.future.order, ended.files)
        game.future.set_result(Report(finished=end.finished, void=end.void, log=(*end.log, *troubles)))

    def _give_up(self, host: HostState, tickets: Iterable[int]) -> None:
        """A host has had its time to end games that were abandoned."""
        for ticket in tickets:
            game = host.playing.pop(ticket, None)
            self._tickets.pop(ticket, None)
            if game is not None and not game.future.done():
                game.future.set_exception(Abandoned("the game was abandoned"))
        self._hand_out()
