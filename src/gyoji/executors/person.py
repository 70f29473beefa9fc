"""Persons as players: their seats are reached from elsewhere, so nothing can be started here.

The worker of a run has what really seats them (`gyoji.play.seats`), and puts it in the place of this.
"""

from collections.abc import Mapping
from typing import NoReturn

from gyoji.core.faults import Breakdown
from gyoji.core.plugins import Executor
from gyoji.core.spec import PERSON, Player


class NoSeats:
    """The port `EngineStarter` where nobody can sit down."""

    pids: frozenset[int] = frozenset()

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> NoReturn:
        """Say so."""
        raise Breakdown(f"player {player.code} is a person: it plays in a run (gyoji run), not here")

    def close(self) -> None:
        """There is nothing to close."""


EXECUTOR = Executor(name=PERSON, open=NoSeats, has_processes=False)
