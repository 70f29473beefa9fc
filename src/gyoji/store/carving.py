"""The rows that stand in the pages of a database, whatever became of the rest: of headers, of the pages above
them, of tables that were dropped.

A row stands in a leaf of a b-tree, with overflow pages for what has no room there
(https://www.sqlite.org/fileformat.html#b_tree_pages). Here every page that looks like a leaf is read, in the
file and in its write-ahead log; whoever gets the rows knows by their checksums which of them are rows.
"""

import mmap
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, TypeAlias

Cell: TypeAlias = int | float | str | bytes | None

_Bytes: TypeAlias = mmap.mmap | bytes

_USUAL_PAGE = 4096
_PAGES = tuple(1 << power for power in range(9, 17))
_TABLE_LEAF, _INDEX_LEAF = 0x0D, 0x0A
_LEAF_HEADER, _FILE_HEADER = 8, 100
_LOG_HEADER, _FRAME_HEADER = 32, 24
_MOST_BYTES = 1 << 30  # of a row: SQLite's own limit
_INTEGERS = (0, 1, 2, 3, 4, 6, 8)  # bytes, by serial type
_FLOAT, _ZERO, _ONE, _TEXTS = 7, 8, 9, 12


class Row(NamedTuple):
    """A row as it stands in a page. number: its rowid, None in a table that has none."""

    number: int | None
    cells: tuple[Cell, ...]


class _Broken(Exception):
    """These bytes are no row."""


def rows_of(path: Path) -> Iterator[Row]:
    """Every row of every leaf; one may come more than once. Raises OSError."""
    with ExitStack() as stack:
        data = _mapped(path, stack)
        pages = _Pages(data, _page_size(data))
        for number in range(1, len(data) // pages.size + 2):
            yield from _rows(pages[number], pages, is_first=number == 1)
        log = path.with_name(f"{path.name}-wal")
        if log.exists():
            pages.take_log(_mapped(log, stack))
            for number, image in pages.logged():
                yield from _rows(image, pages, is_first=number == 1)


def _mapped(path: Path, stack: ExitStack) -> _Bytes:
    """The bytes of a file, read when they are looked at."""
    file = stack.enter_context(path.open("rb"))
    if not os.fstat(file.fileno()).st_size:
        return b""
    return stack.enter_context(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _page_size(data: _Bytes) -> int:
    """As the header says; ours have always been of the usual size."""
    said = int.from_bytes(data[16:18], "big")
    size = 1 << 16 if said == 1 else said
    return size if size in _PAGES else _USUAL_PAGE


class _Pages:
    """The pages of a file by their numbers, from 1; after `take_log` as they are newest in its log."""

    def __init__(self, data: _Bytes, size: int) -> None:
        self.size = size
        self._data = data
        self._log: _Bytes = b""
        self._newest: dict[int, int] = {}

    def take_log(self, log: _Bytes) -> None:
        self._log = log
        for at in self._frames():
            self._newest[int.from_bytes(log[at : at + 4], "big")] = at

    def _frames(self) -> range:
        return range(_LOG_HEADER, len(self._log) - self.size - _FRAME_HEADER + 1, self.size + _FRAME_HEADER)

    def logged(self) -> Iterator[tuple[int, bytes]]:
        """(number, image) of each page in the log, the oldest first."""
        for at in self._frames():
            yield int.from_bytes(self._log[at : at + 4], "big"), self._image(at)

    def _image(self, at: int) -> bytes:
        return self._log[at + _FRAME_HEADER : at + _FRAME_HEADER + self.size]

    def __getitem__(self, number: int) -> bytes:
        """The page, shorter or empty where the file ends before it."""
        if (at := self._newest.get(number)) is not None:
            return self._image(at)
        return self._data[(number - 1) * self.size : number * self.size] if number > 0 else b""


def _rows(page: bytes, pages: _Pages, *, is_first: bool) -> Iterator[Row]:
    """The rows of a page, if it is a leaf."""
    begin = _FILE_HEADER if is_first else 0
    if len(page) < begin + _LEAF_HEADER or (kind := page[begin]) not in (_TABLE_LEAF, _INDEX_LEAF):
        return
    count = int.from_bytes(page[begin + 3 : begin + 5], "big")
    for nth in range(min(count, pages.size // 2)):
        at = begin + _LEAF_HEADER + 2 * nth
        try:
            yield _row(page, int.from_bytes(page[at : at + 2], "big"), pages, kind)
        except (_Broken, IndexError, ValueError):
            continue


def _row(page: bytes, at: int, pages: _Pages, kind: int) -> Row:
    length, at = _varint(page, at)
    number = None
    if kind == _TABLE_LEAF:
        number, at = _varint(page, at)
    if not 0 <= length <= _MOST_BYTES:
        raise _Broken
    local = _local(length, pages.size, kind)
    payload = page[at : at + local]
    if local < length:
        first = int.from_bytes(page[at + local : at + local + 4], "big")
        payload += _overflow(first, length - local, pages)
    if len(payload) != length:
        raise _Broken
    return Row(number, _cells(payload))


def _local(length: int, size: int, kind: int) -> int:
    """How many bytes of a row of that length stand in its leaf."""
    most = size - 35 if kind == _TABLE_LEAF else (size - 12) * 64 // 255 - 23
    if length <= most:
        return length
    least = (size - 12) * 32 // 255 - 23
    rest = least + (length - least) % (size - 4)
    return rest if rest <= most else least


def _overflow(number: int, length: int, pages: _Pages) -> bytes:
    """The bytes of a row that stand in overflow pages, from that one on."""
    parts: list[bytes] = []
    while length > 0:
        page = pages[number]
        if len(page) < pages.size:
            raise _Broken
        parts.append(page[4 : 4 + min(length, pages.size - 4)])
        length -= pages.size - 4
        number = int.from_bytes(page[:4], "big")
    return b"".join(parts)


def _cells(payload: bytes) -> tuple[Cell, ...]:
    end, at = _varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    cells: list[Cell] = []
    for kind in kinds:
        length = _length(kind)
        data = payload[at : at + length]
        if len(data) != length:
            raise _Broken
        cells.append(_cell(kind, data))
        at += length
    return tuple(cells)


def _length(kind: int) -> int:
    if kind >= _TEXTS:
        return (kind - _TEXTS) // 2
    if kind < len(_INTEGERS):
        return _INTEGERS[kind]
    return 8 if kind == _FLOAT else 0


def _cell(kind: int, data: bytes) -> Cell:
    if kind >= _TEXTS:
        return data.decode() if kind % 2 else data
    if kind in (_ZERO, _ONE):
        return kind - _ZERO
    if kind == 0 or kind >= _FLOAT:
        return None  # no table of ours has a number with a point
    return int.from_bytes(data, "big", signed=True)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """(a number of 1 to 9 bytes, where it ends). Raises IndexError."""
    value = 0
    for nth in range(8):
        byte = data[at + nth]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + nth + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64) if value >> 63 else value, at + 9
