"""The opponents that the form for a new game offers: installed programs, and players of served
competitions.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gyoji.config.players import CONTAINED
from gyoji.config.programs import installed
from gyoji.config.toml_writer import player_table
from gyoji.core.faults import ConfigError
from gyoji.core.forms import AS_IT_IS, Form, Strength
from gyoji.core.plugins import plays
from gyoji.core.setup import CompetitionSetup
from gyoji.web.watched import WatchedCompetition


class Opponent(NamedTuple):
    """A program that a person can play against.

    Attributes:
        name: Name of the program, or of the player in its competition.
        where: Name of the competition that has this player; "" for a program of the machine.
        table: The program's table in a control file, at its default strength.
        strengths: The strengths to choose from, the default one first, with the words that each adds to the
            command.
        resources: Resources of the machine, such as a GPU, that the program needs, by name.
    """

    name: str
    where: str
    table: Mapping[str, Any]
    strengths: tuple[Strength, ...] = (AS_IT_IS,)
    resources: Mapping[str, int] = {}

    @property
    def key(self) -> str:
        """The value by which answers to the form choose this opponent: "competition/name"."""
        return f"{self.where}/{self.name}"

    def at(self, strength: str) -> dict[str, Any]:
        """Return the program's table at a strength; "" stands for the default strength.

        Raises:
            ConfigError: The program has no such strength.
        """
        found = [each for each in self.strengths if each.name == strength] if strength else self.strengths[:1]
        if not found:
            known = ", ".join(each.name for each in self.strengths)
            raise ConfigError(f"strength: expected one of {known}")
        return {**self.table, "command": [*self.table["command"], *found[0].words]}


def besides(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings in a program's table except its commands."""
    return {key: value for key, value in table.items() if key not in ("command", "partner")}


def opponents(game: str, form: Form, competitions: Iterable[WatchedCompetition]) -> list[Opponent]:
    """Return the programs that can play a game: installed ones, and contained players of `competitions`.

    Args:
        game: Name of the game.
        form: The game's part of the form, which names the programs to look for.
        competitions: The competitions whose players are offered, if their control files have been read.
    """
    found = [
        Opponent(
            name=each.name,
            where="",
            table={
                "command": [path, *each.command[1:]],
                **({"protocol": each.protocol} if each.protocol else {}),
            },
            strengths=each.strengths,
        )
        for each, path in installed(form)
    ]
    for each in competitions:
        if each.event is not None and each.event.setup.game == game:
            found += _of_setup(each.name, each.event.setup)
    return found


# Only contained players: the form is no way to start a program without a sandbox.
def _of_setup(where: str, setup: CompetitionSetup) -> Iterator[Opponent]:
    """Yield the contained programs of a control file that can play its game.

    Args:
        where: Name of the competition.
    """
    for code, player in setup.players.items():
        if player.executor == CONTAINED and plays(player.protocol, setup.game):
            resources = {name: setup.resources[name] for name in player.resources if name in setup.resources}
            yield Opponent(code, where, player_table(player), resources=resources)
