"""The types of settings: those of dataclass fields, and types with a notation of their own, such as
`Duration`.

`gyoji.config.reader` reads values by these types, and `describe` describes a type in messages.
"""

import json
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from enum import Enum
from functools import cache
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from msgspec import structs

from gyoji.core.clocks import TimeControl
from gyoji.core.openings import Openings
from gyoji.core.spec import Budgets, Tablebases, Threshold
from gyoji.core.wire import encode

Kinds = Mapping[str, Any]
"""The types of the settings of a table, by name."""

Duration = NewType("Duration", int)
"""A duration in ns, written as "1m30s" or as a number of seconds."""
Size = NewType("Size", int)
"""A number of bytes, written as "350MB" or as a number; 0 for "none"."""
Command = NewType("Command", tuple[str, ...])
"""The words of a command, written as a list or as one string."""
BudgetTable = NewType("BudgetTable", dict[str, int])
"""A table of some fields of `Budgets`, as a dict."""

_DURATIONS = frozenset(
    ("main", "increment", "period", "move", "margin", "grain", "overrun", "startup", "score", "close")
)
"""The fields of `TimeControl` and `Budgets` that are durations."""


def _fields_of(struct: Any) -> dict[str, Any]:
    return {each.name: Duration if each.name in _DURATIONS else each.type for each in structs.fields(struct)}


CLOCK_KINDS: Kinds = types.MappingProxyType(
    {"control": str} | {name: kind for name, kind in _fields_of(TimeControl).items() if name != "stages"}
)
"""The keys of a clock's table: `control`, the text of a time control, and numbers that change parts of it.

Further stages can be given only in the text.
"""

BUDGET_KINDS: Kinds = types.MappingProxyType(
    {
        name: kind if kind is Duration else Size
        for name, kind in _fields_of(Budgets).items()
        if name not in ("memory", "disk")  # settings of a player by themselves
    }
)
OPENING_KINDS: Kinds = types.MappingProxyType(
    {
        "file": str,
        "skip_unfit": bool,
        "plies": int,
        **{field.name: field.type for field in fields(Openings) if field.name != "lines"},
    }
)
"""The keys of `openings`: the fields of `Openings`, but instead of `lines` a file and how to read it."""
THRESHOLD_KINDS: Kinds = types.MappingProxyType({"score": float, "chance": float, "moves": int, "after": int})
ADJUDICATION_KINDS: Kinds = types.MappingProxyType(
    {"win": Threshold, "draw": Threshold, "agreed": bool, "length": int, "tablebases": Tablebases}
)
TABLEBASE_KINDS: Kinds = types.MappingProxyType({each.name: each.type for each in structs.fields(Tablebases)})


@cache
def kinds_of(table: type) -> Kinds:
    """Return the type of each field of a dataclass, in order."""
    hints = get_type_hints(table)
    return types.MappingProxyType({field.name: hints[field.name] for field in fields(table)})


def is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def json_options(options: Any) -> Mapping[str, Any]:
    """Return all fields of a dataclass of options, including defaults, JSON-ready."""
    given = {field.name: getattr(options, field.name) for field in fields(options)}
    return types.MappingProxyType(encode(given))


def item_kinds(kind: Any, raw: Any) -> dict[Any, Any] | None:
    """Return the types of the items of `raw`, by index or key.

    Return None if `kind` is not a type of lists or tables, or if `raw` cannot be a value of this type.
    """
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple and isinstance(raw, list):
        if args[-1] is Ellipsis:
            return dict.fromkeys(range(len(raw)), args[0])
        return dict(enumerate(args)) if len(args) == len(raw) else None
    if isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(raw, dict):
        return dict.fromkeys(raw, args[1])
    return None


def is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, types.UnionType)


_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    types.NoneType: "none",
}


def describe(kind: Any) -> str:
    """Return the description of a type, such as "a whole number, or a list of 2 whole numbers"."""
    if kind in _WORDS:
        return _WORDS[kind]
    if supertype := getattr(kind, "__supertype__", None):
        return describe(supertype)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " or ".join(json.dumps(arg) for arg in args)
    if is_union(kind):
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
