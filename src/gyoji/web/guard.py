"""A middleware that refuses requests of other sites, and adds the security headers to every answer."""

# Two attacks come through the browser of a person who may use this server:
#
# * A page of another site sends requests here, under a host name that it makes point to this machine (DNS
#   rebinding). So the Host header must be a name of this server, and a request that changes anything must
#   come from a page of this server (Origin).
# * A text of an engine, shown on our page, is run as HTML. All texts are escaped. The policy below is a
#   second protection: no page loads or runs anything that this server has not served, or is shown in a frame
#   of another site.

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'self'; frame-ancestors {frames}"
)


class Guard:
    """ASGI middleware that refuses requests of other sites, and adds security headers to answers."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        """Protect `app`.

        Args:
            hosts: Names under which browsers may call the server, without ports.
        """
        self._app = app
        self._hosts = frozenset(name.lower() for name in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        is_framed = b"embed" in scope["query_string"].split(b"&") and _is_game(scope["path"])
        policy = _POLICY.format(frames="*" if is_framed else "'none'")

        async def answer_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = policy
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "no-referrer"
                headers["Cross-Origin-Resource-Policy"] = "cross-origin" if is_framed else "same-origin"
            await send(message)

        await self._app(scope, receive, answer_with_headers)

    def _refusal(self, method: str, headers: Headers) -> PlainTextResponse | None:
        """Return the error response for a request that must be refused; None for a request to serve."""
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            text = "This server is not called so. Start it with --host-name to give it this name."
            return PlainTextResponse(text, 421)
        origin = headers.get("origin")
        if method not in ("GET", "HEAD") and origin is not None and not _is_of(origin, host):
            return PlainTextResponse("A page of another server has asked for this.", 403)
        return None


def _is_of(origin: str, host: str) -> bool:
    """Return whether an Origin header and a Host header name the same server.

    >>> _is_of("https://cup.example.org", "Cup.example.org"), _is_of("null", "localhost:8437")
    (True, False)
    """
    scheme, _, place = origin.partition("://")
    return scheme in ("http", "https") and place.lower() == host.lower()


def _is_game(path: str) -> bool:
    """Return whether a path is the page of one game.

    Pages of other sites may show such a page in a frame, because it has no buttons that change anything.

    >>> _is_game("/c/cup/games/0_1"), _is_game("/c/cup/games"), _is_game("/play")
    (True, False, False)
    """
    parts = path.split("/")
    return len(parts) == 5 and (parts[1], parts[3]) == ("c", "games") and parts[4] != ""


def _name(host: str) -> str:
    """Return the host's name in a Host header, without its port.

    >>> _name("localhost:8000"), _name("[::1]:8000"), _name("Example.org")
    ('localhost', '[::1]', 'example.org')
    """
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()
