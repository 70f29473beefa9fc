"""Plain values of a control file into values of the types that settings have, every mistake noted on the way.

The types are those of dataclass fields: of a game's or a protocol's options, of a format's settings, of
`Player`. Plain ones are taken as JSON has them: true is no number, 9.0 no whole number, a list becomes a
tuple. Durations, sizes, and the tables of clocks, budgets, openings and thresholds have forms of their own.
"""

import json
import shlex
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from enum import Enum
from functools import cache
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from msgspec import structs

from gyoji.config.document import KeyPath, Problems, shown, suggest
from gyoji.config.programs import find_shell_syntax
from gyoji.core.clocks import Meter, TimeControl
from gyoji.core.openings import Openings
from gyoji.core.ports import offers
from gyoji.core.setup import Converts, Identifier, PlayerCode, is_identifier
from gyoji.core.spec import Adjudication, Budgets, Threshold
from gyoji.core.text import parse_duration, parse_size, quote
from gyoji.core.wire import encode, loads

BAD: Any = object()
"""Stands for a value that was wrong and has been reported."""

Duration = NewType("Duration", int)
"""ns."""
Size = NewType("Size", int)
"""Bytes; 0 for "none"."""
Command = NewType("Command", tuple[str, ...])
"""The words of a command, as a list or in one string."""
BudgetTable = NewType("BudgetTable", dict[str, int])
"""Those fields of `Budgets` that a table gives."""

_DURATIONS = frozenset(
    ("main", "increment", "period", "move", "margin", "grain", "overrun", "startup", "score", "close")
)
"""The fields of `TimeControl` and `Budgets` that are durations."""

USENIX_OVERRUN = parse_duration("10m")
"""The `overrun` of a clock of user time with byo-yomi, where it names none. It stops only endless moves."""

CLOCK_KINDS: Mapping[str, Any] = types.MappingProxyType(
    {
        "control": str,
        **{
            each.name: Duration if each.name in _DURATIONS else each.type
            for each in structs.fields(TimeControl)
        },
    }
)
BUDGET_KINDS: Mapping[str, Any] = types.MappingProxyType(
    {
        each.name: Duration if each.name in _DURATIONS else Size
        for each in structs.fields(Budgets)
        if each.name not in ("memory", "disk")  # which are settings of a player by themselves
    }
)
OPENING_KINDS: Mapping[str, Any] = types.MappingProxyType(
    {
        "file": str,
        "skip_unfit": bool,
        **{field.name: field.type for field in fields(Openings) if field.name != "lines"},
    }
)
"""The keys of `openings`: the fields of `Openings`, with a file for their lines, all of it or what fits."""
THRESHOLD_KINDS: Mapping[str, Any] = types.MappingProxyType(
    {"score": float, "chance": float, "moves": int, "after": int}
)
ADJUDICATION_KINDS: Mapping[str, Any] = types.MappingProxyType(
    {"win": Threshold, "draw": Threshold, "agreed": bool, "length": int}
)

_PLAIN_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    types.NoneType: "none",
}


@cache
def kinds_of(table: type) -> Mapping[str, Any]:
    """The type of each field of a dataclass, in order."""
    hints = get_type_hints(table)
    return types.MappingProxyType({field.name: hints[field.name] for field in fields(table)})


def is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def plain_options(options: Any) -> Mapping[str, Any]:
    """Every field of an options value, defaults included, JSON-ready."""
    given = {field.name: getattr(options, field.name) for field in fields(options)}
    return types.MappingProxyType(encode(given))


class Reader:
    """Reads values and tables, and notes what is wrong.

    players: the codes that a `PlayerCode` may be; set once the players are known. top_keys: the settings that
    may stand at the top; set once the format and the game are known.
    """

    def __init__(self, problems: Problems, forms: Mapping[str, str]) -> None:
        self.problems = problems
        self.players: frozenset[str] = frozenset()
        self.top_keys: frozenset[str] = frozenset()
        self._forms = forms

    def value(self, path: KeyPath, kind: Any, plain: Any) -> Any:
        """The value of type `kind` that `plain` stands for, or `BAD`."""
        own_form = _FORMS.get(kind)
        try:
            if own_form is not None:
                return own_form(self, path, plain)
            return kind.convert(plain) if offers(kind, Converts) else self._plain(path, kind, plain)
        except ValueError as error:
            self.problems.add(path, str(error))
            return BAD

    def _plain(self, path: KeyPath, kind: Any, plain: Any) -> Any:
        """A value without a form of its own. Raises ValueError if it is wrong as a whole."""
        arms = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
        others = [arm for arm in arms if arm is not types.NoneType]
        if plain == "none" and len(others) < len(arms) and str not in arms:
            return None
        kinds = _item_kinds(others[0], plain) if len(others) == 1 else None
        if kinds is not None:
            values = {key: self.value((*path, key), kinds[key], plain[key]) for key in kinds}
            if any(value is BAD for value in values.values()):
                return BAD
            return values if isinstance(plain, dict) else tuple(values.values())
        try:
            value = loads(kind, json.dumps(plain, allow_nan=False))
        except (TypeError, ValueError):
            raise ValueError(f"expected {describe(kind)}, got {shown(plain)}") from None
        if kind is PlayerCode and value not in self.players:
            raise ValueError(f"there is no player {shown(value)}{suggest(value, self.players)}")
        return value

    def values(self, path: KeyPath, kinds: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
        """The values of those keys of a table that `kinds` knows."""
        return {
            key: self.value((*path, key), kinds[key], plain) for key, plain in table.items() if key in kinds
        }

    def whole(
        self, path: KeyPath, kinds: Mapping[str, Any], table: Mapping[str, Any], *, positive: bool = False
    ) -> Any:
        """The values of a table that has no other keys than those of `kinds`; `BAD` if one is wrong."""
        values: dict[str, Any] = {}
        for key, plain in table.items():
            self.refuse_unknown(path, {key: plain}, kinds)
            values[key] = self.value((*path, key), kinds[key], plain) if key in kinds else BAD
            if positive and not values[key]:
                self.problems.add((*path, key), f"expected more than 0, got {shown(plain)}")
                values[key] = BAD
        return BAD if any(value is BAD for value in values.values()) else values

    def table(self, path: KeyPath, plain: Any) -> Mapping[str, Any] | None:
        """A table as it is; None, and a complaint, if it is something else."""
        if isinstance(plain, dict):
            return plain
        form = self.form_of(path)
        header = {1: f"[{path[0]}.NAME] for each", 2: f"[[{path[0]}]] for each"}.get(len(path), "")
        if form == "a table" and isinstance(plain, list) and header:
            form += f", that is {header}, with its settings below it"
        self.problems.add(path, f"expected {form}, got {shown(plain)}")
        return None

    def form_of(self, path: KeyPath) -> str:
        """The word for the table at a path in this kind of file."""
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


def _item_kinds(kind: Any, plain: Any) -> dict[Any, Any] | None:
    """The type of each item of a list or a table that has the shape of `kind`; None for all else."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple and isinstance(plain, list):
        if args[-1] is Ellipsis:
            return dict.fromkeys(range(len(plain)), args[0])
        return dict(enumerate(args)) if len(args) == len(plain) else None
    if isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(plain, dict):
        return dict.fromkeys(plain, args[1])
    return None


def describe(kind: Any) -> str:
    """A type in words: "a whole number, or a list of 2 whole numbers"."""
    if kind in _PLAIN_NAMES:
        return _PLAIN_NAMES[kind]
    if supertype := getattr(kind, "__supertype__", None):
        return describe(supertype)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " or ".join(json.dumps(arg) for arg in args)
    if origin in (Union, types.UnionType):
        return ", or ".join(describe(arg) for arg in args)
    if origin is tuple and args[-1] is Ellipsis:
        return f"a list ({describe(args[0])} each)"
    if origin is tuple:
        same = len(set(args)) == 1
        words = describe(args[0]).removeprefix("a ") + "s" if same else ", ".join(map(describe, args))
        return f"a list of {len(args)} {words}" if same else f"a list of {words}"
    if origin is not None and issubclass(origin, Mapping):
        return f"a table ({describe(args[1])} each)"
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " or ".join(json.dumps(member.value) for member in kind)
    return f"a {getattr(kind, '__name__', kind)}"


def _identifier(_reader: Reader, _path: KeyPath, plain: Any) -> str:
    """A name that can stand in a game id."""
    if not isinstance(plain, str):
        raise ValueError(f"expected a string, got {shown(plain)}")
    if not is_identifier(plain):
        allowed = "letters, digits and - ! $ % & * + . : ; < = > ? ^ _ ~"
        raise ValueError(f"expected a name of {allowed}, got {shown(plain)}")
    return plain


def _clock(reader: Reader, path: KeyPath, plain: Any) -> Any:
    """A time control: its text, or a table of its numbers (`control`: the text, to be added to)."""
    if isinstance(plain, str):
        return TimeControl.parse(plain)
    if not isinstance(plain, dict):
        raise ValueError(f'expected a time control such as "10m + 3x30s", or a table, got {shown(plain)}')
    numbers = reader.whole(path, CLOCK_KINDS, plain)
    if numbers is BAD:
        return BAD
    base = TimeControl.parse(numbers.pop("control", "none"))
    if numbers.get("period") and "control" not in plain:
        numbers.setdefault("periods", 1)
    try:
        clock = structs.replace(base, **numbers)
    except ValueError as error:
        raise ValueError(f"no time control: {error}") from None
    if clock.is_unlimited and numbers.keys() & {"main", "increment", "period", "move"}:
        raise ValueError(f'{shown(plain)} means no time at all: write "none" for no clock')
    if clock.meter is Meter.USER and clock.period and "overrun" not in numbers:
        return structs.replace(clock, overrun=USENIX_OVERRUN)
    return clock


def _optional_clock(reader: Reader, path: KeyPath, plain: Any) -> Any:
    return None if plain is None else _clock(reader, path, plain)


def _budgets(reader: Reader, path: KeyPath, plain: Any) -> Any:
    """Limits of an engine where no clock counts: durations and sizes, all above 0."""
    if not isinstance(plain, dict):
        raise ValueError(f"expected a table, got {shown(plain)}")
    return reader.whole(path, BUDGET_KINDS, plain, positive=True)


def _openings(reader: Reader, path: KeyPath, plain: Any) -> Any:
    """Settings of openings, by the keys of `OPENING_KINDS`; a text names the file. None for no openings."""
    if plain is None or plain == "none":
        return None
    if isinstance(plain, str):
        return {"file": plain}
    if not isinstance(plain, dict):
        raise ValueError(f"expected a file of openings, or a table with one, got {shown(plain)}")
    if "file" not in plain:
        reader.problems.add((*path, "file"), "required, but not given")
    values = reader.whole(path, OPENING_KINDS, plain)
    return values if "file" in plain else BAD


def _adjudication(reader: Reader, path: KeyPath, plain: Any) -> Any:
    """When a game ends by what is to be seen of it: a table; "none" for never."""
    if plain is None or plain == "none":
        return Adjudication()
    if not isinstance(plain, dict):
        raise ValueError(
            f'expected a table such as {{ win = {{ chance = 0.95 }} }}, or "none", got {shown(plain)}'
        )
    return _checked(reader, path, Adjudication, reader.whole(path, ADJUDICATION_KINDS, plain))


def _threshold(reader: Reader, path: KeyPath, plain: Any) -> Any:
    if not isinstance(plain, dict):
        raise ValueError(f"expected a table such as {{ chance = 0.95, moves = 3 }}, got {shown(plain)}")
    return _checked(reader, path, Threshold, reader.whole(path, THRESHOLD_KINDS, plain))


def _checked(reader: Reader, path: KeyPath, kind: Any, values: Any) -> Any:
    """The value of these fields, or `BAD`; each of its complaints names its place: "win: chance: ..."."""
    try:
        return BAD if values is BAD else kind(**values)
    except ValueError as error:
        *keys, message = str(error).split(": ")
        reader.problems.add((*path, *keys), message)
        return BAD


def _duration(_reader: Reader, _path: KeyPath, plain: Any) -> int:
    """Nanoseconds, of a text such as "1m30s" or of a number of seconds."""
    if isinstance(plain, bool) or not isinstance(plain, str | int | float):
        raise ValueError(f'expected a duration such as "90s", got {shown(plain)}')
    return parse_duration(plain)


def _size(_reader: Reader, _path: KeyPath, plain: Any) -> int:
    """Bytes, of a text such as "350MB" or of a number of them; 0 for "none"."""
    if isinstance(plain, bool) or not isinstance(plain, str | int):
        raise ValueError(f'expected a size such as "350MB", got {shown(plain)}')
    try:
        return 0 if plain == "none" else parse_size(plain)
    except (ValueError, OverflowError):
        raise ValueError(
            f'expected a size such as "350MB", or a number of bytes, got {shown(plain)}'
        ) from None


def _command(_reader: Reader, _path: KeyPath, plain: Any) -> tuple[str, ...]:
    """The words of an organiser's command; "" is none. Raises ValueError, also for what needs a shell."""
    if plain in ("", []):
        return ()
    words = parse_command(plain)
    if found := find_shell_syntax(plain):
        raise ValueError(
            f"no shell reads this: {quote(found)} would go to {quote(words[0])} as it is; write a script and "
            'name it here, or write ["sh", "-c", "..."]'
        )
    return words


def parse_command(plain: Any) -> tuple[str, ...]:
    """The words to execute, of a string as a shell would have them. Raises ValueError."""
    try:
        words = shlex.split(plain) if isinstance(plain, str) else plain
    except ValueError as error:
        raise ValueError(f"{str(error).lower()} in {shown(plain)}") from None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"expected a string, or a list of strings, got {shown(plain)}")
    if not words or not words[0]:
        raise ValueError("expected a program")
    if any("\0" in word for word in words):
        raise ValueError("there is a NUL character in it")
    return tuple(words)


_FORMS: Mapping[Any, Callable[[Reader, KeyPath, Any], Any]] = {
    Identifier: _identifier,
    TimeControl: _clock,
    TimeControl | None: _optional_clock,
    Openings | None: _openings,
    Adjudication: _adjudication,
    Threshold: _threshold,
    BudgetTable: _budgets,
    Command: _command,
    Duration: _duration,
    Size: _size,
}
"""How values are read that have a form of their own. Raise ValueError, or give `BAD`."""
