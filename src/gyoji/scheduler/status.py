"""The end of a run: its exit status, and the reasons to start no more games."""

from collections import Counter
from collections.abc import Callable, Iterable
from enum import IntEnum

from msgspec import Struct


class ExitStatus(IntEnum):
    """Exit status of gyoji's commands."""

    COMPLETE = 0  # all that was asked for was done; a limit on the games of this run that was reached counts
    HALTED = 1  # a machine on which nothing can be played, failed checks, results that could not be stored
    USAGE = 2  # ConfigError: the command line, the control file, the files of the competition
    STOPPED = 3  # somebody stopped it before the end
    INTERNAL = 4  # a bug
    SKIPPED = 5  # everything else was played: games that keep failing, or of suspended players, were not


class RunEnd(Struct, frozen=True, kw_only=True):
    """The outcome of a run.

    Attributes:
        reason: Why games are left, in one line: why the run ended early, or which games were skipped; "" if
            everything was played.
        finished: Number of games that the run has stored.
        voids: Number of failed attempts, which have no result, that the run has stored.
        skipped: Ids of games that are not played any more, because they failed too often or a player is
            suspended.
        unstored: Ids of finished games that could not be stored. The next run plays them again.
    """

    status: ExitStatus
    reason: str = ""
    finished: int = 0
    voids: int = 0
    skipped: tuple[str, ...] = ()
    unstored: tuple[str, ...] = ()


_RANKS = (ExitStatus.COMPLETE, ExitStatus.STOPPED, ExitStatus.HALTED)

PATIENCE = 10
"""Number of consecutively skipped games that raises the question of a common cause."""


class Stopping:
    """Decides whether a run may start games.

    Attributes:
        reason: (exit status, reason in words) why no more games are started; None if they may be.
    """

    def __init__(self, tell: Callable[[str, bool], None], abandon: Callable[[], None]) -> None:
        self._tell, self._abandon = tell, abandon
        self.reason: tuple[ExitStatus, str] | None = None
        self._is_abandoning = False
        self._has_had_key = False

    def __bool__(self) -> bool:
        """Whether a run is to stop. Reaching the limit on the games of this run does not count as
        stopping.
        """
        return self.reason is not None and self.reason[0] is not ExitStatus.COMPLETE

    def stop(self, status: ExitStatus, reason: str) -> None:
        """Start no more games.

        If there are several calls, the most severe status counts: HALTED before STOPPED before COMPLETE (a
        limit was reached).
        """
        if self.reason == (status, reason):
            return
        if self.reason is None or _RANKS.index(status) > _RANKS.index(self.reason[0]):
            self.reason = status, reason
        self._tell(reason, not self._is_abandoning)

    def lift(self) -> None:
        """Let games be started again."""
        self.reason = None

    def abandon(self, reason: str) -> None:
        """Start no more games, and end those in progress now."""
        if not self._is_abandoning:
            self._is_abandoning = True
            self.stop(ExitStatus.STOPPED, reason)
            self._abandon()

    def on_key(self) -> None:
        """Handle Ctrl-X: let games in progress end, and at the second time end them now."""
        if self._has_had_key:
            self.abandon("terminal request, twice")
        else:
            self._has_had_key = True
            self.stop(ExitStatus.STOPPED, "terminal request")


# Games that are skipped one after the other have a common cause. If a few players are it, each of these games
# has one of them, and the other players' games can still be played. If half of the players would have to be
# faulty, the machine is: its disk is full, or no process can be started. Going on would skip every game.
class Streak:
    """The games skipped since the last finished game, which show whether the machine is to blame."""

    def __init__(self, players: int) -> None:
        self._most = max(players, 2) / 2
        self._count = 0
        self._failed: set[frozenset[str]] = set()  # who played in them

    def end(self) -> None:
        """Record a finished game: the series of failures is over."""
        self._count = 0
        self._failed.clear()

    def add(self, players: Iterable[str]) -> None:
        """Record that a game of these players was skipped."""
        self._count += 1
        self._failed.add(frozenset(players))

    @property
    def is_of_machine(self) -> bool:
        """Whether the machine seems to be the cause of the failures.

        Always False unless the number of skipped games is a multiple of PATIENCE (10).

        The player who is in most of the skipped games is blamed first, then the player who is in most of the
        others, and so on until every skipped game has a blamed player. The machine is the cause if at least
        half of all players must be blamed.
        """
        if self._count < PATIENCE or self._count % PATIENCE:
            return False
        failed, culprits = list(self._failed), 0
        while failed and culprits < self._most:
            often = Counter(player for players in failed for player in players)
            (culprit, _), *_ = often.most_common(1)
            failed = [players for players in failed if culprit not in players]
            culprits += 1
        return culprits >= self._most
