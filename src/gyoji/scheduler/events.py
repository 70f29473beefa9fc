"""The events of a run: told to a listener (a display, a test), and written down as lines for people.

The event log and the history are such lines. One that cannot be written stops nothing.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from gyoji.core.plugins import GAMES
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import legible
from gyoji.play.loop import time_of_day
from gyoji.play.order import Order, Progress
from gyoji.scheduler.games import IssuedGame
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.status import RunEnd
from gyoji.store.filesystem import open_file


class Listener:
    """The events of one run, in order: take this and write the methods you want; these do nothing.

    What is raised in them ends the run as a bug would.
    """

    watches = False
    """Whether `progress` is wanted: workers then report on games they play."""

    def began(
        self, *, stored: int, voids: int, remaining: int | None, playing: Callable[[], Sequence[IssuedGame]]
    ) -> None:
        """The run begins, with so many finished and void games of earlier runs, and so many games to play
        (None: endless). playing: the games in progress, whenever somebody calls it in the run's thread."""

    def started(self, order: Order) -> None:
        """A game is being played; again, after it was void."""

    def progress(self, progress: Progress) -> None:
        """A game goes on: how many turns it has, and the clocks. Told only where `watches` is true."""

    def finished(self, result: GameResult) -> None:
        """A game is stored. Its own warnings follow as `warning`."""

    def voided(self, void: VoidGame, attempt: int) -> None:
        """A game came to nothing, for the `attempt`-th time in this run. A `warning` says why."""

    def warning(self, text: str) -> None:
        """The organiser should see this line."""

    def steered(self, what: str, *, paused: bool) -> None:
        """Somebody has changed how the run goes on; what: in a few words. paused: no games are started."""

    def appeared(self, player: str, *, is_there: bool) -> None:
        """A person is ready to play from now on, or not any more."""

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        """The control file was read again; this competition has taken the place of the one before."""

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        """No more games are started. waiting: ids of the running games that go on to their end; () also if
        running games are ended now. Called again if the reason changes.
        """

    def ended(self, end: RunEnd) -> None:
        """The run has ended: no game is running, and all results are stored, or were lost and told of."""


class Listeners(Listener):
    """Several listeners as one."""

    def __init__(self, *listeners: Listener) -> None:
        self._listeners = listeners
        self.watches = any(each.watches for each in listeners)

    def began(
        self, *, stored: int, voids: int, remaining: int | None, playing: Callable[[], Sequence[IssuedGame]]
    ) -> None:
        for each in self._listeners:
            each.began(stored=stored, voids=voids, remaining=remaining, playing=playing)

    def started(self, order: Order) -> None:
        for each in self._listeners:
            each.started(order)

    def progress(self, progress: Progress) -> None:
        for each in self._listeners:
            each.progress(progress)

    def finished(self, result: GameResult) -> None:
        for each in self._listeners:
            each.finished(result)

    def voided(self, void: VoidGame, attempt: int) -> None:
        for each in self._listeners:
            each.voided(void, attempt)

    def warning(self, text: str) -> None:
        for each in self._listeners:
            each.warning(text)

    def steered(self, what: str, *, paused: bool) -> None:
        for each in self._listeners:
            each.steered(what, paused=paused)

    def appeared(self, player: str, *, is_there: bool) -> None:
        for each in self._listeners:
            each.appeared(player, is_there=is_there)

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        for each in self._listeners:
            each.reloaded(fresh, competition, remaining=remaining)

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        for each in self._listeners:
            each.stopping(reason, waiting)

    def ended(self, end: RunEnd) -> None:
        for each in self._listeners:
            each.ended(end)


class Journal:
    """Both files, open for appending while a run goes on; `flush` writes to them.

    warn: told once for each file that fails.
    """

    def __init__(self, log: Path, history: Path, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._failed: set[Path] = set()
        self._log = log, self._open(log)
        self._history = history, self._open(history)
        self._log_text: list[str] = []
        self._history_text: list[str] = []

    def close(self) -> None:
        self.flush()
        for _, descriptor in (self._log, self._history):
            if descriptor >= 0:
                os.close(descriptor)
        self._log, self._history = (self._log[0], -1), (self._history[0], -1)  # what comes late goes nowhere

    def began(self, max_games: int | None, workers: int | None, where: Iterable[str] = ()) -> None:
        """A run begins; where: what it plays on."""
        lines = [f"run started at {_moment()} with max_games {max_games}"]
        if workers is not None:
            lines.append(f"using {workers} worker process{'es' if workers > 1 else ''}")
        self.log(*lines, *where)

    def started(self, spec: GameSpec) -> None:
        self.log(f"starting game {spec.id}: {_players(spec)}")

    def finished(self, result: GameResult, lines: Iterable[str], history: Iterable[str]) -> None:
        """A game that is stored; lines: what else its worker wants in the log; history: what goes there."""
        self.log(f"response from game {result.id}", *result.warnings, *result.late, *lines)
        self._history_text += history

    def voided(self, void: VoidGame, lines: Iterable[str]) -> None:
        self.log(f"game {void.id} -- {void.reason}", *void.late, *lines)

    def halting(self, reason: str) -> None:
        self.log(f"halting competition: {reason}")

    def steered(self, what: str) -> None:
        """Somebody has changed how the run goes on."""
        self.log(f"{what} at {_moment()}")

    def ended(self, how: str, unfinished: Iterable[str] = ()) -> None:
        """how: "finished", "interrupted" ...; unfinished: ids of games that were in progress."""
        lines = [f"run {how} at {_moment()}"]
        if ids := " ".join(unfinished):
            lines.append(f"games in progress were: {ids}")
        self.log(*lines)
        self.flush()

    def log(self, *lines: str) -> None:
        self._log_text += lines

    def flush(self) -> None:
        """Write what has been told since the last time: at once, however many games that was about."""
        if self._log_text:
            self._write(self._log, self._log_text)
        if self._history_text:
            self._write(self._history, self._history_text)

    def _open(self, path: Path) -> int:
        try:
            return open_file(path, os.O_WRONLY | os.O_APPEND)
        except OSError as error:
            self._miss(path, error)
            return -1

    def _write(self, file: tuple[Path, int], lines: list[str]) -> None:
        path, descriptor = file
        text = "\n".join(lines) + "\n"
        lines.clear()
        if descriptor < 0:
            return
        try:
            os.write(descriptor, legible(text).encode())
        except OSError as error:
            self._miss(path, error)

    def _miss(self, path: Path, error: OSError) -> None:
        if path not in self._failed:
            self._failed.add(path)
            self._warn(f"{path}: cannot be written: {error.strerror}; lines of it will be missing")


def _moment() -> str:
    return time_of_day().replace("T", " ")


@cache
def _letters(game: str) -> Sequence[str]:
    """The letters of the sides of a game, small."""
    return [letter.lower() for letter in GAMES.find(game).result_words.letters]


def _players(spec: GameSpec) -> str:
    codes, letters = spec.codes, _letters(spec.game)
    names = letters if len(letters) == len(codes) else range(1, len(codes) + 1)  # several seats are a side
    told = [f"{code} ({name})" for code, name in zip(codes, names, strict=True)]
    return (" vs " if len(codes) == 2 else ", ").join(told)
