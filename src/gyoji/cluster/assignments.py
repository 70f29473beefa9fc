"""The assignments of a run: which host plays which game, and which games wait for a host."""

# Theory of operation
#
#   waiting --- hand_out ---> host.playing[ticket] --- Ended ---> future.set_result
#      ^                             |
#      +---------- lose -------------+      the connection to the host is lost: the game waits for another
#                                           host; after MOST_LOSSES losses it fails
#
# Each attempt to play a game has a number, its ticket, which is in the host's message about the end. So that
# message belongs to its attempt even if the host was away in between, or another host plays the game by now.
# The first report of a game counts. Any further one is ignored, and its host may delete it.
#
# A game goes to the host with the lowest load (games in progress per slot) of those that have the resources
# and programs that it needs. There are three exceptions: a host that has the report of the game already gets
# it first; with pairs on one host, a game goes to the host of the pair's other game; and a game that was
# overtaken PATIENCE times may not be overtaken again, so all later games wait.
#
# A host may be away when its games are stored. It gets that message when it comes back (`tell_stored`).

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from gyoji.cluster.agent_messages import Assignment, Stored, ToAgent
from gyoji.cluster.artifacts import ArtifactSender
from gyoji.cluster.cluster_state import HostState, OrderedGame, programs_of
from gyoji.cluster.host_connections import HostConnections
from gyoji.cluster.report_spool import digest_of
from gyoji.core import wire
from gyoji.core.faults import Breakdown
from gyoji.core.spec import GameSpec
from gyoji.play.worker_messages import Abandon
from gyoji.results.game_ids import pair_of, plain_id
from gyoji.scheduler.pool import WorkerDied

MOST_LOSSES = 3
MOST_NAMED = 3
"""Largest number of hosts in one message."""

MOST_PAIRS = 100_000
"""Largest number of pairs whose host is remembered. Beyond it the oldest is forgotten."""

PATIENCE = 8
"""Number of later games that may overtake a game that waits for a host with enough free resources."""


class Pairs:
    """The host of the first game of each pair, which is to play the second game, too.

    A pair is two games from one opening, with the colours swapped.
    """

    def __init__(self) -> None:
        self._hosts: dict[str, tuple[str, str]] = {}  # host and game, by pair

    def host_of(self, spec: GameSpec) -> str:
        """Return the name of the host that got the other game of this game's pair; "" if no host did."""
        host, game = self._hosts.get(pair_of(spec.id, spec.pairing), ("", ""))
        return host if game != plain_id(spec.id) else ""

    def given(self, spec: GameSpec, host: str) -> None:
        """Remember the host that got the first game of a pair. At the second game, forget the pair."""
        pair, game = pair_of(spec.id, spec.pairing), plain_id(spec.id)
        if self.host_of(spec):
            del self._hosts[pair]
        elif pair:
            self._hosts[pair] = host, game
            if len(self._hosts) > MOST_PAIRS:
                del self._hosts[next(iter(self._hosts))]


class Assignments:
    """The hosts of a run, and its games that have not ended.

    Attributes:
        hosts: The hosts by name.
        waiting: Games without a host, in order.
        tickets: For the number of each attempt to play a game, the game and the name of its host.
        sender: Reads the files that hosts are sent.
        most: Largest number of games at once on all hosts; None for no limit.
        resources: Amount of each resource, such as "gpu", that every host has.
        pairs: The hosts of the first games of pairs; None if the games of a pair need not share a host.
    """

    def __init__(
        self, connection: HostConnections, folder: Path, *, most: int | None, resources: Mapping[str, int]
    ) -> None:
        self.hosts: dict[str, HostState] = {}
        self.waiting: deque[OrderedGame] = deque()
        self.tickets: dict[int, tuple[OrderedGame, str]] = {}
        self.sender = ArtifactSender(folder)
        self.most, self.resources = most, dict(resources)
        self.pairs: Pairs | None = None
        self._connection = connection
        self._last_ticket = 0
        self._reporters: dict[str, str] = {}  # names of hosts by id of a game that is not stored yet
        self._stored: dict[
            str, list[str]
        ] = {}  # ids of stored games by host that has not got `Stored` for them

    @property
    def slots(self) -> int:
        """Number of games that can be played at once on all hosts, at most `most`."""
        slots = sum([host.slots for host in self.hosts.values()])
        return slots if self.most is None else min(slots, self.most)

    @property
    def is_empty(self) -> bool:
        """Whether all games have ended."""
        return not self.waiting and not any(host.playing for host in self.hosts.values())

    def tell(self, host: HostState, message: ToAgent) -> None:
        """Send a message to a host. Nothing is sent if the host is not ready yet."""
        if host.facts is not None:
            self._connection.send(host.name, wire.dump_line(message))

    def host_of(self, game_id: str) -> HostState | None:
        """Return the host that plays a game; None if none does."""
        return next((host for host in self.hosts.values() if host.plays(game_id)), None)

    def hand_out(self) -> None:
        """Send waiting games to hosts that have a free slot and enough free resources for them."""
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
        """Return the host to play a game; None if the game has to wait.

        The first choice is a host that keeps the report of the game, the second is the host of the other game
        of the pair, and the third is the host with the lowest load.

        The game's future fails if at least one host is ready, no host is still starting, and no host can play
        the game.
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
        if not is_able and self.slots and not any(host.is_starting for host in self.hosts.values()):
            _ = game.future.running() or game.future.set_running_or_notify_cancel()
            game.future.set_exception(Breakdown(self._why_nowhere(programs)))
        return best

    def _why_nowhere(self, programs: Iterable[tuple[str, ...]]) -> str:
        """Return why no host can play a game with these engine commands, with a reason for each host."""
        found = [
            f"{host.name}: {next(host.lacks[program] for program in programs if program in host.lacks)}"
            for host in self.hosts.values()
            if not host.lacks.keys().isdisjoint(programs)
        ]
        more = f"; and {len(found) - MOST_NAMED} more" * (len(found) > MOST_NAMED)
        return f"no host can play it: {'; '.join(found[:MOST_NAMED])}{more}"

    def _host_of_pair(self, game: OrderedGame, programs: Sequence[tuple[str, ...]]) -> HostState | None:
        """Return the host that got the other game of a game's pair, if this game must be played there, too.

        Return None if pairs need not share a host, if no host got the other game, or if that host is away or
        cannot run these programs. `OrderedGame.is_bound` records whether there is such a host.
        """
        name = "" if self.pairs is None else self.pairs.host_of(game.future.order.spec)
        host = self.hosts.get(name) if name else None
        game.is_bound = host is not None and host.can_play(programs)
        return host if game.is_bound else None

    def _keeper(self, game: OrderedGame) -> HostState | None:
        """Return a host that keeps the report of this game, from a run that ended before it stored the
        report.
        """
        for host in self.hosts.values():
            if host.kept and host.slots and (digest := host.kept.pop(game.id, "")):
                artifacts, needs = self.sender.artifacts(game.future.order.spec)
                if digest == digest_of(
                    Assignment(ticket=0, order=game.future.order, artifacts=artifacts, needs=needs)
                ):
                    return host
        return None

    def _give(self, game: OrderedGame, host: HostState) -> bool:
        """Send a game to a host. Return False, without sending it, if the game was cancelled."""
        if not game.future.running() and not game.future.set_running_or_notify_cancel():
            return False
        self._last_ticket += 1
        ticket = self._last_ticket
        self.tickets[ticket] = game, host.name
        host.playing[ticket] = game
        if self.pairs is not None:
            self.pairs.given(game.future.order.spec, host.name)
        order = game.future.order
        artifacts, needs = self.sender.artifacts(order.spec)
        self.tell(host, Assignment(ticket=ticket, order=order, artifacts=artifacts, needs=needs))
        return True

    def stored(self, ids: Iterable[str]) -> None:
        """Tell the hosts that reported these games that the games are in the database.

        A host that is away is told when it comes back.
        """
        for game_id in ids:
            if name := self._reporters.pop(game_id, ""):
                self._stored.setdefault(name, []).append(game_id)
        self.tell_stored()

    def tell_stored(self) -> None:
        """Tell each ready host which of the games that it reported are in the database. Each game is told
        once.
        """
        for name in list(self._stored):
            if (host := self.hosts.get(name)) is not None and host.facts is not None:
                self.tell(host, Stored(games=tuple(self._stored.pop(name))))

    def forget(self, host: HostState, game_id: str) -> None:
        """Tell a host to delete its report of a game.

        Nothing is sent if the report that counts came from this host and is not stored yet.
        """
        if self._reporters.get(game_id) != host.name:
            self.tell(host, Stored(games=(game_id,)))

    def lose(self, host: HostState, why: str) -> None:
        """Let the games of a lost host wait for another host.

        A game that has now lost MOST_LOSSES hosts fails instead. A game that the run has abandoned ends.

        Args:
            host: The host.
            why: Why the connection to the host was lost.
        """
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
        """Remember the host that sent the report of a game, which keeps the report until the game is
        stored.
        """
        self._reporters[game_id] = host.name

    def close(self, host: HostState, ticket: int) -> None:
        """Forget an attempt to play a game, because the attempt has ended.

        Args:
            host: The host that played it.
            ticket: Number of the attempt.
        """
        self.tickets.pop(ticket, None)
        host.playing.pop(ticket, None)

    def abandon(self) -> None:
        """Cancel the waiting games, and tell hosts to end the games in progress."""
        while self.waiting:
            game = self.waiting.popleft()
            if game.future.running():  # it was begun on a host that was lost
                game.end_abandoned()
            else:
                game.future.cancel()
        for host in self.hosts.values():
            for game in host.playing.values():
                game.is_abandoned = True
            if host.playing:
                self.tell(host, Abandon())

    def give_up(self, host: HostState, tickets: Iterable[int]) -> None:
        """End abandoned games whose end the host has not reported in time.

        Args:
            host: The host.
            tickets: Numbers of the attempts to play these games.
        """
        for ticket in tickets:
            game = host.playing.get(ticket)
            self.close(host, ticket)
            if game is not None and not game.future.done():
                game.end_abandoned()
        self.hand_out()
