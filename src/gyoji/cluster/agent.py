"""The agent of a host: plays the games that a run sends to its standard input, and reports on standard
output.

``python -m gyoji.cluster.agent [--slots N] [--cores N] [--hide PATH] [--event KEY] [--try] [WORKER ...]``

    --slots N    games at once, by default the number of processors
    --cores N    processors for each game alone
    --hide PATH  a path that no engine can see
    --event KEY  name of the folder that keeps reports until the run has stored them
    --try        check each player before it plays on this host for the first time
    WORKER       the command of a worker, for tests

At the end of its input the agent ends everything that it has started. It is not a thread of the dask worker,
because gyoji's workers die with the thread that starts them, and a dask worker may end its threads at any
time.
"""

# Theory of operation
#
# The agent has a SlotPool, which plays the games, and a connection to the run (`gyoji.play.connection`) in
# the pool's event loop. `gyoji.cluster.agent_messages` has the messages. An assignment (the order to play a
# game) goes through these methods. `_take` and `_try` may put it into `_waiting`; when a file has arrived or
# a check has ended, `_look_again` begins with `_take` again for all waiting assignments:
#
#   _take     Is the report of this game in the spool? Send it. Are files missing? Ask for them (Wants).
#   _try      Are the programs there that the run does not send? Do all players start here (HostChecks)?
#   _play     Give the game to the pool, with a folder of this attempt for its files.
#   _on_end   Collect the files, keep the report in the spool, send it.
#
# Invariants:
# * Each assignment gets exactly one `Ended` with its ticket, unless the connection ends before.
# * A report is in the spool before it is sent, and stays there until the run sends `Stored`. So a report is
#   never lost between the end of a game and its commit, whichever process is killed.
# * Files of a game are in a folder whose name is the ticket. Those of two attempts at one game never mix.
#
# Standard output has nothing but messages: descriptor 1 becomes standard error before anything else can
# print. The end of the input is the only signal to end, and it comes however the run or the dask worker ends.

import os
import signal
import sys
from argparse import REMAINDER, ArgumentParser
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from io import FileIO
from pathlib import Path
from shutil import rmtree

from msgspec.structs import replace

import gyoji
from gyoji.cluster.actor import plain_environ
from gyoji.cluster.agent_messages import Assignment, Ended, Facts, LeftFile, Stored, Wants, read_to_agent
from gyoji.cluster.artifacts import Artifact, ArtifactCache, Content, engines_folder, owner_of, results_folder
from gyoji.cluster.host_checks import HostChecks
from gyoji.cluster.report_spool import ReportSpool
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.executors.scratch import temporary_folder
from gyoji.play.connection import JsonConnection
from gyoji.play.live_updates import Live
from gyoji.play.order import Files, Progress, Report
from gyoji.play.remote_seats import RemoteNews, RemoteWords
from gyoji.play.seats import HumanMessage, SeatNews
from gyoji.play.worker_messages import Abandon, Alive, WatchMoves
from gyoji.scheduler import reaper
from gyoji.scheduler.pool import Abandoned, PoolListener, WorkerDied
from gyoji.scheduler.resources import processors, share_out
from gyoji.scheduler.slots import WORKER, SlotPool

LIFE_SECONDS = 5.0
"""Seconds between two `Alive` messages."""

MOST_BYTES = 64 << 20
"""Largest number of bytes that are sent of a file written by a game. The rest of a longer file is dropped."""


class Agent(PoolListener):
    """Plays games on this host for a run on another machine."""

    def __init__(
        self,
        pool: SlotPool,
        folder: Path,
        descriptors: tuple[int, int],
        *,
        hidden: tuple[str, ...] = (),
        spool: ReportSpool | None = None,
        tries: bool = False,
    ) -> None:
        """Connect a pool of this machine to a run elsewhere.

        Args:
            pool: Plays the games.
            folder: Folder in which games write their files.
            descriptors: The file descriptors (input, output) of the connection to the run.
            hidden: Paths that engines cannot see.
            spool: Keeps reports on disk until the run has stored them; None to keep none.
            tries: Whether to check that each player's engine starts here before it plays.
        """
        self._pool, self._folder, self._hidden, self._spool = pool, folder, hidden, spool
        reading, writing = descriptors
        self._connection = JsonConnection(
            pool.loop,
            FileIO(reading, "r"),
            FileIO(writing, "w"),
            on_line=self._obey,
            on_end=self._on_end_of_input,
        )
        self._is_over = False
        self._cache = ArtifactCache(engines_folder())
        environ = {**plain_environ(), reaper.VARIABLE: f"{pool.mark}.0"}
        self._checks = HostChecks(pool.loop, environ, self._look_again) if tries else None
        self._waiting: list[Assignment] = []  # for files that the run will send, or for checks of players
        self._wanted: dict[str, Artifact] = {}  # by digest
        pool.listener = self
        self._tell = self._connection.send

    def run(self) -> None:
        """Serve the run until the input ends. Then end all games."""
        kept = self._spool.all() if self._spool is not None else ()
        facts = Facts(
            version=gyoji.__version__,
            slots=self._pool.slots,
            threads=processors(),
            kept=kept,
        )
        self._tell(facts)
        self._show_life()
        self._pool.loop.run(lambda: self._is_over)
        self._connection.close()
        if self._checks is not None:
            self._checks.close()
        self._pool.abandon()

    def _show_life(self) -> None:
        self._tell(Alive())
        self._pool.loop.call_later(LIFE_SECONDS, self._show_life)

    def _on_end_of_input(self, _why: str) -> None:
        self._is_over = True

    def _obey(self, line: bytes) -> None:
        match read_to_agent(line):
            case Assignment() as play:
                self._take(play)
            case Content() as content:
                self._receive(content)
            case HumanMessage() | RemoteWords() as words:
                self._pool.say(words)
            case WatchMoves(wanted=wanted):
                self._pool.tell_moves(wanted)
            case Stored(games=games):
                if self._spool is not None:
                    self._spool.forget(games)
            case Abandon():
                while self._waiting:
                    self._tell(Ended(ticket=self._waiting.pop().ticket))
                self._pool.abandon()

    def _take(self, play: Assignment) -> None:
        """Begin a game. If this host has kept a report of the game, send the run that report instead.

        If files of players are missing, the game waits and the run is asked for the files.
        """
        if self._spool is not None and (ended := self._spool.find(play)) is not None:
            self._tell(ended)
            return
        missing = self._cache.missing(play.artifacts)
        if not missing:
            self._try(play)
            return
        self._waiting.append(play)
        fresh = {artifact.digest: artifact for artifact in missing if artifact.digest not in self._wanted}
        self._wanted |= fresh
        if fresh:
            self._tell(Wants(digests=tuple(fresh)))

    def _receive(self, content: Content) -> None:
        """Store a file that the run has sent, and try again to begin the waiting games.

        If there is no file to store, or storing fails, games that need the file do not wait any longer. The
        run is told that this host cannot play them.
        """
        if (artifact := self._wanted.pop(content.digest, None)) is None:
            return
        if content.content is None:
            trouble = f"{os.path.basename(artifact.path)}: it cannot be read any more"
        else:
            trouble = self._cache.take(artifact, content.content)
        if trouble:
            for play in [play for play in self._waiting if artifact in play.artifacts]:
                self._waiting.remove(play)
                self._lack(play, f"{owner_of(play.order.spec, artifact.path)}: {trouble}")
        self._look_again()

    def _look_again(self) -> None:
        """Try to begin all waiting games, after a file has arrived or a check of a player has ended."""
        waiting, self._waiting = self._waiting, []
        for play in waiting:
            self._take(play)

    def _lack(self, play: Assignment, what: str) -> None:
        self._tell(Ended(ticket=play.ticket, lacks=printable(what)))

    def _try(self, play: Assignment) -> None:
        """Play a game whose files are on this host. Tell the run if one of its players cannot play here.

        The game waits while a check of a player is in progress.
        """
        spec = self._cache.here(play.order.spec, play.artifacts, self._hidden)
        if lacks := next((path for path in play.needs if not os.path.exists(path)), ""):
            self._lack(play, f"{owner_of(spec, lacks)}: there is no {lacks}")
            return
        problem = "" if self._checks is None else self._checks.problem(spec)
        if problem is None:
            self._waiting.append(play)
            self._pool.start_ahead(
                [spec]
            )  # also starts the reaper, which ends processes that a check leaves behind
        elif problem:
            self._lack(play, problem)
        else:
            self._play(play, spec)

    def _play(self, play: Assignment, spec: GameSpec) -> None:
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

    def _on_end(self, play: Assignment, future: Future[Report]) -> None:
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
            ended = Ended(ticket=ticket, report=future.result().sent(), files=files)
            if self._spool is not None and future.result().finished is not None:
                self._spool.keep(play, ended)
        self._tell(ended)

    def _left(self, ticket: int) -> tuple[LeftFile, ...]:
        """Return the files that a game has written, and delete them.

        Args:
            ticket: Number of the attempt to play the game.

        Returns:
            The files with their content. Content beyond MOST_BYTES of a file is cut off.
        """
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

    # The port `PoolListener`

    def on_progress(self, progress: Progress) -> None:
        self._tell(progress)

    def on_live(self, live: Live) -> None:
        self._tell(live)

    def on_seat(self, news: SeatNews) -> None:
        self._tell(news)

    def on_remote(self, news: RemoteNews) -> None:
        self._tell(news)


def _options() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m gyoji.cluster.agent")
    parser.add_argument("--slots", type=int, default=processors())
    parser.add_argument("--cores", type=int, default=0)
    parser.add_argument("--hide", action="append", default=[])
    parser.add_argument("--event", default="")
    parser.add_argument("--try", dest="tries", action="store_true")
    parser.add_argument("worker", nargs=REMAINDER)
    return parser


def main(words: Sequence[str]) -> None:
    """Serve one run on standard input and output.

    Args:
        words: The options of the agent, see the module.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    options = _options().parse_args(words)
    slots, cores = options.slots, options.cores
    if cores:
        slots = max(1, min(slots, processors() // cores))
    spool = ReportSpool(results_folder() / options.event) if options.event else None
    hears, says = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)  # so that nothing but messages goes to the run
    with temporary_folder("host") as folder:
        share = partial(share_out, cores=cores)
        with SlotPool(slots, share=share, folder=folder, command=options.worker or WORKER) as pool:
            hidden = (str(results_folder()), *options.hide)
            agent = Agent(pool, folder, (hears, says), hidden=hidden, spool=spool, tries=options.tries)
            agent.run()


if __name__ == "__main__":
    main(sys.argv[1:])
