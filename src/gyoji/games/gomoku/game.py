"""The extension object for gomoku, which gyoji registers."""

from types import MappingProxyType

from gyoji.core.game import Game
from gyoji.core.later import forwarding, later
from gyoji.games.gomoku.game_options import Options, rules, variants
from gyoji.games.gomoku.leagues import PRESETS

GAME = Game(
    name="gomoku",
    options=Options,
    rules=rules,
    has_chance=False,
    # More moves than the largest board has points, because the rules end every game.
    defaults=MappingProxyType({"protocol": "gomocup", "move_limit": 20_000}),
    presets=PRESETS,
    openings=forwarding("gyoji.games.gomoku.opening_files", "openings"),
    vary=forwarding("gyoji.games.gomoku.opening_files", "vary"),
    variants=variants,
    shifts=True,
    record_formats=MappingProxyType(
        {
            "psq": later("gyoji.games.gomoku.piskvork", "PSQ"),
            "sgf": later("gyoji.games.gomoku.sgf_records", "SGF"),
        }
    ),
    records=("psq",),
    pictures=later("gyoji.games.gomoku.frames"),
    samples=later("gyoji.games.gomoku.samples", "SAMPLES"),
    form=later("gyoji.games.gomoku.form", "FORM"),
)
