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

    report  lines about the competition as it stands, asked for once a picture.
    totals  (games done in all, games in all or None) of the competition; asked for once a picture.
    clock   monotonic ns.
    """

    def __init__(
        self,
        *,
        report: Callable[[], Iterable[str]],
        totals: Callable[[], tuple[int, int | None]],
        clock: Callable[[], int],
        keys: bool = False,
        most: int | None = None,
    ) -> None:
        self._report, self._totals, self._clock = report, totals, clock
        self._keys, self._most = keys, most
        self._began = clock()
        self._lock = Lock()
        self._games: dict[str, GameLine] = {}
        self._results: deque[str] = deque(maxlen=RESULTS)
        self._warnings: deque[str] = deque(maxlen=WARNINGS)
        self._stopping = ""
        self._started = self._played = self._voids = 0

    def started(self, spec: GameSpec) -> None:
        with self._lock:
            self._started += 1
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

    def warned(self, line: str) -> None:
        with self._lock:
            self._warnings.append(line)

    def stopping(self, reason: str) -> None:
        with self._lock:
            self._stopping = reason

    def frame(self) -> Frame:
        """The picture of now."""
        with self._lock:
            done, total = self._totals()
            more = None if self._most is None else max(self._most - self._started, 0)
            return Frame(
                games=tuple(self._games.values()),
                stopping=self._stopping,
                more=more,
                keys=self._keys,
                voids=self._voids,
                report=tuple(islice(self._report(), TOP)),
                results=tuple(self._results),
                warnings=tuple(self._warnings),
                pace=Pace(
                    done=done, total=total, played=self._played, elapsed_ns=self._clock() - self._began
                ),
            )


def result_line(result: GameResult) -> str:
    """A result as the screen and the plain output show it."""
    return f"game {result.id}: {describe_result(result)}"
