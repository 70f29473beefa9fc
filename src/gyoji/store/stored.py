"""A game as the texts that the store keeps: taken apart so that each part is written and read on its own.

A result is small and read often; the moves are large and read for one game at a time; players and settings
are the same in thousands of games. So a game's spec is cut into its own few numbers and a `frame` that it
shares with others, and a record into its result and the rest.
"""

from operator import attrgetter
from typing import Any, NamedTuple

from gyoji.core import wire
from gyoji.core.record import GameRecord, GameResult, VoidGame
from gyoji.core.spec import GameSpec, Player

_NO_WORDS = ',"","",""]'
"""The end of a move with no comment, phase and note, which are left out: they are a third of most games. A
string cannot hold this text: a quotation mark in it is escaped, and the one that ends it is not followed by
another one."""


class Finished(NamedTuple):
    """A finished game, ready to be stored. result_text: the record's result as JSON; rest: all else of it."""

    spec: GameSpec
    result: GameResult
    result_text: str
    rest: str

    @classmethod
    def of(cls, spec: GameSpec, record: GameRecord) -> "Finished":
        rest = wire.dumps(_rest(record)).replace(_NO_WORDS, "]")
        return cls(spec, record.result, wire.dumps(record.result), rest)


class PlayedBy(NamedTuple):
    """The settings of a stored game, as numbers of shared texts; players: in seat order, with commas.

    Games with equal frames had equal settings; others may have had them too. purged: why the game was taken
    back, "" if it was not.
    """

    frame: int
    players: str
    purged: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of all its texts, that of the frame first. Raises ValueError."""
        return self.frame, *map(int, self.players.split(","))


class Voided(NamedTuple):
    """A void game, ready to be stored. attempt: how often this game has been tried in its run, from 1."""

    void: VoidGame
    attempt: int


class StoredVoid(NamedTuple):
    """A void game as it was stored; attempt counts from 1 in each run."""

    attempt: int
    void: VoidGame


class StoredGame(NamedTuple):
    """A game as it was stored, without its rulings."""

    spec: GameSpec
    record: GameRecord
    by: PlayedBy


class SpecParts(NamedTuple):
    """A spec in parts: what it shares with other games (JSON texts), and what is its own.

    frame is the JSON object of a spec that lacks the members that are given here. (In older files it has the
    pairing, which then is here too.)
    """

    frame: str
    players: tuple[str, ...]
    id: str
    pairing: str
    seed: int
    note: str

    def text(self) -> str:
        """The spec's JSON, as `wire.dumps` writes it but for the order of members."""
        own = {"id": self.id, "pairing": self.pairing, "seed": self.seed, "note": self.note}
        return f'{self.frame[:-1]},{wire.dumps(own)[1:-1]},"players":[{",".join(self.players)}]}}'

    def spec(self) -> GameSpec:
        """The spec that was taken apart. Raises ValueError."""
        return wire.loads(GameSpec, self.text())


class SpecSplitter:
    """Takes specs apart, and remembers the texts of what it has seen: most games share all of them.

    Values are told apart by identity, which is what a competition shares between its games.
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
    if record.aside:
        rest["aside"] = record.aside
    if record.lags:
        rest["lags"] = record.lags
    return rest


def join_record(result_text: str, rest: str) -> GameRecord:
    """The record that `Finished` took apart. Raises ValueError."""
    return _read_record(f'{{"result":{result_text},{rest[1:]}')


_read_record = wire.reader(GameRecord)
