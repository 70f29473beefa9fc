"""Gomoku as an extension: the object that gyoji registers."""

from types import MappingProxyType

from gyoji.core.game import Game
from gyoji.games import forwarding, later
from gyoji.games.gomoku.game_options import Options, rules, variants
from gyoji.games.gomoku.leagues import PRESETS

GAME = Game(
    name="gomoku",
    options=Options,
    rules=rules,
    has_chance=False,
    # More moves than the largest board has points: the rules themselves end every game.
    defaults=MappingProxyType({"protocol": "gomocup", "move_limit": 20_000}),
    presets=PRESETS,
    openings=forwarding("gomoku.opening_files", "openings"),
    vary=forwarding("gomoku.opening_files", "vary"),
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
