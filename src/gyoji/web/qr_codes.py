"""QR codes of links, with which a person opens a seat on a telephone without typing.

The page sends the link in the body of a request and not in its address: the link has a secret, and servers
write addresses to logs. The answer has the code as a path of SVG. Nothing is stored.
"""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gyoji.web.request_helpers import body, json_answer

MOST_TEXT = 400
"""Longest link, in characters."""


async def draw(request: Request) -> Response:
    """Answer with the QR code of the `text` in a request's body: see `qr_code`."""
    text = (await body(request)).get("text")
    if not isinstance(text, str) or not text.startswith(("http://", "https://")) or len(text) > MOST_TEXT:
        raise HTTPException(400, f"text: expected a link of at most {MOST_TEXT} characters")
    return json_answer(qr_code(text))


def qr_code(text: str) -> dict[str, object]:
    """Return the QR code of a text, JSON-ready: `size` in modules, and `path`, an SVG path of the dark
    modules.

    Error correction level M: the code can be read with 15 % of it damaged.
    """
    import segno  # noqa: PLC0415 - few servers are asked for one

    matrix = segno.make_qr(text, error="m").matrix
    dark = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(matrix) for x, is_dark in enumerate(row) if is_dark)
    return {"size": len(matrix), "path": "".join(dark)}
