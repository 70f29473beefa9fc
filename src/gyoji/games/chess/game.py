"""Chess as an extension: the object that gyoji registers."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from gyoji.core.describe import ResultWords
from gyoji.core.forms import Form
from gyoji.core.game import Game, Pictures, RecordFormat
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.rules import ChessRules


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> Sequence[str]:
    """Return the openings of a file: see `books.openings`."""
    from gyoji.games.chess import books

    return books.openings(data, name, options)


def opening_book(data: bytes, name: str, options: Mapping[str, Any], *, plies: int = 0) -> Sequence[str]:
    """Return the openings of a file of any size: see `books.opening_book`."""
    from gyoji.games.chess import books

    return books.opening_book(data, name, options, plies=plies)


def own_openings(options: Mapping[str, Any]) -> Sequence[str]:
    """Return gyoji's own openings of a variant: see `books.own_openings`."""
    from gyoji.games.chess import books

    return books.own_openings(options)


def _pgn() -> RecordFormat:
    from gyoji.games.chess.records import PGN

    return PGN


def _pictures() -> Pictures[ChessRules]:
    from gyoji.games.chess import frames

    return frames


def _form() -> Form:
    from gyoji.games.chess.form import FORM

    return FORM


GAME = Game(
    name="chess",
    options=Options,
    rules=rules,
    has_chance=False,
    side_names=("white", "black"),
    result_words=ResultWords(letters=("W", "B")),
    # The 50 moves end every game before this.
    defaults=MappingProxyType({"protocol": "uci", "move_limit": 20_000}),
    openings=openings,
    opening_book=opening_book,
    own_openings=own_openings,
    opponent=MappingProxyType({"clock": "2s/move"}),
    match_defaults=MappingProxyType({"clock": "8+0.08"}),
    record_formats=MappingProxyType({"pgn": _pgn}),
    records=("pgn",),
    pictures=_pictures,
    form=_form,
)
