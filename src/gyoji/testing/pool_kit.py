"""The conformance kit for pools, which play several games of a run at once: `check_pool`.

No wait is longer than `PATIENCE`. The first violation of `gyoji.scheduler.pool.Pool` raises AssertionError.
"""

# A pool works only while its owner runs its loop, and may use its own threads and processes. So each check
# runs the loop until an event has occurred, and demands that futures and reports arrive in the thread of the
# loop: the store and the displays of a run have no locks.

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from gyoji.core.spec import GameSpec
from gyoji.play.live_updates import Live
from gyoji.play.order import Order, Progress, Report
from gyoji.play.seats import HumanMessage
from gyoji.scheduler.pool import Abandoned, Pool, PoolListener, WorkerDied
from gyoji.testing import demand

PATIENCE = 60.0
"""The time limit, in seconds, for games to end."""

Make = Callable[[int], Pool]
"""A function that returns a pool with the given number of slots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Games:
    """Functions that make games for a pool to play. Each takes a number, which is in the id of the game.

    Attributes:
        quick: Makes a game that ends soon by itself.
        endless: Makes a game that ends only if it is abandoned.
        void: Makes a game that becomes void by itself.
        deadly: Makes a game that kills its worker process; None if no game can.
        tells: Whether moves and progress of the endless game are reported.
    """

    quick: Callable[[int], GameSpec]
    endless: Callable[[int], GameSpec]
    void: Callable[[int], GameSpec]
    deadly: Callable[[int], GameSpec] | None = None
    tells: bool = True


def check_pool(make: Make, games: Games) -> None:
    """Run all checks, each with a new pool of two slots."""
    for check in (_many, _ends, _cancelled, _abandoned, _resized, _told, _closed):
        with make(2) as pool:
            try:
                check(pool, games)
            finally:
                if not pool.loop.is_closed:
                    pool.abandon()


def wait_for(pool: Pool, is_so: Callable[[], object], what: str) -> None:
    """Run a pool until a condition holds. Raise AssertionError with `what` if that takes too long."""
    give_up = time.monotonic() + PATIENCE
    while not is_so():
        demand((left := give_up - time.monotonic()) > 0, f"{what}: not after {PATIENCE:.0f} s")
        pool.loop.wait(left)


def _play(pool: Pool, spec: GameSpec, *, watch: bool = False) -> Future[Report]:
    return pool.submit(Order(spec=spec, watch=watch))


def _end(pool: Pool, future: Future[Report]) -> Report:
    """Wait for the end of a game and return its report."""
    wait_for(pool, future.done, "a game has ended")
    return future.result(0)


def _is_finished(report: Report, spec: GameSpec) -> None:
    """Check that a report is about the game of `spec`, and that the game has a result."""
    if report.finished is None:
        raise AssertionError(f"game {spec.id} ended, and was to finish: {report.void}")
    demand(report.finished.result.id == spec.id, "report of another game")


def _begun(pool: Pool, *specs: GameSpec, watch: bool = False) -> list[Future[Report]]:
    """Submit games, not more than the pool has slots, and wait until all of them are being played.

    Args:
        watch: Whether the pool is to report the progress of these games.
    """
    futures = [_play(pool, spec, watch=watch) for spec in specs]
    for future in futures:
        wait_for(pool, future.running, "a game is played, for which there is a place")
    return futures


def _many(pool: Pool, games: Games) -> None:
    """Check more games than slots: each must end once, with its own report, in the thread of the caller."""
    threads = set[int]()
    specs = [games.quick(number) for number in range(6)]
    futures = [_play(pool, spec) for spec in specs]
    for future in futures:
        future.add_done_callback(lambda _: threads.add(threading.get_ident()))
    for spec, future in zip(specs, futures, strict=True):
        _is_finished(_end(pool, future), spec)
    demand(threads == {threading.get_ident()}, "games ended in another thread")
    pool.stored([spec.id for spec in specs])
    pool.stored(["of an earlier run"])
    _is_finished(_end(pool, _play(pool, specs[0])), specs[0])  # again, as after a void game


def _ends(pool: Pool, games: Games) -> None:
    """Check that a game that ends, fails or kills its worker affects no other game, and frees its slot."""
    endless = _play(pool, games.endless(0))
    void = _end(pool, _play(pool, games.void(1))).void
    demand(void is not None and void.id == games.void(1).id, f"a void game was reported as {void}")
    if games.deadly is not None:
        future = _play(pool, games.deadly(2))
        wait_for(pool, future.done, "a game whose worker died has ended")
        demand(isinstance(future.exception(0), WorkerDied), f"its worker died: {future.exception(0)!r}")
    _is_finished(_end(pool, _play(pool, games.quick(3))), games.quick(3))
    demand(not endless.done(), "a game that goes on has ended")


# Cancelling a game in progress would lose its moves, so only `abandon` and the organiser end it.
def _cancelled(pool: Pool, games: Games) -> None:
    """Check that a game can be cancelled while it waits for a slot, but not while it is being played."""
    playing = _begun(pool, games.endless(0), games.endless(1))
    waiting = _play(pool, games.quick(2))
    demand(waiting.cancel(), "a game that waits for a place cannot be cancelled")
    demand(not playing[0].cancel(), "a game that is played was cancelled")


def _abandoned(pool: Pool, games: Games) -> None:
    """Check that `abandon` ends all games, and that others can be played afterwards."""
    playing = _begun(pool, games.endless(0), games.endless(1))
    waiting = _play(pool, games.quick(2))
    pool.abandon()
    demand(waiting.cancelled(), "a game that waited was not cancelled")
    for future in playing:
        wait_for(pool, future.done, "an abandoned game has ended")
        demand(isinstance(future.exception(0), Abandoned), f"abandoned: {future.exception(0)!r}")
    _is_finished(_end(pool, _play(pool, games.quick(3))), games.quick(3))


def _resized(pool: Pool, games: Games) -> None:
    """Check that fewer slots end no game and start none, and that more slots start waiting games."""
    playing = _begun(pool, games.endless(0), games.endless(1))
    pool.resize(1)
    demand(pool.slots == 1, f"1 slot after resize, and it says {pool.slots}")
    demand(not any(future.done() for future in playing), "a game that goes on has ended")
    waiting = _play(pool, games.quick(2))
    demand(not waiting.running(), "more games are played than there are slots")
    pool.resize(3)
    _is_finished(_end(pool, waiting), games.quick(2))
    demand(not any(future.done() for future in playing), "a game that goes on has ended")


class _Recorder(PoolListener):
    """Stores a pool's reports on games in progress, and the threads in which they arrived."""

    def __init__(self) -> None:
        self.news: list[Progress] = []
        self.moves: list[Live] = []
        self.threads = set[int]()

    def on_progress(self, progress: Progress) -> None:
        self.news.append(progress)
        self.threads.add(threading.get_ident())

    def on_live(self, live: Live) -> None:
        self.moves.append(live)
        self.threads.add(threading.get_ident())


def _told(pool: Pool, games: Games) -> None:
    """Check that the pool reports on a game in progress, in the thread of the pool.

    `say` must forward a human player's message to a game in progress. For other games it must return False.
    """
    listener = pool.listener = _Recorder()
    news, moves, threads = listener.news, listener.moves, listener.threads
    spec = games.endless(0)
    words = HumanMessage(game=spec.id, player=spec.codes[0], answer={"question": 1})
    demand(not pool.say(words), "words were passed on to a game that is not played")
    pool.tell_moves(True)
    _begun(pool, spec, watch=True)
    demand(pool.say(words), "words were not passed on to a game that is played")
    if games.tells:
        wait_for(pool, lambda: moves and news, "a game is told of")
        demand(news[0].id == spec.id, f"news of game {news[0].id}")
        demand(moves[0].id == spec.id, f"moves of another game: {moves[0]}")
        demand(threads == {threading.get_ident()}, "it was told in another thread")
    pool.tell_moves(False)
    names = [host.name for host in pool.hosts]
    demand(len(set(names)) == len(names), f"two hosts have one name: {names}")
    played = [name for host in pool.hosts for name in host.playing]
    demand(played == ([spec.id] if names else []), f"its hosts play {played}")


def _closed(pool: Pool, games: Games) -> None:
    """Check that `close` waits for the end of all submitted games. Afterwards none can be submitted."""
    futures = [_play(pool, games.quick(number)) for number in range(3)]
    pool.close()
    demand(all(future.done() for future in futures), "it has been closed, and a game has not ended")
    demand(pool.loop.is_closed, "it has been closed, and its loop has not")
    try:
        _play(pool, games.quick(3))
    except RuntimeError:
        pass
    else:
        raise AssertionError("an order was taken after it had been closed")
    pool.close()
