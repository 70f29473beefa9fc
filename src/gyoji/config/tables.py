"""Tables of a control file into dataclasses, every mistake of them noted on the way."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from types import MappingProxyType
from typing import Any, get_args, get_origin, get_type_hints

from gyoji.config.document import KeyPath, Problems, shown, suggest
from gyoji.config.values import Unfit, convert
from gyoji.core.setup import PlayerCode
from gyoji.core.wire import encode

BAD: Any = object()
"""Stands for a value that was wrong and has been reported."""


@cache
def kinds_of(table: type) -> Mapping[str, Any]:
    """The type of each field of a dataclass, in order."""
    hints = get_type_hints(table)
    return MappingProxyType({field.name: hints[field.name] for field in fields(table)})


def is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


class Reader:
    """Reads tables, and notes what is wrong.

    players: the codes that a `PlayerCode` may be; set once the players are known. top_keys: the settings that
    may stand at the top; set once the format and the game are known.
    """

    def __init__(self, problems: Problems, forms: Mapping[str, str]) -> None:
        self.problems = problems
        self.players: frozenset[str] = frozenset()
        self.top_keys: frozenset[str] = frozenset()
        self._forms = forms

    def value(self, path: KeyPath, kind: Any, plain: Any) -> Any:
        """One value, or `BAD`."""
        try:
            value = convert(kind, plain)
        except Unfit as unfit:
            for below, message in unfit.problems:
                self.problems.add((*path, *below), message)
            return BAD
        return value if self._has_players(path, kind, value) else BAD

    def values(self, path: KeyPath, kinds: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
        """The values of those keys of a table that `kinds` knows."""
        return {
            key: self.value((*path, key), kinds[key], plain) for key, plain in table.items() if key in kinds
        }

    def table(self, path: KeyPath, plain: Any) -> Mapping[str, Any] | None:
        """A table as it is; None, and a complaint, if it is something else."""
        if isinstance(plain, dict):
            return plain
        self.problems.add(path, f"expected {self.form_of(path)}, got {shown(plain)}")
        return None

    def form_of(self, path: KeyPath) -> str:
        """What the table at a path is called in such a file."""
        return self._forms.get(str(path[0]), "a table")

    def refuse_unknown(
        self,
        path: KeyPath,
        table: Mapping[str, Any],
        known: Iterable[str],
        elsewhere: Callable[[str], str] = lambda _key: "",
    ) -> None:
        """Note each key that is not known, with the nearest one that is. elsewhere: where it belongs."""
        words = tuple(known)
        for key in table:
            if key not in words:
                hint = elsewhere(key) or suggest(key, words)
                self.problems.add((*path, key), f"there is no such setting{hint}")

    def make(
        self,
        path: KeyPath,
        kind: Any,
        values: Mapping[str, Any],
        *,
        places: Mapping[str, KeyPath],
        missing: str,
        context: str = "",
    ) -> Any:
        """The dataclass `kind` of these values, or `BAD`.

        places: where each field stands, or would stand; missing: what to say of one that is required;
        context: what to add where they do not fit together.
        """
        lacking = [field.name for field in fields(kind) if is_required(field) and field.name not in values]
        for name in lacking:
            self.problems.add(places.get(name, (*path, name)), missing)
        if lacking or any(value is BAD for value in values.values()):
            return BAD
        try:
            return kind(**values)
        except ValueError as error:
            self.problems.add_error(path, error, places, context)
            return BAD

    def _has_players(self, path: KeyPath, kind: Any, value: Any) -> bool:
        """Whether every player code in a value is one of a player; complains of the others."""
        if kind is PlayerCode:
            codes = [(path, value)]
        elif get_origin(kind) is tuple and PlayerCode in get_args(kind):
            codes = [((*path, index), code) for index, code in enumerate(value)]
        else:
            return True
        unknown = [(place, code) for place, code in codes if code not in self.players]
        for place, code in unknown:
            self.problems.add(place, f"there is no player {shown(code)}{suggest(code, self.players)}")
        return not unknown


def plain_options(options: Any) -> Mapping[str, Any]:
    """Every field of an `Options` value, defaults included, JSON-ready."""
    given = {field.name: getattr(options, field.name) for field in fields(options)}
    return MappingProxyType(encode(given))
