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
from operator import itemgetter
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


def reader(kind: type[T]) -> Callable[[str], T]:
    """What does as `loads` for many texts, of `kind` each, which are as `dumps` has written them."""
    anything: Any = kind  # of which mypy does not know that it can be hashed
    read = _decoder(anything)

    def loads_one(text: str) -> T:
        plain, end = _scan(text)
        if end != len(text):
            raise ValueError(f"got more than one value: {text[end:]!r}")
        value: T = read(plain)
        return value

    return loads_one


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


_scan = json.JSONDecoder().raw_decode
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
        return _member(kind)
    return _plain(kind)


_PLAIN = (str, int, float, bool)
"""The types of JSON values that are values of ours as they are."""


def _plain(kind: type) -> Callable[[Any], Any]:
    def read(plain: Any) -> Any:
        if kind is float and type(plain) is int:
            return float(plain)
        if type(plain) is not kind:
            raise ValueError(f"got {plain!r} where {kind.__name__} is expected")
        return plain

    return read


def _member(kind: type[Enum]) -> Callable[[Any], Any]:
    members = {member.value: member for member in kind}

    def read(plain: Any) -> Any:
        try:
            return members[plain]
        except (KeyError, TypeError):
            raise ValueError(f"got {plain!r} where one of {tuple(members)} is expected") from None

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
        item, kind = _decoder(args[0]), args[0] if args[0] in _PLAIN else None
        return lambda plain: tuple([each if type(each) is kind else item(each) for each in _list(plain)])
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
    """The reader of a dataclass without base classes. A million results are read by it: it is made for speed.

    All plain fields are checked at once, which is enough where each has the type it should have.
    """
    hints = get_type_hints(kind)
    defaults = dict(_fields(kind))
    readers = {name: _decoder(hints[name]) for name in defaults}
    plains = {name: hints[name] for name in readers if hints[name] in _PLAIN}
    if len(plains) < 2:  # itemgetter gives no tuple then
        plains = {}
    types = tuple(plains.values())
    plain_values = itemgetter(*plains) if plains else lambda _: ()
    others = [(name, reader) for name, reader in readers.items() if name not in plains]
    twin, check = _twin(kind), getattr(kind, "__post_init__", None)

    def read(plain: Any) -> Any:
        values = defaults | _object(plain)  # in the order of the fields, whatever comes in which
        if len(values) > len(defaults):
            raise ValueError(f"got no {kind.__name__}: it has no {', '.join(plain.keys() - defaults.keys())}")
        is_right = tuple(map(type, plain_values(values))) == types
        for name, reader in others if is_right else readers.items():
            if name in plain:
                values[name] = reader(plain[name])
            elif defaults[name] is dataclasses.MISSING:
                raise ValueError(f"got no {kind.__name__}: {name} is missing")
        made = twin(*values.values())
        made.__class__ = kind
        if check is not None:
            check(made)
        return made

    return read


def _twin(kind: Any) -> Any:
    """A class whose values can become values of `kind`: made of all fields in order, and checking nothing.

    A frozen dataclass fills itself through `object.__setattr__`, field by field. A twin of the same layout
    that is not frozen does it in a fifth of the time.
    """
    own = [(field.name, field.type) for field in dataclasses.fields(kind)]
    return dataclasses.make_dataclass(kind.__name__, own, slots="__slots__" in vars(kind))


def _named_tuple(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    readers = [_decoder(hints[name]) for name in kind._fields]
    required = len(readers) - len(kind._field_defaults)

    def read(plain: Any) -> Any:
        if not required <= len(_list(plain)) <= len(readers):
            raise ValueError(f"got {len(plain)} values where a {kind.__name__} is expected")
        return kind(*[read(each) for read, each in zip(readers, plain, strict=False)])

    return read
