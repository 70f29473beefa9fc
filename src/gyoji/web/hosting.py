"""Games that people begin on the page: request handlers that write their control files and start their runs.

The routes are:

    /new                        the form
    /api/v1/newgame             GET: the questions of the form; POST: its answers
    /api/v1/newgame/position    a position to start from: drawn, typed or from a file
    /api/v1/seat/again          for players: play once more, or play on after an interruption

The control files are like any others: `gyoji run` plays them too.
"""

import asyncio
import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gyoji.config.competition import read_competition
from gyoji.config.document import Document
from gyoji.config.toml_writer import toml
from gyoji.core.faults import ConfigError
from gyoji.core.forms import Form
from gyoji.core.plugins import GAMES
from gyoji.core.setup import DEFAULT_GAME
from gyoji.core.text import printable
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles, RunLock
from gyoji.store.filesystem import write_file
from gyoji.store.store import Store
from gyoji.web import pages
from gyoji.web.hub import Hub
from gyoji.web.new_game import CLOCKS, described, form_of, plain_game, plain_name, position
from gyoji.web.opponents import Opponent, opponents
from gyoji.web.request_helpers import body, doing, json_answer
from gyoji.web.run_control import RunControl, output_of
from gyoji.web.seat_links import SeatLinks
from gyoji.web.watched import WatchedCompetition

MARK = "# Begun on the page of gyoji serve; may be played again there, with colours changed.\n"
"""The first line of control files written here. Control files without it are never changed."""
MOST_KEPT = 1000
"""Number of games in the folder from which on only the organiser can begin another."""
PATIENCE = 10.0
"""Seconds to wait for the end of a run whose last game is over."""
MOST_WORDS = 300
"""Longest quoted line of a run's output, in characters."""


class Hosting:
    """The games that people begin on the page, and the request handlers of the form for a new game."""

    def __init__(
        self, hub: Hub, seats: SeatLinks, run_control: RunControl, folder: Path, *, most_open: int = 0
    ) -> None:
        """Create the handlers, without runs yet.

        Args:
            folder: The folder for the control files of these games.
            most_open: Largest number of games begun on the page, the organiser's included, that may be in
                progress at once. The organiser may begin more. 0: only the organiser may begin games.
        """
        self._hub, self._seat_links, self._run_control = hub, seats, run_control
        self._folder = folder.absolute()
        self._most_open = most_open
        self._starting = 0
        # The end of each run that was started here, by control file
        self._runs: dict[Path, asyncio.Event] = {}

    def routes(self) -> list[Route]:
        return [
            Route("/new", self.page),
            Route("/api/v1/newgame", self.form, methods=["GET"]),
            Route("/api/v1/newgame", self.begin, methods=["POST"]),
            Route("/api/v1/newgame/position", self.position, methods=["POST"]),
            Route("/api/v1/seat/again", self.again, methods=["POST"]),
        ]

    def is_here(self, watched: WatchedCompetition) -> bool:
        """Return whether a competition's control file is in the folder of games begun on the page."""
        return watched.path.parent == self._folder

    def is_ours(self, watched: WatchedCompetition) -> bool:
        """Return whether a competition was begun on the page. Call it in a thread: it reads a file."""
        if not self.is_here(watched):
            return False
        try:
            with watched.path.open(encoding="utf-8") as file:
                return file.readline() == MARK
        except (OSError, ValueError):
            return False

    def is_starting(self, watched: WatchedCompetition) -> bool:
        """Return whether the run of a game begun on the page has started, but no game is in progress."""
        return watched.path in self._runs and not watched.playing

    @property
    def _playing(self) -> int:
        """The number of games begun on the page that are being played or started."""
        running = {each.path for each in self._hub.competitions.values() if each.run and self.is_here(each)}
        return len(running | self._runs.keys()) + self._starting

    def _check(self, request: Request) -> bool:
        """Check that a request may begin a game, and return whether it has the organiser's token.

        Raises:
            HTTPException: The request has no such token, and only the organiser may begin games (403).
        """
        is_organiser = self._run_control.is_organiser(request)
        if not (is_organiser or self._most_open):
            self._run_control.check(request)
        return is_organiser

    # The form

    async def page(self, _: Request) -> Response:
        return HTMLResponse(pages.render("newgame.html", last=self._hub.broadcast.last))

    async def form(self, request: Request) -> Response:
        self._check(request)
        await self._read()
        return json_answer(await asyncio.to_thread(self._form))

    async def _read(self) -> None:
        """Read all served control files that are not read yet: their players are offered as opponents."""
        for each in list(self._hub.competitions.values()):
            if each.event is None and not each.trouble:
                await each.open()

    def _form(self) -> dict[str, Any]:
        """Return the form for a new game as a JSON-ready object: the questions for each game that has a
        form.
        """
        names = sorted(GAMES.names, key=lambda name: (name != DEFAULT_GAME, name))
        forms = [
            described(game, form := game.form(), self._opponents(game.name, form))
            for game in map(GAMES.find, names)
            if game.form is not None
        ]
        return {"games": forms, "clocks": list(CLOCKS), "open": bool(self._most_open)}

    def _opponents(self, game: str, form: Form) -> list[Opponent]:
        served = [each for each in self._hub.competitions.values() if not self.is_here(each)]
        return opponents(game, form, served)

    async def position(self, request: Request) -> Response:
        self._check(request)
        return json_answer(await doing(partial(position, await body(request))))

    # Games

    async def begin(self, request: Request) -> Response:
        """Begin the game that the answers to the form describe.

        The response has the name of the new competition, and the secret part of each person's link.

        Raises:
            HTTPException: Only the organiser may begin games (403).
            ConfigError: The game cannot be set up. Or there are too many games, and the request is not the
                organiser's.
        """
        is_organiser = self._check(request)
        told = await body(request)
        if not is_organiser:
            self._check_room()
        self._starting += 1
        try:
            await self._read()
            path = await asyncio.to_thread(self._write, told, is_limited=not is_organiser)
            watched = await self._hub.take_up(path)
            await self._start(watched)
        finally:
            self._starting -= 1
        return json_answer({"competition": watched.name, "seats": self._seat_links.links(watched)})

    def _check_room(self) -> None:
        """Raise ConfigError if too many games begun on the page are in progress, or too many are kept."""
        if self._playing >= self._most_open:
            raise ConfigError(
                f"{self._playing} games are being played, as many as may be at once: wait for one"
            )
        if sum(map(self.is_here, self._hub.competitions.values())) >= MOST_KEPT:
            raise ConfigError("no more games are kept here: ask the organiser to move some away")

    def _write(self, told: Mapping[str, Any], *, is_limited: bool) -> Path:
        """Write the control file of a new game, and return its path.

        Args:
            told: The answers to the form.
            is_limited: Whether the game must end by itself: it needs a clock, and a time limit for people to
                show up. True unless the organiser begins it.
        """
        game, form = form_of(told.get("game"))
        found = self._opponents(game.name, form)
        return write_game(self._folder, plain_game(told, found, is_limited=is_limited))

    # A thread starts the run as a subprocess.Popen, whose end asyncio does not notice. So the loop watches a
    # pidfd.
    async def _start(self, watched: WatchedCompetition) -> None:
        """Start the run of a competition, and have `watched.run_ended` called when the run ends."""
        watched.failure = ""
        run = await asyncio.to_thread(self._run_control.start, watched.path)
        has_ended = self._runs[watched.path] = asyncio.Event()
        loop, descriptor = asyncio.get_running_loop(), os.pidfd_open(run.pid)

        def ended() -> None:
            loop.remove_reader(descriptor)
            os.close(descriptor)
            del self._runs[watched.path]
            has_ended.set()
            has_played = run.wait() in (ExitStatus.COMPLETE, ExitStatus.STOPPED)
            watched.run_ended("" if has_played else _last_words(watched.path))

        loop.add_reader(descriptor, ended)

    async def again(self, request: Request) -> Response:
        """Play one more game with swapped colours, or continue a game that was interrupted.

        The request must have the link of one of the game's players.

        Raises:
            HTTPException: The request has no valid link (403).
            ConfigError: The game was not begun on the page, is being played, or there are too many games.
        """
        watched = (await self._seat_links.of(request)).watched
        await body(request)
        if not await asyncio.to_thread(self.is_ours, watched):
            raise ConfigError("this game was not begun on the page: its organiser decides what is played")
        if watched.run is None and watched.path in self._runs:  # it has been played, and is about to end
            with suppress(TimeoutError):
                await asyncio.wait_for(self._runs[watched.path].wait(), PATIENCE)
        if watched.run is not None or watched.path in self._runs:
            raise ConfigError("it is being played")
        if self._most_open:
            self._check_room()
        await watched.count()
        if watched.summary()["remaining"] == 0:
            await asyncio.to_thread(_play_on, watched.path)
            watched.changed(anew=True)
        await self._start(watched)
        return json_answer({"ok": True})


# The store is created at once because the links of human players are computed from its secret, and are in the
# answer to the request that begins the game.
def write_game(folder: Path, plain: Mapping[str, Any]) -> Path:
    """Write a control file under a free name, and create its store, with the secret for its links.

    Args:
        plain: The settings, as in TOML.

    Raises:
        ConfigError: The settings are wrong, and nothing is written; or the files cannot be written.
    """
    document = Document(name="this game", path=folder / "game.toml", raw=plain, base=folder)
    read_competition(document)
    stem = "-".join(plain_name(code).strip("-")[:30] or "player" for code in plain["players"])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = _written(folder, stem, MARK + toml(plain))
        files = CompetitionFiles(path)
        with RunLock(files), Store.open(files.database, files.code, create=True):
            return path
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from None


def _written(folder: Path, stem: str, text: str) -> Path:
    """Write a text to `STEM-N.toml` with the first free N, and return the path.

    A name is free if neither such a control file nor any file of its games exists.
    """
    for number in count(1):
        path = folder / f"{stem}-{number}.toml"
        if not any(CompetitionFiles(path).outputs()):
            with suppress(FileExistsError), path.open("x", encoding="utf-8") as file:
                file.write(text)
                break
    return path


def _last_words(path: Path) -> str:
    """Return the last line that the run of a control file has printed, as the reason of its failure."""
    try:
        said = output_of(path).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        said = []
    said = [line for line in said if line.strip()] or ["its run has failed"]
    return printable(said[-1], MOST_WORDS)


def _play_on(path: Path) -> None:
    """Change a control file so that its players play one more game, with swapped colours."""
    plain = tomllib.loads(path.read_text(encoding="utf-8"))
    plain["matchups"][0]["number_of_games"] += 1
    write_file(path, (MARK + toml(plain)).encode())
