"""How far a run is: counted while its games end, and told in words, with a bar where there is room."""

from collections.abc import Callable

from msgspec import Struct

from gyoji.core.record import GameResult
from gyoji.core.text import format_duration

LONGEST_BAR, SHORTEST_BAR = 40, 10


class Pace(Struct, frozen=True, kw_only=True):
    """How far a run is. done and total count the whole competition, played and elapsed_ns this run.

    total is None for a competition without end. goes_on: games are still being started.
    expected_ns: wall time from one result to the next, by the games of earlier runs; 0 if unknown.
    """

    done: int
    total: int | None
    played: int
    elapsed_ns: int
    goes_on: bool = True
    expected_ns: int = 0


class Earlier:
    """The games of earlier runs and their wall time: a fold over results."""

    def __init__(self) -> None:
        self.games = self.wall_ns = 0

    def add(self, result: GameResult) -> None:
        """Count a stored game."""
        self.games += 1
        self.wall_ns += result.wall_ns


class GameCount:
    """Counts the games of a run by what its events tell. clock: monotonic ns.

    earlier: what was stored before; until the first result it says how long games take.
    """

    def __init__(self, clock: Callable[[], int], earlier: Earlier | None = None) -> None:
        self._clock, self._earlier = clock, earlier or Earlier()
        self._began: int | None = None
        self._stored = self._played = 0
        self._total: int | None = None

    def begin(self, *, stored: int, remaining: int | None) -> None:
        """The run begins; see `Listener.began`."""
        self._began, self._stored = self._clock(), stored
        self._total = None if remaining is None else stored + remaining

    def add_game(self) -> None:
        """A game has ended and is stored."""
        self._played += 1

    def reload(self, *, playing: int, remaining: int | None) -> None:
        """The control file was read again: besides the games in progress so many are left to play."""
        begun = self._stored + self._played + playing
        self._total = None if remaining is None else begun + remaining

    def pace(self, *, goes_on: bool, playing: int = 0) -> Pace | None:
        """How far the run is now; None before it began. playing: the number of games in progress."""
        if self._began is None:
            return None
        done = self._stored + self._played
        return Pace(
            done=done,
            total=None if self._total is None else max(self._total, done),
            played=self._played,
            elapsed_ns=self._clock() - self._began,
            goes_on=goes_on,
            expected_ns=self._earlier.wall_ns // (self._earlier.games * playing)
            if self._earlier.games and playing
            else 0,
        )


def pace_lines(pace: Pace, columns: int) -> list[str]:
    """Progress in words, with a bar before them or above them if there are columns for it.

    >>> pace_lines(Pace(done=30, total=90, played=20, elapsed_ns=0), 40)
    ['[########------------------] 30/90 games']
    """
    words = pace_line(pace)
    beside = min(columns, LONGEST_BAR + len(words) + 3) - len(words) - 3
    length = beside if beside >= SHORTEST_BAR else min(columns, LONGEST_BAR) - 2
    if not pace.total or length < SHORTEST_BAR:
        return [words]
    full = length * pace.done // pace.total
    bar = f"[{'#' * full}{'-' * (length - full)}]"
    return [f"{bar} {words}"] if length == beside else [bar, words]


def pace_line(pace: Pace) -> str:
    """Progress, the rate of this run, and the time to go: before the first result by that of earlier runs.

    >>> pace_line(Pace(done=30, total=90, played=20, elapsed_ns=120_000_000_000))
    '30/90 games, 10 a minute, about 6m to go'
    >>> pace_line(Pace(done=30, total=90, played=0, elapsed_ns=1, expected_ns=6_000_000_000))
    '30/90 games, about 6m to go'
    """
    text = f"{pace.done} games" if pace.total is None else f"{pace.done}/{pace.total} games"
    interval = float(pace.expected_ns)
    if pace.played and pace.elapsed_ns > 0:
        interval = pace.elapsed_ns / pace.played
        text += f", {_rate(1 / interval)}"
    if interval and pace.goes_on and pace.total is not None and pace.total > pace.done:
        text += f", about {_rounded((pace.total - pace.done) * interval)} to go"
    return text


def _rate(per_ns: float) -> str:
    units = (("a second", 1e9), ("a minute", 6e10), ("an hour", 3.6e12))
    unit, ns = next((each for each in units if per_ns * each[1] >= 1), units[-1])
    rate = per_ns * ns
    return f"{rate:.0f} {unit}" if rate >= 100 else f"{rate:.3g} {unit}"


def _rounded(ns: float) -> str:
    seconds = max(round(ns / 1e9), 1)
    grain = 1 if seconds < 60 else 60 if seconds < 360_000 else 3600
    return format_duration(round(seconds / grain) * grain * 1_000_000_000)
