"""Frozen values as JSON and back: the encoding for workers, the store and `--json`.

A `Value` becomes an object that omits fields with their default value, tuples become lists, and enum members
their values. Reading is strict: unknown keys and values of a wrong type raise ValueError. Missing keys get
their default, and mappings become dicts. msgspec does the work, in C.

>>> from gyoji.core.spec import Budgets
>>> dumps(Budgets(line=80))
'{"line":80}'
>>> loads(Budgets, dumps(Budgets(line=80))) == Budgets(line=80)
True
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from threading import Lock
from types import MappingProxyType
from typing import Any, Self, TypeAlias, TypeVar

import msgspec

T = TypeVar("T")
Text: TypeAlias = str | bytes | msgspec.Raw


class Unchanging:
    """A base class of immutable values: a shallow or deep copy is the value itself."""

    __slots__ = ()

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A frozen value with a JSON form. `msgspec.structs.replace` makes a changed copy.

    Each subclass repeats `frozen=True, kw_only=True`.
    """

    def __deepcopy__(self, memo: object) -> Self:
        return self


def require(is_right: object, problem: str) -> None:
    """Raise ValueError with the problem unless `is_right` is true."""
    if not is_right:
        raise ValueError(problem)


def dumps(value: object) -> str:
    """Return the JSON text of a value on one line. Raises TypeError for a value without a JSON form."""
    try:
        return _ENCODER.encode(value).decode()
    except UnicodeEncodeError:  # a file name that is not UTF-8: json escapes its bytes
        plain = msgspec.to_builtins(value, enc_hook=_builtin, str_keys=True)
        return json.dumps(plain, separators=(",", ":"))


def dump_line(value: object) -> bytes:
    """Return the JSON of a value as a line of bytes. Raises TypeError for a value without a JSON form."""
    try:
        return _ENCODER.encode(value) + b"\n"
    except UnicodeEncodeError:
        return f"{dumps(value)}\n".encode()


def loads(kind: type[T], text: Text) -> T:
    """Parse JSON text into a value of type `kind`. Raises ValueError for text that is no such value."""
    return reader(kind)(text)


def reader(kind: type[T]) -> Callable[[Text], T]:
    """Return a function that parses JSON text into values of type `kind`, as `loads` does."""
    anything: Any = kind  # mypy does not know that it is hashable
    read: Callable[[Text], T] = _reader(anything)
    return read


def encode(value: object) -> Any:
    """Convert a value to the dicts, lists and scalars of its JSON form."""
    return json.loads(dumps(value))


def decode(kind: type[T], plain: object) -> T:
    """Convert the result of `encode` back to a value. Raises ValueError if it is not of type `kind`."""
    anything: Any = kind
    _decoder(anything)  # which learns the class
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def frozen(plain: object) -> Any:
    """Convert all lists in a JSON-ready value to tuples, so that frozen values can hold it."""
    if isinstance(plain, list | tuple):
        return tuple([frozen(item) for item in plain])
    if isinstance(plain, Mapping):
        return {key: frozen(item) for key, item in plain.items()}
    return plain


_learning = Lock()


# At its first use msgspec learns the fields of a class, and keeps them with the class before it knows all. A
# second thread that decoded the same class meanwhile would end the process (SIGSEGV), so one thread at a time
# learns a class here, before it is decoded by `reader` or `decode`.
@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    with _learning:
        return msgspec.json.Decoder(kind)


@cache
def _reader(kind: Any) -> Callable[[Text], Any]:
    decoder = _decoder(kind)

    def read(text: Text) -> Any:
        try:
            return decoder.decode(text)
        except msgspec.ValidationError as error:
            raise ValueError(str(error)) from None
        except RecursionError:
            raise ValueError("too many brackets in each other") from None
        except (msgspec.DecodeError, UnicodeEncodeError):  # invalid JSON, or an escaped byte
            return read_slowly(text)

    def read_slowly(text: Text) -> Any:
        try:
            return decode(kind, json.loads(text if isinstance(text, str) else bytes(text)))
        except RecursionError:
            raise ValueError("too many brackets in each other") from None

    return read


def _builtin(value: object) -> object:
    """Convert a value for msgspec's encoder: a mapping to a dict, and raw JSON to its parsed value. Raises
    TypeError for other types.
    """
    if type(value) is MappingProxyType or isinstance(value, Mapping):  # the second takes three times as long
        return dict(value)
    if isinstance(value, msgspec.Raw):
        return json.loads(bytes(value))
    raise TypeError(f"{type(value).__name__} has no JSON form")


_ENCODER = msgspec.json.Encoder(enc_hook=_builtin)
