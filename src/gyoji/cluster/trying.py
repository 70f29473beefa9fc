"""Players are tried on each host before they play there: one that does not start there would lose games.

``python -m gyoji.cluster.trying`` reads lines, each with a game and a seat, gets that seat's engine ready for
such a game, and prints what is wrong with it. It is a process of its own, which may wait for engines.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress

from gyoji.core import wire
from gyoji.core.spec import GameSpec, Player
from gyoji.core.wire import Value
from gyoji.executors.kernel import die_with_parent
from gyoji.play.loop import Loop
from gyoji.play.signature import signature_problem
from gyoji.play.startup_check import check_startup

COMMAND = (sys.executable, "-P", "-m", "gyoji.cluster.trying")
MOST_TRIES = 2
"""How often a player is tried before it is held to be of no use: a host may be busy."""

_CHUNK = 1 << 16
_NUMBER = re.compile(r"(?<![\w/])-?[0-9][0-9.e+-]*(?![\w/])")


class Trial(Value, frozen=True, kw_only=True):
    """A line to it: try the engine of this seat."""

    spec: GameSpec
    seat: int


class Found(Value, frozen=True, kw_only=True):
    """A line of it. problems: why that engine cannot play, without its code in front; () if it can."""

    problems: tuple[str, ...] = ()


_read_trial = wire.reader(Trial)
_read_found = wire.reader(Found)


class Trials:
    """The findings about players on this host; each is tried once.

    environ   of the process that tries them.   on_found: called when something has been found.
    """

    def __init__(self, loop: Loop, environ: dict[str, str], on_found: Callable[[], object]) -> None:
        self._loop, self._environ, self._on_found = loop, environ, on_found
        self._found: dict[str, str] = {}  # by kind of player; "" if it can play
        self._asked: list[str] = []  # in order
        self._process: subprocess.Popen[bytes] | None = None
        self._heard = b""

    def problem(self, spec: GameSpec) -> str | None:
        """Why a game cannot be played here, with the code of the player in front; "" if it can be.

        None: that is not known yet.
        """
        is_open, problem = False, ""
        for seat, player in enumerate(spec.players):
            if player.is_person:
                continue
            key = _kind(spec, player)
            if key not in self._found:
                is_open = True
                self._ask(key, spec, seat)
            elif not problem and (found := self._found[key]):
                problem = f"{player.code}: {found}"
        return problem if problem or not is_open else None

    def close(self) -> None:
        """End the process that tries."""
        if (process := self._process) is not None:
            self._process, self._heard = None, b""
            assert process.stdin is not None
            assert process.stdout is not None
            self._loop.forget(process.stdout.fileno())
            process.kill()
            process.stdout.close()
            with suppress(OSError):
                process.stdin.close()
            process.wait()

    def _ask(self, key: str, spec: GameSpec, seat: int) -> None:
        if key not in self._asked:
            self._asked.append(key)
            self._say(Trial(spec=spec, seat=seat))

    def _say(self, trial: Trial) -> None:
        if self._process is None:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                COMMAND, stdin=pipe, stdout=pipe, env=self._environ, bufsize=0, process_group=0
            )
            assert self._process.stdout is not None
            self._loop.watch(self._process.stdout.fileno(), self._on_output)
        assert self._process.stdin is not None
        with suppress(OSError):  # its output says that it has ended
            self._process.stdin.write(f"{wire.dumps(trial)}\n".encode())

    def _on_output(self, _now: int) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        data = os.read(self._process.stdout.fileno(), _CHUNK)
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            self._found[self._asked.pop(0)] = "; ".join(_read_found(line).problems)
        if not data:  # it has ended: whoever was to be tried shows in a game what is wrong
            self.close()
            self._found |= dict.fromkeys(self._asked, "")
            self._asked.clear()
        self._on_found()


def _kind(spec: GameSpec, player: Player) -> str:
    """The same for players of which one need be tried: a tuner's differ in numbers alone."""
    words = [_NUMBER.sub("0", word) for word in player.command]
    contained = player.containment
    same = [spec.game, player.protocol, player.executor, contained.level, player.cwd, player.signature]
    return wire.dumps([*same, *words])


def main() -> None:
    """Try until nobody asks any more."""
    die_with_parent()
    out = os.dup(1)
    os.dup2(2, 1)  # what anything prints here is no finding
    for line in sys.stdin.buffer:
        trial = _read_trial(line)
        player = trial.spec.players[trial.seat]
        problems: tuple[str, ...] = ()
        for _ in range(MOST_TRIES):
            problems = check_startup(trial.spec, seat=trial.seat).problems
            if not problems and (problem := signature_problem(player)):
                problems = (problem,)
            if not problems:
                break
        told = tuple([problem.removeprefix(f"{player.code}: ") for problem in problems])
        os.write(out, f"{wire.dumps(Found(problems=told))}\n".encode())


if __name__ == "__main__":
    main()
