"""SGF, the record format of Go and Gomoku: FF[4] files of finished games, and a tolerant reader of others.

The grammar, points and what a root tells are in `gyoji.sgf`; what only one game has is in its package, which
is imported when a game of it is written or read.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType

from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.sgf.grammar import Node, parse

suffix = ".sgf"

_GAMES: Mapping[str, str] = MappingProxyType({"1": "go", "4": "gomoku"})
"""The games that we know, by their number in GM."""


_SAID = frozenset(("AP", "C"))


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The file of a game. Raises ValueError for what its game, or any game that we know, has no file for."""
    if spec.game not in _GAMES.values():
        raise ValueError(f"game {spec.id}: SGF has no {spec.game}; there are: {', '.join(_GAMES.values())}")
    data: bytes = _writer(spec.game).write(spec, record)
    return data


def replay(data: bytes, wanted: Wanted) -> list[Replay]:
    """Every game of a collection judged again.

    Raises ConfigError for what does not fit, ValueError for a file that cannot be read.
    """
    trees = parse(data)
    replays = []
    for number, root in enumerate(trees, 1):
        try:
            name = _name_of(root)
            game = _reader(name)
            wanted.check_fits(name, game.TAKES)
            replays.append(game.replay_game(root, wanted))
        except ValueError as error:
            raise ValueError(f"game {number}: {error}" if len(trees) > 1 else str(error)) from None
    return replays


def content(data: bytes) -> object:
    """What a file says of its games: the nodes of their main lines, without comments and who wrote it.

    Raises ValueError.
    """
    return [
        [
            {name: values for name, values in node.properties.items() if name not in _SAID}
            for node in root.main_line()
        ]
        for root in parse(data)
    ]


def _name_of(root: Node) -> str:
    """The game that GM says; without it the game of Go, as FF[4] has it. Raises ValueError for another."""
    number = root.first("GM").strip() or "1"
    if number not in _GAMES:
        known = ", ".join(f"GM[{number}] {name}" for number, name in _GAMES.items())
        raise ValueError(f"GM[{printable(number, 20)}] is no game that can be replayed; there are: {known}")
    return _GAMES[number]


def _reader(name: str) -> ModuleType:
    return import_module("gyoji.games.go.sgf_replay" if name == "go" else "gyoji.games.gomoku.sgf")


def _writer(name: str) -> ModuleType:
    return import_module("gyoji.games.go.sgf_writer" if name == "go" else "gyoji.games.gomoku.sgf")
