"""The executor of human players, which refuses to start any.

In a run, the worker replaces it with `gyoji.play.seats.Seats`, whose players use a page.
"""

from collections.abc import Mapping
from typing import NoReturn

from gyoji.core.faults import Breakdown
from gyoji.core.plugins import Executor
from gyoji.core.spec import PERSON, Player


class NoSeats:
    """An executor that refuses to start any player."""

    pids: frozenset[int] = frozenset()

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> NoReturn:
        """Raise Breakdown with a message that says where a human player can play."""
        raise Breakdown(f"player {player.code} is a person: it plays in a run (gyoji run), not here")

    def close(self) -> None:
        pass


EXECUTOR = Executor(name=PERSON, open=NoSeats, has_processes=False)
