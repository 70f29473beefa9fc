"""Games that were begun on the page: their control files in a folder, their runs, and how many there may be.

A control file is like any other, and `gyoji run` plays it.
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
from gyoji.config.written import toml
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.setup import DEFAULT_GAME
from gyoji.core.text import printable
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles, RunLock
from gyoji.store.store import Store
from gyoji.web.following import Followed
from gyoji.web.hub import Hub
from gyoji.web.newgame import CLOCKS, described, form_of, plain_game, plain_name
from gyoji.web.opponents import Opponent, opponents
from gyoji.web.seats import Seats
from gyoji.web.steering import Steering, output_of

MARK = "# Begun on the page of gyoji serve; may be played again there, with colours changed.\n"
"""The first line of the control files that are made here; others are not touched."""

MOST_KEPT = 1000
"""Games that a folder may have before nobody but the organiser begins another."""

PATIENCE = 10.0
"""Seconds in which a run ends when there is nothing left to play."""

MOST_WORDS = 300
"""Characters of what a run said last."""


class Hosting:
    """The games of one folder.

    most_open: how many may be played at once of those that anybody begins; 0: the organiser alone begins any.
    """

    def __init__(
        self, hub: Hub, seats: Seats, steering: Steering, folder: Path, *, most_open: int = 0
    ) -> None:
        self._hub, self._seats, self._steering = hub, seats, steering
        self.folder = folder.absolute()
        self.most_open = most_open
        self._starting = 0
        self._runs: dict[
            Path, asyncio.Event
        ] = {}  # that were started here and go on: what says that one ended

    def is_here(self, followed: Followed) -> bool:
        """Whether a competition is a game of this folder."""
        return followed.path.parent == self.folder

    def is_ours(self, followed: Followed) -> bool:
        """Whether it was begun on the page. Reads its file: call it in a thread."""
        return self.is_here(followed) and _is_ours(followed.path)

    @property
    def playing(self) -> int:
        """How many of its games go on."""
        running = {each.path for each in self._hub.competitions.values() if each.run and self.is_here(each)}
        return len(running | self._runs.keys()) + self._starting

    def check(self, request: Request) -> bool:
        """Whether the organiser asks. Raise HTTPException for whoever may not begin a game."""
        try:
            self._steering.check(request)
        except HTTPException:
            if self.most_open:
                return False
            raise
        return True

    # The form

    async def form(self) -> dict[str, Any]:
        """All that the page asks, JSON-ready."""
        await self._read()
        return await asyncio.to_thread(self._form)

    async def _read(self) -> None:
        """Read the control files that have not been read since the server was started."""
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
        """Begin the game of these answers; the fragments of the links of its persons, by name.

        Raises ConfigError.
        """
        if not is_organiser:
            self._check_room()
        self._starting += 1
        try:
            await self._read()
            path = await asyncio.to_thread(self._write, told, not is_organiser)
            followed = await self._hub.take_up(path)
            await self._start(followed)
        finally:
            self._starting -= 1
        return {"competition": followed.name, "seats": self._seats.links(followed)}

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

    async def _start(self, followed: Followed) -> None:
        """Have it played, and know when that is over."""
        followed.failure = ""
        run = await asyncio.to_thread(self._steering.start, followed.path)
        has_ended = self._runs[followed.path] = asyncio.Event()
        loop, descriptor = asyncio.get_running_loop(), os.pidfd_open(run.pid)

        def ended() -> None:
            loop.remove_reader(descriptor)
            os.close(descriptor)
            del self._runs[followed.path]
            has_ended.set()
            has_played = run.wait() in (ExitStatus.COMPLETE, ExitStatus.STOPPED)
            followed.run_ended("" if has_played else _last_words(followed.path))

        loop.add_reader(descriptor, ended)

    async def again(self, followed: Followed) -> None:
        """One game more, with colours changed; or what is left of one that was broken off.

        Raises ConfigError.
        """
        if not await asyncio.to_thread(self.is_ours, followed):
            raise ConfigError("this game was not begun on the page: its organiser decides what is played")
        if followed.run is None and followed.path in self._runs:  # it has been played, and is about to end
            with suppress(TimeoutError):
                await asyncio.wait_for(self._runs[followed.path].wait(), PATIENCE)
        if followed.run is not None or followed.path in self._runs:
            raise ConfigError("it is being played")
        if self.most_open:
            self._check_room()
        await followed.count()
        if followed.summary()["remaining"] == 0:
            await asyncio.to_thread(_play_on, followed.path)
            followed.changed(anew=True)
        await self._start(followed)


def write_game(folder: Path, plain: Mapping[str, Any]) -> Path:
    """Write a control file that says this into the folder, under a name that is free, and draw its secret.

    Raises ConfigError for what no control file may say, before anything is written.
    """
    document = Document(
        name="this game", path=folder / "game.toml", plain=plain, lines={}, forms={}, base=folder
    )
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
    """The new file with that text: called so, with the first number whose outputs nobody has."""
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
    """The last lines of a run."""
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
    """Have one game more in a control file that was made here; colours change."""
    plain = tomllib.loads(path.read_text(encoding="utf-8"))
    plain["matchups"][0]["number_of_games"] += 1
    new = path.with_name(f".{path.name}.new")
    new.write_text(MARK + toml(plain), encoding="utf-8")
    new.replace(path)
