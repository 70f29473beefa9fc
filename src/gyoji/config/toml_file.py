"""Reads TOML control files. The result is a `Document` with the line of each key; syntax errors have advice.

tomllib does not keep positions, so `key_lines` parses the text a second time to find the lines. The text is
valid TOML by then, so this parser need not check anything, and a scalar ends at the next delimiter.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gyoji.config.document import Document, KeyPath
from gyoji.core.faults import ConfigError
from gyoji.core.text import quote

DEEPEST = 50
"""Largest depth of nested tables and lists, more than any setting needs."""
# These patterns are compiled only after an error, which saves a hundredth of the time of a short command.
_PLACE = r" \(at (?:line (\d+), column (\d+)|end of document)\)$"
_LONG_NUMBER = r"[0-9][0-9_]{1000,}"
_DEEP = rf"(?:[\[{{][^\[\]{{}}]*){{{DEEPEST}}}[\[{{]|(?:\w+[ \t]*\.[ \t]*){{{DEEPEST},}}"


def read_toml(name: str, path: Path, text: str) -> Document:
    """Return the document of a TOML text. Raises ConfigError, with line and column, if it is not TOML."""
    try:
        raw = tomllib.loads(text)
        level: list[Any] = [raw]
        for _ in range(DEEPEST + 1):
            tables = [item.values() if isinstance(item, dict) else item for item in level]
            level = [item for table in tables for item in table if isinstance(item, dict | list)]
        if level:
            raise RecursionError
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = re.search(_PLACE, message)
        line, column = (place[1], place[2]) if place else (None, None)
        where = f"{name}:{line}:{column}" if line else name
        at_end = " at the end of the file" if place and not line else ""
        what = message[: place.start()] if place else message
        advice = remedy(text, int(line), what) if line else ""
        raise ConfigError(f"{where}: this is not TOML: {what}{at_end}{advice and f'; {advice}'}") from None
    except RecursionError:
        where = _where(name, text, _DEEP)
        raise ConfigError(f"{where}: more than {DEEPEST} nested tables and lists") from None
    except ValueError:  # Python does not read numbers of more than 4,300 digits
        where = _where(name, text, _LONG_NUMBER)
        raise ConfigError(f"{where}: this is not TOML: a whole number has 19 digits at most") from None
    return Document(name=name, path=path, raw=raw, lines=key_lines(text))


def _where(name: str, text: str, sign: str) -> str:
    """Return the name of the file, with the line of the first match of the pattern `sign` if there is one."""
    found = re.search(sign, text)
    return f"{name}:{text.count(chr(10), 0, found.start()) + 1}" if found else name


_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)[ \t]*""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")'
    r"|'''.*?'{3,5}(?!')"
    r'|"(?:[^"\\]|\\.)*"'
    r"|'[^']*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\r\n]+")


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line, from 1, of each key, table and array item in valid TOML."""
    return _Walk(text).run()


class _Walk:
    """A parser of valid TOML that only finds the line of each key."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.counts: dict[KeyPath, int] = {}  # items so far of each array of tables
        self._counted = 0  # offset up to which newlines have been counted
        self._line = 1

    def run(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self._skip_blank():
            if self.text.startswith("[[", self.at):
                self.at += 2
                key = self._key()
                self.at += 2
                array = (*self._resolve(key[:-1]), key[-1])
                index = self.counts.get(array, -1) + 1
                self.counts[array] = index
                self._note((*array, index))
                table = (*array, index)
            elif self.text[self.at] == "[":
                self.at += 1
                table = self._resolve(self._key())
                self._note(table)
                self.at += 1
            else:
                self._pair(table)
        return self.lines

    def _skip_blank(self) -> bool:
        """Skip white space and comments. Return whether there is more text."""
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at < len(self.text)

    def _note(self, path: KeyPath) -> None:
        """Store the line of the present place in the text for a key path, and for the tables around the key.

        Paths that already have a line keep that line.
        """
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        for end in range(1, len(path) + 1):
            self.lines.setdefault(path[:end], self._line)

    def _resolve(self, key: KeyPath) -> KeyPath:
        """Return the key path of a table header.

        If the header names an array of tables, its name is followed by the index of the last table in the
        array.
        """
        path: KeyPath = ()
        for part in key:
            path = (*path, part)
            if path in self.counts:
                path = (*path, self.counts[path])
        return path

    def _key(self) -> KeyPath:
        parts: list[str] = []
        while match := _KEY.match(self.text, self.at):
            parts.append(_unquoted(match[1]))
            self.at = match.end()
            if self.text[self.at] != ".":
                break
            self.at += 1
        return tuple(parts)

    def _pair(self, table: KeyPath) -> None:
        path = (*table, *self._key())
        self._note(path)
        self.at += 1  # the equals sign
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        self._skip_blank()
        opening = self.text[self.at]
        if opening == "[":
            for index, _ in enumerate(self._items("]")):
                self._note((*path, index))
                self._value((*path, index))
        elif opening == "{":
            for _ in self._items("}"):
                self._pair(path)
        else:
            match = _STRING.match(self.text, self.at) or _SCALAR.match(self.text, self.at)
            self.at = match.end() if match else self.at + 1

    def _items(self, closing: str) -> Iterator[None]:
        """Move the parser through an array or inline table, from the opening bracket to behind the closing
        one.

        At the beginning of each item, yield, so that the caller moves the parser behind the item.

        Args:
            closing: The closing bracket.
        """
        self.at += 1
        while self._skip_blank() and self.text[self.at] != closing:
            yield
            self._skip_blank()
            if self.text[self.at] == ",":
                self.at += 1
        self.at += 1


def _unquoted(key: str) -> str:
    """Return a key without quotes. In a key in double quotes, escapes are replaced by their characters."""
    if key[0] == "'":
        return key[1:-1]
    return next(iter(tomllib.loads(f"{key} = 0"))) if key[0] == '"' else key


_PAIR = r"\s*(?P<key>[\w.\"'-]+)\s*=\s*(?P<value>[^#]*?)\s*(?:#.*)?"
_TRUTH = r"(?i:true|false|yes|no|on|off)"
_DECIMAL_COMMA = r"([+-]?\d+),(\d+)"
_WORDS = r"[^\s\"'\[{][^\"']*"
_OPEN = r"\"[^\"]*|'[^']*"
_LIST = r"""(?:"[^"]*"|'[^']*'|[\d.]+)(?:\s*,\s*(?:"[^"]*"|'[^']*'|[\d.]+))+\s*,?"""
_TWICE = r"(?i)cannot (?:declare|overwrite|mutate)"


def remedy(text: str, line: int, problem: str) -> str:
    """Return advice about a line in which tomllib found `problem`, or else the line itself.

    >>> remedy('komi = 6,5', 1, "Expected newline")
    'a decimal point, not a comma: write 6.5'
    >>> remedy('game = go', 1, "Invalid value")
    'text stands in quotes: game = "go"'
    """
    written = text.split("\n")[line - 1] if 0 < line <= text.count("\n") + 1 else ""
    if re.search(_TWICE, problem):
        if written.lstrip().startswith("["):
            return f"{written.strip()} stands above already: give one of them another name"
        return f"this is given above already: take one of them out: {quote(written.strip())}"
    pair = re.fullmatch(_PAIR, written)
    if pair is not None:
        for kind, say in _MISTAKES:
            if found := re.fullmatch(kind, pair["value"]):
                return say(pair["key"], found)
    return f"the line is {quote(written.strip())}" if written.strip() else ""


_MISTAKES: tuple[tuple[str, Callable[[str, re.Match[str]], str]], ...] = (
    ("", lambda key, _: f"there is no value after {key} ="),
    (_TRUTH, lambda _, value: f"write {'true' if value[0].lower() in ('true', 'yes', 'on') else 'false'}"),
    (_DECIMAL_COMMA, lambda _, value: f"a decimal point, not a comma: write {value[1]}.{value[2]}"),
    (_LIST, lambda key, value: f"a list stands in brackets: {key} = [{value[0].rstrip(' ,')}]"),
    (_OPEN, lambda key, value: f"the quote is not closed: {key} = {value[0]}{value[0][0]}"),
    (_WORDS, lambda key, value: f'text stands in quotes: {key} = "{value[0]}"'),
)
"""Patterns of wrong values, each with its message. The first that matches counts."""
