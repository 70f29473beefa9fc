"""Go: any of its rules, as bitboards.

Start with `board` (how a board is stored) and `rules` (the game as the referee sees it); `rulesets` lists
what there is to choose. Then by question: which plays stand (`rules`, `position`), how phases end and how
disputes are played out (`phases`), who lives (`life`), who won (`score`; by a judge's word `judging`), what
games begin with (`opening`), what can be set (`options`), how games are written (`sgf_writer`, `sgf_reader`,
`sgf_replay`), what they look like (`frames`).
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from gyoji.core.describe import GOMILL
from gyoji.core.game import Game, GoldenSchema, Pictures, RecordFormat
from gyoji.games.go.board import PASS
from gyoji.games.go.options import Options, openings, trial, vary
from gyoji.games.go.position import Position
from gyoji.games.go.rules import GoRules, rules

if TYPE_CHECKING:
    from gyoji.games.go.judging import GoJudgeTable

__all__ = ["GAME", "PASS", "GoRules", "Options", "Position", "openings", "rules", "trial", "vary"]


def _sgf() -> RecordFormat:
    from gyoji.games.go.sgf_replay import SGF

    return SGF


def _pictures() -> Pictures[GoRules]:
    from gyoji.games.go import frames

    return frames


def _judge() -> type[GoJudgeTable]:
    from gyoji.games.go.judging import GoJudgeTable

    return GoJudgeTable


def _golden() -> Sequence[GoldenSchema]:
    from gyoji.games.go.golden import SCHEMAS

    return SCHEMAS


GAME = Game(
    name="go",
    options=Options,
    rules=rules,
    result_words=GOMILL,
    match_defaults=MappingProxyType({"board_size": 9, "komi": 7.5}),
    openings=openings,
    vary=vary,
    trial=trial,
    record_formats=MappingProxyType({"sgf": _sgf}),
    records=("sgf",),
    pictures=_pictures,
    judge=_judge,
    golden=_golden,
)
