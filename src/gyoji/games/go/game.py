"""Go as an extension: the object that gyoji registers, and the trial of an engine's clean-up.

Under territory scoring a dead stone counts as alive unless it is captured in the clean-up phases. The
trial sets up a position after both sides have passed, in which White's stone in the corner cannot be saved
and one more move captures it. It is not pass-dead, so the rules do not remove it for free. As long as it
stands, none of Black's territory counts. An engine that passes there does not play the clean-up.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gyoji.core.boards import bits
from gyoji.core.describe import GOMILL
from gyoji.core.game import Game, Pictures, RecordFormat, Trial
from gyoji.games.go.game_options import Options
from gyoji.games.go.phases import AGREEMENT
from gyoji.games.go.rules import GoRules, rules
from gyoji.games.go.rulesets import TERRITORY

if TYPE_CHECKING:
    from gyoji.core.forms import Form
    from gyoji.games.go.judging import GoJudgeTable


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the openings of a file: see `opening_files.openings`."""
    from gyoji.games.go import opening_files

    return opening_files.openings(data, name, options)


def vary(opening: object, options: Mapping[str, Any], *, symmetry: int = 0, shift: int = 0) -> str:
    """Return an opening turned or mirrored: see `opening_files.vary`. Openings of Go are never shifted."""
    from gyoji.games.go import opening_files

    return opening_files.vary(opening, options, symmetry=symmetry)


_TRIAL_SIDE = 9
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
_REMEDY = "KataGo needs preventCleanupPhase = false in its config (kata-set-param cannot set it)"


def trial(options: Mapping[str, Any]) -> Trial | None:
    """Return the trial for games with these options; None without clean-up phases to try.

    None also if the engines agree on dead stones (`dead_stones`), because then no clean-up is needed.
    """
    read = Options(**options)
    agreed = read.agreed
    if agreed is None or agreed.ruleset.scoring != TERRITORY or read.dead_stones == AGREEMENT:
        return None
    wanted = {"board_size": _TRIAL_SIDE, "komi": 6.5, "ruleset": agreed.name}
    return Trial(options=wanted, moves=_trial_moves(wanted), idle=_PASS, failure=_FAILURE, remedy=_REMEDY)


def _trial_moves(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the moves that set up the trial.

    They are stones in turns, passes for a side without more stones, and two passes.
    """
    game = GoRules(Options(**options))
    drawn = game.position_from_diagram("\n".join("".join(line.split()) for line in DEAD_STONE.split("\n")))
    black, white = ([game.format(point) for point in bits(stones)] for stones in (drawn.black, drawn.white))
    pairs = zip_longest(black, white, fillvalue=_PASS)
    return (*(move for pair in pairs for move in pair), _PASS, _PASS)


def _sgf() -> RecordFormat:
    from gyoji.games.go.sgf_replay import SGF

    return SGF


def _pictures() -> Pictures[GoRules]:
    from gyoji.games.go import frames

    return frames


def _judge() -> type[GoJudgeTable]:
    from gyoji.games.go.judging import GoJudgeTable

    return GoJudgeTable


def _form() -> Form:
    from gyoji.games.go.form import FORM

    return FORM


GAME = Game(
    name="go",
    options=Options,
    rules=rules,
    has_chance=False,
    result_words=GOMILL,
    match_defaults=MappingProxyType({"board_size": 9, "komi": 7.5}),
    openings=openings,
    vary=vary,
    trial=trial,
    record_formats=MappingProxyType({"sgf": _sgf}),
    records=("sgf",),
    pictures=_pictures,
    judge=_judge,
    form=_form,
)
