"""What is known of a run while it goes on: events come in, pictures of it go out.

The display's own thread draws while the scheduler's thread reports, so every entry and every picture is taken
under one lock. Nothing here costs more with the number of games already played.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from threading import Lock

from gyoji.cli.frame import RESULTS, TOP, WARNINGS, Frame, GameLine, Pace
from gyoji.core.describe import describe_result
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.spec import GameSpec


class Watch:
    """The events of one run.

    report  lines about the competition as it stands, asked for once a picture, in the display's thread.
    clock   monotonic ns.
    keys    whether Ctrl-X is listened to.
    most    how many games this run may start, replays not counted; None for no limit.
    """

    def __init__(
        self,
        *,
        report: Callable[[], Iterable[str]],
        clock: Callable[[], int],
        keys: bool = False,
        most: int | None = None,
    ) -> None:
        self._report, self._clock = report, clock
        self._keys, self._most = keys, most
        self._lock = Lock()
        self._games: dict[str, GameLine] = {}
        self._again: set[str] = set()  # void games that will be played again
        self._results: deque[str] = deque(maxlen=RESULTS)
        self._warnings: deque[str] = deque(maxlen=WARNINGS)
        self._lines: tuple[str, ...] = ()
        self._stopping = ""
        self._is_paused = False
        self._began: int | None = None
        self._stored = self._voids = 0
        self._total: int | None = None
        self._started = self._played = 0

    def began(self, *, stored: int, voids: int, remaining: int | None) -> None:
        """The games of earlier runs are counted; so many remain, None without end."""
        with self._lock:
            self._began, self._stored, self._voids = self._clock(), stored, voids
            self._total = None if remaining is None else stored + remaining

    def started(self, spec: GameSpec) -> None:
        with self._lock:
            self._started += spec.id not in self._again
            self._again.discard(spec.id)
            self._games[spec.id] = GameLine(id=spec.id, players=tuple(p.code for p in spec.players))

    def progress(self, game: str, turns: int, left: tuple[int | None, ...]) -> None:
        with self._lock:
            if line := self._games.get(game):
                self._games[game] = replace(line, move=turns + 1, left=left)

    def finished(self, result: GameResult) -> str:
        """Take a result in; returns its line."""
        line = result_line(result)
        with self._lock:
            self._games.pop(result.id, None)
            self._played += 1
            self._results.append(line)
        return line

    def voided(self, game: VoidGame) -> None:
        with self._lock:
            self._games.pop(game.id, None)
            self._voids += 1
            self._again.add(game.id)

    def warned(self, line: str) -> None:
        with self._lock:
            self._warnings.append(line)

    def steered(self, *, paused: bool) -> None:
        with self._lock:
            self._is_paused = paused

    def reloaded(self, remaining: int | None) -> None:
        """So many games remain by now, besides those that are being played; None without end."""
        with self._lock:
            played = self._stored + self._played + len(self._games)
            self._total = None if remaining is None else played + remaining

    def stopping(self, reason: str) -> None:
        with self._lock:
            self._stopping = reason

    def frame(self) -> Frame:
        """The picture of now."""
        with self._lock:
            self._lines = self._report_lines()
            more = None if self._most is None else max(self._most - self._started, 0)
            return Frame(
                games=tuple(self._games.values()),
                stopping=self._stopping,
                paused=self._is_paused,
                more=more,
                keys=self._keys,
                voids=self._voids,
                report=self._lines,
                results=tuple(self._results),
                warnings=tuple(self._warnings),
                pace=self._pace(),
            )

    def _pace(self) -> Pace | None:
        """How far the run is; None before it began."""
        if self._began is None:
            return None
        done = self._stored + self._played
        return Pace(
            done=done,
            total=None if self._total is None else max(self._total, done),
            played=self._played,
            elapsed_ns=self._clock() - self._began,
            goes_on=not (self._stopping or self._is_paused),
        )

    def _report_lines(self) -> tuple[str, ...]:
        """The run's thread may be counting a game at this moment: then the lines of before do once more."""
        try:
            return tuple(islice(self._report(), TOP))
        except RuntimeError:  # "dictionary changed size during iteration"
            return self._lines


def result_line(result: GameResult) -> str:
    """A result as the screen and the plain output show it."""
    return f"game {result.id}: {describe_result(result)}"
