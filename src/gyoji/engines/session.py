"""A conversation over standard input and output: a line is read, its answer written, until one of them ends.

Knows no language: a subclass says what the answer to a line is.
"""

import sys
from typing import BinaryIO

LINE_LIMIT = 1 << 20
"""A longer line of input ends the session."""


class ControllerGone(Exception):
    """Nobody reads our answers any more."""


class Session:
    """A program that answers lines; subclasses define `_reply`."""

    def _reply(self, line: bytes) -> tuple[bytes, bool]:
        """(answer, whether the session ends with it). Raises nothing."""
        raise NotImplementedError

    def answer(self, line: bytes) -> bytes:
        """The whole answer to a line of input, b"" for a line that wants none. Raises nothing."""
        return self._reply(line)[0]

    def session(self, source: BinaryIO, sink: BinaryIO) -> None:
        """Answer lines from `source` to its end, or until an answer ends it. Raises ControllerGone."""
        while line := source.readline(LINE_LIMIT):
            if len(line) == LINE_LIMIT:
                return
            answer, ends = self._reply(line)
            try:
                while answer:
                    answer = answer[sink.write(answer) :]
                sink.flush()
            except (BrokenPipeError, ValueError):  # ValueError: closed on our side
                raise ControllerGone("nobody reads the answers") from None
            if ends:
                return

    def run(self) -> int:
        """Talk over standard input and output until the session ends; the exit status for the program.

        1 when the controller vanished. The output is not buffered: nothing is left to flush, and to
        complain about, after that.
        """
        try:
            with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as sink:
                self.session(sys.stdin.buffer, sink)
        except ControllerGone:
            return 1
        except KeyboardInterrupt:
            return 130
        return 0
