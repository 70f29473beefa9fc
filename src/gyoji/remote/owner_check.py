"""The settings of the engine that `gyoji join` starts, and the check of this engine before it joins an event.

The owner of a remote player runs `gyoji join` on their own machine, and chooses the engine's command,
containment and memory limit. Protocol, clock and the other settings of the game come from the event's server.
"""

import os
import shutil
import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.spec import Containment, GameSpec, Player
from gyoji.core.text import format_duration
from gyoji.play.context import WorkerContext
from gyoji.play.probing import try_out
from gyoji.play.startup_check import check_startup

_DEBIAN_GAMES = "/usr/games:/usr/local/games"


class Wishes(NamedTuple):
    """The options of `gyoji join`.

    Attributes:
        command: The command of the engine; () with `echo`.
        memory: Limit of the engine's memory in bytes; 0 for none.
        games: Number of games after which to leave; None for all.
        echo: Whether to measure round trips only.
        only_checks: Whether to check the engine and the connection only.
        ca: File with the certificates to trust; None for those of the system.
    """

    command: tuple[str, ...]
    containment: Containment
    memory: int
    games: int | None
    echo: bool
    only_checks: bool
    ca: Path | None


# The server is trusted with the game, not with this machine. Fields of its player that are not named here are
# ignored: folder, environ and others name files, programs and variables.
def own_player(given: Player, wishes: Wishes) -> Player:
    """Return the player of the owner's engine on this machine.

    Args:
        given: The player as the event's server describes it. Only its name, protocol and options, clock,
            restart, ponders and budgets are used.

    Raises:
        ConfigError: The engine's program cannot be executed.
    """
    word = wishes.command[0]
    beside = os.path.dirname(sys.executable)
    found = (
        os.path.abspath(word)
        if "/" in word
        else (shutil.which(word) or shutil.which(word, path=f"{beside}:{_DEBIAN_GAMES}"))
    )
    if found is None or not os.access(found, os.X_OK) or os.path.isdir(found):
        raise ConfigError(f"join: {word}: there is no such program, or it cannot be executed")
    level = wishes.containment.level
    return Player(
        code=given.code,
        command=(found, *wishes.command[1:]),
        protocol=given.protocol,
        options=given.options,
        clock=given.clock,
        restart=given.restart,
        ponders=given.ponders,
        budgets=replace(given.budgets, memory=wishes.memory) if wishes.memory else given.budgets,
        executor="local" if level == "off" else "contained",
        containment=wishes.containment,
        cwd=os.getcwd(),
        stderr="inherit",
    )


def check_engine(spec: GameSpec, wishes: Wishes) -> tuple[Player, str]:
    """Check the engine with a game of the event. Return its player, and a line with the engine's name.

    Raises:
        ConfigError: The engine cannot play in this event.
    """
    player = own_player(spec.players[0], wishes)
    spec = replace(spec, players=(player,) * len(spec.players))
    with closing(WorkerContext()) as context:
        startup = check_startup(spec, inherit_stderr=True, context=context)
        problems = [*startup.problems]
        if not problems:
            try:
                problems += try_out(spec, context=context).unfit
            except Breakdown as error:
                problems.append(str(error))
    if problems:
        raise ConfigError(f"join: the engine cannot play in this event: {'; '.join(problems)}")
    name = f": {startup.name}" if startup.name else ""
    ready = format_duration(max(startup.startup_ns // 10**6, 1) * 10**6)
    return player, f"the engine is ok{name} (ready in {ready})"
