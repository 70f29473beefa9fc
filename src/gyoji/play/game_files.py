"""The files of a finished game: records in each format, the moves of a void game, and the transcript."""

import os
import sys
from collections import defaultdict
from contextlib import suppress
from functools import partial
from os.path import join
from typing import BinaryIO

from gyoji.core.faults import ConfigError
from gyoji.core.game import PlayedOut
from gyoji.core.lines import LineReader
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.play.order import Files
from gyoji.store.filesystem import create_file, write_file


def write_records(
    files: Files, spec: GameSpec, record: GameRecord, played: PlayedOut | None = None
) -> list[str]:
    """Write a game's record files. Return one line for the event log for each file that failed.

    The store has the whole game, so a file can be written again later.

    Args:
        played: The game with its positions, if it has just been played.
    """

    return _write(files.records, files.formats, spec, record, played)


def write_void_records(files: Files, spec: GameSpec, void: VoidGame) -> list[str]:
    """Write the moves of a void game, if there are any. Return one line for each file that failed."""
    return _write(files.voids, files.formats, spec, void) if void.turns else []


def _write(
    folder: str | None,
    formats: tuple[str, ...],
    spec: GameSpec,
    game: GameRecord | VoidGame,
    played: PlayedOut | None = None,
) -> list[str]:
    troubles = []
    for name in formats if folder else ():
        path = join(folder or "", spec.id)
        try:
            form = GAMES.find(spec.game).record_format(name)
            path += form.suffix
            if form.write is None:
                raise ConfigError("it can be read, but not written")
            if played is None or form.write_played is None or isinstance(game, VoidGame):
                data = form.write(spec, game)
            else:
                data = form.write_played(spec, game, played)
            write_file(path, data, in_our_folder=True)
        except OSError as error:
            where = f"{error.filename}: " if error.filename == folder else ""
            troubles.append(f"cannot write {path}: {where}{error.strerror}; the game itself is stored")
        except Exception as error:  # noqa: BLE001 (a bug of a format must not cost the game)
            kind = type(error).__name__
            troubles.append(f"cannot write {path} as {name}: {kind}: {error}; the game itself is stored")
    return troubles


MAX_BYTES = 64 << 20
"""The size in bytes after which nothing is added to a transcript."""

MAX_LINE = 4096
"""The maximum length of a line in a transcript, in bytes. Longer lines are cut."""


class Transcript:
    """The transcript of one game's conversations. Its times are ns since the game began.

    Lines longer than MAX_LINE bytes are cut. A file that has reached MAX_BYTES gets no more lines.
    """

    def __init__(self, path: str, began: int) -> None:
        self._began = began
        self._room = MAX_BYTES
        self._lines: dict[tuple[str, str], LineReader] = defaultdict(partial(LineReader, MAX_LINE))
        self._file: BinaryIO | None = None
        self.trouble = ""  # why it cannot be written; a line for the event log
        try:
            self._file = open(create_file(path), "wb", buffering=1 << 16)  # noqa: SIM115 (closed by `close`)
        except OSError as error:
            where = f"{error.filename}: " if error.filename == os.path.dirname(path) else ""
            self.trouble = f"cannot write {path}: {where}{error.strerror}; this game has no transcript"

    def note(self, arrow: str, name: str, data: bytes, now: int) -> None:
        """Add bytes that were sent to an engine or received from it.

        Args:
            arrow: ">>" for bytes that were sent, "<<" for bytes that were received.
            name: Code of the player.
            data: The bytes, which may begin and end in the middle of a line.
            now: Monotonic time in ns.
        """
        for line in self._lines[arrow, name].feed(data):
            self._write(arrow, name, line, now)

    def close(self, now: int) -> None:
        for (arrow, name), lines in self._lines.items():
            self._write(arrow, name, lines.rest, now)
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
