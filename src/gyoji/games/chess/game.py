"""The extension object for chess, which gyoji registers."""

from types import MappingProxyType

from gyoji.core.describe import ResultWords
from gyoji.core.game import Game
from gyoji.core.later import forwarding, later
from gyoji.games.chess.game_options import Options, rules

GAME = Game(
    name="chess",
    options=Options,
    rules=rules,
    has_chance=False,
    side_names=("white", "black"),
    result_words=ResultWords(letters=("W", "B")),
    # The 50-move rule ends every game earlier.
    defaults=MappingProxyType({"protocol": "uci", "move_limit": 20_000}),
    openings=forwarding("gyoji.games.chess.books", "openings"),
    opening_book=forwarding("gyoji.games.chess.books", "opening_book"),
    own_openings=forwarding("gyoji.games.chess.books", "own_openings"),
    has_tablebases=True,
    opponent=MappingProxyType({"clock": "2s/move"}),
    match_defaults=MappingProxyType({"clock": "8+0.08"}),
    record_formats=MappingProxyType({"pgn": later("gyoji.games.chess.records", "PGN")}),
    records=("pgn",),
    pictures=later("gyoji.games.chess.frames"),
    form=later("gyoji.games.chess.form", "FORM"),
)
