"""The opponents of the form for a new game: programs of this machine, and players of served competitions."""

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
    """A player that can be played against.

    Attributes:
        where: The competition that has this player; "" for a program of the machine.
        table: Its table in a control file, at its default strength.
        strengths: Words that its command gets for each strength, the default one first.
        resources: Resources of the machine, as that competition gives them.
    """

    name: str
    where: str
    table: Mapping[str, Any]
    strengths: tuple[Strength, ...] = (AS_IT_IS,)
    resources: Mapping[str, int] = {}

    @property
    def key(self) -> str:
        """The opponent's key in the form: competition and name."""
        return f"{self.where}/{self.name}"

    def goes_with(self, other: "Opponent") -> bool:
        """Return whether both can be in one team: a table has two commands, but all other settings once."""
        return besides(self.table) == besides(other.table)

    def at(self, strength: str) -> dict[str, Any]:
        """Return its table at one of its strengths. Raise ConfigError for an unknown one."""
        found = [each for each in self.strengths if each.name == strength] if strength else self.strengths[:1]
        if not found:
            known = ", ".join(each.name for each in self.strengths)
            raise ConfigError(f"strength: expected one of {known}")
        return {**self.table, "command": [*self.table["command"], *found[0].words]}


def besides(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of a program without its commands."""
    return {key: value for key, value in table.items() if key not in ("command", "partner")}


def opponents(game: str, form: Form, competitions: Iterable[WatchedCompetition]) -> list[Opponent]:
    """Return the opponents for a game: programs of this machine, and players of `competitions`.

    form: The game's part of the form for a new game, which knows its programs.
    """
    found = [
        Opponent(
            name=each.name,
            where="",
            table={
                "command": [each.path, *each.command[1:]],
                **({"protocol": each.protocol} if each.protocol else {}),
            },
            strengths=each.strengths,
        )
        for each in installed(form)
    ]
    for each in competitions:
        if each.event is not None and each.event.setup.game == game:
            found += _of_setup(each.name, each.event.setup)
    return found


# Only contained players: the form is no way to start a program without a sandbox.
def _of_setup(where: str, setup: CompetitionSetup) -> Iterator[Opponent]:
    """Yield the programs of a control file. Functions and people are no opponents here."""
    for code, player in setup.players.items():
        if player.executor == CONTAINED and plays(player.protocol, setup.game):
            resources = {name: setup.resources[name] for name in player.resources if name in setup.resources}
            yield Opponent(code, where, player_table(player), resources=resources)
