"""Go: the rules as bitboards. First cut: simple ko, suicide by option, area score with all stones alive.

Superko, territory scoring, clean-up phases and pass-alive groups are not here yet; a new kind of flood
belongs in `board`, what decides whether a move stands in `rules`, how points are counted in `score`.
"""

from gyoji.games.go.options import Options
from gyoji.games.go.rules import GoRules, Position, rules
from gyoji.games.go.vertices import PASS

RECORDS = ("sgf",)

__all__ = ["PASS", "RECORDS", "GoRules", "Options", "Position", "rules"]
