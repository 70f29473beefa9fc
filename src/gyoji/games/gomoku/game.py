"""Gomoku as an extension: all that gyoji asks of it, in one object."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from gyoji.core.forms import Form
from gyoji.core.game import Game, GoldenSchema, Pictures, RecordFormat, Sampler
from gyoji.games.gomoku.options import PRESETS, Options, openings, rules, variants, vary
from gyoji.games.gomoku.rules import GomokuRules


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
    from gyoji.games.gomoku.played import SAMPLES

    return SAMPLES


def _golden() -> Sequence[GoldenSchema]:
    from gyoji.games.gomoku.golden import SCHEMAS

    return SCHEMAS


def _form() -> Form:
    from gyoji.games.gomoku.form import FORM

    return FORM


GAME = Game(
    name="gomoku",
    options=Options,
    rules=rules,
    has_chance=False,
    # More moves than the largest board has points: the rules themselves end every game.
    defaults=MappingProxyType({"protocol": "gomocup", "move_limit": 20_000}),
    presets=PRESETS,
    openings=openings,
    vary=vary,
    variants=variants,
    shifts=True,
    record_formats=MappingProxyType(
        {"psq": _psq, "sgf": _sgf, "pos": _pos, "rec": _rec, "messages": _messages}
    ),
    records=("psq",),
    pictures=_pictures,
    samples=_samples,
    golden=_golden,
    form=_form,
)
