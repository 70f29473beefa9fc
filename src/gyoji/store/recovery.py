"""A new database of what can be saved of a damaged one, which is only read.

Rows are saved one by one, each that is as it was written; of games those that have all their parts. What is
lost is told, so that the next run plays it again: a competition is a fold over the games that are there.
"""

import json
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from gyoji.core.faults import ConfigError
from gyoji.store.carving import Row, rows_of
from gyoji.store.layout import (
    COLUMNS,
    COMPETITION,
    EARLIER,
    INSERTS,
    SECRET,
    SHARD,
    SHARDS,
    Origin,
    blaming_machine,
    checksum,
    create,
    draw_secret,
    text_digest,
)
from gyoji.store.opening import check_kind, missing

_FIRST_LAYOUT = 3
"""Of older ones rows have no checksums, so nobody can tell what is a row of them."""

_FIRST_WITH_SECRET = 4
"""Before it competitions had none."""

_SMALLEST_ROW = 100
"""Bytes that a game takes at least: what counts more of them has been damaged."""

_VERSION_AT = slice(60, 64)
_MAGIC = b"SQLite format 3\0"
_SHARED = re.compile(r"[0-9]+(?:,[0-9]+)*")

_NOTES = MappingProxyType(
    {
        COMPETITION: re.compile(r".+", re.DOTALL),
        EARLIER: re.compile(r"\[.*\]", re.DOTALL),
        SECRET: re.compile(r"[0-9]{1,39}"),
    }
)
"""Keys of the table `about`, whose rows have no checksums."""

_STAGES = (
    "CREATE TABLE about (key TEXT PRIMARY KEY, value)",
    "CREATE TABLE counts (name TEXT PRIMARY KEY, rows)",
    "CREATE TABLE texts (number INTEGER PRIMARY KEY, text)",
    *(
        f"CREATE TABLE {table} ({', '.join(columns)}, checksum, PRIMARY KEY (number))"
        for table, columns in COLUMNS.items()
    ),
)


class Lost(NamedTuple):
    """A game that could not be saved. id: "" where that is lost too; why: what of it is missing."""

    number: int
    id: str
    why: str


class Recovered(NamedTuple):
    """The result: how many games, void games and rulings were saved, and which were lost.

    has_secret: whether the secret of the competition was saved, without which the games that are left have
    other seeds than they would have had.
    """

    games: int
    voids: int
    rulings: int
    has_secret: bool
    lost: tuple[Lost, ...]


def recover(path: Path, new: Path, *, code: str | None = None) -> Recovered:
    """Save into `new`, which may not exist, what there is in the file `path`.

    code: of the competition, None for what the file says. Raises ConfigError if there is nothing to be saved,
    StoreFailure if it cannot be written; then there is no new file.
    """
    if not os.path.exists(path):
        raise missing(path)
    check_kind(path)
    layout = _layout(path)
    with closing(sqlite3.connect("", isolation_level=None)) as stage:  # a file of its own, for large ones
        for statement in _STAGES:
            stage.execute(statement)
        stage.execute("BEGIN")
        try:
            for row in rows_of(path):
                _take(stage, row)
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from None
        if not stage.execute("SELECT count(*) FROM games").fetchone()[0]:
            raise ConfigError(f"{path}: no game in it can be read: there is nothing to be saved")
        if layout is not None and layout < _FIRST_WITH_SECRET:
            stage.execute("INSERT OR IGNORE INTO about VALUES (?, '0')", (SECRET,))
        if code is not None:
            stage.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (COMPETITION, code))
        most = os.path.getsize(path) // _SMALLEST_ROW
        stage.execute("DELETE FROM counts WHERE rows > ?", (most,))
        return _write(stage, new, path.stem)


def _layout(path: Path) -> int | None:
    """The layout, None if the header does not say. Raises ConfigError for one without checksums."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    if not header.startswith(_MAGIC):
        return None
    layout = int.from_bytes(header[_VERSION_AT], "big")
    if 0 < layout < _FIRST_LAYOUT:
        raise ConfigError(
            f"{path} is of an older gyoji (layout {layout}), whose rows have no checksums: nobody can tell "
            "which of them are as they were written"
        )
    return layout or None


# What is a row of ours


def _take(stage: sqlite3.Connection, row: Row) -> None:
    """Keep a row that is as it was written. The newest of `counts` is the largest."""
    number, cells = row
    if number is None:
        _take_note(stage, cells)
        return
    cells = (number, *cells[1:])
    if len(cells) == 3 and isinstance(cells[2], str) and text_digest(cells[2]) == cells[1]:
        stage.execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", (number, cells[2]))
    elif len(cells) > 3 and number > 0 and checksum(*cells[:-1]) == cells[-1] and (table := _table_of(cells)):
        marks = ", ".join("?" * len(cells))
        stage.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", cells)


def _take_note(stage: sqlite3.Connection, cells: tuple[Any, ...]) -> None:
    """Keep a row of about or counts, which have no checksums: they are known by what they name."""
    if len(cells) != 2:
        return
    name, value = cells
    if name in _NOTES and isinstance(value, str) and _NOTES[name].fullmatch(value):
        stage.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", cells)
    elif name in COLUMNS and isinstance(value, int):
        stage.execute(
            "INSERT INTO counts VALUES (?, ?) ON CONFLICT DO UPDATE SET rows = max(rows, excluded.rows)",
            cells,
        )


def _table_of(cells: tuple[Any, ...]) -> str:
    """Which table a row is of, by its shape; "" for none."""
    shape = tuple(type(cell) for cell in cells[1:-1])
    if shape == (int, str, str):
        return "moves"
    if shape == (str, str):
        return "rulings" if '"outcome":' in cells[2] else "purges"
    if shape == (str, int, str, str):
        return "games" if _SHARED.fullmatch(cells[3]) and '"outcome":' in cells[4] else "voids"
    return ""


# The new file


def _write(stage: sqlite3.Connection, new: Path, stem: str) -> Recovered:
    try:
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666))
    except OSError as error:
        raise ConfigError(f"{new}: cannot be made: {error.strerror}") from None
    try:
        with blaming_machine(new), closing(sqlite3.connect(new, isolation_level=None)) as connection:
            return _fill(connection, stage, stem)
    except BaseException:
        for name in (new, f"{new}-journal"):
            with suppress(OSError):
                os.unlink(name)
        raise


def _fill(connection: sqlite3.Connection, stage: sqlite3.Connection, stem: str) -> Recovered:
    notes = dict(stage.execute("SELECT key, value FROM about").fetchall())
    origin = Origin(draw_secret(), notes.get(SHARDS, ""), notes.get(SHARD, ""))
    create(connection, notes.get(COMPETITION) or _code(stage) or stem, (), origin)
    connection.execute("BEGIN IMMEDIATE")
    for key in (SECRET, EARLIER):
        if key in notes:
            connection.execute("UPDATE about SET value = ? WHERE key = ?", (notes[key], key))
    lost = tuple(_fill_games(connection, stage))
    for table in ("voids", "rulings", "purges"):
        _fill_table(connection, stage, table)
    numbers = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in COLUMNS}
    for name, rows in numbers.items():
        connection.execute("UPDATE counts SET rows = ? WHERE name = ?", (rows, name))
    connection.execute("COMMIT")
    return Recovered(numbers["games"], numbers["voids"], numbers["rulings"], SECRET in notes, lost)


def _code(stage: sqlite3.Connection) -> str:
    """The code of the competition, as its games say it."""
    for (text,) in stage.execute("SELECT text FROM texts"):
        with suppress(ValueError):
            plain = json.loads(text)
            if isinstance(plain, dict) and isinstance(code := plain.get("competition"), str):
                return code
    return ""


def _fill_games(connection: sqlite3.Connection, stage: sqlite3.Connection) -> Iterator[Lost]:
    """Save the games that are whole, numbered anew; those that are not."""
    rows = stage.execute(
        "SELECT g.number, g.id, g.frame, g.players, g.result, m.number, m.seed, m.note, m.rest"
        " FROM games g LEFT JOIN moves m USING (number) ORDER BY g.number"
    )
    texts = _fill_texts(connection, stage)
    number = before = 0
    for was, game_id, frame, players, result, moves, seed, note, rest in rows:
        yield from (Lost(each, "", "its result") for each in range(before + 1, was))
        before = was
        shared = [frame, *map(int, players.split(","))]
        if moves is None:
            yield Lost(was, game_id, "its moves")
        elif not all(each in texts for each in shared):
            yield Lost(was, game_id, "what it was played by")
        else:
            number += 1
            of_players = ",".join(str(texts[each]) for each in shared[1:])
            _insert(connection, "games", number, game_id, texts[frame], of_players, result)
            _insert(connection, "moves", number, seed, note, rest)
    counted = stage.execute(
        "SELECT max((SELECT ifnull(max(number), 0) FROM moves), (SELECT ifnull(max(rows), 0) FROM counts"
        " WHERE name IN ('games', 'moves')))"
    ).fetchone()[0]
    yield from (Lost(each, "", "its result") for each in range(before + 1, counted + 1))


def _fill_texts(connection: sqlite3.Connection, stage: sqlite3.Connection) -> dict[int, int]:
    """Save the shared texts, numbered anew; by the number that each had, the one that it has."""
    numbers: dict[int, int] = {}
    for was, text in stage.execute("SELECT number, text FROM texts ORDER BY number"):
        numbers[was] = len(numbers) + 1
        connection.execute("INSERT INTO texts VALUES (?, ?, ?)", (numbers[was], text_digest(text), text))
    return numbers


def _fill_table(connection: sqlite3.Connection, stage: sqlite3.Connection, table: str) -> None:
    """Save the rows of a table, numbered anew; rulings only those of games that are there."""
    columns = COLUMNS[table][1:]
    number = 0
    for cells in stage.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY number"):
        game = connection.execute("SELECT 1 FROM games WHERE id = ?", (cells[0],)).fetchone()
        if game is not None or table != "rulings":
            number += 1
            _insert(connection, table, number, *cells)


def _insert(connection: sqlite3.Connection, table: str, *cells: object) -> None:
    connection.execute(INSERTS[table], (*cells, checksum(*cells)))
