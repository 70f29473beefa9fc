"""How a run ended, as a script learns it."""

from dataclasses import dataclass
from enum import IntEnum


class ExitStatus(IntEnum):
    """The exit status of the process."""

    COMPLETE = 0  # all that was asked for was done; a limit on the games of this run that was reached counts
    HALTED = 1  # a machine on which nothing can be played, failed checks, results that could not be stored
    USAGE = 2  # ConfigError: the command line, the control file, the files of the competition
    STOPPED = 3  # somebody stopped it before the end
    INTERNAL = 4  # a bug
    SET_ASIDE = 5  # everything else was played: games that keep failing, or of suspended players, were not


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
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
