"""Who can be played against: programs that the machine has, and players of competitions that are served."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gyoji.config.players import CONTAINED
from gyoji.config.programs import DEBIAN_GAMES
from gyoji.config.written import player_table
from gyoji.core.faults import ConfigError
from gyoji.core.forms import Form, Strength
from gyoji.core.plugins import GAMES, check_plays
from gyoji.core.setup import CompetitionSetup
from gyoji.web.following import Followed

AS_IT_IS = Strength("as it is")


class Opponent(NamedTuple):
    """A player that somebody may play against.

    name       of the player.   where: the competition that it is of, "" for a program of the machine.
    table      of the player in a control file, for its usual strength.
    strengths  that it has, the usual one first; what each adds to its command.
    resources  that the machine has, as that competition says.
    """

    name: str
    where: str
    table: Mapping[str, Any]
    strengths: tuple[Strength, ...] = (AS_IT_IS,)
    resources: Mapping[str, int] = {}

    @property
    def key(self) -> str:
        """What a form calls it."""
        return f"{self.where}/{self.name}"

    def at(self, strength: str) -> dict[str, Any]:
        """The table for one of its strengths. Raises ConfigError for one that it has not."""
        found = [each for each in self.strengths if each.name == strength] if strength else self.strengths[:1]
        if not found:
            known = ", ".join(each.name for each in self.strengths)
            raise ConfigError(f"strength: expected one of {known}")
        return {**self.table, "command": [*self.table["command"], *found[0].words]}


def opponents(game: str, competitions: Iterable[Followed]) -> list[Opponent]:
    """All of them for a game. competitions: whose players may be played against."""
    found = list(_of_machine(game))
    for each in competitions:
        if each.event is not None and each.event.setup.game == game:
            found += _of_setup(each.name, each.event.setup)
    return found


def _of_machine(game: str) -> Iterator[Opponent]:
    """Programs of the game that are on PATH, come with gyoji, or are where Debian has games."""
    form = _form(game)
    known = set[str]()
    for program in form.programs:
        known.add(program.command[0])
        if (path := _found(program.command[0])) is not None:
            protocol = {"protocol": program.protocol} if program.protocol else {}
            table = {"command": [path, *program.command[1:]], **protocol}
            yield Opponent(program.name, "", table, program.strengths)
    for name, path in _begun(form.prefix).items():
        if name not in known:
            yield Opponent(Path(name).stem.removeprefix(form.prefix), "", {"command": [path]})


def _form(game: str) -> Form:
    form = GAMES.find(game).form
    if form is None:
        raise ConfigError(f"game: {game} has no form for a new game")
    return form()


def _folders() -> list[str]:
    """Where programs are looked for."""
    beside = os.path.dirname(sys.executable)
    return [*os.get_exec_path(), beside, *DEBIAN_GAMES.split(":")]


def _found(name: str) -> str | None:
    path = shutil.which(name, path=os.pathsep.join(_folders()))
    return os.path.abspath(path) if path else None


def _begun(prefix: str) -> dict[str, str]:
    """The paths of the programs whose names begin so, by name."""
    found: dict[str, str] = {}
    for folder in _folders() if prefix else ():
        try:
            entries = sorted(os.listdir(folder))
        except OSError:
            continue
        for name in entries:
            path = os.path.abspath(os.path.join(folder, name))
            if name.startswith(prefix) and os.path.isfile(path) and os.access(path, os.X_OK):
                found.setdefault(name, path)
    return found


def _of_setup(where: str, setup: CompetitionSetup) -> Iterator[Opponent]:
    """The programs of a control file; functions and persons are no opponents here."""
    for code, player in setup.players.items():
        if player.executor != CONTAINED:
            continue
        try:
            check_plays(player.protocol, setup.game)
        except ConfigError:
            continue
        resources = {name: setup.resources[name] for name in player.resources if name in setup.resources}
        yield Opponent(code, where, player_table(player), resources=resources)
