"""SQLite's errors in the user's words: each becomes one line, with the right one to blame."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gyoji.core.faults import Breakdown, ConfigError


class StoreFailure(Breakdown):
    """Results could not be written. Nothing of that batch is stored; the same batch may be tried again."""


_NOT_OURS = "is no database of gyoji's"
_DAMAGED = "is damaged; restore a copy, or save what there is with `gyoji verify --recover`"

# By primary result code (https://www.sqlite.org/rescode.html).
_MEANINGS = {
    sqlite3.SQLITE_NOTADB: _NOT_OURS,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full",
    sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read-only",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: the file or its folder is not accessible",
    sqlite3.SQLITE_PERM: "cannot be opened: permission denied",
    sqlite3.SQLITE_AUTH: "cannot be opened: permission denied",
    sqlite3.SQLITE_BUSY: "is in use by another program",
    sqlite3.SQLITE_LOCKED: "is in use by another program",
}


def meaning(error: sqlite3.Error) -> str:
    """A line about the file for which SQLite raised `error`."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return _MEANINGS.get(code) or f"cannot be used: {error}"


class Damage(ConfigError):
    """A database is not as it was written. detail: where."""

    def __init__(self, text: str, detail: str) -> None:
        super().__init__(text)
        self.detail = detail


def damaged(path: Path, detail: str) -> Damage:
    return Damage(f"{path} {_DAMAGED} ({detail})", detail)


@contextmanager
def blaming_user(path: Path) -> Iterator[None]:
    """SQLite's errors as ConfigError: for opening and reading."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
            raise damaged(path, str(error)) from None
        raise ConfigError(f"{path} {meaning(error)}") from None


@contextmanager
def blaming_machine(path: Path) -> Iterator[None]:
    """SQLite's errors as StoreFailure: for what is written during a run."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        text = meaning(error) if isinstance(error, sqlite3.Error) else f"is gone: {error.strerror}"
        raise StoreFailure(f"{path} {text}") from None
