"""The screen of a running competition, as lines of text fitted to its size. No terminal here."""

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from textwrap import wrap

from msgspec import Struct

from gyoji.cli.pace import Pace, pace_lines
from gyoji.core.clocks import TimeControl
from gyoji.core.describe import GOMILL, ResultWords, describe_result
from gyoji.core.record import GameResult
from gyoji.core.text import counted, format_duration, printable
from gyoji.report.text import Align, Grid

TOP = 30
"""Rows shown of a section that can be long: redrawing 200 rows 4 times a second costs a tenth of a core."""
RESULTS = 6
WARNINGS = 4
HINT = "(Ctrl-X to halt gracefully)"
PAUSED = "paused: no games are started until `gyoji control FILE --resume`"
HINT_AGAIN = "(Ctrl-X again to end them now)"
_PLAIN = TimeControl()
_LEAST = 3
"""Lines of a section that stay when the screen is too low."""


class GameLine(Struct, frozen=True, kw_only=True):
    """A game in progress. move: number of the awaited move; left: ns per seat, None without a clock.

    controls: what the clock of each seat is; () where that is not known.
    """

    id: str
    players: tuple[str, ...]
    move: int = 1
    left: tuple[int | None, ...] = ()
    controls: tuple[TimeControl, ...] = ()

    def clocks(self) -> str:
        """The clocks of all seats in words."""
        controls = self.controls or (_PLAIN,) * len(self.left)
        return "  ".join(map(clock_text, self.left, controls))


class Frame(Struct, frozen=True, kw_only=True):
    """One picture. stopping: why nothing more is started, "" while the run goes on.

    finishes: running games go on to their end then. paused: nothing more is started until somebody says so.
    """

    games: tuple[GameLine, ...] = ()
    stopping: str = ""
    finishes: bool = True
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
    return f"{counted(number, 'void game')}; see the log file."


def frame_lines(frame: Frame, rows: int, columns: int = 0) -> list[str]:
    """At most `rows` lines: sections parted by blank lines; the longest sections give way first.

    columns: of the screen; a line that is longer goes on in the next one, so that nothing is cut. 0: there is
    no screen, lines have any length, and no bar says how far the run is.
    """
    report = _folded([*([void_line(frame.voids)] if frame.voids else []), *frame.report], columns)
    games = _folded(game_lines(frame.games), columns)
    results = _folded(_headed("= Results =", frame.results[-RESULTS:]), columns)
    warnings = _folded(_headed("= Warnings =", frame.warnings[-WARNINGS:]), columns)
    halting, hints = _folded(halting_lines(frame), columns), _folded(hint_lines(frame), columns)
    pace = _folded(pace_lines(frame.pace, columns), columns) if frame.pace else []
    from_the_top = ([halting, games, hints], [report], [results], [warnings], [pace])
    boxes = [box for box in from_the_top if any(box)]
    excess = sum(len(section) for box in boxes for section in box) + len(boxes) - 1 - rows
    for section in (report, games, results, warnings):
        excess -= _shorten(section, excess)
    return [line for box in boxes for line in ("", *chain.from_iterable(box))][1 : rows + 1]


def _folded(lines: Iterable[str], columns: int) -> list[str]:
    """The lines, those that are too long in several; what follows the first is set in."""
    if not columns:
        return list(lines)
    inset = " " * min(4, columns // 4)
    return [
        part
        for line in lines
        for part in ([line] if len(line) <= columns else _wrapped(line, columns, inset))
    ]


def _wrapped(line: str, columns: int, inset: str) -> list[str]:
    return wrap(line, columns, subsequent_indent=inset, break_on_hyphens=False) or [""]


def halting_lines(frame: Frame) -> list[str]:
    """Why the run is about to end, or does not go on, if that is so."""
    if not frame.stopping:
        return [PAUSED] if frame.paused else []
    number = len(frame.games)
    games = counted(number, "game")
    doing = f"waiting for {games} to finish" if frame.finishes else f"ending {games} now"
    return [f"{doing if number else 'halting'}: {printable(frame.stopping)}"]


def hint_lines(frame: Frame) -> list[str]:
    """Lines that say how many games will still start, and which keys can be typed."""
    lines = []
    if frame.more is not None and not frame.stopping:
        lines.append(f"will start at most {counted(frame.more, 'more game')} in this run")
    if frame.keys and not frame.stopping:
        lines.append(HINT)
    if frame.keys and frame.stopping and frame.finishes and frame.games:
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
    table.column([game.clocks() for game in shown])
    heading = f"{counted(len(games), 'game')} in progress:"
    lines = [heading, *(printable(line) for line in table.lines())]
    hidden = len(games) - len(shown)
    return [*lines, f"  … and {hidden} more"] if hidden else lines


def clock_text(left: int | None, control: TimeControl = _PLAIN) -> str:
    """The time left on a clock, to the second, below ten seconds to the tenth, and the periods of byo-yomi
    that come after it; "" without a clock.

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
