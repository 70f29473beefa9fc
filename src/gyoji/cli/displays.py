"""How a run shows itself: live on a terminal, a line a result elsewhere, or not at all. Imports rich late.

All three offer the same methods; the scheduler's events come in through `gyoji.cli.listening`. A display is a
context manager: whatever happens inside, the terminal is left as it was found.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

import click

from gyoji.cli.exits import complain
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


class QuietDisplay:
    """Nothing but warnings, on stderr."""

    def __enter__(self) -> "QuietDisplay":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def result(self, line: str) -> None:
        return None

    def warning(self, line: str) -> None:
        complain(printable(line, 1000))


class PlainDisplay:
    """A line for each result on stdout, warnings on stderr, and the standings at the end.

    When nobody reads stdout any more the games go on.
    """

    def __init__(self, picture: Callable[[], Frame]) -> None:
        self._picture = picture
        self._deaf = False

    def __enter__(self) -> "PlainDisplay":
        return self

    def __exit__(self, *_: object) -> None:
        frame = self._picture()
        if frame.report:
            self._say("")
        for line in frame.report:
            self._say(line)

    def result(self, line: str) -> None:
        self._say(printable(line, 1000))

    def warning(self, line: str) -> None:
        complain(printable(line, 1000))

    def _say(self, line: str) -> None:
        if self._deaf:
            return
        try:
            click.echo(line)
        except BrokenPipeError:
            self._deaf = True


class LiveDisplay:
    """The screen, redrawn `FRAMES_A_SECOND` times a second; its last picture stays when the run is over."""

    def __init__(self, picture: Callable[[], Frame], console: "Console | None" = None) -> None:
        from rich.console import Console  # noqa: PLC0415 - only a run on a terminal pays for rich
        from rich.live import Live  # noqa: PLC0415

        self._picture = picture
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

    def __exit__(self, *_: object) -> None:
        with suppress(BrokenPipeError):
            self._live.stop()
            for line in frame_lines(self._picture(), sys.maxsize):
                self._console.print(line, soft_wrap=True)

    def result(self, line: str) -> None:
        return None

    def warning(self, line: str) -> None:
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
