"""Frozen values as JSON and back: what workers, the store and `--json` exchange. Never pickles.

A dataclass becomes an object of its fields without those at their defaults, a named tuple and a tuple a
list, an enum its value. Writing is the C encoder's work, since a game has hundreds of moves. Reading is
strict: an unknown key or a value of the wrong shape raises ValueError; defaults may be left out.

>>> from gyoji.core.spec import Budgets
>>> dumps(Budgets(line=80))
'{"line":80}'
>>> loads(Budgets, dumps(Budgets(line=80))) == Budgets(line=80)
True
"""

import dataclasses
import json
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def dumps(value: Any) -> str:
    """The JSON text of a value, on one line. Raises TypeError for what has no JSON form."""
    return _ENCODER.encode(value)


def loads(kind: type[T], text: str | bytes) -> T:
    """The value of type `kind` that `text` writes. Raises ValueError, json's own included."""
    value: T = decode(kind, json.loads(text))
    return value


def encode(value: Any) -> Any:
    """JSON-ready objects, lists and plain values for a value of ours."""
    return json.loads(dumps(value))


def decode(kind: Any, plain: Any) -> Any:
    """The value of type `kind` that `encode` made `plain` of."""
    return _decoder(kind)(plain)


def frozen(plain: Any) -> Any:
    """JSON-ready objects with tuples for lists, as frozen values hold them."""
    if isinstance(plain, list | tuple):
        return tuple([frozen(item) for item in plain])
    if isinstance(plain, Mapping):
        return {key: frozen(item) for key, item in plain.items()}
    return plain


def _object_form(value: Any) -> dict[str, Any]:
    """What the C encoder does not know: a dataclass or a mapping, one level of it."""
    if dataclasses.is_dataclass(value):
        kind: Any = type(value)
        given = ((name, getattr(value, name), default) for name, default in _fields(kind))
        return {name: item for name, item, default in given if item != default}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


_ENCODER = json.JSONEncoder(default=_object_form, separators=(",", ":"), ensure_ascii=False)


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    """(name, default) of each field; a field without a default has one that nothing equals."""
    return tuple(
        (
            field.name,
            field.default if field.default_factory is dataclasses.MISSING else field.default_factory(),
        )
        for field in dataclasses.fields(kind)
    )


@cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    origin, args = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda plain: plain
    if origin in (Union, UnionType):
        return _optional(kind, args)
    if origin is Literal:
        return _choice(args)
    if origin is tuple:
        return _tuple(args)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(_decoder(args[1]))
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind)
    if isinstance(kind, type) and issubclass(kind, tuple):
        return _named_tuple(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    return _plain(kind)


def _plain(kind: type) -> Callable[[Any], Any]:
    def read(plain: Any) -> Any:
        if kind is float and type(plain) is int:
            return float(plain)
        if type(plain) is not kind:
            raise ValueError(f"got {plain!r} where {kind.__name__} is expected")
        return plain

    return read


def _choice(known: tuple[Any, ...]) -> Callable[[Any], Any]:
    def read(plain: Any) -> Any:
        if plain not in known:
            raise ValueError(f"got {plain!r} where one of {known} is expected")
        return plain

    return read


def _optional(kind: Any, args: tuple[Any, ...]) -> Callable[[Any], Any]:
    rest = [arg for arg in args if arg is not NoneType]
    if len(rest) != 1:
        raise TypeError(f"{kind} has no single JSON form")
    inner = _decoder(rest[0])
    return lambda plain: None if plain is None else inner(plain)


def _tuple(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    if len(args) == 2 and args[1] is Ellipsis:
        item = _decoder(args[0])
        return lambda plain: tuple([item(each) for each in _list(plain)])
    items = [_decoder(arg) for arg in args]
    return lambda plain: tuple([read(each) for read, each in zip(items, _list(plain), strict=True)])


def _list(plain: Any) -> list[Any]:
    if not isinstance(plain, list):
        raise ValueError(f"got {plain!r} where a list is expected")
    return plain


def _mapping(item: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda plain: MappingProxyType({key: item(value) for key, value in _object(plain).items()})


def _object(plain: Any) -> dict[str, Any]:
    if not isinstance(plain, dict):
        raise ValueError(f"got {plain!r} where an object is expected")
    return plain


def _dataclass(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    readers = {field.name: _decoder(hints[field.name]) for field in dataclasses.fields(kind)}

    def read(plain: Any) -> Any:
        try:
            return kind(**{key: readers[key](value) for key, value in _object(plain).items()})
        except (KeyError, TypeError) as error:
            raise ValueError(f"got no {kind.__name__}: {error}") from None

    return read


def _named_tuple(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    readers = [_decoder(hints[name]) for name in kind._fields]
    required = len(readers) - len(kind._field_defaults)

    def read(plain: Any) -> Any:
        if not required <= len(_list(plain)) <= len(readers):
            raise ValueError(f"got {len(plain)} values where a {kind.__name__} is expected")
        return kind(*[read(each) for read, each in zip(readers, plain, strict=False)])

    return read
