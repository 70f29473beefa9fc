"""The agent of a host: plays the games that it is told over its standard input, and tells of them over its
standard output (`gyoji.cluster.messages`).

``python -m gyoji.cluster.agent [--slots N] [--cores N] [--hide PATH] [--event KEY] [--try] [--speed X]
[WORKER ...]``: so many games at once, as many as processors by default, each with so many processors of its
own; no engine sees PATH; reports are kept as those of competition KEY until they are stored. With --try each
player is tried before it plays. The host is measured unless its speed is given. WORKER is the command of a
worker. When its input ends, so does all that it has started.

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

from msgspec.structs import replace

import gyoji
from gyoji.cluster.actor import plain_environ
from gyoji.cluster.engines import Content, Parcel, Receiver, engines_folder, owner_of, results_folder
from gyoji.cluster.keeping import KeptReports
from gyoji.cluster.messages import AtSeat, Ended, Facts, LeftFile, News, Play, Task, read_task
from gyoji.cluster.trying import Trials
from gyoji.core import wire
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.executors.scratch import temporary_folder
from gyoji.play.order import Files, Progress, Report
from gyoji.play.seats import SeatNews
from gyoji.play.speed import ANSWER, Speed, measure
from gyoji.play.telling import Live
from gyoji.scheduler import warden
from gyoji.scheduler.pool import Abandoned, WorkerDied
from gyoji.scheduler.resources import processors, share_out
from gyoji.scheduler.slots import WORKER, SlotPool

LIFE_SECONDS = 5.0
"""Between two signs of life."""

MOST_BYTES = 64 << 20
"""Of a file that a game leaves; longer ones are cut."""

_CHUNK = 1 << 18


class Agent:
    """A pool of this host, and whoever gives it games over two descriptors.

    folder: in which games leave their files.   hidden: what engines are not to see.
    kept: what keeps reports until they are stored; None: nothing does.   tries: whether each player is tried
    before it plays.   speed: of this host; None: it is measured.
    """

    def __init__(
        self,
        pool: SlotPool,
        folder: Path,
        descriptors: tuple[int, int],
        *,
        hidden: tuple[str, ...] = (),
        kept: KeptReports | None = None,
        tries: bool = False,
        speed: Speed | None = None,
    ) -> None:
        self._pool, self._folder, self._hidden, self._kept = pool, folder, hidden, kept
        self._speed = speed
        self._hears, self._says = descriptors
        self._heard = b""
        self._is_over = False
        self._receiver = Receiver(engines_folder())
        environ = {**plain_environ(), warden.VARIABLE: f"{pool.mark}.0"}
        self._trials = Trials(pool.loop, environ, self._look_again) if tries else None
        self._waiting: list[Play] = []  # for files that are to come, or until players have been tried
        self._wanted: dict[str, Parcel] = {}  # by digest
        pool.on_progress, pool.on_live, pool.on_seat = self._on_progress, self._on_live, self._on_seat

    def run(self) -> None:
        """Until the input ends; then all games are abandoned."""
        kept = self._kept.all() if self._kept is not None else ()
        facts = Facts(
            version=gyoji.__version__,
            slots=self._pool.slots,
            threads=processors(),
            speed=self._speed or measure(self._pool.slots),
            kept=kept,
        )
        self._tell(News(ready=facts))
        self._pool.loop.watch(self._hears, self._on_input)
        self._show_life()
        self._pool.loop.run(lambda: self._is_over)
        self._pool.loop.forget(self._hears)
        if self._trials is not None:
            self._trials.close()
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
            self._take(task.play)
        if task.content is not None:
            self._receive(task.content)
        if task.say is not None:
            self._pool.say(task.say.game, task.say.words)
        if task.tell is not None:
            self._pool.tell_moves(task.tell)
        if task.stored and self._kept is not None:
            self._kept.forget(task.stored)
        if task.prepare:
            self._pool.start_ahead(task.prepare)
        if task.abandon:
            while self._waiting:
                self._tell(News(ended=Ended(ticket=self._waiting.pop().ticket)))
            self._pool.abandon()

    def _take(self, play: Play) -> None:
        """Play a game, once all of its files are here; or tell of its end, if that is known."""
        if self._kept is not None and (ended := self._kept.find(play)) is not None:
            self._tell(News(ended=ended))
            return
        missing = self._receiver.missing(play.parcels)
        if not missing:
            self._try(play)
            return
        self._waiting.append(play)
        fresh = {parcel.digest: parcel for parcel in missing if parcel.digest not in self._wanted}
        self._wanted |= fresh
        if fresh:
            self._tell(News(wants=tuple(fresh)))

    def _receive(self, content: Content) -> None:
        """A file that was wanted."""
        if (parcel := self._wanted.pop(content.digest, None)) is None:
            return
        if content.content is None:
            trouble = f"{os.path.basename(parcel.path)}: it cannot be read any more"
        else:
            trouble = self._receiver.take(parcel, content.content)
        if trouble:
            for play in [play for play in self._waiting if parcel in play.parcels]:
                self._waiting.remove(play)
                self._lack(play, f"{owner_of(play.order.spec, parcel.path)}: {trouble}")
        self._look_again()

    def _look_again(self) -> None:
        """Something has come, or been found, that games may have waited for."""
        waiting, self._waiting = self._waiting, []
        for play in waiting:
            self._take(play)

    def _lack(self, play: Play, what: str) -> None:
        self._tell(News(ended=Ended(ticket=play.ticket, lacks=printable(what))))

    def _try(self, play: Play) -> None:
        """Play a game whose files are here, if all of its players can play here."""
        spec = self._receiver.here(play.order.spec, play.parcels, self._hidden)
        if lacks := next((path for path in play.needs if not os.path.exists(path)), ""):
            self._lack(play, f"{owner_of(spec, lacks)}: there is no {lacks}")
            return
        problem = "" if self._trials is None else self._trials.problem(spec)
        if problem is None:
            self._waiting.append(play)
            self._pool.start_ahead([spec])  # and with it, who ends all that is left behind
        elif problem:
            self._lack(play, problem)
        else:
            self._play(play, spec)

    def _play(self, play: Play, spec: GameSpec) -> None:
        files, place = play.order.files, f"{play.ticket}"
        ours = Files(
            records=f"{place}/records" if files.records else None,
            voids=f"{place}/voids" if files.voids else None,
            formats=files.formats,
            transcript=f"{place}/transcript/{spec.id}.log" if files.transcript else None,
        )
        if files != Files():
            for kind in ("records", "transcript"):
                (self._folder / place / kind).mkdir(parents=True)
        future = self._pool.submit(replace(play.order, spec=spec, files=ours))
        future.add_done_callback(partial(self._on_end, play))

    def _on_end(self, play: Play, future: Future[Report]) -> None:
        ticket = play.ticket
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
            if self._kept is not None and future.result().finished is not None:
                self._kept.keep(play, ended)
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


def _options(words: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...], tuple[str, ...]]:
    """The options of an agent, what is hidden from engines, and the command of a worker, () if not given."""
    options = {"--slots": str(processors()), "--cores": "0", "--event": "", "--try": "", "--speed": ""}
    hidden = [str(results_folder())]
    while words and (words[0] in options or words[0] == "--hide"):
        option, *words = words
        value, *words = [option, *words] if option == "--try" else words
        if option == "--hide":
            hidden.append(value)
        else:
            options[option] = value
    return options, tuple(hidden), tuple(words)


def main(words: Sequence[str]) -> None:
    """Serve until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    options, hidden, command = _options(words)
    cores = int(options["--cores"])
    slots = int(options["--slots"])
    if cores:
        slots = max(1, min(slots, processors() // cores))
    kept = KeptReports(results_folder() / options["--event"]) if options["--event"] else None
    hears, says = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)  # what anything prints here is no news
    with temporary_folder("host") as folder:
        share = partial(share_out, cores=cores)
        with SlotPool(slots, share=share, folder=folder, command=command or WORKER) as pool:
            agent = Agent(
                pool,
                folder,
                (hears, says),
                hidden=hidden,
                kept=kept,
                tries=bool(options["--try"]),
                speed=Speed(float(options["--speed"]), ANSWER) if options["--speed"] else None,
            )
            agent.run()


if __name__ == "__main__":
    main(sys.argv[1:])
