"""Displays of a run: the counts that all of them show, and the display that prints lines of text.

`gyoji.cli.screen` has the display for a terminal, which shows the same counts.
"""

# Theory of operation
#
# A run (`gyoji.scheduler.run`) tells its listener what happens: began, started, finished, voided ... A
# display is such a listener. All its methods run in the thread of the run, between two of its waits.
#
#     scheduler --events--> Display (counts)
#                              |-- LineDisplay   stdout is no terminal, or --quiet: a line for each event,
#                              |                 and the state of the competition now and then
#                              '-- Screen        stdout is a terminal: a picture, 4 times a second
#
# What goes where:
#
#                            stdout                        stderr
#     screen                 pictures; at the end the      warnings, if stderr is not the same terminal
#                            tables
#     lines                  results, state, tables        warnings, acknowledgements
#     lines, --quiet         state, only with --every      warnings; acknowledgements on a terminal
#
# Lines are read later, in a log: each says what it is about. `gyoji run` without a terminal prints them, and
# docs/reference/command-line.md promises them to scripts.
#
# The games never wait for the reader. A reader of stdout that has gone (`| head`) makes LineDisplay mute. A
# terminal that takes nothing (Ctrl-S) blocks a thread of the screen's own, not that of the run.
#
# No event costs more as the competition grows: a run of a million games prints as fast as one of ten. Tables
# are made when they are shown, from sums that the competition keeps.

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Self

from msgspec import Struct

from gyoji.cli.exits import complain, forget_stdout, say
from gyoji.core.describe import GOMILL, ResultWords, describe_result
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.text import format_duration, parse_duration, parse_whole, printable, quote
from gyoji.play.loop import Alarm, Loop
from gyoji.scheduler.event import Event
from gyoji.scheduler.events import Listener
from gyoji.scheduler.issued_games import IssuedGame
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.status import RunEnd
from gyoji.tables.digest import ResultsDigest
from gyoji.tables.event_tables import elo_lines, summary_lines

MOST_DISTANCES = 3
"""Most pairs of players whose Elo difference is shown."""

LONGEST = 1000
"""Longest line, in characters: engines write parts of warnings."""


def result_line(result: GameResult, words: ResultWords = GOMILL) -> str:
    """Return a game's result as one line, such as "game 0_3: a beat b B+R"."""
    return f"game {result.id}: {describe_result(result, words)}"


def pace_line(done: int, total: int | None, *, played: int, elapsed_ns: int, goes_on: bool = True) -> str:
    """Return the progress of a run, its speed, and an estimate of the time to go, as far as they are known.

    Args:
        done: Finished games of the whole competition.
        total: All games of the competition; None if it has no end.
        played: Games of this run, which took `elapsed_ns` together.
        goes_on: Whether the run still starts games.

    >>> pace_line(30, 90, played=20, elapsed_ns=120_000_000_000)
    '30/90 games, 10 a minute, about 6m to go'
    >>> pace_line(30, None, played=0, elapsed_ns=1)
    '30 games'
    """
    text = f"{done} games" if total is None else f"{done}/{total} games"
    if played and elapsed_ns > 0:
        interval = elapsed_ns / played
        per_ns = 1 / interval
        units = (("a second", 1e9), ("a minute", 6e10), ("an hour", 3.6e12))
        unit, ns = next((each for each in units if per_ns * each[1] >= 1), units[-1])
        rate = per_ns * ns
        text += f", {f'{rate:.0f}' if rate >= 100 else f'{rate:.3g}'} {unit}"
        if goes_on and total is not None and total > done:
            seconds = max(round((total - done) * interval / 1e9), 1)
            grain = 1 if seconds < 60 else 60 if seconds < 360_000 else 3600
            text += f", about {format_duration(round(seconds / grain) * grain * 1_000_000_000)} to go"
    return text


class Every(Struct, frozen=True):
    """The interval at which a run prints its state: a number of games, or a time in ns. Both are 0 for
    never.
    """

    games: int = 0
    ns: int = 0

    @classmethod
    def parse(cls, text: str) -> "Every":
        """Parse a number of games, a duration, or "never". Raise ValueError for other texts.

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


DEFAULT_EVERY = Every(ns=parse_duration("10m"))
"""The interval at which a run without a terminal prints its state if `--every` is not given."""


class Display(Listener):
    """Base class of displays. It keeps the counts of a run, which every display shows.

    Attributes:
        voids: Number of void games of this run.
        earlier_voids: Number of void games of earlier runs.
    """

    def __init__(
        self, event: Event, digest: ResultsDigest | None = None, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """Create the display of a run that has not begun.

        Args:
            event: The competition and its setup. The display replaces both after a reload.
            digest: Sums of results, to which the display adds each new one; None to show no sums.
            clock: Returns monotonic ns.
        """
        self._event, self._digest, self._clock = event, digest, clock
        self._began: int | None = None
        self._stored = self._played = self.voids = self.earlier_voids = 0
        self._total: int | None = None
        self._playing: Callable[[], Sequence[IssuedGame]] = tuple

    def began(
        self, *, stored: int, voids: int, remaining: int | None, playing: Callable[[], Sequence[IssuedGame]]
    ) -> None:
        self._began, self._stored, self._playing = self._clock(), stored, playing
        self.earlier_voids = voids
        self._total = None if remaining is None else stored + remaining

    def finished(self, result: GameResult) -> None:
        self._played += 1
        if self._digest is not None:
            self._digest.add(result)

    def voided(self, void: VoidGame, attempt: int) -> None:
        self.voids += 1

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        self._event.setup, self._event.competition = fresh.setup, competition
        begun = self.done + len(self._playing())  # `remaining` counts games that have not begun
        self._total = None if remaining is None else begun + remaining

    @property
    def done(self) -> int:
        """Number of finished games of the competition, those of earlier runs included."""
        return self._stored + self._played

    @property
    def total(self) -> int | None:
        """Number of all games of the competition; None if it has no end.

        At least `done`: after a reload more games may have finished than the new control file has.
        """
        return None if self._total is None else max(self._total, self.done)

    def pace(self, *, goes_on: bool) -> str:
        """Return the progress of the run in words (`pace_line`); "" before the run began."""
        if self._began is None:
            return ""
        elapsed = self._clock() - self._began
        return pace_line(self.done, self.total, played=self._played, elapsed_ns=elapsed, goes_on=goes_on)

    def distances(self) -> list[str]:
        """Return a line about the Elo difference of each of the first MOST_DISTANCES pairs of players.

        The list is empty if the display has no sums of results.
        """
        return list(islice(elo_lines(self._digest.head_to_head), MOST_DISTANCES)) if self._digest else []


class LineDisplay(Display):
    """A display that prints lines: each result, the state of the competition at intervals, and final
    tables.
    """

    def __init__(
        self,
        event: Event,
        digest: ResultsDigest | None,
        every: Every,
        loop: Loop,
        *,
        closing: Callable[[], Iterable[str]],
        words: ResultWords = GOMILL,
        quiet: bool = False,
    ) -> None:
        """Create the display of a run.

        Args:
            every: The interval at which the state is printed.
            loop: The event loop of the run.
            closing: Returns the lines to print at the end.
            words: The words for results of this game.
            quiet: Print neither results nor tables.
        """
        super().__init__(event, digest)
        self._every, self._closing, self._words, self._quiet = every, closing, words, quiet
        self._alarm = Alarm(loop, self._ring) if every.ns else None
        self._unsaid = 0  # results since the state was printed
        self._is_mute = False

    def __enter__(self) -> Self:
        if self._alarm is not None:
            self._alarm.set(self._clock() + self._every.ns)
        return self

    def __exit__(self, *error: object) -> None:
        if self._alarm is not None:
            self._alarm.retire()
        if not self._quiet and error[0] is None and (lines := list(self._closing())):
            for line in ("", *lines):
                self._say(line)

    def finished(self, result: GameResult) -> None:
        if not self._quiet:
            self._say(printable(result_line(result, self._words), LONGEST))
        super().finished(result)
        self._unsaid += 1
        if self._every.games and self._unsaid == self._every.games:
            self._say_state()

    def warning(self, text: str) -> None:
        complain(printable(text, LONGEST))

    def steered(self, what: str, *, paused: bool) -> None:
        self._acknowledge(what)

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        if waiting:
            self._acknowledge(f"{reason} (in progress: {' '.join(waiting)})")

    def ended(self, end: RunEnd) -> None:
        if self._quiet and self._unsaid and self._every:  # else the tables come now, which say more
            self._say_state(goes_on=False)

    def _acknowledge(self, line: str) -> None:
        """Print to stderr that a command was carried out, such as "paused".

        If the run is quiet, print it only on a terminal, for the person who typed Ctrl-X.
        """
        if not self._quiet or sys.stderr.isatty():
            complain(printable(line, LONGEST))

    def _ring(self, now: int) -> None:
        # The line comes even if no game has ended meanwhile: a log shows then that the run is alive.
        self._say_state()
        if self._alarm is not None:
            self._alarm.set(now + self._every.ns)

    def _say_state(self, *, goes_on: bool = True) -> None:
        for line in self._state(goes_on):
            self._say(printable(line, LONGEST))
        self._unsaid = 0

    def _state(self, goes_on: bool) -> Iterator[str]:
        if pace := self.pace(goes_on=goes_on):
            yield f"progress: {pace}"
        if self.voids:
            yield f"void: {self.voids} in this run; see the log file"
        if self._unsaid:
            yield from summary_lines(self._event.tables())
            yield from self.distances()

    def _say(self, line: str) -> None:
        if self._is_mute:
            return
        try:
            say(line)
        except BrokenPipeError:
            self._is_mute = True
            forget_stdout()
