"""Handles the messages of hosts, and hosts that send none, for a run on several hosts.

Hosts are trusted not to send false results, but may fail in any way. Their messages are checked when they are
read. After an invalid message the agent of a host is restarted; after `MOST_TROUBLES` invalid messages the
host gets no more games.
"""

from pathlib import Path
from time import monotonic

import gyoji
from gyoji.cluster.agent_messages import Ended, Facts, FromAgent, Wants, read_from_agent
from gyoji.cluster.assignments import Assignments
from gyoji.cluster.cluster_state import HostState, OrderedGame, command_of, end_of, leave_files
from gyoji.cluster.host_connections import HostConnections
from gyoji.core.faults import Breakdown
from gyoji.core.text import printable, quote
from gyoji.play.live_updates import Live
from gyoji.play.order import Progress, Report
from gyoji.play.remote_seats import RemoteNews
from gyoji.play.seats import SeatNews
from gyoji.play.worker_messages import WatchMoves
from gyoji.scheduler.pool import Pool

MOST_TROUBLES = 3
MOST_SLOTS = 4096
NOBODY_SECONDS = 10.0
"""Seconds after which the organiser is told that no host has joined yet."""

_LOOKS = 3


class HostMonitor:
    """Handles the events of hosts: it implements `HostListener`.

    Attributes:
        is_told: Whether hosts have been asked to report games move by move.
        ignored: Number of messages about the end of a game that was not assigned, or had ended before.
    """

    def __init__(
        self,
        pool: Pool,
        connection: HostConnections,
        assigned: Assignments,
        *,
        folder: Path,
        silence_seconds: float,
    ) -> None:
        self._pool, self._connection, self._assigned = pool, connection, assigned
        self._folder, self._silence_seconds = folder, silence_seconds
        self._past: dict[str, HostState] = {}  # hosts that have left
        self.is_told = False
        self.ignored = 0

    def begin(self) -> None:
        """Begin to check regularly that hosts send messages.

        If no host is ready after NOBODY_SECONDS, the organiser is warned once.
        """
        self._look_again()
        self._pool.loop.call_later(NOBODY_SECONDS, self._miss_hosts)

    def joined(self, host: str) -> None:
        known = self._assigned.hosts.pop(host, None)
        past = known or self._past.get(host, HostState(host))
        self._assigned.hosts[host] = HostState(host, troubles=past.troubles, played=past.played)
        if known is not None:
            self._assigned.lose(known, "another agent came in its place")

    def heard(self, host: str, line: bytes) -> None:
        if (there := self._assigned.hosts.get(host)) is None:
            return
        there.missed, there.heard = 0, monotonic()
        try:
            self._take(there, read_from_agent(line))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            text = quote(line.decode("utf-8", "backslashreplace"))
            self._distrust(there, f"makes no sense ({printable(str(error), 200)}): {text}")

    def left(self, host: str, why: str) -> None:
        there = self._assigned.hosts.pop(host, None)
        if there is None:
            return
        self._past[host] = there
        if there.trouble:  # its trouble is still shown
            self._assigned.hosts[host] = HostState(host, trouble=there.trouble, played=there.played)
        self.told(f"host {host} is gone: {why}")
        self._assigned.lose(there, why)
        self._changed()

    def told(self, text: str) -> None:
        self._pool.listener.on_warning(text)

    def _distrust(self, host: HostState, why: str) -> None:
        """Handle an invalid message: restart the agent of the host, or drop the host after MOST_TROUBLES of
        them.
        """
        host.troubles += 1
        self.told(f"host {host.name} {why}")
        if host.troubles < MOST_TROUBLES:
            self._connection.restart(host.name)
        else:
            host.trouble = why
            self._connection.drop(host.name)

    def _changed(self) -> None:
        self._assigned.hand_out()
        self._pool.listener.on_change()

    def _miss_hosts(self) -> None:
        if not self._assigned.slots:
            self.told("no host is there to play on yet: games wait for one")

    def _look_again(self) -> None:
        """Schedule the next check that all hosts have sent a message.

        If this process is suspended for a long time, one check is made for all that time. So no agent is
        restarted.
        """
        self._pool.loop.call_later(self._silence_seconds / _LOOKS, self._look)

    def _look(self) -> None:
        for host in list(self._assigned.hosts.values()):
            host.missed += 1
            if host.missed > _LOOKS and not host.trouble:
                self.told(f"host {host.name} gave no sign of life for {self._silence_seconds:g}s")
                self._connection.restart(host.name)
        self._look_again()

    def _take(self, host: HostState, message: FromAgent) -> None:
        """Handle one message of a host."""
        match message:
            case Facts():
                self._welcome(host, message)
            case Ended():
                self._end(host, message)
            case Wants(digests=digests):
                for digest in digests:
                    self._assigned.tell(host, self._assigned.sender.content(digest))
            case Progress(id=game) if host.plays(game):
                self._pool.listener.on_progress(message)
            case Live(id=game) if host.plays(game):
                self._pool.listener.on_live(message)
            case SeatNews(game=game) if host.plays(game):
                self._pool.listener.on_seat(message)
            case RemoteNews(game=game) if host.plays(game):
                self._pool.listener.on_remote(message)

    def _welcome(self, host: HostState, facts: Facts) -> None:
        """Begin to use a host that is ready, or drop it if it has another version of gyoji.

        Raises:
            ValueError: The number of slots is impossible.
        """
        if not 1 <= facts.slots <= MOST_SLOTS:
            raise ValueError(f"expected 1 to {MOST_SLOTS} slots, got {facts.slots}")
        host.facts = facts
        host.kept = {each.game: each.digest for each in facts.kept}
        if facts.version != gyoji.__version__:
            host.trouble = f"has gyoji {facts.version}, and here is {gyoji.__version__}"
            self.told(f"host {host.name} {host.trouble}: it gets no games")
            self._connection.drop(host.name)
            return
        self._assigned.tell_stored()
        if self.is_told:
            self._assigned.tell(host, WatchMoves(wanted=True))
        self._changed()

    def _end(self, host: HostState, ended: Ended) -> None:
        """Handle a host's message about the end of a game."""
        game, owner = self._assigned.tickets.get(ended.ticket, (None, host.name))
        if owner != host.name:
            raise ValueError(f"game {ended.ticket} is played by {owner}")
        is_late = ended.ticket not in host.playing  # the game waits again, or another host plays it by now
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
        """Set the result or the exception of a game's future. With a result, also write the game's files.

        Raises:
            ValueError: The message cannot be about this game.
        """
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
