"""TOML control files as documents."""

import re
import tomllib
from pathlib import Path

from gyoji.config.document import Document
from gyoji.config.toml_lines import key_lines
from gyoji.core.faults import ConfigError

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_toml(name: str, path: Path, text: str) -> Document:
    """The document of a TOML text. Raises ConfigError for what is no TOML, with line and column."""
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _PLACE.search(message)
        line, column = (place[1], place[2]) if place else (None, None)
        where = f"{name}:{line}:{column}" if line else name
        at_end = " at the end of the file" if place and not line else ""
        what = message[: place.start()] if place else message
        raise ConfigError(f"{where}: this is not TOML: {what}{at_end}") from None
    return Document(name=name, path=path, plain=plain, lines=key_lines(text), forms={})
