"""Gomoku: five in a row, by any of the rules of Gomocup, as bitboards.

Start with `board` (how a board is stored) and `rules` (the game as the referee sees it); `rulesets` lists
what there is to choose and which rows win. Then by question: what renju forbids (`forbidden`), how sides are
chosen (`position`), where openings come from (`openings`), how games are recorded (`played`, `account`,
`sgf`), what programs learn from (`samples`), what games look like (`frames`).
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from gyoji.core.game import Game, GoldenSchema, Pictures, RecordFormat, Sampler
from gyoji.games.gomoku.names import SWAP
from gyoji.games.gomoku.openings import openings, vary
from gyoji.games.gomoku.options import PRESETS, Options, rules
from gyoji.games.gomoku.position import Position
from gyoji.games.gomoku.rules import GomokuRules

__all__ = ["GAME", "SWAP", "GomokuRules", "Options", "Position", "openings", "rules", "vary"]


def _sgf() -> RecordFormat:
    from gyoji.games.gomoku.sgf import SGF

    return SGF


def _psq() -> RecordFormat:
    from gyoji.games.gomoku.piskvork import PSQ

    return PSQ


def _pos() -> RecordFormat:
    from gyoji.games.gomoku.text_records import POS

    return POS


def _rec() -> RecordFormat:
    from gyoji.games.gomoku.piskvork import REC

    return REC


def _messages() -> RecordFormat:
    from gyoji.games.gomoku.text_records import MESSAGES

    return MESSAGES


def _pictures() -> Pictures[GomokuRules]:
    from gyoji.games.gomoku import frames

    return frames


def _samples() -> Mapping[str, Sampler]:
    from gyoji.games.gomoku.samples import SAMPLES

    return SAMPLES


def _golden() -> Sequence[GoldenSchema]:
    from gyoji.games.gomoku.golden import SCHEMAS

    return SCHEMAS


GAME = Game(
    name="gomoku",
    options=Options,
    rules=rules,
    # More moves than the largest board has points: the rules themselves end every game.
    defaults=MappingProxyType({"protocol": "gomocup", "move_limit": 20_000}),
    presets=PRESETS,
    openings=openings,
    vary=vary,
    shifts=True,
    record_formats=MappingProxyType(
        {"psq": _psq, "sgf": _sgf, "pos": _pos, "rec": _rec, "messages": _messages}
    ),
    records=("psq",),
    pictures=_pictures,
    samples=_samples,
    golden=_golden,
)
