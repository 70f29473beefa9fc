"""The vice engine: plays well until a given move, then misbehaves in one of the ways engines do.

::

    python -m gyoji.testing.vice --vice drip --at 6            from the first question with 6 moves played
    python -I -S .../gyoji/testing/vice.py --vice drip         the same, started in 12 ms

Options, each with a value: `--protocol` (gtp), `--vice` (of VICES, or `well`), `--at` moves played
by both sides before it misbehaves (6), `--seconds` of delay, `--mib` on standard error (64), `--moves` after
which it passes (60), `--life` seconds after which it ends whatever it is doing, its children too (120).

A vice is a function of the conversation. A protocol is a file beside this one with a class that reads
questions and knows how a right answer, a wrong one and an unfinished one are written: see `Tongue`. Imports
little, and nothing of gyoji's: many processes are started from this file. `VICES` says of each vice what a
referee has to make of it.
"""

from __future__ import annotations

import os
import signal
import sys
import time

SAFETY = 120
"""No process of ours lives longer, in seconds, whatever the command line says."""

TYPE_CHECKING = False  # typing takes longer to import than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Tongue(Protocol):
        """The class that a protocol's file, `vice_<protocol>.py` beside this one, has under this name.

        Made with (line, say, settings): `line()` gives the next line of input without its end, `say(bytes)`
        writes; both raise Gone, which is for the caller. It need not derive from this.
        """

        played: int
        """Moves of both sides in the game in progress."""

        def __init__(
            self, line: Callable[[], bytes], say: Callable[[bytes], None], settings: Settings
        ) -> None: ...

        def question(self) -> str:
            """START at the first question, then MOVE or END; answers everything else as it should."""

        def move(self) -> bytes:
            """A right answer to a MOVE, whole, made now: it counts as played."""

        def noisy(self) -> bytes:
            """The same with NUL and invalid UTF-8 in it, where a lenient reader drops or replaces them."""

        def illegal(self) -> bytes:
            """A whole answer with a move that is on the board but against the rules."""

        def wrapped(self, text: bytes) -> bytes:
            """A whole answer to a MOVE that consists of `text`."""

        def opening(self) -> bytes:
            """How an answer begins, as far as it can be written before the thinking."""

        def chatter(self) -> bytes:
            """A line that may come before the move and does not end the answer."""

        def parting(self) -> bytes:
            """The answer to END."""


START, MOVE, END = "start", "move", "end"
_HERE = os.path.dirname(os.path.abspath(__file__))
_CHUNK = (b"the end is nigh, says this engine, and says it again\n" * 1300)[: 1 << 16]


class Gone(Exception):
    """Our input has ended, or our output has been closed."""


class Settings:
    """The settings of the command line. seconds < 0: as long as the vice usually takes."""

    def __init__(self, words: list[str]) -> None:
        """Raises SystemExit, saying what is wrong."""
        given = dict(zip(words[::2], words[1::2], strict=False))
        try:
            self.protocol = given.pop("--protocol", "gtp")
            self.vice = given.pop("--vice", "well")
            self.at = int(given.pop("--at", 6))
            self.seconds = float(given.pop("--seconds", -1))
            self.mib = int(given.pop("--mib", 64))
            self.moves = int(given.pop("--moves", 60))
            self.life = min(int(given.pop("--life", SAFETY)), SAFETY)
        except ValueError as error:
            raise SystemExit(f"vice: {error}") from None
        if given or len(words) % 2:
            raise SystemExit(f"vice: no option with a value: {' '.join(given) or words[-1]}")
        if self.vice != "well" and self.vice not in VICES:
            raise SystemExit(f"vice: no vice {self.vice!r}; there are: well {' '.join(VICES)}")
        if not os.path.exists(f"{_HERE}/vice_{self.protocol}.py"):
            raise SystemExit(f"vice: no file vice_{self.protocol}.py in {_HERE}")


class Talk:
    """A conversation: our two pipes, and the tongue it is held in."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.stays = False  # whether it lives on after the end of the conversation
        self.done = False  # for vices that are done once
        self._read = b""
        self.tongue: Tongue = __import__(f"vice_{settings.protocol}").Tongue(self.line, self.say, settings)

    def line(self) -> bytes:
        while b"\n" not in self._read:
            more = os.read(0, 1 << 16)
            if not more:
                raise Gone
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line.rstrip(b"\r")

    def say(self, text: bytes) -> None:
        """Write all of it, in one go if the pipe takes it."""
        try:
            while text:
                text = text[os.write(1, text) :]
        except OSError:
            raise Gone from None

    def say_move(self) -> None:
        self.say(self.tongue.move())

    def wait(self, usual: float) -> None:
        time.sleep(usual if self.settings.seconds < 0 else self.settings.seconds)

    def listen(self) -> None:
        """Say nothing, but read until the end of input, which raises Gone."""
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
    import resource  # noqa: PLC0415  wanted by this vice only

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


def _last_word(talk: Talk) -> None:
    talk.say_move()
    os._exit(0)


def _noise(talk: Talk) -> None:
    os.write(2, b"\x00\xff\xfe\xc3(\x1b[2J\n")
    talk.say(talk.tongue.noisy())


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
    talk.say(talk.tongue.move().rstrip(b"\n"))
    talk.listen()


def _flood(talk: Talk) -> None:
    talk.say(talk.tongue.opening())
    lines = talk.tongue.chatter() * 4096
    while True:
        talk.say(lines)


def _drip(talk: Talk) -> None:
    talk.say(talk.tongue.opening())
    while True:
        talk.say(talk.tongue.chatter())
        talk.wait(0.02)


def _endless(talk: Talk) -> None:
    talk.say(talk.tongue.opening())
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
    """A process in a session of its own, and no child of ours, that holds our pipes."""
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


class Vice:
    """A vice, and the verdict.

    text       what the engine does, in a line.
    act        the function that does it. when: at START, at every MOVE from the given one on, or at END.
    clocked    the endings (values of `gyoji.core.outcome.Ending`) that are right when the clock, or for START
               the startup budget, is shorter than the vice takes; () if the game has to go on. The engine's
               seat is to blame for each of them.
    unclocked  the same without a clock, with a move budget that is shorter than the vice takes.
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

VICES = {
    "die": Vice("exits with status 1 instead of an answer", lambda talk: os._exit(1), _FAULT),
    "segv": Vice("is killed by SIGSEGV instead of an answer", _segv, _FAULT),
    "last-word": Vice("gives a right answer, then exits: the move counts", _last_word, _FAULT),
    "illegal": Vice("plays on an occupied point", lambda talk: talk.say(talk.tongue.illegal()), _ILLEGAL),
    "garbage": Vice(
        "answers with something that is no move",
        lambda talk: talk.say(talk.tongue.wrapped(b"zz99 gibberish")),
        _ILL_FORMED,
    ),
    "none": Vice("gives an empty answer", lambda talk: talk.say(talk.tongue.wrapped(b"")), _ILL_FORMED),
    "twice": Vice(
        "gives two answers to one question, in one write",
        lambda talk: talk.say(talk.tongue.move() + talk.tongue.move()),
        _FAULT,
    ),
    "noise": Vice("has NUL and invalid UTF-8 around its answers", _noise),
    "stderr": Vice("writes 64 MiB on standard error before each answer", _stderr),
    "late": Vice("answers one question 2 s late", _late, _TIME, unclocked=_GOES_ON),
    "silent": Vice("reads, but says nothing", Talk.listen, _TIME, unclocked=_FAULT),
    "deaf": Vice("answers, then reads no more", _deaf, _TIME + _FAULT, unclocked=_FAULT),
    "partial": Vice("gives an answer without the end of the line", _partial, _TIME, unclocked=_FAULT),
    "flood": Vice("writes lines for ever, never a move", _flood, _FAULT),
    "drip": Vice("writes a line every 20 ms, never a move", _drip, _TIME, unclocked=_FAULT),
    "endless": Vice("writes one line without end", _endless, _FAULT),
    "mute": Vice("closes its output and lives on", _mute, _FAULT),
    "orphan": Vice("exits, but a child of it holds the pipes", _orphan, _FAULT),
    "stubborn": Vice("ignores quit, end of input and SIGTERM", _stubborn, when=START),
    "never-ready": Vice("does not answer the first question", Talk.listen, _FAULT, when=START),
    "slow-ready": Vice(
        "answers the first question after 20 s", lambda talk: talk.wait(20), _FAULT, when=START
    ),
    # and five that were not in the survey
    "early": Vice("gives the next answer before the question", _early, _FAULT + _ILL_FORMED),
    "daemon": Vice("leaves a process in another session that holds the pipes", _daemon),
    "babble": Vice("says something that is not of its protocol", _babble, _FAULT),
    "vanish": Vice(
        "exits before the first question is answered", lambda talk: os._exit(1), _FAULT, when=START
    ),
    "bad-end": Vice(
        "is killed when the game is over", lambda talk: os.kill(os.getpid(), signal.SIGKILL), when=END
    ),
}
"""The twenty-one of the survey in its order, then our own."""


def _converse(talk: Talk) -> None:
    settings, tongue = talk.settings, talk.tongue
    vice = VICES.get(settings.vice)
    while True:
        question = tongue.question()
        due = vice is not None and vice.when == question
        if vice is not None and due and (question != MOVE or tongue.played >= settings.at):
            vice.act(talk)
        elif question == MOVE:
            talk.say_move()
        if question == END:
            return talk.say(tongue.parting())


def main() -> None:
    """Run as the command line says, and end."""
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
