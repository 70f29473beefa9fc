"""A run where there is no screen: a line for each result, and now and then how far it is and how it stands.

Lines are for people who read a log later, or the output of a CI job: each says what it is about, and is
complete by itself.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Self

from msgspec import Struct

from gyoji.cli.exits import complain, forget_stdout, say
from gyoji.cli.pace import GameCount, pace_line
from gyoji.cli.screen import result_line
from gyoji.core.describe import GOMILL, ResultWords
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.text import parse_duration, parse_whole, printable, quote
from gyoji.play.loop import Alarm, Loop
from gyoji.scheduler.event import Event
from gyoji.scheduler.events import Listener
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.status import RunEnd
from gyoji.tables.brief import brief_lines, elo_lines
from gyoji.tables.digest import Beside

_MINUTE = 60_000_000_000


class Every(Struct, frozen=True):
    """How often a run says how it stands: after so many games, or so many ns; never where both are 0."""

    games: int = 0
    ns: int = 0

    @classmethod
    def parse(cls, text: str) -> "Every":
        """From a number of games, or a duration, or "never". Raises ValueError.

        >>> Every.parse("100"), Every.parse("90s"), Every.parse("never")
        (Every(games=100, ns=0), Every(games=0, ns=90000000000), Every(games=0, ns=0))
        """
        if text == "never":
            return cls()
        if games := parse_whole(text):
            return cls(games=games)
        try:
            ns = parse_duration(text) if text[-1:].isalpha() else 0  # a bare number is of games
        except ValueError:
            ns = 0
        if ns <= 0:
            raise ValueError(
                f'expected a number of games such as 100, a time such as "10m", or never; got {quote(text)}'
            )
        return cls(ns=ns)

    def __bool__(self) -> bool:
        return bool(self.games or self.ns)


MOST_DISTANCES = 3
"""Of so many pairs of players the distance is said."""

USUAL = Every(ns=10 * _MINUTE)
"""Unless somebody says otherwise."""


class QuietDisplay(Listener):
    """Nothing but warnings, on stderr. A wish is acknowledged where somebody may see it: on a terminal.

    event: gets the setup and the competition that take the place of its own.
    """

    def __init__(self, event: Event) -> None:
        self._event = event

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def warning(self, text: str) -> None:
        complain(printable(text, 1000))

    def steered(self, what: str, *, paused: bool) -> None:
        del paused
        self.acknowledge(what)

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        del remaining
        self._event.setup, self._event.competition = fresh.setup, competition

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        if waiting:
            self.acknowledge(f"{reason} (in progress: {' '.join(waiting)})")

    def acknowledge(self, line: str) -> None:
        """Tell whoever asked for something that it is being done."""
        if sys.stderr.isatty():
            complain(printable(line, 1000))


class LoggedDisplay(QuietDisplay):
    """Says on stdout how far the run is and how the competition stands, as often as `every` says.

    beside  all that counts and was stored before; results are added to it.
    loop    in which the run waits, for `every` so much time.
    clock   monotonic ns.

    When nobody reads stdout any more the games go on.
    """

    def __init__(
        self,
        event: Event,
        beside: Beside,
        every: Every,
        loop: Loop,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        super().__init__(event)
        self._beside, self._every, self._clock = beside, every, clock
        self._alarm = Alarm(loop, self._ring) if every.ns else None
        self._count = GameCount(clock)
        self._voids = self._unsaid = 0
        self._in_progress: Callable[[], Sequence[object]] = tuple
        self._deaf = False

    def __exit__(self, *_: object) -> None:
        if self._alarm is not None:
            self._alarm.retire()

    def began(
        self, *, stored: int, voids: int, remaining: int | None, playing: Callable[[], Sequence[object]]
    ) -> None:
        self._count.begin(stored=stored, remaining=remaining)
        self._in_progress = playing
        if self._alarm is not None:
            self._alarm.set(self._clock() + self._every.ns)

    def finished(self, result: GameResult) -> None:
        self._count.add_game()
        self._unsaid += 1
        self._beside.add(result)
        if self._every.games and self._unsaid == self._every.games:
            self._say_state()

    def voided(self, void: VoidGame, attempt: int) -> None:
        self._voids += 1

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        super().reloaded(fresh, competition, remaining=remaining)
        self._count.reload(playing=len(self._in_progress()), remaining=remaining)

    def ended(self, end: RunEnd) -> None:
        if self._unsaid and self._every:
            self._say_state(goes_on=False)

    def _ring(self, now: int) -> None:
        """It is time: say how things stand, or that no game has ended since."""
        self._say_state()
        if self._alarm is not None:
            self._alarm.set(now + self._every.ns)

    def _say_state(self, *, goes_on: bool = True) -> None:
        for line in self._state(goes_on):
            self._say(printable(line, 1000))
        self._unsaid = 0

    def _state(self, goes_on: bool) -> Iterator[str]:
        if pace := self._count.pace(goes_on=goes_on):
            yield f"progress: {pace_line(pace)}"
        if self._voids:
            yield f"void: {self._voids} in this run; see the log file"
        if self._unsaid:
            yield from brief_lines(self._event.tables())
            yield from islice(elo_lines(self._beside.versus), MOST_DISTANCES)

    def _say(self, line: str) -> None:
        if self._deaf:
            return
        try:
            say(line)
        except BrokenPipeError:
            self._deaf = True
            forget_stdout()


class PlainDisplay(LoggedDisplay):
    """A line for each result as well, and at the end what `closing` says."""

    def __init__(
        self,
        event: Event,
        beside: Beside,
        every: Every,
        loop: Loop,
        *,
        closing: Callable[[], Iterable[str]],
        words: ResultWords = GOMILL,
    ) -> None:
        super().__init__(event, beside, every, loop)
        self._closing, self._words = closing, words

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if error[0] is None and (lines := list(self._closing())):
            for line in ("", *lines):
                self._say(line)

    def finished(self, result: GameResult) -> None:
        self._say(printable(result_line(result, self._words), 1000))
        super().finished(result)

    def ended(self, end: RunEnd) -> None:
        """The tables come now, which say more."""

    def acknowledge(self, line: str) -> None:
        complain(printable(line, 1000))
