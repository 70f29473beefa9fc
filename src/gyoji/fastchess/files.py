"""The output files of a match: games as PGN, with a checksum on request, and final positions as EPD."""

import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from gyoji.core.game import make_options
from gyoji.core.record import GameRecord
from gyoji.core.spec import GameSpec
from gyoji.fastchess.options import PGN_FIELDS
from gyoji.fastchess.wishes import Wishes
from gyoji.games.chess.fen import format_epd
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.pgn import write_pgn


class GameFiles:
    """Appends finished games to the files named in a command line."""

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
        self._crc: int | None = None  # of the PGN file; None before the first game of this run

    def begin(self, *, is_new: bool) -> None:
        """Delete the output files for which `append=false` was given, if the match is new.

        Args:
            is_new: Whether the match is new. A match that is resumed keeps its files.
        """
        for keys in (self._wishes.pgn, self._wishes.epd):
            if is_new and keys is not None and keys.get("append") == "false":
                Path(keys["file"]).unlink(missing_ok=True)

    def write(self, spec: GameSpec, record: GameRecord, pair: int) -> Iterator[str]:
        """Append a game to the files. Yield lines to print.

        Args:
            pair: Number of the game's pair, from 0.
        """
        if (pgn := self._wishes.pgn) is not None:
            text = self._pgn(spec, record, pair, pgn)
            if self._wishes.crc and self._crc is None:
                self._crc = _checksum(pgn["file"])
            _append(pgn["file"], text)
            if self._crc is not None:
                self._crc = zlib.crc32(text, self._crc)
                yield f"File {pgn['file']} has CRC32: {self._crc:#x}"
        if (epd := self._wishes.epd) is not None:
            _append(epd["file"], _last_position(spec, record).encode())

    def _pgn(self, spec: GameSpec, record: GameRecord, pair: int, keys: Mapping[str, str]) -> bytes:
        # The tag Round is the last number of the id plus 1: here the number of the pair, as in fastchess.
        spec = replace(spec, id=f"_{pair}", event=self._wishes.event, place=self._wishes.site)
        fields = [name for key, name in PGN_FIELDS.items() if keys.get(key) == "true"]
        text = write_pgn(
            spec,
            record,
            fields=[*fields, *["line"] * bool(self._wishes.lines)],
            minimal=keys.get("min") == "true",
            notation=keys.get("notation", "san"),
        )
        return text.replace(f'[GameId "{spec.id}"]\n'.encode(), b"", 1)


def _append(name: str, data: bytes) -> None:
    with open(name, "ab") as file:
        file.write(data)


def _checksum(name: str) -> int:
    """Return the CRC-32 of a file; 0 if it does not exist."""
    crc = 0
    with suppress(FileNotFoundError), open(name, "rb") as file:
        while block := file.read(1 << 20):
            crc = zlib.crc32(block, crc)
    return crc


def _last_position(spec: GameSpec, record: GameRecord) -> str:
    """Return the final position of a game as a line of EPD, a notation for chess positions."""
    made = rules(make_options(Options, spec.options))
    position = made.start()
    for ((seat, move, *_),) in record.turns:
        position = made.play(position, ((seat, move),))
    return f"{format_epd(position)} hmvc {position.clock}; fmvn {position.number};\n"
