"""Go: any of its rules, as bitboards.

Start with `board` (how a board is stored) and `rules` (the game as the referee sees it); `rulesets` lists
what there is to choose. Then by question: which plays stand (`rules`, `refusals`, `history`), how phases end
(`phases`), how disputes are played out (`cleanup`), who lives (`life`), who won (`score`), what games begin
with (`opening`, `opening_files`), whether an engine takes dead stones off (`cleanup_trial`).
"""

from gyoji.games.go.cleanup_trial import trial
from gyoji.games.go.opening_files import openings, vary
from gyoji.games.go.options import Options
from gyoji.games.go.position import Position
from gyoji.games.go.rules import GoRules, rules
from gyoji.games.go.vertices import PASS

MATCH = {"board_size": 9, "komi": 7.5}
RECORDS = ("sgf",)

__all__ = ["MATCH", "PASS", "RECORDS", "GoRules", "Options", "Position", "openings", "rules", "trial", "vary"]
