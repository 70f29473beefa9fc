"""SGF as a record format of a game: which games of a collection are its own, and what a file says of them.

GM names the game by a number; without it the game is Go, as FF[4] has it. A collection may hold games of
several kinds: each game judges those of its number, and leaves the others to theirs.
"""

from collections.abc import Callable, Collection

from gyoji.core.game import RecordFormat
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.sgf.grammar import Node, parse

_USUAL_NUMBER = "1"
_SAID = frozenset(("AP", "C"))


def sgf_format(
    game: str,
    number: int,
    *,
    write: Callable[[GameSpec, GameRecord | VoidGame], bytes],
    replay: Callable[[Node, Wanted], Replay],
    takes: Collection[str],
) -> RecordFormat:
    """The SGF format of a game.

    number  of the game in GM.
    write   the file of a game.
    replay  one game of a collection judged again. takes: the fields of `Wanted` that it has.
    """

    def replay_all(data: bytes, wanted: Wanted) -> list[Replay | None]:
        trees = parse(data)
        replays: list[Replay | None] = []
        for place, root in enumerate(trees, 1):
            if number_of(root) != str(number):
                replays.append(None)
                continue
            wanted.check_fits(game, takes)
            try:
                replays.append(replay(root, wanted))
            except ValueError as error:
                raise ValueError(f"game {place}: {error}" if len(trees) > 1 else str(error)) from None
        return replays

    return RecordFormat(suffix=".sgf", write=write, replay=replay_all, content=content)


def number_of(root: Node) -> str:
    """The number in GM by which a game is known."""
    return root.first("GM").strip() or _USUAL_NUMBER


def content(data: bytes) -> object:
    """The nodes of the main lines of a file, without comments and the program that wrote it.

    Raises ValueError.
    """
    return [
        [
            {name: values for name, values in node.properties.items() if name not in _SAID}
            for node in root.main_line()
        ]
        for root in parse(data)
    ]
