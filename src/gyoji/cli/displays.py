"""How a run shows itself where there is no screen: a line a result, or not at all.

`gyoji.cli.live` has the screen. All offer the same methods, and are context managers; the scheduler's events
come in through `gyoji.cli.audience`.
"""

import sys
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Protocol

from gyoji.cli.exits import complain, forget_stdout, say
from gyoji.core.text import printable


class Display(Protocol):
    """Where a run is shown."""

    def __enter__(self) -> "Display": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def result(self, line: str) -> None:
        """A game ended."""

    def warning(self, line: str) -> None:
        """The organiser should see this."""

    def notice(self, line: str) -> None:
        """Whoever asked for something should see that it is being done."""


class QuietDisplay:
    """Nothing but warnings, on stderr. A wish is acknowledged where somebody may see it: on a terminal."""

    def __enter__(self) -> "QuietDisplay":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def result(self, line: str) -> None:
        return None

    def warning(self, line: str) -> None:
        complain(printable(line, 1000))

    def notice(self, line: str) -> None:
        if sys.stderr.isatty():
            complain(printable(line, 1000))


class PlainDisplay:
    """A line for each result on stdout, warnings on stderr, and at the end what `closing` says.

    When nobody reads stdout any more the games go on.
    """

    def __init__(self, closing: Callable[[], Iterable[str]]) -> None:
        self._closing = closing
        self._deaf = False

    def __enter__(self) -> "PlainDisplay":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and (lines := list(self._closing())):
            for line in ("", *lines):
                self._say(line)

    def result(self, line: str) -> None:
        self._say(printable(line, 1000))

    def warning(self, line: str) -> None:
        complain(printable(line, 1000))

    def notice(self, line: str) -> None:
        complain(printable(line, 1000))

    def _say(self, line: str) -> None:
        if self._deaf:
            return
        try:
            say(line)
        except BrokenPipeError:
            self._deaf = True
            forget_stdout()
