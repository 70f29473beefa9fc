"""How a run shows itself: live on a terminal, a line a result elsewhere, or not at all. Imports rich late.

All three offer the same methods; the scheduler's events come in through `gyoji.cli.audience`. A display is a
context manager: whatever happens inside, the terminal is left as it was found.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

import click

from gyoji.cli.exits import complain, forget_stdout
from gyoji.cli.frame import Frame, frame_lines
from gyoji.core.text import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

FRAMES_A_SECOND = 4


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
            click.echo(line)
        except BrokenPipeError:
            self._deaf = True
            forget_stdout()


class LiveDisplay:
    """The screen, redrawn `FRAMES_A_SECOND` times a second.

    At the end a last picture stays: what `closing` says, the last results and warnings.
    """

    def __init__(
        self,
        picture: Callable[[], Frame],
        closing: Callable[[], Iterable[str]],
        console: "Console | None" = None,
    ) -> None:
        from rich.console import Console  # noqa: PLC0415 - only a run on a terminal pays for rich
        from rich.live import Live  # noqa: PLC0415

        self._picture, self._closing = picture, closing
        self._console = console or Console(highlight=False, markup=False, emoji=False)
        self._live = Live(
            console=self._console,
            get_renderable=self._draw,
            refresh_per_second=FRAMES_A_SECOND,
            transient=True,
            vertical_overflow="crop",
            redirect_stdout=False,
        )

    def __enter__(self) -> "LiveDisplay":
        self._live.start(refresh=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with suppress(OSError):  # the terminal may have gone
            self._live.stop()
            if kind is None:
                for line in frame_lines(self._last(), sys.maxsize):
                    self._console.print(line, soft_wrap=True)

    def _last(self) -> Frame:
        """What remains to be said when nothing is going on any more."""
        last = self._picture()
        return Frame(
            voids=last.voids,
            report=tuple(self._closing()),
            results=last.results,
            warnings=last.warnings,
            pace=last.pace,
        )

    def result(self, line: str) -> None:
        return None

    def warning(self, line: str) -> None:
        return None

    def notice(self, line: str) -> None:
        return None

    def _draw(self) -> "Text":
        return picture_text(frame_lines(self._picture(), max(self._console.height - 1, 1)))


def picture_text(lines: list[str]) -> "Text":
    """The lines as rich text that is cut, never wrapped, at the terminal's width."""
    from rich.text import Text  # noqa: PLC0415

    text = Text(no_wrap=True, overflow="ellipsis")
    for number, line in enumerate(lines):
        text.append(line if number == 0 else f"\n{line}", style=_style(line))
    return text


def _style(line: str) -> str:
    if line.startswith("= "):
        return "bold"
    return "dim" if line.startswith("(") else ""
