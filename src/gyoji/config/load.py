"""Finding and opening a control file, and choosing its form by its suffix."""

import os
from pathlib import Path

from gyoji.config.competition import read_competition
from gyoji.config.ctl_file import read_ctl
from gyoji.config.toml_file import read_toml
from gyoji.core.faults import ConfigError
from gyoji.core.setup import CompetitionSetup

OUTPUT_SUFFIXES = frozenset(
    (
        *(".log", ".hist", ".report", ".cmd", ".status", ".games", ".void", ".gtplogs"),  # gomill's
        *(".db", ".db-wal", ".db-shm", ".sqlite", ".sqlite3", ".lock", ".transcripts", ".folders"),
        *(".sgf", ".psq", ".json", ".html"),
    )
)
"""What a control file may not end with: its results would be written over it, or stand beside its like."""


def load(path: str | os.PathLike[str]) -> CompetitionSetup:
    """The competition that the control file `path` describes: TOML if it ends in .toml, else Python.

    Python control files are executed: read only those you trust. Raises ConfigError, complete: every mistake
    that was found, one a line.
    """
    name = os.fspath(path)
    file = Path(os.path.abspath(name))
    if file.suffix.lower() in OUTPUT_SUFFIXES:
        raise ConfigError(
            f"{name}: a control file cannot end in {file.suffix}, which is the suffix of an output file: "
            "call it .toml or .ctl"
        )
    text = _read(name, file)
    document = (read_toml if file.suffix.lower() == ".toml" else read_ctl)(name, file, text)
    return read_competition(document)


def _read(name: str, file: Path) -> str:
    """The text of a UTF-8 file, a byte order mark removed, lines ended by a line feed."""
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        raise ConfigError(f"{name}: there is no such control file") from None
    except OSError as error:
        raise ConfigError(f"{name}: the control file cannot be read: {error.strerror}") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{name}:{line}: this is not UTF-8 text (byte {raw[error.start]:#04x})") from None
    return text.replace("\r\n", "\n")
