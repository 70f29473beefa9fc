"""Gomoku as an extension: the object that gyoji registers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gyoji.core.game import Game
from gyoji.games import later
from gyoji.games.gomoku.game_options import Options, rules, variants
from gyoji.games.gomoku.leagues import PRESETS


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the openings of a file: see `opening_files.openings`."""
    from gyoji.games.gomoku import opening_files

    return opening_files.openings(data, name, options)


def vary(opening: object, options: Mapping[str, Any], *, symmetry: int = 0, shift: int = 0) -> str:
    """Return an opening turned and moved: see `opening_files.vary`."""
    from gyoji.games.gomoku import opening_files

    return opening_files.vary(opening, options, symmetry=symmetry, shift=shift)


GAME = Game(
    name="gomoku",
    options=Options,
    rules=rules,
    has_chance=False,
    # More moves than the largest board has points: the rules themselves end every game.
    defaults=MappingProxyType({"protocol": "gomocup", "move_limit": 20_000}),
    presets=PRESETS,
    openings=openings,
    vary=vary,
    variants=variants,
    shifts=True,
    record_formats=MappingProxyType(
        {"psq": later("gomoku.piskvork", "PSQ"), "sgf": later("gomoku.sgf_records", "SGF")}
    ),
    records=("psq",),
    pictures=later("gomoku.frames"),
    samples=later("gomoku.samples", "SAMPLES"),
    form=later("gomoku.form", "FORM"),
)
