"""Pieces of HTML from text that anybody may have written: it stays text, in elements and in attributes."""

from html import escape
from typing import Any

from gyoji.core.text import legible_json, printable

MOST_TEXT = 1000
"""Characters of a text of several lines that are shown of each line."""


def inline(text: str, limit: int = MOST_TEXT) -> str:
    """One line of text.

    >>> inline('<b>"x"')
    '&lt;b&gt;&quot;x&quot;'
    """
    return escape(printable(text, limit))


def moment(iso: str) -> str:
    """An ISO 8601 time without its seconds.

    >>> moment("2026-11-21T14:36:34+0000")
    '2026-11-21 14:36'
    """
    return iso[:16].replace("T", " ")


def paragraph(text: str) -> str:
    """Text whose line breaks are kept."""
    return "<br>".join(inline(line) for line in text.splitlines())


def element(name: str, content: str, **attributes: str | None) -> str:
    """An element around content that is markup already; attributes are text, "_" for "-", None for none.

    >>> element("td", "1", class_="win", data_id="<")
    '<td class="win" data-id="&lt;">1</td>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{content}</{name}>"


def json_block(value: Any, name: str) -> str:
    """A value for scripts to read, in an element with that id: nothing in it can end the element."""
    text = legible_json(value, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return f'<script type="application/json" id="{escape(name)}">{text}</script>'
