r"""The text of GTP: responses, commands, time controls, names and versions.

A response begins with a line whose first character is ``=`` or ``?`` and ends with the first empty line.
Blank lines and comment lines before it are skipped. Control characters except tab and newline are ignored, so
a line end may be CR LF. Each byte is scanned once, however the output is split.

Time controls are rounded down: to milliseconds in KataGo's commands, to seconds in all others. GTP 2 itself
has main time and Canadian byo-yomi. If the engine has the commands, Japanese byo-yomi is set by
`kgs-time_settings`, and Fischer time and fractions of seconds by `kata-time_settings`. Other engines get the
nearest control that does not exceed the real one: one period, and the increment as a period for each move.
Only a control of less than a second is rounded up, to one second.

>>> answers = AnswerReader()
>>> answers.feed(b"\r\n= D4\r\n\r"), answers.feed(b"\n? no")
([], [b'= D4'])
>>> answers.has_begun, read_answer(b"=\n\tD4 ", False)
(True, (True, '', '\n D4'))
>>> short_name("GNU Go", "GNU Go 3.8"), describe("", "3.8", "")
('GNU Go:3.8', 'version 3.8')
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from gyoji.core.clocks import Clock, TimeControl

Answer: TypeAlias = tuple[bool, str]
"""(whether a command succeeded, text of the response)."""

_CONTROL = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
_IGNORED = _CONTROL + b"\t "
_MARKERS = (b"=", b"?")
_NEWLINE = 10
_OWN_ID = re.compile(r"\d*")
_UNASKED_ID = re.compile(r"\d+(?= )")  # "=2" is the text 2, as of engines that leave the blank out


class AnswerReader:
    """Splits one engine's output into responses.

    Attributes:
        stray: A line that is no part of a response. Nothing after it is parsed. b"" for none.
        is_empty: Whether all output so far consists of complete responses.
    """

    __slots__ = ("_lines", "_opener", "_partial", "is_empty", "stray")

    def __init__(self) -> None:
        self._lines: list[bytes] = []  # of the answer that has begun
        self._partial: list[bytes] = []  # pieces of the line that has no end yet
        self._opener = b""  # its first character that is neither blank nor control
        self.stray = b""
        self.is_empty = True

    @property
    def has_begun(self) -> bool:
        """Whether there is an incomplete response, or other output than blanks and comments."""
        return bool(self._lines) or self._opener not in (b"", b"#")

    def begun(self) -> bytes:
        """Return the incomplete response."""
        return b"\n".join([*self._lines, b"".join(self._partial)])

    def feed(self, data: bytes) -> list[bytes]:
        """Return the responses that `data` completes, without control characters and the final empty line."""
        complete = self._feed_lines(data)
        self.is_empty = not (self._lines or self._partial or self.stray)
        return complete

    def _feed_lines(self, data: bytes) -> list[bytes]:
        cut = data.rfind(b"\n") + 1
        ended, tail = data[:cut], data[cut:]
        complete: list[bytes] = []
        if ended:
            if self._partial:
                ended = b"".join([*self._partial, ended])
                self._partial.clear()
            self._opener = b""
            for line in ended[:-1].translate(None, _CONTROL).split(b"\n"):
                if line and self._lines:
                    self._lines.append(line)
                elif line:
                    self._begin(line)
                elif self._lines:
                    complete.append(b"\n".join(self._lines))
                    self._lines = []
                if self.stray:
                    return complete
        if tail:
            self._partial.append(tail)
            if not self._opener:
                self._opener = tail.translate(None, _IGNORED)[:1]
        return complete

    def _begin(self, line: bytes) -> None:
        """Handle a line between responses: it begins one, is a comment, or is stray."""
        if line.startswith(_MARKERS):
            self._lines.append(line)
        elif (opener := line.lstrip()[:1]) and opener != b"#":
            self.stray = line


def read_answer(answer: bytes, is_numbered: bool) -> tuple[bool, str, str]:
    """Return (success, id, text) of a response. The id is "" if there is none.

    If commands are sent without ids, digits count as an id only if a blank follows them. Bytes that are not
    UTF-8 become "?".
    """
    text = answer.decode("utf-8", "replace").replace("\ufffd", "?").replace("\t", " ").rstrip()
    is_success, text = text[0] == "=", text[1:]
    number = (_OWN_ID if is_numbered else _UNASKED_ID).match(text)
    if number is None:
        return is_success, "", text.lstrip(" ")
    return is_success, number[0], text[number.end() :].lstrip(" ")


SHORT_OUTPUT = 64
"""The length in bytes below which output is parsed by `read_short_output`."""


@lru_cache(maxsize=1000)
def read_short_output(output: bytes, is_numbered: bool) -> list[tuple[bool, str, str]] | None:
    """Return (success, id, text) of each response in `output`, or None if it has anything but complete
    responses.

    The result is cached, which saves 1 us per move, because most outputs are equal to earlier ones.
    """
    if not output.endswith(b"\n\n"):
        return None
    answers = output[:-2].translate(None, _CONTROL).split(b"\n\n")
    if any(answer[:1] not in _MARKERS or answer[-1] == _NEWLINE for answer in answers):  # three newlines
        return None
    return [read_answer(answer, is_numbered) for answer in answers]


class Wording:
    r"""Formats commands, with an engine's aliases and, if wanted, with ids from 1.

    >>> wording = Wording({"name": "my-name"}, is_numbered=True)
    >>> wording.encode(wording.line("known_command name") + wording.line("play b D4"))
    b'1 known_command my-name\n2 play b D4\n'
    """

    __slots__ = ("_aliases", "_sent", "is_numbered")

    def __init__(self, aliases: Mapping[str, str], *, is_numbered: bool) -> None:
        self._aliases = aliases
        self._sent = 0
        self.is_numbered = is_numbered

    def line(self, command: str) -> str:
        """Return the line of a command. The player's alias for a command replaces its name, also after
        `known_command`.
        """
        aliases = self._aliases
        if not aliases:
            return command + "\n"
        word, blank, rest = command.partition(" ")
        if word == "known_command":
            rest = aliases.get(rest, rest)
        return f"{aliases.get(word, word)}{blank}{rest}\n"

    def encode(self, lines: str) -> bytes:
        """Return the bytes of one or more lines. Ids are given in the order of these calls."""
        if self.is_numbered:
            split = lines.split("\n")[:-1]
            lines = "".join([f"{self._sent + place} {line}\n" for place, line in enumerate(split, 1)])
            self._sent += len(split)
        return lines.encode()


SECOND = 1_000_000_000
_MS = SECOND // 1000

EXACT = "kata-time_settings"
"""KataGo's command for time controls. Its numbers may have fractions, and after it those of `time_left` too.
"""


def settings_commands(control: TimeControl) -> tuple[tuple[str, str], ...]:
    """Return (command, arguments) of the commands that can set an engine's clock, the best first. Empty
    without a time limit.

    >>> settings_commands(TimeControl.parse("10m + 3x30s"))[::2]
    (('kgs-time_settings', 'byoyomi 600 30 3'), ('time_settings', '600 30 1'))
    >>> settings_commands(TimeControl.parse("2s/move"))
    (('time_settings', '0 2 1'),)
    """
    if control.is_unlimited:
        return ()
    told = (control.main, control.increment, control.period)
    used = told if control.has_main else (control.move,)
    if control.increment or not any(each % SECOND for each in used) or 0 < min(filter(None, used)) < _MS:
        return _whole(control)
    rest = tuple(each for each in _whole(control) if each[0] != EXACT)
    return ((EXACT, _exact(control)), *rest)


def _exact(control: TimeControl) -> str:
    """Return the arguments of `kata-time_settings` for a time control without an increment."""
    if not control.has_main:
        return f"byoyomi 0 {_seconds(control.move)} 1"
    main, period = _seconds(control.main), _seconds(control.period)
    if not control.period:
        return f"absolute {main}"
    if control.stones > 1:
        return f"canadian {main} {period} {control.stones}"
    return f"byoyomi {main} {period} {control.periods}"


def _seconds(ns: int) -> str:
    """Format ns as seconds with as many digits as needed, rounded down to milliseconds.

    >>> _seconds(2_500_999_999), _seconds(30 * SECOND)
    ('2.5', '30')
    """
    whole, rest = divmod(ns // _MS, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


def _whole(control: TimeControl) -> tuple[tuple[str, str], ...]:
    """Return (command, arguments) of the commands that set a clock in whole seconds, the best first."""
    if not control.has_main:
        return (_time_settings(0, control.move, 1),)
    if control.increment and not control.period:
        fischer = f"fischer {_seconds(control.main)} {_seconds(control.increment)}"
        return ((EXACT, fischer), _time_settings(control.main, control.increment, 1))
    canadian = _time_settings(control.main, control.period, control.stones)
    if control.periods <= 1 or control.period < SECOND:
        return (canadian,)
    japanese = f"byoyomi {control.main // SECOND} {control.period // SECOND} {control.periods}"
    return (("kgs-time_settings", japanese), (EXACT, japanese), canadian)


def _time_settings(main: int, period: int, stones: int) -> tuple[str, str]:
    """Return the standard command `time_settings` and its arguments, for times in ns.

    A period of less than a second is omitted, because rounding would make it 0 or too long. If less than a
    second remains in total, one second is sent: some engines read 0 as no limit.
    """
    if period >= SECOND:
        return "time_settings", f"{main // SECOND} {period // SECOND} {stones}"
    if main >= SECOND or not period:
        return "time_settings", f"{max(1, main // SECOND)} 0 0"
    return "time_settings", f"0 1 {stones}"


def time_left(clock: Clock, *, counts_periods: bool, is_exact: bool = False) -> str:
    """Return the arguments of `time_left` after the colour: seconds, and the number of stones or periods.

    Args:
        counts_periods: Whether the second number is that of the remaining periods, because the clock was set
            by `kgs-time_settings`.
        is_exact: Whether the seconds may have fractions.

    >>> time_left(Clock(0, 3, 1, 30 * SECOND), counts_periods=True)
    '30 3'
    """
    in_main = bool(clock.main or not clock.periods)
    left = max(clock.main if in_main else clock.period, 0)
    shown = _seconds(left) if is_exact else f"{left // SECOND}"
    if in_main:
        return f"{shown} 0"
    return f"{shown} {clock.periods if counts_periods else clock.stones}"


LONG = 64
"""The length above which a version is assumed to contain other text."""

SHORT = 32
"""The maximum length of a version that becomes part of the short name."""

_ADVERTISEMENTS = (". Please read http", ": I'm playing", ": If you believe")
"""How texts begin that MoGo and Pachi append to their versions."""


def short_name(name: str, version: str) -> str:
    """Return an engine's name, followed by its version if that is short. Return "" without a name."""
    name, version = _one_line(name), clean_version(name, version)
    return f"{name}:{version}" if name and 0 < len(version) <= SHORT else name


def describe(name: str, version: str, text: str) -> str:
    """Return the engine's own description, or its name and version if it has none.

    Args:
        text: The description, "" for none.
    """
    if text.strip():
        return text.strip()
    name, version = _one_line(name), clean_version(name, version)
    if not version:
        return name
    return f"{name}:{version}" if name else f"version {version}"


@lru_cache(maxsize=16)
def clean_version(name: str, version: str) -> str:
    """Return the engine's version without its name and without advertising."""
    name, version = _one_line(name), _one_line(version)
    if name and version.lower().startswith(name.lower()):
        version = version[len(name) :].lstrip()
    if len(version) <= LONG:
        return version
    for beginning in _ADVERTISEMENTS:
        kept, found, _ = version.partition(beginning)
        if found:
            return kept
    return version.split()[0]


def _one_line(text: str) -> str:
    return " ".join(text.split())
