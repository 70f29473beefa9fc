"""Frozen values as JSON and back: what workers, the store and `--json` exchange. Never pickles.

A `Value` becomes an object of its fields without those at their defaults, a named tuple and a tuple a list,
an enum its value. Reading is strict: an unknown key or a value of the wrong shape raises ValueError; defaults
may be left out, and a mapping becomes a dict. msgspec does the work, in C.

>>> from gyoji.core.spec import Budgets
>>> dumps(Budgets(line=80))
'{"line":80}'
>>> loads(Budgets, dumps(Budgets(line=80))) == Budgets(line=80)
True
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Self, TypeAlias, TypeVar

import msgspec

T = TypeVar("T")
Text: TypeAlias = str | bytes | msgspec.Raw


class Unchanging:
    """A value that never changes: it is its own copy, however deep."""

    __slots__ = ()

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A frozen value that has a JSON form. Each class of them says `frozen=True, kw_only=True` for itself.

    `msgspec.structs.replace` makes another of it with some fields changed.
    """

    def __deepcopy__(self, memo: object) -> Self:
        return self


def dumps(value: object) -> str:
    """The JSON text of a value, on one line. Raises TypeError for what has no JSON form."""
    try:
        return _ENCODER.encode(value).decode()
    except UnicodeEncodeError:  # the name of a file that is not UTF-8: JSON has an escape for its bytes
        plain = msgspec.to_builtins(value, enc_hook=_builtin, str_keys=True)
        return json.dumps(plain, separators=(",", ":"))


def loads(kind: type[T], text: Text) -> T:
    """The value of type `kind` that `text` writes. Raises ValueError."""
    return reader(kind)(text)


def reader(kind: type[T]) -> Callable[[Text], T]:
    """A reader that works as `loads`, for many texts of one kind."""
    anything: Any = kind  # of which mypy does not know that it can be hashed
    read: Callable[[Text], T] = _reader(anything)
    return read


def encode(value: object) -> Any:
    """JSON-ready objects, lists and plain values for a value of ours."""
    return json.loads(dumps(value))


def decode(kind: type[T], plain: object) -> T:
    """The value of type `kind` that `encode` made `plain` of. Raises ValueError."""
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def frozen(plain: object) -> Any:
    """JSON-ready objects with tuples for lists, as frozen values hold them."""
    if isinstance(plain, list | tuple):
        return tuple([frozen(item) for item in plain])
    if isinstance(plain, Mapping):
        return {key: frozen(item) for key, item in plain.items()}
    return plain


@cache
def _reader(kind: Any) -> Callable[[Text], Any]:
    decoder = msgspec.json.Decoder(kind)

    def read(text: Text) -> Any:
        try:
            return decoder.decode(text)
        except msgspec.ValidationError as error:
            raise ValueError(str(error)) from None
        except (msgspec.DecodeError, UnicodeEncodeError):  # no JSON, or such an escape for bytes
            return decode(kind, json.loads(text if isinstance(text, str) else bytes(text)))

    return read


def _builtin(value: object) -> object:
    """Convert a value that msgspec does not know: a mapping that is no dict."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


_ENCODER = msgspec.json.Encoder(enc_hook=_builtin)
