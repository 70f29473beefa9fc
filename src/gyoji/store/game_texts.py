"""Games as the texts that the store keeps, divided so that each part can be written and read alone.

A result is small and read often. Moves are large and read for one game at a time. Players and settings are
equal in thousands of games. So the spec of a game is divided into its own few values and a `frame` that it
shares with others, and its record into the result and the rest.
"""

from operator import attrgetter
from typing import Any, NamedTuple

from gyoji.core import wire
from gyoji.core.record import GameRecord, GameResult, VoidGame
from gyoji.core.spec import GameSpec, Player

_NO_WORDS = ',"","",""]'
"""End of a move without comment, phase and note. It is left out, because it makes up a third of most games.

No JSON string can contain this text: a quotation mark in a string is escaped, and the one that ends a
string is not followed by another.
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
        rest = wire.dumps(_rest(record)).replace(_NO_WORDS, "]")
        return cls(spec, record.result, wire.dumps(record.result), rest)


class PlayedBy(NamedTuple):
    """The settings of a stored game, as row numbers of shared texts.

    Games with the same frame had the same settings.

    Attributes:
        players: Row numbers of the players in seat order, separated by commas.
        purged: The reason why the game was taken back; "" if it was not.
    """

    frame: int
    players: str
    purged: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The row numbers of all texts, that of the frame first.

        Raises:
            ValueError: The text of numbers is damaged.
        """
        return self.frame, *map(int, self.players.split(","))


class Voided(NamedTuple):
    """A void game, ready to be stored.

    Attributes:
        attempt: Number of attempts to play this game in its run, from 1.
    """

    void: VoidGame
    attempt: int


class StoredVoid(NamedTuple):
    """A void game as it was stored.

    Attributes:
        attempt: Number of the attempt, which starts from 1 in each run.
    """

    attempt: int
    void: VoidGame


class StoredGame(NamedTuple):
    """A game as it was stored, without its rulings."""

    spec: GameSpec
    record: GameRecord
    by: PlayedBy


class SpecParts(NamedTuple):
    """The parts of a game's spec: JSON texts that it shares with other games, and its own values.

    Attributes:
        frame: JSON object of the spec without the members that are given here.
    """

    frame: str
    players: tuple[str, ...]
    id: str
    pairing: str
    seed: int
    note: str

    def text(self) -> str:
        """Return the spec's JSON, as `wire.dumps` writes it except for the order of members."""
        own = {"id": self.id, "pairing": self.pairing, "seed": self.seed, "note": self.note}
        return f'{self.frame[:-1]},{wire.dumps(own)[1:-1]},"players":[{",".join(self.players)}]}}'

    def spec(self) -> GameSpec:
        """Return the spec.

        Raises:
            ValueError: The texts are damaged.
        """
        return wire.loads(GameSpec, self.text())


# A tuner has thousands of candidates, each a player of its own: the dictionaries are emptied when they reach
# the limit.
class SpecSplitter:
    """Divides specs into parts, and remembers the texts of parts that it has seen.

    Parts are compared by identity, because the games of a competition share the same objects.
    """

    def __init__(self, limit: int = 1024) -> None:
        self._limit = limit
        self._players: dict[int, tuple[Player, str]] = {}
        self._frames: dict[tuple[int, ...], tuple[GameSpec, str]] = {}

    def split(self, spec: GameSpec) -> SpecParts:
        players = tuple([self._player(player) for player in spec.players])
        return SpecParts(self._frame(spec), players, spec.id, spec.pairing, spec.seed, spec.note)

    def _player(self, player: Player) -> str:
        known = self._players.get(id(player))
        if known is None:
            if len(self._players) >= self._limit:
                self._players.clear()
            known = self._players[id(player)] = player, wire.dumps(player)
        return known[1]

    def _frame(self, spec: GameSpec) -> str:
        key = tuple(map(id, _shared_values(spec)))
        known = self._frames.get(key)
        if known is None:
            if len(self._frames) >= self._limit:
                self._frames.clear()
            plain = wire.encode(spec)
            text = wire.dumps({name: plain[name] for name in _SHARED if name in plain})
            known = self._frames[key] = spec, text  # the spec keeps alive what the key names by identity
        return known[1]


_OWN = ("id", "pairing", "seed", "note", "players")
_SHARED = tuple(name for name in GameSpec.__struct_fields__ if name not in _OWN)
_shared_values = attrgetter(*_SHARED)


def _rest(record: GameRecord) -> dict[str, Any]:
    rest: dict[str, Any] = {"turns": record.turns}
    if record.final_remarks:
        rest["final_remarks"] = record.final_remarks
    if record.refused is not None:
        rest["refused"] = record.refused
    if record.timings:
        rest["timings"] = record.timings
    if record.opinions:
        rest["opinions"] = record.opinions
    if record.taken_back:
        rest["taken_back"] = record.taken_back
    if record.extra_time:
        rest["extra_time"] = record.extra_time
    if record.lags:
        rest["lags"] = record.lags
    return rest


def join_record(result_text: str, rest: str) -> GameRecord:
    """Return the record from the two texts of `Finished`.

    Raises:
        ValueError: The texts are damaged.
    """
    return _read_record(f'{{"result":{result_text},{rest[1:]}')


_read_record = wire.reader(GameRecord)
