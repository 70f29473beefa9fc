"""Events with remote players in this process: a server, runs and owners, each in a thread of its own.

Only workers and engines are processes. What is awaited comes by an event, so nothing depends on how busy the
machine is.
"""

import asyncio
import json
import sys
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from queue import Queue
from threading import Thread

from served import ENGINE, Site, until

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.links import read_link
from gyoji.core.spec import Containment, GameSpec
from gyoji.play.context import WorkerContext
from gyoji.remote.event_server import EventServer
from gyoji.remote.inviting import invitations
from gyoji.remote.owner import Owner
from gyoji.remote.owner_check import Wishes, own_player
from gyoji.remote.sessions import Engines
from gyoji.scheduler.control_client import NotRunning, send_command
from gyoji.scheduler.event import Event
from gyoji.scheduler.run import RunOptions, slot_pool, taking
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store
from gyoji.web import listening
from gyoji.web.app import application

PASSES = (sys.executable, "-I", "-S", str(Path(__file__).parents[1] / "play" / "small_engine.py"))
"""The command of an engine that passes at once."""

HERE = f'command = {json.dumps(PASSES)}\nsandbox = "off"'
"""A player whose engine runs here."""

ELSEWHERE = "remote = true"


def command(folder, name):
    """The command of an engine that moves when the test lets it (`served.Moves`)."""
    return (sys.executable, str(ENGINE), str(folder / f"{name}.fifo"), "go")


def paced(folder, name):
    """A player whose engine runs here, and moves when the test lets it."""
    return f'command = {json.dumps(command(folder, name))}\nsandbox = "off"'


class Lines:
    """What a server says."""

    def __init__(self):
        self.told = Queue()

    def readline(self):
        return self.told.get(timeout=60)


@contextmanager
def serving_here(path):
    """Yield the site of a server of a control file."""
    made = []

    class Server(listening._Server):
        def __init__(self, *given):
            super().__init__(*given)
            made.append(self)

    listener = listening.listen("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    lines, plain = Lines(), listening._Server
    app = application([path], ("127.0.0.1",), lines.told.put, games=path.parent / "new")
    app.state.address = address
    lines.told.put(f"whoever opens this link can start and stop runs: {address}/#steer={app.state.token}")
    listening._Server = Server
    serving = Thread(
        target=listening.answer, args=(app, listener, app.state.hub.broadcast.close), kwargs={"most": 100}
    )
    try:
        serving.start()
        until(lambda: made and made[0].started, "the server")
        yield Site(address, lines)
    finally:
        listening._Server = plain
        if made:
            made[0].should_exit = True
        serving.join()


class Joined:
    """An owner with an engine, connected until the block ends."""

    def __init__(self, link, command, games=None, *, sandbox="off"):
        self.said, self.error = [], None
        self._link, self._games = read_link(link), games
        self._wishes = Wishes(command, Containment(level=sandbox), 0, None, False, False, None)
        self._thread = Thread(target=lambda: asyncio.run(self._play()))

    async def _play(self):
        self._loop = asyncio.get_running_loop()
        server = EventServer(self._link, self.said.append)
        context = WorkerContext()
        try:
            spec = wire.decode(GameSpec, (await asyncio.to_thread(server.ask))["spec"])
            player = own_player(spec.players[0], self._wishes)
            self._owner = Owner(server, Engines(player, context), self._games)
            self.games = await self._owner.play()
        except ConfigError as error:
            self.error = error
        finally:
            context.close()

    def interrupt(self):
        """Leave after the game in progress, as by Ctrl-C."""
        self._loop.call_soon_threadsafe(self._owner.interrupt)
        self.wait()

    def wait(self):
        """Wait until the owner has left."""
        self._thread.join()

    def __enter__(self):
        self._thread.start()
        until(lambda: "connected" in self.said or not self._thread.is_alive(), "a connection")
        return self

    def __exit__(self, *_):
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._owner.leave)
        self._thread.join()


class Elsewhere:
    """One event. `players` are the tables of the control file by name.

    Attributes:
        site: Its server.
        ends: How its runs ended.
    """

    def __init__(self, folder, *lines, **players):
        self.path = folder / "cup.toml"
        text = ['game = "go"', "board_size = 5", "komi = 0.5", "skip_player_checks = true", *lines]
        tables = [f"[players.{name}]\n{table}" for name, table in players.items()]
        at = next((at for at, line in enumerate(text) if line.startswith("[")), len(text))
        self.path.write_text("\n".join([*text[:at], *tables, *text[at:]]) + "\n")
        self.files = CompetitionFiles(self.path)
        self.ends = []
        self._stack = ExitStack()

    def __enter__(self):
        invitations(self.path)  # which makes the database, so that the server has links
        self.site = self._stack.enter_context(serving_here(self.path))
        return self

    def __exit__(self, *_):
        self._stack.close()

    def link(self, name):
        return f"{self.site.address}/join#{invitations(self.path)[name]}"

    def join(self, name, command=PASSES, *, link="", **options):
        """Return an owner, who is connected while the block goes on."""
        return Joined(link or self.link(name), command, **options)

    def _run(self, open_pool):
        with taking(Event.open(self.path), RunOptions(), print, open_pool) as taken:
            self.ends.append(taken.play(lambda _: nullcontext()))

    @contextmanager
    def running(self, open_pool=slot_pool):
        """Yield the thread of a run, which is stopped at the end of the block if it goes on."""
        run = Thread(target=self._run, args=[open_pool])
        run.start()
        try:
            until(lambda: self.summary()["running"] or not run.is_alive(), "the run")
            yield run
        finally:
            for _ in range(2):
                if run.is_alive():
                    self.command("stop")
            run.join()

    def command(self, what):
        """Send a command to the run, unless it has ended."""
        with suppress(NotRunning):
            assert send_command(self.files, {"do": what})["ok"]

    def hosts(self):
        return send_command(self.files, {"do": "status"})["hosts"]

    def summary(self):
        return self.site.json("/api/v1/competitions/cup")

    def finished(self, number):
        """Wait until so many games have ended, and return who played them."""
        until(lambda: self.summary()["finished"] >= number, f"game {number}")
        return [set(result.players) for result in self.results()]

    def results(self):
        with Store.read(self.files.database) as store:
            return list(store.results())

    def playing(self, *games):
        """Wait until exactly these games are in progress."""
        until(lambda: self.summary()["playing"] == list(games), f"{games} in progress")
