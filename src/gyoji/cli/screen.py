"""The screen of a running competition, as lines of text fitted to its height. No terminal here."""

from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec import Struct

from gyoji.core.describe import GOMILL, ResultWords, describe_result
from gyoji.core.record import GameResult
from gyoji.core.text import format_duration, printable
from gyoji.report.text import Align, Grid

TOP = 30
"""Rows shown of a section that can be long: redrawing 200 rows 4 times a second costs a tenth of a core."""
RESULTS = 6
WARNINGS = 4
HINT = "(Ctrl-X to halt gracefully)"
PAUSED = "paused: no games are started until `gyoji control FILE --resume`"
HINT_AGAIN = "(Ctrl-X again to end them now)"
_LEAST = 3
"""Lines of a section that stay when the screen is too low."""


class GameLine(Struct, frozen=True, kw_only=True):
    """A game in progress. move: number of the awaited move; left: ns per seat, None without a clock."""

    id: str
    players: tuple[str, ...]
    move: int = 1
    left: tuple[int | None, ...] = ()


class Pace(Struct, frozen=True, kw_only=True):
    """How far a run is. done and total count the whole competition, played and elapsed_ns this run.

    total is None for a competition without end. goes_on: games are still being started.
    """

    done: int
    total: int | None
    played: int
    elapsed_ns: int
    goes_on: bool = True


class Frame(Struct, frozen=True, kw_only=True):
    """One picture. stopping: why nothing more is started, "" while the run goes on.

    paused: nothing more is started until somebody says so.
    """

    games: tuple[GameLine, ...] = ()
    stopping: str = ""
    paused: bool = False
    more: int | None = None  # games this run may still start, if that is limited
    keys: bool = False  # whether Ctrl-X is listened to
    voids: int = 0
    report: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    pace: Pace | None = None


def void_line(number: int) -> str:
    """The line about void games in screens and reports."""
    return f"{number} void {_games(number)}; see the log file."


def frame_lines(frame: Frame, rows: int) -> list[str]:
    """At most `rows` lines: sections parted by blank lines; the longest sections give way first."""
    report = [*([void_line(frame.voids)] if frame.voids else []), *frame.report]
    games = game_lines(frame.games)
    results = _headed("= Results =", frame.results[-RESULTS:])
    warnings = _headed("= Warnings =", frame.warnings[-WARNINGS:])
    excess = sum(len(box) + 1 for box in _boxes(frame, games, report, results, warnings)) - 1 - rows
    for section in (report, games, results, warnings):
        excess -= _shorten(section, excess)
    boxes = _boxes(frame, games, report, results, warnings)
    return [line for box in boxes for line in ("", *box)][1 : rows + 1]


def _boxes(frame: Frame, games: list[str], *sections: list[str]) -> list[list[str]]:
    """The sections of the screen, from the top, without empty ones."""
    playing = [*halting_lines(frame), *games, *hint_lines(frame)]
    pace = [pace_line(frame.pace)] if frame.pace else []
    return [box for box in (playing, *sections, pace) if box]


def halting_lines(frame: Frame) -> list[str]:
    """Why the run is about to end, or does not go on, if that is so."""
    if not frame.stopping:
        return [PAUSED] if frame.paused else []
    number = len(frame.games)
    waiting = f"waiting for {number} {_games(number)} to finish" if number else "halting"
    return [f"{waiting}: {printable(frame.stopping)}"]


def hint_lines(frame: Frame) -> list[str]:
    """Lines that say how many games will still start, and which keys can be typed."""
    lines = []
    if frame.more is not None and not frame.stopping:
        lines.append(f"will start at most {frame.more} more {_games(frame.more)} in this run")
    if frame.keys and not frame.stopping:
        lines.append(HINT)
    if frame.keys and frame.stopping and frame.games:
        lines.append(HINT_AGAIN)
    return lines


def game_lines(games: Sequence[GameLine]) -> list[str]:
    """How many games are in progress, and a row for each of the first TOP: id, players, move, clocks."""
    shown = list(islice(games, TOP))
    if not shown:
        return []
    table = Grid()
    table.column([f"  {game.id}" for game in shown], padding=2)
    table.column([" v ".join(game.players) for game in shown], padding=3)
    table.column(["move"] * len(shown))
    table.column([str(game.move) for game in shown], align=Align.RIGHT, padding=3)
    table.column(["  ".join(map(clock_text, game.left)) for game in shown])
    heading = f"{len(games)} {_games(len(games))} in progress:"
    lines = [heading, *(printable(line) for line in table.lines())]
    hidden = len(games) - len(shown)
    return [*lines, f"  … and {hidden} more"] if hidden else lines


def clock_text(left: int | None) -> str:
    """The time left on a clock, to the second, below ten seconds to the tenth; "" without a clock.

    >>> clock_text(62_400_000_000), clock_text(9_440_000_000), clock_text(-5), clock_text(None)
    ('1:02', '9.4s', '0.0s', '')
    """
    if left is None:
        return ""
    if left < 10_000_000_000:
        return f"{max(left, 0) / 1e9:.1f}s"
    minutes, seconds = divmod(left // 1_000_000_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def pace_line(pace: Pace) -> str:
    """Progress, rate and time to go.

    >>> pace_line(Pace(done=30, total=90, played=20, elapsed_ns=120_000_000_000))
    '30/90 games, 10 a minute, about 6m to go'
    """
    text = f"{pace.done} games" if pace.total is None else f"{pace.done}/{pace.total} games"
    if pace.played < 1 or pace.elapsed_ns <= 0:
        return text
    per_ns = pace.played / pace.elapsed_ns
    text += f", {_rate(per_ns)}"
    if pace.goes_on and pace.total is not None and pace.total > pace.done:
        text += f", about {_rounded((pace.total - pace.done) / per_ns)} to go"
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


def _games(number: int) -> str:
    return "game" if number == 1 else "games"


def _headed(heading: str, lines: Iterable[str]) -> list[str]:
    shown = [printable(line) for line in lines]
    return [heading, *shown] if shown else []


def _shorten(lines: list[str], excess: int) -> int:
    """Cut a section by up to `excess` lines, saying so in its last one; returns by how many."""
    cut = min(excess, len(lines) - _LEAST)
    if cut <= 0:
        return 0
    lines[len(lines) - cut - 1 :] = [f"… {cut + 1} more lines"]
    return cut


def result_line(result: GameResult, words: ResultWords = GOMILL) -> str:
    """A result as the screen and the plain output show it."""
    return f"game {result.id}: {describe_result(result, words)}"
