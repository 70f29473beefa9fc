"""The screen of a run on a terminal. Imports rich, so it is imported only for a run that shows itself.

The terminal is in order at every moment, whatever becomes of us: the cursor is never hidden, the screen is
never switched, and what is written over is only what we wrote.
"""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice

from rich.console import Console
from rich.live import Live
from rich.text import Text

from gyoji.cli.exits import complain
from gyoji.cli.pace import GameCount
from gyoji.cli.screen import RESULTS, TOP, WARNINGS, Frame, GameLine, frame_lines, result_line
from gyoji.core.describe import GOMILL, ResultWords
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.text import printable
from gyoji.play.loop import Alarm, Loop
from gyoji.play.order import Order
from gyoji.scheduler.event import Event
from gyoji.scheduler.events import Listener
from gyoji.scheduler.games import IssuedGame
from gyoji.scheduler.reload import Fresh
from gyoji.tables.digest import Beside

FRAMES_A_SECOND = 4
_PERIOD = 1_000_000_000 // FRAMES_A_SECOND


class Screen(Listener):
    """The screen of one run: its events come in, pictures of it go out, all in the thread of the run.

    Nothing here costs more with the number of games already played.

    report   lines about the competition as it stands, asked for once a picture.
    beside   to which results are added, if the report is made of it.
    count    of the games, which the events go into.
    keys     whether Ctrl-X is listened to.
    most     how many games this run may start, replays not counted; None for no limit.
    words    of the game, for its results.
    is_read  whether stderr is the terminal of the pictures; else somebody collects warnings there.
    """

    watches = True

    def __init__(
        self,
        event: Event,
        *,
        report: Callable[[], Iterable[str]],
        beside: Beside | None = None,
        count: GameCount,
        keys: bool = False,
        most: int | None = None,
        words: ResultWords = GOMILL,
        is_read: bool = True,
    ) -> None:
        self._event, self._words = event, words
        self._report, self._beside = report, beside
        self._keys, self._most, self._is_read = keys, most, is_read
        self._playing: Callable[[], Sequence[IssuedGame]] = tuple
        self._again: set[str] = set()  # void games that will be played again
        self._results: deque[str] = deque(maxlen=RESULTS)
        self._warnings: deque[str] = deque(maxlen=WARNINGS)
        self._stopping, self._finishes = "", True
        self._is_paused = False
        self._count = count
        self._voids = self._started = 0

    def began(
        self, *, stored: int, voids: int, remaining: int | None, playing: Callable[[], Sequence[IssuedGame]]
    ) -> None:
        self._count.begin(stored=stored, remaining=remaining)
        self._voids, self._playing = voids, playing

    def started(self, order: Order) -> None:
        self._started += order.spec.id not in self._again
        self._again.discard(order.spec.id)

    def finished(self, result: GameResult) -> None:
        self._count.add_game()
        if self._beside is not None:
            self._beside.add(result)
        self._results.append(result_line(result, self._words))

    def voided(self, void: VoidGame, attempt: int) -> None:
        del attempt
        self._voids += 1
        self._again.add(void.id)

    def warning(self, text: str) -> None:
        self._warnings.append(text)
        if not self._is_read:
            complain(printable(text, 1000))

    def steered(self, what: str, *, paused: bool) -> None:
        self._is_paused = paused

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        self._event.setup, self._event.competition = fresh.setup, competition
        self._count.reload(playing=len(self._playing()), remaining=remaining)

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        self._stopping, self._finishes = reason, bool(waiting)

    def frame(self) -> Frame:
        """The picture of now."""
        games = tuple(map(_game_line, self._playing()))
        return Frame(
            games=games,
            stopping=self._stopping,
            finishes=self._finishes,
            paused=self._is_paused,
            more=None if self._most is None else max(self._most - self._started, 0),
            keys=self._keys,
            voids=self._voids,
            report=tuple(islice(self._report(), TOP)),
            results=tuple(self._results),
            warnings=tuple(self._warnings),
            pace=self._count.pace(goes_on=not (self._stopping or self._is_paused), playing=len(games)),
        )


def _game_line(game: IssuedGame) -> GameLine:
    spec = game.spec
    controls = tuple(player.clock or spec.clock for player in spec.players)
    return GameLine(id=game.id, players=spec.codes, move=game.turns + 1, left=game.left, controls=controls)


class _Console(Console):
    """A console whose cursor stays: Ctrl-Z or a kill would leave the shell without one."""

    def show_cursor(self, show: bool = True) -> bool:
        del show
        return False


class LiveDisplay:
    """The screen, redrawn `FRAMES_A_SECOND` times a second.

    A picture is made in the thread of `loop`, where the run goes on: what it shows fits together. Another
    thread writes the latest one, so that a terminal that takes nothing (Ctrl-S) keeps nobody from playing.

    At the end a last picture stays: what `closing` says, the last results and warnings.
    """

    def __init__(
        self,
        picture: Callable[[], Frame],
        closing: Callable[[], Iterable[str]],
        loop: Loop,
        console: Console | None = None,
    ) -> None:
        self._picture, self._closing = picture, closing
        self._frame = Frame()
        self._alarm = Alarm(loop, self._look, self._give_up)
        self._console = console or _Console(highlight=False, markup=False, emoji=False)
        self._live = Live(
            console=self._console,
            get_renderable=self._draw,
            refresh_per_second=FRAMES_A_SECOND,
            transient=True,
            vertical_overflow="crop",
            redirect_stdout=False,
        )

    def __enter__(self) -> "LiveDisplay":
        self._look(time.monotonic_ns())
        self._live.start(refresh=True)
        return self

    def _look(self, now: int) -> None:
        """Make the picture of now, and the next one later."""
        self._frame = self._picture()
        self._alarm.set(now + _PERIOD)

    def _give_up(self) -> None:
        """A picture cannot be made, which is a bug: the games go on, and the last one stays."""
        complain(f"the live display has stopped: {printable(repr(sys.exception()))}")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._alarm.retire()
        with suppress(OSError):  # the terminal may have gone
            self._live.stop()
            if kind is None:
                for line in frame_lines(self._last(), sys.maxsize):
                    self._console.print(line, soft_wrap=True)

    def _last(self) -> Frame:
        """The frame that stays when the run has ended."""
        last = self._picture()
        return Frame(
            voids=last.voids,
            report=tuple(self._closing()),
            results=last.results,
            warnings=last.warnings,
            pace=last.pace,
        )

    def _draw(self) -> Text:
        return picture_text(frame_lines(self._frame, max(self._console.height - 1, 1), self._console.width))


def picture_text(lines: list[str]) -> Text:
    """The lines as rich text that is cut, never wrapped, at the terminal's width."""
    text = Text(no_wrap=True, overflow="ellipsis")
    for number, line in enumerate(lines):
        text.append(line if number == 0 else f"\n{line}", style=_style(line))
    return text


def _style(line: str) -> str:
    if line.startswith("= "):
        return "bold"
    return "dim" if line.startswith("(") else ""
