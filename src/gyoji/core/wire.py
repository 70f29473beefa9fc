"""Frozen values as JSON and back: what workers, the store and `--json` exchange. Never pickles.

A dataclass becomes an object of its fields without those at their defaults, a named tuple and a tuple a
list, an enum its value. Reading is strict: an unknown key or a value of the wrong shape raises ValueError.

>>> from gyoji.core.spec import Budgets
>>> decode(Budgets, encode(Budgets(line=80)))
Budgets(startup=60000000000, move=600000000000, score=60000000000, close=1000000000, reply=1048576, line=80)
"""

import dataclasses
import json
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
_PLAIN = (str, int, float, bool, NoneType)


def dumps(value: Any) -> str:
    """The JSON text of a value, on one line."""
    return json.dumps(encode(value), separators=(",", ":"), ensure_ascii=False)


def loads(kind: type[T], text: str | bytes) -> T:
    """The value of type `kind` that `text` writes. Raises ValueError, json's own included."""
    value: T = decode(kind, json.loads(text))
    return value


def encode(value: Any) -> Any:
    """JSON-ready objects, lists and plain values for a value of ours."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value):
        kind: Any = type(value)
        given = ((name, getattr(value, name), default) for name, default in _fields(kind))
        return {name: encode(item) for name, item, default in given if item != default}
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")


def decode(kind: Any, plain: Any) -> Any:
    """The value of type `kind` that `encode` made `plain` of."""
    return _decoder(kind)(plain)


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    """(name, default) of each field; a field without a default has one that nothing equals."""
    return tuple(
        (
            field.name,
            field.default_factory() if field.default_factory is not dataclasses.MISSING else field.default,
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
    return lambda plain: kind._make([read(each) for read, each in zip(readers, _list(plain), strict=True)])
