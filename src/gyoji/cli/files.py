"""Files of a command: control files are opened, and others written whole: nobody sees a part of one."""

from pathlib import Path

from gyoji.cli.exits import complain
from gyoji.core.faults import Breakdown
from gyoji.core.text import legible
from gyoji.scheduler.event import Event
from gyoji.store.files import CompetitionFiles
from gyoji.store.filesystem import write_file


def open_event(path: Path) -> Event:
    """The event of a control file; what may be a mistake in it is said on stderr. Raises ConfigError."""
    return Event.open(path, complain)


def records_beside(database: Path) -> Path:
    """The folder of the records of a competition, by its database."""
    return CompetitionFiles(database.with_suffix(".toml")).games


def write_text(path: Path, text: str) -> None:
    """Put `text` into a file, in one step. Raises Breakdown if it cannot be written."""
    write_bytes(path, legible(text).encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Put `content` into a file, in one step. Raises Breakdown if it cannot be written."""
    try:
        write_file(path, content)
    except OSError as error:
        raise Breakdown(f"{path} cannot be written: {error.strerror}") from None
