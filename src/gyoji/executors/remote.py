"""The executor of remote players, whose engines run at their owners': it refuses to start them.

In a run, the worker replaces it with the seats that owners reach from elsewhere (`gyoji.play.remote_seats`).
"""

from collections.abc import Mapping
from typing import NoReturn

from gyoji.core.faults import Breakdown
from gyoji.core.plugins import Executor
from gyoji.core.spec import REMOTE, Player


class NoRemoteSeats:
    """Refuses to start any player."""

    pids: frozenset[int] = frozenset()

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> NoReturn:
        """Raise Breakdown, which says where a remote player can play."""
        raise Breakdown(f"player {player.code} is remote: it plays in a run (gyoji run), not here")

    def close(self) -> None:
        pass


EXECUTOR = Executor(name=REMOTE, open=NoRemoteSeats, has_processes=False)
