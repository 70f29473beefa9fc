r"""Words between us and a GTP engine: answers cut from bytes, our commands, time controls, names.

An answer begins with a line whose first character is ``=`` or ``?`` and ends with the first empty line. What
stands before it, blank lines and lines of comment, is skipped. Control characters but tab and newline
count as not there, so an end of line may be CR LF. Every byte is looked at once, in whatever pieces it comes.

Time controls are rounded down: to milliseconds in KataGo's words, to seconds in all others. GTP 2 itself
knows main time and Canadian byo-yomi. Japanese byo-yomi is told in the way of KGS, Fischer time and
fractions of seconds in that of KataGo, to engines that know these; for the others the nearest control that
promises no more time than there is: one period, and the increment as a period for each move. Only a control
that is all under a second is told as more, as one second.

>>> answers = Answers()
>>> answers.feed(b"\r\n= D4\r\n\r"), answers.feed(b"\n? no")
([], [[b'= D4']])
>>> answers.has_begun, read_answer([b"=", b"\tD4 "], is_numbered=False)
(True, (True, '', '\n D4'))
>>> short_name("GNU Go", "GNU Go 3.8"), describe("", "3.8", "")
('GNU Go:3.8', 'version 3.8')
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.messages import Move, Moved

Answer: TypeAlias = tuple[bool, str]
"""Whether the command succeeded, and the text behind the marker."""

_CONTROL = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
_IGNORED = _CONTROL + b"\t "
_OWN_ID = re.compile(r"\d*")
_UNASKED_ID = re.compile(r"\d+(?= )")  # "=2" is the text 2, as of engines that leave the blank out


class Answers:
    """Reads one engine's output. `stray` is a line that begins no answer; nothing is read after it."""

    __slots__ = ("_lines", "_opener", "_partial", "stray")

    def __init__(self) -> None:
        self._lines: list[bytes] = []  # of the answer that has begun
        self._partial: list[bytes] = []  # pieces of the line that has no end yet
        self._opener = b""  # its first character that is neither blank nor control
        self.stray = b""

    @property
    def is_empty(self) -> bool:
        return not (self._lines or self._partial)

    @property
    def has_begun(self) -> bool:
        """Whether something was said, blanks and comments aside, that is no complete answer yet."""
        return bool(self._lines) or self._opener not in (b"", b"#")

    def begun(self) -> bytes:
        """The incomplete answer."""
        return b"\n".join([*self._lines, b"".join(self._partial)])

    def feed(self, data: bytes) -> list[list[bytes]]:
        """The lines of each answer that is complete now, without line ends and control characters."""
        cut = data.rfind(b"\n") + 1
        ended, tail = data[:cut], data[cut:]
        complete: list[list[bytes]] = []
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
                    complete.append(self._lines)
                    self._lines = []
                if self.stray:
                    return complete
        if tail:
            self._partial.append(tail)
            if not self._opener:
                self._opener = tail.translate(None, _IGNORED)[:1]
        return complete

    def _begin(self, line: bytes) -> None:
        """A line while no answer has begun."""
        if line.startswith((b"=", b"?")):
            self._lines.append(line)
        elif (opener := line.lstrip()[:1]) and opener != b"#":
            self.stray = line


def read_answer(lines: list[bytes], *, is_numbered: bool) -> tuple[bool, str, str]:
    """(success, id, text) of the lines of an answer; id is "" if there is none.

    Without numbers of ours an id is taken off only where a blank follows. Bytes that are not UTF-8 are
    shown as ?.
    """
    whole = b"\n".join(lines)
    return (_read_known if len(whole) < _SHORT else _read)(whole, is_numbered)


_SHORT = 64
"""Bytes of answers that are remembered: every new engine gives the same ones."""


def _read(whole: bytes, is_numbered: bool) -> tuple[bool, str, str]:
    text = whole.decode("utf-8", "replace").replace("\ufffd", "?").replace("\t", " ").rstrip()
    is_success, text = text[0] == "=", text[1:]
    number = (_OWN_ID if is_numbered else _UNASKED_ID).match(text)
    if number is None:
        return is_success, "", text.lstrip(" ")
    return is_success, number[0], text[number.end() :].lstrip(" ")


_read_known = lru_cache(maxsize=1000)(_read)


class Wording:
    """aliases: our word for a command -> the engine's. is_numbered: whether commands carry ids, from 1.

    >>> wording = Wording({"name": "my-name"}, is_numbered=True)
    >>> wording.encode(wording.line("known_command name") + wording.line("play b D4"))
    b'1 known_command my-name\\n2 play b D4\\n'
    """

    __slots__ = ("_aliases", "_sent", "is_numbered")

    def __init__(self, aliases: Mapping[str, str], *, is_numbered: bool) -> None:
        self._aliases = aliases
        self._sent = 0
        self.is_numbered = is_numbered

    def line(self, command: str) -> str:
        """A command with the engine's word for it, also where it is the command asked about."""
        aliases = self._aliases
        if not aliases:
            return command + "\n"
        word, blank, rest = command.partition(" ")
        if word == "known_command":
            rest = aliases.get(rest, rest)
        return f"{aliases.get(word, word)}{blank}{rest}\n"

    def encode(self, lines: str) -> bytes:
        """The bytes of whole lines, in the order in which they are written."""
        if self.is_numbered:
            split = lines.split("\n")[:-1]
            lines = "".join([f"{self._sent + place} {line}\n" for place, line in enumerate(split, 1)])
            self._sent += len(split)
        return lines.encode()


_MOST_WORDS = 4096


class Words:
    """The words for the moves of one game, each made when it is first heard or told.

    names: a move -> its name and the end of the line. answers: a plain answer, its end included -> replies.
    """

    def __init__(self, parse: Callable[[str], Move], form: Callable[[Move], str]) -> None:
        self._parse = parse
        self._format = form
        self.names: dict[Move, bytes] = {}
        self.answers: dict[bytes, tuple[Moved]] = {}

    def name(self, move: Move) -> bytes:
        """The entry of `names`."""
        name = self.names[move] = f"{self._format(move)}\n".encode()
        if len(self.names) > _MOST_WORDS:
            self.names.clear()
        return name

    def read(self, data: bytes) -> tuple[Moved] | None:
        """The entry of `answers`; None if `data` is anything but the plain answer that is one move."""
        if data[:2] != b"= " or data[-2:] != b"\n\n":
            return None
        try:
            text = data[2:-2].decode("ascii")
            move = self._parse(text) if text.isprintable() else ()
        except ValueError:  # not ASCII, or no move
            return None
        if isinstance(move, tuple):
            return None
        if len(self.answers) >= _MOST_WORDS:
            self.answers.clear()
        replies = self.answers[data] = (Moved(move),)
        return replies


@lru_cache(maxsize=8)
def words_of(parse: Callable[[str], Move], form: Callable[[Move], str]) -> Words:
    """The words of a game with this notation, kept: a worker plays many games on few boards."""
    return Words(parse, form)


SECOND = 1_000_000_000
_MS = SECOND // 1000

EXACT = "kata-time_settings"
"""The command whose numbers may have fractions; an engine told by it reads them in `time_left` too."""


def settings_commands(control: TimeControl) -> tuple[tuple[str, str], ...]:
    """(command, arguments) that tell an engine of `control`, the best first. Empty if there is no clock.

    >>> settings_commands(TimeControl.parse("10m + 3x30s"))[::2]
    (('kgs-time_settings', 'byoyomi 600 30 3'), ('time_settings', '600 30 1'))
    >>> settings_commands(TimeControl.parse("2s/move"))
    (('time_settings', '0 2 1'),)
    >>> settings_commands(TimeControl.parse("15s + 2x2.5s"))[0]
    ('kata-time_settings', 'byoyomi 15 2.5 2')
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
    """The arguments of `EXACT`, for a control without an increment."""
    if not control.has_main:
        return f"byoyomi 0 {_seconds(control.move)} 1"
    main, period = _seconds(control.main), _seconds(control.period)
    if not control.period:
        return f"absolute {main}"
    if control.stones > 1:
        return f"canadian {main} {period} {control.stones}"
    return f"byoyomi {main} {period} {control.periods}"


def _seconds(ns: int) -> str:
    """Seconds, with as many digits as there are, down to milliseconds.

    >>> _seconds(2_500_999_999), _seconds(30 * SECOND)
    ('2.5', '30')
    """
    whole, rest = divmod(ns // _MS, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


def _whole(control: TimeControl) -> tuple[tuple[str, str], ...]:
    """As `settings_commands`, in whole seconds but for Fischer time."""
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
    """GTP's own command. A period under a second is left out: it would be told as none, or as too much.

    Where nothing whole is left one second is told, as no time at all may be taken for no limit.
    """
    if period >= SECOND:
        return "time_settings", f"{main // SECOND} {period // SECOND} {stones}"
    if main >= SECOND or not period:
        return "time_settings", f"{max(1, main // SECOND)} 0 0"
    return "time_settings", f"0 1 {stones}"


def time_left(clock: Clock, *, counts_periods: bool, is_exact: bool = False) -> str:
    """The arguments of time_left behind the colour.

    counts_periods: Japanese byo-yomi has been told in the way of KGS, where the stones are the periods left.
    is_exact: with fractions of seconds.

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
"""A version of more characters than this carries more than a version."""

SHORT = 32
"""A version of at most so many characters goes into the short name."""

_ADVERTISEMENTS = (". Please read http", ": I'm playing", ": If you believe")
"""Where the texts begin that MoGo and Pachi put behind their versions."""


def short_name(name: str, version: str) -> str:
    """The name, with a short version behind it; "" for an engine without a name."""
    name, version = _one_line(name), clean_version(name, version)
    return f"{name}:{version}" if name and 0 < len(version) <= SHORT else name


def describe(name: str, version: str, text: str) -> str:
    """All that is known of an engine: its own text if it has one, else name and version."""
    if text.strip():
        return text.strip()
    name, version = _one_line(name), clean_version(name, version)
    if not version:
        return name
    return f"{name}:{version}" if name else f"version {version}"


@lru_cache(maxsize=16)
def clean_version(name: str, version: str) -> str:
    """The version alone, without the name and without advertising."""
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
