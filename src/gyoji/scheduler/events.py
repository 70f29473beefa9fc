"""The events of a run: the listener interface, and the log files.

A log file that cannot be written does not stop the run.
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
from gyoji.scheduler.attendance import Awaited
from gyoji.scheduler.issued_games import IssuedGame
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.status import RunEnd
from gyoji.store.filesystem import open_file


class Listener:
    """Gets the events of one run, in order.

    Override the methods you need. An exception in one ends the run.
    """

    watches = False
    """Whether `progress` is to be called. Workers report the progress of their games only in that case."""

    def began(
        self, *, stored: int, voids: int, remaining: int | None, playing: Callable[[], Sequence[IssuedGame]]
    ) -> None:
        """Handle the beginning of the run.

        Args:
            stored: Number of finished games of earlier runs.
            voids: Number of failed attempts at games, which ended without a result, in earlier runs.
            remaining: Number of games to play; None if endless.
            playing: Returns the games in progress. Call it in the run's thread.
        """

    def started(self, order: Order) -> None:
        """Handle the start of a game, or of a further attempt at it."""

    def progress(self, progress: Progress) -> None:
        """Handle the number of turns and the clocks of a game in progress.

        Called only if the listener's attribute `watches` is true.
        """

    def finished(self, result: GameResult) -> None:
        """Handle a game that has ended and is stored. Its warnings follow by calls of `warning`."""

    def voided(self, void: VoidGame, attempt: int) -> None:
        """Handle a game that ended without a result. The reason follows by a call of `warning`.

        Args:
            attempt: Number of the attempt at this game, from 1.
        """

    def warning(self, text: str) -> None:
        """Show the organiser a line."""

    def steered(self, what: str, *, paused: bool) -> None:
        """Handle a command that changed the run, such as "paused".

        Args:
            what: The change, in words.
            paused: Whether no games are started at present.
        """

    def appeared(self, player: str, *, is_there: bool) -> None:
        """Handle a human or remote player who has become ready to play, or has gone."""

    def awaited(self, games: Sequence[Awaited]) -> None:
        """Handle a change in the list of games that wait for absent human or remote players."""

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        """Handle a new reading of the control file.

        Args:
            fresh: The content of the file now.
            competition: The competition by the new content, with all results counted.
            remaining: Number of games still to start; None if endless.
        """

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        """Handle the decision to start no more games. Further calls give further reasons.

        Args:
            waiting: Ids of games in progress that are played to their end; () if they are ended now.
        """

    def ended(self, end: RunEnd) -> None:
        """Handle the end of the run. No game is in progress any more."""


class Listeners(Listener):
    """Passes each event of a run to several listeners."""

    def __init__(self, *listeners: Listener) -> None:
        self._listeners = listeners
        self.watches = any(each.watches for each in listeners)


def _to_each(name: str) -> Callable[..., None]:
    """Return a method that calls the method called `name` of each listener."""

    def call(self: Listeners, *args: object, **kwargs: object) -> None:
        for each in self._listeners:
            getattr(each, name)(*args, **kwargs)

    return call


# Made from `Listener`, so that an event that is added there cannot be forgotten here.
for _name in [name for name, value in vars(Listener).items() if callable(value)]:
    setattr(Listeners, _name, _to_each(_name))


class Journal:
    """The two log files of a run: the event log, and the history, whose lines come from the competition.

    Lines are collected until `flush` writes them.
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
        """Log the beginning of a run.

        Args:
            max_games: Limit on the games of this run; None for none.
            workers: Number of games at once; None if the user gave none.
            where: Lines about the machines that play.
        """
        lines = [f"run started at {_moment()} with max_games {max_games}"]
        if workers is not None:
            lines.append(f"using {workers} worker process{'es' if workers > 1 else ''}")
        self.log(*lines, *where)

    def started(self, spec: GameSpec) -> None:
        self.log(f"starting game {spec.id}: {_players(spec)}")

    def finished(self, result: GameResult, lines: Iterable[str], history: Iterable[str]) -> None:
        """Log a stored game.

        Args:
            lines: Further lines for the event log.
            history: Lines for the history file.
        """
        self.log(f"response from game {result.id}", *result.warnings, *result.late, *lines)
        self._history_text += history

    def voided(self, void: VoidGame, lines: Iterable[str]) -> None:
        self.log(f"game {void.id} -- {void.reason}", *void.late, *lines)

    def halting(self, reason: str) -> None:
        self.log(f"halting competition: {reason}")

    def steered(self, what: str) -> None:
        """Log that a command changed the run."""
        self.log(f"{what} at {_moment()}")

    def ended(self, how: str, unfinished: Iterable[str] = ()) -> None:
        """Log the end of the run.

        Args:
            how: Such as "finished" or "interrupted".
            unfinished: Ids of the games that were in progress.
        """
        lines = [f"run {how} at {_moment()}"]
        if ids := " ".join(unfinished):
            lines.append(f"games in progress were: {ids}")
        self.log(*lines)
        self.flush()

    def log(self, *lines: str) -> None:
        self._log_text += lines

    def flush(self) -> None:
        """Write the collected lines, with one system call for each file."""
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
    """Return the lower-case letters of a game's sides, such as b and w."""
    return [letter.lower() for letter in GAMES.find(game).result_words.letters]


def _players(spec: GameSpec) -> str:
    codes, letters = spec.codes, _letters(spec.game)
    names = letters if len(letters) == len(codes) else range(1, len(codes) + 1)  # several seats are a side
    told = [f"{code} ({name})" for code, name in zip(codes, names, strict=True)]
    return (" vs " if len(codes) == 2 else ", ").join(told)
