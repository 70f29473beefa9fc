"""Common parts of the server's answers: which competition is meant, bodies that are read, JSON."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.web.following import Followed
from gyoji.web.hub import Hub

MOST_BODY = 1 << 20
"""Bytes of a request's JSON, at most."""


def followed_of(hub: Hub, request: Request) -> Followed:
    """The competition that the address names. Raises HTTPException."""
    followed = hub.competitions.get(request.path_params["name"])
    if followed is None:
        raise HTTPException(404, "there is no such competition here")
    return followed


async def opened(hub: Hub, request: Request) -> Followed:
    """The same, with its control file read. Raises HTTPException."""
    followed = followed_of(hub, request)
    if followed.event is None:
        await followed.open()
    if followed.event is None:
        raise HTTPException(503, followed.trouble or "it is being read")
    return followed


async def counted(hub: Hub, request: Request) -> Followed:
    """The same, with its results counted. Raises HTTPException."""
    followed = await opened(hub, request)
    if not followed.is_counted:
        await followed.count()
    if not followed.is_counted:
        raise HTTPException(503, followed.trouble or "it is being counted")
    return followed


async def body(request: Request) -> dict[str, Any]:
    """The JSON object of a request, which no form of another page can send. Raises HTTPException."""
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


async def reading(work: Callable[[], Any]) -> Any:
    """The result of `work` on a store, in a thread. Answers 404 and 503 for what is not there."""
    try:
        return await asyncio.to_thread(work)
    except KeyError:
        raise HTTPException(404, "there is no such game") from None
    except ConfigError as error:
        raise HTTPException(503, str(error)) from None


async def doing(work: Callable[[], Any]) -> Any:
    """The answer to a wish, made in a thread. Answers 404, and 409 for what cannot be done, and why."""
    try:
        return await asyncio.to_thread(work)
    except KeyError:
        raise HTTPException(404, "there is no such game") from None
    except ConfigError as error:
        raise HTTPException(409, str(error)) from None


def number(text: str | None) -> int | None:
    """A parameter of an address that is a number, None if it is not given. Raises HTTPException."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise HTTPException(400, f"expected a number, got {text[:40]!r}")
    return int(text)


def json_answer(value: object) -> Response:
    """An answer that nobody keeps."""
    headers = {"Cache-Control": "no-store"}
    return Response(wire.dumps(value), media_type="application/json", headers=headers)
