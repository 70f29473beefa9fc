"""The players of a control file: programs, where and how to run them, and what protocol they speak."""

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from gyoji.config.document import KeyPath, shown
from gyoji.config.tables import BAD, Reader, kinds_of, plain_options
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import plugin
from gyoji.core.setup import Identifier
from gyoji.core.spec import Budgets, Player

_KINDS: Mapping[str, Any] = MappingProxyType(
    {
        "cwd": str | None,
        "environ": Mapping[str, str] | None,
        "stderr": Literal["log", "discard", "inherit"],
        "discard_stderr": bool,
        "clock": TimeControl | None,
        "budgets": Budgets,
    }
)
KEYS = ("command", "protocol", *_KINDS)
"""The settings of every player, whatever its protocol."""


def read_players(reader: Reader, plain: Any, directory: Path, *, stderr: str) -> dict[str, Player]:
    """The players by code, without those that have mistakes.

    directory: what relative paths start from. stderr: what becomes of it if the player does not say.
    """
    table = reader.table(("players",), plain)
    if table is None:
        return {}
    if not table:
        reader.problems.add(("players",), "expected one player or more")
    players: dict[str, Player] = {}
    for code, entry in table.items():
        path: KeyPath = ("players", code)
        settings = reader.table(path, entry)
        name = reader.value(path, Identifier, code)
        if settings is not None:
            player = _Entry(reader, path, settings, directory).player(code, stderr)
            if player is not None and name is not BAD:
                players[code] = player
    return players


class _Entry:
    """One player's table on its way to a `Player`."""

    def __init__(self, reader: Reader, path: KeyPath, table: Mapping[str, Any], directory: Path) -> None:
        self.reader = reader
        self.path = path
        self.table = table
        self.directory = directory

    def player(self, code: str, stderr: str) -> Player | None:
        values = self.reader.values(self.path, _KINDS, self.table)
        if "command" not in self.table:
            self._complain("command", "required, but not given")
        environ = values.get("environ") or {}
        command = self._command(None if environ is BAD else environ.get("PATH"))
        options = self._options()
        stderr = self._stderr(values, stderr)
        wrong = any(value is BAD for value in values.values())
        if command is None or options is None or wrong or self._has_nul(values):
            return None
        return Player(
            code=code,
            command=command,
            cwd=self._resolve(values["cwd"]) if values.get("cwd") is not None else None,
            environ=MappingProxyType(dict(environ)),
            protocol=self.table.get("protocol", "gtp"),
            options=options,
            stderr=stderr,
            clock=values.get("clock"),
            budgets=values.get("budgets", Budgets()),
        )

    def _complain(self, key: str, message: str) -> None:
        self.reader.problems.add((*self.path, key), message)

    def _has_nul(self, values: Mapping[str, Any]) -> bool:
        """Whether a text for the operating system has a NUL in it, which no such text can have."""
        texts = {
            "cwd": values.get("cwd") or "",
            "environ": "".join(sum((values.get("environ") or {}).items(), ())),
        }
        found = [key for key, text in texts.items() if "\0" in text]
        for key in found:
            self._complain(key, "there is a NUL character in it")
        return bool(found)

    def _command(self, search_path: str | None) -> tuple[str, ...] | None:
        """The words to execute; the program as an absolute path where it can be found."""
        plain = self.table.get("command")
        if plain is None:
            return None
        try:
            words = shlex.split(plain) if isinstance(plain, str) else plain
        except ValueError as error:
            self._complain("command", f"{str(error).lower()} in {shown(plain)}")
            return None
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            self._complain("command", f"expected a string, or a list of strings, got {shown(plain)}")
            return None
        if not words or not words[0]:
            self._complain("command", "expected a program")
            return None
        if any("\0" in word for word in words):
            self._complain("command", "there is a NUL character in it")
            return None
        return (self._program(words[0], search_path), *words[1:])

    def _program(self, word: str, search_path: str | None) -> str:
        """A path is taken from the control file's folder; a bare name is looked for on PATH, then beside our
        Python, where the engines are that come with gyoji.

        A name that is not found stays as it is: the check before the first game says so, with the player.
        """
        if "/" in word:
            return self._resolve(word)
        found = shutil.which(word, path=search_path) or shutil.which(
            word, path=os.path.dirname(sys.executable)
        )
        return os.path.abspath(found) if found else word

    def _resolve(self, path: str) -> str:
        """An absolute path: "~" is a home, anything relative starts from the control file's folder."""
        return os.path.abspath(self.directory / os.path.expanduser(path))

    def _stderr(self, values: Mapping[str, Any], default: str) -> str:
        chosen = values.get("stderr", default)
        if values.get("discard_stderr") is True:
            if values.get("stderr", "discard") != "discard":
                self._complain("stderr", "contradicts discard_stderr: give one of them")
            return "discard"
        return str(chosen)

    def _options(self) -> Mapping[str, Any] | None:
        """The settings of the player's protocol; None if there is a mistake in them, or no such protocol."""
        name = self.reader.value((*self.path, "protocol"), str, self.table.get("protocol", "gtp"))
        if name is BAD:
            return None
        try:
            kind = plugin("protocols", name).Options
        except ConfigError as error:
            self._complain("protocol", str(error))
            return None
        kinds = kinds_of(kind)
        self.reader.refuse_unknown(self.path, self.table, (*KEYS, *kinds))
        values = self.reader.values(self.path, kinds, self.table)
        places = {key: (*self.path, key) for key in kinds}
        options = self.reader.make(self.path, kind, values, places=places, missing="required, but not given")
        return None if options is BAD else plain_options(options)
