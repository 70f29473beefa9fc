"""The transcript of a game: every line between us and the engines, with direction and milliseconds.

::

       12.345 >> black: genmove b
       13.001 << black: = D4

Written as the game goes, bounded in size, each line made printable. Trouble with the file never disturbs the
game.
"""

import os
import sys
from contextlib import suppress
from typing import BinaryIO

from gyoji.core.text import printable
from gyoji.store.writing import create_file

MAX_BYTES = 64 << 20
"""A transcript stops growing here."""

MAX_LINE = 4096
"""Longer lines are cut in the transcript."""


class Transcript:
    """Lines of one game's conversations. Times are ns since the game began."""

    def __init__(self, path: str, began: int) -> None:
        self._began = began
        self._room = MAX_BYTES
        self._partial: dict[tuple[str, str], bytes] = {}
        self._file: BinaryIO | None = None
        self.trouble = ""  # why it cannot be written, for the event log
        try:
            self._file = open(create_file(path), "wb", buffering=1 << 16)  # noqa: SIM115 (closed by `close`)
        except OSError as error:
            where = f"{error.filename}: " if error.filename == os.path.dirname(path) else ""
            self.trouble = f"cannot write {path}: {where}{error.strerror}; this game has no transcript"

    @property
    def is_open(self) -> bool:
        return self._file is not None

    def note(self, arrow: str, name: str, data: bytes, now: int) -> None:
        """`data` went the way of `arrow` (">>" to the engine, "<<" from it); lines may be incomplete."""
        *lines, rest = (self._partial.pop((arrow, name), b"") + data).split(b"\n")
        for line in lines:
            self._write(arrow, name, line, now)
        if rest:
            self._partial[arrow, name] = rest[: MAX_LINE + 1]

    def close(self, now: int) -> None:
        for (arrow, name), rest in self._partial.items():
            self._write(arrow, name, rest, now)
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _write(self, arrow: str, name: str, line: bytes, now: int) -> None:
        line = line.rstrip(b"\r")
        if not line or self._file is None:
            return
        text = line.decode("utf-8", "backslashreplace")
        cut = text if len(line) <= MAX_LINE else f"{text[:MAX_LINE]}..."
        words = printable(cut, sys.maxsize)
        entry = f"{(now - self._began) / 1e6:12.3f} {arrow} {name}: {words}\n".encode()
        self._room -= len(entry)
        if self._room >= 0:
            with suppress(OSError):
                self._file.write(entry)
