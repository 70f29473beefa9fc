"""Common functions of the request handlers: competition and body of a request, work in threads, JSON
answers.
"""

import asyncio
import json
from collections.abc import Callable
from typing import TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.text import parse_whole
from gyoji.web.hub import Hub
from gyoji.web.watched import WatchedCompetition

MOST_BODY = 1 << 20
"""Longest JSON body of a request, in bytes."""

T = TypeVar("T")


def watched_of(hub: Hub, request: Request) -> WatchedCompetition:
    """Return the competition that is named in a request's address. Raise HTTPException 404 if there is
    none.
    """
    watched = hub.competitions.get(request.path_params["name"])
    if watched is None:
        raise HTTPException(404, "there is no such competition here")
    return watched


async def opened(hub: Hub, request: Request) -> WatchedCompetition:
    """Return the competition that is named in a request's address, with its control file read.

    Raises:
        HTTPException: There is no such competition (404), or it cannot be read (503).
    """
    watched = watched_of(hub, request)
    if watched.event is None:
        await watched.open()
    if watched.event is None:
        raise HTTPException(503, watched.trouble or "it is being read")
    return watched


async def counted(hub: Hub, request: Request) -> WatchedCompetition:
    """Return the competition that is named in a request's address, with its stored games counted.

    Raises:
        HTTPException: There is no such competition (404), or it cannot be read or counted (503).
    """
    watched = await opened(hub, request)
    if not watched.is_counted:
        await watched.count()
    if not watched.is_counted:
        raise HTTPException(503, watched.trouble or "it is being counted")
    return watched


async def body(request: Request) -> dict[str, object]:
    """Return the JSON object in the body of a request.

    The content type must be application/json, which a form on another site cannot send.

    Raises:
        HTTPException: The content type is another one (415), the body has more than MOST_BODY bytes (413), or
            it is no JSON object (400).
    """
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise HTTPException(415, "expected application/json")
    received = b""
    async for chunk in request.stream():
        received += chunk
        if len(received) > MOST_BODY:
            raise HTTPException(413, f"expected at most {MOST_BODY} bytes")
    try:
        told = json.loads(received)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise HTTPException(400, "expected a JSON object")
    return told


async def doing(work: Callable[[], T]) -> T:
    """Call `work` in a thread, and return its result.

    Raises:
        HTTPException: `work` raised KeyError: there is no such game (404).
        ConfigError: `work` raised it. The server answers with status 409.
    """
    try:
        return await asyncio.to_thread(work)
    except KeyError:
        raise HTTPException(404, "there is no such game") from None


async def reading(work: Callable[[], T]) -> T:
    """Call `work`, which reads a store, in a thread, and return its result.

    Raises:
        HTTPException: There is no such game (404, for a KeyError of `work`), or the store cannot be read
            (503, for a ConfigError of `work`).
    """
    try:
        return await doing(work)
    except ConfigError as error:
        raise HTTPException(503, str(error)) from None


def number(text: str | None) -> int | None:
    """Convert a text from a request's address to a number. None stays None.

    Raises:
        HTTPException: The text is no whole number (400).
    """
    if text is None:
        return None
    if (found := parse_whole(text)) is None:
        raise HTTPException(400, f"expected a number, got {text[:40]!r}")
    return found


def json_answer(value: object) -> Response:
    """Return a JSON response with `value`, which no cache keeps."""
    headers = {"Cache-Control": "no-store"}
    return Response(wire.dumps(value), media_type="application/json", headers=headers)
