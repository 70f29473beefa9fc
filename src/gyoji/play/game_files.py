"""The files that a game leaves: its records in each format, what there is of a void game, its transcript."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from os.path import join
from typing import BinaryIO, TypeAlias

from gyoji.core.faults import ConfigError
from gyoji.core.game import PlayedOut, RecordFormat
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.play.order import Files
from gyoji.store.filesystem import create_file, write_file

_Write: TypeAlias = Callable[[GameSpec, GameRecord | VoidGame], bytes]


def write_records(
    files: Files, spec: GameSpec, record: GameRecord, played: PlayedOut | None = None
) -> list[str]:
    """Write the record files; returns a line for the event log for each that could not be written.

    played: the game as its referee has left it.

    A finished game is never lost with its file: the store has it all, and can write the file again.
    """

    def content(form: RecordFormat, write: _Write) -> bytes:
        if played is None or form.write_played is None:
            return write(spec, record)
        return form.write_played(spec, record, played)

    return _write(files.records, files.formats, spec, content)


def write_void_records(files: Files, spec: GameSpec, void: VoidGame) -> list[str]:
    """Write what there is of a void game, if it had a move."""
    if not void.turns:
        return []
    return _write(files.voids, files.formats, spec, lambda _, write: write(spec, void))


def _write(
    folder: str | None,
    formats: tuple[str, ...],
    spec: GameSpec,
    content: Callable[[RecordFormat, _Write], bytes],
) -> list[str]:
    troubles = []
    for name in formats if folder else ():
        path = join(folder or "", spec.id)
        try:
            form = GAMES.find(spec.game).record_format(name)
            path += form.suffix
            if form.write is None:
                raise ConfigError("it can be read, but not written")
            write_file(path, content(form, form.write), in_our_folder=True)
        except OSError as error:
            where = f"{error.filename}: " if error.filename == folder else ""
            troubles.append(f"cannot write {path}: {where}{error.strerror}; the game itself is stored")
        except Exception as error:  # noqa: BLE001 (a bug of a format must not cost the game)
            kind = type(error).__name__
            troubles.append(f"cannot write {path} as {name}: {kind}: {error}; the game itself is stored")
    return troubles


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
