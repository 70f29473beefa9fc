"""Checks on a host that the engines of players start there. Without a check, engines that do not start would
lose their games.

``python -m gyoji.cluster.host_checks`` reads `CheckRequest`s, starts the engine of each, and prints
`CheckResult`s, as JSON lines. It is a separate process, so that the agent does not have to wait for engines.
"""

import os
import re
import sys
from collections.abc import Callable

from gyoji.cluster.piped_process import PipedProcess
from gyoji.core import wire
from gyoji.core.spec import GameSpec, Player
from gyoji.core.wire import Value
from gyoji.executors.kernel import die_with_parent
from gyoji.play.loop import Loop
from gyoji.play.probing import signature_problem
from gyoji.play.startup_check import check_startup

COMMAND = (sys.executable, "-P", "-m", "gyoji.cluster.host_checks")
MOST_TRIES = 2
"""Number of attempts to start an engine before its player counts as unable to play: a host may be busy."""

_NUMBER = re.compile(r"(?<![\w/])-?[0-9][0-9.e+-]*(?![\w/])")


class CheckRequest(Value, frozen=True, kw_only=True):
    """The request to check whether the engine of one seat of a game starts on this host."""

    spec: GameSpec
    seat: int


class CheckResult(Value, frozen=True, kw_only=True):
    """The result of a check of one player.

    Attributes:
        problems: Reasons why the engine cannot play, without the player's code. Empty if it can.
    """

    problems: tuple[str, ...] = ()


_read_trial = wire.reader(CheckRequest)
_read_found = wire.reader(CheckResult)


class HostChecks:
    """Checks that the engines of players start on this host.

    Each player is checked once. Players whose commands differ only in numbers share one check.
    """

    def __init__(self, loop: Loop, environ: dict[str, str], on_found: Callable[[], object]) -> None:
        """Prepare the process that makes the checks. It is started for the first check.

        Args:
            loop: The event loop that reads the process's answers.
            environ: Environment of that process.
            on_found: Called whenever a check has ended.
        """
        self._loop, self._environ, self._on_found = loop, environ, on_found
        self._found: dict[str, str] = {}  # the problem by `_kind` of a player; "" if it can play
        self._asked: list[
            str
        ] = []  # the `_kind`s of players in the order in which their checks were requested
        self._process: PipedProcess | None = None

    def problem(self, spec: GameSpec) -> str | None:
        """Return the first known problem of a player whose engine does not start on this host.

        Players that have not been checked are checked now. Human and remote players need no check.

        Returns:
            The player's code and the problem. "" if all players can play. None if no problem is known and a
            check is still in progress.
        """
        is_open, problem = False, ""
        for seat, player in enumerate(spec.players):
            if player.is_elsewhere:
                continue
            key = _kind(spec, player)
            if key not in self._found:
                is_open = True
                self._ask(key, spec, seat)
            elif not problem and (found := self._found[key]):
                problem = f"{player.code}: {found}"
        return problem if problem or not is_open else None

    def close(self) -> None:
        """End the process that checks."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _ask(self, key: str, spec: GameSpec, seat: int) -> None:
        if key not in self._asked:
            self._asked.append(key)
            if self._process is None:
                self._process = PipedProcess(
                    self._loop, COMMAND, self._environ, on_line=self._on_line, on_end=self._on_end
                )
            self._process.connection.send(CheckRequest(spec=spec, seat=seat))

    def _on_line(self, line: bytes) -> None:
        self._found[self._asked.pop(0)] = "; ".join(_read_found(line).problems)
        self._on_found()

    def _on_end(self, _why: str) -> None:
        # Players whose check is lost may play: if their engines do not start, their games show it.
        self.close()
        self._found |= dict.fromkeys(self._asked, "")
        self._asked.clear()
        self._on_found()


def _kind(spec: GameSpec, player: Player) -> str:
    """Return a key that is equal for players that share one check.

    For example, all candidates of a tuner share one, because their commands differ only in numbers.
    """
    words = [_NUMBER.sub("0", word) for word in player.command]
    contained = player.containment
    same = [spec.game, player.protocol, player.executor, contained.level, player.cwd, player.signature]
    return wire.dumps([*same, *words])


def main() -> None:
    """Check players until the input ends."""
    die_with_parent()
    out = os.dup(1)
    os.dup2(2, 1)  # so that nothing but results goes to the agent
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
        os.write(out, f"{wire.dumps(CheckResult(problems=told))}\n".encode())


if __name__ == "__main__":
    main()
