"""Who can be played against: programs that the machine has, and players of competitions that are served."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gyoji.config.players import CONTAINED
from gyoji.config.programs import installed
from gyoji.config.written import player_table
from gyoji.core.faults import ConfigError
from gyoji.core.forms import AS_IT_IS, Form, Strength
from gyoji.core.plugins import GAMES, check_plays
from gyoji.core.setup import CompetitionSetup
from gyoji.web.following import Followed


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
        """Its name in a form."""
        return f"{self.where}/{self.name}"

    def goes_with(self, other: "Opponent") -> bool:
        """Whether both can be in one team: a table has two commands, and its other settings once."""
        return besides(self.table) == besides(other.table)

    def at(self, strength: str) -> dict[str, Any]:
        """The table for one of its strengths. Raises ConfigError for one that it has not."""
        found = [each for each in self.strengths if each.name == strength] if strength else self.strengths[:1]
        if not found:
            known = ", ".join(each.name for each in self.strengths)
            raise ConfigError(f"strength: expected one of {known}")
        return {**self.table, "command": [*self.table["command"], *found[0].words]}


def besides(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table of a program without its commands."""
    return {key: value for key, value in table.items() if key not in ("command", "partner")}


def opponents(game: str, competitions: Iterable[Followed]) -> list[Opponent]:
    """All of them for a game. competitions: whose players may be played against."""
    found = list(_of_machine(game))
    for each in competitions:
        if each.event is not None and each.event.setup.game == game:
            found += _of_setup(each.name, each.event.setup)
    return found


def _of_machine(game: str) -> Iterator[Opponent]:
    """Programs of the game that are on PATH, come with gyoji, or are where Debian has games."""
    for each in installed(_form(game)):
        protocol = {"protocol": each.protocol} if each.protocol else {}
        yield Opponent(each.name, "", {"command": [each.path, *each.command[1:]], **protocol}, each.strengths)


def _form(game: str) -> Form:
    form = GAMES.find(game).form
    if form is None:
        raise ConfigError(f"game: {game} has no form for a new game")
    return form()


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
