"""The base class of gyoji's engines in Python, which answers lines of standard input, and the parsing of
their command lines.

Subclasses define the answer to a line.
"""

import os
import sys
from typing import BinaryIO

LINE_LIMIT = 1 << 20
"""The maximum length of an input line in bytes. A longer one ends the session."""


class ControllerGone(Exception):
    """Raised if the program that talks to the engine has closed the engine's output."""


class Session:
    """A program that answers lines of standard input on standard output. Subclasses define `_reply`."""

    def _reply(self, line: bytes) -> tuple[bytes, bool]:
        """Return the answer to a line, and whether the session ends with it. Never raises."""
        raise NotImplementedError

    def answer(self, line: bytes) -> bytes:
        """Return the complete answer to a line of input, or b"" if it needs none. Never raises."""
        return self._reply(line)[0]

    def session(self, source: BinaryIO, sink: BinaryIO) -> None:
        """Answer lines from `source` until its end, or until an answer ends the session.

        A line of `LINE_LIMIT` bytes or more ends it too.

        Raises:
            ControllerGone: `sink` is closed.
        """
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
        """Answer lines of standard input until the session ends. Return the program's exit status.

        The status is 1 if the controller closed the engine's output, 130 after Ctrl+C, else 0. Output is
        unbuffered, so that there is nothing to flush at exit, which could fail.
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
    """Return the traceback of the current exception as text. It is logged, because a bug in one answer must
    not end a game.
    """
    import traceback  # noqa: PLC0415  slow to import, and seldom wanted

    return traceback.format_exc()


def read_options(program: str, *known: str) -> dict[str, str] | None:
    """Parse the command line into a dict of options and their values ("" for an option without a value).

    For an unknown option, print a line on stderr and return None. For `--help`, print the options and exit.

    Args:
        program: Name of the program in messages.
        known: The options, such as "--random", or "--seed N" for one with a value.
    """
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
    """Return the seed of an engine.

    It is the value of `--seed`. Without that option, it is the value of GYOJI_GAME_TOKEN, which differs in
    each game of a competition. Without both, it is a random number.

    Args:
        options: The options of the command line, as `read_options` returns them.
    """
    token = os.environ.get("GYOJI_GAME_TOKEN", "")
    return options.get("--seed") or token or str(int.from_bytes(os.urandom(4), "big"))
