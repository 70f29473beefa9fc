"""The spool of a host, which keeps the reports of finished games until the run has stored them.

A run may end, or lose the connection, after the end of a game and before it has stored the report. Then the
agent of the next run on this host sends the report, and the game is not played again.
"""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from gyoji.cluster.agent_messages import Assignment, Ended, SpooledGame
from gyoji.core import wire
from gyoji.core.wire import Value
from gyoji.play.order import Order
from gyoji.store.filesystem import remove_tree, write_file

MOST = 1000
"""Largest number of reports kept of one competition. The oldest are deleted first."""

DAYS = 14
"""Number of days without a run of a competition after which its reports are deleted."""


class _Report(Value, frozen=True, kw_only=True):
    """The content of a file of the spool: one report."""

    kept: SpooledGame
    ended: Ended


_read = wire.reader(_Report)


def digest_of(play: Assignment) -> str:
    """Return the SHA-256 of an assignment: equal for the same game with the same players and files."""
    same = replace(play, ticket=0, order=Order(spec=play.order.spec))
    return sha256(wire.dumps(same).encode()).hexdigest()


class ReportSpool:
    """The reports of one competition's games that a host keeps until the run has stored them.

    Each report is a file in the competition's folder, which `forget` deletes once the game is stored.

    The host does not keep more than `MOST` reports: `keep` then deletes the oldest. Reports are also lost if
    the folder was not used for more than `DAYS` days: it is deleted when a spool of another competition is
    opened.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._digests: dict[str, str] = {}  # by id of the game, the oldest first
        self._clear_out()
        with suppress(OSError):
            for path in sorted(folder.glob("*.json"), key=os.path.getmtime):
                with suppress(OSError, ValueError, TypeError):
                    kept = _read(path.read_bytes()).kept
                    if path == self._path(kept.game):
                        self._digests[kept.game] = kept.digest

    def _path(self, game: str) -> Path:
        return self._folder / f"{sha256(game.encode()).hexdigest()[:32]}.json"

    def _clear_out(self) -> None:
        """Delete the reports of competitions without a run for `DAYS` days."""
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.utime(self._folder)
            for other in self._folder.parent.iterdir():
                if time.time() - other.stat().st_mtime > DAYS * 86400:
                    remove_tree(other)

    def all(self) -> tuple[SpooledGame, ...]:
        """Return the games whose reports are kept on this host."""
        return tuple([SpooledGame(game=game, digest=digest) for game, digest in self._digests.items()])

    def keep(self, play: Assignment, ended: Ended) -> None:
        """Keep the report of a game.

        Errors are ignored. The report is needed only if the run is lost, and then the game can be played
        again.
        """
        game, digest = play.order.spec.id, digest_of(play)
        report = _Report(kept=SpooledGame(game=game, digest=digest), ended=ended)
        with suppress(OSError):
            write_file(self._path(game), wire.dumps(report).encode())
            self._digests.pop(game, None)
            self._digests[game] = digest
        self.forget(list(self._digests)[:-MOST])

    def find(self, play: Assignment) -> Ended | None:
        """Return the message about the end of an assigned game if its report is kept on this host, else
        None.
        """
        game = play.order.spec.id
        if game not in self._digests or self._digests[game] != digest_of(play):
            return None
        with suppress(OSError, ValueError, TypeError):
            return replace(_read(self._path(game).read_bytes()).ended, ticket=play.ticket)
        return None

    def forget(self, games: Iterable[str]) -> None:
        """Delete the reports of games that are stored."""
        for game in games:
            if self._digests.pop(game, None):
                with suppress(OSError):
                    self._path(game).unlink()
