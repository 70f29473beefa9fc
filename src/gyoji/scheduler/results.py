"""From ended games to stored results: what came of each, and what is not on the disk yet."""

from collections.abc import Iterable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from gyoji.core.record import VoidGame
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import printable
from gyoji.pairing.failures import NOT_TRIED
from gyoji.scheduler.arrival import finished_game
from gyoji.scheduler.inflight import Ended
from gyoji.scheduler.place import Abandoned, WorkerDied
from gyoji.store.store import Store
from gyoji.store.stored import Finished, Voided


class FailedGame(NamedTuple):
    """A game that came to nothing. log: lines for the event log."""

    spec: GameSpec
    void: VoidGame
    log: tuple[str, ...]


class FinishedGame(NamedTuple):
    """A finished game. log: lines for the event log."""

    game: Finished
    log: tuple[str, ...]


class StoredGame(NamedTuple):
    """A game that is on the disk; is_new: for the first time."""

    game: Finished
    log: tuple[str, ...]
    is_new: bool


@dataclass(slots=True)
class Batch:
    """What came of games that ended at the same moment. abandoned: ids."""

    finished: list[FinishedGame] = field(default_factory=list)
    voids: list[FailedGame] = field(default_factory=list)
    abandoned: list[str] = field(default_factory=list)


def sort_out(games: Iterable[Ended]) -> Batch:
    """What came of games whose futures are done."""
    batch = Batch()
    for spec, future, started in games:
        try:
            report = future.result()
        except (Abandoned, CancelledError):
            batch.abandoned.append(spec.id)
            continue
        except Exception as error:  # noqa: BLE001 (whatever a place to play raises, the game is void)
            void = _void(spec, error, started)
            batch.voids.append(FailedGame(spec, void, ()))
            continue
        if game := finished_game(spec, report):
            batch.finished.append(FinishedGame(game, report.log))
        else:
            batch.voids.append(FailedGame(spec, report.void, report.log))
    return batch


def _void(spec: GameSpec, error: Exception, started: str) -> VoidGame:
    died = isinstance(error, WorkerDied)
    moving = [spec.players[seat] for seat in error.to_move] if isinstance(error, WorkerDied) else []
    return VoidGame(
        id=spec.id,
        pairing=spec.pairing,
        players=tuple(player.code for player in spec.players),
        reason=printable(str(error) if died else f"{type(error).__name__}: {error}"),
        started=started,
        to_move=tuple(dict.fromkeys(player.code for player in moving)),
        by_death=died,
        against=moving[0].code if len(moving) == 1 and not is_contained(moving[0]) else "",
    )


def is_contained(player: Player) -> bool:
    """Whether an engine of the player cannot have ended our worker."""
    return player.containment.level != "off"


class Keeper:
    """Stands before the store: what could not be stored stays here and is tried again with the next batch.

    finished, voids: how many this run has stored.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: list[FinishedGame] = []
        self._voids: list[Voided] = []
        self.finished = 0
        self.voids = 0

    def take(self, game: FinishedGame) -> None:
        self._games.append(game)

    def take_void(self, spec: GameSpec, void: VoidGame, attempt: int) -> None:
        self._voids.append(Voided(spec, void, attempt))

    @property
    def is_behind(self) -> bool:
        """Whether something is not stored."""
        return bool(self._games or self._voids)

    @property
    def unstored(self) -> tuple[str, ...]:
        """The ids of finished games that are not stored."""
        return tuple(game.spec.id for game, _ in self._games)

    def check(self) -> None:
        """Look whether all that was ever stored is there. Raises StoreFailure."""
        self._store.check()

    def store(self) -> list[StoredGame]:
        """Store all that is here. Raises StoreFailure, and keeps it."""
        if not self.is_behind:
            return []
        voids = self._voids
        if voids:
            after = self._store.count + len(self._games)
            voids = [each._replace(void=replace(each.void, after=after)) for each in voids]
        fresh = self._store.append_many([game for game, _ in self._games], voids)
        stored = [StoredGame(game, log, game.spec.id in fresh) for game, log in self._games]
        self.finished += len(fresh)
        self.voids += sum(each.attempt != NOT_TRIED for each in voids)
        self._games, self._voids = [], []
        return stored
