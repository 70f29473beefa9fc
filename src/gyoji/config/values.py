"""One plain value of a control file against the type that its setting has.

The types of settings are those of dataclass fields: of a game's or a protocol's `Options`, of a format's
`Settings`, of `Player`. pydantic checks the plain ones, strictly and as JSON has them (true is no number, 9.0
no whole number, a list becomes a tuple); durations, sizes and the tables of clocks, budgets and openings have
a form of their own here.
"""

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NewType, Union, get_args, get_origin

from msgspec import structs

from gyoji.config.document import KeyPath, shown, suggest
from gyoji.core.clocks import Meter, TimeControl
from gyoji.core.openings import Openings
from gyoji.core.setup import Identifier, is_identifier
from gyoji.core.spec import Budgets
from gyoji.core.text import parse_duration, parse_size

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Duration = NewType("Duration", int)
"""ns."""
Size = NewType("Size", int)
"""Bytes; 0 for "none"."""
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
            field.name: Duration if field.name in _DURATIONS else field.type
            for field in structs.fields(TimeControl)
        },
    }
)
BUDGET_KINDS: Mapping[str, Any] = types.MappingProxyType(
    {
        field.name: Duration if field.name in _DURATIONS else Size
        for field in structs.fields(Budgets)
        if field.name not in ("memory", "disk")  # which are settings of a player by themselves
    }
)
OPENING_KINDS: Mapping[str, Any] = types.MappingProxyType(
    {
        "file": str,
        "skip_unfit": bool,
        **{field.name: field.type for field in fields(Openings) if field.name != "lines"},
    }
)
"""What `openings` may say: the fields of `Openings`, and a file for their lines, all of it or what fits."""

_PLAIN_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    types.NoneType: "none",
}


class Unfit(Exception):
    """A value does not fit. problems: (key path below the value, message)."""

    def __init__(self, *problems: tuple[KeyPath, str]) -> None:
        super().__init__(problems)
        self.problems = problems


def convert(kind: Any, plain: Any) -> Any:
    """The value of type `kind` that `plain` stands for. Raises `Unfit`."""
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(plain)
    if own := getattr(kind, "convert", None):
        try:
            return own(plain)
        except ValueError as error:
            raise Unfit(((), str(error))) from None
    if plain == "none" and type(None) in _arms(kind) and str not in _arms(kind):
        return None
    return _checked(kind, plain)


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


def _arms(kind: Any) -> tuple[Any, ...]:
    """The alternatives of a union; the type itself if it is none."""
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


@cache
def _adapter(kind: Any) -> "TypeAdapter[Any]":
    from pydantic import ConfigDict, TypeAdapter  # noqa: PLC0415 - a tenth of a second, for config alone

    return TypeAdapter(kind, config=ConfigDict(strict=True, allow_inf_nan=False))


def _checked(kind: Any, plain: Any) -> Any:
    """What pydantic makes of the value, its errors in our words."""
    from pydantic import ValidationError  # noqa: PLC0415

    try:
        text = json.dumps(plain)
    except (TypeError, ValueError):
        raise Unfit(((), f"expected {describe(kind)}, got {shown(plain)}")) from None
    try:
        value = _adapter(kind).validate_json(text)
    except ValidationError as error:
        raise Unfit(*_problems(kind, plain, error.errors(include_url=False))) from None
    return value


def _problems(kind: Any, plain: Any, errors: list[Any]) -> list[tuple[KeyPath, str]]:
    """One problem for the whole value, or one for each item of a list or a table that is wrong."""
    arms = [arm for arm in _arms(kind) if arm is not types.NoneType]
    whole = ((), f"expected {describe(kind)}, got {shown(plain)}")
    keys: dict[Any, None] = dict.fromkeys(error["loc"][0] if error["loc"] else None for error in errors)
    is_table = isinstance(plain, dict)
    if len(arms) > 1 or not all(key in plain if is_table else _is_index(key, plain) for key in keys):
        return [whole]
    item = get_args(arms[0])[1 if is_table else 0]
    return [((key,), f"expected {describe(item)}, got {shown(plain[key])}") for key in keys]


def _is_index(key: Any, plain: Any) -> bool:
    return isinstance(plain, list) and isinstance(key, int) and key < len(plain)


def convert_identifier(plain: Any) -> str:
    """A name that can stand in a game id."""
    if not isinstance(plain, str):
        raise Unfit(((), f"expected a string, got {shown(plain)}"))
    if not is_identifier(plain):
        allowed = "letters, digits and - ! $ % & * + . : ; < = > ? ^ _ ~"
        raise Unfit(((), f"expected a name of {allowed}, got {shown(plain)}"))
    return plain


def convert_clock(plain: Any) -> TimeControl:
    """A time control: its text, or a table of its numbers (`control`: the text, to be added to)."""
    if isinstance(plain, str):
        try:
            return TimeControl.parse(plain)
        except ValueError as error:
            raise Unfit(((), str(error))) from None
    if not isinstance(plain, dict):
        raise Unfit(((), f'expected a time control such as "10m + 3x30s", or a table, got {shown(plain)}'))
    numbers = _table(CLOCK_KINDS, plain)
    control = numbers.pop("control", "none")
    if numbers.get("period") and "control" not in plain:
        numbers.setdefault("periods", 1)
    base = convert_clock(control)
    try:
        clock = structs.replace(base, **numbers)
    except ValueError as error:
        raise Unfit(((), f"no time control: {error}")) from None
    if clock.is_unlimited and numbers.keys() & {"main", "increment", "period", "move"}:
        raise Unfit(((), f'{shown(plain)} is no time at all: write "none" for no clock'))
    if clock.meter is Meter.USER and clock.period and "overrun" not in numbers:
        return structs.replace(clock, overrun=USENIX_OVERRUN)
    return clock


def convert_budgets(plain: Any) -> dict[str, Any]:
    """What an engine may use where no clock counts: durations and sizes, all above 0."""
    if not isinstance(plain, dict):
        raise Unfit(((), f"expected a table, got {shown(plain)}"))
    return _table(BUDGET_KINDS, plain, positive=True)


def convert_openings(plain: Any) -> dict[str, Any] | None:
    """What is said of openings, by the keys of `OPENING_KINDS`: a text is the file. None for no openings."""
    if plain is None or plain == "none":
        return None
    if isinstance(plain, str):
        return {"file": plain}
    if not isinstance(plain, dict):
        raise Unfit(((), f"expected a file of openings, or a table with one, got {shown(plain)}"))
    given = _table(OPENING_KINDS, plain)
    if "file" not in given:
        raise Unfit((("file",), "required, but not given"))
    return given


def _table(kinds: Mapping[str, Any], plain: Mapping[str, Any], *, positive: bool = False) -> dict[str, Any]:
    """The values of a table whose keys are of these kinds. Raises `Unfit` with all that is wrong."""
    values: dict[str, Any] = {}
    problems: list[tuple[KeyPath, str]] = []
    for key, item in plain.items():
        try:
            if key not in kinds:
                raise Unfit(((), f"there is no such setting{suggest(key, kinds)}"))
            values[key] = convert(kinds[key], item)
            if positive and not values[key]:
                raise Unfit(((), f"expected more than 0, got {shown(item)}"))
        except Unfit as unfit:
            problems += [((key, *path), message) for path, message in unfit.problems]
    if problems:
        raise Unfit(*problems)
    return values


def convert_duration(plain: Any) -> int:
    """Nanoseconds, of a text such as "1m30s" or of a number of seconds."""
    if isinstance(plain, bool) or not isinstance(plain, str | int | float):
        raise Unfit(((), f'expected a duration such as "90s", got {shown(plain)}'))
    try:
        return parse_duration(plain)
    except ValueError as error:
        raise Unfit(((), str(error))) from None


def convert_size(plain: Any) -> int:
    """Bytes, of a text such as "350MB" or of a number of them; 0 for "none"."""
    if isinstance(plain, bool) or not isinstance(plain, str | int):
        raise Unfit(((), f'expected a size such as "350MB", got {shown(plain)}'))
    try:
        return 0 if plain == "none" else parse_size(plain)
    except (ValueError, OverflowError):
        problem = f'expected a size such as "350MB", or a number of bytes, got {shown(plain)}'
        raise Unfit(((), problem)) from None


_SPECIAL: Mapping[Any, Callable[[Any], Any]] = {
    Identifier: convert_identifier,
    TimeControl: convert_clock,
    TimeControl | None: lambda plain: None if plain is None else convert_clock(plain),
    Openings | None: convert_openings,
    BudgetTable: convert_budgets,
    Duration: convert_duration,
    Size: convert_size,
}
