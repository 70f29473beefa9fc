"""A program that answers lines on its standard input and output, and how its command line is read.

Knows no language: a subclass says what the answer to a line is.
"""

import os
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


def current_traceback() -> str:
    """The traceback of the exception that is being handled: a bug in one answer must not end a game."""
    import traceback  # noqa: PLC0415  slow to import, and seldom wanted

    return traceback.format_exc()


def read_options(program: str, *known: str) -> dict[str, str] | None:
    """The options of the command line with their values, "" for one without; None, after a line on stderr,
    if there are others than the `known` ones ("--random", or "--seed N" for one with a value).
    Asked for help, it says what there is, and ends the program."""
    takes_value = {name: bool(value) for name, _, value in (each.partition(" ") for each in known)}
    found, words = dict[str, str](), iter(sys.argv[1:])
    for word in words:
        if word in ("-h", "--help"):
            print(f"{program} is an engine: gyoji talks to it, as in `gyoji play` or `gyoji match`.")
            print(f"Options: {', '.join(known)}")
            sys.exit(0)
        if word not in takes_value:
            sys.stderr.write(f"{program}: no option {word!r}; there are: {', '.join(known)}\n")
            return None
        found[word] = next(words, "") if takes_value[word] else ""
    return found


def seed_of(options: dict[str, str]) -> str:
    """The seed that `--seed` gives, else one for each game of a competition, else one by chance."""
    token = os.environ.get("GYOJI_GAME_TOKEN", "")
    return options.get("--seed") or token or str(int.from_bytes(os.urandom(4), "big"))
