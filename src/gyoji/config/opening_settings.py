"""The openings of a control file: the file that it names, read by the game."""

import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gyoji.config.document import Document, KeyPath
from gyoji.config.reader import Reader, Rejected
from gyoji.core.game import AnyGame
from gyoji.core.openings import InvalidOpenings, Openings
from gyoji.core.text import format_size, printable, quote
from gyoji.core.wire import dumps

LARGEST = 64 << 20
"""The most bytes of a file of openings."""

_NAMED = 5
"""The most openings that a warning about left-out ones names."""


# Reading a file plays each opening by the rules, once for the options of the games. Matchups mostly share
# both, so the result is kept.
class OpeningFiles:
    """Reads the files of openings that one control file names, each once."""

    def __init__(self, reader: Reader, document: Document, game: str, plugin: AnyGame) -> None:
        self._reader = reader
        self._document = document
        self._game = game
        self._plugin = plugin
        self._read: dict[tuple[str, str, bool], Sequence[object]] = {}  # () for a file with mistakes

    def openings(self, place: KeyPath, given: Mapping[str, Any], options: Mapping[str, Any]) -> Openings:
        """Return the `Openings` that the setting at `place` describes.

        Args:
            given: The settings by the keys of `kinds.OPENING_KINDS`.
            options: The options of the games that the openings are for.

        Raises:
            Rejected: The settings do not fit the game, or the file of openings is wrong.
        """
        if problem := self._misfit(given, options):
            self._reader.problems.add(place, problem)
            raise Rejected
        name, skips = given["file"], given.get("skip_unfit", False)
        rest = {key: value for key, value in given.items() if key not in ("file", "skip_unfit")}
        key = (name, dumps(options), skips)
        if key not in self._read:
            self._read[key] = self._lines(place, name, options, skips=skips)
        if not self._read[key]:
            raise Rejected
        values = {**rest, "lines": self._read[key]}
        places = {field: (*place, field) for field in rest}
        return self._reader.make(place, Openings, values, places=places)

    def _misfit(self, given: Mapping[str, Any], options: Mapping[str, Any]) -> str:
        """Return the reason why openings do not go with the game and its options; "" if they do."""
        if self._plugin.openings is None:
            return f"games of {quote(self._game)} have no openings"
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
        self, place: KeyPath, name: str, options: Mapping[str, Any], *, skips: bool
    ) -> Sequence[object]:
        """Return the openings of a file. Mistakes are reported, and give ().

        Args:
            skips: Whether openings that do not fit are left out, with a warning.
        """
        called = printable(name)
        read = self._plugin.openings
        assert read is not None
        try:
            path = Path(self._document.resolve(name))
            if not stat.S_ISREG(path.stat().st_mode):
                raise ValueError("it is no file")
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)
            if len(content) > LARGEST:
                raise ValueError(f"it is larger than {format_size(LARGEST)}")
            lines = tuple(read(content, name, options))
            if not lines:
                raise ValueError("there is no opening in it")
        except OSError as error:
            self._reader.problems.add(place, f"{called}: it cannot be read: {error.strerror}")
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
