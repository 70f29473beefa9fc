"""How a run ends: the reason for which it starts no more games, and how it ended, as a script learns it.

Games that are set aside one after the other, while none is finished, have a common cause. A few players may
be it: then all these games have one of them, and the others have games that can be played. Where it would
take half of the players to be the cause, it is the machine (its disk is full, no process can be started), and
to go on would set all games aside.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from enum import IntEnum

from msgspec import Struct


class ExitStatus(IntEnum):
    """The exit status of the process."""

    COMPLETE = 0  # all that was asked for was done; a limit on the games of this run that was reached counts
    HALTED = 1  # a machine on which nothing can be played, failed checks, results that could not be stored
    USAGE = 2  # ConfigError: the command line, the control file, the files of the competition
    STOPPED = 3  # somebody stopped it before the end
    INTERNAL = 4  # a bug
    SET_ASIDE = 5  # everything else was played: games that keep failing, or of suspended players, were not


class RunEnd(Struct, frozen=True, kw_only=True):
    """The end of a run.

    reason    why it ended early, one line; "" when everything was done.
    finished  games stored in this run.   voids  attempts of this run that came to nothing.
    set_aside ids of the games of this competition that are not played any more, in this run or before.
    unstored  ids of finished games that could not be stored: they will be played again.
    """

    status: ExitStatus
    reason: str = ""
    finished: int = 0
    voids: int = 0
    set_aside: tuple[str, ...] = ()
    unstored: tuple[str, ...] = ()


_RANKS = (ExitStatus.COMPLETE, ExitStatus.STOPPED, ExitStatus.HALTED)

PATIENCE = 10
"""How many games in a row are set aside at least before anything is made of it."""


class Stopping:
    """The reason for which a run ends, as far as there is one.

    tell     called with each reason, in words, and whether running games finish.   abandon: ends them.
    reason   (status, in words), None for none.
    """

    def __init__(self, tell: Callable[[str, bool], None], abandon: Callable[[], None]) -> None:
        self._tell, self._abandon = tell, abandon
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
        self._tell(reason, not self._is_abandoning)

    def lift(self) -> None:
        """There is no reason any more."""
        self.reason = None

    def abandon(self, reason: str) -> None:
        """End the running games now."""
        if not self._is_abandoning:
            self._is_abandoning = True
            self.stop(ExitStatus.STOPPED, reason)
            self._abandon()

    def on_key(self) -> None:
        """Ctrl-X: the first lets running games finish, the second does not."""
        if self._has_had_key:
            self.abandon("terminal request, twice")
        else:
            self._has_had_key = True
            self.stop(ExitStatus.STOPPED, "terminal request")


class Streak:
    """The games that were set aside since the last one was finished. players: how many the event has."""

    def __init__(self, players: int) -> None:
        self._most = max(players, 2) / 2
        self._count = 0
        self._failed: set[frozenset[str]] = set()  # who played in them

    def end(self) -> None:
        """A game was finished."""
        self._count = 0
        self._failed.clear()

    def add(self, players: Iterable[str]) -> None:
        """A game was set aside."""
        self._count += 1
        self._failed.add(frozenset(players))

    @property
    def is_of_machine(self) -> bool:
        """Whether no smaller number of players than half of them could be the cause."""
        if self._count < PATIENCE or self._count % PATIENCE:
            return False
        failed, culprits = list(self._failed), 0
        while failed and culprits < self._most:
            often = Counter(player for players in failed for player in players)
            (culprit, _), *_ = often.most_common(1)
            failed = [players for players in failed if culprit not in players]
            culprits += 1
        return culprits >= self._most
