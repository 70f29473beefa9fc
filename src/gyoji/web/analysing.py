"""Analysis of finished games on their pages, by the engines of their competition.

The routes are:

    /api/v1/competitions/NAME/games/ID/analysis   GET: results so far, and able players; POST: begin
"""

# One analysis at a time, whoever asks, because an engine uses all processors. `gyoji analyse` runs in a
# process of its own, where the engine is contained as in a game. Its output lines go to readers of the topic
# "NAME/ID analysis" as they come, and are kept in memory for the last MOST_KEPT games. Nothing is stored.

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.text import printable
from gyoji.scheduler.analysis import able
from gyoji.web import values
from gyoji.web.hub import Hub
from gyoji.web.request_helpers import body, json_answer, opened, reading
from gyoji.web.run_control import RunControl
from gyoji.web.watched import WatchedCompetition, ended

ANALYSIS = " analysis"
"""Suffix of a game's topic for messages about its analysis."""

MOST_KEPT = 50
"""Largest number of games whose analysis is kept."""

LEAST, MOST = 0.1, 10.0
"""Bounds of the thinking time for each position, in seconds."""

MOST_SECONDS = 3600.0
"""Largest duration of one analysis, in seconds."""

_LINE_LIMIT = 1 << 20


class Analyses:
    """The analyses of a server's games, and the request handlers for them."""

    def __init__(self, hub: Hub, run_control: RunControl, *, for_everybody: bool) -> None:
        """Create the handlers, without any analysis yet.

        Args:
            for_everybody: Whether anybody may have a game analysed. If not, only the organiser may.
        """
        self._hub, self._run_control, self._for_everybody = hub, run_control, for_everybody
        self._kept: OrderedDict[tuple[str, str], dict[str, Any]] = OrderedDict()
        self._task: asyncio.Task[None] | None = None
        self._running = ""

    def routes(self) -> list[Route]:
        address = "/api/v1/competitions/{name}/games/{id}/analysis"
        return [
            Route(address, self.read, methods=["GET"]),
            Route(address, self.begin, methods=["POST"]),
        ]

    async def read(self, request: Request) -> Response:
        watched, game = await opened(self._hub, request), request.path_params["id"]
        is_allowed = self._for_everybody or self._run_control.is_organiser(request)
        known = self._kept.get((watched.name, game), {"player": "", "positions": [], "problem": ""})
        return json_answer(
            {
                **known,
                "players": self._players(watched) if is_allowed and game not in watched.playing else [],
                "running": self._running,
            }
        )

    def _players(self, watched: WatchedCompetition) -> list[str]:
        setup = watched.event.setup if watched.event else None
        return list(able(setup.players.values(), setup.game)) if setup else []

    async def begin(self, request: Request) -> Response:
        """Begin to analyse a finished game.

        Raises:
            HTTPException: The sender may not have games analysed (403), there is no such game (404), or
                `player` or `seconds` in the request is wrong (400).
            ConfigError: Another analysis goes on, or the game is not over.
        """
        if not self._for_everybody:
            self._run_control.check(request)
        watched, game, told = await opened(self._hub, request), request.path_params["id"], await body(request)
        if game in watched.playing:
            raise ConfigError("a game is analysed when it is over")
        if not await reading(lambda: values.has_game(watched, game)):
            raise HTTPException(404, "there is no such game")
        if (player := told.get("player")) not in self._players(watched):
            raise HTTPException(400, "player: expected an engine that can analyse")
        seconds = told.get("seconds", 1.0)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not LEAST <= seconds <= MOST:
            raise HTTPException(400, f"seconds: expected {LEAST:g} to {MOST:g}")
        if self._running:
            raise ConfigError(f"{self._running} is being analysed: wait until that is done")
        self._running = f"{watched.name}/{game}"
        analysis = {"player": player, "positions": [], "problem": ""}
        self._kept[watched.name, game] = analysis
        self._kept.move_to_end((watched.name, game))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        self._task = asyncio.create_task(self._analyse(watched, game, analysis, float(seconds)))
        return json_answer({"ok": True})

    async def _analyse(
        self, watched: WatchedCompetition, game: str, analysis: dict[str, Any], seconds: float
    ) -> None:
        """Run `gyoji analyse` for a game, and send each analysed position to readers.

        Args:
            analysis: An object with the key `player`, the player's name. The analysed positions are appended
                to its list `positions`. If the analysis fails, the reason is put into `problem`.
            seconds: Thinking time for each position.
        """
        words = (
            "--json",
            f"--player={analysis['player']}",
            f"--time={seconds:g}",
            "--",
            str(watched.path),
            game,
        )
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "gyoji", "analyse", *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_LINE_LIMIT,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        errors = asyncio.create_task(process.stderr.read(1 << 16))
        try:
            async with asyncio.timeout(MOST_SECONDS):
                async for line in process.stdout:
                    position = wire.loads(dict, line)
                    analysis["positions"].append(position)
                    self._tell(watched, game, position)
                said = (await errors).decode("utf-8", "replace").strip()
                if await process.wait():
                    analysis["problem"] = printable(said.rpartition("\n")[2], 300) or "it failed"
        except (TimeoutError, ValueError):
            analysis["problem"] = "it took too long, or its engine said what cannot be read"
        finally:
            self._running = ""
            errors.cancel()
            with suppress(ProcessLookupError):
                process.kill()
            self._tell(watched, game, {"done": True, "problem": analysis["problem"]})

    def _tell(self, watched: WatchedCompetition, game: str, news: Mapping[str, Any]) -> None:
        topic = f"{watched.name}/{game}{ANALYSIS}"
        watched.broadcast.send(topic, "analysed", wire.dumps({"game": game, **news}))

    async def close(self) -> None:
        """Cancel the analysis in progress, if there is one."""
        if self._task is not None:
            await ended(self._task)
