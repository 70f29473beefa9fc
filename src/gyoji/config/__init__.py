"""Control files: from text on disk to one frozen `CompetitionSetup`, or to one error with every mistake.

Two forms, one meaning: TOML (`toml_file`), and the Python control files of gomill (`ctl_file`). Either
becomes a `Document` of plain values and line numbers; `competition` makes the setup of it, with the types of
the game's, the protocol's and the format's own settings.
"""

import os
import re
import tomllib
from contextlib import suppress
from pathlib import Path

from gyoji.config.competition import read_competition
from gyoji.config.ctl_file import read_ctl
from gyoji.config.document import suggest
from gyoji.config.toml_file import read_toml
from gyoji.core.faults import ConfigError
from gyoji.core.setup import CompetitionSetup
from gyoji.store.files import check_name

_COMPETITION = re.compile(r"^\s*competition\s*=", re.MULTILINE)


def load(path: str | os.PathLike[str]) -> CompetitionSetup:
    """The competition that the control file `path` describes: TOML if it ends in .toml, else Python.

    Python control files are executed: read only those you trust. Raises ConfigError, complete: every mistake
    that was found, one a line.
    """
    name = os.fspath(path)
    file = Path(os.path.abspath(name))
    check_name(name)
    text = _read(name, file)
    if file.suffix.lower() != ".toml" and _is_toml(text):
        raise ConfigError(
            f"{name}: this is TOML, and a TOML file ends in .toml: call it {file.with_suffix('.toml').name}"
        )
    document = (read_toml if file.suffix.lower() == ".toml" else read_ctl)(name, file, text)
    return read_competition(document)


def _is_toml(text: str) -> bool:
    """Whether a text is TOML, and of a competition. (No Python file of gomill's has this key.)"""
    if not _COMPETITION.search(text):
        return False
    try:
        return "competition" in tomllib.loads(text)
    except (ValueError, RecursionError):
        return False


def _control_files(folder: Path) -> list[str]:
    """The names of what may be control files in a folder, to be suggested."""
    with suppress(OSError):
        return [each.name for each in folder.iterdir() if each.suffix.lower() in (".toml", ".ctl")]
    return []


def _read(name: str, file: Path) -> str:
    """The text of a UTF-8 file, a byte order mark removed, lines ended by a line feed."""
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        near = suggest(file.name, _control_files(file.parent))
        raise ConfigError(f"{name}: there is no such control file{near}") from None
    except IsADirectoryError:
        near = suggest("", _control_files(file))
        raise ConfigError(f"{name}: this is a folder: name the control file in it{near}") from None
    except PermissionError:
        raise ConfigError(f"{name}: you may not read this file: chmod u+r it, or ask its owner") from None
    except OSError as error:
        raise ConfigError(f"{name}: the control file cannot be read: {error.strerror}") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{name}:{line}: this is not UTF-8 text (byte {raw[error.start]:#04x})") from None
    return text.replace("\r\n", "\n")
