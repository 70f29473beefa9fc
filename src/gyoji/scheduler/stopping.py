"""Why a run starts no more games: nothing is left, a limit, somebody's wish, or that something is wrong."""

from gyoji.scheduler.inflight import InFlight
from gyoji.scheduler.journal import Journal
from gyoji.scheduler.listener import Listener
from gyoji.scheduler.status import ExitStatus

_RANKS = (ExitStatus.COMPLETE, ExitStatus.STOPPED, ExitStatus.HALTED)


class Stopping:
    """The reason for which a run ends, as far as there is one. reason: (status, in words), None for none."""

    def __init__(self, games: InFlight, journal: Journal, listener: Listener) -> None:
        self._games, self._journal, self._listener = games, journal, listener
        self.reason: tuple[ExitStatus, str] | None = None
        self._is_abandoning = False
        self._has_had_key = False

    def __bool__(self) -> bool:
        """Whether something other than a limit has ended the starting of games."""
        return self.reason is not None and self.reason[0] is not ExitStatus.COMPLETE

    def stop(self, status: ExitStatus, reason: str) -> None:
        """Start nothing more. What is wrong with the run counts more than somebody's wish, and that more
        than a limit."""
        if self.reason == (status, reason):
            return
        if self.reason is None or _RANKS.index(status) > _RANKS.index(self.reason[0]):
            self.reason = status, reason
        self._journal.halting(reason)
        self._listener.stopping(reason, self._games.ids)

    def lift(self) -> None:
        """There is no reason any more."""
        self.reason = None

    def abandon(self, reason: str) -> None:
        """End the running games now."""
        if not self._is_abandoning:
            self._is_abandoning = True
            self.stop(ExitStatus.STOPPED, reason)
            self._games.abandon()

    def on_key(self) -> None:
        """Ctrl-X: the first lets running games finish, the second does not."""
        if self._has_had_key:
            self.abandon("terminal request, twice")
        else:
            self._has_had_key = True
            self.stop(ExitStatus.STOPPED, "terminal request")
