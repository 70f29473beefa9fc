"""The lines of a TOML file's keys: a walk over text that `tomllib` has already accepted.

Only structure is looked at: keys, tables, arrays and the ends of values. Because the text is known to be
valid, a scalar is whatever stands before the next delimiter, and nothing has to be checked. tomllib itself
keeps no positions.
"""

import re
import tomllib
from collections.abc import Iterator

from gyoji.config.document import KeyPath

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
    """The line, from 1, of each key, table and array item in valid TOML text."""
    return _Walk(text).run()


class _Walk:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.counts: dict[KeyPath, int] = {}  # items so far of each array of tables
        self._counted = 0  # how far newlines have been counted
        self._line = 1

    def run(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self._skip_blank():
            if self.text.startswith("[[", self.at):
                table = self._array_header()
            elif self.text[self.at] == "[":
                self.at += 1
                table = self._resolve(self._key())
                self._note(table)
                self.at += 1
            else:
                self._pair(table)
        return self.lines

    def _skip_blank(self) -> bool:
        """Go on to the next thing that is neither blank nor comment; whether there is one."""
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at < len(self.text)

    def _note(self, path: KeyPath) -> None:
        """Remember where `path`, and each table that it opens on the way, first stands."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        for end in range(1, len(path) + 1):
            self.lines.setdefault(path[:end], self._line)

    def _array_header(self) -> KeyPath:
        self.at += 2
        key = self._key()
        self.at += 2
        array = (*self._resolve(key[:-1]), key[-1])
        index = self.counts.get(array, -1) + 1
        self.counts[array] = index
        self._note((*array, index))
        return (*array, index)

    def _resolve(self, key: KeyPath) -> KeyPath:
        """The path of a header's key: it goes through the last item of each array of tables on its way."""
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
        """Stand at each item in turn of the array or inline table that begins here; end after it."""
        self.at += 1
        while self._skip_blank() and self.text[self.at] != closing:
            yield
            self._skip_blank()
            if self.text[self.at] == ",":
                self.at += 1
        self.at += 1


def _unquoted(key: str) -> str:
    """A key's text without its quotes."""
    if key[0] == "'":
        return key[1:-1]
    return next(iter(tomllib.loads(f"{key} = 0"))) if key[0] == '"' else key
