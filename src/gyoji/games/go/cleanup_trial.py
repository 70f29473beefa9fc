"""A dead stone that counts as alive unless it is taken off in a clean-up phase: does an engine take it off?

Both sides have passed. White's stone in the corner cannot be saved, and one more move takes it. It is not
pass-dead, so it is not taken off for nothing: as long as it stands none of Black's territory counts.
"""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from gyoji.core.boards import bits
from gyoji.core.game import Trial
from gyoji.games.go.options import Options
from gyoji.games.go.rules import GoRules
from gyoji.games.go.rulesets import TERRITORY

SIDE = 9

DEAD_STONE = """
    . . . . . . . . .
    . . O . . O . O .
    . . . . . . . . .
    O O O O O O . O .
    X X X X X O . . .
    . . . . X O . O .
    . . . . X O . . .
    X . . . X O . O .
    O . . . X O . . .
"""

_PASS = "pass"
_FAILURE = (
    "does not play the clean-up phases: it passes while a dead stone is on the board, which counts as alive"
)
_REMEDY = (
    "KataGo needs preventCleanupPhase = false in its config (kata-set-param cannot set it); "
    'or let the players agree: scorer = "players", or without_cleanup = "players"'
)


def trial(options: Mapping[str, Any]) -> Trial | None:
    """The trial for games with these options; None where there are no clean-up phases."""
    agreed = Options(**options).agreed
    if agreed is None or agreed.ruleset.scoring != TERRITORY:
        return None
    wanted = {"board_size": SIDE, "komi": 6.5, "ruleset": agreed.name}
    return Trial(options=wanted, moves=_moves(wanted), idle=_PASS, failure=_FAILURE, remedy=_REMEDY)


def _moves(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The stones one by one, a pass for a side that has no more of them, and two passes."""
    game = GoRules(Options(**options))
    drawn = game.position_from_diagram("\n".join("".join(line.split()) for line in DEAD_STONE.split("\n")))
    black, white = ([game.format(point) for point in bits(stones)] for stones in (drawn.black, drawn.white))
    pairs = zip_longest(black, white, fillvalue=_PASS)
    return (*(move for pair in pairs for move in pair), _PASS, _PASS)
