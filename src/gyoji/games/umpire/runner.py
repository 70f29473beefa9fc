"""The codec of a relay's runner. It finds the result of a game in the runner's output or exit status.

A runner is a program that plays a whole game with the players and reports the result. Nothing is sent to it.
Its output is collected until it ends. Then the codec replies with lines of the umpire protocol: the result as
`end`, and the output as a picture of text.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType
from typing import Any, ClassVar

from gyoji.core import messages as m
from gyoji.core import wire
from gyoji.core.faults import FaultKind
from gyoji.core.placeholders import seats_named
from gyoji.core.plugins import Protocol
from gyoji.core.text import legible, printable, quote

_NONE: Mapping[str, Any] = MappingProxyType({})
_FORMS = ("json", "pattern", "status")
_HEAD, _TAIL = 4 << 10, 12 << 10
"""The number of characters that a record keeps of the beginning and of the end of a runner's output."""

GOOD = "exit 0"
"""The exit status of a successful runner, unless the exit status is the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of a runner. Invalid ones raise ValueError.

    Attributes:
        result: How to find the result, a table with one of three keys: `json`, a path into the JSON that the
            runner prints, such as "stats.*.rank"; `pattern`, a regular expression whose groups are numbers;
            `status`, a table of points by exit status. With `json` or `pattern`, the key `means` says what
            the numbers are: "places" (the default) or "points".
    """

    result: Mapping[str, Any] = field(default_factory=lambda: _NONE)

    def __post_init__(self) -> None:
        given = [form for form in _FORMS if form in self.result]
        if len(given) != 1:
            forms = 'json = "PATH", pattern = "EXPRESSION" or status = { 0 = [1, 0], ... }'
            raise ValueError(f"result: expected one of {forms}, got {', '.join(given) or 'none'}")
        if unknown := sorted(self.result.keys() - {*given, "means"}):
            raise ValueError(
                f"result: there is no {quote(unknown[0])}; there are: {', '.join(_FORMS)}, means"
            )
        _check(given[0], self.result[given[0]])
        means = self.result.get("means", "points" if given == ["status"] else "places")
        if means not in ("places", "points") or (given == ["status"] and means != "points"):
            raise ValueError(f"result: means: expected 'places' or 'points', got {quote(str(means))}")


def _check(form: str, value: Any) -> None:
    """Raise ValueError if the value of `json`, `pattern` or `status` is invalid."""
    if form == "status":
        good = isinstance(value, Mapping) and value and all(map(_is_status, value.items()))
        if not good:
            raise ValueError(
                "result: status: expected points by exit status, as in { 0 = [1, 0], 1 = [0, 1] }"
            )
        return
    if not isinstance(value, str) or not value:
        raise ValueError(f"result: {form}: expected a text, got {quote(str(value))}")
    if form == "pattern":
        try:
            groups = re.compile(value).groups
        except re.error as error:
            raise ValueError(f"result: pattern: {quote(value)} is no regular expression: {error}") from None
        if not groups:
            raise ValueError(f"result: pattern: {quote(value)} has no group, such as (\\d+), for a number")


def _is_status(entry: tuple[str, Any]) -> bool:
    status, points = entry
    return (
        status.isdecimal()
        and int(status) <= 255
        and isinstance(points, list | tuple)
        and all(isinstance(each, int | float) and _is_finite(each) for each in points)
    )


def numbers_of(result: Mapping[str, Any], output: str, status: str) -> Sequence[float]:
    """Return the place or points of each team.

    Args:
        result: `Options.result`.
        status: How the runner ended, such as "exit 0".

    Raises:
        ValueError: The output or exit status has no such numbers. The message says why.
    """
    if (by_status := result.get("status")) is not None:
        word, _, number = status.partition(" ")
        if word != "exit" or number not in by_status:
            raise ValueError(f"exited ({status})")
        return tuple(by_status[number])
    if status != GOOD:
        raise ValueError(f"exited ({status})")
    if (path := result.get("json")) is not None:
        return _by_path(output, path)
    return _by_pattern(output, result["pattern"])


def _by_path(output: str, path: str) -> Sequence[float]:
    """Return the numbers at a path in the last JSON value of an output. Raises ValueError."""
    value = _last_json(output)
    try:
        found = list(_at(value, path.split(".")))
    except (KeyError, IndexError, TypeError, ValueError):  # ValueError: an item of a list has no name
        found = []
    if not found:
        raise ValueError(f"wrote JSON without anything at {quote(path)}")
    for each in found:
        if isinstance(each, bool) or not isinstance(each, int | float) or not _is_finite(each):
            raise ValueError(f"wrote {quote(str(each))} at {quote(path)}, which is no number")
    return found


def _is_finite(number: float) -> bool:
    """Return whether a number is finite and, if it is an integer, small enough for a float."""
    try:
        return isfinite(number)
    except OverflowError:
        return False


def _last_json(output: str) -> Any:
    """Return the output parsed as JSON, or the last JSON value that begins a line of it. Raises
    ValueError.
    """
    with suppress(ValueError, RecursionError):
        return json.loads(output)
    decoder = json.JSONDecoder()
    lines = output.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith(("{", "["))]
    for start in reversed(starts[-_MOST_STARTS:]):
        with suppress(ValueError, RecursionError):
            value, _ = decoder.raw_decode("\n".join(lines[start:]))
            return value
    raise ValueError(f"wrote no JSON; its output ends with {quote(output.rstrip()[-100:])}")


_MOST_STARTS = 20
"""The maximum number of lines at which JSON is tried to begin. It limits the time for an output full of
brackets.
"""


def _at(value: Any, path: Sequence[str]) -> Iterator[Any]:
    """Yield the values at a path in a JSON value. For a list at the end of the path, yield its items.

    Args:
        value: The JSON value.
        path: Keys of objects and indices of lists; "*" stands for all of them.

    Raises:
        KeyError, IndexError, TypeError, ValueError: The value has no such path.
    """
    if not path:
        yield from value if isinstance(value, list) else [value]
    elif path[0] != "*":
        yield from _at(value[int(path[0])] if isinstance(value, list) else value[path[0]], path[1:])
    elif isinstance(value, list):
        for each in value:
            yield from _at(each, path[1:])
    else:
        numbered = all(key.isdecimal() for key in value)
        for key in sorted(value, key=int) if numbered else value:
            yield from _at(value[key], path[1:])


def _by_pattern(output: str, pattern: str) -> Sequence[float]:
    """Return the numbers that a pattern finds in the output of a runner.

    They are the groups of its last match or, if it has only one group, that group of every match.

    Raises:
        ValueError: There is no match, or its groups are no numbers.
    """
    found = list(re.finditer(pattern, output, re.MULTILINE))
    if not found:
        raise ValueError(f"wrote nothing that matches {quote(pattern)}")
    texts = found[-1].groups() if found[-1].re.groups > 1 else [match[1] for match in found]
    try:
        numbers = [float(text) for text in texts]
    except (TypeError, ValueError):
        numbers = []
    if not numbers or not all(map(isfinite, numbers)):
        raise ValueError(f"wrote {quote(str(texts))} for {quote(pattern)}, which are no numbers")
    return numbers


class RunnerCodec:
    """The port `Codec` for a runner. It knows two requests: `AskUmpire` starts a game, `RunnerEnded` ends
    it.
    """

    answers_itself: ClassVar[bool] = True

    def __init__(self, options: Options) -> None:
        self._options = options
        self._output: list[bytes] = []
        self._due: list[m.Reply] = []

    def send(self, request: m.Request) -> bytes:
        if isinstance(request, m.RunnerEnded):
            output = b"".join(self._output).decode("utf-8", "replace")
            try:
                self._due.append(m.Ruled((*_remarks(request, output), self._end(output, request.status))))
            except ValueError as error:
                self._due.append(m.Broken(FaultKind.PROTOCOL, printable(str(error), 400)))
        return b""

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        if data:
            self._output.append(data)
        due, self._due = self._due, []
        return due

    def finish(self) -> Sequence[m.Reply]:
        return ()

    def _end(self, output: str, status: str) -> str:
        """Return the `end` line of the umpire protocol for the runner's result.

        Raises:
            ValueError: The result cannot be read from `output` and `status`, or a place is no whole number.
        """
        result = self._options.result
        numbers = numbers_of(result, output, status)
        means = result.get("means", "points" if "status" in result else "places")
        if means == "places" and any(number != int(number) for number in numbers):
            raise ValueError(f"wrote {quote(str(list(numbers)))} as places, which are no whole numbers")
        values = [int(number) for number in numbers] if means == "places" else list(numbers)
        return wire.dumps({"end": {means: values}})


def _remarks(ended: m.RunnerEnded, output: str) -> list[str]:
    """Return lines of the umpire protocol: the runner's output as a picture of text, and a `fault` for each
    player that broke down.
    """
    text = legible(output.strip("\n"))
    if len(text) > _HEAD + _TAIL:
        left = len(text) - _HEAD - _TAIL
        text = f"{text[:_HEAD]}\n... {left} characters ...\n{text[-_TAIL:]}"
    pictures = [wire.dumps({"picture": {"text": text}})] if text else []
    return [*pictures, *(wire.dumps({"fault": {"seat": seat, "why": why}}) for seat, why in ended.broke)]


def _check_command(words: Sequence[str], _options: object) -> None:
    """Raise ValueError if the runner's command has no placeholder for a seat."""
    if not seats_named(words):
        raise ValueError("expected {seat1}, {seat2} ... where the runner takes the commands of players")


PROTOCOL = Protocol(
    name="relay-program",
    options=Options,
    codec=RunnerCodec,
    games=(),
    check_command=_check_command,
)
"""The protocol of runners. Players cannot use it."""
