"""Converts raw values of a control file to values of the types that settings have, and reports mistakes.

The types are those of dataclass fields: of a game's or protocol's options, of a format's settings, of
`Player`. Raw values are interpreted as in JSON: true is not a number, 9.0 is not a whole number, and a list
becomes a tuple. Durations, sizes, and the tables of clocks, budgets, openings and thresholds have their own
notations.
"""
# A file may have many mistakes, and its author wants to see all of them at once. So reading goes on after a
# mistake, which is added to `Problems`. After that
#
#   Reader.value    raises Rejected, because there is no value
#   Reader.values   leaves the key out and reads the next one
#   Reader.make     raises Rejected if there was a mistake at the place of one of the fields, or if a required
#                   field is missing; a field without value because of a mistake is not reported as missing
#   Problems.check  raises ConfigError with all mistakes, at the end of `read_competition`
#
# Code that catches Rejected never reports a mistake: that has been done where it was raised.

import json
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from types import MappingProxyType, NoneType
from typing import Any, TypeVar, get_args

from msgspec import structs

from gyoji.config.document import KeyPath, Problems, shown, suggest
from gyoji.config.kinds import (
    ADJUDICATION_KINDS,
    BUDGET_KINDS,
    CLOCK_KINDS,
    OPENING_KINDS,
    THRESHOLD_KINDS,
    BudgetTable,
    Command,
    Duration,
    Kinds,
    Size,
    describe,
    is_required,
    is_union,
    item_kinds,
)
from gyoji.config.programs import find_shell_syntax
from gyoji.config.tablebases import read_tablebases
from gyoji.core.clocks import Meter, TimeControl
from gyoji.core.openings import Openings
from gyoji.core.ports import supports
from gyoji.core.setup import Converts, Identifier, PersonName, PlayerCode, is_identifier, is_person_name
from gyoji.core.spec import Adjudication, Tablebases, Threshold
from gyoji.core.text import parse_duration, parse_size, quote
from gyoji.core.wire import loads

T = TypeVar("T")

REMOVED: Mapping[str, str] = MappingProxyType(
    {
        "advice": "use hints instead",
        "games_from": "go on with the other tuner's own control file instead, which keeps its games",
        "scale_clocks": "use longer clocks, or a competition of their own for slow hosts",
    }
)
"""Settings of earlier versions, with what to use instead."""

REQUIRED = "required, but not given"

# In the USENIX tournament the move in which main time ends had no limit of time. This limit ends an endless
# one.
USENIX_OVERRUN = parse_duration("10m")
"""The default `overrun` of a clock of user time with byo-yomi."""


class Rejected(Exception):
    """A value is wrong, and its mistakes have been reported."""


class Reader:
    """Reads values and tables of one document, and reports mistakes.

    Attributes:
        problems: The reported mistakes.
        players: The codes of all players, which a `PlayerCode` must be one of; empty until they are known.
        top_keys: The settings that may be at the top level; empty until the format and the game are known.
    """

    def __init__(self, problems: Problems, forms: Mapping[str, str]) -> None:
        self.problems = problems
        self.players: frozenset[str] = frozenset()
        self.top_keys: frozenset[str] = frozenset()
        self._forms = forms

    def value(self, path: KeyPath, kind: Any, raw: Any) -> Any:
        """Convert a raw value to the type `kind`. If that is not possible, report it and raise Rejected."""
        try:
            if "\0" in str(path[-1]) or (isinstance(raw, str) and "\0" in raw):
                raise ValueError("there is a NUL character in it")  # the operating system does not allow it
            if kind in _FORMS:
                return _FORMS[kind](self, path, raw)
            return kind.convert(raw) if supports(kind, Converts) else self._by_type(path, kind, raw)
        except ValueError as error:
            self.problems.add(path, str(error))
            raise Rejected from None

    def _by_type(self, path: KeyPath, kind: Any, raw: Any) -> Any:
        """Convert a raw value to a type that has no notation of its own.

        Raises:
            ValueError: The value is not of this type. The message of the exception is the mistake to report.
            Rejected: An item of the value is wrong, which has been reported.
        """
        arms = get_args(kind) if is_union(kind) else (kind,)
        others = [arm for arm in arms if arm is not NoneType]
        if raw == "none" and len(others) < len(arms) and str not in arms:
            return None
        kinds = item_kinds(others[0], raw) if len(others) == 1 else None
        if kinds is not None:
            items = raw if isinstance(raw, dict) else dict(enumerate(raw))
            values = self.values(path, kinds, items)
            if len(values) < len(items):
                raise Rejected
            return values if isinstance(raw, dict) else tuple(values.values())
        try:
            value = loads(kind, json.dumps(raw, allow_nan=False))
        except (TypeError, ValueError):
            raise ValueError(f"expected {describe(kind)}, got {shown(raw)}") from None
        if kind is PlayerCode and value not in self.players:
            raise ValueError(f"there is no player {shown(value)}{suggest(value, self.players)}")
        return value

    def values(self, path: KeyPath, kinds: Mapping[Any, Any], table: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return the values of those keys of a table that are in `kinds`, without wrong ones."""
        found = {}
        for key in (key for key in table if key in kinds):
            with suppress(Rejected):
                found[key] = self.value((*path, key), kinds[key], table[key])
        return found

    def whole(
        self, path: KeyPath, kinds: Kinds, table: Mapping[str, Any], *, positive: bool = False
    ) -> dict[str, Any]:
        """Return the values of a table that may have no other keys than those of `kinds`.

        Args:
            path: The place of the table.
            kinds: The types by key.
            table: The raw table.
            positive: Whether all values must be above 0.

        Raises:
            Rejected: A key is unknown, or a value wrong.
        """
        values: dict[str, Any] = {}
        for (
            key,
            raw,
        ) in table.items():  # one by one, so that mistakes in one line are in the order of the file
            self.refuse_unknown(path, {key: raw}, kinds)
            values |= self.values(path, kinds, {key: raw})
            if positive and key in values and not values[key]:
                self.problems.add((*path, key), f"expected more than 0, got {shown(raw)}")
                del values[key]
        if len(values) < len(table):
            raise Rejected
        return values

    def table(self, path: KeyPath, raw: Any) -> Mapping[str, Any]:
        """Return a raw value if it is a table. Raises Rejected if it is not."""
        if isinstance(raw, dict):
            return raw
        form = self.form_of(path)
        header = {1: f"[{path[0]}.NAME] for each", 2: f"[[{path[0]}]] for each"}.get(len(path), "")
        if form == "a table" and isinstance(raw, list) and header:
            form += f", that is {header}, with its settings below it"
        self.problems.add(path, f"expected {form}, got {shown(raw)}")
        raise Rejected

    def form_of(self, path: KeyPath) -> str:
        """Return the name of a table in messages, such as "a table", or "Player(...)" in a Python control
        file.
        """
        return self._forms.get(str(path[0]), "a table")

    def refuse_unknown(
        self,
        path: KeyPath,
        table: Mapping[str, Any],
        known: Iterable[str],
        elsewhere: Callable[[str], str] = lambda _key: "",
    ) -> None:
        """Report the unknown keys of a table, each with a hint: the place where the key belongs, what has
        replaced it, or the most similar known key.

        Args:
            path: The place of the table.
            table: The raw table.
            known: The known keys.
            elsewhere: Returns the end of the message for a key that belongs into another table, else "".
        """
        words = tuple(known)
        for key in table:
            if key in REMOVED:
                self.problems.add((*path, key), f"removed: {REMOVED[key]}")
            elif key not in words:
                hint = elsewhere(key) or suggest(key, words)
                self.problems.add((*path, key), f"there is no such setting{hint}")

    def make(
        self,
        path: KeyPath,
        kind: type[T],
        values: Mapping[str, Any],
        *,
        places: Mapping[str, KeyPath],
        missing: str = REQUIRED,
        wrong: Collection[str] = (),
    ) -> T:
        """Return an instance of the dataclass `kind`, made from a table.

        Args:
            path: The place of the table.
            kind: The dataclass.
            values: The values of the dataclass's fields, without wrong ones.
            places: The places in the file of fields that are not in the table.
            missing: The message about a required field that is not given.
            wrong: Fields whose values are wrong, which has been reported at other places.

        Raises:
            Rejected: A value is wrong or missing, or the values contradict each other.
        """
        is_rejected = bool(wrong)
        for field in fields(kind):  # type: ignore[arg-type]  # dataclasses have no type of their own
            place = places.get(field.name, (*path, field.name))
            if field.name in wrong or self.problems.has(place):
                is_rejected = True
            elif is_required(field) and field.name not in values:
                self.problems.add(place, missing)
                is_rejected = True
        if is_rejected:
            raise Rejected
        try:
            return kind(**values)
        except ValueError as error:
            self.problems.add_error(path, error, places)
            raise Rejected from None


def _identifier(_reader: Reader, _path: KeyPath, raw: Any) -> str:
    return _name(raw, is_identifier, "")


def _person_name(_reader: Reader, _path: KeyPath, raw: Any) -> str:
    return _name(raw, is_person_name, ", and single blanks")


def _name(raw: Any, is_good: Callable[[str], bool], more: str) -> str:
    if not isinstance(raw, str):
        raise ValueError(f"expected a string, got {shown(raw)}")
    if not is_good(raw):
        allowed = f"letters, digits and - ! $ % & * + . : ; < = > ? ^ _ ~{more}"
        raise ValueError(f"expected a name of {allowed}, got {shown(raw)}")
    return raw


def _clock(reader: Reader, path: KeyPath, raw: Any) -> TimeControl:
    if isinstance(raw, str):
        return TimeControl.parse(raw)
    if not isinstance(raw, dict):
        raise ValueError(f'expected a time control such as "10m + 3x30s", or a table, got {shown(raw)}')
    numbers = reader.whole(path, CLOCK_KINDS, raw)
    base = TimeControl.parse(numbers.pop("control", "none"))
    if numbers.get("period") and "control" not in raw:
        numbers.setdefault("periods", 1)
    try:
        clock = structs.replace(base, **numbers)
    except ValueError as error:
        raise ValueError(f"no time control: {error}") from None
    if clock.is_unlimited and numbers.keys() & {"main", "increment", "period", "move"}:
        raise ValueError(f'{shown(raw)} means no time at all: write "none" for no clock')
    if clock.meter is Meter.USER and clock.period and "overrun" not in numbers:
        return structs.replace(clock, overrun=USENIX_OVERRUN)
    return clock


def _budgets(reader: Reader, path: KeyPath, raw: Any) -> dict[str, int]:
    if not isinstance(raw, dict):
        raise ValueError(f"expected a table, got {shown(raw)}")
    return reader.whole(path, BUDGET_KINDS, raw, positive=True)


def _openings(reader: Reader, path: KeyPath, raw: Any) -> dict[str, Any] | None:
    """Return the settings of openings, a mapping with keys of `OPENING_KINDS`; None for no openings.

    The value in the control file is a table, the path of a file alone, or "none". The file is read later.
    """
    if raw is None or raw == "none":
        return None
    if isinstance(raw, str):
        return {"file": raw}
    if not isinstance(raw, dict):
        raise ValueError(f"expected a file of openings, or a table with one, got {shown(raw)}")
    return reader.whole(path, OPENING_KINDS, raw)


def _adjudication(reader: Reader, path: KeyPath, raw: Any) -> Adjudication:
    if raw is None or raw == "none":
        return Adjudication()
    if not isinstance(raw, dict):
        raise ValueError(
            f'expected a table such as {{ win = {{ chance = 0.95 }} }}, or "none", got {shown(raw)}'
        )
    return _checked(reader, path, Adjudication, reader.whole(path, ADJUDICATION_KINDS, raw))


def _threshold(reader: Reader, path: KeyPath, raw: Any) -> Threshold:
    if not isinstance(raw, dict):
        raise ValueError(f"expected a table such as {{ chance = 0.95, moves = 3 }}, got {shown(raw)}")
    return _checked(reader, path, Threshold, reader.whole(path, THRESHOLD_KINDS, raw))


def _checked(reader: Reader, path: KeyPath, kind: type[T], values: Mapping[str, Any]) -> T:
    """Return an instance of the dataclass `kind`. If its values are wrong, report that and raise Rejected.

    The dataclass raises a ValueError for them. Its message must begin with the keys of the wrong value, as in
    "win: chance: ...".
    """
    try:
        return kind(**values)
    except ValueError as error:
        *keys, message = str(error).split(": ")
        reader.problems.add((*path, *keys), message)
        raise Rejected from None


def _duration(_reader: Reader, _path: KeyPath, raw: Any) -> int:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise ValueError(f'expected a duration such as "90s", got {shown(raw)}')
    return parse_duration(raw)


def _size(_reader: Reader, _path: KeyPath, raw: Any) -> int:
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise ValueError(f'expected a size such as "350MB", got {shown(raw)}')
    try:
        return 0 if raw == "none" else parse_size(raw)
    except (ValueError, OverflowError):
        raise ValueError(f'expected a size such as "350MB", or a number of bytes, got {shown(raw)}') from None


def _command(_reader: Reader, _path: KeyPath, raw: Any) -> tuple[str, ...]:
    """Return the words of an organiser's command; () for none. Syntax of a shell is a mistake."""
    if raw in ("", []):
        return ()
    words = parse_command(raw)
    if found := find_shell_syntax(raw):
        raise ValueError(
            f"no shell reads this: {quote(found)} would go to {quote(words[0])} as it is; write a script and "
            'name it here, or write ["sh", "-c", "..."]'
        )
    return words


def parse_command(raw: Any) -> tuple[str, ...]:
    """Return the words of a command.

    Args:
        raw: A list of words, or a string that is split as a shell does it.

    Raises:
        ValueError: It is no command.
    """
    try:
        words = shlex.split(raw) if isinstance(raw, str) else raw
    except ValueError as error:
        raise ValueError(f"{str(error).lower()} in {shown(raw)}") from None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"expected a string, or a list of strings, got {shown(raw)}")
    if not words or not words[0]:
        raise ValueError("expected a program")
    if any("\0" in word for word in words):
        raise ValueError("there is a NUL character in it")
    return tuple(words)


_FORMS: Mapping[Any, Callable[[Reader, KeyPath, Any], Any]] = MappingProxyType(
    {
        Identifier: _identifier,
        PersonName: _person_name,
        TimeControl: _clock,
        TimeControl | None: lambda reader, path, raw: None if raw is None else _clock(reader, path, raw),
        Openings | None: _openings,
        Adjudication: _adjudication,
        Threshold: _threshold,
        Tablebases: read_tablebases,
        BudgetTable: _budgets,
        Command: _command,
        Duration: _duration,
        Size: _size,
    }
)
"""Functions that read types with their own notation. They raise ValueError for the whole value, or
Rejected.
"""
