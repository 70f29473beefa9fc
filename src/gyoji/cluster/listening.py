"""Messages and acts of hosts, as a cluster's pool takes it.

What was played on a host that is gone is played again elsewhere, under its own id and with its own seed, so
it is the same game; the first end of a game that comes in counts, from whichever host, and every other one is
ignored. A host that does not make sense is begun anew, and after some times left alone: a host is trusted not
to lie, and may break in any way.
"""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import gyoji
from gyoji.cluster.assigning import Assignments
from gyoji.cluster.hosts import Hosts
from gyoji.cluster.messages import Ended, Facts, News, Task, read_news
from gyoji.cluster.places import HostState, OrderedGame, command_of, end_of, leave_files
from gyoji.core import wire
from gyoji.core.faults import Breakdown
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.play.order import Report
from gyoji.play.speed import ANSWER
from gyoji.scheduler.pool import Pool

MOST_TROUBLES = 3
MOST_SLOTS = 4096
NOBODY_SECONDS = 10.0
"""After which somebody is told that there is no host yet."""

_LOOKS = 3


class Listener:
    """The port `Ears` of a pool.

    silence_seconds  how long a host may say nothing before it is begun anew.
    folder    of the competition.   prepared: games like those that are to come.
    is_told   whether hosts tell of games move by move.
    ignored   how many ends have come of games that nobody had ordered, or that had ended before.
    """

    def __init__(
        self,
        pool: Pool,
        connection: Hosts,
        assigned: Assignments,
        *,
        folder: Path,
        silence_seconds: float,
    ) -> None:
        self._pool, self._connection, self._assigned = pool, connection, assigned
        self._folder, self._silence_seconds = folder, silence_seconds
        self._past: dict[str, HostState] = {}  # those that have gone
        self.is_told = False
        self.prepared: tuple[GameSpec, ...] = ()
        self.ignored = 0

    def begin(self) -> None:
        """See from now on whether there are hosts, and whether they speak."""
        self._look_again()
        self._pool.loop.call_later(NOBODY_SECONDS, self._miss_hosts)

    def joined(self, host: str) -> None:
        """See `Ears`."""
        known = self._assigned.hosts.pop(host, None)
        past = known or self._past.get(host, HostState(host))
        self._assigned.hosts[host] = HostState(host, troubles=past.troubles, played=past.played)
        if known is not None:
            self._assigned.lose(known, "another agent came in its place")

    def heard(self, host: str, lines: Sequence[bytes]) -> None:
        """See `Ears`."""
        there = self._assigned.hosts.get(host)
        for line in lines:
            if there is None or there is not self._assigned.hosts.get(host):
                return
            there.missed, there.heard = 0, monotonic()
            try:
                self._take(there, read_news(line))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                text = quote(line.decode("utf-8", "backslashreplace"))
                self._distrust(there, f"makes no sense ({printable(str(error), 200)}): {text}")

    def left(self, host: str, why: str) -> None:
        """See `Ears`."""
        there = self._assigned.hosts.pop(host, None)
        if there is None:
            return
        self._past[host] = there
        if there.trouble:  # it is still shown
            self._assigned.hosts[host] = HostState(host, trouble=there.trouble, played=there.played)
        self.told(f"host {host} is gone: {why}")
        self._assigned.lose(there, why)
        self._changed()

    def told(self, text: str) -> None:
        """See `Ears`."""
        if self._pool.on_warning is not None:
            self._pool.on_warning(text)

    def _distrust(self, host: HostState, why: str) -> None:
        """A host that makes no sense is begun anew, or left alone."""
        host.troubles += 1
        self.told(f"host {host.name} {why}")
        if host.troubles < MOST_TROUBLES:
            self._connection.restart(host.name)
        else:
            host.trouble = why
            self._connection.drop(host.name)

    def _changed(self) -> None:
        self._assigned.hand_out()
        if self._pool.on_change is not None:
            self._pool.on_change()

    def _miss_hosts(self) -> None:
        if not self._assigned.slots:
            self.told("no host is there to play on yet: games wait for one")

    def _look_again(self) -> None:
        """Look again in a while whether all hosts have spoken; while we stood still, that is one look."""
        self._pool.loop.call_later(self._silence_seconds / _LOOKS, self._look)

    def _look(self) -> None:
        for host in list(self._assigned.hosts.values()):
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
            self._assigned.tell(host, Task(content=self._assigned.sender.content(digest)))
        if news.progress is not None and host.plays(news.progress.id) and self._pool.on_progress is not None:
            self._pool.on_progress(news.progress)
        if news.live is not None and host.plays(news.live.id) and self._pool.on_live is not None:
            self._pool.on_live(wire.dumps(news.live))
        if news.seat is not None and host.plays(news.seat.game) and self._pool.on_seat is not None:
            self._pool.on_seat(news.seat.game, wire.dumps(news.seat.news))

    def _welcome(self, host: HostState, facts: Facts) -> None:
        """A host is ready to play. Raises ValueError for a number of slots that cannot be."""
        if not 1 <= facts.slots <= MOST_SLOTS:
            raise ValueError(f"expected 1 to {MOST_SLOTS} slots, got {facts.slots}")
        host.facts = facts
        host.kept = {each.game: each.digest for each in facts.kept}
        if facts.version != gyoji.__version__:
            host.trouble = f"has gyoji {facts.version}, and here is {gyoji.__version__}"
            self.told(f"host {host.name} {host.trouble}: it gets no games")
            self._connection.drop(host.name)
            return
        if facts.speed.answer != ANSWER:
            host.trouble = f"computes wrongly: it answers {quote(facts.speed.answer)}, and {ANSWER} is right"
            self.told(f"host {host.name} {printable(host.trouble)}: it gets no games")
            self._connection.drop(host.name)
            return
        self._assigned.tell_stored()
        if self.prepared:
            self._assigned.tell(host, Task(prepare=self.prepared))
        if self.is_told:
            self._assigned.tell(host, Task(tell=True))
        self._changed()

    def _end(self, host: HostState, ended: Ended) -> None:
        """A host says how a game has ended."""
        game, owner = self._assigned.tickets.get(ended.ticket, (None, host.name))
        if owner != host.name:
            raise ValueError(f"game {ended.ticket} is played by {owner}")
        is_late = ended.ticket not in host.playing  # it waits again by now, or is played by another host too
        if game is None or game.future.done() or (is_late and not ended.report):
            self.ignored += 1
            if game is not None and ended.report:
                self._assigned.forget(host, game.id)
        elif ended.lacks:
            host.lacks[command_of(game.future.order.spec, ended.lacks)] = printable(ended.lacks)
            self.told(f"host {host.name} plays no games of {printable(ended.lacks)}")
            if game.is_abandoned:
                game.end_abandoned()
            else:
                self._assigned.waiting.appendleft(game)
        else:
            self._settle(host, game, ended)
        self._assigned.close(host, ended.ticket)
        self._assigned.hand_out()

    def _settle(self, host: HostState, game: OrderedGame, ended: Ended) -> None:
        """A game has ended, somehow. Raises ValueError for what is no end of it."""
        end = end_of(game, ended, host.name)
        if isinstance(end, Breakdown):
            game.future.set_exception(end)
            return
        if game in self._assigned.waiting:
            self._assigned.waiting.remove(game)
        host.played += 1
        if end.finished is not None:
            self._assigned.reported(host, game.id)
        troubles = leave_files(self._folder, game.future.order, ended.files)
        game.future.set_result(Report(finished=end.finished, void=end.void, log=(*end.log, *troubles)))
