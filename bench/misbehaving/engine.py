"""An engine that plays well until a given move, and then misbehaves in one of the ways that real engines do.

::

    python -m bench.misbehaving.engine --do drip --at 6           drips from the question after 6 moves on
    python -I -S .../bench/misbehaving/engine.py --do drip        the same, started in 12 ms

Every option has a value: `--protocol` (gtp); `--do`, one of `BEHAVIOURS` or `well`; `--at`, the number of
moves of both sides before it misbehaves (6); `--seconds` of delay; `--mib` on standard error (64); `--moves`
after which it passes (60); `--life`, the seconds after which it and its children end in any case (120).

`BEHAVIOURS` has, for each behaviour, what a referee has to rule. A protocol is a module beside this one with
a class `Driver`, which reads questions and writes right, wrong and unfinished answers.
"""

# Tests and benchmarks start many hundred processes from this file, so it imports little, and nothing of
# gyoji: `typing` alone takes longer to import than all the rest.

from __future__ import annotations

import os
import signal
import sys
import time

SAFETY = 120
"""Seconds after which every process of ours ends, whatever the command line says."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Driver(Protocol):
        """The interface of a protocol's class `Driver`, in `<protocol>.py` beside this module.

        `line()` returns the next line of input without its end, `say(bytes)` writes. Both raise Gone, for the
        caller to handle.
        """

        played: int
        """Moves of both sides in the game in progress."""

        def __init__(
            self, line: Callable[[], bytes], say: Callable[[bytes], None], settings: Settings
        ) -> None: ...

        def question(self) -> str:
            """Answer commands as they deserve, and return START at the first question, then MOVE or END."""

        def move(self) -> bytes:
            """Make a legal move, and return it as a complete answer."""

        def noisy(self) -> bytes:
            """Make a legal move, with NUL and invalid UTF-8 where a lenient reader drops them."""

        def illegal(self) -> bytes:
            """Return a complete answer with a move that is on the board but illegal."""

        def wrapped(self, text: bytes) -> bytes:
            """Return a complete answer to a MOVE that consists of `text`."""

        def opening(self) -> bytes:
            """Return the beginning of an answer that an engine can write before it thinks."""

        def chatter(self) -> bytes:
            """Return a line that may come before the move and does not end the answer."""

        def parting(self) -> bytes:
            """Return the answer to END."""


START, MOVE, END = "start", "move", "end"
PROTOCOLS = ("gtp", "gomocup", "usenix", "dighere", "umpire", "uci")
_HERE = os.path.dirname(os.path.abspath(__file__))
_CHUNK = (b"the end is nigh, says this engine, and says it again\n" * 1300)[: 1 << 16]


class Gone(Exception):
    """The input has ended, or the output has been closed."""


class Settings:
    """The settings of the command line. A negative `seconds` means the default delay of the behaviour."""

    def __init__(self, words: list[str]) -> None:
        """Parse the words of the command line.

        Raises:
            SystemExit: A word is wrong; the text says which.
        """
        given = dict(zip(words[::2], words[1::2], strict=False))
        try:
            self.protocol = given.pop("--protocol", "gtp")
            self.behaviour = given.pop("--do", "well")
            self.at = int(given.pop("--at", 6))
            self.seconds = float(given.pop("--seconds", -1))
            self.mib = int(given.pop("--mib", 64))
            self.moves = int(given.pop("--moves", 60))
            self.life = min(int(given.pop("--life", SAFETY)), SAFETY)
        except ValueError as error:
            raise SystemExit(f"misbehaving: {error}") from None
        if given or len(words) % 2:
            raise SystemExit(f"misbehaving: no option with a value: {' '.join(given) or words[-1]}")
        if self.behaviour != "well" and self.behaviour not in BEHAVIOURS:
            raise SystemExit(
                f"misbehaving: no behaviour {self.behaviour!r}; there are: well {' '.join(BEHAVIOURS)}"
            )
        if self.protocol not in PROTOCOLS:
            raise SystemExit(f"misbehaving: no protocol {self.protocol!r}; there are: {' '.join(PROTOCOLS)}")


class Talk:
    """The conversation over standard input and output, by the driver of a protocol."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.stays = False  # whether it lives on after the end of the conversation
        self.done = False  # for behaviours that show once
        self._read = b""
        self.driver: Driver = __import__(f"{settings.protocol}").Driver(self.line, self.say, settings)

    def line(self) -> bytes:
        while b"\n" not in self._read:
            more = os.read(0, 1 << 16)
            if not more:
                raise Gone
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line.rstrip(b"\r")

    def say(self, text: bytes) -> None:
        """Write all of `text`, in one system call if the pipe has room."""
        try:
            while text:
                text = text[os.write(1, text) :]
        except OSError:
            raise Gone from None

    def say_move(self) -> None:
        self.say(self.driver.move())

    def wait(self, usual: float) -> None:
        time.sleep(usual if self.settings.seconds < 0 else self.settings.seconds)

    def listen(self) -> None:
        """Read and discard until the end of input, which raises Gone."""
        while os.read(0, 1 << 16):
            pass
        raise Gone


def _end_after(seconds: int) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(max(seconds, 1))


def _sleep() -> None:
    while True:
        time.sleep(SAFETY)


def _segv(talk: Talk) -> None:
    import resource  # noqa: PLC0415  wanted by this behaviour only

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


def _last_word(talk: Talk) -> None:
    talk.say_move()
    os._exit(0)


def _noise(talk: Talk) -> None:
    os.write(2, b"\x00\xff\xfe\xc3(\x1b[2J\n")
    talk.say(talk.driver.noisy())


def _stderr(talk: Talk) -> None:
    for _ in range(talk.settings.mib * 16):
        os.write(2, _CHUNK)
    talk.say_move()


def _late(talk: Talk) -> None:
    if not talk.done:
        talk.done = True
        talk.wait(2)
    talk.say_move()


def _deaf(talk: Talk) -> None:
    talk.say_move()
    _sleep()


def _partial(talk: Talk) -> None:
    talk.say(talk.driver.move().rstrip(b"\n"))
    talk.listen()


def _flood(talk: Talk) -> None:
    talk.say(talk.driver.opening())
    lines = talk.driver.chatter() * 4096
    while True:
        talk.say(lines)


def _drip(talk: Talk) -> None:
    talk.say(talk.driver.opening())
    while True:
        talk.say(talk.driver.chatter())
        talk.wait(0.02)


def _endless(talk: Talk) -> None:
    talk.say(talk.driver.opening())
    text = b"x" * 65536
    while True:
        talk.say(text)


def _mute(talk: Talk) -> None:
    os.close(1)
    _sleep()


def _orphan(talk: Talk) -> None:
    if os.fork() == 0:
        _end_after(talk.settings.life)
        _sleep()
    os._exit(0)


def _stubborn(talk: Talk) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    talk.stays = True


def _early(talk: Talk) -> None:
    talk.say_move()
    talk.wait(0)
    talk.say_move()


def _daemon(talk: Talk) -> None:
    """Leave a process that has a session of its own, is not our child, and holds our pipes."""
    if not talk.done:
        talk.done = True
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            _end_after(talk.settings.life)
            _sleep()
        os.waitpid(child, 0)
    talk.say_move()


def _babble(talk: Talk) -> None:
    talk.say(b"usage: engine [options]\n> ")
    talk.listen()


class Behaviour:
    """A way to misbehave, and the rulings that are correct.

    Attributes:
        text: What the engine does, in one line.
        act: The function that does it.
        when: START, END, or MOVE for every question for a move from the given one on.
        clocked: Correct endings (values of `gyoji.core.outcome.Ending`) if the clock, or at START the startup
            budget, is shorter than the behaviour takes. The engine's seat is to blame. Empty if the game has
            to go on.
        unclocked: Correct endings without a clock, if the move budget is shorter than the behaviour takes.
    """

    __slots__ = ("act", "clocked", "text", "unclocked", "when")

    def __init__(
        self,
        text: str,
        act: Callable[[Talk], None],
        clocked: tuple[str, ...] = (),
        *,
        unclocked: tuple[str, ...] | None = None,
        when: str = MOVE,
    ) -> None:
        self.text = text
        self.act = act
        self.clocked = clocked
        self.unclocked = clocked if unclocked is None else unclocked
        self.when = when


_FAULT, _TIME, _GOES_ON = ("fault",), ("time",), ()
_ILLEGAL, _ILL_FORMED = ("illegal move",), ("ill-formed move",)

BEHAVIOURS = {
    "die": Behaviour("exits with status 1 instead of an answer", lambda talk: os._exit(1), _FAULT),
    "segv": Behaviour("is killed by SIGSEGV instead of an answer", _segv, _FAULT),
    "last-word": Behaviour("gives a right answer, then exits: the move counts", _last_word, _FAULT),
    "illegal": Behaviour(
        "plays on an occupied point", lambda talk: talk.say(talk.driver.illegal()), _ILLEGAL
    ),
    "garbage": Behaviour(
        "answers with something that is no move",
        lambda talk: talk.say(talk.driver.wrapped(b"zz99 gibberish")),
        _ILL_FORMED,
    ),
    "none": Behaviour("gives an empty answer", lambda talk: talk.say(talk.driver.wrapped(b"")), _ILL_FORMED),
    "twice": Behaviour(
        "gives two answers to one question, in one write",
        lambda talk: talk.say(talk.driver.move() + talk.driver.move()),
        _FAULT,
    ),
    "noise": Behaviour("has NUL and invalid UTF-8 around its answers", _noise),
    "stderr": Behaviour("writes 64 MiB on standard error before each answer", _stderr),
    "late": Behaviour("answers one question 2 s late", _late, _TIME, unclocked=_GOES_ON),
    "silent": Behaviour("reads, but says nothing", Talk.listen, _TIME, unclocked=_FAULT),
    "deaf": Behaviour("answers, then reads no more", _deaf, _TIME + _FAULT, unclocked=_FAULT),
    "partial": Behaviour("gives an answer without the end of the line", _partial, _TIME, unclocked=_FAULT),
    "flood": Behaviour("writes lines for ever, never a move", _flood, _FAULT),
    "drip": Behaviour("writes a line every 20 ms, never a move", _drip, _TIME, unclocked=_FAULT),
    "endless": Behaviour("writes one line without end", _endless, _FAULT),
    "mute": Behaviour("closes its output and lives on", _mute, _FAULT),
    "orphan": Behaviour("exits, but a child of it holds the pipes", _orphan, _FAULT),
    "stubborn": Behaviour("ignores quit, end of input and SIGTERM", _stubborn, when=START),
    "never-ready": Behaviour("does not answer the first question", Talk.listen, _FAULT, when=START),
    "slow-ready": Behaviour(
        "answers the first question after 20 s", lambda talk: talk.wait(20), _FAULT, when=START
    ),
    # and five that were not in the survey
    "early": Behaviour("gives the next answer before the question", _early, _FAULT + _ILL_FORMED),
    "daemon": Behaviour("leaves a process in another session that holds the pipes", _daemon),
    "babble": Behaviour("says something that is not of its protocol", _babble, _FAULT),
    "vanish": Behaviour(
        "exits before the first question is answered", lambda talk: os._exit(1), _FAULT, when=START
    ),
    "bad-end": Behaviour(
        "is killed when the game is over", lambda talk: os.kill(os.getpid(), signal.SIGKILL), when=END
    ),
}
"""The 26 ways to misbehave. The first 21 are those that real engines showed in a survey, in its order."""


def _converse(talk: Talk) -> None:
    settings, driver = talk.settings, talk.driver
    behaviour = BEHAVIOURS.get(settings.behaviour)
    while True:
        question = driver.question()
        due = behaviour is not None and behaviour.when == question
        if behaviour is not None and due and (question != MOVE or driver.played >= settings.at):
            behaviour.act(talk)
        elif question == MOVE:
            talk.say_move()
        if question == END:
            return talk.say(driver.parting())


def main() -> None:
    """Run as the command line says, and exit."""
    settings = Settings(sys.argv[1:])
    _end_after(settings.life)
    sys.path.insert(0, _HERE)
    talk = Talk(settings)
    try:  # noqa: SIM105  contextlib would have to be imported
        _converse(talk)
    except Gone:
        pass
    if talk.stays:
        _sleep()
    os._exit(0)


if __name__ == "__main__":
    main()
