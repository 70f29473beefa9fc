"""The display of a run on a terminal, drawn by rich. Only a run on a terminal imports it.

The terminal stays usable at every moment, however the run ends: the cursor is never hidden, the alternate
screen is never used, and only our own lines are overwritten.
"""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Column, Table
from rich.text import Text

from gyoji.cli.display import LONGEST, Display, result_line
from gyoji.cli.exits import complain
from gyoji.cli.standing import void_line
from gyoji.core.clocks import TimeControl
from gyoji.core.describe import GOMILL, ResultWords
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.text import counted, format_duration, printable
from gyoji.play.loop import Alarm, Loop
from gyoji.play.order import Order
from gyoji.report.text import text_lines
from gyoji.scheduler.event import Event
from gyoji.scheduler.issued_games import IssuedGame
from gyoji.tables.digest import ResultsDigest

FRAMES_A_SECOND = 4
_PERIOD = 1_000_000_000 // FRAMES_A_SECOND

TOP = 12
"""Largest number of rows of a section. If the terminal is too low, the bottom of the picture is cut off."""
RESULTS = 6
WARNINGS = 4
BAR = 40
"""Columns of the progress bar."""


def _stacked(sections: Iterable[Sequence[RenderableType]]) -> Group:
    """Return sections with a blank line between them. Empty ones are left out."""
    filled = [section for section in sections if section]
    return Group(
        *(each for number, section in enumerate(filled) for each in (*([""] * (number > 0)), *section))
    )


class Screen(Display):
    """The screen of one run, redrawn `FRAMES_A_SECOND` times a second.

    The run's thread makes each picture, so that its parts show the same moment. Another thread, of rich,
    writes the latest picture. So a terminal that is stopped (Ctrl-S) does not stop the games.
    """

    watches = True

    def __init__(
        self,
        event: Event,
        digest: ResultsDigest | None,
        loop: Loop,
        *,
        closing: Callable[[], Iterable[str]],
        most: int | None = None,
        words: ResultWords = GOMILL,
        console: Console | None = None,
    ) -> None:
        """Create the screen of a run.

        Args:
            event: The competition and its setup. The screen replaces both after a reload.
            digest: Sums of results, to which the screen adds each new one; None to show no Elo differences
                above the tables.
            loop: The event loop of the run.
            closing: Returns the tables that stay on the terminal at the end.
            most: Largest number of games that the run may start, without those played again; None for no
                limit.
            words: The words for results of this game.
            console: The console to draw on; None for one on stdout that never hides the cursor.
        """
        super().__init__(event, digest)
        self._closing, self._most, self._words = closing, most, words
        self._again: set[str] = set()  # void games, which will be played again
        self._results: deque[str] = deque(maxlen=RESULTS)
        self._warnings: deque[str] = deque(maxlen=WARNINGS)
        self._stopping, self._finishes, self._is_paused = "", True, False
        self._started = 0
        self._alarm = Alarm(loop, self._draw, self._give_up)
        self._console = console or _Console(highlight=False, markup=False, emoji=False)
        self._picture = Group()
        self._live = Live(
            console=self._console,
            get_renderable=lambda: self._picture,
            refresh_per_second=FRAMES_A_SECOND,
            transient=True,
            vertical_overflow="ellipsis",
            redirect_stdout=False,
        )

    def __enter__(self) -> "Screen":
        self._draw(time.monotonic_ns())
        self._live.start(refresh=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._alarm.retire()
        with suppress(OSError):  # the terminal may have gone
            self._live.stop()
            if kind is None:
                pace = [Text(self.pace(goes_on=False))]
                last = _stacked([self._tables(self._closing()), *self._news(), pace])
                self._console.print(last, soft_wrap=True)

    def started(self, order: Order) -> None:
        self._started += order.spec.id not in self._again
        self._again.discard(order.spec.id)

    def finished(self, result: GameResult) -> None:
        super().finished(result)
        self._results.append(result_line(result, self._words))

    def voided(self, void: VoidGame, attempt: int) -> None:
        super().voided(void, attempt)
        self._again.add(void.id)

    def warning(self, text: str) -> None:
        self._warnings.append(text)
        if not sys.stderr.isatty():  # it goes to a file, where warnings are kept
            complain(printable(text, LONGEST))

    def steered(self, what: str, *, paused: bool) -> None:
        self._is_paused = paused

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        self._stopping, self._finishes = reason, bool(waiting)

    def _draw(self, now: int) -> None:
        """Make the picture of the present state, and set the alarm for the next one.

        Args:
            now: The time in monotonic ns.
        """
        self._picture = self.picture()
        self._alarm.set(now + _PERIOD)

    def _give_up(self) -> None:
        """Report an exception in `picture`, which is a bug. The games go on, and the last picture stays."""
        complain(f"the live display has stopped: {printable(repr(sys.exception()))}")

    def picture(self) -> Group:
        """Return what the screen shows now: the state of the run, games in progress, news, and tables."""
        games, distances = self._playing(), self.distances()
        report = chain([*distances, ""] if distances else [], text_lines(self._event.tables().screen()))
        return _stacked(
            [
                [*self._halting(len(games)), *self._hints(len(games)), *self._progress()],
                list(_games(games)),
                *self._news(),
                self._tables(islice(report, TOP)),
            ]
        )

    def _tables(self, lines: Iterable[str]) -> list[RenderableType]:
        voids = self.earlier_voids + self.voids
        return [*([Text(void_line(voids))] if voids else []), *map(Text, lines)]

    def _news(self) -> Iterator[list[RenderableType]]:
        for heading, lines in (("= Results =", self._results), ("= Warnings =", self._warnings)):
            yield [Text(heading, "bold"), *(Text(printable(line)) for line in lines)] if lines else []

    def _halting(self, playing: int) -> Iterator[RenderableType]:
        """Yield a line if the run is stopping, with the reason, or if it is paused.

        Args:
            playing: Number of games in progress.
        """
        if self._stopping:
            games = counted(playing, "game")
            doing = f"waiting for {games} to finish" if self._finishes else f"ending {games} now"
            yield Text(f"{doing if playing else 'halting'}: {printable(self._stopping)}")
        elif self._is_paused:
            yield Text("paused: no games are started until `gyoji control FILE --resume`")

    def _hints(self, playing: int) -> Iterator[RenderableType]:
        """Yield lines on how many more games may start, if that is limited, and which keys can be typed.

        Args:
            playing: Number of games in progress.
        """
        if self._stopping:
            if self._finishes and playing:
                yield Text("(Ctrl-X again to end them now)", "dim")
            return
        if self._most is not None:
            more = counted(max(self._most - self._started, 0), "more game")
            yield Text(f"will start at most {more} in this run")
        yield Text("(Ctrl-X to halt gracefully)", "dim")

    def _progress(self) -> list[RenderableType]:
        words = self.pace(goes_on=not (self._stopping or self._is_paused))
        if not words or not self.total:
            return [Text(words)] if words else []
        row = Table.grid(padding=(0, 1))
        row.add_column(max_width=BAR)
        row.add_row(ProgressBar(self.total, self.done, width=BAR), Text(words))
        return [row]


def _games(games: Sequence[IssuedGame]) -> Iterator[RenderableType]:
    """Yield the number of games in progress, and a table with a row for each of the first TOP."""
    if not games:
        return
    yield Text(f"{counted(len(games), 'game')} in progress:")
    rows = Table.grid(*(Column(overflow="fold") for _ in range(4)), padding=(0, 3, 0, 0))
    for game in games[:TOP]:
        players = " v ".join(game.spec.codes)
        controls = [player.clock or game.spec.clock for player in game.spec.players]
        clocks = "  ".join(map(clock_text, game.left, controls))
        cells = (f"  {game.id}", players, f"move {game.turns + 1}", clocks)
        rows.add_row(*(Text(printable(cell)) for cell in cells))
    yield rows
    if len(games) > TOP:
        yield Text(f"  … and {len(games) - TOP} more")


def clock_text(left: int | None, control: TimeControl = TimeControl()) -> str:  # noqa: B008 - it is frozen
    """Return the time left on a clock as text, with the periods after the main time; "" without a clock.

    Args:
        left: Nanoseconds left, all byo-yomi periods included. The text has tenths of a second if less than
            ten seconds of the main time, or of the present period, are left.
        control: The time control of the clock. It says how `left` divides into main time and periods.

    >>> clock_text(62_400_000_000), clock_text(9_440_000_000), clock_text(-5), clock_text(None)
    ('1:02', '9.4s', '0.0s', '')
    >>> byo_yomi, canadian = TimeControl.parse("5m + 3x30s"), TimeControl.parse("5m + 1m/10")
    >>> clock_text(390_000_000_000, byo_yomi), clock_text(31_000_000_000, byo_yomi)
    ('5:00 + 3x30s', '1.0s + 1x30s')
    >>> clock_text(70_000_000_000, canadian)
    '0:10 + 1m/10'
    """
    if left is None:
        return ""
    now, periods = control.reading(left) if control.has_main else (left, 0)
    period = format_duration(control.period)
    more = f"{period}/{control.stones}" if control.stones > 1 else f"{periods}x{period}"
    return f"{_time_text(now)} + {more}" if periods else _time_text(now)


def _time_text(left: int) -> str:
    if left < 10_000_000_000:
        return f"{max(left, 0) / 1e9:.1f}s"
    minutes, seconds = divmod(left // 1_000_000_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class _Console(Console):
    """A console that never hides the cursor: Ctrl-Z or a kill would leave the shell without one."""

    def show_cursor(self, show: bool = True) -> bool:
        return False
