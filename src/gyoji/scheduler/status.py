"""How a run ends: why it starts no more games, and its exit status."""

from collections import Counter
from collections.abc import Callable, Iterable
from enum import IntEnum

from msgspec import Struct


class ExitStatus(IntEnum):
    """Exit status of the process."""

    COMPLETE = 0  # all that was asked for was done; a limit on the games of this run that was reached counts
    HALTED = 1  # a machine on which nothing can be played, failed checks, results that could not be stored
    USAGE = 2  # ConfigError: the command line, the control file, the files of the competition
    STOPPED = 3  # somebody stopped it before the end
    INTERNAL = 4  # a bug
    SKIPPED = 5  # everything else was played: games that keep failing, or of suspended players, were not


class RunEnd(Struct, frozen=True, kw_only=True):
    """How a run has ended.

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
        """Whether no more games may be started. The limit on the games of this run does not count as a
        reason here.
        """
        return self.reason is not None and self.reason[0] is not ExitStatus.COMPLETE

    def stop(self, status: ExitStatus, reason: str) -> None:
        """Start no more games.

        Of several reasons a fault of the run counts most, then a user's wish, then a limit.
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
    """The games that were given up since the last finished one. They show whether the machine is to blame."""

    def __init__(self, players: int) -> None:
        self._most = max(players, 2) / 2
        self._count = 0
        self._failed: set[frozenset[str]] = set()  # who played in them

    def end(self) -> None:
        """Note that a game was finished: the row of failures is over."""
        self._count = 0
        self._failed.clear()

    def add(self, players: Iterable[str]) -> None:
        """Note that a game of these players was given up."""
        self._count += 1
        self._failed.add(frozenset(players))

    @property
    def is_of_machine(self) -> bool:
        """Whether the machine seems to be the cause of the failures. False except after every tenth failed
        game.

        It is the machine if no set of fewer than half of the players took part in all failed games.
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
