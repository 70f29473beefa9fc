"""The request handlers of the editor of openings, in which a person sets up the position that a game starts
from.

The game's code makes each change and finds errors in the opening (`gyoji.core.drawing`). The page keeps the
opening. The server keeps nothing, unless the organiser saves the opening as a file.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import asdict
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gyoji.core import wire
from gyoji.core.drawing import Change, Drawing
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.text import legible, printable
from gyoji.report.html.games import frame_values
from gyoji.store.filesystem import write_file
from gyoji.web import pages
from gyoji.web.hub import Hub
from gyoji.web.request_helpers import body, json_answer
from gyoji.web.run_control import RunControl

MOST_CHANGES = 200
"""Largest number of changes in one request."""

# No slash and no leading dot, so that no name leads out of the folder or hides a file.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")

T = TypeVar("T")


class Drawings:
    """Request handlers of the editor of openings."""

    def __init__(self, hub: Hub, run_control: RunControl, folder: Path) -> None:
        """Create the handlers.

        Args:
            folder: The folder in which the organiser saves openings.
        """
        self._hub = hub
        self._run_control = run_control
        self._folder = folder

    def routes(self) -> list[Route]:
        return [
            Route("/draw/{game}", self.page),
            Route("/api/v1/drawing/{game}", self.begin),
            Route("/api/v1/drawing/{game}", self.change, methods=["POST"]),
            Route("/api/v1/drawing/{game}/files", self.files),
            Route("/api/v1/drawing/{game}/files/{file}", self.file),
            Route("/api/v1/drawing/{game}/files/{file}", self.save, methods=["PUT"]),
        ]

    async def page(self, request: Request) -> Response:
        _drawing(request)
        game = request.path_params["game"]
        return HTMLResponse(
            pages.render("draw.html", game=game, title=_title(game), last=self._hub.broadcast.last)
        )

    async def begin(self, request: Request) -> Response:
        drawing = _drawing(request)
        told = {
            "suffix": drawing.suffix,
            "tools": [tool._asdict() for tool in drawing.tools],
            "ranges": [number._asdict() for number in drawing.numbers],
            "commands": [command._asdict() for command in drawing.commands],
            "symmetries": [symmetry._asdict() for symmetry in drawing.symmetries],
        }
        return json_answer(told | _shown(drawing, drawing.blank()))

    async def change(self, request: Request) -> Response:
        drawing, told = _drawing(request), await body(request)
        return json_answer(await _tried(lambda: changed(drawing, told)))

    async def files(self, request: Request) -> Response:
        self._run_control.check(request)
        drawing = _drawing(request)
        found = await asyncio.to_thread(lambda: sorted(self._folder.glob(f"*{drawing.suffix}")))
        return json_answer({"folder": str(self._folder), "files": [path.name for path in found]})

    async def file(self, request: Request) -> Response:
        self._run_control.check(request)
        drawing, path = _drawing(request), self._path(request)
        try:
            data = await asyncio.to_thread(path.read_bytes)
        except OSError as error:
            raise HTTPException(404, f"{path.name}: {error.strerror}") from None
        return json_answer(await _tried(lambda: _shown(drawing, drawing.read(data))))

    async def save(self, request: Request) -> Response:
        self._run_control.check(request)
        drawing, path, told = _drawing(request), self._path(request), await body(request)
        data = await _tried(lambda: drawing.write(_opening(told)))
        try:
            if told.get("replace") is True:
                await asyncio.to_thread(write_file, path, data)
            else:
                with path.open("xb") as file:
                    file.write(data)
        except FileExistsError:
            raise HTTPException(409, f"{path.name} is there already") from None
        except OSError as error:
            raise HTTPException(409, f"{path}: cannot be written: {error.strerror}") from None
        return json_answer({"saved": str(path)})

    def _path(self, request: Request) -> Path:
        """Return the path of the opening that a request names, in the organiser's folder.

        Raises:
            HTTPException: The name has forbidden characters or another suffix (400).
        """
        name: str = request.path_params["file"]
        suffix = _drawing(request).suffix
        if not (_NAME.fullmatch(name) and name.endswith(suffix)):
            raise HTTPException(400, f"file: expected letters, digits, - _ . and {suffix} at the end")
        return self._folder / name


def _drawing(request: Request) -> Drawing:
    """Return the editor of the game that is named in a request's address. Raise HTTPException 404 if it has
    none.
    """
    try:
        game = GAMES.find(request.path_params["game"])
    except ConfigError:
        game = None
    if game is None or game.drawing is None:
        raise HTTPException(404, "openings of this game cannot be drawn here")
    return game.drawing()


def drawable() -> list[tuple[str, str]]:
    """Return (name, title) of each game whose openings can be drawn."""
    return [(name, _title(name)) for name in GAMES.names if GAMES.find(name).drawing is not None]


def _title(name: str) -> str:
    form = GAMES.find(name).form
    return name if form is None else form().title


def changed(drawing: Drawing, told: Mapping[str, Any]) -> dict[str, Any]:
    """Apply changes to an opening, up to the first one that the game refuses.

    Args:
        told: The request: the `opening`, or the text of its `file`, and the list of `changes`, each with the
            fields of `gyoji.core.drawing.Change`.

    Returns:
        The opening as `_shown` returns it, with `refused`: why a change was refused; "" if none was.

    Raises:
        ValueError: The game cannot read the opening.
    """
    opening = drawing.read(str(told["file"]).encode()) if "file" in told else _opening(told)
    plain = told.get("changes", [])
    if not isinstance(plain, list) or len(plain) > MOST_CHANGES:
        raise ValueError(f"changes: expected a list of at most {MOST_CHANGES}")
    refused = ""
    for change in wire.decode(list[Change], plain):
        try:
            opening = drawing.change(opening, change)
        except ValueError as error:
            refused = printable(str(error))
            break
    return _shown(drawing, opening) | {"refused": refused}


def _opening(told: Mapping[str, Any]) -> Mapping[str, Any]:
    opening = told.get("opening")
    if not isinstance(opening, dict):
        raise ValueError("opening: expected an object")
    return opening


def _shown(drawing: Drawing, opening: Mapping[str, Any]) -> dict[str, Any]:
    """Return an opening for the page, JSON-ready: among others its board, the text of its file, and its
    errors (`flaws`).
    """
    drawn = drawing.shown(opening)
    return {
        "opening": opening,
        "file": drawing.write(opening).decode(),
        **asdict(drawn.scene),
        "frame": frame_values(drawn.frame),
        "places": drawn.places,
        "singles": drawn.singles,
        "numbers": drawn.numbers,
        "about": printable(drawn.about),
        "text": legible(drawn.text),
        "flaws": [printable(each) for each in drawn.flaws],
        "remarks": [printable(each) for each in drawn.remarks],
    }


async def _tried(work: Callable[[], T]) -> T:
    """Call `work` in a thread, and return its result. Raise HTTPException 400 for a ValueError."""
    try:
        return await asyncio.to_thread(work)
    except ValueError as error:
        raise HTTPException(400, printable(str(error), 400)) from None
