"""Engines that the organiser uploads: each is checked before it becomes a player of a competition.

An engine is a package or a program. It gets a folder beside the control file, and a table at the end of the
control file. The new control file replaces the old one only if `gyoji check` finds that the engine can play.
Otherwise nothing is left of the upload.
"""

import asyncio
import json
import re
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request

from gyoji.config.toml_writer import toml
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import PROTOCOLS, check_plays, plays
from gyoji.core.text import parse_whole, printable, quote
from gyoji.scheduler.control_client import NotRunning, send_command
from gyoji.store.filesystem import write_file
from gyoji.web.run_control import run_gyoji
from gyoji.web.watched import WatchedCompetition

MOST_BYTES = 256 << 20
"""Longest upload, in bytes."""

MOST_GAMES = 10_000
CHECK_SECONDS = 300
RELOAD_SECONDS = 60.0
LIMITS = {"sandbox": "strict", "max_memory": "1GB", "max_disk": "256MB"}
"""The containment of an uploaded engine."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}")
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,80}")


class Entry(NamedTuple):
    """An uploaded engine that is to become a player of a competition.

    Attributes:
        player: The player's name.
        file: The name of the uploaded file.
        protocol: The protocol that the engine speaks.
        against: Names of the engine's opponents; () if the control file does not list who meets whom.
        games: Number of games against each opponent in `against`.
    """

    player: str
    file: str
    protocol: str
    against: tuple[str, ...] = ()
    games: int = 0

    @classmethod
    def of(cls, asked: Mapping[str, str], watched: WatchedCompetition) -> "Entry":
        """Make an entry from the parameters in the address of a request to upload an engine.

        Raises:
            ConfigError: A parameter is wrong.
        """
        assert watched.event is not None
        players = watched.event.setup.players
        player, file, protocol = asked.get("player", ""), asked.get("file", ""), asked.get("protocol", "")
        if _NAME.fullmatch(player) is None:
            raise ConfigError(f"player: expected letters, digits, - and _, got {quote(player)}")
        if player in players:
            raise ConfigError(f"player: there is a player {quote(player)} already")
        if _FILE.fullmatch(file) is None:
            raise ConfigError(f"file: expected a name of letters, digits, . - and _, got {quote(file)}")
        PROTOCOLS.find(protocol)
        check_plays(protocol, watched.event.setup.game)
        against = tuple(filter(None, asked.get("against", "").split(",")))
        if strangers := [each for each in against if each not in players]:
            raise ConfigError(f"against: there is no player {quote(strangers[0])}")
        games = asked.get("games", "2")
        if not (number := parse_whole(games, most=MOST_GAMES)):
            raise ConfigError(f"games: expected a number from 1 to {MOST_GAMES}, got {quote(games)}")
        return cls(player, file, protocol, against, number)

    def written(self, command: str) -> str:
        """Return the text to add to the control file.

        Args:
            command: Path of the uploaded file.
        """
        settings = {"command": [command], "protocol": self.protocol, **LIMITS}
        matchups = [
            {"players": [self.player, other], "number_of_games": self.games} for other in self.against
        ]
        return toml({"players": {self.player: settings}, **({"matchups": matchups} if matchups else {})})


async def receive(request: Request, folder: Path, name: str) -> Path:
    """Write the body of a request to the file `name` in a new folder, and return its path.

    Raises:
        HTTPException: The body is empty or too long, or the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise HTTPException(409, f"{folder}: cannot be made: {error.strerror}") from None
    path, size = folder / name, 0
    with path.open("xb") as file:
        async for chunk in request.stream():
            size += len(chunk)
            if size > MOST_BYTES:
                raise HTTPException(413, f"expected at most {MOST_BYTES >> 20} MiB")
            await asyncio.to_thread(file.write, chunk)
    if not size:
        raise HTTPException(400, "expected a program or a package, got nothing")
    if path.suffix.lower() != ".zip":
        path.chmod(0o755)
    return path


async def add(watched: WatchedCompetition, request: Request) -> dict[str, Any]:
    """Add an uploaded engine to a competition if its check succeeds. Return what `gyoji check --json` says of
    this player.

    Raises:
        ConfigError: The request is wrong, the engine cannot be checked, the control file has changed
            meanwhile, or the run does not take the new one. Nothing is left of the upload then.
        HTTPException: The upload is empty or too long, or its folder cannot be made.
    """
    entry = Entry.of(request.query_params, watched)
    if watched.path.suffix != ".toml":
        raise ConfigError(f"{watched.path}: a player can be added to a control file in TOML alone")
    folder = watched.path.with_suffix(".engines") / entry.player
    if folder.exists():
        raise ConfigError(f"{folder}: is there already; remove it first")
    is_in = False
    try:
        path = await receive(request, folder, entry.file)
        found = await asyncio.to_thread(_join, watched, entry, path)
        is_in = bool(found["ok"])
        return found
    finally:
        if not is_in:
            shutil.rmtree(folder, ignore_errors=True)
            with suppress(OSError):  # the folder has other engines
                folder.parent.rmdir()


# The check needs a control file with the new player: a copy under a random name, beside the old one, so that
# relative paths of commands mean the same. The organiser may edit the control file meanwhile, so it is
# compared before it is replaced.
def _join(watched: WatchedCompetition, entry: Entry, path: Path) -> dict[str, Any]:
    """Check an engine, and add it to the control file if it can play. Return the result of the check.

    Args:
        path: The uploaded file.
    """
    control_file = watched.path
    before = control_file.read_bytes()
    command = str(path.relative_to(control_file.parent))
    after = before.rstrip() + b"\n\n" + entry.written(command).lstrip().encode()
    trial = control_file.with_name(f"trial-{secrets.token_hex(6)}.toml")
    try:
        trial.write_bytes(after)
        found = _checked(trial, entry.player)
        if found["ok"]:
            if control_file.read_bytes() != before:
                raise ConfigError(f"{control_file}: somebody has changed it meanwhile: try again")
            mode = control_file.stat().st_mode
            write_file(control_file, after)
            control_file.chmod(mode)
            _reload(watched, before)
        return found
    finally:
        trial.unlink(missing_ok=True)
        shutil.rmtree(trial.with_suffix(".folders"), ignore_errors=True)


def _checked(control_file: Path, player: str) -> dict[str, Any]:
    """Return the result of `gyoji check --json` for one player. Raise ConfigError if it cannot be checked."""
    words = ("check", "--json", f"--player={player}", "--", str(control_file))
    done = run_gyoji(*words, seconds=CHECK_SECONDS, late=f"{player}: the check has not ended")
    try:
        found: dict[str, Any] = json.loads(done.stdout)["players"][0]
    except (ValueError, LookupError):
        said = done.stderr.decode("utf-8", "replace").replace(control_file.name, "the control file")
        raise ConfigError(printable(said.strip(), 500) or "the check has failed") from None
    return found


def _reload(watched: WatchedCompetition, before: bytes) -> None:
    """Let the run, if there is one, read the changed control file.

    Args:
        before: The old content of the control file, which is restored if the run does not take the new one.

    Raises:
        ConfigError: The run refuses the new control file, or does not answer.
    """
    if watched.run is None or watched.event is None:
        return
    try:
        answer = send_command(watched.event.files, {"do": "reload"}, seconds=RELOAD_SECONDS)
        if not answer.get("ok"):
            raise ConfigError(str(answer.get("error")))
    except NotRunning:
        return  # it has ended meanwhile, and the next run reads the new file
    except ConfigError:
        write_file(watched.path, before)
        raise


def form(watched: WatchedCompetition) -> dict[str, Any]:
    """Return the choices of the form for an upload, JSON-ready: protocols and opponents."""
    assert watched.event is not None
    setup = watched.event.setup
    able = [name for name in PROTOCOLS.names if name != "person" and plays(name, setup.game)]
    return {"protocols": able, "players": sorted(setup.players), "names_matchups": setup.kind == "playoff"}
