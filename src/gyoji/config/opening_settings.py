"""Reads the setting `openings`: the file that it names, which the game parses, and how openings are used."""

import gzip
import mmap
import stat
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from gyoji.config.document import Document, KeyPath
from gyoji.config.reader import REQUIRED, Reader, Rejected
from gyoji.core.game import AnyGame
from gyoji.core.openings import InvalidOpenings, Openings
from gyoji.core.text import format_size, printable, quote
from gyoji.core.wire import dumps

LARGEST = 64 << 20
"""Largest number of bytes of a file of openings."""

LARGEST_BOOK = 4 << 30
"""Largest number of bytes of an opening book, after decompression. A game reads parts of a book as needed."""

_COMPRESSED = (".gz", ".zip")
_PIECE = 1 << 20

_NAMED = 5
"""Largest number of left-out openings that a warning lists."""


# Each opening is played by the rules when a file is read, which takes time. Matchups mostly have the same
# file and the same options of their games, so the result is kept.
class OpeningFiles:
    """Reads the files of openings that a control file names. A file is read only once for equal options."""

    def __init__(self, reader: Reader, document: Document, game: str, plugin: AnyGame) -> None:
        self._reader = reader
        self._document = document
        self._game = game
        self._plugin = plugin
        self._read: dict[
            tuple[str, str, bool, int], Sequence[object]
        ] = {}  # openings; () for a file with mistakes

    def openings(self, place: KeyPath, given: Mapping[str, Any], options: Mapping[str, Any]) -> Openings:
        """Return the `Openings` of a setting.

        Args:
            place: The place of the setting.
            given: The values in the setting, by the keys of `kinds.OPENING_KINDS`.
            options: The options of the games that begin with these openings.

        Raises:
            Rejected: The settings do not fit the game, or the file of openings is wrong.
        """
        if problem := self._misfit(given, options):
            self._reader.problems.add(place, problem)
            raise Rejected
        name, skips, plies = given.get("file", ""), given.get("skip_unfit", False), given.get("plies", 0)
        own = self._plugin.own_openings
        if not name and own is None:
            self._reader.problems.add((*place, "file"), REQUIRED)
            raise Rejected
        rest = {key: value for key, value in given.items() if key not in ("file", "skip_unfit", "plies")}
        key = (name, dumps(options), skips, plies)
        if key not in self._read:
            if name or own is None:
                self._read[key] = self._lines(place, name, options, skips=skips, plies=plies)
            else:
                self._read[key] = own(options)
        if not self._read[key]:
            raise Rejected
        values = {**rest, "lines": self._read[key]}
        places = {field: (*place, field) for field in rest}
        return self._reader.make(place, Openings, values, places=places)

    def _misfit(self, given: Mapping[str, Any], options: Mapping[str, Any]) -> str:
        """Return why the game and its options do not allow these settings of openings; "" if they do."""
        if self._plugin.openings is None:
            return f"games of {quote(self._game)} have no openings"
        if given.get("plies") and self._plugin.opening_book is None:
            return f"plies: openings of {quote(self._game)} are played in full"
        if options["opening"]:
            return f"contradicts opening, which is {quote(str(options['opening']))}: give one of them"
        vary = self._plugin.vary
        varied = given.get("symmetries", "none") != "none" or given.get("shift", False)
        if varied and vary is None:
            return f"openings of {quote(self._game)} cannot be turned or shifted"
        if given.get("shift", False) and not self._plugin.shifts:
            return f"openings of {quote(self._game)} cannot be shifted: where they are on the board matters"
        return ""

    def _lines(
        self, place: KeyPath, name: str, options: Mapping[str, Any], *, skips: bool, plies: int
    ) -> Sequence[object]:
        """Return the openings of a file. If there are mistakes, report them and return ().

        Args:
            place: The place of the setting, for reports.
            name: The name of the file.
            options: The options of the games.
            skips: Whether to leave out openings that do not fit the options, with a warning.
            plies: Largest number of moves of each opening; 0 for all moves.
        """
        called = printable(name)
        read, book = self._plugin.openings, self._plugin.opening_book
        assert read is not None
        lines: Sequence[object]
        try:
            if book is None:
                lines = tuple(read(self._content(name), name, options))
            else:
                lines = book(*self._mapped(name), options, plies=plies)
            if not lines:
                raise ValueError("there is no opening in it")
        except (zlib.error, zipfile.BadZipFile, EOFError) as error:
            self._reader.problems.add(place, f"{called}: it cannot be decompressed: {error}")
        except OSError as error:
            reason = error.strerror or f"{error}"
            self._reader.problems.add(place, f"{called}: it cannot be read: {reason}")
        except ValueError as error:
            if skips and isinstance(error, InvalidOpenings) and error.fitting:
                left_out, kept = len(error.places), len(error.fitting)
                some = ", ".join(error.places[:_NAMED]) + (" and more" if left_out > _NAMED else "")
                first = str(error).splitlines()[0]
                self._reader.problems.doubt(
                    place,
                    f"{called}: {left_out} of {left_out + kept} openings do not fit and are left out, {some}"
                    f" (the first: {first})",
                )
                return error.fitting
            for text in str(error).splitlines():
                self._reader.problems.add(place, f"{called}: {text}")
        else:
            return lines
        return ()

    def _content(self, name: str) -> bytes:
        """Return the bytes of a file. Raises OSError, or ValueError if it is not a regular file or too
        large.
        """
        with self._path(name).open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"it is larger than {format_size(LARGEST)}")
        return content

    def _path(self, name: str) -> Path:
        path = Path(self._document.resolve(name))
        if not stat.S_ISREG(path.stat().st_mode):
            raise ValueError("it is no file")
        return path

    def _mapped(self, name: str) -> tuple[Any, str]:
        """Return the bytes of a file as a memory map, and the name of the file.

        A .gz file is decompressed, and its name is returned without that suffix. For a .zip file, the result
        is the first file in it. The decompressed bytes are in a temporary file, which is deleted when this
        process ends.

        Raises:
            OSError: The file cannot be read.
            ValueError: It is not a regular file, or too large.
            zlib.error, zipfile.BadZipFile, EOFError: It is damaged.
        """
        path = self._path(name)
        if path.suffix.lower() not in _COMPRESSED:
            with path.open("rb") as file:
                return _map(file), path.name
        with TemporaryFile() as whole:
            if path.suffix.lower() == ".gz":
                inner = path.stem
                with gzip.open(path) as packed:
                    _copy(packed, whole)
            else:
                with zipfile.ZipFile(path) as archive:
                    inner = next((each for each in archive.namelist() if not each.endswith("/")), "")
                    if not inner:
                        raise ValueError("there is no file in it")
                    with archive.open(inner) as packed:
                        _copy(packed, whole)
            whole.flush()
            return _map(whole), inner


def _map(file: IO[bytes]) -> Any:
    """Return a file as a memory map, or b"" if it is empty. Raises ValueError if it is too large."""
    size = file.seek(0, 2)
    if size > LARGEST_BOOK:
        raise ValueError(f"it is larger than {format_size(LARGEST_BOOK)}")
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""


def _copy(packed: IO[bytes] | gzip.GzipFile, whole: IO[bytes]) -> None:
    """Decompress a file into another one. Raises ValueError if it is too large."""
    size = 0
    while piece := packed.read(_PIECE):
        size += len(piece)
        if size > LARGEST_BOOK:
            raise ValueError(f"it is larger than {format_size(LARGEST_BOOK)}")
        whole.write(piece)
