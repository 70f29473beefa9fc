"""The texts in which the store keeps a game, so that each can be written and read by itself.

A result is small and read often. Moves are large and read for one game at a time. Players and settings are
equal in thousands of games. So the spec of a game has several texts: one for each player, and the `frame`,
its settings. Games share these texts. A few values, such as the id, are the game's own. The record of a game
has two texts: the result, and everything else.
"""

from typing import NamedTuple

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.record import GameRecord, GameResult, VoidGame
from gyoji.core.spec import GameSpec

_NO_WORDS = ',"","",""]'
"""The end of a move's JSON without comment, phase and note. It is left out, since it is a third of most
games' text.

No JSON string can contain this text: a quotation mark in a string is escaped, and the one that ends a string
is not followed by another.
"""


class Finished(NamedTuple):
    """A finished game, ready to be stored.

    Attributes:
        result_text: The record's result as JSON.
        rest: Everything else of the record as JSON.
    """

    spec: GameSpec
    result: GameResult
    result_text: str
    rest: str

    @classmethod
    def of(cls, spec: GameSpec, record: GameRecord) -> "Finished":
        """Encode a game. Default values are left out, as in all JSON of gyoji."""
        names = (name for name in GameRecord.__struct_fields__ if name != "result")
        rest = {name: value for name in names if (value := getattr(record, name)) or name == "turns"}
        text = wire.dumps(rest).replace(_NO_WORDS, "]")
        return cls(spec, record.result, wire.dumps(record.result), text)


class PlayedBy(NamedTuple):
    """The settings of a stored game, as row numbers of shared texts.

    Attributes:
        frame: Row number of the settings. Games with the same number had the same settings.
        players: Row numbers of the players in seat order, separated by commas.
        purged: The reason why the game was invalidated (`gyoji purge`); "" if it was not.
    """

    frame: int
    players: str
    purged: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The row numbers of the texts of a game's settings: first `frame`, then each player.

        Raises:
            ValueError: The numbers of the players are damaged.
        """
        return self.frame, *map(int, self.players.split(","))


class Voided(NamedTuple):
    """A void game (a failed attempt without a result) and the number of the attempt.

    Attributes:
        attempt: Number of the attempt at this game, from 1; 0 if the game was skipped without an attempt.
    """

    void: VoidGame
    attempt: int


class StoredGame(NamedTuple):
    """A game as it was stored, without later rulings of a judge.

    Attributes:
        by: The row numbers of its settings and players, and whether the game was invalidated.
    """

    spec: GameSpec
    record: GameRecord
    by: PlayedBy


class SpecParts(NamedTuple):
    """The parts of a game's settings (`GameSpec`): texts that many games share, and the game's own values.

    Attributes:
        frame: JSON object of all settings but the players, `id`, `pairing`, `seed` and `note`.
        players: JSON object of each player, in seat order.
    """

    frame: str
    players: tuple[str, ...]
    id: str
    pairing: str
    seed: int
    note: str

    @classmethod
    def of(cls, spec: GameSpec) -> "SpecParts":
        """Split a game's settings into the texts that other games may share and its own values."""
        shared = wire.encode(replace(spec, players=()))
        frame = wire.dumps({name: value for name, value in shared.items() if name not in _OWN})
        players = tuple([wire.dumps(player) for player in spec.players])
        return cls(frame, players, spec.id, spec.pairing, spec.seed, spec.note)

    def text(self) -> str:
        """Return the JSON text of the spec, as `wire.dumps` writes it except for the order of members."""
        own = {"id": self.id, "pairing": self.pairing, "seed": self.seed, "note": self.note}
        return f'{self.frame[:-1]},{wire.dumps(own)[1:-1]},"players":[{",".join(self.players)}]}}'

    def spec(self) -> GameSpec:
        """Return the game's settings, joined again from their parts.

        Raises:
            ValueError: The texts are damaged.
        """
        return wire.loads(GameSpec, self.text())


_OWN = ("id", "pairing", "seed", "note", "players")
"""The members of a spec that are not in its frame."""


def join_record(result_text: str, rest: str) -> GameRecord:
    """Decode a record from the two texts of `Finished`.

    Raises:
        ValueError: The texts are damaged.
    """
    return _read_record(f'{{"result":{result_text},{rest[1:]}')


_read_record = wire.reader(GameRecord)
