"""The agent of a host: plays the games that it is told over its standard input, and tells of them over its
standard output (`gyoji.cluster.messages`).

``python -m gyoji.cluster.agent [--slots N] [--cores N] [WORKER ...]``: so many games at once, as many as
processors if nothing is said, each with so many processors of its own; WORKER is the command of a worker.
When its input ends, so does all that it has started.

It is a process of its own, whose main thread starts workers: whatever starts it, a thread of a program of
somebody else, may come and go.
"""

import os
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from msgspec.structs import replace

import gyoji
from gyoji.cluster.messages import AtSeat, Ended, Facts, LeftFile, News, Play, Task, read_task
from gyoji.core import wire
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.play.order import Files, Progress, Report
from gyoji.play.seats import SeatNews
from gyoji.play.telling import Live
from gyoji.scheduler.pool import Abandoned, WorkerDied
from gyoji.scheduler.resources import processors, share_out
from gyoji.scheduler.slots import WORKER, SlotPool

LIFE_SECONDS = 5.0
"""Between two signs of life."""

MOST_BYTES = 64 << 20
"""Of a file that a game leaves; longer ones are cut."""

_CHUNK = 1 << 18


class Agent:
    """A pool of this host, and whoever gives it games. folder: in which games leave their files."""

    def __init__(self, pool: SlotPool, folder: Path, hears: int, says: int) -> None:
        self._pool, self._folder, self._hears, self._says = pool, folder, hears, says
        self._heard = b""
        self._is_over = False
        self._tickets: dict[int, Play] = {}
        pool.on_progress, pool.on_live, pool.on_seat = self._on_progress, self._on_live, self._on_seat

    def run(self) -> None:
        """Until the input ends; then all games are abandoned."""
        facts = Facts(version=gyoji.__version__, slots=self._pool.slots, threads=processors())
        self._tell(News(ready=facts))
        self._pool.loop.watch(self._hears, self._on_input)
        self._show_life()
        self._pool.loop.run(lambda: self._is_over)
        self._pool.loop.forget(self._hears)
        self._pool.abandon()

    def _show_life(self) -> None:
        self._tell(News(alive=True))
        self._pool.loop.call_later(LIFE_SECONDS, self._show_life)

    def _on_input(self, _now: int) -> None:
        data = os.read(self._hears, _CHUNK)
        if not data:
            self._is_over = True
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            self._obey(read_task(line))

    def _obey(self, task: Task) -> None:
        if task.play is not None:
            self._play(task.play)
        if task.say is not None:
            self._pool.say(task.say.game, task.say.words)
        if task.tell is not None:
            self._pool.tell_moves(task.tell)
        if task.prepare:
            self._pool.start_ahead(task.prepare)
        if task.abandon:
            self._pool.abandon()

    def _play(self, play: Play) -> None:
        if lacks := lacks_of(play.order.spec):
            self._tell(News(ended=Ended(ticket=play.ticket, lacks=lacks)))
            return
        files = play.order.files
        place = f"{play.ticket}"
        ours = Files(
            records=f"{place}/records" if files.records else None,
            voids=f"{place}/voids" if files.voids else None,
            formats=files.formats,
            transcript=f"{place}/transcript/{play.order.spec.id}.log" if files.transcript else None,
        )
        if files != Files():
            for kind in ("records", "transcript"):
                (self._folder / place / kind).mkdir(parents=True)
        future = self._pool.submit(replace(play.order, files=ours))
        future.add_done_callback(partial(self._on_end, play.ticket))

    def _on_end(self, ticket: int, future: Future[Report]) -> None:
        files = self._left(ticket)
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or isinstance(error, Abandoned):
            ended = Ended(ticket=ticket)
        elif isinstance(error, WorkerDied):
            ended = Ended(ticket=ticket, died=str(error), to_move=error.to_move, files=files)
        elif error is not None:
            ended = Ended(ticket=ticket, died=printable(f"{type(error).__name__}: {error}"))
        else:
            ended = Ended(ticket=ticket, report=future.result().line(), files=files)
        self._tell(News(ended=ended))

    def _left(self, ticket: int) -> tuple[LeftFile, ...]:
        """The files of a game, which go."""
        place = self._folder / str(ticket)
        found = []
        for kind in ("records", "voids", "transcript"):
            with suppress(OSError):
                for path in sorted((place / kind).iterdir()):
                    with path.open("rb") as file:
                        content = file.read(MOST_BYTES)
                    found.append(LeftFile(kind=kind, name=path.name, content=content))
        rmtree(place, ignore_errors=True)
        return tuple(found)

    def _on_progress(self, progress: Progress) -> None:
        self._tell(News(progress=progress))

    def _on_live(self, text: str) -> None:
        self._tell(News(live=wire.loads(Live, text)))

    def _on_seat(self, game_id: str, text: str) -> None:
        self._tell(News(seat=AtSeat(game=game_id, news=wire.loads(SeatNews, text))))

    def _tell(self, news: News) -> None:
        waiting = memoryview(f"{wire.dumps(news)}\n".encode())
        try:
            while waiting:
                waiting = waiting[os.write(self._says, waiting) :]
        except OSError:  # nobody is there any more
            self._is_over = True


def lacks_of(spec: GameSpec) -> str:
    """What this host has not that a game needs: "" if it can be played here."""
    for player in (*spec.players, *filter(None, [spec.scoring_player])):
        program = player.command[0] if player.command else ""
        if program.startswith("/") and not os.path.isfile(program):
            return f"{player.code}: there is no program {program!r}"
    return ""


def main(words: Sequence[str]) -> None:
    """Serve until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wanted = {"--slots": processors(), "--cores": 0}
    while words and words[0] in wanted:
        wanted[words[0]], words = int(words[1]), words[2:]
    slots, cores = wanted["--slots"], wanted["--cores"]
    if cores:
        slots = max(1, min(slots, processors() // cores))
    hears, says = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)  # what anything prints here is no news
    folder = Path(mkdtemp(prefix="gyoji-host-"))
    try:
        share = partial(share_out, cores=cores)
        with SlotPool(slots, share=share, folder=folder, command=tuple(words) or WORKER) as pool:
            Agent(pool, folder, hears, says).run()
    finally:
        rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
