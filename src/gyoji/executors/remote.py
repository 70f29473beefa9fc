"""The executor of remote players, whose engines run on their owners' computers. It cannot start them.

In a run, the worker uses `gyoji.play.remote_seats` instead, to which the owners' computers connect.
"""

from collections.abc import Mapping
from typing import NoReturn

from gyoji.core.faults import Breakdown
from gyoji.core.plugins import Executor
from gyoji.core.spec import REMOTE, Player


class NoRemoteSeats:
    """An executor that refuses to start any player."""

    pids: frozenset[int] = frozenset()

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> NoReturn:
        """Raise Breakdown with a message that says where a remote player can play."""
        raise Breakdown(f"player {player.code} is remote: it plays in a run (gyoji run), not here")

    def close(self) -> None:
        pass


EXECUTOR = Executor(name=REMOTE, open=NoRemoteSeats, has_processes=False)
