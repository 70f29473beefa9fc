"""Commands of the organiser that a run calls after games and at its end, with JSON lines as their input.

The run does not wait for a call while games are played. A call's output and failures go to the event log.
A call that takes longer than `SECONDS` is killed with its process group. Calls do not overlap: the results of
games that end during a call are the input of the next call, so the end of a run waits for two calls at most.

A command is a process of its own in the competition's folder. It is not contained, because the organiser
wrote it.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.text import format_duration, printable, quote
from gyoji.play.loop import Loop
from gyoji.results.comparison import Comparison
from gyoji.scheduler.event import Endings, Event, Warn, comparable, event_values
from gyoji.scheduler.events import Journal, Listener
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.status import RunEnd
from gyoji.tables.digest import ResultsDigest
from gyoji.tables.one_game import result_facts

SECONDS = 60.0
"""Seconds that a call may take."""

MOST_SAID = 4096
"""Bytes of a call's output that go to the event log."""

_AT_ONCE = 1 << 16  # bytes read from a pipe at a time


class Hook:
    """A command of the organiser. At most one call of it is in progress at a time."""

    def __init__(
        self, name: str, folder: str, loop: Loop, *, log: Callable[..., object], warn: Callable[[str], object]
    ) -> None:
        """Prepare a command that is not called yet.

        Args:
            name: Setting that names the command, for messages.
            folder: Working folder of the command.
            log: Gets lines for the event log.
            warn: Gets a line for the organiser, once for each kind of failure.
        """
        self._name, self._folder, self._loop = name, folder, loop
        self._log, self._warn = log, warn
        self._warned: set[str] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._said = b""
        self._why = ""  # why it was killed

    @property
    def is_busy(self) -> bool:
        """Whether a call is in progress."""
        return self._process is not None

    def call(self, words: Sequence[str], text: str, done: Callable[[], object] = lambda: None) -> None:
        """Call the command with `text` as its input.

        Args:
            words: The command line.
            done: Called when the command has ended; not called if it cannot be started.
        """
        pipe, both = subprocess.PIPE, subprocess.STDOUT
        try:
            with open(os.memfd_create("gyoji"), "w+b") as given:
                given.write(text.encode("utf-8", "backslashreplace"))
                given.seek(0)
                process = subprocess.Popen(
                    words, stdin=given, stdout=pipe, stderr=both, cwd=self._folder, start_new_session=True
                )
        except OSError as error:
            self._fail(f"{printable(words[0])} cannot be started: {error.strerror}")
            return
        assert process.stdout is not None
        self._process, self._said, self._why = process, b"", ""
        self._output, self._pidfd = process.stdout.fileno(), os.pidfd_open(process.pid)
        os.set_blocking(self._output, False)
        late = f"killed: not done after {format_duration(round(SECONDS * 1e9))}"
        self._alarm = self._loop.call_later(SECONDS, lambda: self.kill(late))
        self._loop.watch(self._output, lambda _now: self._read())
        self._loop.watch(self._pidfd, lambda _now: self._end(process, done))

    def _read(self) -> bool:
        """Read what the command has printed. Return False if there was nothing."""
        try:
            found = os.read(self._output, _AT_ONCE)
        except BlockingIOError:
            return False
        self._said += found[: MOST_SAID - len(self._said)]
        if not found:
            self._loop.forget(self._output)
        return bool(found)

    def _end(self, process: subprocess.Popen[bytes], done: Callable[[], object]) -> None:
        """Handle the end of the command: log its output, report a failure, and call `done`.

        Processes that the command started may still write to its output, which is not read any more.
        """
        for _ in range(MOST_SAID):
            if not self._read():
                break
        self._loop.forget(self._output)
        self._loop.forget(self._pidfd)
        os.close(self._pidfd)
        self._alarm.retire()
        status = process.wait()
        if process.stdout is not None:
            process.stdout.close()
        self._process = None
        lines = self._said.decode("utf-8", "backslashreplace").splitlines()
        self._log(*(f"{self._name}: {printable(line, 1000)}" for line in lines))
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        if self._why or status:
            self._fail(self._why or how)
        done()

    def _fail(self, problem: str) -> None:
        self._log(f"{self._name}: {problem}")
        if problem not in self._warned:
            self._warned.add(problem)
            self._warn(f"{self._name}: {problem}; the event log has what it printed")

    def wait(self, is_done: Callable[[], bool]) -> None:
        """Run the loop until `is_done()`. A signal that asks this process to end kills the call in
        progress."""
        stop = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
        with self._loop.catching(
            {number: partial(self.kill, "killed: the run was to end") for number in stop}
        ):
            self._loop.run(is_done)

    def kill(self, why: str) -> None:
        """Kill the call in progress, if there is one, with its whole process group."""
        if self._process is not None:
            self._why = self._why or why
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)


class GameHook(Listener):
    """Calls the command `on_game`, if the control file has one, with the results of games that have ended."""

    def __init__(self, setup: CompetitionSetup, hook: Hook) -> None:
        self._setup, self._hook = setup, hook
        self._waiting: list[str] = []

    def finished(self, result: GameResult) -> None:
        if self._setup.on_game:
            words = GAMES.find(self._setup.game).result_words
            told = {"event": "game", **_head(self._setup), **result_facts(result, words)}
            self._waiting.append(f"{wire.dumps(told)}\n")
            self._go_on()

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        self._setup = fresh.setup

    def _go_on(self) -> None:
        """Call the command with all results that wait for it, unless a call is in progress."""
        if self._waiting and not self._hook.is_busy:
            text = "".join(self._waiting)
            self._waiting.clear()
            self._hook.call(self._setup.on_game, text, self._go_on)

    def finish(self) -> None:
        """Wait until the command has been called with all results and its last call has ended."""
        self._hook.wait(lambda: not self._hook.is_busy)

    def close(self) -> None:
        """Kill the call in progress, if there is one.

        There is one only if the run failed. Otherwise `finish` has waited for it.
        """
        self._waiting.clear()
        self._hook.kill("killed: the run has failed")
        self._hook.wait(lambda: not self._hook.is_busy)


def call_at_end(event: Event, end: RunEnd, digest: ResultsDigest, warn: Warn) -> None:
    """Call the command `on_end` of the control file, and wait for it.

    The run is over and has released its lock.

    Args:
        event: The event, with all results counted.
        end: How the run ended.
        digest: Sums over the results, for the report that the command gets.
        warn: Gets a line if the command fails.
    """
    setup = event.setup
    if not setup.on_end:
        return
    endings = Endings()
    with event.read() as store:
        for result in comparable(store, Comparison(setup)):
            endings.add(result)
    told = {
        "event": "end",
        **_head(setup),
        "status": int(end.status),
        "reason": end.reason,
        "finished": end.finished,
        "voids": end.voids,
        "skipped": list(end.skipped),
        "report": str(event.files.report),
        "values": event_values(event, endings, digest),
    }
    loop, journal = Loop(), Journal(event.files.log, event.files.history, lambda line: None)
    with closing(loop), closing(journal):
        hook = Hook("on_end", str(event.files.folder), loop, log=journal.log, warn=warn)
        hook.call(setup.on_end, f"{wire.dumps(told)}\n")
        hook.wait(lambda: not hook.is_busy)


def check_commands(setup: CompetitionSetup) -> None:
    """Raise ConfigError if `on_game` or `on_end` names a program that cannot be started."""
    for name, words in (("on_game", setup.on_game), ("on_end", setup.on_end)):
        if words and shutil.which(words[0]) is None:
            where = setup.control_file or setup.code
            raise ConfigError(
                f"{where}: {name}: no program {quote(words[0])} can be started; name "
                "one on PATH, or an executable file (chmod +x) by its path from the control file's folder"
            )


def _head(setup: CompetitionSetup) -> dict[str, str]:
    return {"competition": setup.code, "control_file": setup.control_file}
