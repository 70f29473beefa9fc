"""The extension object for Go, which gyoji registers, and a test of whether an engine plays the clean-up.

Under territory scoring a dead stone counts as alive unless it is captured in the clean-up phases. The test
(`Trial`) is a position after both sides have passed, in which White's stone in the corner is in atari and
cannot be saved. The rules do not remove it themselves, because Black's stones around it are not pass-alive.
While it is on the board, none of Black's territory counts. An engine that passes in this position does not
play the clean-up.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gyoji.core.describe import GOMILL
from gyoji.core.game import Game, Trial
from gyoji.core.later import forwarding, later
from gyoji.games.go.game_options import Options
from gyoji.games.go.phases import AGREEMENT
from gyoji.games.go.rules import rules
from gyoji.games.go.rulesets import TERRITORY

_TRIAL_SIDE = 9
# The position of the trial. White's stone on A1 is the dead one.
#
#    9 . . . . . . . . .
#    8 . . O . . O . O .
#    7 . . . . . . . . .
#    6 O O O O O O . O .
#    5 X X X X X O . . .
#    4 . . . . X O . O .
#    3 . . . . X O . . .
#    2 X . . . X O . O .
#    1 O . . . X O . . .
#      A B C D E F G H J
_TRIAL_MOVES = (
    "E1 A1 A2 F1 E2 F2 E3 H2 E4 F3 A5 F4 B5 H4 C5 F5 D5 A6 E5 B6 "
    "pass C6 pass D6 pass E6 pass F6 pass H6 pass C8 pass F8 pass H8 pass pass"
)

_FAILURE = (
    "does not play the clean-up phases: it passes while a dead stone is on the board, which counts as alive"
)
_REMEDY = "KataGo needs preventCleanupPhase = false in its config (kata-set-param cannot set it)"


def trial(options: Mapping[str, Any]) -> Trial | None:
    """Return the test of whether an engine captures dead stones in the clean-up phases, for these options.

    Return None if the rules have no clean-up phases (area scoring, or no ruleset), or if the engines agree on
    dead stones (option `dead_stones`), because then no clean-up is needed.
    """
    read = Options(**options)
    agreed = read.agreed
    if agreed is None or agreed.ruleset.scoring != TERRITORY or read.dead_stones == AGREEMENT:
        return None
    wanted = {"board_size": _TRIAL_SIDE, "komi": 6.5, "ruleset": agreed.name}
    return Trial(options=wanted, moves=_TRIAL_MOVES.split(), idle="pass", failure=_FAILURE, remedy=_REMEDY)


GAME = Game(
    name="go",
    options=Options,
    rules=rules,
    has_chance=False,
    result_words=GOMILL,
    match_defaults=MappingProxyType({"board_size": 9, "komi": 7.5}),
    openings=forwarding("gyoji.games.go.opening_files", "openings"),
    vary=forwarding("gyoji.games.go.opening_files", "vary"),
    trial=trial,
    record_formats=MappingProxyType({"sgf": later("gyoji.games.go.sgf_replay", "SGF")}),
    records=("sgf",),
    pictures=later("gyoji.games.go.frames"),
    judge=later("gyoji.games.go.judging", "GoJudgeTable"),
    form=later("gyoji.games.go.form", "FORM"),
)
