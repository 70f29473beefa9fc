r"""The output of an engine, cut into answers: bytes in any pieces become the lines of complete answers.

An answer begins with a line whose first character is ``=`` or ``?`` and ends with the first empty line. What
stands before it, blank lines and lines of comment, is skipped. Control characters but tab and newline
count as not there, so an end of line may be CR LF. Every byte is looked at once, in whatever pieces it comes.

>>> answers = Answers()
>>> answers.feed(b"\r\n= D4\r\n\r"), answers.feed(b"\n? no")
([], [[b'= D4']])
>>> answers.has_begun, read_answer([b"=", b"\tD4 "], is_numbered=False)
(True, (True, '', '\n D4'))
"""

import re
from typing import TypeAlias

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
        pieces = data.split(b"\n")
        tail = pieces.pop()
        complete: list[list[bytes]] = []
        if pieces:
            if self._partial:
                pieces[0] = b"".join([*self._partial, pieces[0]])
                self._partial.clear()
            self._opener = b""
            for piece in pieces:
                self._take_line(piece.translate(None, _CONTROL), complete)
                if self.stray:
                    return complete
        if tail:
            self._partial.append(tail)
            if not self._opener:
                self._opener = tail.translate(None, _IGNORED)[:1]
        return complete

    def _take_line(self, line: bytes, complete: list[list[bytes]]) -> None:
        if self._lines:
            if line:
                self._lines.append(line)
            else:
                complete.append(self._lines)
                self._lines = []
        elif line.startswith((b"=", b"?")):
            self._lines.append(line)
        elif (opener := line.lstrip()[:1]) and opener != b"#":
            self.stray = line


def read_answer(lines: list[bytes], *, is_numbered: bool) -> tuple[bool, str, str]:
    """(success, id, text) of the lines of an answer; id is "" if there is none.

    Without numbers of ours an id is taken off only where a blank follows. Bytes that are not UTF-8 are
    shown as ?.
    """
    text = b"\n".join(lines).decode("utf-8", "replace").replace("\ufffd", "?").replace("\t", " ").rstrip()
    is_success, text = text[0] == "=", text[1:]
    number = (_OWN_ID if is_numbered else _UNASKED_ID).match(text)
    if number is None:
        return is_success, "", text.lstrip(" ")
    return is_success, number[0], text[number.end() :].lstrip(" ")
