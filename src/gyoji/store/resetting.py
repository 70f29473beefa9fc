"""Beginning anew: deleting what runs of a competition have left, and nothing that we have not made.

What is ours, the database says: it has our application id, as when a run opens it, and it knows which files
stood beside it before it was made. Of what appeared later, each must be what we would have made of that name:
a file, a socket, a folder of games. If anything is not ours, nothing is deleted at all.
"""

import json
import os
import re
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from gyoji.core.faults import ConfigError
from gyoji.store.files import CompetitionFiles
from gyoji.store.layout import APPLICATION_ID, EARLIER, about
from gyoji.store.lock import RunLock
from gyoji.store.trees import remove_tree

_MAGIC, _ID_AT, _HEADER = b"SQLite format 3\0", 68, 100
"""Of the header of a database: https://www.sqlite.org/fileformat.html#the_database_header"""

_GAME_ID = re.compile(r"(?:.*_|g)?\d+(?:#\d+r\d+)?(?:@\d+)?", re.DOTALL)
"""The pattern of the ids of games, whatever the format."""


def reset(files: CompetitionFiles) -> list[Path]:
    """Delete all that runs of this competition have left; what was deleted.

    Raises ConfigError while one runs, if something there is not ours (then nothing is deleted), and, after
    having tried all, for what cannot be deleted.
    """
    with RunLock(files):
        if strangers := list(_strangers(files)):
            raise ConfigError(
                f"nothing is deleted: {'; '.join(strangers)}; move it away, or delete it yourself"
            )
        return _remove_outputs(files)


def _strangers(files: CompetitionFiles) -> Iterator[str]:
    """For each output that is not ours, the reason."""
    outputs = list(files.outputs())
    if problem := _problem_of_database(files.database):
        yield f"{files.database} {problem}"
        return
    if not files.database.exists():
        yield from (f"{path} is not known to be ours: there is no {files.database.name}" for path in outputs)
        return
    earlier = _earlier(files.database)
    folders = (files.games, files.voids, files.transcripts)
    for path in outputs:
        if path.name in earlier:
            yield f"{path} was there before the competition"
        elif problem := _problem_of_kind(files, path):
            yield f"{path} {problem}"
        elif path in folders and not path.is_symlink():
            yield from _strange_entries(path)


def _problem_of_database(path: Path) -> str:
    """Why a file is none of our databases; "" if it is one, if nothing is in it, or if there is none.

    Its header is enough, also where the rest is damaged; and reading it leaves no file beside it.
    """
    if path.is_dir():
        return "is a folder"
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if not header:
        log = path.with_name(f"{path.name}-wal")
        return "is empty, but not its log" if log.exists() and log.stat().st_size else ""
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        return "is no database of gyoji's"
    if int.from_bytes(header[_ID_AT : _ID_AT + 4]) != APPLICATION_ID:
        return "is a database of another program"
    return ""


def _earlier(database: Path) -> frozenset[str]:
    """The names of outputs that were there before the database; none where it cannot tell: damaged, or of an
    older layout. Opened so, it leaves no file beside it."""
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?immutable=1", uri=True)) as connection:
            return frozenset(json.loads(about(connection, EARLIER) or "[]"))
    except (sqlite3.Error, ValueError):
        return frozenset()


def _problem_of_kind(files: CompetitionFiles, path: Path) -> str:
    """Why a path cannot be an output of ours of that name, "" if it can. A link can: somebody may have moved
    a folder elsewhere, and only the link is deleted."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return ""
    if path == files.socket:
        return "" if stat.S_ISSOCK(mode) else "is no socket"
    if path in (files.games, files.voids, files.transcripts, files.folders):
        return "" if stat.S_ISDIR(mode) else "is no folder"
    return "" if stat.S_ISREG(mode) else "is no file"


def _strange_entries(folder: Path) -> Iterator[str]:
    """The entries of a folder of games that are not named after one."""
    for entry in os.scandir(folder):
        stems = (entry.name[: dot.start()] for dot in re.finditer(r"\.", entry.name))
        is_named = any(_GAME_ID.fullmatch(stem) for stem in stems)
        if not (is_named and entry.is_file(follow_symlinks=False)):
            yield f"{entry.path} is no record of a game"


def _remove_outputs(files: CompetitionFiles) -> list[Path]:
    """Delete all outputs but the lock; what was deleted. Raises ConfigError for each that would not go."""
    removed, problems = [], []
    for path in files.outputs():
        if trouble := remove_tree(path):
            problems.append(trouble)
        else:
            removed.append(path)
    if problems:
        raise ConfigError("; ".join(problems))
    return removed
