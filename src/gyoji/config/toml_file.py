"""TOML control files as documents."""

import re
import tomllib
from pathlib import Path
from typing import Any

from gyoji.config.document import Document
from gyoji.config.toml_lines import key_lines
from gyoji.config.toml_remedies import remedy
from gyoji.core.faults import ConfigError

DEEPEST = 50
"""How many tables and lists may stand in one another: more than any setting needs."""

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_LONG_NUMBER = re.compile(r"[0-9][0-9_]{1000,}")
_DEEP = re.compile(rf"(?:[\[{{][^\[\]{{}}]*){{{DEEPEST}}}[\[{{]|(?:\w+[ \t]*\.[ \t]*){{{DEEPEST},}}")


def read_toml(name: str, path: Path, text: str) -> Document:
    """The document of a TOML text. Raises ConfigError for what is no TOML, with line and column."""
    try:
        plain = tomllib.loads(text)
        _check_depth(plain)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _PLACE.search(message)
        line, column = (place[1], place[2]) if place else (None, None)
        where = f"{name}:{line}:{column}" if line else name
        at_end = " at the end of the file" if place and not line else ""
        what = message[: place.start()] if place else message
        advice = remedy(text, int(line), what) if line else ""
        raise ConfigError(f"{where}: this is not TOML: {what}{at_end}{advice and f'; {advice}'}") from None
    except RecursionError:
        where = _where(name, text, _DEEP)
        raise ConfigError(f"{where}: more than {DEEPEST} tables and lists stand in one another") from None
    except ValueError:  # Python turns no more than 4,300 digits into a number
        where = _where(name, text, _LONG_NUMBER)
        raise ConfigError(f"{where}: this is not TOML: a whole number has 19 digits at most") from None
    return Document(name=name, path=path, plain=plain, lines=key_lines(text), forms={})


def _check_depth(plain: dict[str, Any]) -> None:
    """Raise RecursionError for what others may not be able to walk through."""
    level: list[Any] = [plain]
    for _ in range(DEEPEST + 1):
        tables = [item.values() if isinstance(item, dict) else item for item in level]
        level = [item for table in tables for item in table if isinstance(item, dict | list)]
    if level:
        raise RecursionError


def _where(name: str, text: str, sign: re.Pattern[str]) -> str:
    """The file, with the line of the first such sign in it if there is one."""
    found = sign.search(text)
    return f"{name}:{text.count(chr(10), 0, found.start()) + 1}" if found else name
