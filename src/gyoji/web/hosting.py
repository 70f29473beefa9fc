"""Games that people begin on the page: control files in one folder, their runs, and limits.

The control files are like any others: `gyoji run` plays them too.
"""

import asyncio
import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from gyoji.config.competition import read_competition
from gyoji.config.document import Document
from gyoji.config.toml_writer import toml
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.setup import DEFAULT_GAME
from gyoji.core.text import printable
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles, RunLock
from gyoji.store.store import Store
from gyoji.web.hub import Hub
from gyoji.web.new_game import CLOCKS, described, form_of, plain_game, plain_name
from gyoji.web.opponents import Opponent, opponents
from gyoji.web.run_control import RunControl, output_of
from gyoji.web.seat_links import SeatLinks
from gyoji.web.watched import WatchedCompetition

MARK = "# Begun on the page of gyoji serve; may be played again there, with colours changed.\n"
"""The first line of the control files that are written here. Only these are changed later."""

MOST_KEPT = 1000
"""Most games in the folder, beyond which only the organiser can begin another."""

PATIENCE = 10.0
"""Seconds to wait for a run whose last game is over."""

MOST_WORDS = 300
"""Longest quoted line of a run's output, in characters."""


class Hosting:
    """The games of one folder.

    Args:
        most_open: How many games that anybody begins may be played at once. 0: only the organiser begins
            games.
    """

    def __init__(
        self, hub: Hub, seats: SeatLinks, run_control: RunControl, folder: Path, *, most_open: int = 0
    ) -> None:
        self._hub, self._seat_links, self._run_control = hub, seats, run_control
        self.folder = folder.absolute()
        self.most_open = most_open
        self._starting = 0
        # The end of each run that was started here, by control file
        self._runs: dict[Path, asyncio.Event] = {}

    def is_here(self, watched: WatchedCompetition) -> bool:
        """Return whether a competition is a game of this folder."""
        return watched.path.parent == self.folder

    def is_ours(self, watched: WatchedCompetition) -> bool:
        """Return whether a competition was begun on the page. Call it in a thread: it reads the file."""
        return self.is_here(watched) and _is_ours(watched.path)

    @property
    def playing(self) -> int:
        """The number of games of this folder that are being played."""
        running = {each.path for each in self._hub.competitions.values() if each.run and self.is_here(each)}
        return len(running | self._runs.keys()) + self._starting

    def check(self, request: Request) -> bool:
        """Return whether the organiser asks. Raise HTTPException 403 if the request may not begin games."""
        try:
            self._run_control.check(request)
        except HTTPException:
            if self.most_open:
                return False
            raise
        return True

    # The form

    async def form(self) -> dict[str, Any]:
        """Return the questions of the form for a new game, JSON-ready."""
        await self._read()
        return await asyncio.to_thread(self._form)

    async def _read(self) -> None:
        """Read the control files that have not been read since the server started: their players are
        opponents.
        """
        for each in list(self._hub.competitions.values()):
            if each.event is None and not each.trouble:
                await each.open()

    def _form(self) -> dict[str, Any]:
        names = sorted(GAMES.names, key=lambda name: (name != DEFAULT_GAME, name))
        games = map(GAMES.find, names)
        forms = [
            described(game, game.form(), self._opponents(game.name))
            for game in games
            if game.form is not None
        ]
        return {"games": forms, "clocks": list(CLOCKS), "open": bool(self.most_open)}

    def _opponents(self, game: str) -> list[Opponent]:
        return opponents(game, [each for each in self._hub.competitions.values() if not self.is_here(each)])

    # Games

    async def begin(self, told: Mapping[str, Any], *, is_organiser: bool) -> dict[str, Any]:
        """Begin the game that a form describes.

        Returns:
            The name of the competition, and the link fragments of its people by name.

        Raises:
            ConfigError: The game cannot be set up, or there is no room for it.
        """
        if not is_organiser:
            self._check_room()
        self._starting += 1
        try:
            await self._read()
            path = await asyncio.to_thread(self._write, told, not is_organiser)
            watched = await self._hub.take_up(path)
            await self._start(watched)
        finally:
            self._starting -= 1
        return {"competition": watched.name, "seats": self._seat_links.links(watched)}

    def _check_room(self) -> None:
        if self.playing >= self.most_open:
            raise ConfigError(
                f"{self.playing} games are being played, as many as may be at once: wait for one"
            )
        if sum(map(self.is_here, self._hub.competitions.values())) >= MOST_KEPT:
            raise ConfigError("no more games are kept here: ask the organiser to move some away")

    def _write(self, told: Mapping[str, Any], is_limited: bool) -> Path:
        game, _ = form_of(told.get("game"))
        return write_game(self.folder, plain_game(told, self._opponents(game.name), is_limited=is_limited))

    # The run is a subprocess.Popen that a thread has started, and asyncio does not watch it: a pidfd tells
    # the loop of its end.
    async def _start(self, watched: WatchedCompetition) -> None:
        """Start the run of a competition, and note its end."""
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

    async def again(self, watched: WatchedCompetition) -> None:
        """Play one game more with changed colours, or the rest of a game that was broken off.

        Raises:
            ConfigError: The game was not begun on the page, is being played, or there is no room.
        """
        if not await asyncio.to_thread(self.is_ours, watched):
            raise ConfigError("this game was not begun on the page: its organiser decides what is played")
        if watched.run is None and watched.path in self._runs:  # it has been played, and is about to end
            with suppress(TimeoutError):
                await asyncio.wait_for(self._runs[watched.path].wait(), PATIENCE)
        if watched.run is not None or watched.path in self._runs:
            raise ConfigError("it is being played")
        if self.most_open:
            self._check_room()
        await watched.count()
        if watched.summary()["remaining"] == 0:
            await asyncio.to_thread(_play_on, watched.path)
            watched.changed(anew=True)
        await self._start(watched)


# The store is made at once because the links of people follow from its secret, and are in the answer to the
# request that begins the game.
def write_game(folder: Path, plain: Mapping[str, Any]) -> Path:
    """Write a control file with these settings under a free name, and draw its secret.

    Raises:
        ConfigError: No control file may have these settings. Nothing is written then.
    """
    document = Document(name="this game", path=folder / "game.toml", raw=plain, base=folder)
    read_competition(document)
    stem = "-".join(plain_name(code)[:30] for code in plain["players"])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = _written(folder, stem, MARK + toml(plain))
        files = CompetitionFiles(path)
        with RunLock(files), Store.open(files.database, files.code, create=True):
            return path
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from None


def _written(folder: Path, stem: str, text: str) -> Path:
    """Write a text to `STEM-N.toml`, with the first N that has no files, and return its path."""
    number = 1
    while True:
        path = folder / f"{stem}-{number}.toml"
        number += 1
        if any(CompetitionFiles(path).outputs()):
            continue
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            continue
        return path


def _last_words(path: Path) -> str:
    """Return the last line of a run's output."""
    try:
        lines = output_of(path).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return "its run has failed"
    said = [line for line in lines if line.strip()]
    return printable(said[-1], MOST_WORDS) if said else "its run has failed"


def _is_ours(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return file.readline() == MARK
    except (OSError, ValueError):
        return False


def _play_on(path: Path) -> None:
    """Add one game to a control file that was written here. `alternating` changes the colours."""
    plain = tomllib.loads(path.read_text(encoding="utf-8"))
    plain["matchups"][0]["number_of_games"] += 1
    new = path.with_name(f".{path.name}.new")
    new.write_text(MARK + toml(plain), encoding="utf-8")
    new.replace(path)
